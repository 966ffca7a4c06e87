"""A project goes into one file and comes back whole, elsewhere too; what is no such file changes nothing."""

import hashlib
import io
import json
import zipfile
from typing import TypedDict

import pytest

from core.errors import StoreError
from core.store import Command, Store
from core.store.references import CorpusId, ParseKey, References, RunId, SentenceKey, runs_named
from core.workspace.stored import stored_kinds
from tests.store.replaying import replayed

SETTINGS = {"trees": 3, "tags": "upos", "max_length": 3, "marked": [3, 5]}


@pytest.fixture
def filled(store):
    """The project "Basque", its ids unlike those a new store would give: texts, a log with undo, runs, versions."""
    store.default_project()
    store.add_corpus(1, "in the way", b"x")
    project = store.create_project("Basque")
    text = store.add_corpus(project, "eu.conllu", b"1\tx\n\0\xff", settings={"max_length": 10})
    other = store.add_corpus(project, "parse", b"same", settings={"parse_of": text})
    store.add_corpus(project, "again", b"same")
    key, value = str(text), SETTINGS | {"trees": other}
    store.execute(project, Command("constraints", key, None, "A -> B = 1"), label="a line", author="ana")
    store.save_version(project, "constraints", key, "first", author="ana")
    changes = Command("constraints", key, "A -> B = 1", "A\0\ud800"), Command("training", key, None, value)
    store.execute(project, *changes)
    store.undo(project)
    store.execute(
        project, Command("tree", f"{text}/17", None, {"command": "run-1", "proposals": [f"corpus-{other}", "left"]})
    )
    store.remember(project, "view", "corpus", text)
    run = store.create_run(project, "ge", {"corpus": text}, constraint_text="A\0", data_hash="h")
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1}, {"iteration": 2, "value": float("-inf")}])
    store.checkpoint(run, b"\0check", 2)
    later = store.create_run(project, "ge", {"corpus": text, "start": run, "trees": None})
    store.start_run(later)
    store.finish_run(later, "done", {"uas": 61.3, "trees": 4}, b"result")
    return project


@pytest.fixture
def file(store, filled):
    """The backup of the project."""
    file = io.BytesIO()
    store.backup_project(filled, file)
    return file


def content(store, project):
    """All that can be asked of a project, its ids replaced by places in the lists."""
    texts = {corpus.id: place for place, corpus in enumerate(store.corpora(project))}
    runs = store.runs(project)
    names = {run.id: place for place, run in enumerate(runs)}
    key = str(max(i for i, place in texts.items() if place == 1))
    return {
        "texts": list(texts.values()),
        "log": [(e.number, e.time, e.author, e.label, e.undoable, len(e.commands)) for e in store.history(project)],
        "statuses": [run.status.replace("running", "interrupted") for run in runs],
        "runs": [
            (run.kind, texts[run.settings["corpus"]], names.get(run.settings.get("start")), run.constraint_text,
             run.figures, store.trace(run.id), store.result_bytes(run.id), store.checkpoint_bytes(run.id))
            for run in runs
        ],
        "versions": [(v.name, v.value, v.author, v.time) for v in store.versions(project, "constraints", key)],
        "data": [c.name if c.reference else store.corpus_bytes(c.id) for c in store.corpora(project)],
        "document": store.document(project, "constraints", key),
    }  # fmt: skip


def test_a_backup_comes_back_whole_and_elsewhere(store, filled, file, tmp_path):
    elsewhere = Store.open(f"sqlite:///{tmp_path / 'else.sqlite'}", kinds=stored_kinds)
    for target, name in ((store, "Basque (2)"), (elsewhere, "Basque"), (elsewhere, "Basque (2)")):
        restored = target.restore_backup(file)
        assert restored.name == name and content(target, restored) == content(store, filled)
        assert [run.status for run in target.runs(restored)] == ["done", "interrupted"]
        assert replayed(target, restored) == target.documents(restored)
        corpora = {corpus.name: corpus for corpus in target.corpora(restored)}
        text, parse = corpora["eu.conllu"], corpora["parse"]
        assert parse.settings == {"parse_of": text.id} and target.document(restored, "view", "corpus") == text.id
        tree = target.document(restored, "tree", f"{text.id}/17")
        assert tree == {"proposals": [f"corpus-{parse.id}", "left"], "command": "run-1"}
        assert target.next_undo(restored, "ana").label == "a line"
    elsewhere.close()


def test_in_a_copy_undo_goes_on_where_it_was_and_settings_keep_what_is_no_id(store, filled):
    copy = store.copy_project(filled, "Copy")
    text, parse = (corpus.id for corpus in store.corpora(copy)[1:3])
    assert store.document(copy, "constraints", str(text)) == "A -> B = 1"
    entry = next(e for e in store.history(copy) if len(e.commands) == 2 and e.undoes is None)
    assert entry.commands[1].after == SETTINGS | {"trees": parse} and entry.commands[1].key == str(text)
    store.undo(copy)  # the tree
    store.undo(copy)  # "again"
    assert [corpus.name for corpus in store.corpora(copy)] == ["sample", "eu.conllu", "parse"]
    store.redo(copy)
    assert len(store.corpora(copy)) == 4 and len(store.corpora(filled)) == 4


