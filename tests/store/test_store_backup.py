"""A project goes into one file and comes back whole, elsewhere too; what is no such file changes nothing."""

import hashlib
import io
import json
import zipfile

import pytest

from core.errors import StoreError
from core.store import Command, Store
from core.store.references import References

SETTINGS = {"trees": 3, "tags": "upos", "spans": [{"start": 3, "end": 5}]}


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
    store.execute(
        project, Command("constraints", key, "A -> B = 1", "A\0\ud800"), Command("training", key, None, value)
    )
    store.undo(project)
    store.execute(project, Command("tree", f"{text}/17", None, {"run": 1, "parses": [f"corpus-{other}", "left"]}))
    store.remember(project, "view", "corpus", text)
    run = store.create_run(project, "ge", {"corpus": text}, constraint_text="A\0", data_hash="h")
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1}, {"iteration": 2, "value": float("-inf")}])
    store.checkpoint(run, b"\0check", 2)
    later = store.create_run(project, "ge", {"corpus": text, "start": run, "trees": None})
    store.start_run(later)
    store.finish_run(later, "done", {"uas": 61.3, "trees": 4}, b"result")
    return project


def saved(store, project):
    file = io.BytesIO()
    store.backup_project(project, file)
    return file


def content(store, project):
    """All that can be asked of a project, its ids replaced by places in the lists."""
    texts = {corpus.id: place for place, corpus in enumerate(store.corpora(project))}
    log = [(e.number, e.time, e.author, e.label, e.undoable, len(e.commands)) for e in store.history(project)]
    runs = store.runs(project)
    names = {run.id: place for place, run in enumerate(runs)}
    trained = []
    for run in runs:
        settings = texts[run.settings["corpus"]], names.get(run.settings.get("start"))
        blobs = store.trace(run.id), store.result_bytes(run.id), store.checkpoint_bytes(run.id)
        trained.append((run.kind, *settings, run.constraint_text, run.figures, run.status, *blobs))
    key = str(max(i for i, place in texts.items() if place == 1))
    kept = [(v.name, v.value, v.author, v.time) for v in store.versions(project, "constraints", key)]
    data = [c.name if c.reference else store.corpus_bytes(c.id) for c in store.corpora(project)]
    return texts.values(), log, trained, kept, data, store.document(project, "constraints", key)


def test_a_backup_comes_back_whole_and_elsewhere(store, filled, tmp_path):
    file = saved(store, filled)
    store.recover()
    elsewhere = Store.open(f"sqlite:///{tmp_path / 'else.sqlite'}")
    for target, name in ((store, "Basque (2)"), (elsewhere, "Basque"), (elsewhere, "Basque (2)")):
        restored = target.restore_backup(file)
        assert restored.name == name
        before, after = content(store, filled), content(target, restored)
        assert [run[5] for run in after[2]] == ["done", "interrupted"]
        for left, right in zip(before, after, strict=True):
            if left is before[2]:
                left = [(*run[:5], "interrupted" if run[5] == "running" else run[5], *run[6:]) for run in left]
            assert list(left or "") == list(right or "")
        assert target.replay(restored) == target.documents(restored)
        corpora = {corpus.name: corpus for corpus in target.corpora(restored)}
        text, parse = corpora["eu.conllu"], corpora["parse"]
        assert parse.settings == {"parse_of": text.id}
        assert target.document(restored, "view", "corpus") == text.id
        tree = target.document(restored, "tree", f"{text.id}/17")
        assert tree["parses"] == [f"corpus-{parse.id}", "left"] and tree["run"] in (0, target.runs(restored)[1].id)
        assert target.next_undo(restored, "ana").label == "a line"
        target.redo(restored) or target.undo(restored)
    elsewhere.close()


def test_undo_goes_on_where_it_was(store, filled):
    copy = store.copy_project(filled, "Copy")
    text = next(corpus for corpus in store.corpora(copy) if corpus.name == "eu.conllu")
    assert store.document(copy, "constraints", str(text.id)) == "A -> B = 1"
    store.undo(copy)  # the tree
    store.undo(copy)  # "again"
    assert [corpus.name for corpus in store.corpora(copy)] == ["sample", "eu.conllu", "parse"]
    store.redo(copy)
    assert len(store.corpora(copy)) == 4 and len(store.corpora(filled)) == 4


def test_settings_keep_what_is_no_id(store, filled):
    copy = store.copy_project(filled, "Copy")
    store.undo(copy)
    text, parse = (corpus.id for corpus in store.corpora(copy)[1:3])
    entry = next(e for e in store.history(copy) if len(e.commands) == 2 and e.undoes is None)
    assert entry.commands[1].after == SETTINGS | {"trees": parse}
    assert entry.commands[1].key == str(text)


def changed(file, **parts):
    """The archive with parts replaced (None: left out), the manifest as it was unless it is given."""
    made = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            data = parts.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return made


