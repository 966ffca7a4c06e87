"""What a backup says of its documents and runs is what the workbench writes, or nothing of it is restored."""

import io
import json
import random
import zipfile
from hashlib import sha256

import pytest

from core.errors import StoreError
from core.workspace.stored import stored_kinds
from tests.filled import filled
from tests.store.releases import read_backup, release

KINDS = stored_kinds()
ODD = (
    None, 0, -1, 10**30, 1.5, True, "", "x", "../../etc/passwd", "\ud800", [], [1], [None], {}, {"a": 1}, {"": None},
    float("inf"), [[1, 2], [3]],
)  # fmt: skip


@pytest.fixture
def url(sqlite_url):
    return sqlite_url


@pytest.fixture(scope="module")
def parts():
    """The parts of a backup with a document and a run of every kind; without what the runs left."""
    with zipfile.ZipFile(read_backup(release())) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.startswith(("result", "check"))}


def restored(store, parts, **changed):
    """The project restored from parts of a backup, some of whose rows were changed."""
    parts = parts | {f"{name}.jsonl": b"\n".join(json.dumps(row).encode() for row in changed[name]) for name in changed}
    manifest = json.loads(parts.pop("manifest.json"))
    manifest["parts"] = {name: {"size": len(data), "sha256": sha256(data).hexdigest()} for name, data in parts.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in (parts | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, data)
    file.seek(0)
    return store.restore_backup(file)


def rows(parts, name):
    return [json.loads(line) for line in parts[f"{name}.jsonl"].splitlines()]


def test_what_a_release_wrote_has_these_shapes(parts):
    values = [(row["kind"], row["key"], row["after"]) for row in rows(parts, "commands")]
    assert [each for each in values if not KINDS.document(each[0]).has(*each[1:])] == []
    for row in filled(rows(parts, "runs")):
        assert KINDS.run(row["kind"]).has(row["settings"], row["figures"])


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("constraints", "1", ["DET <- NOUN = 1"]),
        ("tree", "1/1", {"heads": [10**30]}),
        ("tree", "1/0", {"heads": [0]}),
        ("tree", "1/x", None),
        ("annotation", "1", {}),
        ("group", "1/1", {"name": "a"}),
        ("search", "1", {}),
        ("advice-came", "1/a", [1, "2", 3]),
        ("markup-report", "1", {"dropped": {"links": {"pieces": 1, "characters": 2}}}),
    ],
)
def test_documents_of_other_shapes(kind, key, value):
    assert not KINDS.document(kind).has(key, value)


@pytest.mark.parametrize(
    ("kind", "settings", "figures"),
    [
        ("ge", {"corpus": "1"}, {}),
        ("ge", {"corpus": [1]}, {}),
        ("ge", {"start": "run-1"}, {}),
        ("ge", {}, {"model": {"words": "ten"}}),
        ("ge", {}, {"model": [1, 2]}),
        ("consensus", {}, {"sentences": "ten"}),
        ("saved-parser", {}, {}),
        ("saved-parser", {"name": 7}, {}),
        ("learning-curve", {"by": "words", "learner": "a", "sizes": 10, "draws": 1, "trainings": 1, "words": 1}, {}),
    ],
)
def test_runs_of_other_shapes(kind, settings, figures):
    assert not KINDS.run(kind).has(settings, figures)


@pytest.mark.parametrize(
    ("part", "change", "said"),
    [
        (
            "commands",
            {"kind": "constraints", "after": 7},
            r"the document 'language:en/upos' of 'constraints' holds what none does",
        ),
        ("runs", {"settings": {"corpus": "2"}}, r"run 82001 holds what no run of 'ge' does"),
        ("runs", {"settings": {"start": 82_001}}, "run 82001 speaks of a later one"),
        ("runs", {"settings": {"start": 82_002}}, "run 82001 speaks of a later one"),
    ],
)
def test_a_backup_of_other_shapes_is_refused_and_leaves_nothing(parts, store, part, change, said):
    changed = rows(parts, part)
    kind = change.get("kind", "ge")
    next(row for row in changed if row["kind"] == kind).update(change)
    before = store.projects()
    with pytest.raises(StoreError, match=said):
        restored(store, parts, **{part: changed})
    assert store.projects() == before


def test_whatever_is_changed_is_restored_or_refused_in_a_sentence(parts, store):
    for seed in range(60):
        drawn = random.Random(seed)
        part = drawn.choice(["commands", "runs", "versions", "traces", "entries", "corpora"])
        changed = rows(parts, part)
        place = drawn.randrange(len(changed))
        changed[place] = altered(changed[place], drawn)
        try:
            restored(store, parts, **{part: changed})
        except StoreError as error:
            assert "nothing was restored" in str(error), (seed, error)


def altered(value, drawn):
    """A value of JSON in which one place holds something else, or nothing."""
    if not isinstance(value, dict | list) or not value or drawn.random() < 0.1:
        return drawn.choice(ODD)
    changed = dict(value) if isinstance(value, dict) else list(value)
    place = drawn.choice(list(changed)) if isinstance(changed, dict) else drawn.randrange(len(changed))
    if drawn.random() < 0.1:
        del changed[place]
    else:
        changed[place] = altered(value[place], drawn)
    return changed
