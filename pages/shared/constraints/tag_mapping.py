"""Mapping of tags, offered where a set uses another tag set than the text: a table to correct, a preview, Apply."""

import streamlit as st

from core.workspace.constraints.constraint_set import apply_tag_mapping, foreign_tags, plan_mapping, tag_choices
from core.workspace.wording import code
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.constraints.plan_settings import save_settings
from pages.shared.widgets import action_button, column, tabled

OPEN = "ge_mapping"  # (key of the text, its set) whose mapping is open
SHOWN = 6


def tag_mapping(text, source):
    """Draw the offer or, after a click on it, the mapping; returns "offered", "open" or None."""
    key = text.key, source
    mapping = session().cache.get("foreign tags", key, lambda: foreign_tags(text, session().document))
    if not mapping:
        return None
    if st.session_state.get(OPEN) != key:
        _offer(text, source, mapping, key)
        return "offered"
    _mapping(text, source, mapping)
    return "open"


def _offer(text, source, mapping, key):
    names = ", ".join(list(mapping)[:3])
    other = "xpos" if text.settings.tags == "upos" else "upos"
    st.info(
        f"These constraints use another tag set: {len(mapping)} of their tags, such as {escape(names)}, are not among "
        f"the {text.settings.tags.upper()} tags of this text.",
        icon=":material/swap_horiz:",
    )
    with st.container(horizontal=True):
        st.button("Map the tags", key="ge_map", icon=":material/swap_horiz:", on_click=_open, args=(key,))
        if all(new and new[0].startswith(f"{other}:") for new in foreign_tags(text, source, True).values()):
            label, chosen = f"Train on the {other.upper()} tags instead", text.settings.with_choice("tags", other)
            help_text = "The text has all of these tags in that column"
            action_button(label, "ge_map_column", None, save_settings, text, chosen, type="tertiary", help=help_text)


def _mapping(text, source, mapping):
    st.caption("What each tag of the constraints is in this text. Correct what is wrong; an empty cell keeps the tag.")
    rows = {"tag": list(mapping), "means": [list(new) for new in mapping.values()]}
    choices = st.column_config.MultiselectColumn(
        "This text", options=tag_choices(text, mapping), width=300, accept_new_options=True
    )
    columns = {"tag": column("Constraints", 90), "means": choices}
    with tabled("ge_map_table", rows, columns) as taken:
        edited = st.data_editor(
            rows, key="ge_map_table", hide_index=True, disabled=["tag"], row_height=32,
            height=min(32 * (len(mapping) + 1) + 8, 300), column_config=columns,
            alt=f"{len(mapping)} tags of the constraints and the tags of the text that replace them",
        )  # fmt: skip
        taken.update(edited)
    plan = None
    with report_errors():
        plan = plan_mapping(source, dict(zip(edited["tag"], map(tuple, edited["means"]), strict=True)))
    if plan is not None:
        shown = [f":gray[{number}] {code(before)} → {code(after)}" for number, before, after in plan.lines[:SHOWN]]
        st.markdown("  \n".join(shown))
        more = f"… and {amount(len(plan.lines) - SHOWN, 'more constraint')}. " if len(plan.lines) > SHOWN else ""
        repeated = f"{amount(plan.repeated, 'constraint')} will then repeat another; each gets a warning."
        st.caption(more + (repeated if plan.repeated else ""))
    with st.container(horizontal=True):
        nothing = plan is None or not plan.lines
        action_button("Apply", "ge_map_apply", "check", _apply, text, plan, disabled=nothing, help="Can be undone")
        st.button("Cancel", key="ge_map_close", type="tertiary", on_click=_open, args=(None,))


def _open(key):
    st.session_state[OPEN] = key


@callback_errors(rerun=True)
def _apply(text, plan):
    apply_tag_mapping(session().store, text.corpus, plan)
    flash(f"Mapped the tags of {amount(len(plan.lines), 'constraint')}")
    st.session_state[OPEN] = None
