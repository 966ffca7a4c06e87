"""An answer becomes a parse of its text by the fewest changes, each of which is listed."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.annotation import SentenceAnnotation
from core.annotation.label_inventories import LabelInventories
from core.annotation.validation import problems
from core.errors import WorkbenchError
from core.proposals import adopt, read_answer
from core.proposals.labels import KnownRelations
from core.proposals.matching import align_words
from core.proposals.trees import fewest_changes
from core.treebank import Treebank, load_sample
from tests.benchmarks.proposals import KINDS, OF_TREES, spoilt
from tests.filled import filled
from tests.oracles.proposals import most_kept
from tests.oracles.trees import is_tree

FORMS = ["The", "old", "dog", "barks", "at", "cats", "."]
TEXT = Treebank.from_sentences([{"forms": FORMS, "upos": ["DET", "ADJ", "NOUN", "VERB", "ADP", "NOUN", "PUNCT"]}])
ROWS = ["1 The 3 det", "2 old 3 amod", "3 dog 4 nsubj", "4 barks 0 root", "5 at 6 case", "6 cats 4 obl", "7 . 4 punct"]
HEADS, RELATIONS = [3, 3, 4, 0, 6, 4, 4], ["det", "amod", "nsubj", "root", "case", "obl", "punct"]

heads_of = st.integers(1, 6).flatmap(lambda n: st.lists(st.integers(-1, n), min_size=n + 1, max_size=n + 1))


@settings(deadline=None)
@given(heads_of, st.data())
def test_no_tree_keeps_more_heads(proposed, data):
    n = len(proposed) - 1
    other = st.none() | st.lists(st.integers(-1, n), min_size=n + 1, max_size=n + 1)
    heads = fewest_changes(proposed, data.draw(other), data.draw(other))
    assert is_tree(heads.tolist())
    assert (heads == proposed)[1:].sum() == most_kept(proposed)


def test_ties_go_to_what_is_suggested_then_at_hand_then_near():
    assert fewest_changes([-1, -1, -1, 0], [-1, 2, 3, -1], [-1, 3, 3, -1]).tolist() == [-1, 2, 3, 0]
    assert fewest_changes([-1, -1, -1, 0], None, [-1, 3, 3, -1]).tolist() == [-1, 3, 3, 0]
    assert fewest_changes([-1, -1, -1, 0]).tolist() == [-1, 2, 3, 0]


def adopted(rows, at_hand=None):
    found = adopt(TEXT, read_answer("\n".join(rows)), at_hand)
    sentence = found.treebank[0]
    return sentence.heads[1:].tolist(), list(sentence.deprels[1:]), [(c.word, c.kind, c.after) for c in found.changes]


def changed(number, row):
    return [*ROWS[: number - 1], row, *ROWS[number:]]


CASES = {
    "nothing": (ROWS, []),
    "another case": (changed(1, "1 the 3 det"), [(1, "other spelling", "The")]),
    "another name": (changed(6, "6 cats 4 POBJ"), [(6, "relation", "obl")]),
    "words joined": (
        ["1 The 2 det", "2 olddog 3 nsubj", "3 barks 0 root", "4 at 5 case", "5 cats 3 obl", "6 . 3 punct"],
        [(2, "words joined", "old dog")],
    ),
    "a word divided": (
        [*ROWS[:5], "6 ca 7 compound", "7 ts 4 obl", "8 . 4 punct"], [(6, "word divided", "cats")],
    ),
    "a word added": (
        ["1 The 3 det", "2 old 3 amod", "3 dog 4 nsubj", "4 barks 0 root", "5 very 7 advmod", "6 at 7 case",
         "7 cats 4 obl", "8 . 4 punct"],
        [(0, "word added", "left out")],
    ),
    "a head between, added": (
        ["1 The 4 det", "2 old 4 amod", "3 dog 4 compound", "4 xyz 5 nsubj", "5 barks 0 root", "6 at 7 case",
         "7 cats 5 obl", "8 . 5 punct"],
        None,
    ),
    "a second root": (changed(7, "7 . 0 root"), [(7, "head", "4 barks"), (7, "relation", "punct")]),
    "its own head": (changed(7, "7 . 7 punct"), [(7, "head", "6 cats")]),
    "no such word": (changed(7, "7 . 31 punct"), [(7, "head", "6 cats")]),
    "no head": (changed(7, "7 . _ punct"), [(7, "head", "6 cats")]),
    "a cycle, and no root": (changed(4, "4 barks 3 root"), [(4, "head", "0 root")]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_each_damage_is_mended_and_listed(case):
    rows, changes = CASES[case]
    heads, _, found = adopted(rows)
    if changes is None:
        assert heads == [4, 4, 4, 0, 6, 4, 4]  # the words go to the head of the word that was added
        return
    assert found == changes
    at_hand = TEXT.with_heads([-1, *HEADS], ["", *RELATIONS])
    assert adopted(rows, at_hand)[:2] == (HEADS, RELATIONS)


def test_a_lost_row_keeps_its_dependents():
    heads, relations, changes = adopted([row for row in ROWS if " cats " not in row])
    assert heads[4] == 6  # "at" still depends on it
    assert [(word, kind) for word, kind, _ in changes] == [(6, "word lost")]
    assert relations[5] == "dep"


def test_the_tree_at_hand_decides_what_the_answer_leaves_open():
    at_hand = TEXT.with_heads([-1, *HEADS], ["", *RELATIONS])
    lost = [row for row in ROWS if " cats " not in row]
    assert adopted(lost, at_hand)[:2] == (HEADS, RELATIONS)


def test_sentences_in_another_order_lost_and_added():
    sample = load_sample()[:4]
    rows = [[f"{k} {s.forms[k]} {s.heads[k]} {s.deprels[k]}" for k in range(1, len(s) + 1)] for s in sample]
    answer = "\n\n".join("\n".join(each) for each in (rows[3], ["1 Nowhere 0 root"], rows[0], rows[1]))
    found = adopt(sample, read_answer(answer))
    assert found.used.tolist() == [0, 1, 3]
    assert found.found == 4
    assert [(change.sentence, change.kind) for change in found.changes] == [
        (2, "sentence lost"),
        (-1, "sentence added"),
    ]
    assert (found.treebank[2].heads == -1).all()
    assert all((found.treebank[index].heads == sample[index].heads).all() for index in filled(found.used))


@pytest.mark.parametrize("kind", KINDS)
def test_spoilt_answers_give_valid_trees(kind):
    text = load_sample()[5:17]
    inventories = LabelInventories.of(text)
    found = adopt(text, read_answer(spoilt(text, kind, random.Random(5), second=True)), inventories=inventories)
    assert len(found.used) == len(text)
    for sentence in filled(found.treebank):
        faults = problems(SentenceAnnotation.of(sentence), inventories)
        assert not [fault for fault in faults if fault.grave or fault.kind in OF_TREES]


def test_an_answer_of_another_text_is_refused():
    with pytest.raises(WorkbenchError, match="no sentence of this text; its first is 'Quite other words'"):
        adopt(TEXT, read_answer("1 Quite 3 amod\n2 other 3 amod\n3 words 0 root\n"))


def test_a_sentence_of_too_many_words_is_left_out_and_said():
    forms = [f"w{k}" for k in range(1001)]
    text = Treebank.from_sentences([{"forms": forms}, {"forms": ["a", "b"]}])
    rows = [f"{k} {form} {k - 1} dep" for k, form in enumerate(forms, 1)]
    found = adopt(text, read_answer("\n".join([*rows, "", "1 a 2 nsubj", "2 b 0 root"])))
    assert found.used.tolist() == [1]
    assert [(c.sentence, c.kind, c.reason) for c in found.changes] == [
        (0, "sentence lost", "it has more than 1,000 words")
    ]


def test_words_are_aligned_by_the_least_cost():
    links = align_words(["de", "el", "Gato", "negro", "x"], ["del", "gatos", "new", "ne", "gro"], [(0, 2, "del")])
    pairs = [(list(link.text), list(link.answer)) for link in links]
    assert pairs == [([0, 1], [0]), ([2], [1]), ([], [2]), ([3], [3, 4]), ([4], [])]


@pytest.mark.parametrize(
    ("given", "meant"),
    [("NSUBJ", "nsubj"), ("nsubj_pass", "nsubj:pass"), ("dobj", "obj"), ("nsubjpass", "nsubj:pass"), ("amodd", "amod"),
     ("obl:xyz", "obl"), ("Adjectival modifier", "amod"), ("blob", "dep"), ("ROOT", "root"), ("", "")],
)  # fmt: skip
def test_relations_that_are_not_known_become_those_that_are_meant(given, meant):
    assert KnownRelations(LabelInventories.of(load_sample())).nearest(given) == meant


def test_of_a_scheme_of_its_own_the_relations_are_those_of_the_text():
    own = Treebank.from_sentences([{"forms": ["a", "b"], "heads": [2, 0], "deprels": ["SUBJ", "MAIN"]}] * 4)
    relations = KnownRelations(LabelInventories.of(own))
    assert [relations.nearest(name) for name in ("subj", "Main", "obj")] == ["SUBJ", "MAIN", "dep"]


def test_a_text_without_relations_takes_any_subtype():
    relations = KnownRelations(LabelInventories.of(TEXT))
    assert [relations.nearest(name) for name in ("obl:own", "OBL:own", "xyz:own")] == ["obl:own", "obl", "dep"]


def test_the_text_is_left_as_it_is():
    before = TEXT.heads.copy()
    adopted(ROWS)
    assert np.array_equal(TEXT.heads, before)
