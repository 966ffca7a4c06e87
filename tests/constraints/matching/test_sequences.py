"""Sequence constraints: chosen by hand-counted shares, and true of the arcs they count."""

from itertools import groupby

import pytest
from hypothesis import given

from core.constraints import likeliest_sequences, match_counts, sequence_constraints
from core.errors import WorkbenchError
from tests.constraints.banks import tagged, treebanks


def test_the_likeliest_come_first_and_say_more_than_the_pair():
    treebank = tagged(*["VNAP"] * 3, *["VNBP"] * 3, heads=[[0, 1, 2, 2]] * 3 + [[0, 1, 2, 1]] * 3)
    chosen = likeliest_sequences(treebank, 50, minimum_count=2)
    coverages = match_counts(chosen, treebank)
    shares = [each.edges / each.pairs for each in coverages]
    assert shares == sorted(shares, reverse=True) and chosen[0].comment.startswith(f"{coverages[0].edges} of ")
    assert len({constraint.name for constraint in chosen}) == len(chosen)
    assert all(each.pairs < 6 for each in coverages)  # V -> N holds of six pairs whatever stands around
    assert len(likeliest_sequences(treebank, 2, minimum_count=2)) == 2


def naive_candidates(treebank):
    """{(head tag, modifier tag, arrow, distance): {conditions: pairs}}, all pairs under the empty conditions.

    A pair is (sentence, head, modifier). The conditions are those of McDonald et al.'s features: one tag between, or
    one neighbour of each word.
    """
    found = {}
    for i, sentence in enumerate(treebank):
        tags = ["ROOT", *sentence.xpos[1:]]
        places = range(1, len(tags))
        for h, m in ((h, m) for h in places for m in places if h != m):
            pairs = found.setdefault((tags[h], tags[m], "->" if h < m else "<-", abs(h - m)), {})
            said = [""] + [f" between {tag}" for tag in {*tags[min(h, m) + 1 : max(h, m)]}]
            for side, step in (("before", -1), ("after", 1)):
                for other_side, other_step in (("before", -1), ("after", 1)):
                    if max(h + step, m + other_step) < len(tags):
                        said.append(f" {side} head {tags[h + step]} {other_side} modifier {tags[m + other_step]}")
            for conditions in said:
                pairs.setdefault(conditions, set()).add((i, h, m))
    return found


def naive_sequences(treebank, minimum_count, least, most):
    """Names in order: by count, then name, the first of those that hold of the same pairs."""
    gold = {(i, int(h), m) for i, sentence in enumerate(treebank) for m, h in enumerate(sentence.heads) if m}
    likely = []
    for (head, modifier, arrow, distance), pairs in naive_candidates(treebank).items():
        alone = pairs.pop("")
        if len(alone & gold) > most * len(alone):
            continue
        first, second = (head, modifier) if arrow == "->" else (modifier, head)
        for conditions, some in pairs.items():
            if minimum_count <= len(some) < len(alone) and len(some & gold) >= least * len(some):
                likely.append((-len(some), f"{first} {arrow} {second} dist {distance}{conditions}", sorted(some)))
    names = []
    for _, same in groupby(sorted(likely, key=lambda each: (each[0], each[2], each[1])), key=lambda each: each[2]):
        names.append(next(same)[:2])
    return [name for _, name in sorted(names)]


@given(treebanks(known=True, size=8))
def test_the_choice_matches_naive_counting(treebank):
    for minimum_count, least, most in ((1, 0.75, 0.5), (2, 0.5, 0.9)):
        expected = naive_sequences(treebank, minimum_count, least, most)
        found = sequence_constraints(treebank, None, minimum_count, least=least, most=most, binned=False)
        assert [each.name for each in found] == expected
        assert sequence_constraints(treebank, 2, minimum_count, least=least, most=most, binned=False) == found[:2]
        for constraint, coverage in zip(found, match_counts(found, treebank), strict=True):
            assert constraint.low == constraint.high == coverage.gold_share
            assert constraint.comment.startswith(f"{coverage.edges} of {coverage.pairs} are arcs")


def test_trees_are_needed():
    with pytest.raises(WorkbenchError, match="sentence 1 has a word without a head"):
        sequence_constraints(tagged("A"))
