"""Arrays with settings in one file come back; arrays alone are read where they may be; what is cut short is refused."""

import io
import zipfile

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.files import unpacking
from core.parsers.weights import as_model, delta_decode, load_arrays, save_arrays

VALUES = np.arange(40.0)


@pytest.mark.parametrize("compressed", [True, False])
def test_settings_and_arrays_come_back(compressed):
    file = io.BytesIO()
    save_arrays(file, "toy", {"name": "é"}, compressed=compressed, values=VALUES)
    settings, arrays = load_arrays(file, "toy", ("values",))
    assert settings == {"name": "é"}
    np.testing.assert_array_equal(arrays["values"], VALUES)
    with pytest.raises(FormatError, match="of kind 'toy', not 'other'"):
        load_arrays(file, "other")


def test_arrays_alone_are_no_model():
    file = io.BytesIO()
    np.savez(file, values=VALUES)
    with pytest.raises(FormatError, match="not a model saved"):
        load_arrays(file, "toy")


def test_a_file_cut_short_anywhere_is_refused():
    file = io.BytesIO()
    save_arrays(file, "toy", {}, values=VALUES)
    data = file.getvalue()
    for end in range(0, len(data), 7):
        with pytest.raises(FormatError):
            load_arrays(io.BytesIO(data[:end]), "toy")


def archive_of(**members):
    """A zip file of these bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return file


def header(shape, descr="<f8"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        header((10**15,)) + bytes(80),  # would ask for a petabyte
        header((10,)) + bytes(72),
        header((10,)) + bytes(88),
        header((2**40, 2**40)) + bytes(8),
        header((1,), "|O") + bytes(8),
        header((1,), "<U200000000") + bytes(8),
        b"no array at all",
        b"",
    ],
)
def test_an_array_that_is_not_what_its_header_says_is_refused(data):
    with pytest.raises(FormatError, match="not a model saved"):
        load_arrays(archive_of(values=data), "toy")


def test_a_file_is_refused_by_the_size_it_states(monkeypatch):
    file = io.BytesIO()
    save_arrays(file, "toy", {}, values=np.zeros(3 << 20))
    assert len(file.getvalue()) < 1 << 20
    monkeypatch.setattr(unpacking, "MOST_ARRAYS", 1 << 24)
    monkeypatch.setattr(unpacking, "read_array", lambda *_: pytest.fail("nothing may be loaded"))
    with pytest.raises(FormatError, match="it states arrays of 24 MB, more than 16 MB"):
        load_arrays(file, "toy")


@pytest.mark.parametrize(
    ("sort", "array"),
    [
        ("f1", np.zeros((2, 2))),
        ("f1", np.zeros(2, np.int64)),
        ("f1", np.array([1.0, np.nan])),
        ("f1", np.array([1.0, np.inf])),
        ("u1", np.zeros(2, np.int64)),
        ("U0", np.zeros(())),
    ],
)
def test_an_array_of_another_sort_is_named(sort, array):
    file = io.BytesIO()
    save_arrays(file, "toy", {}, values=array)
    with pytest.raises(FormatError, match=r"its values (are of another type or shape|hold numbers that are none)"):
        load_arrays(file, "toy", {"values": sort})


@pytest.mark.parametrize("gaps", [[3, 3], [-1, 2], [2**62, 2**62], [1]])
def test_numbers_without_room_are_refused(gaps):
    with pytest.raises(FormatError, match="do not fit its settings"):
        delta_decode(np.array(gaps), np.ones(2), 6, "weights", np.float32)
    with pytest.raises(FormatError, match="more than 268,435,456"):
        delta_decode(np.array(gaps), np.ones(2), 1 << 40, "weights", np.float32)
    assert delta_decode(np.array([2, 3]), np.ones(2), 6, "weights", np.float32).tolist() == [0, 0, 1, 0, 0, 1]


def test_whatever_goes_wrong_with_a_model_is_a_format_error():
    for error in (KeyError("tags"), TypeError(), RecursionError(), OverflowError(), WorkbenchError("no such feature")):
        with (
            pytest.raises(FormatError, match=r"m\.npz: the settings and numbers of this model do not fit"),
            as_model("m.npz"),
        ):
            raise error
