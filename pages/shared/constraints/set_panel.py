"""The constraint set as a table with its figures, or as text; below it the form, or the mapping of foreign tags."""

from functools import partial

import streamlit as st

from core.workspace.constraints.conditioning import begins_with_prior
from core.workspace.constraints.constraint_set import save_text
from core.workspace.constraints.coverage import TOKEN, contexts, survey, survey_table
from core.workspace.languages import ANSWERS, CONSTRAINTS, RELATIONS
from pages.shared.basics import amount, session
from pages.shared.constraints.ask import ask_me
from pages.shared.constraints.begin import answers_panel, begin_panel
from pages.shared.constraints.files import constraint_files
from pages.shared.constraints.form import SAVED, constraint_form, edit_line, saved_index, show_problem
from pages.shared.constraints.occurrences import ask_for_places, show_places
from pages.shared.constraints.tag_mapping import tag_mapping
from pages.shared.constraints.versions import versions_panel
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.editor import text_editor
from pages.shared.job_panel import watch
from pages.shared.languages import sharing_menu
from pages.shared.notation import notation
from pages.shared.widgets import action_button, choose_view, column, draw_table

VIEWS = {"table": "Table", "text": "Text", "ask": "Ask me", "versions": "Versions"}
VIEW = "ge_view"
SHOWN = 4  # problems written out
EDITOR = "ge_editor"


@st.fragment
def constraint_set(text, outcome):
    """Draw it. ``outcome`` is that of the model in use, None while the universal parser reads the text."""
    first = "versions" if ConstraintsView.version in st.query_params else "table"
    shown = [name for name in VIEWS if name != "versions" or st.session_state.get(VIEW, first) == name]  # behind Text
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        view = choose_view("View", VIEWS, VIEW, options=shown, default=first, linked=False)
        sharing_menu(text.corpus, "ge", CONSTRAINTS, ANSWERS, RELATIONS)
    source = session().source
    if view == "ask":
        ask_me(text, source, outcome)
    elif view == "versions":
        versions_panel(text, source)
    else:
        key = source, text.key, outcome and outcome.key
        now = partial(text.with_set, session().workspace, source)
        surveyed = session().cache.get("surveys", key, lambda: survey(now(), None, outcome))
        _set(text, source, view, surveyed, outcome)
    show_places(text, outcome)


def _set(text, source, view, surveyed, outcome):
    """Draw the set as a table or as text, with its problems."""
    watch(lambda: session().learner.conflicts(text, source) is None, lambda _: None)  # begins anew once they are known
    conflicts = session().learner.conflicts(text, source)
    with st.container():
        if not (surveyed.rows or surveyed.errors):
            begin_panel(text)
        elif begins_with_prior(text):
            answers_panel(text)
        mapping = tag_mapping(text, source)
    if view == "text":
        _as_text(text, source, [*surveyed.problems, *(conflicts or ())])
    elif mapping != "open":
        if ConstraintsView().line not in (None, *(row.line for row in surveyed.rows)):
            edit_line(text, None)  # the line in the form was undone or removed
        with st.container():
            constraint_form(text, source, surveyed.rows, outcome)
        _table(text, surveyed, conflicts or (), outcome)
    if mapping == "open":
        return
    with st.container():
        _problems(text, surveyed, conflicts or (), 0 if mapping else SHOWN)
    if view == "text":
        constraint_files(text, source)


def _as_text(text, source, problems):
    save = partial(save_text, session().store, text.corpus, label="editing the constraints", base=source)
    completions = session().cache.get(
        "completions", text.key, lambda: [context.as_dict() for context in contexts(text)]
    )
    completion = {"token": TOKEN, "contexts": completions}

    def saved():
        if session().follows:
            st.rerun("app")  # which begins to train

    text_editor(source, EDITOR, save, problems, completion=completion, saved=saved)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption("One constraint per line · Ctrl+Space suggests words", width="content")
        notation("ge_notation")
        action_button("Versions", "ge_open_versions", "bookmarks", st.session_state.update, {VIEW: "versions"})


def _table(text, surveyed, conflicts, outcome):
    if not surveyed.rows:
        begin = "begin with constraints for any language"
        other = "train without any" if begins_with_prior(text) else begin
        st.info(f"No constraints yet: add one above, or {other}.", icon=":material/edit:")
        return

    order, saved = list(range(len(surveyed.rows))), saved_index(surveyed.rows)
    if saved is not None:
        order.insert(0, order.pop(saved))  # what was just saved is in sight, and selected

    def choose(position, column):
        row = surveyed.rows[order[position]] if position < len(order) else None
        if row is not None and column == "of":
            ask_for_places(row.constraint)
        else:
            edit_line(text, row)

    table = {name: [values[k] for k in order] for name, values in survey_table(surveyed, conflicts).items()}
    about = (
        f"Constraints match pairs of words: {surveyed.covered:,} of {amount(surveyed.words, 'word')} are the modifier "
        "in some pair, so that something is said of their head. Click one to change it."
    )
    columns = {
        "line": column("Line", 34, help="As numbered in the Text tab"),
        "constraint": column("Constraint", help=about),
    }
    columns |= {"target": 84 if "note" in table else 64}
    parser = "the universal parser, which still reads the text" if outcome is None else outcome.parser
    model = f"Its share in the trees of {parser}, weighted by their probabilities"
    columns |= {"model": ("Model", 44, "%.2f", model)}
    columns |= {"of": ("Of", 44, "localized", "How many the shares are of; click a number to see the sentences")}
    columns |= {"note": column("Warning", 92, help="In short; in full below the table")}
    if outcome is None:
        del table["model"], columns["model"]
    count = amount(len(surveyed.rows), "constraint")
    alt = f"{count} with line, target, the share under {parser}, and out of how many"
    at = {} if saved is None else {"selection_default": {"selection": {"cells": [(0, "constraint")]}}}
    new_line = partial(edit_line, text, None)
    draw_table(
        table, key=f"ge_table_{st.session_state.get(SAVED, '')}", choose=choose, clear=new_line, most=304,
        columns=columns, alt=alt, **at,
    )  # fmt: skip
    st.caption(f"{count} on {surveyed.covered_share:.0%} of words · shares of {parser}")


def _problems(text, surveyed, conflicts, most):
    for problem in surveyed.errors[:most]:
        show_problem(problem)
    if len(surveyed.errors) > most:
        more = amount(len(surveyed.errors) - most, "more error" if most else "error")
        st.caption(f"{more}, each marked at its line; mend them to train")
    warnings = {(warning.line, warning.message): warning for warning in [*surveyed.warnings, *conflicts]}
    if len(warnings) == 1:
        show_problem(*warnings.values())
    elif warnings:
        with st.expander(f"{amount(len(warnings), 'warning')}; you can still train", key="ge_warnings"):
            for problem in sorted(warnings.values(), key=lambda warning: warning.line):
                show_problem(problem)
