"""A log-linear distribution over the dependency trees of a sentence, and its training from trees.

``p(tree | sentence)`` is proportional to the exponential of the sum of the weights of all features of all its arcs
(druck2009 section 3.2). Trained here from complete trees; ``core.constraints.train_ge`` trains it from constraints.
"""

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.callbacks import Cancel
from core.errors import FormatError, WorkbenchError
from core.features import ArcFeatures, FeatureIndex, extract_features, index_features
from core.offsets import all_of_each
from core.parsers.constrained_completion import contradicting_arcs
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.held_arcs import several_around
from core.parsers.optimize import Progress, minimize
from core.parsers.scores import ParserScores
from core.parsers.weights import as_model, load_arrays, save_arrays, text_tuple
from core.treebank import Treebank
from core.treebank.statistics import non_projective
from core.trees import PackedHeads, PackedScores, PackedTrees

KIND = "tree-crf"


class TreeCRF:
    """An edge-factored conditional random field over trees.

    Parameters
    ----------
    features : {"full", "restricted", "lexicalized"}
        Feature set (``core.features.templates``).
    tags : {"xpos", "upos", None}
        Tag column to read; None takes the filled one.
    minimum_count : int, default=1
        Drop features that occur on fewer possible arcs of the training text.
    projective : bool, default=False
        Distribute over projective trees only.
    single_root : bool, default=True
        Exactly one word attached to the root.
    covariance : {"exact", "approximate", "pairwise"}
        How training from constraints computes the covariance of arcs (``TreeDistribution``).
    decoding : {"best", "projective", "posterior"}
        Which tree ``parse`` returns (``TreeDistribution``).
    variance : float, default=10
        Variance of the Gaussian prior on weights (druck2009, footnote 3).

    Attributes
    ----------
    index : FeatureIndex or None
        Known after training.
    weights : ndarray of shape (F,), dtype float64, in nats
    """

    def __init__(
        self,
        features: str = "full",
        *,
        tags: str | None = None,
        minimum_count: int = 1,
        projective: bool = False,
        single_root: bool = True,
        covariance: str = "exact",
        decoding: str = "best",
        variance: float = 10.0,
    ):
        if not variance > 0:
            raise WorkbenchError(f"the prior's variance must be positive, got {variance}")
        self.features, self.tags, self.minimum_count = features, tags, minimum_count
        self.distribution = TreeDistribution(projective, single_root, covariance, decoding)
        self.variance = float(variance)
        self.index: FeatureIndex | None = None
        self.weights = np.zeros(0)  # none yet

    def prepare(self, treebank: Treebank) -> ArcFeatures:
        """Index the features of a training text; returns its ArcFeatures and sets all weights to zero."""
        self.index, arc_features = index_features(treebank, self.features, self.tags, self.minimum_count)
        self.weights = np.zeros(len(self.index))
        return arc_features

    def fit(
        self,
        treebank: Treebank,
        *,
        tolerance: float = 1e-5,
        max_evaluations: int = 200,
        progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
        threads: int | None = None,
    ) -> "TreeCRF":
        """Maximise the log-likelihood of the treebank's trees under the Gaussian prior.

        Trees the distribution gives no probability (several roots, non-projective arcs) and sentences without
        complete trees are left out; ``skipped`` counts them.

        Returns
        -------
        TreeCRF
            This object; ``optimum`` holds how the search ended.

        Raises
        ------
        WorkbenchError : no sentence is left to train on.

        Notes
        -----
        One evaluation costs O(sum of n^3). The gradient is expected minus observed feature counts
        (druck2009 section 3.1).
        """
        usable = trainable(treebank, self.distribution)
        self.skipped = int(len(treebank) - usable.sum())
        if not usable.any():
            raise WorkbenchError(
                f"none of the {len(treebank)} sentences has a complete tree to train on; give trees, or constraints"
            )
        treebank = treebank if usable.all() else treebank.select(np.flatnonzero(usable))
        arc_features = self.prepare(treebank)
        gold = gold_arcs(treebank, arc_features.arc_offsets)
        observed = arc_features.expectations(gold, threads)

        def objective(weights):
            scores = arc_features.scores(weights, threads)
            log_partitions, marginals = self.distribution.marginals(scores, threads=threads)
            value = log_partitions.sum() - weights @ observed + weights @ weights / (2 * self.variance)
            gradient = arc_features.expectations(marginals.values, threads) - observed + weights / self.variance
            return value, gradient, {}

        self.optimum = minimize(
            objective,
            self.weights,
            tolerance=tolerance,
            max_evaluations=max_evaluations,
            progress=progress,
            cancel=cancel,
        )
        self.weights = self.optimum.weights
        return self

    def scores(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        """Arc scores in nats: PackedScores over the treebank's sentences."""
        return extract_features(treebank, self.trained_index()).scores(self.weights, threads)

    def score(self, treebank: Treebank) -> ParserScores:
        """Scores as ParserScores, which say which trees compete."""
        return ParserScores(self.scores(treebank), projective=self.distribution.projective)

    def marginals(
        self, treebank: Treebank, threads: int | None = None, votes: np.ndarray | None = None
    ) -> tuple[np.ndarray, PackedScores]:
        """(log-partitions float64 (S,), arc marginals PackedScores); ``votes`` float64 (A,) are added to the scores."""
        scores = self.scores(treebank, threads)
        scores = scores if votes is None else scores.like(scores.values + votes)
        return self.distribution.marginals(scores, threads=threads)

    def best_heads(self, treebank: Treebank, threads: int | None = None) -> PackedHeads:
        """Heads of the most probable trees: PackedHeads."""
        return self.distribution.best(self.scores(treebank, threads), threads=threads)

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree replaced by the most probable one; relations become "root" and "dep"."""
        return with_trees(treebank, self.best_heads(treebank, threads).values)

    def completed_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        scores = self.scores(treebank, threads)
        scores.values[contradicting_arcs(treebank.heads, treebank.lengths + 1, scores.offsets)] = -np.inf
        return self.distribution.best(scores, threads, errors="mark").values

    def completed_kbest(self, treebank: Treebank, k: int, threads: int | None = None) -> PackedTrees:
        return several_around(self.scores(treebank, threads), treebank.heads, k, threads)

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the parser to an ``.npz`` file: weights, feature keys, and its settings as JSON. No pickle."""
        index = self.trained_index()
        settings = {
            "features": self.features,
            "tags": index.tag_column,
            "minimum_count": self.minimum_count,
            "projective": self.distribution.projective,
            "single_root": self.distribution.single_root,
            "covariance": self.distribution.covariance,
            "decoding": self.distribution.decoding,
            "variance": self.variance,
            "vocabulary": {"tags": list(index.tags), "forms": list(index.forms)},
        }
        save_arrays(path, KIND, settings, weights=self.weights, keys=index.keys)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "TreeCRF":
        """Read a parser that ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required={"weights": "f1", "keys": "u1"})
        with as_model(path):
            vocabulary = settings.pop("vocabulary")
            model = cls(**settings)
            tags, forms = text_tuple(vocabulary["tags"]), text_tuple(vocabulary["forms"])
            model.index = FeatureIndex(settings["features"], settings["tags"], tags, forms, arrays["keys"])
            if len(arrays["keys"]) != len(arrays["weights"]) or settings["tags"] not in ("upos", "xpos"):
                raise FormatError("it has other features than weights; save it again")
            switches = {type(settings[name]) for name in ("projective", "single_root")}
            if not model.index.templates or switches != {bool}:
                raise TypeError("settings")
            model.weights = arrays["weights"].astype(np.float64)
            return model

    def with_weights(self, weights: np.ndarray) -> "TreeCRF":
        """A copy of this parser with other weights."""
        other = copy(self)
        other.weights = weights
        return other

    def trained_index(self) -> FeatureIndex:
        """The features; WorkbenchError where none have been learnt."""
        if self.index is None:
            raise WorkbenchError("this parser has not been trained yet; call fit, or train it with constraints")
        return self.index


def trainable(treebank: Treebank, distribution: TreeDistribution) -> np.ndarray:
    """bool (S,): sentences whose tree is complete and has positive probability under the distribution."""
    usable = all_of_each((treebank.heads >= 0) | ~treebank.is_word, treebank.offsets)
    if distribution.single_root:
        usable &= treebank.single_rooted()
    if distribution.projective:
        usable &= ~non_projective(treebank.offsets, treebank.heads)
    return usable


def gold_arcs(treebank: Treebank, arc_offsets: np.ndarray) -> np.ndarray:
    """float64 (A,): 1 at the arcs of the treebank's trees, in the packed layout."""
    arcs = np.zeros(arc_offsets[-1])
    sides = treebank.lengths + 1
    sentence, modifier = treebank.sentence_rows, treebank.numbers
    known = treebank.heads >= 0
    places = arc_offsets[sentence] + treebank.heads.astype(np.int64) * sides[sentence] + modifier
    arcs[places[known]] = 1.0
    return arcs


def with_trees(treebank: Treebank, heads: np.ndarray) -> Treebank:
    """The treebank with other heads and, since they come without relations, "root" and "dep" where there is a head."""
    relations = np.where(heads == 0, "root", np.where(heads > 0, "dep", ""))
    return treebank.with_heads(heads, relations.tolist())
