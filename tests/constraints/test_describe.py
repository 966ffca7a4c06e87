"""Constraints from a clicked pair of words: they all fit it, no two match the same pairs."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.constraints.describe import LEVELS, describe_arc
from core.constraints.matching import match_constraints
from core.errors import ScoreShapeError, WorkbenchError
from core.treebank import Treebank
from core.trees import PackedScores
from tests.constraints.banks import plain_constraint, plain_sentences, treebanks
from tests.oracles import constraints as oracle

BANK = Treebank.from_sentences(
    [
        {
            "forms": ["the", "old", "dog", "saw", "a", "cat"],
            "xpos": ["D", "J", "N", "V", "D", "N"],
            "heads": [3, 3, 4, 0, 6, 4],
        },
        {"forms": ["the", "cat", "ran"], "xpos": ["D", "N", "V"], "heads": [2, 3, 0]},
        {"forms": ["dogs", "ran", "a", "the", "cat"], "xpos": ["N", "V", "D", "D", "N"], "heads": [2, 0, 5, 5, 2]},
    ]
)


@settings(deadline=None, max_examples=60)
@given(treebanks(), st.data())
def test_every_description_fits_the_pair_and_no_two_match_alike(treebank, data):
    sentence = data.draw(st.integers(0, len(treebank) - 1))
    n = int(treebank.lengths[sentence])
    modifier = data.draw(st.integers(1, n))
    head = data.draw(st.sampled_from([h for h in range(n + 1) if h != modifier]))
    marginals = PackedScores.empty(treebank.lengths)
    marginals.values[:] = np.random.default_rng(n).random(len(marginals.values))
    found = describe_arc(treebank, sentence, head, modifier, marginals=marginals)
    matches = match_constraints([each.constraint for each in found], treebank)
    plain = plain_sentences(treebank)
    for c, each in enumerate(found):
        assert oracle.admits(plain_constraint(each.constraint), plain[sentence], head, modifier)
        assert each.coverage.pairs == len(matches.of(c))
        assert each.share == pytest.approx(marginals.values[matches.of(c)].mean())
        assert (each.constraint.low, each.constraint.high) == (0, 1)
    assert len({matches.of(c).tobytes() for c in range(len(found))}) == len(found)
    levels = [LEVELS.index(each.level) for each in found]
    assert levels == sorted(levels)
    for before, after in pairwise(found):
        assert before.level != after.level or before.coverage.pairs >= after.coverage.pairs


def names(*pair, **options):
    return [(each.level, each.constraint.pattern) for each in describe_arc(BANK, *pair, **options)]


def test_from_general_to_specific():
    assert names(0, 3, 1) == [
        ("tags", "N -- D"),
        ("direction", "D <- N"),
        ("distance", "D <- N dist 2"),
        ("between", "D <- N between only J"),
        ("between", "D <- N between J"),
        ("beside", "D <- N after head V"),
        ("forms", "form:the <- N"),
        ("forms", "D <- form:dog"),
    ]  # "form:the <- form:dog" matches what "D <- form:dog" does
    found = describe_arc(BANK, 0, 3, 1)
    assert [each.coverage.pairs for each in found[:2]] == [9, 6]
    assert found[0].coverage.sentences == 3
    assert found[0].coverage.gold_share == 5 / 9
    assert found[0].share is None


def test_the_root_stands_left_of_all():
    assert names(1, 0, 3)[:2] == [("direction", "ROOT -> V"), ("distance", "ROOT -> V dist 3")]
    assert all(name.startswith("ROOT -> ") for _, name in names(1, 0, 3))


def test_neighbours_have_nothing_between():
    found = names(1, 2, 1)
    assert ("distance", "D <- N dist 1") in found
    assert "D <- N between none" not in [name for _, name in found]  # the same pairs as dist 1


def test_words_without_tags_are_named_by_form():
    plain = Treebank.from_sentences([{"forms": ["a", "b", "a"]}])
    found = [each.constraint.pattern for each in describe_arc(plain, 0, 1, 2)]
    assert found == ["form:a -- form:b", "form:a -> form:b"]


def test_pairs_that_do_not_exist_are_refused():
    with pytest.raises(WorkbenchError, match=r"there is no sentence 7; the text has sentences 0\.\.2"):
        describe_arc(BANK, 7, 1, 2)
    with pytest.raises(WorkbenchError, match="sentence 1 has no arc 1 -> 4"):
        describe_arc(BANK, 1, 1, 4)
    with pytest.raises(WorkbenchError, match="word 2 cannot be its own head"):
        describe_arc(BANK, 1, 2, 2)
    with pytest.raises(ScoreShapeError, match="another text"):
        describe_arc(BANK, 1, 2, 1, marginals=PackedScores.empty([3]))
