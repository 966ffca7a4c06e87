"""Parses in results and checkpoints of earlier versions, as ``Parse.to_arrays`` gives them now.

================  ================================================  ==============================================
runs              arrays of earlier versions                        now
================  ================================================  ==============================================
trees of mark-up  ``labels``: a text for each row                   ``relations``, ``values`` and ``sentences``
joint inference   names of relations among the settings; the heads  ``values_0``, ``values_1`` and, repeated from
                  of the last round in the lists of candidates      the lists, ``heads_0``, ``heads_1``
================  ================================================  ==============================================

All other systems keep their parses as they always did.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from core.offsets import offsets_of
from core.treebank import Column
from core.workspace.parse import Parse, text_array

Arrays = dict[str, np.ndarray]


def markup_arrays(arrays: Arrays, lengths: np.ndarray, marked: np.ndarray) -> Arrays:
    """Arrays of the trees of a text with sentences of ``lengths``, of which those ``marked`` are parsed in order."""
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
