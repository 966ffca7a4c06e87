"""A shard's file: what is written is read back, and what is damaged is said to be so."""

import json
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from core.errors import FormatError, WorkbenchError
from core.markup import extract_sentences
from core.markup.comments import treebank_brackets
from core.offsets import with_roots
from core.shards import Shard, write_shard
from core.shards.shard import TEXTS, Interned, bracket_list, sealed
from core.treebank import conllu_text
from core.trees.brackets import Bracket
from tests.shards.crawl import extract, folder, sample_pages, small_pages

FACTS = {"report": {"notes": ["é\u2028"]}}


def columns_of(place, name, pages):
    """The columns of a folder of pages."""
    folder(place / name, pages)
    return extract([place / name], place / "shards").shards.pieces[0].columns()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def columns(site):
    return columns_of(site, "site", sample_pages())


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The columns of a few sentences, with tags and trees."""
    found = columns_of(tmp_path_factory.mktemp("small"), "small", small_pages(2))
    count = len(found.starts)
    others = {name: Interned(["", "x", "y|é"], np.arange(count, dtype=np.int32) % 3) for name in TEXTS}
    return replace(
        found, others=others, heads=np.concatenate([range(-1, n - 1) for n in found.lengths]).astype(np.int32)
    )


def flat(columns):
    """Columns as a dict of comparable values."""
    values = {**vars(columns), **vars(columns)["others"]}
    values.pop("others")
    values.pop("offsets", None)
    return {
        name: [one.values[i] for i in one.ids] if isinstance(one, Interned) else None if one is None else one.tolist()
        for name, one in values.items()
    }


def written(path, columns, facts=FACTS):
    write_shard(path, columns, facts)
    return path


def test_what_is_written_is_read_back(tmp_path, columns, small):
    for number, one in enumerate((columns, small)):
        shard = Shard(written(tmp_path / f"{number}.arrow", one))
        assert flat(shard.columns()) == flat(one)
        assert len(shard) == len(one.lengths) and shard.facts == {"format": 1, **FACTS}
        for name, values in vars(one).items():
            if isinstance(values, np.ndarray):
                assert getattr(shard.columns(), name).dtype == values.dtype


def test_a_shard_without_sentences_is_one(tmp_path):
    nothing = columns_of(tmp_path, "none", {"a.html": b"<p>12 34"})
    shard = Shard(written(tmp_path / "a.arrow", nothing))
    assert flat(shard.columns()) == flat(nothing)
    assert len(shard) == len(shard.columns().treebank()) == len(shard.columns().brackets()) == 0


def test_what_is_read_cannot_be_written_to(tmp_path, small):
    found = Shard(written(tmp_path / "a.arrow", small)).columns()
    with pytest.raises(ValueError, match="read-only"):
        found.starts[0] = 5


def test_a_treebank_is_what_extract_sentences_gives(tmp_path, site, columns):
    whole = extract_sentences(site / "site")
    found = Shard(written(tmp_path / "a.arrow", columns)).columns()
    assert len(whole.treebank) > 300
    assert conllu_text(found.treebank()) == conllu_text(whole.treebank)
    assert [tuple(one) for one in bracket_list(found)] == list(whole.brackets)


def test_a_treebank_has_tags_and_trees_where_they_are_known(small):
    treebank = small.treebank()
    assert treebank[0].upos[1:4] == ("", "x", "y|é") and treebank[0].deprels[2] == "x"
    assert treebank[0].heads[1:4].tolist() == [-1, 0, 1]
    assert [len(brackets) for brackets in treebank_brackets(treebank)] == small.bracket_counts.tolist()


def test_some_sentences_are_those(columns):
    chosen = np.arange(len(columns.lengths)) % 3 == 1
    some, whole = columns.select(chosen), extract_of(columns)
    assert extract_of(some) == [one for one, keep in zip(whole, chosen, strict=True) if keep]
    assert extract_of(columns.select(np.zeros(len(chosen), bool))) == []


def extract_of(columns):
    return [(tuple(sentence.forms), sentence.comment("markup"), sentence.comment("source"))
            for sentence in columns.treebank()]  # fmt: skip


def test_rows_and_brackets_are_those_of_the_treebank(small):
    treebank = small.treebank()
    np.testing.assert_array_equal(small.offsets, treebank.offsets)
    np.testing.assert_array_equal(with_roots(small.heads, small.offsets, -1), treebank.heads)
    packed = small.brackets()
    for place, brackets in enumerate(bracket_list(small)):
        ends = packed.offsets[place : place + 2]
        spans = list(zip(packed.starts[slice(*ends)], packed.ends[slice(*ends)], strict=True))
        assert spans == [(bracket.start, bracket.end) for bracket in brackets]
    assert Bracket(2, 4, "b") in bracket_list(small)[0]


def test_written_twice_it_is_the_same_to_the_byte(tmp_path, columns):
    first, second = (written(tmp_path / name, columns).read_bytes() for name in ("a.arrow", "b.arrow"))
    assert first == second
    again = written(tmp_path / "c.arrow", Shard(tmp_path / "a.arrow").columns()).read_bytes()
    assert again == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.arrow", "b.arrow", "c.arrow"]


def test_any_arrow_reader_opens_it(tmp_path, small):
    with pa.memory_map(str(written(tmp_path / "a.arrow", small))) as file:
        table = pa.ipc.open_file(file).read_all()
    assert table["form"][0].as_py()[:3] == ["The", "old", "man"] and table.num_rows == 4
    assert json.loads(table.schema.metadata[b"workbench"])["format"] == 1


DAMAGED = "this is no shard, or a damaged one"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: b"what is this?",
        lambda data: data + data[: len(data) // 2],
        lambda data: bytes(len(data)),
    ],
    ids=["cut short", "cut by a byte", "empty", "text", "twice", "zeros"],
)
def test_a_damaged_file_is_one_sentence(tmp_path, small, damage):
    path = written(tmp_path / "a.arrow", small)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FormatError, match=f"a.arrow: {DAMAGED}; delete it and run the same"):
        Shard(path)


def test_a_folder_and_nothing_are_no_shards(tmp_path):
    for path in (tmp_path, tmp_path / "absent.arrow"):
        with pytest.raises(FormatError, match="there is no such file; run the command that wrote the folder again"):
            Shard(path)


@pytest.mark.parametrize(
    ("metadata", "count", "sentence"),
    [
        *(
            (metadata, 1, DAMAGED)
            for metadata in (None, {}, *({"workbench": each} for each in ("[]", "{}", "no JSON")))
        ),
        ({"format": 2}, 1, "a.arrow: this shard has format 2, not 1; write it anew"),
        ({"format": 1}, 1, DAMAGED),  # it lacks columns
        ({"format": 1}, 2, DAMAGED),
    ],
)
def test_another_arrow_file_is_no_shard(tmp_path, metadata, count, sentence):
    batch, path = pa.record_batch({"form": pa.array(["a"])}), tmp_path / "a.arrow"
    batch = sealed(batch, metadata) if metadata and "format" in metadata else batch.replace_schema_metadata(metadata)
    with pa.ipc.new_file(str(path), batch.schema) as writer:
        for _ in range(count):
            writer.write_batch(batch)
    with pytest.raises(FormatError, match=sentence):
        Shard(path).columns()


def test_nothing_that_is_missing_is_sealed():
    with pytest.raises(FormatError, match=DAMAGED):
        sealed(pa.record_batch({"form": pa.array(["a", None])}), {"format": 1})


OPEN = """
import sys
from core.errors import FormatError
from core.shards.shard import Shard

