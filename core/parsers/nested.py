"""A model inside another's file: its own file as an array of bytes."""

import numpy as np

from core.parsers import load_parser
from core.parsers.weights import array_file
from core.parsers.weights import file_array as nested


def unnested(array: np.ndarray) -> object:
    """The model of an array that ``nested`` made. Raises FormatError if it is none."""
    return load_parser(array_file(array))


__all__ = ["nested", "unnested"]
