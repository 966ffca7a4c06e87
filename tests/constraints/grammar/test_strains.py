"""What constraints cost above a parser: covariances word by word, pairs that pull against each other."""

import numpy as np
import pytest

from core.constraints import GrammarSettings, Matcher, parse_constraints, train_grammar
from core.constraints.grammar.strains import covariances, fighting
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.universal.parser import UniversalParser
from core.treebank import load_sample
from tests.parsers.universal.conftest import small_network

LINES = "DET <- NOUN per modifier = 1.0 weight 1\nDET <- VERB per modifier = 1.0 weight 1\nDET <- * = 0.0..1.0"


@pytest.fixture(scope="module")
def text():
    return load_sample().max_length(10).limit(30).without_punctuation()


def test_covariances_are_those_of_words_that_choose_their_heads_one_by_one(text):
    constraints = PosteriorConstraints.of(Matcher(text, "upos").match(parse_constraints(LINES)), 1.0)
    generator, owners = np.random.default_rng(2), constraints.owner
    marginals, modifiers, expected, first = [], [], np.zeros((3, 3)), 0
    for length in text.lengths.tolist():
        side = length + 1
        chosen = generator.random((side, side))
        marginals.append((chosen / chosen.sum(axis=0)).ravel())
        modifiers.append((first + np.arange(side)[None, :].repeat(side, axis=0)).ravel())
        first += side
    marginals, modifiers = np.concatenate(marginals), np.concatenate(modifiers)
    for word in range(first):
        arcs = np.flatnonzero(modifiers == word)
        of = np.array([np.isin(arcs, constraints.arcs[owners == c]) for c in range(3)], float)
        mean = of @ marginals[arcs]
        expected += (of * marginals[arcs]) @ of.T - np.outer(mean, mean)
    found = covariances(constraints, marginals, modifiers)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found[0, 1] < 0 < found[0, 2]
    multipliers = np.array([3.0, 3.0, 0.0])
    ((one, other, nats),) = fighting(constraints, multipliers, found, np.array([True, False, False]))
    assert (one, other) == (0, 1) and nats == pytest.approx(-9 * found[0, 1])
    assert not fighting(constraints, multipliers, found, np.zeros(3, bool))
    assert not fighting(constraints, -multipliers * [1, -1, 1], found, np.ones(3, bool))


def test_constraints_that_exclude_each_other_are_named_with_those_that_cost_most(text):
    parser = UniversalParser([small_network()], ("root", "nsubj", "obj", "case", "det")).for_text(text)
    lines = parse_constraints(LINES.replace("weight 1", "weight 6"))
    result = train_grammar(text, lines, GrammarSettings(tags="upos"), prior=parser)
    strains = result.strains
    (pair,) = strains.fights
    assert pair[:2] == ("DET <- NOUN per modifier", "DET <- VERB per modifier") and pair[2] >= 1
    costs = [nats for _, nats in strains.costliest]
    assert {name for name, _ in strains.costliest} <= {*pair[:2]}
    assert costs == sorted(costs, reverse=True) and costs[-1] > 0
    assert {name: result.alone[place] for place, name in enumerate(pair[:2])}.items() >= strains.disputed.items()
