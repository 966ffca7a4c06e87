"""What each constraint adds to the others: how all shares change when one constraint is dropped.

There are two methods. ``retrain`` drops the constraint and goes on with training: it is exact up to the search's
tolerance, with about a dozen evaluations a constraint. ``influence`` evaluates nothing. At the solution

    weights = -variance * sum_k s_k J_k,

with s_k the slope of penalty k and J_k = dE_k/dweights (see ``attribution``). Let every share move like a logistic
function: its log-odds eta_k are taken as linear in the weights, d eta_k/dweights = G_k = J_k / (q_k (1 - q_k)) with q
the share. Then J_k = q_k (1 - q_k) G_k holds elsewhere too. The log-odds after dropping the constraints R then solve

    eta - eta* = -variance * G G^T (r(eta) - r*),    r_k = s_k q_k (1 - q_k), and 0 for k in R,

C equations. Exact as the dropped pulls go to zero. The textbook influence function, with linear shares instead of
linear log-odds, falls far short where a share is near 0 or 1, which is where targets are. The pull of known trees,
where there are any, is taken to stay as it is.
"""

from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.callbacks import Cancel
from core.constraints.authoring.attribution import Attribution, shares
from core.errors import Cancelled, NumericalError, WorkbenchError
from core.parsers.optimize import minimize

ROUNDING = 1e-10  # of the largest gradient
METHODS = ("influence", "retrain")
UNCHANGED = 0.05  # a constraint that repeats another still moves its share by a few hundredths


@dataclass(frozen=True, eq=False)
class Drop:
    """The shares of a set without one of its constraints.

    Attributes
    ----------
    constraint : int
        Which is dropped.
    before, after : ndarrays of shape (C,)
        All shares with it and without it, the dropped one's own included.
    stand_in : int or None
        The other constraint that moves the weights most alike (``similarity``), None if it is the only one.
    similarity : float
        Cosine of the two shares' gradients by the weights, in -1..1; 0 without a stand-in.
    """

    constraint: int
    before: np.ndarray
    after: np.ndarray
    stand_in: int | None
    similarity: float

    @property
    def change(self) -> np.ndarray:
        """after - before, (C,)."""
        return self.after - self.before

    @property
    def own(self) -> float:
        """How far its own share moves."""
        return float(self.change[self.constraint])

    @property
    def largest(self) -> float:
        """How far the share moves that moves most, in absolute terms."""
        return float(np.abs(self.change).max())


def drop_one(
    attribution: Attribution, method: str = "influence", *, max_evaluations: int = 30,
    cancel: Cancel | None = None,
) -> list[Drop]:  # fmt: skip
    """What dropping each constraint would change.

    Parameters
    ----------
    attribution : Attribution
        Of the trained model.
    method : {"influence", "retrain"}
        An estimate, at once, or warm retraining.
    max_evaluations : int
        Of the objective, a constraint, when retraining.
    cancel : callable, optional
        Asked before every evaluation; true raises Cancelled.

    Returns
    -------
    list of Drop
        One per constraint, in their order.

    Raises
    ------
    WorkbenchError : an unknown method.
    NumericalError : the equations of ``influence`` are not solved; retrain.

    Notes
    -----
    influence: O(C^2 F), and C small systems of equations. retrain: C trainings.
    """
    if method not in METHODS:
        raise WorkbenchError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}")
    drops, count, jacobian = [], len(attribution.constraints), attribution.jacobian
    moves = _moving(jacobian)
    norms = np.where(moves, np.linalg.norm(jacobian, axis=1), 1.0)
    cosines = np.outer(moves, moves) * (jacobian @ jacobian.T) / np.outer(norms, norms)
    change = _Influence(attribution) if method == "influence" else _Retraining(attribution, max_evaluations, cancel)
    for c in range(count):
        if cancel is not None and cancel():
            raise Cancelled
        after = attribution.expectations + change([c])
        others = np.abs(cosines[c])
        others[c] = -1.0
        stand_in = int(others.argmax()) if count > 1 else None
        similarity = float(cosines[c, stand_in]) if count > 1 else 0.0
        drops.append(Drop(c, attribution.expectations, after, stand_in, similarity))
    return drops


