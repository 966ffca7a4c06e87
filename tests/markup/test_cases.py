"""Inputs as they are in the world, from a folder beside the checkout: what must come of each."""

import pytest

from core.markup import align, extract_sentences
from core.treebank import read_treebank


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("cut_in_a_character.html", ["Они гуляли и пели песни весь день.", "Это \ufffd"]),
        ("one_bad_byte.html", ["Одна буква испорчена: \ufffd и больше ничего тут не случилось."]),
        ("gb2312_is_gbk.html", ["我们今天去了镕基公園看见很多人在跑步。", "他们都很高兴。"]),
        ("x-sjis.html", ["私たちは今日公園に行きました。"]),
        ("meta_after_4096.html", ["Сегодня мы пошли в парк и увидели там много людей."]),
        ("svg_title.html", ["Read the annual report of the board before the meeting on Monday."]),
        ("svg_text_leaks.html", ["The dog sleeps under the tree all day."]),
        ("ruby.html", ["漢字はとても難しいと思います。"]),
        ("sup.html", ["The area is 25 km² and about 10⁶ people live in it today."]),
        ("br.html", ["This is a long sentence that the author has broken by hand at the end of each line."]),
        ("brotli.warc", ["The big dog sleeps under the old tree all day long."]),
        ("conversion.warc", ["The big dog sleeps under the old tree all day long.", "The cat does not."]),
        ("*.warc.wet", ["The big dog sleeps under the old tree all day long.", "The cat does not."]),
        ("*.arc", []),
    ],
)
def test_each_is_read_or_refused_by_what_it_is(shared_cases, name, texts):
    (path,) = shared_cases.glob(name if "*" in name else f"*_{name}")
    found = extract_sentences(path)
    read = [sentence.text for sentence in found.treebank]
    assert set(texts) <= set(read)
    assert bool(read) != bool(found.report.skipped)
    assert any("this is an ARC archive" in one.reason for one in found.report.skipped) == (not texts)
    assert any(path.name in note for note in found.report.notes) == ("\ufffd" in "".join(read))


def test_pages_and_trees_meet(shared_cases):
    (page,) = shared_cases.glob("*_page.html")
    found = align(
        extract_sentences(page), read_treebank(page.with_name(page.name.replace("page.html", "trees.conllu")))
    )
    assert (found.matched, found.strange, found.split, sum(map(len, found.brackets))) == (4, 0, 0, 5)
