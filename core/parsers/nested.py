"""A model inside another's file: its own file as an array of bytes."""

import io
from typing import Any

import numpy as np

from core.parsers import load_parser


def nested(model: Any) -> np.ndarray:
    """uint8 array: the file that ``model.save`` writes."""
    file = io.BytesIO()
    model.save(file)
    return np.frombuffer(file.getvalue(), dtype=np.uint8)


def unnested(array: np.ndarray) -> Any:
    """The model of such an array. Raises FormatError where it is none."""
    return load_parser(io.BytesIO(array.tobytes()))
