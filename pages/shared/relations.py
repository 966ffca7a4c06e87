"""The choice of relations for predicted trees whose parser names none: of a text, the same on every page."""

import streamlit as st

from core.constraints.labels import MEASURED
from core.workspace.relations import choose_relations, chosen_relations, relation_choices
from pages.shared.basics import escape, session
from pages.shared.setting import Settings


def relations_choice(corpus, key, label_visibility="collapsed"):
    """Draw it; ``key`` begins the keys of its widgets."""
    workspace = session().workspace

    def save(_, choice):
        choose_relations(workspace, corpus, choice)

    names, now = relation_choices(workspace, corpus), chosen_relations(workspace, corpus)
    names |= {} if now.choice in names else {now.choice: "of a text that is gone"}
    Settings(key, now, save)(
        st.selectbox, "choice", "Relations", list(names), format_func=lambda choice: f"Relations: {names[choice]}",
        label_visibility=label_visibility, width=260 if label_visibility == "collapsed" else "stretch", help=HELP,
    )  # fmt: skip
    if now.problem:
        st.caption(f":orange[:material/warning:] No relations: {escape(now.problem)}.")
    elif now.source:
        st.caption(f"Relations {escape(now.source)}.")


def _measured(name):
    score, words_only = MEASURED[name]
    return f"{score} % ({words_only} % without punctuation)"


HELP = (
    "Parsers from constraints and from tags find heads only. Their trees get relations afterwards, here, in Compare, "
    "Annotate and Search, and in the files that you save; no training is repeated. **By rules**: from the parts of "
    "speech of both words. **Learnt**: from whole trees with relations. Right relations on the English EWT test text, "
    f"with its own heads and tags (UPOS and XPOS): by rules {_measured('rules')}, learnt from 25 of its training "
    f"sentences {_measured(25)}, from 100 {_measured(100)}. With predicted heads or tags they are fewer."
)
