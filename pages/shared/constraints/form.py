"""The constraint form: head, modifier, where, how far, how often; answered while it is filled in."""

import math
from dataclasses import replace
from functools import partial

import streamlit as st

from core.workspace.constraints import constraint_set
from core.workspace.constraints.coverage import preview
from core.workspace.wording import code, marked_sentence, question
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.constraints.occurrences import ask_for_places
from pages.shared.widgets import choose_from

LINE = "ge_line"  # the line that is being changed, None while a new one is written
FIELDS = "ge_fields"  # what the form began with
CHANGE = ":material/check:"


def edit_line(text, row):
    """Fill the form with a row of the survey, or with what a new line starts from; before the form is drawn."""
    fields = constraint_set.starting_fields(text) if row is None else constraint_set.Fields.of(row.constraint)
    st.session_state[LINE] = None if row is None else row.line
    _fill(fields)


def _fill(fields):
    st.session_state[FIELDS] = fields
    for name in ("head", "modifier", "side", "distance", "per"):
        st.session_state[f"ge_form_{name}"] = getattr(fields, name)
    st.session_state["ge_form_target"] = fields.low
    st.session_state["ge_form_range"] = (fields.low, fields.high)


def fill_form(constraint):
    """Put a Constraint into the form, to be added as a new line; in a callback."""
    st.session_state[LINE] = None
    _fill(constraint_set.Fields.of(constraint))


def constraint_form(text, source, rows, outcome):
    """Draw the form and its buttons; a saved change reruns the page."""
    began = st.session_state.get(FIELDS) or constraint_set.starting_fields(text)
    number = st.session_state.get(LINE)
    fields = _fields(text, began)
    constraint = None
    with report_errors():
        constraint = session().cache.get("form lines", fields, fields.constraint)
    others = [row.constraint for row in rows if row.line != number]
    found = None
    if constraint is not None:
        key = constraint, source, number, outcome.key
        found = session().cache.get("previews", key, lambda: preview(text, constraint, others, outcome))
        _answer(text, constraint, found)
    refused = found is None or any(problem.severity == "error" for problem in found.problems)
    with st.container(horizontal=True, vertical_alignment="center"):
        save = partial(_save, text, source, number)
        _save_button(number, constraint, refused, save)
        if number is not None:
            st.button("Remove", key="ge_remove", type="tertiary", icon=":material/delete:", on_click=save, args=(None,))
            st.button("Cancel", key="ge_leave", type="tertiary", on_click=edit_line, args=(text, None))
        if found is not None and found.coverage.denominator:
            every = f"Show all {found.coverage.denominator:,}"
            said = "Their sentences, with the words marked"
            st.button(every, key="ge_form_all", type="tertiary", on_click=ask_for_places, args=(constraint,), help=said)


def _save_button(number, constraint, refused, save):
    """A set says each thing in one line: the button changes the line that says it already."""
    same = None if constraint is None else constraint_set.saying(session().document, constraint)
    name, icon, about = ("Add", ":material/add:", None) if number is None else (f"Save line {number}", CHANGE, None)
    if same is not None and same == constraint:
        name, icon, about, refused = f"Line {same.line} says this", CHANGE, None, True
    elif same is not None and same.line != number:
        name, icon = f"Change line {same.line}", CHANGE
        about = f"Line {same.line} says this already, with the target {same.target_text}"
        if number is not None:
            name += f" and remove line {number}"
    st.button(name, key="ge_add", disabled=refused, icon=icon, on_click=save, args=(constraint,), help=about)


