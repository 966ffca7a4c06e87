"""The constraint form: modifier, where, head, how often; answered while it is filled in."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.workspace.constraints import constraint_set
from core.workspace.constraints.coverage import preview
from core.workspace.wording import code, marked_sentence, question
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.constraints.occurrences import ask_for_places
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.widgets import action_button, choose_from

SAVED = "ge_saved"  # the name of the constraint saved last: the table shows it selected
COLUMNS = (24, 24, 24, 20, 17, 17)  # of the form's line: four fields, the button, more
WIDTH = 320  # pixels of what is behind More
FIELD_HELP = (
    "**Modifier** and **head**: a tag, or any item of the notation: `form:the`, `{NOUN PROPN}`, `*` for any word. "
    "**Stands**: where the modifier stands; *either way* connects the two, either may be the head (Druck et al. 2009, "
    "§4). **Attached**: the share of them that are arcs, such as `90%`, or a range, `90% to 100%`. Training draws the "
    "model’s share towards it (Druck et al. 2009, eq. 1)."
)


def edit_line(text, row):
    """Fill the form with a row of the survey, or with what a new line starts from; before the form is drawn."""
    fields = constraint_set.starting_fields(text) if row is None else constraint_set.Fields.of(row.constraint)
    ConstraintsView().line = None if row is None else row.line
    _fill(fields)


def _fill(fields):
    ConstraintsView().began = fields
    for name in ("head", "modifier", "side", "distance", "per"):
        st.session_state[f"ge_form_{name}"] = getattr(fields, name)
    st.session_state["ge_form_target"] = constraint_set.share_text(fields.low, fields.high)


def _show_saved(text, constraint):
    """Fill the form with the line that the table outlines: the one just saved; with a new one after a removal."""
    if constraint is None:
        edit_line(text, None)
        return
    saved = constraint_set.constraint_text(session().store, text.corpus, text.treebank)
    ConstraintsView().line = constraint_set.line_saying(saved, constraint)
    _fill(constraint_set.Fields.of(constraint))


def saved_index(rows):
    """The index of the constraint saved last among the rows of a survey, or None."""
    names = [row.constraint.name for row in rows]
    saved = st.session_state.get(SAVED)
    return names.index(saved) if saved in names else None


def fill_form(constraint):
    """Put a Constraint into the form, to be added as a new line; in a callback."""
    ConstraintsView().line = None
    _fill(constraint_set.Fields.of(constraint))


def constraint_form(text, source, rows, outcome):
    """Draw the form, one line of fields with its button, and what the text says of it; a saved change reruns."""
    began = ConstraintsView().began or constraint_set.starting_fields(text)
    number = ConstraintsView().line
    *fields_row, button, more = st.columns(COLUMNS, gap="xsmall", vertical_alignment="bottom")
    constraint = estimate = None
    with more.popover("More", key="ge_form_more", width="stretch"), st.container(width=WIDTH):
        distance, per = _where(began)
        every = st.empty()
    with report_errors():
        fields = _fields(text, fields_row, replace(began, distance=distance or "any", per=per))
        constraint = session().cache.get("form lines", fields, fields.constraint)
        others = [row.constraint for row in rows if row.line != number]
        key = constraint, source, number, text.key, outcome and outcome.key
        estimate = session().cache.get("previews", key, lambda: preview(text, constraint, others, outcome))
    refused = estimate is None or any(problem.severity == "error" for problem in estimate.problems)
    save = partial(_save, text, source, number)
    with button:
        note = _save_button(number, constraint, refused, save)
    if note or number is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(note or f"Line {number}", width="content")
            if number is not None:
                action_button("Remove", "ge_remove", "delete", save, None, type="tertiary")
                action_button("New constraint", "ge_leave", "add", edit_line, text, None, type="tertiary")
                if not refused and constraint_set.saying(session().document, constraint) is None:
                    add = partial(_save, text, source, None)
                    action_button("Add as new", "ge_add_new", "playlist_add", add, constraint, type="tertiary")
    if estimate is not None:
        is_saved = constraint in [row.constraint for row in rows]
        _answer(text, constraint, estimate, outcome, examples=1 if is_saved else 2)
        if estimate.coverage.denominator:
            label = f"Show all {estimate.coverage.denominator:,}"
            help_text = "Their sentences, with the words marked"
            every.button(label, key="ge_form_all", on_click=ask_for_places, args=(constraint,), help=help_text)


def _save_button(number, constraint, refused, save):
    """Draw the button, or the line that says it already; returns what the button would do.

    A set has each constraint once, so the button may change another line than that of ``number``.
    """
    same = None if constraint is None else constraint_set.saying(session().document, constraint)
    note = ""
    if same is not None and same == constraint:
        st.caption(f"Already line\u00a0{same.line}")  # which breaks before "line", if at all
        return note
    if same is not None and same.line != number:
        note = f"Changes line {same.line}, which has the target {same.target_text}"
        if number is not None:
            note += f", and removes line {number}"
    label = "Add" if number is None and same is None else "Save"
    st.button(label, key="ge_add", disabled=refused, on_click=save, args=(constraint,), width="stretch")
    return note


def _fields(text, columns, began):
    """The widgets of the form's line; returns Fields. Raises ConstraintError."""
    modifier_place, side_place, head_place, target_place = columns

    def choose(column, name, label, options, shown=None):
        shown, key = options.index(shown or getattr(began, name)), f"ge_form_{name}"
        return column.selectbox(label, options, index=shown, key=key, accept_new_options=True)

    options = constraint_set.choices(text, (began.head, began.modifier, "ROOT"))
    modifier = choose(modifier_place, "modifier", "Modifier", [option for option in options if option != "ROOT"])
    side = choose_from(
        side_place.selectbox, "Stands", constraint_set.SIDES, index=list(constraint_set.SIDES).index(began.side),
        key="ge_form_side",
    )  # fmt: skip
    head = choose(head_place, "head", "Head", options)
    usual = constraint_set.share_text(began.low, began.high)
    shares = list(dict.fromkeys([*constraint_set.TARGETS, usual]))
    low, high = constraint_set.read_share(choose(target_place, "target", "Attached", shares, usual) or usual)
    side = "->" if head == "ROOT" else side or began.side
    return replace(began, head=head or "*", modifier=modifier or "*", side=side, low=low, high=high)


