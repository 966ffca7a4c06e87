"""Which parses are compared, what judges them, and adding one from a file."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.comparing import MOST, side_by_side
from core.workspace.parses import add_parse, offered_parses, usual_choice
from pages.shared.desks import desks
from pages.shared.links import say_gone
from pages.shared.state import flash, refuse, workspace

CHOSEN = "parses"  # keys of the parses, in the address
PROBLEM = "cmp_problem"  # what was wrong with the last file, once


@st.cache_resource(max_entries=8, show_spinner="Comparing")
def _compared(_corpus, _offers, key, chosen, gold, punctuation):
    return side_by_side(workspace(), desks(), _corpus, _offers, gold, punctuation)


def chosen_parses(corpus):
    """Draw the choice; returns the SideBySide, or None where there is none."""
    try:
        treebank = workspace().treebank(corpus)
        offers = offered_parses(workspace(), corpus)
    except WorkbenchError as error:
        refuse(error)
        return None
    names = {offer.key: offer.name for offer in offers}
    has_gold = bool((treebank.heads >= 0).any())
    chosen = _choice(corpus, names, usual_choice(offers), has_gold)
    if PROBLEM in st.session_state:
        refuse(st.session_state.pop(PROBLEM))
    if not chosen:
        st.info("Choose one parse or more above. Training on the Constraints page, or a file, adds to the list.")
        return None
    gold = has_gold and st.session_state["cmp_gold"]
    kept = [offer for key in chosen for offer in offers if offer.key == key]
    try:
        return _compared(
            corpus, kept, workspace().corpus_key(corpus), tuple(chosen), gold, st.session_state["cmp_punctuation"]
        )
    except WorkbenchError as error:
        refuse(error)
        return None


def _choice(corpus, names, usual, has_gold):
    say_gone(CHOSEN, names.values(), "parse", "the others are compared")
    if CHOSEN in st.session_state:  # the corpus, or what it has, may be another one than when they were chosen
        known = [key for key in st.session_state[CHOSEN] if key in names]
        if len(known) < len(st.session_state[CHOSEN]):
            st.session_state[CHOSEN] = known or usual
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.multiselect(
            "Parses", list(names), default=usual, format_func=names.get, key=CHOSEN, max_selections=MOST,
            bind="query-params", label_visibility="collapsed", placeholder="Choose parses", width=600,
        )  # fmt: skip
        with st.popover("Add a parse", icon=":material/add:"), st.container(width=430):
            st.file_uploader(
                "CoNLL-U with the words of this text under other trees",
                key="cmp_upload",
                on_change=_add,
                args=(corpus,),
                help="It becomes a text of this project, so Undo takes it away.",
            )
        st.space("stretch")
        st.toggle(
            "Own trees judge", value=True, key="cmp_gold", bind="query-params", disabled=not has_gold,
            help="On: a head is right where it is the one in the text’s own trees. Off, or where the text has none: "
            "parses are compared with each other, and a head counts as right where most of them choose it.",
        )  # fmt: skip
        st.toggle(
            "Punctuation", key="cmp_punctuation", bind="query-params",
            help="Whether punctuation counts in significance, tables and confusions. UAS and LAS are given both ways.",
        )  # fmt: skip
    return chosen


def _add(corpus):
    upload = st.session_state["cmp_upload"]
    if upload is None:
        return
    try:
        key = add_parse(workspace(), corpus, upload.name, upload.getvalue())
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
        return
    room = len(st.session_state[CHOSEN]) < MOST
    if room:
        st.session_state[CHOSEN] = [*st.session_state[CHOSEN], key]
    flash(f"{escape(upload.name)} can be compared" + ("" if room else f"; take one of the {MOST} away to see it"))
