"""The constraint form: head, modifier, where, how far, how often; answered while it is filled in."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import (
    DISTANCES,
    SHARES,
    SIDES,
    Fields,
    add_constraint,
    change_constraint,
    choices,
    escape,
    marked_sentence,
    preview,
    question,
    remove_constraint,
    starting_fields,
)
from pages.shared.occurrences import ask_for_places
from pages.shared.state import flash, refuse, workspace

LINE = "ge_line"  # the line that is being changed, None while a new one is written
FIELDS = "ge_fields"  # what the form began with


def edit_line(text, row):
    """Fill the form with a row of the survey, or begin anew with None; before the form is drawn."""
    fields = starting_fields(text) if row is None else Fields.of(row.constraint)
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
    _fill(Fields.of(constraint))


def constraint_form(text, source, rows, outcome):
    """Draw the form and its buttons; a saved change starts the page anew."""
    began = st.session_state.get(FIELDS) or starting_fields(text)
    number = st.session_state.get(LINE)
    fields = _fields(text, began)
    try:
        constraint = fields.constraint()
    except WorkbenchError as error:
        refuse(error)
        constraint = None
    others = [row.constraint for row in rows if row.line != number]
    found = None if constraint is None else _answer(text, constraint, others, outcome)
    refused = found is None or any(problem.severity == "error" for problem in found.problems)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = "Add" if number is None else f"Save line {number}"
        icon = ":material/add:" if number is None else ":material/check:"
        save = partial(_save, text, source, number)
        st.button(name, key="ge_add", disabled=refused, icon=icon, on_click=save, args=(constraint,))
        if number is not None:
            st.button("Remove", key="ge_remove", type="tertiary", icon=":material/delete:", on_click=save, args=(None,))
            st.button("Leave as it is", key="ge_leave", type="tertiary", on_click=edit_line, args=(text, None))
        if found is not None and found.coverage.denominator:
            every = f"Show all {found.coverage.denominator:,}"
            said = "The sentences, with these words marked"
            st.button(every, key="ge_form_all", type="tertiary", on_click=ask_for_places, args=(constraint,), help=said)


def _fields(text, began):
    """The form's widgets; returns Fields."""
    head_column, modifier_column = st.columns(2)
    options = choices(text, (began.head, began.modifier, "ROOT"))
    help_text = "A tag, or anything the language knows: form:the, {NOUN PROPN}, * for any word"
    head = _choice(head_column, "Head", options, began.head, "ge_form_head", help_text)
    words = [option for option in options if option != "ROOT"]
    modifier = _choice(modifier_column, "Modifier", words, began.modifier, "ge_form_modifier", help_text)
    side_column, distance_column = st.columns([3, 2])
    side = side_column.segmented_control(
        "Where the modifier stands", list(SIDES), default=began.side, format_func=SIDES.get, key="ge_form_side",
        help="Seen from the head, in the sentence: the direction of the arc (druck2009, section 4).",
    )  # fmt: skip
    distances = list(dict.fromkeys([began.distance, *DISTANCES]))
    far = "From head to modifier, $|h - m|$: 1 is next to it, 1..3 at most three words away (druck2009, section 4)."
    distance = _choice(distance_column, "Distance in words", distances, began.distance, "ge_form_distance", far)
    target_column, per_column = st.columns([3, 2])
    ranged = began.low != began.high
    target = target_column.slider(
        "How many are edges",
        0.0,
        1.0,
        (began.low, began.high) if ranged else began.low,
        step=0.05,
        format="percent",
        key="ge_form_range" if ranged else "ge_form_target",
        help="The target $T$: training draws the share $E$ that the model expects towards it, "
        "by $-(T-E)^2$ unless the settings say otherwise (druck2009, eq. 1).",
    )
    per = per_column.selectbox(
        "Share", list(SHARES), index=list(SHARES).index(began.per), format_func=SHARES.get, key="ge_form_per",
        help="Out of how many: all pairs of such words in a sentence, or the words that could be modifier or head.",
    )  # fmt: skip
    low, high = target if ranged else (target, target)
    return replace(
        began,
        head=head or "*",
        modifier=modifier or "*",
        side="->" if head == "ROOT" else side or began.side,
        distance=distance or "any",
        per=per,
        low=low,
        high=high,
    )


def _choice(place, label, options, value, key, help_text):
    return place.selectbox(label, options, index=options.index(value), key=key, accept_new_options=True, help=help_text)


def _answer(text, constraint, others, outcome):
    """What the constraint speaks of; returns the Preview."""
    found = preview(text, constraint, others, outcome)
    coverage = found.coverage
    st.markdown(f"**{escape(question(constraint, coverage.denominator))}**")
    parts = [f"You say {constraint.target_text}"]
    if found.model is not None:
        parts.append(f"the model says {found.model:.2f}")
    if coverage.gold_share is not None and coverage.pairs:
        parts.append(f"the text’s own trees {coverage.edges:,} of {coverage.known_denominator:,}")
    if found.attainable is not None:
        parts.append(f"trees can reach {found.attainable.least:.2f} to {found.attainable.most:.2f}")
    st.caption(" · ".join(parts))
    st.code(constraint.text, language=None, wrap_lines=True)
    for problem in found.problems:
        show_problem(problem, with_place=False)
    for other, pairs, conflict in found.shared[:3]:
        if conflict:
            st.warning(escape(conflict), icon=":material/warning:")
        else:
            st.caption(f"Shares {pairs:,} pairs with `{other.name}`")
    for sentence, head, modifier in found.examples:
        st.markdown(marked_sentence(text.treebank[sentence], head, modifier))
    return found


def show_problem(problem, with_place=True):
    """One Problem as a sentence where it belongs."""
    place = f"Line {problem.line}, column {problem.column}: " if with_place and problem.line else ""
    if problem.severity == "error":
        st.error(place + escape(problem.message), icon=":material/error:")
    else:
        st.warning(place + escape(problem.message), icon=":material/warning:")


def _save(text, source, number, constraint):
    store, corpus = workspace().store, text.corpus
    try:
        if constraint is None:
            remove_constraint(store, corpus, source, number)
        elif number is None:
            add_constraint(store, corpus, source, constraint)
        else:
            change_constraint(store, corpus, source, number, constraint)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    else:
        flash("Removed" if constraint is None else f"Saved {escape(constraint.text)}")
        edit_line(text, None)
    st.rerun("app")
