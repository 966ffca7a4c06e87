"""Filters over the words that are compared; they combine, and the address has them."""

import streamlit as st

from core.workspace.compare.filters import WordFilter, filter_choices, filter_words, filtered
from core.workspace.groups import groups
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.compare.differences import filtered_differences
from pages.shared.compare.view_state import CompareView
from pages.shared.widgets import action_button, choose_from

ONE = ("group", "right", "wrong")  # conditions with one value
PREFIX = "cmp_filter_"


def narrowed(corpus, parses):
    """Draw what is filtered; returns the SideBySide of the words that are left, None if there are none."""
    word_filter, remaining = chosen_filter(), None
    with report_errors():
        remaining = filtered(session().workspace, corpus, parses, word_filter)
    if word_filter.is_open:
        return remaining
    names = {group.key: group.name for group in groups(session().store, corpus)}
    conditions = filter_words(word_filter, filter_choices(parses), names.get(word_filter.group or ""))
    words = 0 if remaining is None else len(remaining.comparison.scored)
    with st.container(horizontal=True, vertical_alignment="center"):
        left = f"{words:,} of {amount(len(parses.comparison.scored), 'word')}"
        st.markdown(f":material/filter_alt: {escape(conditions)}: **{left}**", width="content")
        action_button("Clear", "cmp_filter_clear", "close", CompareView.filter.keep, None, type="tertiary")
    if words:
        filtered_differences(remaining)
    if remaining is not None and not words:
        st.info("No word passes these filters. Clear them, or choose others.", icon=":material/search_off:")
        filter_button(corpus, parses)
        return None
    return remaining


def chosen_filter():
    """The WordFilter of the address."""
    value = CompareView().filter
    parts = [
        part
        for part in (value if isinstance(value, tuple) else ())
        if isinstance(part, tuple) and len(part) > 1 and all(isinstance(word, str) for word in part)
    ]
    one = {part[0]: part[1] for part in parts if part[0] in ONE}
    return WordFilter(tuple((part[0], part[1:]) for part in parts if part[0] not in ONE), **one)


def filter_button(corpus, parses):
    """Draw the popover in which filters are chosen; ``parses`` are those before any filter."""
    help_text = "Keep the words that meet all conditions; tables, charts and the list follow, scores stay of all words."
    opened = st.popover(
        "Filter", icon=":material/filter_alt:", key="cmp_filter_open", help=help_text, on_change="rerun"
    )  # fmt: skip
    if opened.open:
        with opened, st.container(width=360):
            _conditions(corpus, parses)


def _conditions(corpus, parses):
    word_filter, choices = chosen_filter(), filter_choices(parses)
    shown = {group.key: group.name for group in groups(session().store, corpus)}
    one = {"group": ("Group", shown)}
    if parses.is_judged:
        names = {name: name for name in parses.names}
        one |= {"right": ("Right in", names), "wrong": ("Wrong in", names)}
    chosen = dict(word_filter.kinds)
    for kind, names in choices.items():
        st.session_state[PREFIX + kind] = [name for name in chosen.get(kind, ()) if name in names]
        choose_from(
            st.multiselect, kind.capitalize(), names, key=PREFIX + kind, on_change=_keep, args=(choices, one),
            placeholder="Any",
        )  # fmt: skip
    for name, (label, names) in one.items():
        if names:
            value = getattr(word_filter, name)
            st.session_state[PREFIX + name] = value if value in names else None
            choose_from(
                st.selectbox, label, names, key=PREFIX + name, on_change=_keep, args=(choices, one),
                placeholder="Any", index=None,
            )  # fmt: skip


def _keep(choices, one):
    state = st.session_state
    parts = [(kind, *state[PREFIX + kind]) for kind in choices if state.get(PREFIX + kind)]
    parts += [(name, state[PREFIX + name]) for name in one if state.get(PREFIX + name)]
    CompareView().filter = tuple(parts) or None
    CompareView().word = None
