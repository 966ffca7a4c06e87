"""One run in full, beside another where one is chosen; its record, its trees, its page."""

import streamlit as st

from core.errors import WorkbenchError
from core.store import RESUMABLE
from core.workspace.constraints.versions import changed_lines
from core.workspace.parses import offers_of
from core.workspace.registry import kind_name, parsed_corpus
from core.workspace.runs.list import facts_table, page_of, run_json
from core.workspace.runs.methods import figure_table, latex_table, markdown_table, methods_paragraph
from pages.shared.address import warn_gone
from pages.shared.basics import callback_errors, escape, flash, report_errors, session
from pages.shared.compare.view_state import CompareView
from pages.shared.job_panel import resume_help
from pages.shared.runs.deleting import delete_button
from pages.shared.runs.table import choose_run
from pages.shared.runs.view_state import RunsView
from pages.shared.text_menu import open_text
from pages.shared.tree_files import tree_files
from pages.shared.widgets import action_button, choose_one, choose_view, download, draw_table

NONE = "alone"
VIEWS = {"record": "Record", "methods": "For a paper"}
NOTATIONS = {"Markdown": (markdown_table, "md"), "LaTeX": (latex_table, "tex")}


def run_panel(runs):
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        run = session().systems.with_score(choose_run(runs))
        other = _beside(runs, run)
        other = other and session().systems.with_score(other)
        view = choose_view("Show", VIEWS, RunsView.view)
        _actions(run)
    if run.error:
        st.caption(f":red[:material/error:] {escape(run.error)}")
    if view == "methods":
        methods_panel(runs, run, other)
    else:
        _record(run, other)


def _record(run, other):
    table = facts_table(session().store, run, other)
    facts, constraints = st.columns([7, 5], gap="large")
    with facts:
        st.caption("Record" if other is None else "Both records; differences first")
        widths = {"what": 190, "differs": 60}
        columns = {name: (name.capitalize(), widths.get(name, 190)) for name in table}
        alt = f"Settings and figures of run {run.id}" + (f" and run {other.id}, what differs first" if other else "")
        draw_table(table, key="run_facts", most=430, columns=columns, alt=alt)
    with constraints:
        _constraints(run, other)


def _beside(runs, run):
    """Draw the choice of another Run; returns it, or None."""
    others = {str(other.id): other for other in runs if other.id != run.id}
    names = {key: f"Run {key}, {kind_name(other)}" for key, other in others.items()}
    warn_gone(RunsView.beside, names.values(), "run", "the other is shown alone")
    if RunsView().beside not in others:
        RunsView().beside = NONE
    chosen = choose_one("Compare with", {NONE: "Compare with …"} | names, RunsView.beside, width=205)
    return others.get(chosen)


def _actions(run):
    download(
        "JSON", lambda: run_json(session().store, run), f"run-{run.id}.json", "run_json", mime="application/json",
        help="Settings, constraints, figures, hashes, code version and every iteration, as JSON",
    )  # fmt: skip
    if session().systems.can_repeat(run):
        _again(run)
    if page_of(run) and st.button("Open its page", icon=":material/open_in_new:", type="tertiary", key="run_open"):
        open_text(run.corpus)
        st.switch_page(f"pages/{page_of(run)}.py", query_params={})  # without them it is refused: some are bound
    _trees(run)
    delete_button(run)


def _trees(run):
    """The trees that a Run left, to look at and as files."""
    try:
        corpus = session().store.corpus(parsed_corpus(run))
        offers = offers_of(session().systems, corpus, run)
    except WorkbenchError:  # the text was removed, and its trees with it
        return
    if not offers:
        return
    tree_files(corpus, offers, "run")
    if st.button("See its trees", icon=":material/compare_arrows:", type="tertiary", key="run_trees"):
        open_text(corpus.id, CompareView, parses=[offers[0].key, "right"])
        st.switch_page("pages/compare.py", query_params={})


def _again(run):
    system = session().systems.of(run)

    @callback_errors()
    def begin(start, verb):
        number = start(run)
        flash(f"Run {number} {verb}", ":material/play_arrow:")
        RunsView().run = str(number)

    if run.status in RESUMABLE:
        st.button(
            "Resume", icon=":material/play_arrow:", type="tertiary", key="run_resume",
            on_click=begin, args=(system.resume, "continues"), help=resume_help(run),
        )  # fmt: skip
    help_text = "A new run with the same settings and constraints, on the same sentences"
    action_button("Run again", "run_again", "replay", begin, system.again, "has begun", type="tertiary", help=help_text)


def _constraints(run, other):
    if other is None:
        if run.constraint_text:
            with st.expander("Its constraints", key="run_constraints"):
                st.code(run.constraint_text, language=None, wrap_lines=True)
        return
    if not (run.constraint_text or other.constraint_text):
        return
    changes = changed_lines(other.constraint_text, run.constraint_text)
    st.markdown(f"Constraints from run {other.id} to run {run.id}: {changes['kept']} the same")
    for name in ("added", "removed", "changed"):
        if changes[name]:
            st.caption(f"{len(changes[name])} {name}")
            st.code("\n".join(changes[name]), language=None, wrap_lines=True)


def methods_panel(runs, run, other):
    """Draw it: the paragraph of one Run, the table of it, of ``other`` where it is given, and of others chosen."""
    paragraph, figures = st.columns([5, 7], gap="large")
    with paragraph:
        _methods_text(run)
    with figures:
        _table(runs, [run] if other is None else [run, other])


@report_errors()
def _methods_text(run):
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
        notation = choose_view("Notation", {name: name for name in NOTATIONS}, "run_notation", linked=False)
    if not chosen:
        st.caption("Choose finished runs for a table of their main figures.")
        return
    table = figure_table(session().systems, [session().systems.with_score(known[number]) for number in chosen])
    st.caption("Main figures, each share with numerator and denominator")
    alt = f"Main figures of {escape(', '.join(table['Run']))}, with numerator and denominator"
    draw_table(table, key="run_figure_table", alt=alt)
    make, ending = NOTATIONS[notation]
    st.code(make(table), language=None, wrap_lines=True)
    download(notation, make(table), f"runs.{ending}", "run_table_file")
