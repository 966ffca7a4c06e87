"""Filters over the words that are compared; they combine, and the address has them."""

import streamlit as st

from core.workspace.compare.filters import WordFilter, filter_choices, filter_words, filtered
from core.workspace.groups import groups
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.compare.view_state import CompareView
from pages.shared.widgets import action_button, choose_from

ONE = ("group", "right", "wrong")  # conditions with one value
PREFIX = "cmp_filter_"


def narrowed(corpus, found):
    """Draw what is filtered; returns the SideBySide of the words that are left, None if there are none."""
    wanted, kept = chosen_filter(), None
    with report_errors():
        kept = filtered(session().workspace, corpus, found, wanted)
    if wanted.is_open:
        return kept
    names = {group.key: group.name for group in groups(session().store, corpus)}
    said = filter_words(wanted, filter_choices(found), names.get(wanted.group or ""))
    words = 0 if kept is None else len(kept.comparison.scored)
    with st.container(horizontal=True, vertical_alignment="center"):
        left = f"{words:,} of {amount(len(found.comparison.scored), 'word')}"
        st.markdown(f":material/filter_alt: {escape(said)}: **{left}**", width="content")
        action_button("Clear", "cmp_filter_clear", "close", CompareView.filter.keep, None, type="tertiary")
    if kept is not None and not words:
        st.info("No word passes these filters. Clear them, or choose others.", icon=":material/search_off:")
        filter_button(corpus, found)
        return None
    return kept


def chosen_filter():
    """The WordFilter of the address."""
    value = CompareView().filter
    parts = [part for part in value if _is_part(part)] if isinstance(value, tuple) else []
    one = {part[0]: part[1] for part in parts if part[0] in ONE}
    return WordFilter(tuple((part[0], part[1:]) for part in parts if part[0] not in ONE), **one)


def _is_part(part):
    return isinstance(part, tuple) and len(part) > 1 and all(isinstance(each, str) for each in part)


def filter_button(corpus, found):
    """Draw the popover in which filters are chosen; ``found`` are the parses before any."""
    help_text = "Keep the words that meet all conditions; tables, charts and the list follow, scores stay of all words."
    opened = st.popover(
        "Filter", icon=":material/filter_alt:", key="cmp_filter_open", help=help_text, on_change="rerun"
    )  # fmt: skip
    if opened.open:
        with opened, st.container(width=360):
            _conditions(corpus, found)


def _conditions(corpus, found):
    wanted, choices = chosen_filter(), filter_choices(found)
    shown = {group.key: group.name for group in groups(session().store, corpus)}
    one = {"group": ("Group", shown)}
    if found.is_judged:
        names = {name: name for name in found.names}
        one |= {"right": ("Right in", names), "wrong": ("Wrong in", names)}
    chosen = dict(wanted.kinds)
    for kind, names in choices.items():
        st.session_state[PREFIX + kind] = [name for name in chosen.get(kind, ()) if name in names]
        choose_from(
            st.multiselect, kind.capitalize(), names, key=PREFIX + kind, on_change=_keep, args=(choices, one),
            placeholder="Any",
        )  # fmt: skip
    for name, (label, names) in one.items():
        if names:
            value = getattr(wanted, name)
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