def _fields(text, began):
    """The form's widgets; returns Fields."""
    sides, shares = constraint_set.SIDES, constraint_set.SHARES
    fields = st.grid(2, min_column_width=200, gap=("xsmall", "small"), key="ge_form_grid")
    head_place, modifier_place, side_place, distance_place, target_place, per_place = (fields.cell() for _ in range(6))

    def choose(place, name, label, options, help):
        shown, key = options.index(getattr(began, name)), f"ge_form_{name}"
        return place.selectbox(label, options, index=shown, key=key, accept_new_options=True, help=help)

    options = constraint_set.choices(text, (began.head, began.modifier, "ROOT"))
    words = [option for option in options if option != "ROOT"]
    item = "A tag, or any item of the notation: form:the, {NOUN PROPN}, * for any word"
    head = choose(head_place, "head", "Head", options, item)
    modifier = choose(modifier_place, "modifier", "Modifier", words, item)
    side = choose_from(
        side_place.segmented_control, "The modifier stands", sides, default=began.side, key="ge_form_side",
        help="Whether the modifier stands before or after its head in the sentence: the direction of the arc "
        "(Druck et al. 2009, §4). With *either heads* the two are connected, in this order, either the head.",
    )  # fmt: skip
    distances = list(dict.fromkeys([began.distance, *constraint_set.DISTANCES]))
    far = "From head to modifier, $|h - m|$: 1 is next to it, 1..3 at most 3 words away (Druck et al. 2009, §4)."
    distance = choose(distance_place, "distance", "Distance in words", distances, far)
    ranged = began.low != began.high
    target = target_place.slider(
        "Share that are arcs", 0.0, max(1.0, float(math.ceil(began.high))),
        (began.low, began.high) if ranged else began.low, step=0.05, format="percent",
        key="ge_form_range" if ranged else "ge_form_target",
        help="The target $T$: training draws the share $E$ that the model expects towards it, "
        "by $-(T-E)^2$ unless Settings choose another score (Druck et al. 2009, eq. 1).",
    )  # fmt: skip
    per = choose_from(
        per_place.selectbox, "Share of", shares, index=list(shares).index(began.per), key="ge_form_per",
        help="**Modifiers**: the words that have such a head. **Heads**: the words that have such a modifier. "
        "**Pairs**: all pairs of such words in a sentence.",
    )  # fmt: skip
    low, high = target if ranged else (target, target)
    side = "->" if head == "ROOT" else side or began.side
    known = {"head": head or "*", "modifier": modifier or "*", "distance": distance or "any"}
    return replace(began, **known, side=side, per=per, low=low, high=high)


def _answer(text, constraint, found):
    """What the constraint speaks of, by its Preview."""
    coverage = found.coverage
    st.markdown(f"**{escape(question(constraint, coverage.denominator))}**")
    parts = [f"Target {constraint.target_text}"]
    if found.model is not None:
        parts.append(f"model {found.model:.2f}")
    if coverage.gold_share is not None and coverage.pairs:
        parts.append(f"the text’s own trees {coverage.edges:,} of {coverage.known_denominator:,}")
    if found.attainable is not None:
        parts.append(f"possible range {found.attainable.least:.2g} to {found.attainable.most:.2g}")
    st.caption(" · ".join(parts))
    st.code(constraint.text, language=None, wrap_lines=True)
    for problem in found.problems:
        show_problem(problem, with_place=False)
    for other, pairs, conflict in found.shared[:3]:
        if conflict:
            st.warning(escape(conflict), icon=":material/warning:")
        else:
            st.caption(f"Shares {amount(pairs, 'pair')} with line {other.line}, {code(other.name)}")
    for sentence, head, modifier in found.examples:
        st.markdown(marked_sentence(text.treebank[sentence], head, modifier))


def show_problem(problem, with_place=True):
    """One Problem as a sentence where it belongs."""
    is_error = problem.severity == "error"
    place = (
        f"Line {problem.line}{f', column {problem.column}' if is_error else ''}: "
        if with_place and problem.line
        else ""
    )
    show, icon = (st.error, ":material/error:") if is_error else (st.warning, ":material/warning:")
    show(place + escape(problem.message), icon=icon)


def _save(text, source, number, constraint):
    store, corpus = session().store, text.corpus
    with callback_errors():
        if constraint is None:
            constraint_set.remove_constraint(store, corpus, source, number)
        else:
            constraint_set.put_constraint(store, corpus, source, constraint, number)
        flash("Removed" if constraint is None else f"Saved {escape(constraint.text)}")
        edit_line(text, None)
    st.rerun("app")
