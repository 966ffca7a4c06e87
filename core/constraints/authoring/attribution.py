"""Which constraints pull an arc into the trees or out of them, and how strongly.

Training minimises  sum_c penalty_c(E_c(weights)) + |weights|^2 / (2 variance).  Where its gradient is zero,

    weights = sum_c pull_c,    pull_c = -variance * penalty_c'(E_c) * dE_c/dweights,

for the prior's gradient, weights / variance, must balance those of the constraints. All weights start at zero, so this
accounts for all that training did, and any arc's score, a sum of weights, is a sum over constraints too:

    score(arc) = sum_c features(arc) . pull_c + features(arc) . residual        in nats.

The residual is what a search that stopped early leaves: variance times the gradient there. dE_c/dweights is one
covariance product over the corpus per constraint (of any kind the distribution is set to: the approximate one balances
its own gradient). Known trees that were learnt from as well have a pull of their own, minus variance times the
gradient of their term. A score means something only beside those of the word's other heads, and a contribution
likewise: ask with ``against`` for the difference.

This describes the weights as they are. When a model is trained again without a constraint, the others replace part of
its effect. Weak pulls predict the loss, strong ones its sign and roughly its order. ``redundancy`` estimates the new
shares.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel
from core.constraints.ge.training import GETrainer
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matches
from core.errors import Cancelled, WorkbenchError
from core.treebank import Treebank
from core.trees import PackedScores


@dataclass(frozen=True, eq=False)
class ArcAttribution:
    """One arc's score, or its lead over another head of the same word, told apart by constraint.

    Attributes
    ----------
    score : float
        In nats; the sum of ``contributions``, ``trees`` and ``residual``.
    contributions : ndarray of shape (C,)
        In nats: positive pulls the arc in, negative pushes it out.
    trees : float
        What known trees and brackets contribute, in nats; 0 without any.
    residual : float
        What no constraint accounts for, in nats.
    probability : float
        The arc's marginal.
    """

    score: float
    contributions: np.ndarray
    trees: float
    residual: float
    probability: float

    @property
    def shares(self) -> np.ndarray:
        """Contributions over the sum of all absolute parts, trees and residual included: signed, (C,); or zeros."""
        total = np.abs(self.contributions).sum() + abs(self.trees) + abs(self.residual)
        return self.contributions / total if total > 0 else np.zeros(len(self.contributions))

    @property
    def strongest(self) -> list[int]:
        """Indices of the constraints, largest absolute contribution first, without those that do nothing."""
        order = np.argsort(-np.abs(self.contributions), kind="stable")
        return [int(c) for c in order if self.contributions[c]]


@dataclass(frozen=True, eq=False)
class HeadChanges:
    """Words whose head one constraint decides: with its pull they have one head, without it another.

    Attributes
    ----------
    sentences, modifiers, heads_with, heads_without : ndarrays of shape (K,), dtype int64
        In the order of the text; words from 1, head 0 is the root.
    own : ndarray of shape (K,), dtype bool
        Whether the arc that the pull brought in is one of the constraint's candidates; the others were generalised to.
    """

    sentences: np.ndarray
    modifiers: np.ndarray
    heads_with: np.ndarray
    heads_without: np.ndarray
    own: np.ndarray

    def __len__(self):
        return len(self.sentences)


class Attribution:
    """What each constraint did to a trained model: compute once per model, then ask for any arc.

        attribution = Attribution(trainer, constraints, result.model.weights)
        arc = attribution.of_arc(sentence, head, modifier, against=other_head)
        for c in arc.strongest: constraints[c].name, arc.contributions[c], arc.shares[c]
        attribution.flips(c)

    Parameters
    ----------
    trainer : GETrainer
        Of the text that the model was trained on.
    constraints : sequence of Constraint
        Those it was trained with.
    weights : ndarray of shape (F,)
        The solution.
    trees : Treebank or int array, optional
        As given to ``GETrainer.train``.
    cancel : callable, optional
        Asked between products while the Jacobian is made; true raises Cancelled.

    Attributes
    ----------
    expectations, slopes : ndarrays of shape (C,)
        Each constraint's share, and the derivative of its weighted penalty by it.
    tree_pull : ndarray of shape (F,)
        The part of the weights that known trees and brackets account for, in nats.
    jacobian : ndarray of shape (C, F)
        dE_c / dweights.

    Raises
    ------
    ConstraintError : no constraints, or one that matches nothing.
    WorkbenchError : weights of another model.

    Notes
    -----
    To make one takes a pass over the text. Each arc that is asked for takes one covariance product, O(sum of n^3),
    whatever the number of constraints. So does each constraint whose flips are asked for. Redundancy needs the whole
    Jacobian: C products once, 8 C F bytes; arcs are a look-up from then on.
    """

    def __init__(
        self, trainer: GETrainer, constraints: Sequence[Constraint], weights: np.ndarray, *,
        trees: Treebank | np.ndarray | None = None, cancel: Cancel | None = None,
    ):  # fmt: skip
        self.trainer, self.constraints, self._cancel = trainer, tuple(constraints), cancel
        self.weights = np.array(weights, dtype=np.float64)
        count = len(trainer.model.trained_index())
        if self.weights.shape != (count,):
            raise WorkbenchError(
                f"the model has {count} features, but weights of shape {self.weights.shape} came; "
                "give the weights that were trained on this text"
            )
        self.objective = trainer.objective(self.constraints, trees)
        self.matches, self._arc_features = self.objective.arcs.only.matches, trainer.arc_features
        self._scores = trainer.scores(self.weights)
        self._sums = trainer.model.distribution.sums(self._scores, trainer.threads)
        self._marginals = self._sums.marginals
        self.expectations = shares(self.matches, self._marginals)
        self.slopes = self.objective.targets.slopes(self.expectations)
        self.tree_pull = -trainer.settings.variance * self.objective.known_gradient(self.weights)
        self._without = {}
        self._gradients = np.empty((len(self.constraints), len(self.weights)))
        self._made = np.zeros(len(self.constraints), dtype=np.bool_)

    @property
    def jacobian(self) -> np.ndarray:
        """dE_c / dweights: (C, F)."""
        for c in range(len(self.constraints)):
            if self._cancel is not None and self._cancel():
                raise Cancelled
            self._gradient(c)
        return self._gradients

    def _gradient(self, c):
        """Row c of the Jacobian, made when it is first asked for."""
        if not self._made[c]:
            direction = np.zeros(len(self._scores.values))
            direction[self.matches.of(c)] = 1 / self.objective.targets.denominators[c]
            change = self._sums.covariance(self._scores.like(direction))
            self._gradients[c] = self._arc_features.expectations(change.values, self.trainer.threads)
            self._made[c] = True
        return self._gradients[c]

    def of_arc(self, sentence: int, head: int, modifier: int, against: int | None = None) -> ArcAttribution:
        """The ArcAttribution of an arc, or of its lead over the same word's arc from head ``against``.

        Parameters
        ----------
        sentence : int
            Index in the text.
        head, modifier, against : int
            Words from 1; head 0 is the root.

        Raises
        ------
        WorkbenchError : there is no such arc.

        Notes
        -----
        One covariance product of the text, or none once the Jacobian is there.
        """
        arc = self._arc(sentence, head, modifier)
        features = np.zeros(len(self.weights))
        np.add.at(features, self._arc_features.of_arc(arc), 1.0)
        if against is not None:
            np.subtract.at(features, self._arc_features.of_arc(self._arc(sentence, against, modifier)), 1.0)
        score, trees = float(features @ self.weights), float(features @ self.tree_pull)
        if self._made.all():
            used = np.flatnonzero(features)
            rates = self._gradients[:, used] @ features[used]  # of the shares, as the weights move along the features
        else:
            moved = self._arc_features.scores(features, self.trainer.threads)
            rates = shares(self.matches, self._sums.covariance(moved))
        contributions = -self.trainer.settings.variance * self.slopes * rates
        residual = score - trees - float(contributions.sum())
        return ArcAttribution(score, contributions, trees, residual, float(self._marginals.values[arc]))

    def flips(self, c: int) -> HeadChanges:
        """The HeadChanges of constraint c: the best trees with all pulls against those without its own.

        The other constraints' pulls stay as they are; ``core.constraints.authoring.redundancy`` asks what they would
        become. A covariance product and two decodings of the text the first time; kept.
        """
        if c not in self._without:
            pull = -self.trainer.settings.variance * self.slopes[c] * self._gradient(c)
            scores = self._arc_features.scores(pull, self.trainer.threads).values
            self._without[c] = self._heads(self._scores.like(self._scores.values - scores))
        if None not in self._without:
            self._without[None] = self._heads(self._scores)
        heads, without = self._without[None], self._without[c]
        rows = np.flatnonzero(heads.values != without.values)
        sentences = np.searchsorted(heads.offsets, rows, side="right") - 1
        modifiers = rows - heads.offsets[sentences]
        sides = np.diff(heads.offsets)[sentences]
        with_pull = heads.values[rows].astype(np.int64)
        arcs = self._scores.offsets[sentences] + with_pull * sides + modifiers
        own = np.isin(arcs, self.matches.of(c))
        return HeadChanges(sentences, modifiers, with_pull, without.values[rows].astype(np.int64), own)

    def _heads(self, scores):
        return self.trainer.model.distribution.best(scores, threads=self.trainer.threads)

    def _arc(self, sentence, head, modifier):
        offsets = self._scores.offsets
        if not 0 <= sentence < len(offsets) - 1:
            raise WorkbenchError(f"there is no sentence {sentence}; the text has {len(offsets) - 1}")
        side = int(self._arc_features.sides[sentence])
        if not (0 <= head < side and 1 <= modifier < side and head != modifier):
            raise WorkbenchError(
                f"sentence {sentence} has no arc {head} -> {modifier}; heads are 0 (root)..{side - 1}, modifiers "
                f"1..{side - 1}, and no word heads itself"
            )
        return int(offsets[sentence]) + head * side + modifier


def shares(matches: Matches, marginals: PackedScores) -> np.ndarray:
    """The share of each constraint of a Matches under arc marginals (PackedScores): float64 (C,), 0 without any."""
    return matches.mass(marginals) / np.maximum(matches.denominators, 1)
