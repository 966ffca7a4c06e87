"""Arrays with settings in one file come back; arrays alone are read where they may be; what is cut short is refused."""

import io

import numpy as np
import pytest

from core.errors import FormatError
from core.parsers.weights import load_arrays, save_arrays

VALUES = np.arange(40.0)


@pytest.mark.parametrize("compressed", [True, False])
def test_settings_and_arrays_come_back(compressed):
    file = io.BytesIO()
    save_arrays(file, "toy", {"name": "é"}, compressed=compressed, values=VALUES)
    settings, arrays = load_arrays(file, "toy", ("values",))
    assert settings == {"name": "é"}
    np.testing.assert_array_equal(arrays["values"], VALUES)
    with pytest.raises(FormatError, match="of kind 'toy', not 'other'"):
        load_arrays(file, "other", bare=True)


def test_arrays_alone_are_read_only_where_they_may_be():
    file = io.BytesIO()
    np.savez(file, values=VALUES)
    settings, arrays = load_arrays(file, "toy", ("values",), bare=True)
    assert settings == {} and arrays["values"].tolist() == VALUES.tolist()
    with pytest.raises(FormatError, match="lacks weights"):
        load_arrays(file, "toy", ("weights",), bare=True)
    with pytest.raises(FormatError, match="not a model saved"):
        load_arrays(file, "toy")


@pytest.mark.parametrize("bare", [True, False])
def test_a_file_cut_short_anywhere_is_refused(bare):
    file = io.BytesIO()
    save_arrays(file, "toy", {}, values=VALUES)
    data = file.getvalue()
    for end in range(0, len(data), 7):
        with pytest.raises(FormatError):
            load_arrays(io.BytesIO(data[:end]), "toy", bare=bare)
