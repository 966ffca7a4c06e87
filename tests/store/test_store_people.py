"""Roles: everybody sees her own projects only, and does in them what her role allows."""

import io
import sqlite3
import threading
from contextlib import closing

import pytest

from core.errors import StoreError
from core.jobs import Jobs
from core.store import Command, Store
from core.store.database import has_members
from tests.patience import PATIENCE

WRITE = Command("lexicon", "", None, "the DET")
READS = (
    "project", "members", "corpora", "documents", "history", "last_saved", "next_undo", "next_redo", "runs",
    "project_size",
)  # fmt: skip
READS_OF_RUNS = ("run", "trace", "checkpoint_bytes", "result_bytes")


@pytest.fixture
def people(store):
    """Stores of four people: the owner of "Basque", an annotator and a reader there, and somebody else."""
    names = ("ona@x.org", "ana@x.org", "rea@x.org", "else@x.org")
    ona, ana, rea, other = (store.on_behalf_of(name) for name in names)
    project = ona.create_project("Basque")
    ona.set_role(project, "ana@x.org", "annotator")
    ona.set_role(project, " Rea@X.org ", "reader")
    return project, ona, ana, rea, other


@pytest.fixture
def filled(store, people):
    """What the project holds: (text, run, version), and a function that says what all that is."""
    project, ona, *_ = people
    run, text = ona.create_run(project, "ge", {}), ona.add_corpus(project, "a", b"x")
    ona.execute(project, WRITE)
    version = ona.save_version(project, "lexicon", "", "first")
    return text, run, version, lambda: (store.documents(project), store.history(project), store.runs(project))


def reads(project, text, run):
    """Pairs of a method that reads, and its arguments."""
    return [
        *((name, project) for name in READS),
        *((name, run) for name in READS_OF_RUNS),
        *((name, text) for name in ("corpus", "corpus_bytes")),
        ("document", project, "lexicon"),
        ("versions", project, "lexicon", ""),
        ("backup_project", project, io.BytesIO()),
        ("copy_project", project, "mine"),
    ]


def writes(project, text, run, version):
    return [
        ("execute", project, WRITE),
        ("remember", project, "view", "x", 1),
        ("undo", project),
        ("redo", project),
        ("add_corpus", project, "b", b"y"),
        ("change_corpus", text),
        ("remove_corpus", text),
        ("save_version", project, "lexicon", "", "mine"),
        ("restore_version", version.id),
        ("create_run", project, "ge", {}),
        ("start_run", run),
        ("finish_run", run, "done"),
        ("append_trace", run, [{"iteration": 1}]),
        ("checkpoint", run, b""),
    ]


def manages(project):
    return [
        ("rename_project", project, "mine"),
        ("delete_project", project),
        ("set_role", project, "else@x.org", "owner"),
    ]


def refused(store, acts, sentence):
    for name, *arguments in acts:
        with pytest.raises(StoreError, match=sentence):
            pytest.fail(f"{name} was answered with {getattr(store, name)(*arguments)}")


def test_who_makes_a_project_owns_it(people):
    project, ona, ana, *_ = people
    assert ona.members(project) == {"ana@x.org": "annotator", "ona@x.org": "owner", "rea@x.org": "reader"}
    assert (ona.role(project), ana.role(project)) == ("owner", "annotator")


def test_nobody_sees_what_is_not_hers(people, filled):
    project, *_, other = people
    *content, whole = filled
    before = whole()
    assert other.projects() == [] and other.trash() == []
    acts = [*reads(project, *content[:2]), *writes(project, *content), *manages(project)]
    refused(other, acts, f"no project {project.id} in this store")
    assert whole() == before
    assert other.default_project().name == "My project"
    assert other.create_project("Basque").name == "Basque"  # a name taken where she cannot see it


