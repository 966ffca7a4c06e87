"""The kinds of tree distribution a log-linear parser can use: non-projective or projective, one root or several."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core import trees
from core.errors import WorkbenchError
from core.trees import PackedBrackets, PackedHeads, PackedScores
from core.trees.respecting import arc_decoder, respecting_trees

COVARIANCES = ("exact", "approximate", "pairwise")
DECODINGS = ("best", "projective", "posterior")


class ArcSums(Protocol):
    """Log-partitions (S,) and marginals of a corpus, to be asked for covariances and updated in place."""

    log_partitions: np.ndarray
    marginals: PackedScores

    def update(self, scores: PackedScores) -> "ArcSums":
        """Take new scores of the same layout; returns self."""
        ...

    def covariance(self, direction: PackedScores) -> PackedScores:
        """The marginals' derivative along a direction."""
        ...


@dataclass(frozen=True)
class TreeDistribution:
    """Which trees are summed over, and how the covariance of arcs is computed.

    Attributes
    ----------
    projective : bool
        Sum over projective trees (inside-outside) instead of all (Matrix-Tree).
    single_root : bool
        Exactly one word attached to the root.
    covariance : {"exact", "approximate", "pairwise"}
        Exact in O(n^3) (``matrix_tree_covariance``); druck2009's O(n^3) approximation; or its O(n^5) pairwise method.
        The last two are for non-projective trees.
    decoding : {"best", "projective", "posterior"}
        Which tree ``best`` returns: the most probable one, the most probable without crossing arcs, or the one with
        most right heads expected, the sum of its arcs' marginals.
    """

    projective: bool = False
    single_root: bool = True
    covariance: str = "exact"
    decoding: str = "best"

    def __post_init__(self):
        if self.covariance not in COVARIANCES:
            raise WorkbenchError(f"no covariance called {self.covariance!r}: choose one of {', '.join(COVARIANCES)}")
        if self.decoding not in DECODINGS:
            raise WorkbenchError(f"no decoding called {self.decoding!r}: choose one of {', '.join(DECODINGS)}")
        if self.projective and self.covariance != "exact":
            raise WorkbenchError("projective training computes the covariance exactly; leave covariance at 'exact'")

    def marginals(
        self, scores: PackedScores, threads: int | None = None, errors: str = "raise"
    ) -> tuple[np.ndarray, PackedScores]:
        """(log-partitions (S,), marginals PackedScores) of a PackedScores; ``errors`` as the decoders have it."""
        function = trees.inside_outside if self.projective else trees.matrix_tree
        return function(scores, single_root=self.single_root, threads=threads, errors=errors)

    def sums(self, scores: PackedScores, threads: int | None = None) -> ArcSums:
        """The ArcSums of a PackedScores."""
        if self.covariance == "exact" and not self.projective:
            return trees.TreeSums(scores, self.single_root, threads=threads)
        return _SeparateSums(scores, self, threads)

    def best(
        self, scores: PackedScores, threads: int | None = None, errors: str = "raise",
        brackets: PackedBrackets | None = None, level: str = "loose",
    ) -> PackedHeads:  # fmt: skip
        """The trees that ``decoding`` asks for: PackedHeads of a PackedScores; ``errors`` as the decoders have it.

        They respect the ``brackets`` of the same sentences if given, as in ``respecting_trees``.
        """
        if self.decoding == "posterior":
            marginals = self.marginals(scores, threads, errors)[1]
            scores = scores.like(np.where(scores.values == -np.inf, -np.inf, marginals.values))
        crossing = not self.projective and self.decoding != "projective"
        function = trees.maximum_spanning_tree if crossing else trees.eisner
        heads = function(scores, single_root=self.single_root, threads=threads, errors=errors)
        if brackets is None:
            return heads

        def decoder_of(sentence):
            return arc_decoder(scores[sentence], crossing, self.single_root)

        return PackedHeads(respecting_trees(heads, brackets, level, decoder_of, threads)[0], heads.offsets)


class _SeparateSums:
    """ArcSums whose covariances are computed from the scores, without the intermediate results of the marginals."""

    def __init__(self, scores, distribution, threads):
        self._distribution, self._threads = distribution, threads
        self.update(scores)

    def update(self, scores):
        self._scores = scores
        self.log_partitions, self.marginals = self._distribution.marginals(scores, self._threads)
        return self

    def covariance(self, direction):
        distribution = self._distribution
        if distribution.projective:
            function = trees.inside_outside_covariance
        else:  # druck2009, section 3.3
            pairwise = distribution.covariance == "pairwise"
            function = trees.pairwise_covariance if pairwise else trees.approximate_covariance
        return function(self._scores, direction, distribution.single_root, threads=self._threads)
