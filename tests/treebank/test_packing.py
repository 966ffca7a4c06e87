"""A treebank that was packed is the same treebank, of whatever format: arrays, text, columns, phrases and notes."""

import json

import numpy as np
import pytest

from core.treebank import conllu_text, load_sample, read_treebank, source, statistics
from core.treebank.packing import ARRAYS, pack_treebank, unpack_treebank
from core.treebank.spacy_docs import to_docbin
from tests.fuzz import seeds
from tests.treebank.eaf_files import TWO_SPEAKERS

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")
FILES = {
    "conllu": seeds.CONLLU, "conll2008": seeds.CONLL2008, "conll2009": seeds.CONLL2009, "conll2012": seeds.CONLL2012,
    "conll2003": seeds.CONLL2003[0], "conllup": seeds.CONLLUP[0], "vertical": seeds.VERTICAL[0], "cg3": seeds.CG3[0],
    "json": seeds.JSON[0], "mrg": seeds.MRG, "tagged": seeds.TAGGED, "toolbox": seeds.TOOLBOX,
    "flextext": seeds.FLEXTEXT, "elan": TWO_SPEAKERS,
    "text": b"The har-\nbour was empty. Why?", "lines": "Zoë came\nلماذا؟\n".encode(),
}  # fmt: skip


def sent(treebank):
    """What comes of it in another process."""
    head, parts = pack_treebank(treebank)
    return unpack_treebank(json.loads(json.dumps(head)), parts)


def require_same(found, treebank):
    for name in ARRAYS:
        there, here = getattr(found.source, name), getattr(treebank.source, name)
        np.testing.assert_array_equal(there, here)
        assert there.dtype == here.dtype
    for name in ("data", "encoding", "path", "notes", "layout"):
        assert getattr(found.source, name) == getattr(treebank.source, name)
    for name in COLUMNS:
        there, here = getattr(found, name), getattr(treebank, name)
        assert there.values == here.values
        np.testing.assert_array_equal(there.ids, here.ids)
    assert (found.name, found.warnings, found.content_hash) == (
        treebank.name,
        treebank.warnings,
        treebank.content_hash,
    )
    assert [sentence.as_dict() for sentence in found] == [sentence.as_dict() for sentence in treebank]
    assert statistics(found) == statistics(treebank)


@pytest.mark.parametrize("format", FILES)
@pytest.mark.parametrize("known", [False, True], ids=["bare", "with columns"])
def test_a_treebank_of_any_format_comes_back(format, known):
    treebank = read_treebank(FILES[format], format, name=f"a.{format}")
    if known:
        [getattr(treebank, name) for name in COLUMNS]
    require_same(sent(treebank), treebank)


def test_phrases_come_back_and_can_be_chosen_from():
    treebank = read_treebank(seeds.MRG, "mrg")
    found = sent(treebank)
    assert found.constituents is not None and treebank.constituents is not None
    assert list(map(found.constituents.__getitem__, range(2))) == list(map(treebank.constituents.__getitem__, range(2)))
    assert found.select([1]).constituents[0] == treebank.constituents[1]


def test_a_docbin_and_another_encoding_come_back():
    require_same(sent(read_treebank(to_docbin(load_sample()), "docbin")), read_treebank(to_docbin(load_sample())))
    latin = seeds.CONLLU.replace(b"dog", "Hündin".encode("latin-1"))
    require_same(sent(read_treebank(latin, encoding="latin-1")), read_treebank(latin, encoding="latin-1"))


def test_what_came_back_can_be_changed_and_written():
    found = sent(load_sample()).with_heads(load_sample().heads)
    assert conllu_text(found) == conllu_text(load_sample().with_heads(load_sample().heads))


def test_enhanced_dependencies_are_found_wherever_they_stand(monkeypatch):
    bare = b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    graph = b"1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n\n"
    for size in (1, 20, 1 << 20):
        monkeypatch.setattr(source, "PIECE", size)
        for data, has in ((bare * 9, False), (bare * 9 + graph, True), (graph + bare * 9, True), (bare[:-2], False)):
            assert read_treebank(data, "conllu").source.has_graphs == has


def test_only_what_was_read_can_be_packed():
    with pytest.raises(ValueError, match="as it was read"):
        pack_treebank(load_sample().limit(2))
