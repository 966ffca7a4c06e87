"""Rewriting what a request finds: the dry run hit by hit, and one undoable command."""

import streamlit as st

from core.errors import WorkbenchError
from core.search import propose
from core.workspace import escape
from core.workspace.rewriting import accepted, carry_out, dry_run_table
from pages.shared.state import flash, refuse, workspace

LEFT_OUT = "search_left_out"  # (request, numbers of the hits that are not to be rewritten)
LABELS = {"sentence": "Sentence", "word": "Word", "before": "Before", "after": "After", "refusal": "Cannot be"}


@st.cache_resource(max_entries=4, show_spinner=False)
def _proposed(_treebank, _request, key, text):
    return propose(_treebank, _request)


def rewriting(corpus, treebank, request, text):
    """Draw the dry run and the button that carries it out."""
    try:
        hits, proposals = _proposed(treebank, request, workspace().corpus_key(corpus), text)
    except WorkbenchError as error:
        refuse(error)
        return
    if not proposals:
        st.info("No sentence matches, so there is nothing to rewrite.")
        return
    owner, left_out = st.session_state.get(LEFT_OUT, ("", frozenset()))
    left_out = left_out if owner == text else frozenset()
    accept = accepted(proposals, left_out)
    possible = accepted(proposals, frozenset())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Rewrite {len(accept):,} of {len(proposals):,} hits",
            type="primary",
            key="search_rewrite",
            disabled=not accept,
            on_click=_carry_out,
            args=(corpus, treebank, proposals, accept),
            help="The text as it was uploaded stays as it is; the rewritten one becomes a text of its own in this "
            "project. One step, which Undo takes back.",
        )
        st.button("All", key="search_accept_all", type="tertiary", on_click=_leave_out, args=(text, frozenset()))
        st.button("None", key="search_accept_none", type="tertiary", on_click=_leave_out, args=(text, possible))
    st.caption(
        "A dry run: nothing is changed yet. The rewritten text is kept beside this one, under a name of its own."
    )
    _table(dry_run_table(hits, proposals, left_out), proposals, text, left_out)


def _table(rows, proposals, text, left_out):
    key = f"search_dry_run_{hash((text, left_out))}"  # every change begins a new table: its rows say what holds

    def ticked():
        edits = st.session_state[key]["edited_rows"]
        changed = set(left_out)
        for row, values in edits.items():
            if values.get("accept"):
                changed.discard(proposals[row].hit)
            elif "accept" in values:
                changed.add(proposals[row].hit)
        _leave_out(text, frozenset(changed))

    if not any(rows["refusal"]):
        rows = {name: values for name, values in rows.items() if name != "refusal"}
    columns = {"accept": st.column_config.CheckboxColumn("Accept", width=60)}
    columns |= {name: st.column_config.TextColumn(LABELS[name], width=170) for name in rows if name != "accept"}
    columns["sentence"] = st.column_config.NumberColumn("Sentence", width=70)
    st.data_editor(
        rows,
        key=key,
        on_change=ticked,
        disabled=[name for name in rows if name != "accept"],
        hide_index=True,
        height=min(35 * (len(proposals) + 1) + 8, 520),
        column_config=columns,
        alt=f"What would become of each of {len(proposals):,} hits",
    )


def _leave_out(text, numbers):
    st.session_state[LEFT_OUT] = text, frozenset(numbers)


def _carry_out(corpus, treebank, proposals, accept):
    try:
        done = carry_out(workspace(), corpus, treebank, proposals, accept)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
        st.rerun("app")
    st.session_state["shared_open_corpus"] = done.corpus
    refused = f"; {done.refused:,} left alone, the first because {done.reason}" if done.refused else ""
    flash(escape(f"{done.done:,} hits rewritten in {done.name}{refused}"))
    st.rerun("app")