def relisted(file, **parts):
    """The archive with parts replaced and a manifest that lists them truly."""
    with zipfile.ZipFile(file) as old:
        manifest = json.loads(old.read("manifest.json"))
    for name, data in parts.items():
        manifest["parts"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    return changed(file, **parts, **{"manifest.json": json.dumps(manifest)})


def manifest_with(file, **values):
    with zipfile.ZipFile(file) as old:
        manifest = json.loads(old.read("manifest.json"))
    return changed(file, **{"manifest.json": json.dumps(manifest | values)})


def bomb(file):
    with zipfile.ZipFile(file) as old:
        manifest = json.loads(old.read("manifest.json"))
    manifest["parts"]["entries.jsonl"]["size"] = 10**10
    return changed(file, **{"manifest.json": json.dumps(manifest)})


def quiet_bomb(file):
    """Fifty megabytes of zeros in a part that is said to be small."""
    made = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, bytes(50_000_000) if name == "entries.jsonl" else old.read(name))
    return made


def other_zip(_file):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    return made


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda f: io.BytesIO(f.getvalue()[: len(f.getvalue()) // 2]), "This is no backup, or only a piece of one"),
        (lambda f: io.BytesIO(b"1\tThe\tthe\n"), "This is no backup"),
        (lambda f: io.BytesIO(b""), "This is no backup"),
        (other_zip, "This archive is no backup of the workbench"),
        (lambda f: manifest_with(f, format="else"), "This archive is no backup of the workbench"),
        (lambda f: manifest_with(f, version=2), "has format version 2 and this workbench reads version 1"),
        (lambda f: manifest_with(f, parts=[1]), "manifest of the backup is damaged"),
        (lambda f: changed(f, **{"manifest.json": "[" * 100_000}), "manifest of the backup cannot be read"),
        (lambda f: changed(f, **{"runs.jsonl": None}), "does not hold the parts that its manifest lists"),
        (lambda f: changed(f, **{"commands.jsonl": b"{}\n"}), "'commands.jsonl' of the backup is not what was written"),
        (bomb, "would unpack to 100.. MB and 500 MB is the limit here.*--limit"),
        (quiet_bomb, "'entries.jsonl' of the backup is not what was written"),
        (lambda f: relisted(f, **{"commands.jsonl": b"[1]\n"}), "line 1 of commands.jsonl is not one of its rows"),
        (lambda f: relisted(f, **{"entries.jsonl": b""}), "it speaks of .*, which it does not hold"),
        (lambda f: relisted(f, **{"corpora.jsonl": b""}), "it speaks of .*, which it does not hold"),
        (lambda f: manifest_with(f, project="two\nlines"), "cannot be the name of a project"),
    ],
)
def test_what_is_no_whole_backup_changes_nothing(store, filled, spoil, sentence):
    before = (store.projects(), store.documents(filled))
    with pytest.raises(StoreError, match=sentence):
        store.restore_backup(spoil(saved(store, filled)))
    assert (store.projects(), store.documents(filled)) == before


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_flipped_byte_is_noticed_or_does_not_matter(store, filled, place):
    data = bytearray(saved(store, filled).getvalue())
    data[int(len(data) * place)] ^= 0x40
    try:
        restored = store.restore_backup(io.BytesIO(bytes(data)))
    except StoreError:
        assert [project.name for project in store.projects()] == ["My project", "Basque"]
    else:  # a byte that means nothing, such as a time in the archive's list
        assert len(store.history(restored)) == len(store.history(filled))


def test_ids_of_texts_and_runs_follow_wherever_they_stand():
    references = References({3: 13, 4: 14}, {7: 17})
    plan = {"corpus": 3, "target": 4, "unlabelled": 0, "few": 3}
    assert references.settings(plan) == {"corpus": 13, "target": 14, "unlabelled": 0, "few": 3}
    assert references.document("3", {"unlabelled": 4, "target": 5}) == {"unlabelled": 14, "target": 0}
    assert references.document("3", {"texts": [4, 3], "source_corpus": 5}) == {"texts": [14, 13], "source_corpus": 0}
    assert references.key("tree", "3/1/Ann") == "13/1/Ann" and references.key("lesson", "3: Trees") == "3: Trees"
    names = ["run-7", "run-7-alone", "run-7-second-alone", "corpus-3", "run-7 second"]
    named = ["run-17", "run-17-alone", "run-17-second-alone", "corpus-13", "run-7 second"]
    assert references.document("3", names) == named


@pytest.mark.parametrize("value", [{"label": "\ud800"}, {"before": None, "after": json.loads("[" * 400 + "]" * 400)}])
def test_a_value_that_cannot_be_kept_is_said(store, filled, value):
    file = saved(store, filled)
    with zipfile.ZipFile(file) as archive:
        kind = "entries.jsonl" if "label" in value else "commands.jsonl"
        first, *others = archive.read(kind).decode().splitlines()
    spoilt = "\n".join([json.dumps(json.loads(first) | value), *others]).encode()
    projects = len(store.projects())
    with pytest.raises(StoreError, match="does not fit together"):
        store.restore_backup(relisted(file, **{kind: spoilt}))
    assert len(store.projects()) == projects