for path in sys.stdin:
    try:
        columns = Shard(path.rstrip("\\n")).columns()
        print(repr([columns.pages.values, columns.forms.values, columns.firsts.tolist(), columns.heads.tolist(),
                    {name: one.ids.tolist() for name, one in columns.others.items()}]), flush=True)
    except FormatError as error:
        print("damaged", flush=True)
"""


def test_a_changed_byte_is_found_or_changes_nothing(tmp_path, small):
    """In another process, which would die of what Arrow cannot bear."""
    data = written(tmp_path / "good.arrow", small).read_bytes()
    rng, paths = random.Random(2010), [tmp_path / "good.arrow"]
    for number in range(400):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 1, 4))):
            changed[rng.randrange(len(data))] ^= rng.choice((1, 0x80, 0xFF, rng.randrange(1, 256)))
        paths.append(tmp_path / f"{number}.arrow")
        paths[-1].write_bytes(changed)
    done = subprocess.run(
        [sys.executable, "-c", OPEN], input="".join(f"{path}\n" for path in paths), capture_output=True, text=True
    )
    good, *others = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert set(others) == {"damaged", good} and len(others) == 400
    assert others.count("damaged") > 200


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_cannot_be_written_leaves_nothing(tmp_path, small, monkeypatch, call):
    for error in (OSError(28, "No space left on device"), PermissionError(13, "Permission denied")):

        def fail(*_, error=error):
            raise error

        monkeypatch.setattr(f"core.files.whole_files.os.{call}", fail)
        with pytest.raises(WorkbenchError, match=rf"cannot write .*a.arrow: {error.strerror}; make room or choose"):
            write_shard(tmp_path / "a.arrow", small, FACTS)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_is_named(tmp_path, small):
    with pytest.raises(WorkbenchError, match=r"cannot write .*a.arrow: No such file or directory"):
        write_shard(tmp_path / "gone" / "a.arrow", small, FACTS)
