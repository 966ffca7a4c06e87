"""Packed texts: several members, too much, several files, what is no packing."""

import gzip
import io
import lzma
import zipfile

import pytest

from core.errors import FormatError
from core.files.packed import plain_name, unpacked, write_packed

TEXT = b"1\tdog\t_\n" * 50


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/"), data)
    return packed.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_members_follow_each_other(pack):
    assert unpacked(pack(TEXT) + pack(b"more") + b"\0\0\0\0") == TEXT + b"more"


def test_a_zip_file_of_one_text_is_that_text():
    assert unpacked(zipped(a=TEXT)) == TEXT
    assert unpacked(zipped(**{"a": TEXT, ".DS_Store": b"x", "x__._a": b"x"})) == TEXT
    several = zipped(a=TEXT, b=TEXT)
    assert unpacked(several) == several


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_what_unpacks_to_too_much_or_is_damaged_is_refused(pack, monkeypatch):
    assert unpacked(TEXT) == TEXT
    with pytest.raises(FormatError, match=r"a\.conllu.*damaged or cut short; pack it again"):
        unpacked(pack(TEXT)[:-6], "a.conllu")
    monkeypatch.setattr("core.files.packed.most_of", lambda size, most: 100)
    with pytest.raises(FormatError, match="unpacks to more than 100 bytes"):
        unpacked(pack(TEXT))


def test_names_lose_the_ending_of_the_packing(tmp_path):
    assert [plain_name(name) for name in ("a.conllu.GZ", "a.zip", "a.conllu", ".gz")] == [
        "a.conllu", "a", "a.conllu", ".gz",
    ]  # fmt: skip
    write_packed(tmp_path / "a.txt.zip", TEXT)
    with zipfile.ZipFile(tmp_path / "a.txt.zip") as archive:
        assert archive.namelist() == ["a.txt"]
