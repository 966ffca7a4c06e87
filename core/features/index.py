"""The alphabet of a feature set over a vocabulary: the name and number of each feature."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.features.kernels import (
    ATTACHMENT_BITS,
    ROOT,
    SYMBOL_SHIFT,
    TEMPLATE_SHIFT,
    UNKNOWN,
    VARIANT_BITS,
    VARIANT_SHIFT,
)
from core.features.templates import DIRECTION, DISTANCE, DISTANCE_BINS, FEATURE_SETS, FIELDS, Template
from core.languages.direction import SIDES
from core.treebank import Treebank

RESERVED = ("?", "ROOT", "#")  # names of the symbols UNKNOWN, ROOT, OUTSIDE


@dataclass(frozen=True, eq=False)
class FeatureIndex:
    """Features of a feature set over fixed tags and forms.

    Attributes
    ----------
    feature_set : str
    tag_column : {"xpos", "upos"}
    tags, forms : tuple of str
        Symbols from 3 on, most frequent first; 0 is unknown, 1 the root, 2 outside the sentence.
    keys : ndarray of shape (F,), dtype uint64
        Feature f's key (``templates.py``); its name can be read off it.
    """

    feature_set: str
    tag_column: str
    tags: tuple
    forms: tuple
    keys: np.ndarray

    @classmethod
    def counted(
        cls, feature_set: str, tag_column: str, tags: Counter[str], forms: Counter[str]
    ) -> "FeatureIndex":  # fmt: skip
        """An index without features yet, over tags (and forms, where read) that occur so often.

        Raises WorkbenchError for an unknown feature set.
        """
        if feature_set not in FEATURE_SETS:
            raise WorkbenchError(f"no feature set called {feature_set!r}: choose one of {', '.join(FEATURE_SETS)}")
        lexical = any(max(template.fields) > 6 for template in FEATURE_SETS[feature_set])
        words = _by_frequency(forms) if lexical else ()
        return cls(feature_set, tag_column, _by_frequency(tags), words, np.empty(0, dtype=np.uint64))

    def with_keys(self, keys: np.ndarray) -> "FeatureIndex":
        return replace(self, keys=keys)

    def __len__(self):
        return len(self.keys)

    @property
    def templates(self) -> tuple[Template, ...]:
        return FEATURE_SETS[self.feature_set]

    @property
    def symbol_count(self) -> int:
        """The number of different tag symbols, the reserved ones included."""
        return len(RESERVED) + len(self.tags)

    @property
    def most_variants(self) -> int:
        return max(len(template.variants) for template in self.templates)

    def masks(self) -> np.ndarray:
        """uint64 (T, V): the key bits that variant v of template t keeps; 0 where there is no such variant."""
        masks = np.zeros((len(self.templates), self.most_variants), dtype=np.uint64)
        for row, template in enumerate(self.templates):
            template_bits = ((1 << 64) - 1) ^ ((1 << TEMPLATE_SHIFT) - 1)
            for column, mask in enumerate(template.masks()):
                masks[row, column] = mask | template_bits
        return masks

    def template_arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """int64 (T, 4) fields, -1 for none, and int64 (T, 4) their widths in bits."""
        fields = np.full((len(self.templates), 4), -1, dtype=np.int64)
        widths = np.empty((len(self.templates), 4), dtype=np.int64)
        for row, template in enumerate(self.templates):
            fields[row, : len(template.fields)] = template.fields
            widths[row] = template.bits
        return fields, widths

    def symbols(self, treebank: Treebank) -> tuple[np.ndarray, np.ndarray]:
        """Tag and form symbol of every row of a treebank: two int64 arrays of shape (rows,)."""
        column = treebank.tag_column(self.tag_column)
        tags = _symbols_of(column, self.tags)
        forms = _symbols_of(treebank.form, self.forms) if self.forms else np.zeros_like(tags)
        roots = treebank.offsets[:-1]
        tags[roots] = ROOT
        forms[roots] = ROOT
        return tags, forms

    def name(self, feature: int) -> str:
        """A readable name: ``head tag=NN, modifier tag=DT, before its head, distance 1``."""
        key = int(self.keys[feature])
        template = self.templates[(key >> TEMPLATE_SHIFT) - 1]
        used_fields, attachment = template.variants[(key >> VARIANT_SHIFT) & ((1 << VARIANT_BITS) - 1)]
        parts, shift = [], SYMBOL_SHIFT
        for field, width in zip(template.fields, template.bits, strict=False):
            if field in used_fields:
                symbol = (key >> shift) & ((1 << width) - 1)
                words = self.forms if FIELDS[field].endswith("form") else self.tags
                value = RESERVED[symbol] if symbol < len(RESERVED) else words[symbol - len(RESERVED)]
                parts.append(f"{FIELDS[field]}={value}")
            shift += width
        if attachment in (DIRECTION, DISTANCE):
            parts.append(SIDES["right" if key & 1 else "left"])
        if attachment == DISTANCE:
            parts.append(f"distance {DISTANCE_BINS[(key & ((1 << ATTACHMENT_BITS) - 1)) >> 1]}")
        return ", ".join(parts)


def _by_frequency(counts):
    """Values, most frequent first, ties in alphabetical order."""
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))


def _symbols_of(column, vocabulary):
    symbols = {value: symbol for symbol, value in enumerate(vocabulary, start=len(RESERVED))}
    return np.array([symbols.get(value, UNKNOWN) for value in column.values], dtype=np.int64)[column.ids]
