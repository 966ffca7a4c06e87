"""The features of every possible arc of a corpus, as two small sparse matrices.

arc -> groups -> features. Arcs that agree in what a template reads share a group. A group stands for all of the
template's variants, so a corpus takes a few integers an arc rather than several dozen: with weights w the arc scores
are A (B w), with A the arcs' groups and B the groups' features, and a gradient goes back the same way.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.features import kernels
from core.features.index import FeatureIndex
from core.offsets import offsets_of
from core.threads import run_ranges
from core.treebank import Treebank
from core.trees.packed import PackedScores


@dataclass(frozen=True, eq=False)
class ArcFeatures:
    """Features of all arcs of S sentences, in the packed layout of ``PackedScores``.

    Attributes
    ----------
    sides : ndarray of shape (S,), dtype int64
        n + 1 of each sentence.
    arc_offsets : ndarray of shape (S + 1,), dtype int64
        Sentence i owns arcs ``arc_offsets[i]`` to ``arc_offsets[i + 1] - 1``, row (head) by row.
    group_offsets, groups : int64 (A + 1,), int32
        Arc a belongs to ``groups[group_offsets[a]:group_offsets[a + 1]]``; self-loops and column 0 to none.
    feature_offsets, features : int64 (G + 1,), int32
        Group g holds ``features[feature_offsets[g]:feature_offsets[g + 1]]``.
    feature_count : int
    """

    sides: np.ndarray
    arc_offsets: np.ndarray
    group_offsets: np.ndarray
    groups: np.ndarray
    feature_offsets: np.ndarray
    features: np.ndarray
    feature_count: int

    @property
    def group_count(self) -> int:
        return len(self.feature_offsets) - 1

    def scores(self, weights: np.ndarray, threads: int | None = None) -> PackedScores:
        """Arc scores under ``weights``, float64 (F,): a PackedScores, 0 on column 0 and the diagonal.

        O(groups of all arcs + features of all groups).
        """
        of_groups = np.empty(self.group_count)
        kernels.sum_over(
            np.asarray(weights, dtype=np.float64), self.feature_offsets, self.features, 0, len(of_groups), of_groups
        )
        values = np.empty(self.arc_offsets[-1])

        def work(begin: int, end: int):
            arcs = self.arc_offsets[begin], self.arc_offsets[end]
            kernels.sum_over(of_groups, self.group_offsets, self.groups, *arcs, values)

        run_ranges(work, np.diff(self.arc_offsets), threads)
        return PackedScores(values, self.arc_offsets)

    def expectations(self, arc_values: np.ndarray, threads: int | None = None) -> np.ndarray:
        """Sum over arcs of ``arc_values[a]`` times the arc's features: float64 (F,).

        With marginals these are expected feature counts; with the derivative of an objective by arc scores,
        its gradient by weights. The transpose of ``scores``; same cost.
        """
        arc_values = np.asarray(arc_values, dtype=np.float64)

        def work(begin: int, end: int):
            part = np.zeros(self.group_count)
            arcs = self.arc_offsets[begin], self.arc_offsets[end]
            kernels.add_over(arc_values, self.group_offsets, self.groups, *arcs, part)
            return part

        of_groups = sum(run_ranges(work, np.diff(self.arc_offsets), threads), np.zeros(self.group_count))
        total = np.zeros(self.feature_count)
        kernels.add_over(of_groups, self.feature_offsets, self.features, 0, len(of_groups), total)
        return total

    def counts(self) -> np.ndarray:
        """float64 (F,): on how many possible arcs each feature occurs."""
        return self.expectations(np.ones(self.arc_offsets[-1]))

    def of_arc(self, arc: int) -> np.ndarray:
        """Sorted ids of the features of one arc, a position in the packed layout."""
        groups = self.groups[self.group_offsets[arc] : self.group_offsets[arc + 1]]
        parts = [self.features[self.feature_offsets[g] : self.feature_offsets[g + 1]] for g in groups]
        return np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int32)


Grouped = tuple[ArcFeatures, np.ndarray]


def index_features(
    treebank: Treebank, feature_set: str = "full", tags: str | None = None, minimum_count: int = 1
) -> tuple[FeatureIndex, ArcFeatures]:
    """Index all features of all possible arcs of a treebank.

    Parameters
    ----------
    treebank : Treebank
    feature_set : {"restricted", "full", "lexicalized"}
    tags : {"xpos", "upos", None}
        Tag column to read; None takes the filled one.
    minimum_count : int, default=1
        Features that occur on fewer possible arcs are dropped (druck2009 section 6, footnote 10, uses 10).

    Returns
    -------
    index : FeatureIndex
        What each feature is; applies to other treebanks through ``extract_features``.
    arc_features : ArcFeatures

    Raises
    ------
    WorkbenchError : an unknown feature set, or no tags.

    Notes
    -----
    O(groups of all arcs), in practice about ten an arc.
    """
    column, counts = treebank.tag_name(tags), treebank.tag_column(tags).counts()
    index = FeatureIndex.counted(feature_set, column, counts, treebank.form.counts())
    arc_features, keys, features = _every_feature(group_arcs(treebank, index), index)
    if minimum_count <= 1:
        return index.with_keys(keys), arc_features
    frequent = arc_features.counts() >= minimum_count
    index = index.with_keys(keys[frequent])
    new_ids = np.where(frequent, np.cumsum(frequent) - 1, -1).astype(np.int32)
    return index, _with_features(arc_features, np.where(features < 0, -1, new_ids[features]), len(index))


def count_features(grouped: Grouped, index: FeatureIndex) -> tuple[np.ndarray, np.ndarray]:
    """(keys of all features in order of first occurrence, uint64 (F,), on how many possible arcs they occur, (F,)).

    ``grouped`` are a treebank's arcs, as ``group_arcs`` gives them.
    """
    arc_features, keys, _ = _every_feature(grouped, index)
    return keys, arc_features.counts()


def extract_features(treebank: Treebank, index: FeatureIndex, grouped: Grouped | None = None) -> ArcFeatures:
    """The arcs' features of a treebank under an index made elsewhere; unseen features are left out.

    ``grouped`` are its arcs by the index's symbols, where ``group_arcs`` gave them before.
    """
    arc_features, group_keys = grouped or group_arcs(treebank, index)
    features = np.full((len(group_keys), index.most_variants), -1, dtype=np.int32)
    table, slots = kernels.table_of(index.keys)
    kernels.lookup_features(group_keys, index.masks(), table, slots, features)
    return _with_features(arc_features, features, len(index))


def group_arcs(treebank: Treebank, index: FeatureIndex) -> Grouped:
    """Arcs' groups (an ArcFeatures still without features) and each group's key. The index's symbols alone matter."""
    fields, widths = index.template_arrays()
    tag_symbols, form_symbols = index.symbols(treebank)
    sides = treebank.lengths + 1
    arc_offsets = offsets_of(sides**2)
    group_offsets = np.zeros(arc_offsets[-1] + 1, dtype=np.int64)
    rows = treebank.offsets

    def count(begin, end):
        kernels.count_groups(rows, arc_offsets, tag_symbols, index.symbol_count, fields, begin, end, group_offsets)

    run_ranges(count, np.diff(arc_offsets))
    np.cumsum(group_offsets, out=group_offsets)
    groups = np.empty(group_offsets[-1], dtype=np.int32)
    keys = kernels.fill_groups(
        rows, arc_offsets, (tag_symbols, form_symbols), index.symbol_count, fields, widths, group_offsets, groups
    )
    empty = np.zeros(1, dtype=np.int64)
    return ArcFeatures(sides, arc_offsets, group_offsets, groups, empty, groups[:0], 0), keys


def _with_features(arc_features, features, feature_count):
    """``features`` int32 (G, V), -1 where a group has no such feature, as rows of a sparse matrix."""
    present = features >= 0
    offsets = offsets_of(present.sum(axis=1))
    ids = np.ascontiguousarray(features[present], dtype=np.int32)
    return replace(arc_features, feature_offsets=offsets, features=ids, feature_count=feature_count)


def _every_feature(grouped, index):
    """ArcFeatures with all features, their keys in order of first occurrence, and the (G, V) matrix of their ids."""
    arc_features, group_keys = grouped
    features = np.full((len(group_keys), index.most_variants), -1, dtype=np.int32)
    keys = kernels.index_features(group_keys, index.masks(), features)
    return _with_features(arc_features, features, len(keys)), keys, features
