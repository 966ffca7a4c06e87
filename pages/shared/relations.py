"""The choice of relations for predicted trees whose parser names none: of a text, the same on every page."""

import streamlit as st

from core.parsers.labels import MEASURED
from core.workspace.relations import NONE, RULES, choose_relations, chosen_relations, relation_choices
from pages.shared.basics import escape, session
from pages.shared.setting import Settings


def relations_choice(corpus, key, beside=True):
    """Draw it; ``key`` begins the keys of its widgets, ``beside`` says whether it stands in a row with others."""
    workspace = session().workspace

    def save(_, choice):
        choose_relations(workspace, corpus, choice)

    names, now = relation_choices(workspace, corpus), chosen_relations(workspace, corpus)
    names |= {} if now.choice in names else {now.choice: "of a text that is gone"}
    how = {"format_func": lambda choice: f"Relations: {names[choice]}", "label_visibility": "collapsed", "width": 290}
    Settings(key, now, save)(
        st.selectbox, "choice", "Relations", list(names), **(how if beside else {"format_func": names.get})
    )
    caption = (
        f":orange[:material/warning:] No relations: {escape(now.problem)}." if now.problem else SAID.get(now.choice)
    )
    st.caption(caption or f"{now.source[:1].upper()}{escape(now.source[1:])}.", help=HELP)


def arc_labels(system, outcome, part, index):
    """The relations of a sentence of ``part`` in an Outcome's trees: a str for its root and each word, "" for none."""
    relations, rows = system.relations(outcome, part), slice(*part.offsets[index : index + 2])
    return [""] * (len(part[index]) + 1) if relations is None else relations[rows].tolist()


def _measured(name):
    return "{}% of relations are right ({}% without punctuation)".format(*MEASURED[name])


SAID = {NONE: "The parser names none.", RULES: "From the tags of both words."}
HELP = (
    "Parsers from constraints and from tags find heads only. Their trees get relations afterwards, so no training is "
    "repeated: here, in Compare, Annotate and Search, and in files. **By rules**: from the parts of speech of both "
    "words. **Learnt**: from whole trees with relations. Measured on the English EWT test text, with its own heads and "
    f"tags (UPOS and XPOS): by rules {_measured('rules')}. Learnt from 25 sentences of EWT train, {_measured(25)}. "
    f"Learnt from 100, {_measured(100)}; both are means of five random draws. With predicted heads or tags, and in "
    "other languages, expect fewer."
)