def spoilt(file, parts=(), listed=False, size=None, row=(), manifest=()):
    """The archive with ``parts`` replaced (None: left out), or the first ``row`` of one, or values of its manifest,
    which knows of the parts if they are ``listed``, or says another ``size`` of one."""
    made, parts = io.BytesIO(), dict(parts)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, values in dict(row).items():
            first, *others = old.read(name).decode().splitlines()
            parts[name] = "\n".join([json.dumps(json.loads(first) | values), *others]).encode()
        stated = json.loads(old.read("manifest.json"))
        for name, data in parts.items() if listed or row else ():
            stated["parts"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        stated["parts"]["entries.jsonl"]["size"] = size or stated["parts"]["entries.jsonl"]["size"]
        parts = {"manifest.json": json.dumps(stated | dict(manifest))} | parts
        for name in old.namelist():
            if (data := parts.get(name, old.read(name))) is not None:
                new.writestr(name, data)
    return made


def other_zip(_file):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    return made


DEEP = json.loads("[" * 400 + "]" * 400)
SPEAKS = "it speaks of .*, which it does not hold"


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda f: io.BytesIO(f.getvalue()[: len(f.getvalue()) // 2]), "This is no backup, or only a piece of one"),
        (lambda f: io.BytesIO(b"1\tThe\tthe\n"), "This is no backup"),
        (lambda f: io.BytesIO(b""), "This is no backup"),
        (other_zip, "This archive is no backup of the workbench"),
        ({"manifest": {"format": "else"}}, "This archive is no backup of the workbench"),
        ({"manifest": {"version": 2}}, "has format version 2 and this workbench reads version 1"),
        ({"manifest": {"parts": [1]}}, "manifest of the backup is damaged"),
        ({"parts": {"manifest.json": "[" * 100_000}}, "manifest of the backup cannot be read"),
        ({"parts": {"runs.jsonl": None}}, "does not hold the parts that its manifest lists"),
        ({"parts": {"commands.jsonl": b"{}\n"}}, "'commands.jsonl' of the backup is not what was written"),
        ({"size": 10**10}, "would unpack to 100.. MB and 500 MB is the limit here.*python -m core restore FILE"),
        ({"parts": {"entries.jsonl": bytes(50_000_000)}}, "'entries.jsonl' of the backup is not what was written"),
        ({"parts": {"commands.jsonl": b"[1]\n"}, "listed": True}, "line 1 of commands.jsonl is not one of its rows"),
        ({"parts": {"entries.jsonl": b""}, "listed": True}, SPEAKS),
        ({"parts": {"corpora.jsonl": b""}, "listed": True}, SPEAKS),
        ({"manifest": {"project": "two\nlines"}}, "cannot be the name of a project"),
        ({"row": {"entries.jsonl": {"label": "\ud800"}}}, "does not fit together"),
        ({"row": {"commands.jsonl": {"before": None, "after": DEEP}}}, "does not fit together"),
    ],
)
def test_what_is_no_whole_backup_changes_nothing(store, filled, file, spoil, sentence):
    before = store.projects(), store.documents(filled)
    with pytest.raises(StoreError, match=sentence):
        store.restore_backup(spoil(file) if callable(spoil) else spoilt(file, **spoil))
    assert (store.projects(), store.documents(filled)) == before


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_flipped_byte_is_noticed_or_does_not_matter(store, filled, file, place):
    data = bytearray(file.getvalue())
    data[int(len(data) * place)] ^= 0x40
    try:
        restored = store.restore_backup(io.BytesIO(bytes(data)))
    except StoreError:
        assert [project.name for project in store.projects()] == ["My project", "Basque"]
    else:  # a byte that means nothing, such as a time in the archive's list
        assert len(store.history(restored)) == len(store.history(filled))


class Named(TypedDict, total=False):
    corpus: CorpusId
    start: RunId | None
    texts: list[CorpusId]
    pair: tuple[RunId, int]
    by: dict[str, ParseKey]
    few: int


def test_ids_of_texts_and_runs_follow_where_their_types_say_so():
    references = References({3: 13, 4: 14}, {7: 17})
    value = {"corpus": 3, "start": 7, "texts": [4, 5], "pair": [7, 7], "by": {"a": "run-7"}, "few": 3, "new": 3}
    moved = {"corpus": 13, "start": 17, "texts": [14, 0], "pair": [17, 7], "by": {"a": "run-17"}, "few": 3, "new": 3}
    assert references.value(value, Named) == moved and set(runs_named(value, Named)) == {7}
    assert references.value({"start": None}, Named) == {"start": None}
    keys = ["run-7", "run-7-alone", "run-7-second-alone", "by-7", "corpus-3", "run-7 second", "left"]
    moved = ["run-17", "run-17-alone", "run-17-second-alone", "by-17", "corpus-13", "run-7 second", "left"]
    assert references.value(keys, list[ParseKey]) == moved
    assert set(runs_named([*keys, "by-8"], list[ParseKey])) == {7, 8}
    assert references.key("3/1/Ann", SentenceKey) == "13/1/Ann" and references.key("4", CorpusId) == "14"
    assert references.key("3: Trees", str) == "3: Trees" and references.value("run-7", str) == "run-7"


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"commands.jsonl": {"kind": "of-tomorrow"}}, "knows no documents of the kind 'of-tomorrow'"),
        ({"runs.jsonl": {"kind": "of-tomorrow"}}, "knows no runs of the kind 'of-tomorrow'"),
        ({"commands.jsonl": {"kind": "constraints", "key": "999", "before": None, "after": "a"}}, SPEAKS),
    ],
)
def test_what_cannot_be_renumbered_is_refused_by_name(store, filled, file, row, sentence):
    before = store.projects()
    with pytest.raises(StoreError, match=sentence):
        store.restore_backup(spoilt(file, row=row))
    assert store.projects() == before


def test_a_store_that_is_given_no_kinds_restores_nothing_and_loses_nothing(filled, file, url):
    bare = Store.open(url)
    with pytest.raises(StoreError, match="knows no runs of the kind 'ge'"):
        bare.copy_project(filled, "Copy")
    bare.backup_project(filled, io.BytesIO())
    bare.close()
