"""How alike the order of tags is: by a list of trigrams, and where it is known to differ."""

from collections import Counter
from math import log

import numpy as np
import pytest

from core.advice.likeness import tag_divergence
from core.treebank import Treebank


def text(*sentences):
    return Treebank.from_sentences([{"forms": list(tags), "upos": list(tags)} for tags in sentences])


def listed(treebank):
    found = Counter()
    for sentence in treebank:
        tags = ["<", *sentence.upos[1:], ">"]
        found.update(zip(tags, tags[1:], tags[2:], strict=False))
    return found


def divergence(one, other):
    """By lists: every trigram of the one is taken to be in the other once at least."""
    own, theirs = listed(one), listed(other)
    total, other_total = sum(own.values()), sum(theirs.values())
    return sum(count / total * log(count / total / (max(theirs[key], 1) / other_total)) for key, count in own.items())


@pytest.mark.parametrize("begin", [0, 20])
def test_it_is_that_of_listed_trigrams(gold, begin):
    other = gold.select(np.arange(begin, begin + 15))
    assert tag_divergence(gold, other) == pytest.approx(divergence(gold, other))
    assert tag_divergence(other, gold) == pytest.approx(divergence(other, gold))


def test_a_text_is_nearest_to_itself_and_farther_from_other_orders():
    own, turned = text(*["DNV", "DNVDN", "NV"] * 10), text(*["NDV", "NDVND", "VN"] * 10)
    assert tag_divergence(own, own) == 0.0
    assert tag_divergence(own, turned) > 1.0


def test_without_universal_tags_it_is_not_known(gold):
    bare = Treebank.from_sentences([{"forms": ["a", "b"], "xpos": ["X", "Y"]}])
    assert tag_divergence(gold, bare) is None and tag_divergence(bare, gold) is None
