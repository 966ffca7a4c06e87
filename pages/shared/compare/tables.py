"""Parses by kinds of words, and what is confused with what; every number opens its words.

What a table shows is said above it, where its own toolbar, which comes up there, covers no control.
"""

import streamlit as st

from core.direction import side_name
from core.evaluation.comparison import KINDS
from core.workspace import escape
from core.workspace.compare.tables import OWN, REFERENCE, confusion_table, kind_table
from core.workspace.compare.tallies import TALLIES
from pages.shared.compare.groups import tallies_panel
from pages.shared.compare.scores import open_words
from pages.shared.messages import report_errors
from pages.shared.table import count_column, draw_table, text_column

CONFUSED = {"head tag": "Tag of head", "relation": "Relation", "direction": "Direction"}
TABLES = {**{kind: kind.capitalize() for kind in KINDS}, "sentence length": "Length", "confusion": "Confusion"}
TABLES |= {"group": "Groups", "constraint": "Constraints", "bracket": "Mark-up"}
TALL = 234
WIDE = {1: 140, 2: 140, 3: 124, 4: 95}  # of a parse's column, beside so many


def tables_panel(corpus, found):
    """Draw the table that is chosen."""
    shown = st.pills(
        "Table", list(TABLES), default="tag", format_func=TABLES.get, key="cmp_table", required=True, wrap=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    with report_errors():
        if shown == "confusion":
            _confusion(found)
        elif shown in TALLIES:
            tallies_panel(corpus, found, shown)
        else:
            _kinds(found, shown)


def _kinds(found, kind):
    groups, table = kind_table(found, kind)
    st.caption(f"{_counts(found, kind)}. Click a percentage to see its errors.")

    def choose(row, name):
        parse = name if name in found.names else None
        open_words(("kind", kind, groups[row].name, parse or "words"), parse and (None, parse))

    columns = {"kind": text_column(TABLES[kind], 90), "words": count_column("Words", 58)}
    columns |= {name: text_column(name, WIDE[len(found.names)]) for name in found.names}
    draw_table(
        table, key=f"cmp_by_{kind}", choose=choose, most=TALL, column_config=columns,
        alt=f"Share of words with the right head by {kind}, {len(groups)} rows; click one to see its errors",
    )  # fmt: skip


def _counts(found, kind):
    """What the table counts, by what the parses are scored against."""
    if found.reference == OWN:
        return f"Right heads by {kind} in the text’s own trees"
    if found.is_scored:
        return f"Heads that are those of {escape(found.reference)}, by {kind} there"
    return f"Heads that most of the parses choose, by {kind} in {escape(found.names[0])}"


def _confusion(found):
    with st.container(horizontal=True, vertical_alignment="center"):
        by = st.segmented_control(
            "Confusion of", list(CONFUSED), default="head tag", format_func=CONFUSED.get, key="cmp_confused",
            required=True, bind="query-params", label_visibility="collapsed",
        )  # fmt: skip
        names = found.names if found.is_scored else found.names[1:]
        if not names:
            st.caption("Choose a second parse to compare with this one.")
            return
        if st.session_state.get("cmp_confused_parse") not in names:
            st.session_state.pop("cmp_confused_parse", None)
        name = st.selectbox(
            "Parse", names, index=len(names) - 1, key="cmp_confused_parse", bind="query-params",
            label_visibility="collapsed", width=200,
        )  # fmt: skip
    reference = None if found.is_scored else found.names[0]
    rows = found.reference or reference
    confusion = found.comparison.confusion(name, by, reference)
    st.caption(
        f"Rows: {CONFUSED[by].lower()} in {escape(rows)}. Columns: in {escape(name)}. Click a number to see its words."
    )

    def choose(row, label):
        if label != REFERENCE:
            open_words(("cell", by, reference, name, confusion.labels[row], label), (rows, name))

    columns = {label: count_column(side_name(label), 62) for label in confusion.labels}
    columns[REFERENCE] = st.column_config.TextColumn(f"{rows} ↓", width=110, pinned=True)
    draw_table(
        confusion_table(confusion), key=f"cmp_cells_{by}", choose=choose, most=TALL - 30, column_config=columns,
        placeholder="",
        alt=f"{CONFUSED[by]} in {rows}, a row each, and in {name}, a column each; click a number to see its words",
    )  # fmt: skip
