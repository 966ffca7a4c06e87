"""Tables as Arrow has them are those that pyarrow makes of the same lists."""

import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.files.arrow_tables import arrow_table

KINDS = some.sampled_from([some.booleans(), some.integers(-(2**40), 2**40), some.floats(width=64), some.text()])
COLUMNS = KINDS.flatmap(lambda cells: some.lists(cells | some.none(), max_size=20))
NESTED = KINDS.flatmap(lambda cells: some.lists(some.lists(cells, max_size=4) | some.none(), max_size=6))


@given(COLUMNS | NESTED)
def test_a_column_is_as_pyarrow_makes_it(column):
    made = arrow_table({"x": column})
    made.validate(full=True)
    assert made["x"].to_pylist() == pa.array(column, from_pandas=True).to_pylist()


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (np.arange(3), [0, 1, 2]),
        (np.array(["a", "bc"]), ["a", "bc"]),
        ([1, 2.5, None], [1.0, 2.5, None]),
        ([np.int64(3), 4], [3, 4]),
        ([np.float64("nan"), np.float64(2)], [None, 2.0]),
        (range(2), [0, 1]),
        ([["a", "b"], [], ("c",)], [["a", "b"], [], ["c"]]),
        ([datetime(2026, 5, 4, 3, 2, 1, 7, UTC), None], [datetime(2026, 5, 4, 3, 2, 1, 7, UTC), None]),
        ([], []),
        ([None, None], [None, None]),
    ],
)
def test_arrays_numbers_and_lists(column, cells):
    assert arrow_table({"x": column})["x"].to_pylist() == cells


@pytest.mark.parametrize("column", [[1, "a"], [True, 2], ["a", ["b"]]])
def test_cells_of_several_kinds_are_refused_by_the_columns_name(column):
    with pytest.raises(TypeError, match="'mixed'"):
        arrow_table({"mixed": column})


def test_pandas_is_not_loaded():
    code = "import sys; from core.files.arrow_tables import arrow_table; arrow_table({'x': ['a', None], 'y': [1, 2]})"
    subprocess.run([sys.executable, "-c", f"{code}; assert 'pandas' not in sys.modules"], check=True)
