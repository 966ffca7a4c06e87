"""The tagging step: a lexicon as text, the words that have no tag yet, and how far it reaches."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.constraints import Problem
from core.errors import WorkbenchError
from core.workspace import CLOSED, Tagging, escape, save_tagging, saved_tagging, untagged_table
from pages.shared.editor import text_editor
from pages.shared.state import flash, refuse, workspace

TAGS = ("NOUN", "VERB", "ADJ", "ADV", "PROPN", "PRON", "DET", "ADP", "AUX", "CCONJ", "SCONJ", "PART", "NUM", "INTJ")
PLACEHOLDER = "the DET"


@st.fragment
def tagging_step(corpus, treebank):
    """Draw it; ``treebank`` is the text as its file has it."""
    tagging = saved_tagging(workspace().store, corpus) or Tagging()
    reached = tagging.coverage(treebank)
    st.subheader("Tag the words", anchor=False)
    st.caption(
        "Constraints speak of tags, and this text has none. Write a word and its tag on a line, the most frequent "
        "words first; words without a tag become X."
    )
    words = f"**{reached.tagged_tokens:,}** of {reached.tokens:,} words have a tag ({reached.share:.1%})"
    st.progress(reached.share, text=words)
    written, missing = st.columns([1, 1], gap="large")
    with written:
        _lexicon(corpus, tagging)
    with missing:
        _missing(corpus, treebank, tagging)
    if reached.tagged_tokens:
        st.page_link("pages/constraints.py", label="Go on to constraints", icon=":material/arrow_forward:")


def _lexicon(corpus, tagging):
    lists = st.pills(
        "Lists to build on",
        list(CLOSED),
        default=[name for name in tagging.lists if name in CLOSED],
        format_func=CLOSED.get,
        selection_mode="multi",
        key=f"corpus_lists_{corpus.id}",
    )
    if tuple(lists) != tagging.lists:
        _save(corpus, replace(tagging, lists=tuple(lists)), "choosing word lists")
        st.rerun()
    error = tagging.lexicon_or_rest()[1]
    problems = [] if error is None else [Problem(error.line or 1, 1, "error", str(error))]

    def typed(text):
        _save(corpus, replace(tagging, text=text), "editing the lexicon")

    text_editor(tagging.text, key=f"corpus_lexicon_{corpus.id}", save=typed, problems=problems, label="Lexicon")
    if error is not None:
        refuse(error)
    st.caption("`the DET` · `that SCONJ PRON` the first is used · `-ly ADV` an ending · `@number NUM` a shape")


def _missing(corpus, treebank, tagging):
    table = untagged_table(treebank, tagging)
    if not table["form"]:
        st.success("Every word has a tag.", icon=":material/check:")
        return
    cells = (st.session_state.get("corpus_untagged") or {}).get("selection", {}).get("cells", [])
    chosen = cells[0][0] if cells and cells[0][0] < len(table["form"]) else 0
    form = table["form"][chosen]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tag = st.selectbox(f"Tag of “{form}”", TAGS, key="corpus_tag", accept_new_options=True)
        st.button(
            "Tag it",
            type="primary",
            key="corpus_tag_it",
            on_click=partial(_tag, corpus, tagging, form, tag),
            help="Adds a line to the lexicon",
        )
    st.dataframe(
        table,
        key="corpus_untagged",
        on_select="rerun",
        selection_mode="single-cell",
        hide_index=True,
        height=330,
        column_config={
            "form": st.column_config.TextColumn("Words without a tag"),
            "count": st.column_config.NumberColumn("Times", format="localized"),
            "coverage": st.column_config.NumberColumn("Tagged by then", format="percent"),
        },
        alt=f"The {len(table['form'])} most frequent words without a tag",
    )


def _tag(corpus, tagging, form, tag):
    _save(corpus, tagging.with_word(form, tag), f"tagging {form} as {tag}")


def _save(corpus, tagging, label):
    try:
        save_tagging(workspace().store, corpus, tagging, label)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
