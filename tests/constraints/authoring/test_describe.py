"""Constraints from a clicked pair of words: they all fit it, no two match the same pairs."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints.authoring.describe import LEVELS, describe_arc
from core.constraints.matching.matcher import Matcher
from core.errors import WorkbenchError
from core.treebank import Treebank
from tests.constraints.banks import plain_constraint, plain_sentences, treebanks
from tests.oracles import constraints as oracle

BANK = Treebank.from_sentences(
    [
        {"forms": ["the", "old", "dog", "saw", "a", "cat"], "xpos": list("DJNVDN"), "heads": [3, 3, 4, 0, 6, 4]},
        {"forms": ["the", "cat", "ran"], "xpos": list("DNV"), "heads": [2, 3, 0]},
        {"forms": ["dogs", "ran", "a", "the", "cat"], "xpos": list("NVDDN"), "heads": [2, 0, 5, 5, 2]},
    ]
)


@given(treebanks(), st.data())
def test_every_description_fits_the_pair_and_no_two_match_alike(treebank, data):
    sentence = data.draw(st.integers(0, len(treebank) - 1))
    n = int(treebank.lengths[sentence])
    modifier = data.draw(st.integers(1, n))
    head = data.draw(st.sampled_from([h for h in range(n + 1) if h != modifier]))
    found = describe_arc(treebank, sentence, head, modifier)
    matches = Matcher(treebank, "xpos").match([each.constraint for each in found])
    plain = plain_sentences(treebank)
    for c, each in enumerate(found):
        assert oracle.admits(plain_constraint(each.constraint), plain[sentence], head, modifier)
        assert each.coverage.pairs == len(matches.of(c))
        assert (each.constraint.low, each.constraint.high) == (0, 1)
    assert len({matches.of(c).tobytes() for c in range(len(found))}) == len(found)
    levels = [LEVELS.index(each.level) for each in found]
    assert levels == sorted(levels)
    for before, after in pairwise(found):
        assert before.level != after.level or before.coverage.pairs >= after.coverage.pairs


def names(*pair, treebank=BANK):
    return [(each.level, each.constraint.pattern) for each in describe_arc(treebank, *pair)]


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


def test_the_root_stands_left_of_all():
    assert names(1, 0, 3)[:2] == [("direction", "ROOT -> V"), ("distance", "ROOT -> V dist 3")]
    assert all(name.startswith("ROOT -> ") for _, name in names(1, 0, 3))


def test_words_without_tags_are_named_by_form():
    plain = Treebank.from_sentences([{"forms": ["a", "b", "a"]}])
    assert [name for _, name in names(0, 1, 2, treebank=plain)] == ["form:a -- form:b", "form:a -> form:b"]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((7, 1, 2), r"there is no sentence 7; the text has sentences 0\.\.2"),
        ((1, 1, 4), "sentence 1 has no arc 1 -> 4"),
        ((1, 2, 2), "word 2 cannot be its own head"),
    ],
)
def test_pairs_that_do_not_exist_are_refused(pair, message):
    with pytest.raises(WorkbenchError, match=message):
        describe_arc(BANK, *pair)
