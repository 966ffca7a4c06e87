"""A methods paragraph about a run, and a table of the main figures of chosen runs, to copy or download."""

import streamlit as st

from core.workspace import escape
from core.workspace.registry import kind_name
from core.workspace.runs.methods import figure_table, latex_table, markdown_table, methods_paragraph
from pages.shared.messages import report_errors
from pages.shared.session import session
from pages.shared.table import draw_table
from pages.shared.tree_files import download

NOTATIONS = {"Markdown": (markdown_table, "md"), "LaTeX": (latex_table, "tex")}


def methods_panel(runs, run, other):
    """Draw it: the paragraph of one Run, the table of it, of ``other`` where it is given, and of others chosen."""
    told, tabled = st.columns([5, 7], gap="large")
    with told:
        _told(run)
    with tabled:
        _table(runs, [run] if other is None else [run, other])


@report_errors()
def _told(run):
    corpora = [(corpus.id, corpus.hash, str(corpus.settings)) for corpus in session().store.corpora(run.project)]

    def count():
        with st.spinner("Counting the sentences"):
            return methods_paragraph(session().systems, run)

    text = session().cache.get("methods", (run.id, run.finished, *corpora), count)
    st.code(text, language=None, wrap_lines=True)
    download("Text", text, f"run-{run.id}-methods.txt", "run_methods_text")
    st.caption("Based on what the run recorded and on counts of its sentences, nothing else.")


def _table(runs, first):
    known = {run.id: run for run in runs if run.kind in session().systems and run.status == "done"}
    usual = [run.id for run in first if run.id in known]
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.multiselect(
            "Runs in the table", list(known), default=usual, key=f"run_tabled_{'_'.join(map(str, usual))}",
            format_func=lambda number: f"Run {number}, {kind_name(known[number])}",
            label_visibility="collapsed", placeholder="Choose finished runs", width=420,
        )  # fmt: skip
        notation = st.segmented_control(
            "Notation", list(NOTATIONS), default="Markdown", key="run_notation", required=True,
            label_visibility="collapsed",
        )  # fmt: skip
    if not chosen:
        st.caption("Choose finished runs for a table of their main figures.")
        return
    table = figure_table(session().systems, [session().systems.with_score(known[number]) for number in chosen])
    st.caption("Main figures, each share with numerator and denominator")
    draw_table(
        table, key="run_figure_table",
        alt=f"Main figures of {escape(', '.join(table['Run']))}, with numerator and denominator",
    )  # fmt: skip
    make, ending = NOTATIONS[notation]
    st.code(make(table), language=None, wrap_lines=True)
    download(notation, make(table), f"runs.{ending}", "run_table_file")