def removable(attribution: Attribution, tolerance: float = UNCHANGED, *, cancel: Cancel | None = None) -> list[int]:
    """Constraints that can be dropped together, as far as ``influence`` sees.

    One at a time, the one whose removal beside those before it moves the shares least, as long as none moves by more
    than ``tolerance``. (Of two equal constraints each can be dropped, but not both.) ``cancel`` is asked
    before every system of equations; true raises Cancelled.

    Returns
    -------
    list of int
        In the order of dropping.

    Notes
    -----
    O(C^2 F), and at most C systems of equations per dropped constraint.
    """
    change = _Influence(attribution)
    dropped, left = [], list(range(len(attribution.constraints)))
    while left:
        moves = []
        for c in left:
            if cancel is not None and cancel():
                raise Cancelled
            moves.append(np.abs(change([*dropped, c])).max())
        best = int(np.argmin(moves))
        if moves[best] > tolerance:
            break
        dropped.append(left.pop(best))
    return dropped


def _moving(jacobian):
    """Which shares the weights can move at all: bool (C,). What rounding leaves of a zero gradient is none."""
    norms = np.linalg.norm(jacobian, axis=1)
    return norms > ROUNDING * norms.max(initial=0.0)


class _Influence:
    """Estimates what happens without some constraints (module docstring)."""

    def __init__(self, attribution):
        self.objective, self.before = attribution.objective, attribution.expectations
        matches = attribution.matches
        per_head = np.array([constraint.per == "head" for constraint in matches.constraints])
        self.scale = np.where(
            per_head, matches.denominators / np.maximum(matches.pairs, 1), 1.0
        )  # ``per head`` may pass 1
        inner = self.before * self.scale
        self.moves = (inner > 0) & (inner < 1) & _moving(attribution.jacobian)
        inner = inner[self.moves]
        self.log_odds = np.log(inner / (1 - inner))
        gradients = attribution.jacobian[self.moves] * (self.scale[self.moves] / (inner * (1 - inner)))[:, None]
        self.kernel = attribution.trainer.settings.variance * (gradients @ gradients.T)

    def __call__(self, dropped):
        """Estimated change of all shares: (C,)."""
        stays = np.ones(len(self.before))
        present = self._pulls(self.log_odds, stays)
        log_odds = self.log_odds
        for steps in (1, 8, 64):  # in one step, or fading out
            for step in range(1, steps + 1):
                stays[dropped] = 1 - step / steps
                solved = scipy.optimize.root(
                    lambda odds, stays: odds - self.log_odds + self.kernel @ (self._pulls(odds, stays) - present),
                    log_odds,
                    args=(stays,),
                )
                if not solved.success:
                    break
                log_odds = solved.x
            if solved.success:
                return self._shares(log_odds) - self.before
            log_odds = self.log_odds
        raise NumericalError("what dropping a line changes cannot be estimated here; retrain without it instead")

    def _shares(self, log_odds):
        """All shares, (C,), from the log-odds of those that move."""
        every = self.before.copy()
        every[self.moves] = scipy.special.expit(log_odds) / self.scale[self.moves]
        return every

    def _pulls(self, log_odds, stays):
        """Slopes by the weights' coordinates, of those that move; ``stays`` is what remains of each constraint."""
        expectations = self._shares(log_odds)
        inner = scipy.special.expit(log_odds)
        slopes = (self.objective.targets.slopes(expectations) * stays)[self.moves]
        return slopes / self.scale[self.moves] * inner * (1 - inner)


class _Retraining:
    """Trains without some constraints, each time from the solution with all."""

    def __init__(self, attribution, max_evaluations, cancel):
        self.attribution, self.max_evaluations, self.cancel = attribution, max_evaluations, cancel

    def __call__(self, dropped):
        """Change of all shares: (C,)."""
        attribution, trainer = self.attribution, self.attribution.trainer
        objective, weights = attribution.objective, attribution.objective.targets.weights
        objective.targets.weights = np.where(np.isin(np.arange(len(weights)), dropped), 0.0, weights)
        try:
            optimum = minimize(
                objective,
                attribution.weights,
                tolerance=trainer.settings.tolerance,
                max_evaluations=self.max_evaluations,
                cancel=self.cancel,
            )
        finally:
            objective.targets.weights = weights
        if optimum.status == "cancelled":
            raise Cancelled
        scores = trainer.scores(optimum.weights)
        marginals = trainer.model.distribution.marginals(scores, threads=trainer.threads)[1]
        return shares(attribution.matches, marginals) - attribution.expectations
