"""Packed data unpacks to so many bytes and no more, and what is wrong with it is one sentence."""

import gzip
import io
import zipfile
import zlib

import pytest
from spacy.tokens import DocBin

from core.errors import FormatError, quoted
from core.files import unpacking
from core.files.unpacking import TooLargeError, most_of, unpack
from core.treebank.spacy_docs import read_docbin

TEXT = b"a quick brown fox\n" * 1000  # 18,000 bytes


def entry(data):
    """An open entry of a zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", data)
    return zipfile.ZipFile(file).open("a")


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress, entry, io.BytesIO])
def test_as_much_as_may_be_is_unpacked(pack):
    assert unpack(pack(TEXT), len(TEXT)) == TEXT
    with pytest.raises(TooLargeError, match="it unpacks to more than 17,999 bytes, the limit for it"):
        unpack(pack(TEXT), len(TEXT) - 1)


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress])
def test_damaged_data_is_a_sentence(pack):
    packed = pack(TEXT)
    for data in (packed[:-3], packed[: len(packed) // 2], b"", b"no", packed[:10] + b"\xff" * 20 + packed[30:]):
        with pytest.raises(FormatError, match="it cannot be unpacked: "):
            unpack(data, len(TEXT))


def test_a_docbin_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(unpacking, "SLACK", 1 << 20)
    bomb = zlib.compress(bytes(50 << 20))
    assert len(bomb) < 1 << 16
    with pytest.raises(FormatError, match="it unpacks to more than"):
        read_docbin(bomb)


@pytest.mark.parametrize(
    "data",
    [zlib.compress(b"\xc0"), zlib.compress(b"\x81\xa5attrs\x90"), b"", b"abc", zlib.compress(b"\x91" * 5000)],
)
def test_a_docbin_of_something_else_is_refused(data):
    with pytest.raises(FormatError, match="this is no spaCy DocBin"):
        read_docbin(data)
    assert DocBin().to_bytes()  # while a good one is not
    assert len(read_docbin(DocBin().to_bytes())) == 0


def test_packed_texts_may_repeat_their_words():
    assert most_of(1000) > 16 << 20
    assert most_of(10**12) == unpacking.MOST_TEXT


def test_quotes_are_one_short_line():
    assert quoted("a\nb\t\x1b[31m c") == "a b [31m c"
    assert quoted("x" * 200) == "x" * 79 + "…"
    assert quoted(KeyError("spam")) == "'spam'"
