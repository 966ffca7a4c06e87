"""The guide as it is read: a chapter or one of its sections, with pictures and the way to the page spoken of."""

import streamlit as st

from core.guide import Code, Picture, pieces
from pages.shared.address import warn_gone
from pages.shared.navigation import script

CHAPTER, SECTION = "chapter", "section"
WHOLE = "The whole chapter"
HIGHLIGHTED = {"python": "python", "toml": "toml"}  # language of a block -> what Streamlit calls it
WIDTH = 820  # pixels of a line that is read with ease


def choose(chapters):
    """Draw the choice of what to read; returns (Chapter, Section or None for all of it)."""
    titles = {each.title: each for each in chapters}
    warn_gone(CHAPTER, titles, "chapter", "the first is shown")
    chosen = st.segmented_control(
        "Chapter", list(titles), default=next(iter(titles)), key=CHAPTER, on_change=_from_the_top, required=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    chapter = titles[chosen]
    sections = [each.title for each in chapter.sections]
    warn_gone(SECTION, [WHOLE, *sections], "section", "the whole chapter is shown")
    if st.session_state.get(SECTION, WHOLE) not in (WHOLE, *sections):
        st.session_state[SECTION] = WHOLE
    section = st.selectbox(
        "Section", [WHOLE, *sections], key=SECTION, bind="query-params", label_visibility="collapsed", width=WIDTH
    )
    return chapter, chapter.section(section)


def open_section(chapter, section):
    """Read a section by the titles; in a callback."""
    st.session_state[CHAPTER] = chapter
    st.session_state[SECTION] = section or WHOLE


def read(chapter, section):
    """Draw a chapter, or one section of it."""
    with st.container(width=WIDTH, key="guide_text"):
        if section is None:
            _draw(chapter.opening)
        for each in chapter.sections if section is None else (section,):
            st.subheader(each.title, anchor=each.slug)
            _draw(each.text)
            if page := script(each.title):
                st.page_link(page, label=f"Open {each.title}", icon=":material/arrow_forward:", query_params={})


def _draw(text):
    for piece in pieces(text):
        if isinstance(piece, Picture):
            st.image(piece.address, width="stretch", alt=piece.shows)
        elif isinstance(piece, Code):
            st.code(piece.text, language=HIGHLIGHTED.get(piece.language), wrap_lines=True)
        else:
            st.markdown(piece)


def _from_the_top():
    st.session_state[SECTION] = WHOLE
