"""Bytes of pages into text: labels as the Encoding Standard has them, and damage that costs a character and no page."""

import random

import pytest

from core.errors import FormatError
from core.markup import extract_sentences
from core.markup.decode import decode

RUSSIAN = "Сегодня мы пошли в парк и увидели там много людей. «Это — хорошо», сказала она."
JAPANESE = "私たちは今日公園に行きました。①番目のカフェはとても静かです。"
CHINESE = "我们今天去了镕基公園看见很多人在跑步。他们都很高兴。"


@pytest.mark.parametrize(
    "data, declared, encoding",
    [
        ("é".encode(), None, "utf-8"),
        ("é".encode(), "latin-1", "utf-8"),
        ("é".encode("utf-8-sig"), None, "utf-8"),
        ("é“".encode("cp1252"), None, "cp1252"),
        ("é“".encode("cp1252"), "iso-8859-1", "cp1252"),
        ("<meta charset=koi8-r>привет".encode("koi8-r"), None, "koi8-r"),
        ("<meta charset=utf-8>é".encode("latin-1"), None, "cp1252"),
        ("<p>é is a letter".encode("utf-16"), None, "utf-16-le"),
        ("<p>it is a letter".encode("utf-16-be"), None, "utf-16-be"),
        ("<p>é is a letter".encode("utf-16-le"), None, "utf-16-le"),
        ("é".encode("latin-1"), "unicode_escape", "cp1252"),
        ("é".encode("latin-1"), "no such thing", "cp1252"),
        ("日本".encode("shift_jis"), "Shift_JIS", "shift_jis"),
    ],
)
def test_encodings(data, declared, encoding):
    text, found = decode(data, declared)
    assert found == encoding and "\ufffd" not in text and not text.startswith("\ufeff")


def wrong(data, declared=None):
    """(encoding, notes) of text that must have been read without a wrong character."""
    notes = []
    text, encoding = decode(data, declared, notes)
    assert "\ufffd" not in text
    return text, encoding, notes


@pytest.mark.parametrize(
    "label, codec, text",
    [
        ("gb2312", "gb18030", CHINESE),
        ("GBK", "gb18030", CHINESE),
        ("x-sjis", "cp932", JAPANESE),
        ("Windows-31J", "cp932", JAPANESE),
        ("x-euc-jp", "euc_jis_2004", JAPANESE),
        ("iso-2022-jp", "iso2022_jp", "今日は公園に行きました。"),
        ("hz-gb-2312", "hz", "他们都很高兴。"),
        ("big5", "cp950", "我們今天去了公園。"),
        ("ks_c_5601-1987", "cp949", "똠방각하는 오늘 공원에 갔다."),
        ("windows-1251", "cp1251", RUSSIAN),
        ("x-cp1251", "cp1251", RUSSIAN),
        ("koi8-u", "koi8-u", "Сьогодні ми пішли до парку."),
        ("x-mac-cyrillic", "mac-cyrillic", "Сегодня мы пошли в парк."),
        ("iso-8859-9", "cp1254", "Bugün “parkta” çok kişi gördük, şaşırdık."),
        ("tis-620", "cp874", "วันนี้เราไปสวนสาธารณะ…"),
        ("iso-8859-8-i", "iso8859-8", "היום הלכנו לפארק."),
        ("latin1", "cp1252", "Größe – “schön”, 5 €."),
        ("us-ascii", "cp1252", "Größe – “schön”, 5 €."),
    ],
)
def test_labels_mean_what_the_encoding_standard_says(label, codec, text):
    data = text.encode(codec)
    for page in (
        f"<meta charset={label}>", f"<META content='text/html; charset = \"{label}\"' HTTP-EQUIV=content-Type />",
        f'<?xml version="1.0" encoding="{label}"?>',
    ):  # fmt: skip
        assert wrong(page.encode() + data)[0] == page + text
    found, _, notes = wrong(data, f" {label.upper()} ")
    assert (found, notes) == (text, [])


