"""Agreement by hand-worked examples: Cohen's kappa, and Krippendorff's own nominal example."""

import pytest

from core.annotation import SentenceAnnotation
from core.annotation.agreement import (
    agreement,
    attachment_alpha,
    cohen_kappa,
    disagreements,
    krippendorff_alpha,
    pairwise,
)


def of(heads, relations):
    n = len(heads)
    nothing = ("",) * (n + 1)
    return SentenceAnnotation(("", *"abcdefgh"[:n]), (-1, *heads), ("", *relations), nothing, nothing, nothing, nothing)


ONE = of([2, 0, 2], ["det", "root", "obj"])
OTHER = of([2, 0, 1], ["det", "root", "nmod"])


def test_kappa_of_a_table_of_counts():
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)  # (0.7 - 0.5) / (1 - 0.5)
    assert cohen_kappa([]) is None
    assert cohen_kappa([("a", "a")]) is None


def test_alpha_of_krippendorffs_example():
    """Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four coders, gaps, 0.743."""
    coders = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    assert krippendorff_alpha(zip(*coders, strict=True)) == pytest.approx(0.743, abs=5e-4)


def test_alpha_that_says_nothing_is_none():
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([(1, 1), (1, 1)]) is None
    assert krippendorff_alpha([(1, None), (None, 2)]) is None


def test_two_versions_of_a_sentence():
    found = agreement({0: ONE, 4: ONE}, {0: OTHER, 7: ONE})
    assert (found.sentences, found.words, found.heads, found.labels, found.both, found.complete) == (1, 3, 2, 2, 2, 0)
    assert found.uas == found.las == pytest.approx(200 / 3)
    assert disagreements(ONE, OTHER) == [3]
    assert [pair for pair, _ in pairwise({"a": {0: ONE}, "b": {0: OTHER}, "c": {}})] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert agreement({}, {}).uas is None


def test_words_without_a_head_are_not_compared_but_are_different():
    part = of([2, 0, -1], ["det", "root", ""])
    found = agreement({0: ONE}, {0: part})
    assert (found.words, found.both) == (2, 2)
    assert disagreements(ONE, part) == [3]


def test_alpha_of_attachments():
    assert attachment_alpha([{0: ONE}, {0: ONE}]) == pytest.approx(1.0)
    # values: (+1, det) (root) (-1, obj) against (+1, det) (root) (-2, nmod): 1 - 2 * 5 / (36 - 10) with nominal alpha
    assert attachment_alpha([{0: ONE}, {0: OTHER}]) == pytest.approx(1 - 2 * 5 / (36 - 10))
    assert attachment_alpha([{0: ONE}, {1: ONE}]) is None
