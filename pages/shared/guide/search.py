"""Search in the guide: the sections that have all words, each with the passage that has most of them."""

import re

import streamlit as st

from core.guide import find
from core.workspace import escape
from pages.shared.guide.reader import WIDTH, open_section

WORDS = "guide_search"
MOST = 12  # sections listed
ARROW = re.compile(r"(?<=<)(?=-)|(?<=-)(?=[->])")  # Streamlit would draw another one
JOINER = "\u2060"  # takes no room


def search_box():
    """Draw the box; returns what is looked for, "" where nothing is."""
    return st.text_input(
        "Search the guide", key=WORDS, bind="query-params", label_visibility="collapsed", width=WIDTH, max_chars=200,
        icon=":material/search:", placeholder="Search the guide, such as: per modifier, CoNLL-U, backup",
    ).strip()  # fmt: skip


def hits(words):
    """Draw what is found."""
    found = find(words, MOST)
    with st.container(width=WIDTH, key="guide_hits"):
        if not found:
            st.info(f"No section has all of: {escape(words)}. Try fewer words, or their beginnings.")
        for place, hit in enumerate(found):
            title = " · ".join(dict.fromkeys((hit.chapter.title, hit.section.title)))
            section = hit.section.title if hit.section in hit.chapter.sections else None
            st.button(
                title, key=f"guide_hit_{place}", type="tertiary", icon=":material/article:", on_click=_open,
                args=(hit.chapter.title, section),
            )  # fmt: skip
            st.markdown(_marked(hit))


def _open(chapter, section):
    st.session_state[WORDS] = ""
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
