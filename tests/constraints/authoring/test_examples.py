"""Ten examples of a constraint: which words are drawn, and what the right ones among them say."""

import numpy as np
import pytest

from core.constraints import Matcher, parse_constraints
from core.constraints.authoring.examples import DROP, KEEP, LIFT, REPLACE, drawn_examples, judged
from core.errors import WorkbenchError
from core.markup import wilson
from core.treebank import load_sample
from tests.filled import filled

BY_MODIFIER, BY_PAIR, BY_HEAD = parse_constraints(
    "DET <- NOUN per modifier = 0.88..0.97 weight 1\nDET <- NOUN = 0.5\nDET <- NOUN per head = 0.5"
)


@pytest.fixture(scope="module")
def matcher():
    return Matcher(load_sample().max_length(12).limit(60).without_punctuation(), "upos")


@pytest.fixture(scope="module")
def marginals(matcher):
    return np.random.default_rng(1).random(matcher.arc_offsets[-1])


def arc(matcher, sentence, head, modifier):
    return matcher.arc_offsets[sentence] + head * (matcher.treebank.lengths[sentence] + 1) + modifier


def test_words_are_drawn_once_with_their_likeliest_head_until_all_were_drawn(matcher, marginals):
    candidates = matcher.match([BY_MODIFIER]).arcs
    count = int(matcher.counts([BY_MODIFIER])[0].denominator)
    draws = [drawn_examples(matcher, BY_MODIFIER, marginals, draw) for draw in range(-(-count // 10))]
    every = [example for drawn in draws for example in drawn]
    assert [len(drawn) for drawn in draws[:-1]] == [10] * (count // 10 - (count % 10 == 0))
    assert len({(sentence, modifier) for sentence, _, modifier in every}) == len(every) == count > 20
    for sentence, head, modifier in filled(every):
        heads = range(matcher.treebank.lengths[sentence] + 1)
        arcs = [arc(matcher, sentence, other, modifier) for other in heads]
        best = max(filled([each for each in arcs if each in candidates]), key=lambda each: marginals[each])
        assert arc(matcher, sentence, head, modifier) == best
    assert drawn_examples(matcher, BY_MODIFIER, marginals, len(draws)) == []


def test_of_a_share_of_pairs_pairs_are_drawn(matcher, marginals):
    drawn = drawn_examples(matcher, BY_PAIR, marginals, 0, 10_000)
    assert sorted(arc(matcher, *example) for example in drawn) == matcher.match([BY_PAIR]).arcs.tolist()
    with pytest.raises(WorkbenchError, match="speaks of heads, of which single words say nothing"):
        drawn_examples(matcher, BY_HEAD, marginals)


def test_what_the_examples_exclude_is_given_up():
    right, wrong = [True] * 9 + [False], [False] * 10
    lifted = judged(BY_MODIFIER, 0.5, right)
    assert (lifted.kind, lifted.right, lifted.of) == (LIFT, 9, 10) and lifted.low < 0.88 < lifted.high
    assert lifted.constraint.text == "DET <- NOUN per modifier = 0.88..0.97 weight 4"
    assert (judged(BY_MODIFIER, 0.1, wrong).kind, judged(BY_MODIFIER, 0.1, wrong).constraint) == (DROP, None)
    replaced = judged(BY_MODIFIER, 0.5, wrong)
    assert replaced.kind == REPLACE and replaced.constraint.confirmed
    assert (replaced.constraint.low, replaced.constraint.high) == wilson(0, 10)
    assert judged(BY_MODIFIER, 0.7, right).kind == KEEP and judged(BY_MODIFIER, 0.7, right).constraint == BY_MODIFIER
    point = parse_constraints("DET <- NOUN per modifier = 1.0")[0]
    assert judged(point, 0.5, right).kind == LIFT  # a number stands for a range
    with pytest.raises(WorkbenchError, match="no word is judged yet"):
        judged(BY_MODIFIER, 0.5, [])
