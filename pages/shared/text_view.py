"""What is looked at in a text: left with it, and found again on coming back."""

import streamlit as st

VIEWS = "shared_views"  # corpus id -> {key: value} of what was looked at in it
PROJECT = "project"  # its control stands before this in the bar, and says it on every run
GONE = object()  # no value at all: what has a page of its own begins with its own

# Every key of the session that speaks of places in the text that is open, or of its runs, and what it usually holds.
# What says how to look (a level, a table, a layout) stays when another text is opened, and is not among them.
OF_TEXT = {
    "group": "", "sentence": 1, "find": "", "only": None, "corpus_lengths": None,  # Corpus, Annotate, and all pagers
    "hit": 1, "search_trees": GONE, "search_cluster": None, "search_left_out": GONE,
    "ann_layer": GONE, "ann_versions": GONE, "ann_differing": GONE,
    "place": 1, "ge_places_page": 1, "ge_open": GONE, "ge_mistake": None, "ge_line": None, "ge_fields": GONE,
    "ge_course_row": GONE, "ge_worth_row": GONE, "ge_arc_row": GONE, "ge_compared": GONE, "ge_occurrences": GONE,
    "ge_gradient_line": GONE, "ge_preview": 1,
    "mk_tag": GONE, "mk_lengths": GONE, "mk_verdict": "all", "mk_only": GONE, "mk_open": None, "mk_page": 1,
    "mk_corpus": GONE, "mk_trees": GONE,
    "cs_kind": None, "cs_vote": GONE, "cs_effect": None, "cs_changed": None,
    "ind_run": None, "dd_run": GONE, "dd_iteration": GONE, "dd_flip": GONE,
    "joint_sentence": 1, "joint_stage": GONE, "joint_list": GONE, "joint_run": GONE, "jt_ranks": GONE,
    "adapted": GONE, "changed": "all", "edge": 1, "direction": GONE, "pivot": GONE, "scl_example": GONE,
    "parses": GONE, "cmp_against": GONE, "cmp_open": None, "cmp_trees": None, "cmp_sentence": None,
    "cmp_confused_parse": GONE, "teach_sentence": GONE, "advice_row": GONE,
}  # fmt: skip


def leave(corpus):
    """Keep what is looked at in a text, by its id, and forget it in the session: the address begins anew."""
    views = st.session_state.setdefault(VIEWS, {})
    views[corpus] = {key: st.session_state.pop(key) for key in OF_TEXT if key in st.session_state}


def restart(page, former, corpus, address):
    """Show a page anew with another text: an address without the former's places, and what was looked at in this one.

    Only a page that begins with a new address forgets the old one: controls bound to it read it when they are drawn,
    and it cannot be changed while they are bound (Streamlit 1.67).
    """
    views = st.session_state.setdefault(VIEWS, {})
    known = {key: st.session_state[key] for key in OF_TEXT if key in st.session_state}
    if former is not None:
        views[former] = known
    wanted = {key: OF_TEXT[key] for key in known} | views.get(corpus, {})
    for key, value in wanted.items():
        if value is GONE:
            del st.session_state[key]
        else:
            st.session_state[key] = value
    kept = {}
    for key in st.query_params:
        if key in OF_TEXT or key == PROJECT:
            continue
        if key in st.session_state:  # its control writes it again, as what was set from Python
            st.session_state[key] = st.session_state[key]
        else:
            kept[key] = st.query_params.get_all(key)
    st.switch_page(page, query_params=kept | address)
