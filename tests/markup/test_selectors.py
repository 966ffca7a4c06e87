"""Selectors choose what of a page is read, left out and marked: as BeautifulSoup says, where mark-up crosses too."""

import random

import pytest

from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.markup.blocks import read_blocks
from core.markup.elements import FURNITURE
from core.markup.page_tree import PageTree
from core.markup.reader import Extracting, page_blocks
from core.markup.report import ExtractionReport
from core.markup.selectors import DEFAULT, PageSelectors, choose, expanded, shortened
from tests.oracles.selectors import marked_words, words_read

SELECT = ["", "div", ".a", "#x", "div > p", "section .b", "p:has(> span)", "body", "li:nth-child(2)", ".a, .b", "span"]
DROP = [".b", "span.a", "li", "div div", "[title*=k]", "p:not(.a)", ":is(.a, #x)", "section + div", "p:empty"]
MARKS = ["span", "span.a", "dfn, q", "[title*=k]", "p > span", ".a", "span span", "span:first-child", "q:has(dfn)"]


def chance_page(chance, inline=False):
    """HTML that nests well, of at most some thirty elements with classes, and words that come once."""
    count = iter(range(10_000))

    def element(depth, blocks):
        names = ["div", "section", "ul", "p"] if blocks else ["span", "dfn", "q", "cite"]
        name = chance.choice(names)
        written = "".join(
            f" {key}='{chance.choice(values)}'"
            for key, values in (("class", ["a", "b", "a b"]), ("id", ["x", "y"]), ("title", ["ok", "no"]))
            if chance.random() < 0.4
        )
        inner = "".join(piece(depth + 1, blocks and name != "p", name) for _ in range(chance.randrange(4)))
        return f"<{name}{written}>{inner}</{name}>"

    def piece(depth, blocks, parent):
        if parent == "ul":
            return f"<li class={chance.choice('ab')}>{piece(depth, False, 'li')}</li>"
        if depth > 4 or chance.random() < 0.4:
            return f" w{next(count)} "
        return element(depth, blocks)

    return "<html><body>" + "".join(element(0, not inline) for _ in range(4)) + "</body></html>"


def blocks_of(html, **settings):
    report = ExtractionReport()
    return list(page_blocks(html, Extracting(boilerplate=True, **settings), report)[1]), report


@pytest.mark.parametrize("seed", range(60))
def test_what_is_read_and_left_out_is_what_the_tree_says(seed):
    chance = random.Random(seed)
    html, select, drop = chance_page(chance), chance.choice(SELECT), chance.choice(DROP)
    expected = words_read(html, select, drop)
    try:
        blocks, report = blocks_of(html, select=select, drop=drop)
    except WorkbenchError as error:
        assert "chooses nothing on it" in str(error) and not words_read(html, select, "")
        return
    assert " ".join(block.text for block in blocks if block.reason is None).split() == expected
    everything = sorted(word for block in blocks for word in block.text.split())
    assert everything == sorted(words_read(html, "", "")), "what is left out is reported"
    assert all(block.reason in (None, "left out", "not selected") for block in blocks) and report.chosen


@pytest.mark.parametrize("seed", range(60))
def test_marks_are_the_elements_that_the_tree_chooses(seed):
    chance = random.Random(seed)
    html, marks = chance_page(chance, inline=True), chance.choice(MARKS)
    blocks, _ = blocks_of(html, marks=marks, tags=())
    held = [(mark.tag, block.text[mark.start : mark.end].split()) for block in blocks for mark in block.marks]
    assert sorted(one for one in held if one[1]) == sorted(marked_words(html, marks))


def test_marks_that_cross_stay_as_their_author_wrote_them():
    html = "<p>One <span class=t>two <b>three</span> four</b> <span>five</span> six."
    blocks, _ = blocks_of(html, marks=".t")
    assert [(mark.tag, blocks[0].text[mark.start : mark.end].strip()) for mark in blocks[0].marks] == [
        ("span", "two three"), ("b", "three four"),
    ]  # fmt: skip


def test_an_element_that_is_chosen_to_be_left_out_or_read_is_obeyed_whatever_it_is():
    html = "<article class=comment><p>It is one.</p></article><nav><p>Here is another.</p></nav><p>And the last is."

    def read(**how):
        return [sentence.text for sentence in extract_sentences(html, **how).treebank]

    assert read() == ["It is one.", "And the last is."]
    assert read(drop=":--furniture, .comment") == ["And the last is."]
    assert read(drop=".comment") == ["Here is another.", "And the last is."]
    assert read(drop="") == ["It is one.", "Here is another.", "And the last is."]
    assert read(select="nav") == ["Here is another."]
    assert read(select="p") == read(drop=DEFAULT)
    assert read(select="nav > p, article", drop=":--furniture, article p") == []
    assert read(drop="footer, .toc") == read(drop="")


