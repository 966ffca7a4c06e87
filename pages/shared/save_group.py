"""Saving sentences or words that a page lists: as a named group, or as a file."""

from pathlib import PurePath

import streamlit as st

from core.search.browse import sentences_conllu
from core.workspace.groups import by_indices, by_words, save_group
from pages.shared.basics import callback_errors, escape, flash, session
from pages.shared.widgets import download


def save_results(corpus, treebank, places, key, words=None):
    """Draw the buttons that save the sentences at ``places`` of a Treebank, a part of the corpus.

    ``words`` are numbers of words in these sentences, where the list is of words; then the group holds only them.
    """
    if words is None:
        save_as_group(corpus, lambda _: by_indices(treebank, places), key)
    else:
        content = "This word" if len(words) == 1 else f"These {len(words):,} words, not their whole sentences"
        save_as_group(corpus, lambda _: by_words(treebank, places, words), key, content=content)
    name = f"{PurePath(corpus.name).stem} found.conllu"
    help_text = "The sentences found, with the text’s own trees; download a table as CSV at its upper right"
    download("CoNLL-U", lambda: sentences_conllu(treebank, places), name, f"{key}_conllu", help=help_text)


def save_as_group(corpus, define, key, words=(), content=None):
    """Draw a popover that saves the group ``define(word)`` under a name; ``words`` are a request's, to choose from.

    ``content`` says what the group will hold, where that is no matter of choice.
    """
    with st.popover("Save as group", icon=":material/bookmark_add:", key=f"{key}_group"):
        if content:
            st.markdown(f"**{content}**")
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
