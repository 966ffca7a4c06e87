"""Keeping what was found, wherever it was found: as a named group of words, or as a file."""

from pathlib import PurePath

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.browse import sentences_conllu
from core.workspace.groups import by_places, save_group
from pages.shared.state import flash, workspace


def keep_found(corpus, treebank, places, key):
    """Draw what can be done with the sentences found at ``places`` of a Treebank, which is a part of the corpus."""
    save_as_group(corpus, lambda _: by_places(treebank, places), key)
    st.download_button(
        "CoNLL-U", data=lambda: sentences_conllu(treebank, places), icon=":material/download:", on_click="ignore",
        file_name=f"{PurePath(corpus.name).stem} found.conllu", type="tertiary", key=f"{key}_conllu",
        help="The sentences found, with the text’s own trees; a table’s rows are saved as CSV at its upper right",
    )  # fmt: skip


def save_as_group(corpus, define, key, words=()):
    """Draw a popover that keeps ``define(word)`` under a name; ``words`` are those of a request to choose from."""
    with st.popover("Save as group", icon=":material/bookmark_add:", key=f"{key}_group"):
        st.caption("A group is walked through by itself on any page, annotated in a row, and scored on Compare.")
        if words:
            st.selectbox(
                "Words", ["", *words], key=f"{key}_group_word",
                format_func=lambda word: f"word {word}" if word else "whole sentences",
            )  # fmt: skip
        st.text_input("Name", key=f"{key}_group_name")

        def keep():
            word = st.session_state[f"{key}_group_word"] if words else ""
            try:
                group = save_group(workspace(), corpus, st.session_state[f"{key}_group_name"], define(word))
            except WorkbenchError as error:
                flash(escape(str(error)), ":material/error:")
            else:
                flash(f"Group {escape(group.name)} is kept with the project")
            st.rerun("app")  # so that it is said

        st.button("Keep it", icon=":material/check:", key=f"{key}_group_keep", on_click=keep)
