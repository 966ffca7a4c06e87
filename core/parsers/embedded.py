"""Models inside another model's file: the file of each as an array of bytes."""

from collections.abc import Iterable, Mapping
from itertools import count, takewhile

import numpy as np

from core.parsers import load_parser
from core.parsers.weights import Savable, array_file, file_array


def load_embedded(arrays: Mapping[str, np.ndarray], name: str) -> object | None:
    """The model whose file is the array of a name; None if there is no such array. Raises FormatError."""
    return load_parser(array_file(arrays[name])) if name in arrays else None


def embed_numbered(prefix: str, models: Iterable[Savable]) -> dict[str, np.ndarray]:
    """The files of models by names that end in their numbers: ``prefix_0``, ``prefix_1`` and so on."""
    return {f"{prefix}_{number}": file_array(model) for number, model in enumerate(models)}


def load_numbered(arrays: Mapping[str, np.ndarray], prefix: str) -> list[object]:
    """The models that ``embed_numbered`` wrote. Raises FormatError for a file that is no model."""
    names = takewhile(arrays.__contains__, (f"{prefix}_{number}" for number in count()))
    return [load_embedded(arrays, name) for name in names]
