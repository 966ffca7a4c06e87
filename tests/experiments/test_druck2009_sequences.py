"""Sequence constraints: chosen by hand-counted shares, and true of the arcs they count."""

from core.constraints import match_counts
from core.experiments.druck2009.sequences import likeliest_sequences, uncertain_sequences
from core.treebank import Treebank


def treebank_of(*sentences):
    """Sentences as (tags, heads)."""
    return Treebank.from_sentences(
        [{"forms": list(tags), "xpos": list(tags), "heads": heads} for tags, heads in sentences]
    )


# N -> P at distance 2 is an edge only where A stands between; with B between the verb takes P.
WITH_A = ("VNAP", [0, 1, 2, 2])
WITH_B = ("VNBP", [0, 1, 2, 1])


def test_a_sequence_is_taken_where_the_pair_alone_says_little():
    treebank = treebank_of(*[WITH_A] * 3, *[WITH_B] * 9)
    names = [constraint.name for constraint in uncertain_sequences(treebank)]
    assert "N -> P dist 2 after head A before modifier A" in names  # the same pairs as "between A"
    assert not any("between B" in name or "head B" in name for name in names)


def test_counts_are_those_of_the_matcher():
    treebank = treebank_of(*[WITH_A] * 3, *[WITH_B] * 9)
    chosen = uncertain_sequences(treebank) + likeliest_sequences(treebank, 20, minimum_count=2)
    assert chosen
    for constraint, coverage in zip(chosen, match_counts(chosen, treebank), strict=True):
        assert constraint.comment.startswith(f"{coverage.edges} of {coverage.pairs} are edges"), constraint.name


def test_the_likeliest_come_first_and_say_more_than_the_pair():
    treebank = treebank_of(*[WITH_A] * 3, *[WITH_B] * 3)
    chosen = likeliest_sequences(treebank, 50, minimum_count=2)
    coverages = match_counts(chosen, treebank)
    shares = [each.edges / each.pairs for each in coverages]
    assert shares == sorted(shares, reverse=True)
    assert len({constraint.name for constraint in chosen}) == len(chosen)
    assert all(each.pairs < 6 for each in coverages)  # V -> N holds of six pairs whatever stands around
    assert len(likeliest_sequences(treebank, 2, minimum_count=2)) == 2