def _where(began):
    """The fields that few constraints need; returns (distance, per)."""
    st.caption(FIELD_HELP)
    distances = list(dict.fromkeys([began.distance, *constraint_set.DISTANCES]))
    distance = st.selectbox(
        "Distance in words", distances, index=0, key="ge_form_distance", accept_new_options=True,
        help="From head to modifier, $|h - m|$: 1 is next to it, 1..3 at most 3 words away (Druck et al. 2009, §4).",
    )  # fmt: skip
    shares = constraint_set.SHARES
    per = choose_from(
        st.selectbox, "Share of", shares, index=list(shares).index(began.per), key="ge_form_per",
        help="**Modifiers**: the words that have such a head. **Heads**: the words that have such a modifier. "
        "**Pairs**: all pairs of such words in a sentence.",
    )  # fmt: skip
    return distance, per


def _answer(text, constraint, estimate, outcome, examples):
    """Draw what the text says of the constraint, by its Preview, with at most so many of its examples."""
    coverage = estimate.coverage
    st.markdown(f"**{escape(question(constraint, coverage.denominator))}**")
    parts = [code(constraint.text)]
    if estimate.model is not None:
        parts.append(f"{outcome.parser}: {estimate.model:.2f}")
    if coverage.gold_share is not None and coverage.pairs:
        parts.append(f"own trees {coverage.edges:,} of {coverage.known_denominator:,}")
    if estimate.attainable is not None:
        least, most = f"{estimate.attainable.least:.2g}", f"{estimate.attainable.most:.2g}"
        if (least, most) != ("0", "1"):
            parts.append(f"possible {least} to {most}")
    st.caption(" · ".join(parts))
    for problem in estimate.problems:
        show_problem(problem, with_place=False)
    for other, pairs, conflict in estimate.shared[:3]:
        if conflict:
            st.warning(escape(conflict), icon=":material/warning:")
        else:
            st.caption(f"Overlaps with line {other.line}: {amount(pairs, 'pair')} in common", help=code(other.name))
    for sentence, head, modifier in estimate.examples[:examples]:
        st.markdown(marked_sentence(text.treebank[sentence], head, modifier))


def show_problem(problem, with_place=True):
    """One Problem as a sentence where it belongs."""
    is_error = problem.severity == "error"
    column = f", column {problem.column}" if is_error else ""
    prefix = f"Line {problem.line}{column}: " if with_place and problem.line else ""
    show, icon = (st.error, ":material/error:") if is_error else (st.warning, ":material/warning:")
    show(prefix + escape(problem.message), icon=icon)


def _save(text, source, number, constraint):
    store, corpus = session().store, text.corpus
    with callback_errors():
        if constraint is None:
            constraint_set.remove_constraint(store, corpus, source, number)
        else:
            constraint_set.put_constraint(store, corpus, source, constraint, number)
            st.session_state[SAVED] = constraint.name
        flash("Removed" if constraint is None else f"Saved {escape(constraint.text)}")
        _show_saved(text, constraint)
    st.rerun("app")
