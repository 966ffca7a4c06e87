"""Keeping what was found, wherever it was found: as a named group of words, or as a file."""

from pathlib import PurePath

import streamlit as st

from core.search.browse import sentences_conllu
from core.workspace.groups import by_indices, by_words, save_group
from pages.shared.basics import callback_errors, escape, flash, session
from pages.shared.widgets import download


def keep_found(corpus, treebank, places, key, words=None):
    """Draw what can be done with what was found at ``places``, sentences of a Treebank that is a part of the corpus.

    ``words``: where words were found, their numbers in these sentences; then the group holds them and no others.
    """
    if words is None:
        save_as_group(corpus, lambda _: by_indices(treebank, places), key)
    else:
        what = "This word" if len(words) == 1 else f"These {len(words):,} words, not their whole sentences"
        save_as_group(corpus, lambda _: by_words(treebank, places, words), key, what=what)
    name = f"{PurePath(corpus.name).stem} found.conllu"
    help_text = "The sentences found, with the text’s own trees; download a table as CSV at its upper right"
    download("CoNLL-U", lambda: sentences_conllu(treebank, places), name, f"{key}_conllu", help=help_text)


def save_as_group(corpus, define, key, words=(), what=None):
    """Draw a popover that keeps ``define(word)`` under a name; ``words`` are those of a request to choose from.

    ``what`` says what the group will hold, where that is no matter of choice.
    """
    with st.popover("Save as group", icon=":material/bookmark_add:", key=f"{key}_group"):
        if what:
            st.markdown(f"**{what}**")
        st.caption("Browse, annotate and score a group by itself: choose it on any page, or see it on Compare.")
        if words:
            st.selectbox(
                "Words", ["", *words], key=f"{key}_group_word",
                format_func=lambda word: f"word {word}" if word else "whole sentences",
            )  # fmt: skip
        st.text_input("Name of the group", key=f"{key}_group_name")

        def keep():
            word = st.session_state[f"{key}_group_word"] if words else ""
            with callback_errors():
                group = save_group(session().workspace, corpus, st.session_state[f"{key}_group_name"], define(word))
                flash(f"Group {escape(group.name)} is saved with the project")
            st.rerun("app")  # so that it is said

        st.button("Save group", icon=":material/check:", key=f"{key}_group_keep", on_click=keep)
