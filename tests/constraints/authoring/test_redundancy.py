"""What dropping a line changes: the estimate against retraining, retraining against training anew."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import parse_constraints
from core.constraints.authoring.attribution import Attribution
from core.constraints.authoring.redundancy import UNCHANGED, drop_one, removable
from core.constraints.ge.training import PRESETS, GETrainer
from core.errors import Cancelled, NumericalError, WorkbenchError
from tests.constraints.banks import tagged

SETTINGS = replace(PRESETS["best"], tolerance=1e-10, max_evaluations=2000)
TEXT = (
    "A <- B = 0.8\nROOT -> B = 0.5\nB -> C = 0.25 weight 2\n* -- C per modifier dist 1 = 0.8\nB -> A per head = 0.2\n"
)

BANK = tagged("ABCAB", "CBA", "ABAC", "BBCA", "CAB", "BAAC", "ACAB", "BCBA")


def attribution_of(text, **options):
    trainer = GETrainer(BANK, replace(SETTINGS, **options))
    constraints = parse_constraints(text)
    return Attribution(trainer, constraints, trainer.train(constraints).optimum.weights)


@pytest.fixture(scope="module")
def attribution():
    return attribution_of(TEXT)


@pytest.fixture(scope="module")
def retrained(attribution):
    """What dropping each line changes when the others are trained again."""
    return drop_one(attribution, "retrain", max_evaluations=2000)


def table(drops):
    return np.array([drop.change for drop in drops])


def test_retraining_ends_where_training_without_the_line_does(attribution, retrained):
    constraints = attribution.constraints
    for c, drop in enumerate(retrained):
        without = [replace(each, weight=0.0) if k == c else each for k, each in enumerate(constraints)]
        anew = attribution.trainer.train(without).expectations
        np.testing.assert_allclose(drop.after, anew, atol=1e-3)
        np.testing.assert_array_equal(drop.before, attribution.expectations)
    assert attribution.objective.targets.weights.tolist() == [10.0, 10.0, 20.0, 10.0, 10.0]  # as they were


@pytest.mark.parametrize("options", [{"strength": 0.01}, {"strength": 0.01, "projective": True}])
def test_the_estimate_is_exact_for_weak_pulls(options):
    attribution = attribution_of(TEXT, **options)
    estimated, retrained = table(drop_one(attribution)), table(drop_one(attribution, "retrain", max_evaluations=2000))
    assert np.abs(retrained).max() > 1e-3
    np.testing.assert_allclose(estimated, retrained, atol=0.05 * np.abs(retrained).max())


def test_the_estimate_ranks_strong_pulls_as_retraining_does(attribution, retrained):
    estimated, retrained = table(drop_one(attribution)), table(retrained)
    own, exact = np.abs(np.diag(estimated)), np.abs(np.diag(retrained))
    assert exact.max() > 0.1
    assert np.corrcoef(own, exact)[0, 1] > 0.9
    assert own.argmax() == exact.argmax()
    assert (np.sign(np.diag(estimated)) == np.sign(np.diag(retrained))).all()


@pytest.mark.parametrize("method", ["influence", "retrain"])
def test_a_repeated_line_is_redundant_but_not_both(method):
    attribution = attribution_of("A <- B = 0.8\nA <- B dist 1..9 = 0.8\nROOT -> C = 0.6")
    first, second, third = drop_one(attribution, method)
    assert first.largest <= UNCHANGED and second.largest <= UNCHANGED < third.largest
    assert (first.stand_in, second.stand_in) == (1, 0)
    assert first.similarity == pytest.approx(1)
    assert first.own == first.change[0] and third.largest == np.abs(third.change).max()
    assert removable(attribution) in ([0], [1])


def test_a_line_that_asks_for_nothing_can_go():
    attribution = attribution_of("A <- B = 0.8\nROOT -> C = 0.0..1.0")
    assert drop_one(attribution)[1].largest == pytest.approx(0, abs=1e-9) and removable(attribution) == [1]


def test_one_line_has_no_stand_in():
    (drop,) = drop_one(attribution_of("A <- B = 0.8"))
    assert drop.stand_in is None and drop.similarity == 0 and drop.own < -0.1


def test_a_share_that_no_tree_can_move_stays():
    trainer = GETrainer(tagged("AB", "A"), SETTINGS)
    constraints = parse_constraints("* -> * per modifier = 0.9\n{ROOT *} -- * per modifier = 0.5\nA <- B = 0.9")
    result = trainer.train(constraints)
    for method in ("influence", "retrain"):
        drop = drop_one(Attribution(trainer, constraints, result.model.weights), method)[1]
        assert drop.after[1] == pytest.approx(1)
        assert drop.similarity == pytest.approx(0, abs=1e-6)


def test_cancelling(attribution):
    answers = iter([False] * 3 + [True])
    with pytest.raises(Cancelled):
        drop_one(attribution, "retrain", cancel=lambda: next(answers))
    assert attribution.objective.targets.weights.tolist() == [10.0, 10.0, 20.0, 10.0, 10.0]


def test_refusals(attribution, monkeypatch):
    with pytest.raises(WorkbenchError, match="no method 'guess'; choose one of influence, retrain"):
        drop_one(attribution, "guess")
    monkeypatch.setattr("scipy.optimize.root", lambda function, start, args: type("Failed", (), {"success": False}))
    with pytest.raises(NumericalError, match="cannot be estimated here; retrain without it"):
        drop_one(attribution)
