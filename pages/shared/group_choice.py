"""Browsing only the sentences of a named group, on any page; which group stands in the address."""

from typing import Any

import streamlit as st

from core.workspace.groups import group_sentences_of_part, groups
from pages.shared.basics import escape, report_errors, session
from pages.shared.messages import error_text
from pages.shared.view_state import ViewState

ALL = ""


def group_choice(corpus, treebank, *keys, width: Any = 190):
    """Draw the choice of a group; nothing where the corpus has none.

    Parameters
    ----------
    corpus : Corpus
    treebank : Treebank
        The sentences walked through, all of the corpus's or some.
    keys : str
        Of the pagers that begin anew with another group.

    Returns
    -------
    places : range or ndarray
        Places in ``treebank``: those of the group's sentences, in the order of the text; of all where none is chosen,
        or none of the group's is there, which is said.
    """
    everything = range(len(treebank))
    present = {group.name: group for group in groups(session().store, corpus)}
    _forget_what_is_gone(present)
    if not present:
        return everything
    name = st.selectbox(
        "Sentences of", [ALL, *present], format_func=lambda name: name or "All sentences", key=ViewState.group,
        bind="query-params", label_visibility="collapsed", width=width, icon=":material/bookmarks:",
        on_change=_begin, args=keys, help="All sentences, or only those of a group",
    )  # fmt: skip
    if name == ALL:
        return everything
    with report_errors(show=lambda error: st.caption(f":orange[:material/info:] {error_text(error)}")):
        workspace, group = session().workspace, present[name]
        key = workspace.corpus_key(corpus), treebank.picks.tobytes(), str(group)
        return session().cache.get(
            "places", key, lambda: group_sentences_of_part(workspace.treebank(corpus), treebank, group)
        )
    return everything


def has_groups(corpus):
    """Whether there is a choice to draw."""
    return bool(groups(session().store, corpus))


def chosen_name():
    """The name of the group that is walked through, "" of none."""
    return ViewState().group or ALL


def leave_group():
    """Walk through all sentences again; in a callback that opens any of them."""
    if chosen_name() != ALL:
        ViewState().group = ALL


def _begin(*keys):
    for key in keys:
        st.session_state[key] = 1


def _forget_what_is_gone(present):
    """A group that was removed, is of another text, or of an old link."""
    name = st.session_state.get(ViewState.group, st.query_params.get(ViewState.group, ALL))
    if name not in (ALL, *present):
        ViewState().group = ALL
        message = f"This text has no group {escape(repr(name))}; all sentences are shown"
        st.toast(message, icon=":material/link_off:")