def test_readers_read_and_annotators_write(store, people, filled):
    project, ona, ana, rea, _ = people
    *content, whole = filled
    before = whole()
    refused(rea, writes(project, *content), "As reader you cannot change 'Basque'; ask one of its owners to make you")
    for person in (rea, ana):
        refused(person, manages(project), r"As \w+ you cannot manage 'Basque'")
    assert whole() == before
    assert rea.document(project, "lexicon") == "the DET" and rea.corpus_bytes(content[0]) == b"x"
    assert rea.run(content[1]).author == "ona@x.org"
    ana.execute(project, Command("lexicon", "", "the DET", "a DET"), author="somebody else")
    assert store.last_saved(project)[1] == "ana@x.org"
    assert ana.next_undo(project) is not None and rea.next_undo(project) is None
    refused(ona, [("undo", project)], "lexicon was changed by ana@x")
    ana.undo(project)
    assert store.document(project, "lexicon") == "the DET"


def test_somebody_elses_backup_becomes_a_project_of_whoever_restores_it(people):
    project, ona, ana, rea, other = people
    ona.add_corpus(project, "secret.conllu", b"x")
    ana.execute(project, WRITE)
    file = io.BytesIO()
    ana.backup_project(project, file)
    restored = other.restore_backup(file)
    assert other.members(restored) == {"else@x.org": "owner"}
    assert [len(each.projects()) for each in (ona, ana, rea, other)] == [1, 1, 1, 1]  # nobody got another one
    for each in (ona, ana, rea):
        refused(each, [("documents", restored)], "no project")
    assert other.document(restored, "lexicon") == "the DET"
    assert other.history(restored)[0].author == "ana@x.org"  # whose work it is stays said
    assert other.next_undo(restored) is None and other.undo(restored) is None  # and she alone may take it back
    other.execute(restored, Command("lexicon", "", "the DET", "a DET"))
    assert ona.document(project, "lexicon") == "the DET"  # the project it came from is another one


def test_a_project_keeps_an_owner(people):
    project, ona, *_ = people
    owner = [("set_role", project, "ona@x.org", role) for role in (None, "reader")]
    refused(ona, owner, "only owner of 'Basque'; make somebody else an owner first")
    ona.set_role(project, "ana@x.org", "owner")
    assert ona.set_role(project, "ona@x.org", None) == {"ana@x.org": "owner", "rea@x.org": "reader"}
    refused(ona, [("set_role", project, "x@x.org", "king")], "no role 'king'")
    refused(ona, [("set_role", project, " ", "owner")], "names nobody")


def test_projects_of_before_sign_in_are_given_by_the_local_user(store, url):
    mine, ona = store.default_project(), Store.open(url).on_behalf_of("ona@x.org")
    assert ona.projects() == []
    store.set_role(mine, "ona@x.org", "owner")
    assert ona.projects() == [mine]


def test_whether_a_store_has_members(store, url, path):
    assert has_members(url) is False
    mine = store.default_project()
    assert has_members(url) is False
    store.set_role(mine, "ona@x.org", "owner")
    store.delete_project(mine)
    assert has_members(url) is True
    absent = path.with_name("absent.sqlite")
    assert has_members(f"sqlite:///{absent}") is False and not absent.exists()
    with closing(sqlite3.connect(absent)) as file:  # another program's, or of the first version
        file.execute("CREATE TABLE projects (id INTEGER)")
    assert has_members(f"sqlite:///{absent}") is False


def test_jobs_ask_on_behalf_of_whoever_starts_them(store, people):
    project, ona, *others = people
    jobs = Jobs(store)
    hers, reader, other = (jobs.on_behalf_of(each) for each in others)
    run = hers.start(project, "ge", {}, lambda job: ({"uas": 1}, b"result"))
    assert hers.wait(run, PATIENCE).status == "done" and ona.run(run).author == "ana@x.org"
    assert reader.snapshot(run).figures["uas"] == 1
    gate = threading.Event()
    under_way = hers.start(project, "ge", {}, lambda job: gate.wait(PATIENCE) and None)
    start = ("start", project, "ge", {}, print)
    refused(reader, [start, ("cancel", run)], "As reader you cannot change")
    with pytest.raises(StoreError, match="As reader you cannot change"):  # nor be told of the same one under way
        reader.start(*start[1:], replace=True)
    gate.set()
    assert hers.wait(under_way, PATIENCE).status == "done"
    refused(other, [("snapshot", run), ("trace", run), ("cancel", run)], "no project")
