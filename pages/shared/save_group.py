"""Saving what was found as a named group of words, from wherever it was found."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.groups import save_group
from pages.shared.state import flash, workspace


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
