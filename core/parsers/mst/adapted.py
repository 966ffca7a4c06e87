"""A parser together with the projection that makes its induced features."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import FormatError
from core.features.edges import SPECIAL, EdgeFeatures, WordVocabulary
from core.features.packed import PackedDense, PackedSparse, arc_offsets_of
from core.parsers.mst.parser import MSTParser
from core.parsers.scores import ParserScores
from core.parsers.weights import array_file, as_model, file_array, load_arrays, save_arrays
from core.treebank import Column, Treebank
from core.trees import PackedTrees

KIND = "adapted-mst"


@dataclass(frozen=True, eq=False)
class Projection:
    """The projection that makes the induced features of any text; never changes.

    Attributes
    ----------
    features : EdgeFeatures
        F binary features of edges.
    directions : ndarray (F, K), float64
        U.
    mean, deviation : ndarray (K,)
        Of U^T f over the sampled edges.
    standardize : bool
    scale : float
    directed : bool
    """

    features: EdgeFeatures
    directions: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    standardize: bool
    scale: float
    directed: bool

    @property
    def dimensions(self) -> int:
        """K."""
        return self.directions.shape[1]

    def induced(self, treebank: Treebank) -> PackedDense | PackedSparse:
        """K numbers of every edge of a text: PackedDense; PackedSparse if they are apart for edges to the left, the
        first K features, and to the right. 12·K bytes an edge once a parser reads them."""
        dense = PackedDense(arc_offsets_of(treebank.lengths), self.values(treebank, self.scale))
        if not self.directed:
            return dense
        right = [np.triu(np.ones((side, side), np.int32), 1).ravel() for side in (treebank.lengths + 1).tolist()]
        sparse, count = dense.as_sparse(), dense.count
        ids = sparse.ids + np.repeat(np.concatenate([np.zeros(0, np.int32), *right]), count) * np.int32(count)
        return PackedSparse(sparse.arc_offsets, sparse.offsets, ids, sparse.values, 2 * count)

    def values(self, treebank: Treebank, scale: float = 1.0) -> np.ndarray:
        """float32 (A, K): the numbers of every edge, whatever its direction, times ``scale``."""
        table, shift = self.directions, 0.0
        if self.standardize:
            table, shift = table / self.deviation, self.mean / self.deviation
        values = self.features.projected(self.features.contexts(treebank), treebank, table * scale)
        values -= np.asarray(shift * scale, np.float32)
        return values


class AdaptedParser:
    """An MSTParser that was trained with induced features, and the Projection that makes them of any text.

    Parameters
    ----------
    parser : MSTParser
    projection : Projection

    Examples
    --------
    >>> adapted = AdaptedParser(system.parser, system.correspondence.model)
    >>> adapted.save("adapted.npz")
    >>> AdaptedParser.load("adapted.npz").parse(text)  # or core.parsers.load_parser
    """

    def __init__(self, parser: MSTParser, projection: Projection):
        self.parser, self.projection = parser, projection

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree and relation replaced by the parser's."""
        return self.parser.parse(treebank, extra=self.projection.induced, threads=threads)

    def completed_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        return self.parser.completed_heads(treebank, self.projection.induced, threads)

    def completed_kbest(self, treebank: Treebank, k: int, threads: int | None = None) -> PackedTrees:
        return self.parser.completed_kbest(treebank, k, self.projection.induced, threads)

    def label(self, treebank: Treebank, heads: np.ndarray, threads: int | None = None) -> Column:
        return self.parser.label(treebank, heads, self.projection.induced, threads)

    def score(self, treebank: Treebank, threads: int | None = None) -> ParserScores:
        """As ``MSTParser.score``."""
        return self.parser.score(treebank, extra=self.projection.induced, threads=threads)

    @property
    def labelled(self) -> bool:
        """Whether the parser has learnt relations."""
        return self.parser.labelled

    @property
    def searched_whole(self) -> int | None:
        """As ``MSTParser.searched_whole``."""
        return self.parser.searched_whole

    def unknown_tags(self, treebank: Treebank) -> dict[str, tuple[str, ...]]:
        """As ``MSTParser.unknown_tags``."""
        return self.parser.unknown_tags(treebank)

    def save(self, target: str | Path | BinaryIO) -> None:
        """Write an ``.npz`` file, or into a binary file: numbers, settings and the words that induced features read;
        no sentences, no pickle."""
        projection, features = self.projection, self.projection.features
        settings = {
            "columns": [vocabulary.column for vocabulary in features.vocabularies],
            "lowercase": [vocabulary.lowercase for vocabulary in features.vocabularies],
            "distance": features.distance,
            "standardize": projection.standardize,
            "scale": projection.scale,
            "directed": projection.directed,
        }
        words = {
            f"words_{at}": np.frombuffer("\n".join(vocabulary.words[len(SPECIAL) :]).encode(), dtype=np.uint8)
            for at, vocabulary in enumerate(features.vocabularies)
        }
        save_arrays(
            target,
            KIND,
            settings,
            parser=file_array(self.parser),
            directions=projection.directions,
            mean=projection.mean,
            deviation=projection.deviation,
            compressed=True,
            **words,
        )

    @classmethod
    def load(cls, source: str | Path | BinaryIO) -> "AdaptedParser":
        """Read a parser that ``save`` wrote. Raises FormatError for any other file."""
        sorts = {"parser": "u1", "directions": "f2", "mean": "f1", "deviation": "f1", "words_0": "u1"}
        settings, arrays = load_arrays(source, KIND, required=sorts)
        with as_model(source):
            vocabularies = []
            for column, lowercase in zip(settings["columns"], settings["lowercase"], strict=True):
                text = arrays[f"words_{len(vocabularies)}"].tobytes().decode()
                words = text.split("\n") if text else []
                vocabularies.append(WordVocabulary(column, (*SPECIAL, *words), lowercase))
            features = EdgeFeatures(tuple(vocabularies), settings["distance"])
            directions, mean, deviation = (arrays[name] for name in ("directions", "mean", "deviation"))
            if len(directions) != features.count or not directions.shape[1] == len(mean) == len(deviation):
                raise FormatError("the directions of this parser do not fit its words; save it again")
            options = {name: settings[name] for name in ("standardize", "scale", "directed")}
            projection = Projection(features, directions, mean, deviation, **options)
            return cls(MSTParser.load(array_file(arrays["parser"])), projection)
