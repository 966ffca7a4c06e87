"""Parses of earlier versions, as ``Parse.to_arrays`` gives them now.

Trees of mark-up had an array ``labels``, a text for each row, in place of ``relations``, ``values`` and ``sentences``.
Joint inference stored the names of relations among its settings, in place of the arrays ``values_0`` and ``values_1``.
The heads of its last round stood in the lists of candidates alone, which ``heads_0`` and ``heads_1`` now repeat. The
parses of all other systems have not changed.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core.offsets import offsets_of
from core.treebank import Column
from core.workspace.parse import Parse, text_array

Arrays = dict[str, np.ndarray]


def markup_arrays(arrays: Arrays, lengths: np.ndarray, marked: np.ndarray) -> Arrays:
    """Arrays of the trees of a text whose sentences have ``lengths``; those ``marked`` were parsed, in order."""
    if "labels" not in arrays:
        return arrays
    parsed = np.searchsorted(offsets_of(lengths[marked] + 1), len(arrays["heads"]))
    return Parse(arrays["heads"], Column.intern(arrays["labels"].tolist()), marked[:parsed]).to_arrays()


def joint_arrays(settings: Mapping, arrays: Arrays, best: Sequence[np.ndarray]) -> Arrays:
    """Arrays of joint inference; ``best`` are the first candidates of each parser's list of the last round."""
    return arrays | {
        name: array
        for number, heads in enumerate(best)
        if f"heads_{number}" not in arrays and (relations := settings.get(f"relations_{number}"))
        for name, array in ((f"heads_{number}", heads), (f"values_{number}", text_array(relations)))
    }
