"""Rewriting what a request finds: the dry run hit by hit, and one undoable command."""

import streamlit as st

from core.search import propose
from core.workspace.corpus.rewriting import (
    accepted,
    carry_out,
    change_words,
    changes_words_alone,
    dry_run_table,
    is_rewritten,
)
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.corpus.view_state import CorpusView
from pages.shared.widgets import column, sentence_column, tabled

KEEP_GRAPHS = "search_keep_graphs"
AS_NEW = "The rewritten text is added to the project as a new text; this one stays as it is. Undo removes it."
IN_TEXT = "Words or sentences change in this text, in everybody’s version of its trees. One undo takes all back."
WHERE = {
    False: "The rewritten text is added to the project under a new name.",
    True: "Words or sentences change in this text, for everybody; what is new is to be checked in *Annotate*.",
}
LABELS = {"sentence": "Sentence", "word": "Word", "before": "Before", "after": "After", "refusal": "Why not",
          "around": "Around it"}  # fmt: skip


@report_errors()
def rewriting(corpus, treebank, request, key, text):
    """Draw the dry run and the button that carries it out; ``key`` names what is searched."""
    hits, proposals = session().cache.get("rewritten", (key, text), lambda: propose(treebank, request))
    if not proposals:
        if is_rewritten(session().store, corpus, text):
            st.success("This text is the rewritten one: the request matches nothing in it any more.")
        else:
            st.info("No sentence matches, so there is nothing to rewrite.")
        return
    source = (key, text)
    owner, left_out = st.session_state.get(CorpusView.left_out, (None, frozenset()))
    left_out = left_out if owner == source else frozenset()
    accept = accepted(proposals, left_out)
    possible = accepted(proposals, frozenset())
    of_words = changes_words_alone(proposals, possible)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Rewrite {len(accept):,} of {amount(len(proposals), 'hit')}", type="primary", key="search_rewrite",
            disabled=not accept, on_click=_carry_out, args=(corpus, treebank, proposals, accept),
            help=IN_TEXT if of_words else AS_NEW,
        )  # fmt: skip
        st.button("All", key="search_accept_all", type="tertiary", on_click=_leave_out, args=(source, frozenset()))
        st.button("None", key="search_accept_none", type="tertiary", on_click=_leave_out, args=(source, possible))
    st.caption(f"A preview: nothing is changed yet. {WHERE[of_words]}")
    if treebank.has_graphs and not of_words:
        st.checkbox(
            "Bring enhanced dependencies along", key=KEEP_GRAPHS,
            help="The copy of a basic arc changes with it, and the others stay. Otherwise enhanced dependencies are "
            "left out of the rewritten sentences.",
        )  # fmt: skip
    _table(dry_run_table(hits, proposals, left_out), proposals, source, left_out)


def _table(rows, proposals, source, left_out):
    key = f"search_dry_run_{hash((source, left_out))}"  # every change begins a new table: its rows say what holds

    def ticked():
        edits = st.session_state[key]["edited_rows"]
        changed = set(left_out)
        for row, values in edits.items():
            if values.get("accept"):
                changed.discard(proposals[row].hit)
            elif "accept" in values:
                changed.add(proposals[row].hit)
        _leave_out(source, frozenset(changed))

    if not any(rows["refusal"]):
        rows = {name: values for name, values in rows.items() if name != "refusal"}
    columns = {"accept": st.column_config.CheckboxColumn("Accept", width=78)}
    columns |= {name: column(LABELS[name], 125) for name in rows if name != "accept"}
    columns["sentence"] = column("Sentence", 70)
    columns["around"] = sentence_column(rows["around"], 460, 300, LABELS["around"])
    with tabled("search_dry_run", {name: values for name, values in rows.items() if name != "accept"}, columns):
        st.data_editor(
            rows, key=key, on_change=ticked, disabled=[name for name in rows if name != "accept"], hide_index=True,
            height=min(35 * (len(proposals) + 1) + 8, 520), column_config=columns,
            alt=f"What would be written for {amount(len(proposals), 'hit')}",
        )  # fmt: skip


def _leave_out(source, numbers):
    CorpusView().left_out = source, frozenset(numbers)


@callback_errors(rerun=True)
def _carry_out(corpus, treebank, proposals, accept):
    if changes_words_alone(proposals, accept):
        done = change_words(session().workspace, corpus, treebank, proposals, accept, session().version)
    else:
        if st.session_state.get(KEEP_GRAPHS):
            treebank = treebank.keeping_graphs()
        done = carry_out(session().workspace, corpus, treebank, proposals, accept)
    st.session_state["shared_open_corpus"] = done.corpus
    refused = f"; {done.refused:,} left as they were, the first because {done.reason}" if done.refused else ""
    flash(escape(f"{amount(done.done, 'hit')} rewritten in {done.name}{refused}"))
