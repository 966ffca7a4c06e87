"""Trees to learn from beside constraints: marked sentences, another treebank, whole or partial, and refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.treebank import Treebank
from core.workspace.constraints.known_trees import format_numbers, known_trees, parse_numbers, with_marked
from core.workspace.constraints.plan import TrainingSettings
from tests.advising import written

PLAIN = TrainingSettings("upos")
TREES = [
    {"forms": ["the", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"], "heads": [2, 3, 0]},
    {"forms": ["a", "dog", "barks"], "upos": ["DET", "NOUN", "VERB"], "heads": [2, -1, -1]},
    {"forms": ["no"], "upos": ["INTJ"], "heads": [-1]},
]
TWO_ROOTS = {"forms": ["the", "cat"], "upos": ["DET", "NOUN"], "heads": [0, 0]}


@pytest.fixture
def trees(add):
    """A whole tree, a part of one, and none."""
    return add("trees.conllu", written(Treebank.from_sentences(TREES)))


@given(st.sets(st.integers(1, 60)))
def test_numbers_come_back_as_they_were_written(numbers):
    assert parse_numbers(format_numbers(sorted(numbers)), 60) == tuple(sorted(numbers))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1, x", "'x' is not a sentence number; write numbers and ranges, such as 1-20, 33"),
        ("5-2", "runs downward; write 2-5"),
        ("0", "there is no sentence 0"),
        ("1 - 61", "there is no sentence 61; this text has sentences 1 to 60"),
    ],
)
def test_what_names_no_sentence_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_numbers(text, 60)


def test_numbers_may_be_written_in_many_ways():
    assert parse_numbers("3, 1–2;9 12 - 13", 20) == (1, 2, 3, 9, 12, 13)


def test_marking_and_unmarking_a_sentence():
    seventh = with_marked(PLAIN, 7, True)
    assert (with_marked(seventh, 2, True).marked, with_marked(seventh, 7, False).marked) == ((2, 7), ())


def test_sentences_without_any_head_are_passed_over(workspace, ge, trees):
    found = known_trees(workspace, ge.text(trees, PLAIN.with_values(marked=(1, 2, 3))))
    assert (found.complete, found.partial, found.problems, len(found.treebank)) == (1, 1, (), 2)


def test_trees_of_two_places_are_learned_from_together(ge, sample, trees):
    text = ge.text(sample, PLAIN.with_values(marked=(1,), trees=trees.id))
    found = ge.known_trees(text)
    assert (found.complete, found.partial) == (2, 1)
    assert found.treebank[0].forms == text.treebank[0].forms
    assert ge.known_trees(text) is found


def test_impossible_trees_are_left_out_and_told(workspace, ge, add):
    both, alone = (
        add(f"{len(rows)}.conllx", written(Treebank.from_sentences(rows)), "conllx")
        for rows in ([*TREES, TWO_ROOTS], [TWO_ROOTS])
    )
    found = known_trees(workspace, ge.text(both, PLAIN.with_values(trees=both.id)))
    assert len(found.treebank) == 2
    assert found.problems[0].startswith("Sentence 4 is left out: with its heads, it would need several words on")
    with pytest.raises(ValueError, match=r"no sentence with known heads \(1 in all\) can be learned from: Sentence 1"):
        known_trees(workspace, ge.text(alone, PLAIN.with_values(trees=alone.id)))


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("the cats sleep\n", {}, "has no UPOS tags to learn"),
        ("the/DET cat/NOUN\n", {}, r"no word of t\.txt has a head"),
        (
            "the/DET cat/NOUN\n",
            {"marked": (400,), "trees": None},
            "sentence 400 is to be learned from, but the text has",
        ),
    ],
)
def test_trees_without_heads_or_tags_are_refused_in_a_sentence(workspace, ge, sample, add, text, settings, message):
    chosen = PLAIN.with_values(**{"trees": add("t.txt", text).id, **settings})
    with pytest.raises(ValueError, match=message):
        known_trees(workspace, ge.text(sample, chosen))


def test_a_run_learns_from_a_marked_tree_and_says_so(ge, trees, train):
    heads = {}
    for weight in (1.0, 0.0):
        settings = PLAIN.with_values(marked=(1,), strength=1.0, complete_weight=weight)
        run = train(trees, "DET <- NOUN = 1.0\n", settings)
        assert run.figures["trees"] == {"complete": 1, "partial": 0, "left_out": 0}
        heads[weight] = ge.outcome(ge.text(trees, settings), run).heads.tolist()
    assert heads[1.0][4:8] == [-1, 2, 3, 0]  # the second sentence, after the pattern of the first
    assert heads[0.0] != heads[1.0]
