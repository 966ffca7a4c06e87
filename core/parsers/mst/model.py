"""The numbers of a trained graph-based parser: one table of hashed weights, with the tags and forms that it knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.features.packed import GRANDPARENT, SIBLING, PackedDense, PackedParts, PackedSparse, arc_offsets_of
from core.parsers.mst import kernels, label_kernels, update_kernels
from core.parsers.mst.features import Templates, word_fields
from core.parsers.mst.label_features import LabelTemplates
from core.parsers.scores import ParserScores
from core.parsers.tagger.features import KeyTable
from core.parsers.weights import as_model, delta_decode, load_arrays, save_arrays, text_tuple
from core.threads import run_ranges
from core.treebank import Treebank
from core.trees import PackedScores, PackedTriples, SurvivingArcs, max_marginals

KIND = "mst"
PLAIN = ("order", "projective", "features", "bits", "relations", "joint", "label_bits", "extra_count")
Extra = PackedSparse | PackedDense  # the caller's own features
ExtraOf = Extra | Callable[[Treebank], Extra]  # or what makes them of a text
NO_WEIGHTS = np.empty(0, np.float32)
NO_TREE = label_kernels.LabelledTree(np.empty(0, np.int32), np.empty(0, np.int16))
NO_FEATURES = update_kernels.ArcFeatures(
    np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.float32)
)
LONGEST = 200  # words of a sentence whose siblings are all scored: beyond, 65 MB and more
PRUNING = 0.5  # alpha of ``SurvivingArcs.above`` for long sentences
HEADS = 20  # a word on average, among which the tree of a long sentence is sought
MOST_UNKNOWN = 0.5  # a text of which more words have a tag that training never saw is in another tag set


@dataclass(frozen=True, eq=False)
class MSTModel:
    """A trained parser's numbers; never changes.

    Attributes
    ----------
    order : {1, 2, 3}
        Parts: arcs; siblings too; grandparents too.
    projective : bool
    features : str
        The feature set.
    bits : int
        The table has 2 ** bits numbers.
    tags : dict of str to tuple of str
        For each tag column that is read, the finer first, the tags that training saw.
    known_forms : KeyTable
    relations : tuple of str
        The L relations that training saw; empty for a parser without labels.
    joint : bool
        Whether a relation is chosen for every arc before a tree is; its score is then part of the arc's. Else relations
        are chosen in the finished tree.
    label_bits : int
        The table for relations has 2 ** label_bits + L numbers.
    extra_count : int
        Features that the caller added.
    weights : ndarray of shape (total,), dtype float32
        The table for trees; the one for relations, if there are any; a weight for each of the caller's features. Where
        relations are chosen arc by arc, one for each of these with each relation follows.
    """

    order: int
    projective: bool
    features: str
    bits: int
    tags: dict
    known_forms: KeyTable
    relations: tuple
    joint: bool
    label_bits: int
    extra_count: int
    weights: np.ndarray

    columns = property(lambda self: tuple(self.tags))
    mask = property(lambda self: (1 << self.bits) - 1)
    label_mask = property(lambda self: (1 << self.label_bits) - 1)
    first_label = property(lambda self: 1 << self.bits, doc="Where the table for relations begins.")
    first_extra = property(lambda self: self.first_label + self.label_size)
    first_extra_label = property(lambda self: self.first_extra + self.extra_count)

    @property
    def label_size(self) -> int:
        """Numbers in the table for relations."""
        return (1 << self.label_bits) + len(self.relations) if self.relations else 0

    @property
    def size(self) -> int:
        """Numbers in all."""
        rows = 1 + len(self.relations) if self.joint else 1
        return self.first_extra + rows * self.extra_count

    @property
    def label_weights(self) -> np.ndarray:
        """The table for relations, a view."""
        return self.weights[self.first_label : self.first_extra]

    @cached_property
    def table(self) -> kernels.Table:
        """Templates and weights that score trees."""
        used = self.templates
        return kernels.Table(
            used.arcs, used.between, used.pairs, used.triples, used.salts, self.weights, self.mask
        )  # fmt: skip

    @cached_property
    def label_table(self) -> label_kernels.Table:
        """Templates and weights that score relations."""
        used = self.label_templates
        parts = np.column_stack((used.parts, used.kinds))
        return label_kernels.Table(parts, used.salts, self.label_weights, self.label_mask, len(self.relations))

    @property
    def table_used(self) -> float:
        """The share of the table for trees that is not zero: the fuller, the more features share a place."""
        return float(np.count_nonzero(self.weights[: self.first_label]) / self.first_label)

    @cached_property
    def label_templates(self) -> LabelTemplates:
        """Templates of the features of relations."""
        return LabelTemplates.of(self.features, self.columns, arcs_only=self.joint)

    def relation_ids(self, treebank: Treebank) -> np.ndarray:
        """int16 (rows,): the number of each word's relation, -1 for roots, missing and unknown ones."""
        number = {relation: at for at, relation in enumerate(self.relations)}
        column = treebank.deprel
        return np.array([number.get(value, -1) for value in column.values], dtype=np.int16)[column.ids]

    @cached_property
    def templates(self) -> Templates:
        """Templates of the features of trees."""
        return Templates.of(self.features, self.columns)

    def fields(self, treebank: Treebank) -> np.ndarray:
        """Symbols of each word of a text that features may read. Raises WorkbenchError for a text in other tags."""
        name = treebank.name or "the text"
        for column in self.columns:
            if not getattr(treebank, column).filled and treebank.token_count:
                raise WorkbenchError(f"{name} has no {column} tags, which this parser reads; tag the text first")
        for column, unknown in self.unknown_tags(treebank).items():
            words = getattr(treebank, column).mask(set(unknown).__contains__)
            if words.sum() > MOST_UNKNOWN * treebank.token_count:
                known = ", ".join(self.tags[column][:8])
                raise WorkbenchError(
                    f"{name}: {words.sum():,} of {treebank.token_count:,} words have {column} tags that training never "
                    f"saw ({', '.join(unknown[:8])}); it knows {known}: tag the text in that tag set"
                )
        return word_fields(treebank, self.columns, self.known_forms)

    def unknown_tags(self, treebank: Treebank) -> dict[str, tuple[str, ...]]:
        """The text's tags that training never saw: a dict of column to a sorted tuple, without empty entries."""
        unseen = {}
        for column, known in self.tags.items():
            unknown = getattr(treebank, column).counts().keys() - known
            if unknown:
                unseen[column] = tuple(sorted(unknown))
        return unseen

    def score(
        self, rows: np.ndarray, fields: np.ndarray, extra: PackedSparse | None = None, first: int = 0,
        gold: label_kernels.LabelledTree = NO_TREE, threads: int | None = None,
    ) -> ParserScores:  # fmt: skip
        """ParserScores of sentences that are rows ``rows[i]`` to ``rows[i + 1] - 1`` of a text's ``fields``.

        ``extra`` are the caller's own features of the whole text, in which these sentences begin at number ``first``;
        ``gold`` as for ``fill``. O(n^2), with siblings O(n^3).
        """
        lengths = np.diff(rows) - 1
        arcs = PackedScores.empty(lengths)
        labels = np.zeros(len(arcs.values), np.int16) if self.joint else None
        scores = ParserScores(arcs, self._cubes(lengths, 2), self._cubes(lengths, 3), self.projective, labels)
        run_ranges(
            lambda begin, end: self.fill(rows, fields, (begin, end), scores, extra, first, gold),
            (lengths + 1.0) ** min(self.order + 1, 3),
            threads,
        )
        return scores

    def score_pruned(
        self, rows: np.ndarray, fields: np.ndarray, extra: PackedSparse | None = None, first: int = 0,
        gold: label_kernels.LabelledTree = NO_TREE, heads: int | None = None,
    ) -> ParserScores:  # fmt: skip
        """As ``score`` for one long sentence: siblings and grandparents over the arcs alone that max-marginals leave.

        Max-marginals are those of arc scores; of 500 words some thousands of arcs are left of a quarter of a million.
        ``heads`` as ``SurvivingArcs.above`` has it.
        """
        arcs = replace(self, order=1).score(rows, fields, extra, first, gold, threads=1)
        surviving = SurvivingArcs.above(max_marginals(arcs.arcs, threads=1), PRUNING, heads)
        words = fields[rows[0] : rows[1]]

        def score(parts, chains):
            values = np.empty(len(parts))
            kernels.score_parts(words, fields[-1], self.table, chains, parts, values)
            return values

        siblings = surviving.siblings(score(surviving.sibling_parts(), False))
        grandparents = None
        if self.order > 2:
            grandparents = surviving.grandparents(score(surviving.grandparent_parts(), True))
        return replace(arcs, siblings=siblings, grandparents=grandparents)

    def _cubes(self, lengths, order):
        if self.order < order:
            return None
        cubes = PackedTriples.empty(lengths)
        cubes.values[:] = 0.0
        return cubes

    def fill(
        self, rows: np.ndarray, fields: np.ndarray, span: tuple[int, int], scores: ParserScores,
        extra: PackedSparse | None = None, first: int = 0, gold: label_kernels.LabelledTree = NO_TREE,
    ) -> None:  # fmt: skip
        """Write the scores of a span of the sentences of ``rows`` into ``scores``; ``extra`` and ``first`` as above.

        With ``gold``, heads and numbers of relations of the one sentence, every arc (and relation) that the gold tree
        does not have gains 1.
        """
        begin, end = span
        table, arcs = self.table, scores.arcs
        kernels.score_arcs(rows, fields, table, begin, end, arcs.offsets, arcs.values)
        features = NO_FEATURES
        if extra is not None:
            arc_offsets = extra.arc_offsets[first : first + len(rows)]
            features = update_kernels.ArcFeatures(arc_offsets, extra.offsets, extra.ids, extra.values)
            update_kernels.add_sparse(self.weights[self.first_extra :], features, begin, end, arcs.values)
        if scores.labels is not None:
            label_extra = label_kernels.Extra(self.weights[self.first_extra_label :], *features)
            chosen = label_kernels.ArcScores(arcs.offsets, arcs.values, scores.labels)
            label_kernels.score_arcs(rows, fields, self.label_table, label_extra, begin, end, gold, chosen)
        elif len(gold[0]):
            update_kernels.add_loss(arcs[0], gold[0])
        for cubes, score, kind in (
            (scores.siblings, kernels.score_siblings, SIBLING),
            (scores.grandparents, kernels.score_grandparents, GRANDPARENT),
        ):
            if cubes is None:
                continue
            score(rows, fields, table, begin, end, cubes.offsets, cubes.values)
            if isinstance(extra, PackedParts):
                offsets, weights = extra.part_offsets[first : first + len(rows)], self.weights[self.first_extra :]
                parts = update_kernels.PartFeatures(
                    offsets, extra.parts, extra.part_feature_offsets, extra.part_ids, extra.part_values
                )
                packed = cubes.offsets, cubes.values
                update_kernels.add_parts(weights, parts, kind, begin, end, np.diff(rows), *packed)

    def label(
        self, treebank: Treebank, fields: np.ndarray, heads: np.ndarray, threads: int | None = None
    ) -> np.ndarray:
        """int16 (rows,): numbers of the best relations in given trees."""
        labels = np.full(len(heads), -1, np.int16)

        def work(begin, end):
            label_kernels.label_trees(treebank.offsets, fields, self.label_table, heads, begin, end, labels)

        run_ranges(work, treebank.lengths + 1.0, threads)
        return labels

    def checked_extra(self, extra: ExtraOf | None, treebank: Treebank) -> PackedSparse | None:
        """The caller's own features of a text as PackedSparse, or None; ``extra`` may be a function of the text."""
        extra = extra(treebank) if callable(extra) else extra
        if (extra is None) != (self.extra_count == 0):
            raise WorkbenchError(
                f"this parser was trained with {self.extra_count} features of the caller's own; "
                + ("give extra= for this text too" if extra is None else "extra= must be left out")
            )
        if extra is None:
            return None
        if extra.count != self.extra_count:
            raise WorkbenchError(f"extra holds {extra.count} features, and training had {self.extra_count}")
        if not np.array_equal(extra.arc_offsets, arc_offsets_of(treebank.lengths)):
            raise WorkbenchError("extra must have a row for every arc of the text, packed as scores are")
        return extra.as_sparse() if isinstance(extra, PackedDense) else extra

    def fingerprint(self) -> int:
        """A number that identifies the features of the weights: those of another version may differ."""
        used, labels = self.templates, self.label_templates
        arrays = used.arcs, used.between, used.pairs, used.triples, used.salts, labels.parts, labels.kinds, labels.salts
        return crc32(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))

    def with_weights(self, weights: np.ndarray) -> "MSTModel":
        """The model with other weights."""
        return replace(self, weights=weights)

    def with_extra(self, weights: np.ndarray) -> "MSTModel":
        """A model of the same trees with features of the caller's own, float32 (E,) their weights, and no relations."""
        trees = self.weights[: self.first_label]
        return replace(
            self, relations=(), joint=False, extra_count=len(weights), weights=np.concatenate((trees, weights))
        )

    def save(self, path: str | Path | BinaryIO, settings: Mapping, half: bool) -> None:
        """Write the model with further ``settings``; ``half`` keeps weights as float16, to about three digits."""
        plain = {name: getattr(self, name) for name in PLAIN}
        plain["tags"] = {column: list(tags) for column, tags in self.tags.items()}
        places = np.flatnonzero(self.weights)
        numbers = self.weights[places].astype(np.float16 if half else np.float32)
        gaps = np.diff(places, prepend=0)
        save_arrays(
            path,
            KIND,
            {"model": plain, "fingerprint": self.fingerprint(), **settings},
            weights=numbers,
            gaps=gaps.astype(np.min_scalar_type(int(gaps.max(initial=0)))),
            forms=self.known_forms.keys,
        )

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "tuple[MSTModel, dict]":
        """(MSTModel, further settings). Raises FormatError for a file that holds no such parser."""
        settings, arrays = load_arrays(path, KIND, required={"weights": "f1", "gaps": "i1", "forms": "u1"})
        with as_model(path):
            plain = settings.pop("model")
            plain["tags"] = {column: text_tuple(tags) for column, tags in plain["tags"].items()}
            plain["relations"] = text_tuple(plain["relations"])
            model = cls(known_forms=KeyTable(arrays["forms"].astype(np.uint64)), weights=NO_WEIGHTS, **plain)
            counts = {"order": (1, 3), "bits": (1, 30), "label_bits": (0, 30), "extra_count": (0, 1 << 28)}
            for name, (least, most) in counts.items():
                number = getattr(model, name)
                if type(number) is not int or not least <= number <= most:
                    raise ValueError(f"{name} is not between {least} and {most}")
            if {type(model.projective), type(model.joint)} != {bool} or not set(model.tags) <= {"upos", "xpos"}:
                raise TypeError("projective, joint or tags")
            if settings.pop("fingerprint", None) != model.fingerprint():
                raise FormatError("this parser was trained by a version with other features; train it again")
            weights = delta_decode(arrays["gaps"], arrays["weights"], model.size, "weights", np.float32)
            return model.with_weights(weights), settings
