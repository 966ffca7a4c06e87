"""What takes the room of a project is counted, and what is above a quota refused before anything is kept."""

import hashlib
import io
import zlib

import pytest

from core.errors import StoreError
from core.store import Command
from core.store.quotas import PERSON, PROJECT, quota
from tests.store.test_store_deletion import ANA, BEN, made


def noise(size):
    """Bytes that cannot be packed."""
    return b"".join(hashlib.sha256(bytes([k % 256, k // 256])).digest() for k in range(size // 32))


def test_each_part_of_a_project_is_counted(store, project):
    other = store.create_project("Basque")
    before = store.usage(project)
    assert before.texts == before.removed == 0 and before.runs == {} and 0 < before.changes < 1000
    text, gone = noise(4000), noise(8000)
    first = store.add_corpus(project, "a", text)
    store.add_corpus(project, "again", text)  # counts once
    store.add_corpus(other, "theirs", text)
    removed = store.add_corpus(project, "b", gone)
    store.remove_corpus(removed)
    run = made(store, project, result=bytes(5000))
    made(store, project, kind="grammar", result=bytes(100))
    store.execute(project, Command("lexicon", "", None, "x" * 3000))
    found = store.usage(project)
    assert (found.texts, found.removed) == (len(zlib.compress(text)), len(zlib.compress(gone)))
    assert list(found.runs) == ["ge", "grammar"] and found.runs["ge"] == store.run_sizes([run])[run] > 5000
    assert found.changes > 6000 and found.total == sum(found.parts.values())
    assert next(iter(found.parts)) == "removed texts"
    assert store.usage(other).texts == found.texts and store.usage(other).runs == {}
    store.remove_corpus(first)
    assert store.usage(project).removed == found.removed  # "again" has its content
    store.delete_project(project)
    assert store.usage(project).total >= found.total  # in the trash it takes as much


def test_without_a_quota_nothing_is_asked(store, project, monkeypatch):
    monkeypatch.setattr(type(store), "usage", None)
    store.add_corpus(project, "a", noise(4000))
    made(store, project)


def test_a_project_takes_no_more_than_its_quota(store, project, monkeypatch):
    monkeypatch.setenv(PROJECT, "0.02")
    store.add_corpus(project, "a", noise(12_000))
    with pytest.raises(
        StoreError, match=r"no room for b \(0\.0 MB\): this project takes 0\.0 of 0\.02 MB \(texts 0\.0"
    ):
        store.add_corpus(project, "b", noise(9600))
    run = made(store, project, result=noise(9600))  # there was room, and what it left is kept
    with pytest.raises(StoreError, match=r"no room for a run: this project takes 0\.0 of 0\.02 MB .*delete runs on"):
        store.create_run(project, "ge", {})
    assert len(store.corpora(project)) == 2 and len(store.runs(project)) == 1
    store.delete_runs(project, [run])
    made(store, project)
    with pytest.raises(StoreError, match="no room for mine"):
        store.create_run(project, "saved-parser", {"name": "mine.npz"}, size=9600)


def test_a_backup_is_restored_where_there_is_room(store, project, monkeypatch):
    store.add_corpus(project, "a", noise(12_000))
    file = io.BytesIO()
    store.backup_project(project, file)
    monkeypatch.setenv(PROJECT, "0.01")
    with pytest.raises(StoreError, match="no room for the backup"):
        store.restore_backup(file)
    monkeypatch.setenv(PROJECT, "0.1")
    assert store.restore_backup(file) and len(store.projects()) == 2


def test_a_person_takes_no_more_than_hers_with_all_that_she_owns(store, monkeypatch):
    hers, his = store.on_behalf_of(ANA), store.on_behalf_of(BEN)
    project, secret = hers.default_project(), hers.create_project("Secret")
    hers.set_role(project, BEN, "annotator")
    hers.add_corpus(secret, "a", noise(16_000))
    monkeypatch.setenv(PERSON, "0.02")
    with pytest.raises(
        StoreError, match=rf"projects of {ANA} take 0\.0 of 0\.02 MB \('Secret' \({secret.id}\) 0\.0 MB"
    ):
        hers.add_corpus(project, "b", noise(9600))
    with pytest.raises(StoreError, match=rf"projects of {ANA} take 0\.0 of 0\.02 MB;") as refusal:
        his.add_corpus(project, "b", noise(9600))  # hers too: he is not told what else she has
    assert "Secret" not in str(refusal.value)
    his.add_corpus(his.create_project("His"), "b", noise(9600))
    hers.delete_project(secret)
    with pytest.raises(StoreError, match="no room"):  # in the trash it takes as much
        hers.add_corpus(project, "b", noise(9600))
    hers.purge_project(secret)
    hers.add_corpus(project, "b", noise(9600))


@pytest.mark.parametrize("text", ["x", "0", "-3", "nan", "inf", "1e99"])
def test_a_quota_is_a_number(store, project, monkeypatch, text):
    monkeypatch.setenv(PROJECT, text)
    with pytest.raises(StoreError, match=f"{PROJECT} is '{text}', no number of MB above 0; correct it, or leave it"):
        store.create_run(project, "ge", {})
    assert (
        quota(PROJECT, {}) is quota(PROJECT, {PROJECT: " "}) is None and quota(PROJECT, {PROJECT: "1.5"}) == 1_500_000
    )
