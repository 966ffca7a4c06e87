"""Which parses are compared, what they are scored against, adding one from a file, taking their trees away."""

import streamlit as st

from core.workspace.compare.tables import EACH_OTHER, MOST, OWN, OWN_TREES, side_by_side
from core.workspace.parses import AvailableParse, add_parse, offered_parses, usual_choice
from core.workspace.relations import chosen_relations
from pages.shared.address import warn_gone
from pages.shared.basics import callback_errors, escape, flash, report_errors, session, show_problem
from pages.shared.tree_files import tree_files
from pages.shared.widgets import choose_from, choose_one

CHOSEN = "parses"  # keys of the parses, in the address
AGAINST = "cmp_against"  # what they are scored against: OWN_TREES, EACH_OTHER or the key of one of them
PROBLEM = "cmp_problem"  # what was wrong with the last file, once


@report_errors()
def chosen_parses(corpus):
    """Draw the choice; returns the SideBySide, or None if there is none."""
    treebank = session().workspace.treebank(corpus)
    offers = offered_parses(session().systems, corpus)
    names = {offer.key: offer.name for offer in offers}
    has_gold = bool((treebank.heads >= 0).any())
    chosen = _choice(corpus, names, usual_choice(offers), has_gold)
    show_problem(PROBLEM)
    if not chosen:
        st.info("Choose one or more parses above. Each run that makes trees adds one, and so does a file.")
        return None
    kept = [offer for key in chosen for offer in offers if offer.key == key]
    against, punctuation = st.session_state[AGAINST], st.session_state["cmp_punctuation"]

    def compare():
        with st.spinner("Comparing"):
            return side_by_side(session().systems, corpus, kept, against, punctuation)

    workspace = session().workspace
    relations = chosen_relations(workspace, corpus).key
    key = workspace.corpus_key(corpus), tuple(kept), against, punctuation, relations
    return session().cache.get("compared", key, compare)


def _choice(corpus, names, usual, has_gold):
    warn_gone(CHOSEN, names.values(), "parse", "the others are compared")
    if CHOSEN in st.session_state:  # the corpus, or what it has, may be another one than when they were chosen
        known = [key for key in st.session_state[CHOSEN] if key in names]
        if len(known) < len(st.session_state[CHOSEN]):
            st.session_state[CHOSEN] = known or usual
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = choose_from(
            st.multiselect, "Parses", names, default=usual, key=CHOSEN, max_selections=MOST,
            bind="query-params", label_visibility="collapsed", placeholder="Choose parses", width=465,
        )  # fmt: skip
        with st.popover("Add a parse", icon=":material/add:"), st.container(width=430):
            st.file_uploader(
                "CoNLL-U with the words of this text under other trees", key="cmp_upload", on_change=_add,
                args=(corpus,), help="It becomes a text of this project; Undo removes it.",
            )  # fmt: skip
        tree_files(corpus, [AvailableParse(key, names[key]) for key in chosen], "cmp")
        _against({key: names[key] for key in chosen}, has_gold)
        help_text = "Count punctuation in significance tests, tables and confusions. UAS and LAS are given both ways."
        st.toggle("Punctuation", key="cmp_punctuation", bind="query-params", help=help_text)
    return chosen


def _against(chosen, has_gold):
    """Draw the choice of what the ``chosen`` parses, a name by key, are scored against."""
    names = {OWN_TREES: f"Score against {OWN}"} if has_gold else {}
    names |= {EACH_OTHER: "Compare with each other"}
    if len(chosen) > 1:
        names |= {key: f"Score against {name}" for key, name in chosen.items()}
    if st.query_params.get("cmp_gold") == "false":  # what links of older versions say
        st.session_state[AGAINST] = EACH_OTHER
        del st.query_params["cmp_gold"]
    warn_gone(AGAINST, names.values(), "reference", "the usual one is taken")
    choose_one(
        "Score against", names, AGAINST, width=235,
        help="A head is right where it is the one in the trees chosen here: the text’s own, or those of one parse. "
        "With each other: right is the head that most of the parses choose.",
    )  # fmt: skip


@callback_errors(PROBLEM)
def _add(corpus):
    upload = st.session_state["cmp_upload"]
    if upload is None:
        return
    key = add_parse(session().workspace, corpus, upload.name, upload.getvalue())
    room = len(st.session_state[CHOSEN]) < MOST
    if room:
        st.session_state[CHOSEN] = [*st.session_state[CHOSEN], key]
    flash(f"{escape(upload.name)} can be compared" + ("" if room else f"; remove one of the {MOST} parses to see it"))
