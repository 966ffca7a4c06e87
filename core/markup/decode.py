"""Bytes of a page into text: which encoding, and whether it is text at all.

Labels mean what the Encoding Standard (WHATWG) says: ``gb2312`` is read as its superset, ``latin1`` as Windows-1252.
A page's own label is found as in the HTML standard (section 13.2.3): by a prescan, then wherever a ``meta`` stands.
It is believed where the bytes do not say otherwise. One damaged byte must not turn a page of UTF-8 into mojibake.
"""

import codecs
import re
from collections.abc import Iterator

import webencodings

from core.errors import FormatError
from core.markup.realign import COMMON, realigned
from core.markup.scanner import START, attributes, scan_html

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
UTF_16 = re.compile(rb"<\0.\0|\0<\0.", re.DOTALL)  # how a page in it begins that has no byte order mark
# Encodings in which every byte is ASCII, and what only they have; the Standard has given up on the last two.
SEVEN_BIT = {"iso-2022-jp": b"\x1b", "hz": b"~{", "iso2022_kr": b"\x0e"}
GIVEN_UP = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr"}
# Python's codecs for an encoding of the Standard, where its name alone would mean less than what pages hold.
CODECS = {
    "gbk": ("gb18030",),
    "shift_jis": ("cp932",),
    "euc-kr": ("cp949",),
    "euc-jp": ("euc_jp", "euc_jis_2004"),
    "big5": ("big5hkscs", "cp950"),
    "iso-2022-jp": ("iso2022_jp_ext", "iso2022_jp_2004"),
    "iso-8859-8-i": ("iso8859-8",),
    "windows-874": ("cp874",),
    "macintosh": ("mac-roman",),
    "x-mac-cyrillic": ("mac-cyrillic",),
}
NO_CHARACTERS = re.compile("[\uf8f0-\uf8f3]")  # Python's for bytes that are none in Shift_JIS
LABEL = re.compile(r"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE)
XML_LABEL = re.compile(rb"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)""")
PRESCAN = 1024  # bytes of which every tag counts, whatever it stands in
CHARACTER = re.compile(  # of UTF-8, beyond ASCII
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
# What a damaged byte or character leaves behind, and Windows-1252 hardly has: some symbols behind a letter or another
# symbol, and a symbol or a capital inside a word.
REMAINS = re.compile(
    rb"[\xc2-\xf4][\x80-\x84\x86-\x90]|\xf0\x9f|[\x80-\x84\x86-\x90\x9f][\x80-\xbf]"
    rb"|(?<=[a-z])[\x80-\x89\x8b\x8d\x8f-\x91\x93-\x99\x9b\x9d\xa0-\xac\xae-\xb6\xb8-\xde\xf7](?=[a-z])"
)
HIGH = bytes(range(0x80, 0x100))
FEW, MANY = 1 / 4, 8  # whole characters of UTF-8 for each stray byte: enough unless another encoding is named, and then
SPARED = 4  # characters that one damaged byte may make odd, of however short a page
ODD = bytes((*range(9), *range(14, 28), 127))  # in no text, nor is U+FFFD
SAMPLE = 65536
FALLBACK = "windows-1252"


def decode(data: bytes, declared: str | None = None, notes: list[str] | None = None) -> tuple[str, str]:
    """(text, encoding) of a page's bytes.

    In this order: the byte order mark; UTF-16 without a mark, by its null bytes; UTF-8 if all of it is valid, or almost
    all. Then the encoding that the server (``declared``) or the page names; Windows-1252. Bytes that are wrong in the
    chosen encoding become U+FFFD; null bytes go. ``notes`` gains a sentence for such bytes, and one where the text was
    read otherwise than it says.

    Raises FormatError for data that is no text: images, programs, PDF.
    """
    notes = [] if notes is None else notes
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _text(data[len(mark) :], encoding, notes), python_name(encoding)
    encoding = _encoding(data, declared, notes)
    text = _text(data, encoding, notes)
    sample = text[:SAMPLE]
    written = sample.encode("utf-8", "surrogatepass")
    odd = len(written) - len(written.translate(None, ODD)) + sample.count("\ufffd")
    if data.startswith((b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b")) or odd > SPARED + 0.1 * len(
        sample
    ):
        raise FormatError("this is no text but something like an image, an archive or a program; give a web page")
    return text, python_name(encoding)


def python_name(encoding: str) -> str:
    """What Python calls an encoding of the Standard, in a report: the name of its codec."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return encoding


def _text(data, encoding, notes):
    """The text; of several codecs for an encoding that of the one in which fewest bytes are wrong."""
    texts = {codec: data.decode(codec, "replace") for codec in CODECS.get(encoding, (encoding,))}
    codec, text = min(texts.items(), key=lambda item: item[1].count("\ufffd"))
    if codec in COMMON and "\ufffd" in text:
        text = realigned(data, codec)
    if encoding == "shift_jis":
        text = NO_CHARACTERS.sub("\ufffd", text)
    wrong = _stray(data)[1] if encoding == "utf-8" and "\ufffd" in text else text.count("\ufffd")
    if wrong:
        counted = "1 byte is" if wrong == 1 else f"{wrong:,} bytes are"
        notes.append(f"{counted} no {python_name(encoding)}; {'it reads' if wrong == 1 else 'they read'} as \ufffd")
    return text.replace("\0", "")


def _encoding(data, declared, notes):
    sample = data[:SAMPLE]
    if UTF_16.match(data) or (len(sample) > 3 and sample.count(0) > 0.3 * len(sample)):
        return "utf-16-le" if sample[1::2].count(0) >= sample[::2].count(0) else "utf-16-be"
    if any(mark in data for mark in SEVEN_BIT.values()):
        named = _named(data, declared)
        if named is not None and SEVEN_BIT.get(named, b"\0\0\0\0") in data:
            return named
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        named = _named(data, declared)
    whole, stray, remains = _stray(data)
    if named in (None, "utf-8"):
        if whole + remains >= FEW * stray:
            return "utf-8"
        claim = "names no encoding that is known" if named is None else "says utf-8"
        notes.append(f"it {claim} and is not in UTF-8; it was read as {FALLBACK}")
        return FALLBACK
    return "utf-8" if whole >= MANY * stray else named


def _stray(data):
    """(whole, stray, remains): characters of UTF-8 beyond ASCII, bytes of none, and what damaged ones have left."""
    rest, whole = CHARACTER.subn(b" ", data)
    return whole, len(rest) - len(rest.translate(None, HIGH)), len(REMAINS.findall(rest))


def _named(data, declared):
    """The encoding that the server names, else the page, by the Standard's name; None where neither does."""
    if declared and (name := _known(declared)):
        return name
    for label in _labels(data):
        if name := _known(label):
            return "utf-8" if name.startswith("utf-16") else name  # for the label itself is in bytes of ASCII
    return None


def _known(label):
    encoding = webencodings.lookup(label)
    if encoding is None:
        return None
    if encoding.name == "replacement":
        return GIVEN_UP.get(label.strip().lower())
    return FALLBACK if encoding.name == "x-user-defined" else encoding.name


def _labels(data) -> Iterator[str]:
    """What a page says of its encoding, the first that counts first."""
    yield from _metas(data[:PRESCAN], raw=())
    if match := XML_LABEL.match(data[:PRESCAN]):
        yield match[1].decode("latin-1")
    if len(data) > PRESCAN:
        yield from _metas(data)


def _metas(data, **options):
    for sort, name, inside in scan_html(data.decode("latin-1"), **options):
        if sort != START or name != "meta":
            continue
        values = attributes(inside)
        if "charset" in values:
            yield values["charset"]
        elif values.get("http-equiv", "").strip().lower() == "content-type" and (
            match := LABEL.search(values.get("content", ""))
        ):
            yield match[1] or match[2] or match[3] or ""
