"""Candidates and counts against the oracle that asks every pair of words every question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints import GrammarSettings, check_together, propose_mapping, train_ge, train_grammar
from core.constraints.authoring.mallet import format_mallet
from core.constraints.authoring.proposals import propose
from core.constraints.ge.baselines import constraint_baseline
from core.constraints.matching.check import check_constraints, parse_constraints
from core.constraints.matching.conflicts import conflicts
from core.constraints.matching.matcher import Matcher, as_matcher, choose_tag_column, match_counts
from core.constraints.matching.overlap import attainable, attainable_together, bounds, overlaps, overlaps_with
from core.errors import WorkbenchError
from core.treebank import Treebank
from core.trees.packed import PackedScores
from tests.constraints.banks import constraints, plain_constraint, plain_sentences, treebanks
from tests.oracles import constraints as oracle

FIGURES = ("pairs", "modifiers", "heads", "sentences", "known_pairs", "known_modifiers", "known_heads", "edges")


@given(treebanks(), st.lists(constraints(), max_size=4))
def test_counts_match_the_oracle(treebank, some):
    plain, heads = plain_sentences(treebank, some), [each.heads for each in treebank]
    for constraint, coverage in zip(some, match_counts(some, treebank), strict=True):
        expected = oracle.counts(plain_constraint(constraint), plain, heads)
        figures = FIGURES if constraint.arrow != "<->" else ("pairs", "sentences", "known_pairs", "edges")
        assert {name: getattr(coverage, name) for name in figures} == {name: expected[name] for name in figures}
        assert coverage.denominator == expected[constraint.per + "s"]
        known = expected[f"known_{constraint.per}s"]
        assert coverage.gold_share == (expected["edges"] / known if known else None)


@given(treebanks(), st.lists(constraints(), max_size=4))
def test_matches_are_the_oracles_arcs_in_order(treebank, some):
    matches = as_matcher(treebank, None, some).match(some)
    plain = plain_sentences(treebank, some)
    starts = np.concatenate(([0], np.cumsum((treebank.lengths + 1) ** 2)))
    assert matches.arcs.dtype == matches.offsets.dtype == np.int64
    np.testing.assert_array_equal(matches.arc_offsets, starts)
    for c, constraint in enumerate(some):
        expected = [
            starts[i] + h * len(sentence) + m
            for i, sentence in enumerate(plain)
            for h, m in oracle.candidates(plain_constraint(constraint), sentence)
        ]
        np.testing.assert_array_equal(matches.of(c), expected)
    assert matches.denominators.tolist() == [each.denominator for each in match_counts(some, treebank)]


@given(treebanks(known=True, size=1), constraints())
def test_bounds_hold_over_all_trees(treebank, constraint):
    (sentence,) = plain_sentences(treebank, [constraint])
    (coverage,) = match_counts([constraint], treebank)
    fewest, most = oracle.edge_range(plain_constraint(constraint), sentence)
    assert coverage.least <= fewest
    assert coverage.most >= most
    limit = bounds(coverage)
    if limit is not None and limit.exact:
        assert (coverage.least, coverage.most) == (fewest, most)


@given(treebanks(known=True), constraints(), st.sampled_from([None, True, False]), st.integers(0, 2), st.integers(0, 2))
def test_examples_are_the_first_of_their_sentences(treebank, constraint, edges, start, count):
    expected = []
    for i, sentence in enumerate(plain_sentences(treebank, [constraint])):
        found = oracle.candidates(plain_constraint(constraint), sentence)
        if constraint.arrow == "<->" and edges is False:  # in neither direction
            found = [(h, m) for h, m in found if treebank[i].heads[h] != m]
        found = [(h, m) for h, m in found if edges in (None, treebank[i].heads[m] == h)]
        expected += [(i, *pair) for pair in found[:1] if i >= start]
    assert (
        as_matcher(treebank, None, [constraint]).examples(constraint, count, start=start, edges=edges)
        == expected[:count]
    )


BANK = Treebank.from_sentences(
    [
        {"forms": ["the", "big", "dog", "barks"], "xpos": ["D", "J", "N", "V"], "heads": [3, 3, 4, 0]},
        {"forms": ["dogs", "bark"], "xpos": ["N", "V"], "heads": [2, 0]},
    ]
)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("D <- N", [(0, 3, 1)]),
        ("D <- N between only J", [(0, 3, 1)]),
        ("J <- N between only V", [(0, 3, 2)]),  # nothing but V stands between neighbours: nothing at all
        ("N -- * between none", [(0, 3, 2), (0, 3, 4), (1, 1, 2)]),
        ("ROOT -> N dist 1", [(1, 0, 1)]),  # the root is at position 0
        ("ROOT -> V after head N", [(1, 0, 2)]),
        ("V -- N before modifier ROOT", [(1, 2, 1)]),
        ("{ROOT D} -> form:dog", [(0, 0, 3), (0, 1, 3)]),
    ],
)
def test_worked_examples(text, pairs):
    (constraint,) = parse_constraints(f"{text} = 0.5")
    plain = plain_constraint(constraint)
    found = [(i, h, m) for i, words in enumerate(plain_sentences(BANK)) for h, m in oracle.candidates(plain, words)]
    assert found == pairs and match_counts([constraint], BANK)[0].pairs == len(pairs)


@pytest.mark.parametrize(("distance", "pairs"), [("", 101), (" dist >40", 61), (" dist 99..999999999", 3)])
def test_words_may_stand_far_apart(distance, pairs):
    far = Treebank.from_sentences([{"forms": ["x"] * 102, "xpos": ["N", *"V" * 101]}])
    (coverage,) = match_counts(parse_constraints(f"N -> V{distance} = 0.5"), far)
    assert coverage.pairs == pairs


def test_a_pair_that_is_connected_either_way_counts_once():
    (constraint,) = parse_constraints("{J N} <-> {N V} dist 1 = 0.5")
    (coverage,) = match_counts([constraint], BANK)
    assert (coverage.pairs, coverage.sentences, coverage.denominator) == (3, 2, 3)  # big dog, dog barks, dogs bark
    assert (coverage.edges, coverage.gold_share) == (3, 1.0)
    assert (coverage.least, coverage.most) == (1, 3)
    matches = Matcher(BANK, "xpos").match([constraint])
    assert (len(matches.of(0)), matches.denominators.tolist()) == (6, [3.0])
    assert [Matcher(BANK, "xpos").examples(constraint, 5, edges=edges) for edges in (True, False)] == [
        [(0, 3, 2), (1, 2, 1)],
        [],
    ]
    partly = BANK.with_heads(np.array([-1, 3, -1, -1, 0, -1, 2, 0], dtype=np.int32))  # of dog and barks one is known
    (known,) = match_counts([constraint], partly)
    assert (known.known_pairs, known.edges) == (1, 1)


def test_a_matcher_answers_again_from_its_cache():
    matcher = Matcher(BANK, "xpos")
    first, second = parse_constraints("D <- N = 0.5 per head\nD <- N = 0.75 weight 3")
    (one,), (two,) = match_counts([first], matcher), match_counts([second], matcher)
    assert (one.pairs, one.constraint) == (1, first)
    assert (two.pairs, two.constraint) == (1, second)


def test_nothing_to_match():
    matches = Matcher(BANK, "xpos").match([])
    assert (len(matches.arcs), matches.offsets.tolist(), len(matches.denominators)) == (0, [0], 0)
    empty = Treebank.from_sentences([])
    (coverage,) = match_counts(parse_constraints("form:x -> form:y = 1"), empty)
    assert (coverage.pairs, coverage.gold_share) == (0, None)


def test_bare_items_need_tags():
    untagged = Treebank.from_sentences([{"forms": ["a", "b"]}])
    assert match_counts(parse_constraints("form:a -> * = 1"), untagged)[0].pairs == 1
    with pytest.raises(WorkbenchError, match="no word has a tag"):
        match_counts(parse_constraints("A -> * = 1"), untagged)


def test_bare_items_follow_the_tag_column():
    bank = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["X", "Y"], "xpos": ["Y", "X"]}])
    (constraint,) = parse_constraints("X -> Y = 1")
    assert match_counts([constraint], bank, tags="xpos")[0].pairs == 0
    assert match_counts([constraint], bank, tags="upos")[0].pairs == 1


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("X -> Y = 1\nX -> Z = 1", "upos"),  # which has all three
        ("x -> y = 1", "xpos"),
        ("A -> * = 1", "xpos"),  # in both
        ("X -> y before head A = 1", "xpos"),  # one in each
        ("X -> Y before head y = 1", "upos"),  # more of them
        ("form:a -> * = 1", "xpos"),  # none asked for
    ],
)
def test_the_column_is_the_one_that_has_the_tags(text, column):
    bank = Treebank.from_sentences(
        [{"forms": list("abcd"), "upos": ["X", "Y", "A", "Z"], "xpos": ["x", "y", "A", "x"]}]
    )
    assert choose_tag_column(parse_constraints(text), bank) == column
    assert choose_tag_column(parse_constraints(text), bank, "upos") == "upos"
    only = Treebank.from_sentences([{"forms": ["a"], "upos": ["Q"]}])
    assert choose_tag_column(parse_constraints(text), only) == "upos"
    assert choose_tag_column(parse_constraints(text), Treebank.from_sentences([{"forms": ["a"]}])) is None


def test_a_matcher_is_of_one_column_and_chooses_none():
    with pytest.raises(WorkbenchError, match="has tags; say whose a matcher reads, as xpos"):
        Matcher(BANK, None)
    assert Matcher(Treebank.from_sentences([{"forms": ["a"]}]), None).tags is None


LINES = parse_constraints("D <- N per modifier = 0.75\nN -- D dist 1 = 0.0\nN <- V = 0.5\nV -> V = 1")
COLUMNS = Treebank.from_sentences(
    [
        {"forms": list("abc"), "upos": list("DNV"), "xpos": list("DDN"), "heads": [2, 3, 0]},
        {"forms": list("abcd"), "upos": list("DDNV"), "xpos": list("NxDy"), "heads": [3, 3, 4, 0]},
    ]
    * 4
)
MARGINALS = PackedScores.empty(COLUMNS.lengths)
MARGINALS.values[:] = 0.25
SETTINGS = GrammarSettings(words="no", lengths=(12,), iterations=(2,), epochs=1)
ASKED = {
    "counts": lambda text: match_counts(LINES, text),
    "what is said of lines": lambda text: check_constraints("".join(f"{line.text}\n" for line in LINES), text),
    "what shows together": lambda text: check_together(LINES, text),
    "conflicts": lambda text: conflicts(LINES, text).limits,
    "overlaps": lambda text: overlaps(LINES, text),
    "those of one": lambda text: overlaps_with(LINES[0], LINES[1:], text),
    "limits": lambda text: attainable(LINES, text),
    "limits together": lambda text: attainable_together(LINES, text).shares.tolist(),
    "another tag set": lambda text: propose_mapping(LINES, text),
    "lines from errors": lambda text: propose(text, COLUMNS.heads, np.zeros_like(COLUMNS.heads), MARGINALS, LINES),
    "MALLET's file": lambda text: format_mallet([*LINES, *parse_constraints("D <- N per head = 0.5")], text),
}


@pytest.mark.parametrize("name", ASKED)
def test_all_that_is_asked_of_lines_reads_the_column_that_has_their_tags(name):
    asked = ASKED[name]
    in_upos, in_xpos = (repr(asked(Matcher(COLUMNS, column))) for column in ("upos", "xpos"))
    assert repr(asked(COLUMNS)) == in_upos != in_xpos


def test_what_is_trained_reads_the_column_that_has_their_tags():
    assert train_grammar(COLUMNS, LINES[:3], SETTINGS).model.column == "upos"
    assert train_ge(COLUMNS, LINES[:3]).model.index.tag_column == "upos"
    by_lines, by_column = (constraint_baseline(COLUMNS, LINES, tags=tags).heads.tolist() for tags in (None, "upos"))
    assert by_lines == by_column != constraint_baseline(COLUMNS, LINES, tags="xpos").heads.tolist()


def test_letters_with_accents_match_composed_or_not():
    words = ["\u00e9t\u00e9", "e\u0301te\u0301", "ete"]
    bank = Treebank.from_sentences([{"forms": words, "upos": ["NOUN", "NOUN", "VERB"], "lemmas": words}])
    for written in words[:2]:
        constraint = parse_constraints(f"lemma:{written} -> VERB = 0.5")[0]
        assert match_counts([constraint], bank)[0].denominator == 2
