"""The Guide page: chapters and sections from the address, search, links that name nothing; the ways to it and back."""

from urllib.parse import parse_qs

import pytest

from core.workspace.guide.chapters import guide
from pages.shared.navigation import MENU, script
from tests.pages.reading import pressed, said

TITLES = [entry.title for pages in MENU.values() for entry in pages.values()]
EXPLAINED = "Consensus", "Decomposition", "Induction", "Joint", "Adaptation", "Papers"
METHODS = "More in the guide"


def test_it_opens_on_the_first_chapter_whole(open_page):
    app = open_page("guide")
    assert app.get_by_key("chapter").value == "First hour"
    assert [each.value for each in app.subheader] == [section.title for section in guide()[0].sections]
    assert len(app.get("image")) == 3


def test_a_link_opens_a_section_alone_and_another_chapter_is_read_from_its_beginning(open_page):
    app = open_page("guide", chapter="Notation", section="Arrows")
    assert [each.value for each in app.subheader] == ["Arrows"]
    app.selectbox(key="section").select("The whole chapter").run()
    assert len(app.subheader) > 8
    app.selectbox(key="section").select("Arrows").run()
    app.get_by_key("chapter").set_value("Methods").run()
    assert app.selectbox(key="section").value == "The whole chapter" and "Matrix-Tree" in said(app.markdown)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"chapter": "Gone"}, "There is no chapter 'Gone' here; the first is shown"),
        ({"chapter": "Files", "section": "Arrows"}, "There is no section 'Arrows' here; the whole chapter is shown"),
    ],
)
def test_a_link_to_what_is_not_there_says_so(open_page, query, told):
    app = open_page("guide", **query)
    assert said(app.toast) == told and len(app.subheader) > 3


def test_words_are_searched_and_a_hit_opens_its_section(open_page):
    app = open_page("guide", guide_search="qwertz *x*")
    assert app.info[0].value == r"No section has all of: qwertz \*x\*. Try fewer words, or their beginnings."
    app.text_input(key="guide_search").set_value("per modifier").run()
    assert app.button(key="guide_hit_0").label == "Notation · Of what the target is a share"
    assert "**per**" in said(app.markdown)
    pressed(app, "guide_hit_0")
    assert [each.value for each in app.subheader] == ["Of what the target is a share"]
    assert app.text_input(key="guide_search").value == "" and app.get_by_key("chapter").value == "Notation"


def test_every_page_leads_to_its_section_and_some_to_the_method(open_page):
    methods = next(chapter for chapter in guide() if chapter.name == "methods")
    app = open_page()
    for title in TITLES:
        links = [link.proto for link in app.switch_page(script(title)).run().get("page_link")]
        (link,) = [link for link in links if link.label == "This page in the guide"]
        assert (link.page, parse_qs(link.query_string)) == ("guide", {"chapter": ["Every page"], "section": [title]})
        found = [parse_qs(link.query_string)["section"][0] for link in links if link.label == METHODS]
        assert len(found) == (title in EXPLAINED) and all(methods.section(each) is not None for each in found)


def test_sections_of_pages_lead_back_to_them(open_page):
    labels = [link.proto.label for link in open_page("guide", chapter="Every page").get("page_link")]
    assert [label for label in labels if label.startswith("Open ")] == [f"Open {title}" for title in TITLES]
