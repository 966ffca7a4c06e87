"""The numbers of a trained tagger: weights by hashed feature, transitions, and the tags seen with each form."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import FormatError
from core.parsers.tagger.features import KeyTable, TextFeatures
from core.parsers.tagger.trigram import Transitions, Words, transition_shapes, with_extremes
from core.parsers.weights import as_model, delta_decode, load_arrays, save_arrays, text_tuple
from core.treebank import Treebank

KIND = "tagger"
KEYS = ("features", "classes", "forms")
SPARSE = ("weights", "seen", "bigram", "trigram", "of_word", "of_previous")


@dataclass(frozen=True, eq=False)
class TaggerModel:
    """A trained tagger's numbers; never changes.

    Attributes
    ----------
    column : {"xpos", "upos"}
    tags : tuple of str
        The T tags, in alphabetical order.
    features, classes, forms : KeyTable
        Of F features; of word classes 1, 2 and so on (class 0 has no transitions of its own); of the V forms seen.
    weights : ndarray of shape (F, T), dtype float64
    seen : ndarray of shape (V, T), dtype int32
        How often training saw each form with each tag.
    transitions : Transitions
    """

    column: str
    tags: tuple
    features: KeyTable
    classes: KeyTable
    forms: KeyTable
    weights: np.ndarray
    seen: np.ndarray
    transitions: Transitions

    def words(self, text: TextFeatures) -> Words:
        """A text's words as rows of the weights."""
        return Words(
            text.types,
            self.features.find(text.forms.alone),
            np.stack([self.features.find(keys) for keys in text.token_keys()], axis=1),
            (self.classes.find(text.forms.words) + 1)[text.types],
        )

    def allowed(self, text: TextFeatures, limit: int) -> np.ndarray:
        """bool (V, T): tags of each form of the text; all, unless training saw it ``limit`` times or more."""
        if not limit:
            return np.ones((len(text.forms.exact), len(self.tags)), dtype=bool)
        places = self.forms.find(text.forms.exact)
        seen = self.seen[places]
        return ((places < 0) | (seen.sum(axis=1) < limit))[:, None] | (seen > 0)

    def tag_ids(self, treebank: Treebank) -> np.ndarray:
        """int32 (rows,): the number of each word's tag in the treebank, -1 if it has none, or one unknown here."""
        number = {tag: index for index, tag in enumerate(self.tags)}
        column = getattr(treebank, self.column)
        return np.array([number.get(value, -1) for value in column.values], dtype=np.int32)[column.ids]

    def without_idle_features(self) -> "TaggerModel":
        """This model without the features that weigh nothing."""
        active = self.weights.any(axis=1)
        features = KeyTable(self.features.keys[active])
        return TaggerModel(**{**self.__dict__, "features": features, "weights": self.weights[active]})

    def save(self, path: str | Path | BinaryIO, settings: Mapping, half: bool) -> None:
        """Write the model; ``half`` keeps weights as float16, to about three digits."""
        arrays = {f"{name}_keys": getattr(self, name).keys for name in KEYS}
        for name in SPARSE:
            array = getattr(self, name, None)
            array = getattr(self.transitions, name) if array is None else array
            places = np.flatnonzero(array)
            values = array.reshape(-1)[places]
            arrays[f"{name}_gaps"] = np.diff(places, prepend=0).astype(np.uint32)
            arrays[name] = values.astype(np.float16) if half and values.dtype == np.float64 else values
        save_arrays(path, KIND, {"column": self.column, "tags": list(self.tags), **settings}, **arrays)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "tuple[TaggerModel, dict]":
        """(TaggerModel, the other settings). Raises FormatError for a file that holds no tagger."""
        sorts = {f"{name}_keys": "u1" for name in KEYS} | {f"{name}_gaps": "u1" for name in SPARSE}
        sorts |= {name: "f1" for name in SPARSE if name != "seen"} | {"seen": "i1"}
        settings, arrays = load_arrays(path, KIND, required=sorts)
        with as_model(path):
            column, tags = settings.pop("column"), text_tuple(settings.pop("tags"))
            if column not in ("upos", "xpos") or not tags:
                raise FormatError("this tagger has no tags, or those of another column; save it again")
            tables = {name: KeyTable(arrays[f"{name}_keys"].astype(np.uint64)) for name in KEYS}
            shapes = {
                "weights": (len(tables["features"].keys), len(tags)),
                "seen": (len(tables["forms"].keys), len(tags)),
                **transition_shapes(len(tags), len(tables["classes"].keys) + 1),
            }
            dense = {}
            for name in SPARSE:
                size, dtype = math.prod(shapes[name]), np.int32 if name == "seen" else np.float64
                values = delta_decode(arrays[f"{name}_gaps"], arrays[name], size, name, dtype)
                dense[name] = values.reshape(shapes[name])
            transitions = with_extremes(*(dense.pop(name) for name in Transitions._fields[:4]))
            weights, seen = dense["weights"], dense["seen"]
            return cls(column, tags, **tables, weights=weights, seen=seen, transitions=transitions), settings


def empty_model(
    text: TextFeatures, column: str, tags: tuple[str, ...], *, minimum_count: int, class_count: int
) -> TaggerModel:
    """A model of the words and features of a text, without weights."""
    counts = np.bincount(text.types, minlength=len(text.forms.exact))
    counts[0] = 0  # the root's
    lower, number = np.unique(text.forms.words, return_inverse=True)
    frequent = np.bincount(number, weights=counts) >= class_count
    occurring = counts > 0
    features = KeyTable(text.counted_keys(minimum_count))
    classes = KeyTable(lower[frequent])
    model = TaggerModel(
        column=column,
        tags=tags,
        features=features,
        classes=classes,
        forms=KeyTable(text.forms.exact[occurring]),
        weights=np.zeros((len(features.keys), len(tags))),
        seen=np.zeros((occurring.sum(), len(tags)), dtype=np.int32),
        transitions=zero_transitions_of(tags, classes),
    )
    gold = model.tag_ids(text.treebank)
    words = gold >= 0
    np.add.at(model.seen, (model.forms.find(text.forms.exact)[text.types[words]], gold[words]), 1)
    return model


def zero_transitions_of(tags: Sequence[str], classes: KeyTable) -> Transitions:
    """Transitions that weigh nothing."""
    shapes = transition_shapes(len(tags), len(classes.keys) + 1)
    return with_extremes(*(np.zeros(shape) for shape in shapes.values()))
