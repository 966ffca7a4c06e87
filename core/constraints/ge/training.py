"""Training a tree CRF from generalized-expectation constraints (druck2009).

Each constraint c names candidate arcs and a target; E_c, the model's expectation, is the sum of the candidates'
marginals over the constraint's denominator. The objective to minimise is

    sum_c weight_c * penalty(E_c, target_c)  +  |weights|^2 / (2 * variance),

with the squared distance to the target as penalty (eq. 1) or another score of ``penalties.py``, zero inside a target
that is a range. Its derivative by the arc scores is H v, H the covariance of the arcs and v one direction per sentence,

    v[h, m] = sum over c that match h -> m of weight_c * penalty'(E_c, target_c) / denominator_c,

whatever the number of constraints; H v is the derivative of the marginals along v
(``trees.matrix_tree_covariance``), so an evaluation costs two passes over the corpus.

Beside them may stand minus the log-likelihood of known trees, and minus the mean log-probability that the trees of
marked sentences respect their mark-up. These are spitkovsky2010's brackets in a model that is not the paper's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.ge.objective import BracketTerm, MatchedArcs, Objective, Targets, TreeTerm
from core.constraints.ge.settings import GESettings
from core.constraints.ge.shards import ArcSentences, GEText
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher, choose_tag_column
from core.errors import ConstraintError, WorkbenchError
from core.features import ArcFeatures, extract_features
from core.markup.marked import marked_sentences
from core.parsers.crf.bracketed import BracketedSums
from core.parsers.crf.tree_crf import TreeCRF, with_trees
from core.parsers.optimize import Checkpoint, Optimum, Progress, minimize
from core.settings import of_paper
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.treebank.statistics import non_projective
from core.trees import Bracket, PackedScores
from core.trees.brackets import PackedBrackets

# "best" was chosen on short sentences of English web text, Spanish, Dutch and Turkish with 20 and 30 oracle
# constraints: strength 10 gains 4.1 points of accuracy in the mean over the paper's 1, and 30 or 100 no more;
# dropping features that occur on one arc only costs 0.2 points and saves two thirds of the parameters. The best tree
# without crossing arcs gains 0.4 points (English, German, Spanish, Turkish: 0 to 1.0); a language with many of them, as
# Dutch, loses half a point. With hundreds of constraints on long sentences more is to be had: ``for_trees``.
# "text" is for text without trees, in a language that is not known for crossing arcs: projective, the trees with the
# most right heads expected, learnt on sentences of at most ``TEXT_LENGTH`` words. From 25 lines of a manual it is right
# on 63.2% of the heads of the WSJ sample at all lengths, "best" on sentences of ten words on 57.6%.
PRESETS = {
    "paper": of_paper(GESettings()),
    "best": GESettings(),
    "text": GESettings(projective=True, decoding="posterior"),
}
TEXT_LENGTH = 20
CROSSING = 0.1  # of the sentences: up to here a language counts as nearly projective


def for_trees(settings: GESettings, treebank: Treebank) -> GESettings:
    """Settings for many constraints on long sentences, by what trees of that language look like.

    Where at most ``CROSSING`` of the treebank's sentences have crossing arcs, training is on projective trees. Over
    sentences of at most 20 words of English, German, Spanish, Bulgarian, Turkish, Chinese and Japanese that gains 2.1
    points in the mean over training on all trees. The trees with the most right heads expected gain 0.8 over the most
    probable ones.
    """
    share = float(non_projective(treebank.offsets, treebank.heads).mean()) if len(treebank) else 0.0
    return replace(settings, projective=share <= CROSSING, decoding="posterior")


@dataclass(frozen=True, eq=False)
class GEResult:
    """A trained parser and how it came about.

    Attributes
    ----------
    model : TreeCRF
    expectations : ndarray of shape (C,)
        The model's share for each constraint, in the units of its target; 0 for one of ``skipped``.
    optimum : Optimum
    trace : list of dict
        Per iteration: ``iteration``, ``evaluations``, ``value``, ``seconds``, ``expectations``.
    seconds : float
        Training alone, without indexing.
    indexing_seconds : float
        What indexing the text took when it was first seen.
    bracket_levels : dict of str to int
        How many marked sentences were held at which level; empty where no brackets were asked for.
    skipped : tuple of Constraint
        Constraints that match nothing in the text, and were left out.
    """

    model: TreeCRF
    expectations: np.ndarray
    optimum: Optimum
    trace: list = field(repr=False)
    seconds: float
    indexing_seconds: float = 0.0
    bracket_levels: dict = field(default_factory=dict)
    skipped: tuple = ()

    @property
    def status(self) -> str:
        """ "converged", "stopped" (evaluations used up) or "cancelled"."""
        return self.optimum.status


class GETrainer:
    """A text prepared for training: keep it while constraints are edited, so that only what changed is redone.

    Parameters
    ----------
    text : Treebank, or Shards
        Its heads are not read; the ``# markup`` comments of a Treebank are, if the settings ask for brackets.
    settings : GESettings
    threads : int, optional
    brackets : list of lists of Bracket, optional
        One entry a sentence of a Treebank, in place of those of the comments.
    engine : Engine, optional
        Works on the shards; this process by default.
    longest : int, optional
        Sentences of at most so many words.
    punctuation : bool
        False leaves it out.

    Raises
    ------
    WorkbenchError : no tags; no sentence to train on; brackets asked for of shards.
    """

    def __init__(
        self, text: Treebank | Shards, settings: GESettings = PRESETS["best"], threads: int | None = None,
        brackets: Sequence[Sequence[Bracket]] | None = None, *, engine: Engine | None = None,
        longest: int | None = None, punctuation: bool = True,
    ):  # fmt: skip
        self.settings, self.threads = settings, threads
        self.model = TreeCRF(
            settings.features,
            tags=settings.tags,
            minimum_count=settings.minimum_count,
            projective=settings.projective,
            single_root=settings.single_root,
            covariance=settings.covariance,
            decoding=settings.decoding,
            variance=settings.variance,
        )
        self.text = GEText(text, settings, self.model.distribution, threads, engine, longest, punctuation)
        self.model.index, self.model.weights = self.text.model.index, np.zeros(len(self.text.model.index))
        self._brackets, self._bracket_sums = brackets, None  # the sums are made when first asked for

    def train(
        self, constraints: Sequence[Constraint], *, trees: Treebank | np.ndarray | None = None,
        start: np.ndarray | Checkpoint | None = None, progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> GEResult:  # fmt: skip
        """Fit the weights to the constraints.

        Parameters
        ----------
        constraints : list of Constraint
        trees : Treebank or int array of shape (rows,), optional
            Known heads to learn from as well: those of another treebank, or of this text (-1 where unknown).
        start : ndarray of shape (F,) or Checkpoint, optional
            Weights to begin from, the last solution after an edit; zeros by default. A Checkpoint of a progress
            callback goes on to the same bits.
        progress : callable, optional
            Called with a Progress after each iteration; its ``details["expectations"]`` is an array (C,).
        cancel : callable, optional
            Asked before each evaluation; True ends the search at the best point so far.

        Returns
        -------
        GEResult

        Raises
        ------
        ConstraintError : no constraints, or none that matches anything; single ones that do not are left out.
        WorkbenchError : known heads that form a cycle or leave their sentence; brackets asked for and none there.
        InfeasibleError : known heads that no tree has, such as two roots.

        Notes
        -----
        An evaluation costs O(sum of n^3), twice; for shards, where weights and features travel twice, three times.
        """
        objective, trace = self.objective(constraints, trees), []

        def record(state):
            trace.append(
                {
                    "iteration": state.iteration,
                    "evaluations": state.evaluations,
                    "value": float(state.value),
                    "seconds": state.seconds,
                    "expectations": state.details["expectations"].tolist(),
                }
            )
            if progress is not None:
                progress(state)

        optimum = minimize(
            objective,
            np.zeros(len(self.model.trained_index())) if start is None else start,
            tolerance=self.settings.tolerance,
            max_evaluations=self.settings.max_evaluations,
            progress=record,
            cancel=cancel,
        )
        targets, brackets = objective.targets, objective.brackets
        return GEResult(
            self.model.with_weights(optimum.weights), objective.expectations(optimum.weights), optimum, trace,
            optimum.seconds, self.text.seconds, {} if brackets is None else brackets.sums.fallbacks(),
            tuple(targets.constraints[c] for c in np.flatnonzero(~targets.matched).tolist()),
        )  # fmt: skip

    def objective(self, constraints: Sequence[Constraint], trees: Treebank | np.ndarray | None = None) -> Objective:
        """What ``train`` minimises. Raises as ``train`` does."""
        if not constraints:
            raise ConstraintError("there is no constraint to train on; write at least one")
        constraints, brackets = tuple(constraints), self._bracket_term()
        denominators = self.text.texts.sum(ArcSentences.denominators, constraints)
        if not denominators.any():
            raise ConstraintError("no line matches two words of this text; see whether its tags are those of the lines")
        tree_term, targets = self._tree_term(trees), Targets(constraints, denominators, self.settings)
        arcs = self.text.arcs.then(MatchedArcs.of, constraints, brackets)
        return Objective(arcs, targets, self.settings.variance, brackets, tree_term)

    @property
    def treebank(self) -> Treebank:
        """The text, where it is in memory."""
        assert self.text.treebank is not None  # shards are refused where it is needed
        return self.text.treebank

    @property
    def matcher(self) -> Matcher:
        """The Matcher of a text in memory."""
        return self.text.texts.only.matcher

    @property
    def arc_features(self) -> ArcFeatures:
        """The features of the arcs of a text in memory."""
        return self.text.arcs.only.features

    def scores(self, weights: np.ndarray) -> PackedScores:
        """Arc scores of the text under weights: PackedScores."""
        return self.arc_features.scores(weights, self.threads)

    def parse(self, weights: np.ndarray) -> Treebank:
        """The text with the most probable trees under weights."""
        heads = self.model.distribution.best(self.scores(weights), threads=self.threads)
        return with_trees(self.treebank, heads.values)

    def _tree_term(self, trees):
        if trees is None:
            return None
        if isinstance(trees, Treebank):
            features, heads = extract_features(trees, self.model.trained_index()), trees.heads
        elif self.text.treebank is not None:
            features, heads = self.arc_features, checked_heads(self.treebank.offsets, trees)
        else:
            raise WorkbenchError("known heads are of a text in memory; for shards give trees of another text")
        settings = self.settings
        return TreeTerm(
            features, heads, self.model.distribution, settings.complete_weight, settings.partial_weight, self.threads
        )

    def _bracket_term(self):
        settings, distribution = self.settings, self.model.distribution
        if settings.brackets == "none":
            return None
        if self._bracket_sums is None:
            brackets = PackedBrackets.from_lists(marked_sentences(self.treebank, self._brackets))
            if not len(brackets.starts):
                raise WorkbenchError(
                    "this text has no mark-up to respect; give one with # markup comments, or leave brackets out"
                )
            self._bracket_sums = BracketedSums(
                self.treebank.lengths, brackets, settings.brackets, distribution.projective, distribution.single_root,
                self.threads,
            )  # fmt: skip
        return BracketTerm(self._bracket_sums, settings.brackets_weight)


def train_ge(
    treebank: Treebank | Shards, constraints: Sequence[Constraint], *, settings: GESettings | None = None,
    preset: str = "best", trees: Treebank | np.ndarray | None = None, start: np.ndarray | Checkpoint | None = None,
    progress: Callable[[Progress], object] | None = None, cancel: Cancel | None = None, threads: int | None = None,
    engine: Engine | None = None,
) -> GEResult:  # fmt: skip
    """Train a TreeCRF on unparsed sentences from constraints: ``GETrainer`` in one call.

    Parameters
    ----------
    treebank : Treebank, or Shards
    constraints : list of Constraint
    settings : GESettings, optional
        Overrides ``preset``, which is "best" (default) or "paper". Without ``tags`` the column is the one that
        ``choose_tag_column`` finds.
    trees, start, progress, cancel
        As in ``GETrainer.train``; for shards ``trees`` are of another text.
    engine : Engine, optional
        Works on the shards; this process by default.

    Returns
    -------
    GEResult
    """
    settings = settings or PRESETS[preset]
    settings = replace(settings, tags=choose_tag_column(constraints, treebank, settings.tags))
    return GETrainer(treebank, settings, threads, engine=engine).train(
        constraints, trees=trees, start=start, progress=progress, cancel=cancel
    )
