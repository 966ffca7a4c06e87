"""The guide as it is read: a chapter or one of its sections, with pictures and the way to the page spoken of."""

import re

import streamlit as st

from core.workspace.guide.chapters import Code, GuidePicture, find, pieces
from pages.shared.address import warn_gone
from pages.shared.basics import escape
from pages.shared.guide.view_state import GuideView
from pages.shared.navigation import script
from pages.shared.widgets import action_button, choose_one, choose_view

WHOLE = "The whole chapter"
HIGHLIGHTED = {"python": "python", "toml": "toml"}  # language of a block -> what Streamlit calls it
WIDTH = 820  # pixels of a line that is read with ease
MOST = 12  # sections listed
ARROW = re.compile(r"(?<=<)(?=-)|(?<=-)(?=[->])")  # Streamlit would draw another one
JOINER = "\u2060"  # takes no room


def choose(chapters):
    """Draw the choice of what to read; returns (Chapter, Section or None for all of it)."""
    titles = {chapter.title: chapter for chapter in chapters}
    warn_gone(GuideView.chapter, titles, "chapter", "the first is shown")
    chosen = choose_view("Chapter", {title: title for title in titles}, GuideView.chapter, on_change=_from_the_top)
    chapter = titles[chosen]
    sections = [section.title for section in chapter.sections]
    warn_gone(GuideView.section, [WHOLE, *sections], "section", "the whole chapter is shown")
    if (GuideView().section or WHOLE) not in (WHOLE, *sections):
        GuideView().section = WHOLE
    section = choose_one("Section", {title: title for title in (WHOLE, *sections)}, GuideView.section, width=WIDTH)
    return chapter, chapter.section(section)


def open_section(chapter, section):
    """Read a section by the titles; in a callback."""
    GuideView().chapter = chapter
    GuideView().section = section or WHOLE


def read(chapter, section):
    """Draw a chapter, or one section of it."""
    with st.container(width=WIDTH, key="guide_text"):
        if section is None:
            _draw(chapter.opening)
        for part in chapter.sections if section is None else (section,):
            st.subheader(part.title, anchor=part.slug)
            _draw(part.text)
            if page := script(part.title):
                st.page_link(page, label=f"Open {part.title}", icon=":material/arrow_forward:", query_params={})


def _draw(text):
    for piece in pieces(text):
        if isinstance(piece, GuidePicture):
            st.image(piece.address(st.context.theme.type or "light"), width="stretch", alt=piece.shows)
        elif isinstance(piece, Code):
            st.code(piece.text, language=HIGHLIGHTED.get(piece.language), wrap_lines=True)
        else:
            st.markdown(piece)


def _from_the_top():
    GuideView().section = WHOLE


def search_box():
    """Draw the box; returns what is looked for, "" where nothing is."""
    return st.text_input(
        "Search the guide", key=GuideView.words, bind="query-params", label_visibility="collapsed", width=WIDTH,
        max_chars=200, icon=":material/search:", placeholder="Search the guide, such as: per modifier, CoNLL-U, backup",
    ).strip()  # fmt: skip


def hits(words):
    """Draw what is found."""
    results = find(words, MOST)
    with st.container(width=WIDTH, key="guide_hits"):
        if not results:
            st.info(f"No section has all of: {escape(words)}. Try fewer words, or their beginnings.")
        for number, hit in enumerate(results):
            title = " · ".join(dict.fromkeys((hit.chapter.title, hit.section.title)))
            section = hit.section.title if hit.section in hit.chapter.sections else None
            action_button(title, f"guide_hit_{number}", "article", _open, hit.chapter.title, section, type="tertiary")
            st.markdown(_marked(hit))


def _open(chapter, section):
    GuideView().words = ""
    open_section(chapter, section)


def _marked(hit):
    """The passage as Markdown, the words looked for in bold."""
    parts, at = [], 0
    for begin, end in hit.marks:
        parts += [_plain(hit.passage[at:begin]), f"**{_plain(hit.passage[begin:end])}**"]
        at = end
    return "".join([*parts, _plain(hit.passage[at:])])


def _plain(text):
    return ARROW.sub(JOINER, escape(text))