def test_the_default_selectors_are_the_lists_of_furniture_and_each_can_be_taken_out():
    assert expanded(DEFAULT) == FURNITURE and len(set(FURNITURE)) == len(FURNITURE) == 121
    for one in FURNITURE:
        name = one.strip("[].#").removeprefix("role=").strip('"')
        page = f"<{name}>It is so.</{name}>"
        if one[0] in "[.#":
            attribute = {"[": "role", ".": "class", "#": "id"}[one[0]]
            page = f"<div {attribute}='{name.upper()}'>It is so.</div>"
        others = ", ".join(other for other in FURNITURE if other != one)
        for drop, reason in ((DEFAULT, "navigation"), (others, None), (one, "navigation")):
            selectors = PageSelectors(drop=drop)
            assert not selectors.asks_a_tree
            chosen, _ = choose(selectors, lambda selector: frozenset(), [], False)
            assert [block.reason for block in read_blocks(page, chosen=chosen)] == [reason], (one, drop)


def test_lists_of_selectors_are_cut_at_their_own_commas():
    text = r""" :is(a, b), [title="x,y"] , .a\,b, p:not(:has(q, i)), p, p """
    assert expanded(text) == (":is(a, b)", '[title="x,y"]', r".a\,b", "p:not(:has(q, i))", "p")
    assert shortened(f"{', '.join(FURNITURE)}, .x") == ":--furniture, .x" == shortened(".x, :--furniture")
    assert shortened("nav, .x") == "nav, .x" and shortened(" ") == ""


def test_what_was_chosen_is_said_in_words():
    assert PageSelectors().in_words == ""
    words = PageSelectors("article", shortened(", ".join([*FURNITURE[:-1], ".x"])), "dfn").in_words
    assert words == ("only article is read; page furniture is left out but for #noprint; .x is left out; dfn is a mark")
    assert PageSelectors(drop="").in_words == "page furniture is kept"


@pytest.mark.parametrize(
    "field, text, why",
    [
        ("select", "p >", "'?p >'? of select is no CSS selector: Expected a selector at position"),
        ("drop", "a[", "'?a.'? of drop is no CSS selector: Malformed attribute selector"),
        ("marks", "p::before", "of marks is no CSS selector: Pseudo-element found"),
        ("marks", "a:nonsense", "of marks is no CSS selector"),
        ("drop", "a,, b", "a selector is missing beside a comma in drop"),
        ("drop", "!!", "of drop is no CSS selector: Invalid character"),
        ("select", ":not(" * 600 + "p" + ")" * 600, "it nests too deeply"),
        ("select", "p" * 10_001, "have 10,001 characters; 10,000 are allowed"),
        ("drop", ":--none", "of drop is no CSS selector: Undefined custom selector"),
    ],
)
def test_what_is_no_selector_is_one_sentence(field, text, why):
    with pytest.raises(WorkbenchError, match=why) as caught:
        extract_sentences("<p>It is so.", **{field: text})
    assert "\n" not in str(caught.value)


def test_a_selector_that_chooses_nothing_is_said():
    pages = ["<p class=a>It is so.", "<p>It was so."]
    report = extract_sentences(pages, select=".a", marks="dfn").report
    assert [skipped.reason for skipped in report.skipped] == [
        "'.a' chooses nothing on it; see its source for names that do"
    ]
    assert report.chosen == {".a": 1, "dfn": 0}
    assert report.notes == ["the selector 'dfn' chose nothing on any page"]
    assert ExtractionReport.from_dict(report.as_dict()) == report


def test_the_same_elements_are_meant_however_the_tree_builder_moves_them():
    html = "<table><p class=a>One is.<tr><td class=a>Two is.</table><li class=a>Three is.<b class=a><p>Four</b> is."
    tree = PageTree(html)
    assert tree.names == ["table", "p", "tr", "td", "li", "b", "p"]
    assert tree.numbers(".a") == {1, 3, 4, 5}


@pytest.mark.parametrize("seed", range(20))
def test_elements_without_the_name_and_the_attributes_that_a_selector_asks_for_are_passed_over(seed):
    tree = PageTree(chance_page(random.Random(seed)))
    for selector in (*SELECT[1:], *DROP, *MARKS, "DIV.a", "[TITLE]", "*|li", "p#x.a", "[title!=no]", ":focus"):
        assert tree.numbers(selector) == tree.numbers(f":is({selector})"), selector  # which asks each element