@pytest.mark.parametrize(
    "page",
    [
        "<!-- <meta charset=koi8-r> --><meta charset=windows-1251>",
        "<!--><meta charset=windows-1251><!-- -->",
        "<a title='<meta charset=koi8-r>'><meta charset=windows-1251>",
        "<meta name=description content='text/html; charset=koi8-r'><meta charset=windows-1251>",
        "<meta charset=none-such><meta charset=windows-1251><meta charset=koi8-r>",
        "<script>'<meta charset=windows-1251>'</script>",
        "<noscript><meta charset=windows-1251></noscript>",
        "<meta/charset='windows-1251'/>",
        "<title>" + "t" * 5000 + "</title><script>'<meta charset=koi8-r>'</script><meta charset=windows-1251>",
        "<!-- pad -->" * 700 + "<meta http-equiv=Content-Type content=text/html;charset=windows-1251>",
        "<?xml version='1.0' encoding='koi8-r'?><meta charset=windows-1251>",
    ],
)
def test_a_page_names_its_encoding_where_the_prescan_or_a_browser_finds_it(page):
    assert wrong((page + RUSSIAN).encode("cp1251")) == (page + RUSSIAN, "cp1251", [])


def test_the_server_is_believed_before_the_page_and_both_after_the_bytes():
    data = ("<meta charset=koi8-r>" + RUSSIAN).encode("cp1251")
    assert wrong(data, "windows-1251")[0].endswith(RUSSIAN)
    assert not wrong(data)[0].endswith(RUSSIAN)
    for label in ("windows-1251", "gbk", "utf-16", "none-such"):
        assert wrong(f"<meta charset={label}>{RUSSIAN}".encode(), label)[1] == "utf-8"
    assert wrong("<p>Привет всем.".encode("utf-16-le"))[1] == "utf-16-le"
    assert wrong(f"<meta charset=utf-16>{'é' * 9}".encode("cp1252"))[1:] == (
        "cp1252", ["it says utf-8 and is not in UTF-8; it was read as windows-1252"],
    )  # fmt: skip
    assert "names no encoding that is known" in wrong("é".encode("cp1252"))[2][0]


@pytest.mark.parametrize(
    "text",
    [
        RUSSIAN,
        JAPANESE,
        CHINESE,
        "Ça a été une très bonne journée à l’école.",
        "He said “no”.",
        "It’s so. " * 9,
        "Go 😀",
    ],
)
@pytest.mark.parametrize("head", ["", "<meta charset=utf-8>"])
def test_a_damaged_byte_of_utf_8_costs_its_character(text, head):
    whole, chance = (head + text).encode(), random.Random(0)
    for place in range(len(head), len(whole)):
        damaged = bytearray(whole)
        damaged[place] = chance.choice([byte for byte in range(9, 256) if byte != whole[place]])
        notes = []
        found, encoding = decode(bytes(damaged), None, notes)
        if encoding == "utf-8":
            assert len(found) <= len(head + text) + 3 and found[: len(head)] == head
            assert ("\ufffd" in found) == bool(notes)
        else:  # one letter of Windows-1252 in ASCII, or in what is no longer anything else
            assert encoding == "cp1252" and notes
            assert sum(one != other for one, other in zip(found, head + text, strict=False)) <= 3
        kept = set(text.split()) & set(found.removeprefix(head).split())
        assert len(kept) >= len(set(text.split())) - 2


@pytest.mark.parametrize("text", [RUSSIAN, JAPANESE, CHINESE])
def test_a_page_of_utf_8_may_be_cut_anywhere(text):
    data = text.encode()
    for end in range(1, len(data)):
        notes = []
        found, encoding = decode(data[:end], None, notes)
        if end >= 4:
            assert encoding == "utf-8" and text.startswith(found.rstrip("\ufffd"))
            assert bool(notes) == found.endswith("\ufffd")


@pytest.mark.parametrize("label, codec", [("windows-1252", "cp1252"), ("iso-8859-1", "cp1252"), ("gbk", "gb18030")])
def test_almost_all_of_utf_8_is_utf_8_whatever_the_label(label, codec):
    data = bytearray(f"<meta charset={label}>{RUSSIAN}".encode())
    data[40] = 0xFF
    notes = []
    text, encoding = decode(bytes(data), label, notes)
    assert encoding == "utf-8" and text.count("\ufffd") == len(notes) + 1 and text.endswith(RUSSIAN[20:])
    french = f"<meta charset={label}>«\u00a0CAFÉ», déjà".encode(codec)
    assert decode(french)[0].endswith("déjà")


def test_bytes_are_counted_and_characters_that_a_page_has_are_not():
    report = extract_sentences("<p>The sign \ufffd stands for a byte".encode() + b" \xff\xfe that is wrong.").report
    assert report.notes == ["page: 2 bytes are no utf-8; they read as \ufffd"]


def test_what_is_no_text_is_refused():
    with pytest.raises(FormatError, match="this is no text"):
        decode(random.Random(0).randbytes(4000))
