"""Text in two bytes a character: a damaged or missing byte costs its character and no more."""

import random

import pytest

from core.markup import extract_sentences
from core.markup.realign import LONGEST, realigned

CHINESE = "我们今天去了公园看见很多人在跑步，他们都很高兴。我也想去那里走一走，可是没有时间。"
TEXTS = {
    "gb18030": CHINESE,
    "big5hkscs": "我們今天去了公園看見很多人在跑步，他們都很高興。我也想去那裡走一走，可是沒有時間。",
    "cp950": "我們今天去了公園看見很多人在跑步，他們都很高興。",
    "cp949": "오늘 우리는 공원에 갔다. 그리고 많은 사람들이 거기에 있었다.",
    "euc_jp": "私たちは今日公園に行きました。そこにはたくさんの人がいて、みんな走っていました。",
    "euc_jis_2004": "①番目のカフェはとても静かです。私たちは今日公園に行きました。",
    "cp932": "私たちは今日公園に行きました。そこにはたくさんの人がいて、みんな走っていました。",
}


def lost(text, found):
    """Characters of a text between those that it has in common with another at its begin and at its end."""
    same = [next((n for n, (a, b) in enumerate(zip(text, found, strict=False)) if a != b), min(len(text), len(found)))
            for text, found in ((text, found), (text[::-1], found[::-1]))]  # fmt: skip
    return max(0, len(text) - sum(same))


@pytest.mark.parametrize("codec", TEXTS)
def test_a_byte_costs_its_character(codec):
    text = TEXTS[codec]
    data, costs = text.encode(codec), []
    assert realigned(data, codec) == text
    for place in range(len(data)):
        for new in (b"", b"<", b"\xff"):
            costs.append(lost(text, realigned(data[:place] + new + data[place + 1 :], codec)))
    assert max(costs) <= 8 and sum(costs) / len(costs) <= 2.5


def test_a_page_says_so_and_keeps_its_sentences():
    data = f"<meta charset=gb2312><p>{CHINESE}".encode("gb18030")
    place = data.index("公".encode("gb18030"))
    found = extract_sentences(data[:place] + data[place + 1 :])
    assert (
        found.treebank[0].text.endswith("园看见很多人在跑步，他们都很高兴。") or "看见很多人" in found.treebank[0].text
    )
    assert "no gbk" in found.report.notes[0] and found.report.encodings == {"gbk": 1}


@pytest.mark.parametrize("codec", TEXTS)
def test_any_bytes_are_read(codec):
    chance = random.Random(0)
    for size in (0, 1, 2, 3, 50, 500):
        data = chance.randbytes(size)
        found = realigned(data, codec)
        assert len(found) <= 2 * size and found.isascii() == data.isascii()


def test_a_very_long_stretch_is_decoded_as_it_comes():
    data = "园".encode("gb18030") * LONGEST + b"\xff"
    assert realigned(data, "gb18030") == data.decode("gb18030", "replace")
