"""Levels of brackets on single trees and on corpora: definitions, counts of trees, the paper's examples."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.trees.brackets import LEVELS, Bracket, PackedBrackets, hardest_levels, level_number, offending_arcs, satisfies
from core.trees.packed import PackedHeads
from tests.filled import filled
from tests.oracles import brackets as oracle
from tests.oracles import trees

HARD = ("strict", "loose", "sprawl", "tear")

# The structure of each example of spitkovsky2010, section 5.3, in words of our own: (words, heads of 1..n, bracket,
# its hardest level, the arcs that break the next harder level).
EXAMPLES = {
    "a title that is sealed (strict)": (
        "As painter of The Blue Boats , she", [8, 1, 2, 6, 6, 3, 1, 0], Bracket(4, 7), "strict", []),
    "a determiner left out (loose)": (
        "the Evening Post claims", [3, 3, 4, 0], Bracket(2, 4), "loose", [(3, 1)]),
    "the verb is marked too (sprawl)": (
        "the Evening Post claims otherwise", [3, 3, 4, 0, 4], Bracket(2, 5), "sprawl", [(3, 1)]),
    "two phrases fused, both on the left (tear)": (
        "eyebrows rise among those waiting for River Radio in Norway",
        [2, 0, 2, 3, 4, 5, 8, 6, 5, 9], Bracket(7, 11), "tear", [(5, 9)]),
    "torn from both sides (none)": (
        "The Danish watchdog , RTA , banned North Star satellite television from cables",
        [3, 3, 7, 3, 3, 3, 0, 9, 11, 11, 7, 7, 12], Bracket(5, 10), "none", [(11, 9)]),
    "a bare noun phrase with its modifier outside (loose)": (
        "in an essay of note", [0, 3, 1, 3, 4], Bracket(2, 4), "loose", [(3, 4)]),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_paper(name):
    words, heads, bracket, hardest, broken = EXAMPLES[name]
    heads = [-1, *heads]
    assert len(words.split()) + 1 == len(heads) and trees.is_tree(heads)
    rank = level_number(hardest)
    for level in LEVELS:
        assert satisfies(heads, bracket, level) == (level_number(level) <= rank)
    if rank < 4:
        assert offending_arcs(heads, bracket, LEVELS[rank + 1]) == broken


@pytest.mark.parametrize("level", HARD)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_levels_are_what_the_masks_say(n, level):
    listed = trees.trees(n, single_root=False)
    for bracket in filled(oracle.all_brackets(n)):
        expected = oracle.satisfying(listed, *bracket, level).tolist()
        assert [satisfies(heads, Bracket(*bracket), level) for heads in listed] == expected


def test_offending_arcs_are_those_beside_the_best_head_that_the_tree_gives_the_bracket():
    for heads in filled(trees.trees(4, single_root=False)):
        for start, end in oracle.all_brackets(4):
            bracket = (start, end)
            for level in HARD:
                arcs = {(int(h), m) for m, h in enumerate(heads) if m}
                ways = oracle.masks(4, *bracket, level)
                if level != "tear":  # only words with an in-arc can be the head
                    keyed = zip(range(start, end), ways, strict=True)
                    ways = [forbidden for r, forbidden in keyed if not start <= heads[r] < end]
                least = min(len(arcs & forbidden) for forbidden in ways)
                broken = offending_arcs(heads, Bracket(*bracket), level)
                assert len(broken) == least and set(broken) <= arcs


@pytest.mark.parametrize(
    ("n", "bracket", "single_root", "projective", "counts"),
    [
        (4, (2, 4), False, False, (18, 32, 50, 95)),
        (4, (2, 4), False, True, (14, 24, 30, 46)),
        (4, (2, 4), True, False, (8, 18, 32, 48)),
        (4, (2, 4), True, True, (8, 14, 18, 25)),
        (5, (2, 5), True, True, (28, 49, 70, 109)),
    ],
)
def test_known_counts_of_trees(n, bracket, single_root, projective, counts):
    listed = trees.trees(n, single_root, projective)
    bracket = Bracket(*bracket)
    assert tuple(sum(satisfies(heads, bracket, level) for heads in listed) for level in HARD) == counts


def test_a_corpus_is_judged_like_its_sentences():
    listed = [heads for n in (1, 3, 4) for heads in trees.trees(n, single_root=False)]
    brackets = [[Bracket(*bracket) for bracket in oracle.all_brackets(len(heads) - 1)] for heads in listed]
    offsets = np.cumsum([0, *(len(heads) for heads in listed)])
    packed = PackedBrackets.from_lists(brackets)
    found = hardest_levels(PackedHeads(np.concatenate(listed).astype(np.int32), offsets), packed)
    expected = [
        max(level_number(level) for level in LEVELS if satisfies(heads, bracket, level))
        for heads, marked in zip(listed, brackets, strict=True)
        for bracket in marked
    ]
    np.testing.assert_array_equal(found, expected)
    assert len(packed) == len(listed) and len(Bracket(2, 5)) == 3
    some = packed.select(np.array([3, 0]))
    assert some.offsets.tolist() == [0, 6, 7] and some.ends.tolist() == [*(b.end for b in brackets[3]), 2]


HEADS = PackedHeads(np.array([-1, 0, -1, 0, -1], np.int32), np.array([0, 2, 5]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Bracket(3, 3), "got 3 and 3"),
        (lambda: Bracket(0, 2), "got 0 and 2"),
        (lambda: satisfies([-1, 0], Bracket(1, 2), "weak"), "no level 'weak'; choose one of none, tear"),
        (lambda: satisfies([-1, 0], Bracket(1, 3), "tear"), "1-2 ends after the last word, 1"),
        (lambda: satisfies([-1, 0, -1], Bracket(1, 2), "tear"), "word 2 has the head -1"),
        (lambda: hardest_levels(HEADS, PackedBrackets.from_lists([[], [Bracket(1, 2)]])),
         "sentence 1: word 2 has the head -1"),
        (lambda: hardest_levels(HEADS, PackedBrackets.from_lists([[Bracket(1, 3)], []])),
         "sentence 0: the bracket 1-2 ends after"),
        (lambda: hardest_levels(HEADS, PackedBrackets.from_lists([[]])),
         "2 trees need brackets for as many sentences, got 1"),
    ],
)  # fmt: skip
def test_bad_input_is_named(call, message):
    with pytest.raises(WorkbenchError, match=message):
        call()
