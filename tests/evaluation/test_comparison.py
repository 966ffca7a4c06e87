"""Parsers side by side: counts against a word-by-word reckoning, with gold trees and without."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.evaluation import compare
from core.evaluation.comparison import KINDS
from core.treebank import Treebank

TAGS, LABELS = ("NOUN", "VERB", "PUNCT"), ("nsubj", "obj", "punct")


@st.composite
def texts(draw):
    """Gold and two systems over the same words."""
    lengths = draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    words = [draw(st.lists(st.sampled_from(TAGS), min_size=n, max_size=n)) for n in lengths]
    return [_parse(draw, words) for _ in range(3)]


def _parse(draw, words):
    sentences = []
    for upos in words:
        order = draw(st.permutations(range(1, len(upos) + 1)))
        heads = [0] * len(upos)
        for place, word in enumerate(order[1:], 1):
            heads[word - 1] = order[draw(st.integers(0, place - 1))]
        labels = ["root" if head == 0 else draw(st.sampled_from(LABELS)) for head in heads]
        sentences.append({"forms": ["x"] * len(upos), "upos": upos, "heads": heads, "deprels": labels})
    return Treebank.from_sentences(sentences)


@settings(max_examples=25, deadline=None)
@given(texts())
def test_counts_equal_a_word_by_word_reckoning(banks):
    gold, one, other = banks
    found = compare(gold, {"one": one, "other": other})
    words = [row for row in range(len(gold.heads)) if row not in set(gold.offsets[:-1].tolist())]
    right = {name: [bank.heads[row] == gold.heads[row] for row in words] for name, bank in found.systems.items()}
    assert found.scores["one"].heads == sum(right["one"])
    (pair,) = found.pairs
    assert pair.only_one == sum(a and not b for a, b in zip(*right.values(), strict=True)) == pair.sign.only_first
    assert pair.only_other == sum(b and not a for a, b in zip(*right.values(), strict=True))
    assert pair.differ == len(found.differing("one", "other")) == sum(one.heads[r] != other.heads[r] for r in words)
    for kind in KINDS:
        table = found.table(kind)
        assert sorted(np.concatenate([group.rows for group in table]).tolist()) == words
        assert sum(group.right["other"].sum() for group in table) == sum(right["other"])
    nouns = next((group for group in found.table("tag") if group.name == "NOUN"), None)
    assert (nouns.words if nouns else 0) == sum(gold.upos[row] == "NOUN" for row in words)


@settings(max_examples=25, deadline=None)
@given(texts(), st.sampled_from(["relation", "head tag", "direction"]))
def test_confusion_cells_hold_their_words(banks, by):
    gold, one, _ = banks
    confusion = compare(gold, {"one": one}).confusion("one", by)
    assert confusion.counts.sum() == gold.token_count
    for i, first in enumerate(confusion.labels):
        for j, second in enumerate(confusion.labels):
            rows = confusion.rows(i, j)
            assert len(rows) == confusion.counts[i, j]
            if by == "relation":
                assert {(gold.deprel[row], one.deprel[row]) for row in rows} <= {(first, second)}


@settings(max_examples=15, deadline=None)
@given(texts())
def test_without_gold_systems_are_held_against_the_majority(banks):
    found = compare(None, dict(zip("abc", banks, strict=True)))
    assert found.scores == {}
    rows = found.scored
    heads = np.stack([bank.heads[rows] for bank in banks])
    for place in range(len(rows)):
        values, counts = np.unique(heads[:, place], return_counts=True)
        best = set(values[counts == counts.max()].tolist())
        chosen = {heads[index, place] for index, name in enumerate("abc") if found.right[name][place]}
        assert len(chosen) == 1
        assert chosen <= best


def test_groups_are_named_by_what_their_sentences_are():
    heads = ([0, 1], [3, 4, 0, 3, 3, 3])  # the second has crossing arcs
    gold = Treebank.from_sentences([{"forms": ["x"] * len(each), "heads": list(each)} for each in heads])
    found = compare(gold, [gold])
    kinds = ("projectivity", "sentence length", "relation")
    sizes = {kind: {group.name: group.words for group in found.table(kind)} for kind in kinds}
    assert sizes["projectivity"] == {"projective": 2, "non-projective": 6}
    assert sizes["sentence length"] == {"1-5 words": 2, "6-10 words": 6}
    assert sizes["relation"] == {"(none)": 8}


def test_punctuation_groups_and_refusals():
    gold = Treebank.from_sentences(
        [{"forms": ["a", "."], "upos": ["NOUN", "PUNCT"], "heads": [0, 1], "deprels": ["root", "punct"]}], name="g"
    )
    found = compare(gold, [gold, gold], punctuation=False)
    assert list(found.systems) == ["g", "g (2)"]
    assert len(found.scored) == 1
    group = found.table("", groups={"nouns": gold.upos.mask(lambda tag: tag == "NOUN")})[0]
    assert (group.name, group.words, group.share("g")) == ("nouns", 1, 100.0)
    assert found.pairs[0].sign.p_value == 1.0
    other = Treebank.from_sentences([{"forms": ["b", "."], "heads": [0, 1]}])
    with pytest.raises(WorkbenchError, match="theirs: gold and system differ in the words of sentence 1"):
        compare(gold, {"theirs": other})
    with pytest.raises(WorkbenchError, match="no system"):
        compare(gold, {})
    with pytest.raises(WorkbenchError, match="choose tag, relation"):
        found.table("colour")
