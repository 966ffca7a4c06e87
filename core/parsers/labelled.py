"""A parser beside a labeller, by rules or learnt from trees, that gives its trees their relations."""

from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import FormatError
from core.parsers.embedded import load_embedded
from core.parsers.protocols import Completer, KBestCompleter, Pruner, SavedLabeller, SavedParser
from core.parsers.weights import file_array, load_arrays, save_arrays
from core.treebank import Column, Treebank
from core.trees import PackedTrees

KIND = "labelled"


class LabelledParser:
    """A parser beside a labeller.

    Parameters
    ----------
    parser : SavedParser
        Its heads are taken, its relations are not.
    labels : SavedLabeller
    """

    labelled = True

    def __init__(self, parser: SavedParser, labels: SavedLabeller):
        self.parser, self.labels = parser, labels

    @property
    def searched_whole(self) -> int | None:
        """As of the parser below, where that is a ``Pruner``."""
        return self.parser.searched_whole if isinstance(self.parser, Pruner) else None

    def parse(self, treebank: Treebank) -> Treebank:
        """The treebank with every tree replaced by the parser's, under the labeller's relations."""
        heads = self.parser.parse(treebank).heads
        return treebank.with_heads(heads, self.labels.label(treebank, heads))

    def completed_heads(self, treebank: Treebank) -> np.ndarray:
        """Completed heads of a ``Completer``; the parser's own trees where it is none."""
        parser = self.parser
        return parser.completed_heads(treebank) if isinstance(parser, Completer) else parser.parse(treebank).heads

    def completed_kbest(self, treebank: Treebank, k: int) -> PackedTrees:
        """The trees of a ``KBestCompleter``; the completed ones alone where it is none."""
        parser = self.parser
        if isinstance(parser, KBestCompleter):
            return parser.completed_kbest(treebank, k)
        return PackedTrees.one_each(self.completed_heads(treebank), treebank.lengths)

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column | list[str]:
        """The relations of other trees of a text."""
        return self.labels.label(treebank, heads)

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write both to an ``.npz`` file, each as its own file in it."""
        save_arrays(path, KIND, {}, parser=file_array(self.parser), labels=file_array(self.labels))

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "LabelledParser":
        """Read a parser that ``save`` wrote. Raises FormatError for any other file."""
        _, arrays = load_arrays(path, KIND, required=("parser", "labels"))
        parser, labels = (load_embedded(arrays, name) for name in ("parser", "labels"))
        if not isinstance(parser, SavedParser):
            raise FormatError("what gives its trees is no parser; save it again")
        if not isinstance(labels, SavedLabeller):
            raise FormatError("what gives its trees their relations is none that does; save it again")
        return cls(parser, labels)
