"""Suggestions against a reference that looks at every arc, and the information they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints import parse_constraints
from core.constraints.authoring.suggest import ANSWERS, answer_probabilities, suggest
from core.constraints.matching.matcher import Matcher
from core.errors import ScoreShapeError, WorkbenchError
from core.treebank import Treebank
from core.trees import PackedScores
from tests.constraints.banks import tagged, treebanks
from tests.oracles import suggestions as oracle

EVERY = {"count": 1000, "minimum_count": 1, "per_pair": 1000}


def marginals_of(treebank, seed):
    """Any numbers of 0..1 will do; some are sure."""
    packed = PackedScores.empty(treebank.lengths)
    random = np.random.default_rng(seed)
    packed.values[:] = random.choice([0.0, 1.0, 0.5, *random.random(9)], size=len(packed.values))
    return packed


def uniform(treebank, value=None):
    packed = PackedScores.empty(treebank.lengths)
    for matrix in packed:
        matrix[:] = 1 / (len(matrix) - 1) if value is None else value
    return packed


def suggested(treebank, marginals, *known, **options):
    """Everything that can be asked, by what it is about."""
    return {each.constraint.pattern: each for each in suggest(treebank, marginals, *known, **{**EVERY, **options})}


@given(treebanks(), st.integers(0, 99))
def test_figures_are_those_of_the_arcs_one_by_one(treebank, seed):
    marginals = marginals_of(treebank, seed)
    known = parse_constraints("A <- B = 0.5\n* -> C dist 2 = 0.1\nROOT -> A = 0.5")
    matcher = Matcher(treebank, "xpos")
    matches = matcher.match(known)
    closed = set()
    for arc in matches.arcs.tolist():
        i = int(np.searchsorted(matches.arc_offsets, arc, side="right")) - 1
        closed.add((i, *divmod(arc - int(matches.arc_offsets[i]), int(treebank.lengths[i]) + 1)))
    sentences = [each.xpos for each in treebank]
    expected = oracle.kinds(sentences, list(marginals), closed)
    found = suggested(matcher, marginals, known)
    said = {constraint.pattern for constraint in known}
    assert set(found) == {name for name, (_, _, entropy, _) in expected.items() if entropy > 0 and name not in said}
    for name, each in found.items():
        pairs, mass, entropy, _ = expected[name]
        assert each.coverage.pairs == pairs
        assert each.share == pytest.approx(mass / pairs)
        assert each.entropy == pytest.approx(entropy)
        assert each.gain == pytest.approx(oracle.gain(entropy, mass / pairs), rel=1e-6, abs=1e-9)


@given(treebanks(), st.integers(0, 99), st.integers(1, 3), st.integers(1, 6))
def test_the_order_is_greedy(treebank, seed, per_pair, count):
    marginals = marginals_of(treebank, seed)
    kinds = oracle.kinds([each.xpos for each in treebank], list(marginals), set())
    gains = {
        name: oracle.gain(entropy, mass / pairs) for name, (pairs, mass, entropy, _) in kinds.items() if entropy > 0
    }
    into = dict.fromkeys(["ROOT", *"ABC"], 0.0)
    for _, _, entropy, (head, modifier) in kinds.values():
        into[modifier] += entropy
        into["ROOT"] += entropy * (head == "ROOT")
    remaining = dict.fromkeys(into, 1.0)
    asked = {}
    found = suggest(treebank, marginals, count=count, per_pair=per_pair, minimum_count=1)
    for each in found:
        name = each.constraint.pattern
        free = {
            other: gain * remaining[kinds[other][3][1]] * (remaining["ROOT"] if "ROOT" in other else 1)
            for other, gain in gains.items()
            if asked.get(frozenset(kinds[other][3]), 0) < per_pair
        }
        assert free[name] == pytest.approx(max(free.values()), rel=1e-6)
        pair = frozenset(kinds[name][3])
        asked[pair] = asked.get(pair, 0) + 1
        gain = gains.pop(name)
        for place in (kinds[name][3][1], "ROOT")[: 2 if "ROOT" in name else 1]:
            remaining[place] *= 1 - gain / into[place]
    left = [other for other in gains if asked.get(frozenset(kinds[other][3]), 0) < per_pair]
    assert len(found) == count or not left


@given(st.floats(1e-9, 1 - 1e-9))
def test_expected_answers_have_the_mean_and_the_highest_entropy(mean):
    (probabilities,) = answer_probabilities([mean])
    answers = np.array(list(ANSWERS.values()))
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities @ answers == pytest.approx(mean, rel=1e-6)
    np.testing.assert_allclose(probabilities, oracle.answer_distribution(mean), atol=1e-7)


def test_nothing_is_asked_about_what_is_sure():
    treebank = tagged("AB", "BA")
    assert suggested(treebank, uniform(treebank, 1.0)) == suggested(treebank, uniform(treebank, 0.0)) == {}
    assert suggest(Treebank.from_sentences([]), PackedScores.empty([])) == []


def test_answers_are_the_bins_of_the_paper():
    treebank = tagged("AB")
    (found,) = suggest(treebank, uniform(treebank), count=1, minimum_count=1)
    assert (found.constraint.low, found.constraint.high) == (0.0, 1.0)
    assert [each.low for each in found.answers.values()] == [0.0, 0.1, 0.5, 0.75, 1.0]
    assert found.answer("mostly").text == f"{found.constraint.pattern} = 0.75"
    with pytest.raises(WorkbenchError, match="'often' is no answer; choose one of never, rarely, half, mostly, always"):
        found.answer("often")


def test_examples_are_those_it_is_least_sure_of():
    treebank = tagged("AB", "AAB", "AB", "AB")
    marginals = uniform(treebank, 0.0)
    for i, (head, modifier, value) in enumerate([(2, 1, 0.9), (3, 2, 0.5), (2, 1, 0.2), (2, 1, 0.3)]):
        marginals[i][head, modifier] = value
    marginals[1][3, 1] = 0.4
    assert suggested(treebank, marginals)["A <- B"].examples == ((1, 3, 2), (3, 2, 1), (2, 2, 1))
    assert suggest(treebank, marginals, examples=0, **EVERY)[0].examples == ()


def test_marginals_of_another_text_are_refused():
    with pytest.raises(ScoreShapeError, match="another text: 1 sentences and 9 arcs where this one has 2 and 25"):
        suggest(tagged("AB", "ABC"), uniform(tagged("AB")))


def test_many_tags_are_counted_in_blocks(monkeypatch):
    treebank = tagged("ABCA", "CAB")
    marginals = marginals_of(treebank, 1)
    whole = suggest(treebank, marginals, **EVERY)
    monkeypatch.setattr("core.constraints.authoring.suggest.BLOCK", 1)
    assert suggest(treebank, marginals, **EVERY) == whole
