"""Where a sentence of the WSJ sample comes from, as its id says."""

import re

import numpy as np

from core.errors import WorkbenchError
from core.treebank import Treebank


def file_numbers(treebank: Treebank) -> np.ndarray:
    """int64 (S,): the number of the file that each sentence is from. WorkbenchError for an id that names none."""
    found = [re.search(r"\d+", sentence.sent_id or "") for sentence in treebank]
    missing = next((at for at, match in enumerate(found, 1) if match is None), None)
    if missing is not None:
        raise WorkbenchError(f"the id of sentence {missing} names no file of the WSJ sample; take the sample unchanged")
    return np.array([int(match[0]) for match in found if match], dtype=np.int64)


def file_places(treebank: Treebank) -> np.ndarray:
    """int64 (S,): the place of each sentence in the sample, from 0, which its id ends in."""
    return np.array([int((sentence.sent_id or "").rsplit("-", 1)[-1]) - 1 for sentence in treebank], dtype=np.int64)
