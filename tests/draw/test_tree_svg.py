"""SVG text: well formed, escaped, complete."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.draw import Arc, Drawing, Span, tree_svg
from core.errors import WorkbenchError
from core.treebank import Treebank

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def sentence():
    words = {"forms": ["She", "saw", "<stars>"], "upos": ["PRON", "VERB", "NOUN"], "heads": [2, 0, 2]}
    return Treebank.from_sentences([words | {"deprels": ["nsubj", "root", "obj"]}])[0]


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_words_tags_and_relations_are_real_text(sentence):
    assert sorted(texts(tree_svg(sentence))) == sorted(
        ["She", "saw", "<stars>", "PRON", "VERB", "NOUN", "nsubj", "root", "obj"]
    )
    assert "nsubj" not in texts(tree_svg(sentence, labels=False))


@pytest.mark.parametrize("letter", ["\x00", "\x1b", "\ud800", "\ufffe", "\uffff"])
def test_letters_that_xml_forbids_are_replaced(letter):
    svg = tree_svg(Drawing(("", f"a{letter}b")))
    assert texts(svg) == ["a\ufffdb"]
    assert svg.encode("utf-8")


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4), st.text(max_size=5))
def test_any_text_gives_well_formed_xml_without_markup_of_its_own(words, label):
    drawing = Drawing(("", *words), arcs=(Arc(0, 1, label, note="<script>"),), name="<b onload='x'>")
    tree = ElementTree.fromstring(tree_svg(drawing))
    assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= {
        "svg", "title", "desc", "rect", "g", "path", "circle", "text",
    }  # fmt: skip


@pytest.mark.parametrize(("theme", "blue"), [("light", "#0072b2"), ("dark", "#4ba3dc"), ("grey", "#000000")])
def test_themes_colour_the_arcs(sentence, theme, blue):
    assert f'stroke="{blue}"' in tree_svg(sentence, theme=theme)


def test_a_second_tree_is_dashed_where_it_differs(sentence):
    svg = tree_svg(sentence, other=[-1, 3, 0, 2])
    assert svg.count("stroke-dasharray") == 1


def test_the_band_is_as_strong_as_the_posterior(sentence):
    posteriors = np.zeros((4, 4))
    posteriors[2, 1], posteriors[0, 2], posteriors[2, 3] = 0.0, 0.5, 1.0
    svg = tree_svg(sentence, posteriors=posteriors)
    assert all(f'stroke-opacity="{value}"' in svg for value in ("0.12", "0.56", "1.00"))
    assert "posterior .50" in svg


def test_bars_are_drawn_with_their_labels(sentence):
    assert "a" in texts(tree_svg(sentence, spans=[Span(2, 4, "a")]))


def test_the_paper_can_be_left_out(sentence):
    assert "<rect" in tree_svg(sentence) and "<rect" not in tree_svg(sentence, transparent=True)


def test_an_unknown_theme_is_refused(sentence):
    with pytest.raises(WorkbenchError, match="unknown theme 'sepia'; use one of light, dark, grey"):
        tree_svg(sentence, theme="sepia")
