"""What the pages of consistency share: the desk, saving a choice, what was selected before the last one."""

from dataclasses import replace

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from pages.shared.state import flash, systems

FORMER = "cs_former"  # (corpus, what chose the contexts before the last choice)
CHOOSING = ("threshold", "minimum_count", "width", "prefer_inside")


def desk():
    """The Consensus of this process. Raises StoreError."""
    return systems()["consensus"]


def save(corpus, label, **changes):
    """Keep choices with the project, undoably; in a callback."""
    try:
        before = desk().save(corpus, label, **changes)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
        return
    if any(name in CHOOSING for name in changes):
        st.session_state[FORMER] = corpus.id, {name: getattr(before, name) for name in CHOOSING}


def key_of(name, value, page="cs"):
    """The key of the widget that shows a value of the plan, to be given that value as its own.

    Another one whenever the value changed elsewhere, by Undo or with the corpus, so that the widget begins anew with
    it, and its own value is right from the first time it is drawn.
    """
    shown, turn = f"{page}_shown_{name}", f"{page}_turn_{name}"
    if st.session_state.get(shown, value) != value:
        st.session_state[turn] = st.session_state.get(turn, 0) + 1
    st.session_state[shown] = value
    turns = st.session_state.get(turn, 0)
    return f"{page}_{name}_{turns}" if turns else f"{page}_{name}"


def choose(corpus, label, name, value, **kept):
    """Keep what a widget of ``key_of`` was moved to, undoably; in a callback. ``kept`` is the plan's own, if other."""
    st.session_state[f"cs_shown_{name}"] = value
    save(corpus, label, **(kept or {name: value}))


def former_selection(texts, plan, selection):
    """The Contexts before the last choice, of the same texts; ``selection`` itself where nothing was chosen."""
    owner, values = st.session_state.get(FORMER, (None, {}))
    return desk().selection(texts, replace(plan, **values)) if owner == texts.corpus.id else selection
