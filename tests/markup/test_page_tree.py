"""The tree behind selectors: hostile pages take steps in proportion, whatever is asked; pages say what they are."""

import sys

import pytest
from bs4 import BeautifulSoup
from bs4.builder._lxml import LXMLTreeBuilder
from bs4.exceptions import ParserRejectedMarkup

from core.markup import extract_sentences
from core.markup import page_tree as page_tree_module
from core.markup.page_tree import DEEPEST, PageTree, stated
from tests.steps import grows_in_proportion

pytestmark = pytest.mark.usefixtures("no_network")
HOSTILE = {  # what is repeated
    "unfinished tags": "<a ", "links": "<a>x", "paragraphs": "<p>x", "siblings": "<br>", "ends": "</p>x</i>",
    "formatting": "<b></b><i>x</i>", "options": "<select><option>x</select>", "cells": "<table><td>x</table>",
    "comments": "<!-- <p> --><q>", "attributes": "<p a=1 b=2 class='a b' id=x>",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_steps_in_proportion(name):
    def page(size):
        return (HOSTILE[name] * size,)

    def ask(html):
        tree = PageTree(html)
        for selector in (".a", "p p", "[style*=italic]", "b ~ i", "li:nth-child(2n)", "p:has(> q)"):
            tree.numbers(selector)

    assert grows_in_proportion(ask, page, 60)


def test_sixty_kilobytes_of_unfinished_tags_are_read_at_once():
    report = extract_sentences("<p class=a>It is so.</p>" + "<a " * 20_000, select=".a", drop="a a a, .b").report
    assert (report.sentences, report.chosen) == (1, {".a": 1, "a a a": 0, ".b": 0})


def test_pages_that_nest_too_deeply_are_skipped_with_selectors_and_read_without():
    deep = "<div>" * (DEEPEST + 1) + "<p class=a>It is <b>so</b> here."
    assert extract_sentences(deep).report.sentences == 1
    (skipped,) = extract_sentences(deep, select=".a").report.skipped
    assert skipped.reason == (
        "its tree cannot be built: its elements nest more than 1,000 deep; read it without selectors, or leave it out"
    )
    assert extract_sentences(deep.replace("<div>", "", 5), select=".a").report.sentences == 1
    (sentence,) = extract_sentences(deep, places=True).treebank
    assert sentence.comment("places") == '[["b", 3, 3, "b", ""]]'


@pytest.mark.parametrize(
    "page, selector",
    [
        ("<div>" * 900, "a b c div div div"),
        ("<div><q></q>" * 450, "div:has(q q) div:has(a)"),
        ("<div>" * 9 + "<p>" * 900, "div:not(:has(b b b)) p:not(:has(b))"),
        ("<div>x" * 900, "div:-soup-contains('y' , 'z')"),
    ],
)
def test_a_selector_that_takes_too_long_ends_with_a_sentence(monkeypatch, page, selector):
    monkeypatch.setattr(page_tree_module, "STEPS", 2000)
    (skipped,) = extract_sentences(page + "It is so.", drop=selector, select="*").report.skipped
    assert "takes too long on it, more than" in skipped.reason and "name a class" in skipped.reason


def test_a_page_of_too_many_elements_is_skipped(monkeypatch):
    monkeypatch.setattr(page_tree_module, "MOST", 3)
    (skipped,) = extract_sentences("<p>It is so." * 4, select="p").report.skipped
    assert skipped.reason.startswith("its tree cannot be built: it has 4 elements, and 3 are allowed; read it without")


def test_selectors_that_look_at_text_see_it():
    page = "<div>Related pages. <p>It is here.</p></div><div><p>It was there.</p><q></q></div>"
    texts = [sentence.text for sentence in extract_sentences(page, drop="div:-soup-contains(Related)").treebank]
    assert texts == ["It was there."]
    assert PageTree(page, (":empty",)).numbers(":empty") == {4}


def test_a_page_that_the_tree_parser_refuses_is_skipped(monkeypatch):
    def refuse(*_):
        raise ParserRejectedMarkup("not this one")

    monkeypatch.setattr(LXMLTreeBuilder, "feed", refuse)
    (skipped,) = extract_sentences("<p>It is so.", select="p").report.skipped
    assert skipped.reason.startswith("its tree cannot be built: its parser refuses the page; read it without")


def test_numbers_that_a_page_writes_itself_mean_nothing():
    page = "<p n=7 data-n=9 class=a>It is so.<noscript><p class=a></noscript><textarea><p class=a></textarea>"
    assert PageTree(page).numbers(".a") == {0}


def test_a_tree_is_built_only_where_a_selector_looks_beyond_an_element_that_may_match(monkeypatch):
    monkeypatch.setattr(BeautifulSoup, "handle_starttag", None)
    tree = PageTree("<div class=a>It is <p class='b c' title=x>so.")
    assert tree.numbers("div, .b") == {0, 1} and tree.numbers(".b[title^=x]") == {1}
    assert tree.numbers("table table") == tree.numbers("p > i:first-child") == frozenset()
    with pytest.raises(TypeError):
        tree.numbers("div > p")


def test_a_path_names_the_elements_around():
    tree = PageTree("<body><div id=main><p class='intro x'>It is <a href=x>so</a><table><tr><td><i>here</i>")
    paths = {name: tree.path(number) for number, name in enumerate(tree.names)}
    assert paths["a"] == "html > body > div#main > p.intro > a"
    assert paths["i"] == "html > body > div#main > table > tr > td > i"
    for page in ("<title>It</title><nav><i>so", "<head><meta a=b></head><nav><i>so", "<html><body><nav><i>so"):
        tree = PageTree(page)
        assert tree.path(len(tree.names) - 1) == "html > body > nav > i"
        assert tree.numbers("body > nav") == {len(tree.names) - 2}
    assert PageTree("<div>" * 30 + "<i>so").path(30) == " > ".join(["…", *["div"] * 19, "i"])
    assert PageTree(f"<p id={'x' * 99}>").path(0) == f"html > body > p#{'x' * 37}…"


@pytest.mark.parametrize(
    "head, expected",
    [
        ("<html lang='pt-BR'><title> It\n is </title>", ("It is", "pt-BR", "")),
        ("<HTML XML:LANG=de><meta http-equiv=content-language content='fr, en'>", ("", "de", "")),
        ("<meta content='fr, en' http-equiv=Content-Language>", ("", "fr", "")),
        ("<!-- <html lang=de> --><title>A &amp; B</title><link href=https://a.org/x rel=canonical>",
         ("A & B", "", "https://a.org/x")),
        ("<meta property=og:url content=https://b.org/>", ("", "", "https://b.org/")),
        ("<base href=https://c.org/>", ("", "", "https://c.org/")),
        ("", ("", "", "")), ("\0\ud800<", ("", "", "")), ("<div>" * 2000, ("", "", "")),
    ],
)  # fmt: skip
def test_a_page_says_its_title_language_and_address(head, expected):
    assert stated(head) == expected


def test_the_language_that_a_page_states_decides_where_the_text_does_not():
    page = "<html lang=gl><p>O barco saíu moi cedo."
    assert {sentence.comment("lang") for sentence in extract_sentences(page).treebank} == {"gl"}


def test_a_tree_is_loaded_only_when_asked_for(monkeypatch):
    monkeypatch.delitem(sys.modules, "core.markup.page_tree", raising=False)
    monkeypatch.setitem(sys.modules, "bs4", None)
    assert extract_sentences("<p>It is so.", drop="nav, .toc", language="en").report.sentences == 1
    with pytest.raises(ImportError):
        extract_sentences("<p>It is so.", drop="div.toc", language="en")
