"""Tables about mark-up, each cell a door to its sentences: agreement, the paper's Tables 1 to 5, what was left out."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.markup_tables import TABLES, agreement_table, statistics_table
from core.workspace.pages import dropped_table, outcome_table, report_of, skipped_table
from pages.shared import markup_state as state
from pages.shared.state import workspace

VIEWS = {"agreement": "Agreement", **TABLES, "report": "Left out"}
PAPER = {
    "agreement": "Share of brackets that hold, with its 95% interval and counts (spitkovsky2010, section 5.3).",
    "sizes": "spitkovsky2010, Table 1: sentences, words and brackets, by length of the sentence.",
    "cutoffs": "spitkovsky2010, Table 2: sentences with a bracket of so many words or more.",
    "sequences": "spitkovsky2010, Table 3: tags of the marked words.",
    "dominating": "spitkovsky2010, Table 4: the lowest phrase that holds all marked words; of dependencies, its head.",
    "productions": "spitkovsky2010, Table 5, left: that phrase and its parts, the marked words in square brackets.",
    "spawns": "spitkovsky2010, Table 5, right: heads and the dependents attached across a bound of the mark-up.",
    "report": "What the pages held besides the sentences, and why it was left out (spitkovsky2010, section 4.1).",
}
WIDE = ("name", "brackets", "sentences of", "sentences with")  # columns of words


def tables(text):
    """Draw the choice and the table."""
    view = st.segmented_control(
        "Table", list(VIEWS), default="agreement", format_func=VIEWS.get, key="mk_table", required=True,
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    opens = " A click on a cell opens its sentences above." if view != "report" else ""
    if view == "agreement":
        opens = " A click on a level’s cell opens the brackets that break it, elsewhere all of the row."
    st.caption(PAPER[view] + opens)
    if view == "report":
        report(text.corpus)
        return
    if view == "agreement" and not text.judged:
        st.info("There are no trees to judge brackets by yet; the other tables need none.", icon=":material/info:")
        return
    try:
        found = agreement_table(text) if view == "agreement" else statistics_table(text, view)
    except WorkbenchError as error:
        st.info(escape(str(error)), icon=":material/info:")
        return
    _table(view, found)


def _table(view, found):
    def choose():
        cells = st.session_state[f"mk_cells_{view}"]["selection"]["cells"]
        if cells and cells[0][0] < len(found.rows):
            row, column = cells[0]
            said = f"{found.names[row]}: break {column}" if column in found.cells else found.names[row]
            state.show_only(said, found.behind(row, column))
            if column in found.cells:
                st.session_state[state.LEVEL] = column

    st.dataframe(
        found.columns,
        key=f"mk_cells_{view}",
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        row_height=30,
        height=min(30 * (len(found.rows) + 1) + 8, 338),
        column_config={name: _column(view, name, values) for name, values in found.columns.items()},
        alt=f"{VIEWS[view]}: {len(found.rows)} rows, the first is {found.names[0]}",
    )


def _column(view, name, values):
    titles = {
        "brackets": "Brackets", "name": VIEWS[view], "count": "Count", "share": "Share, %", "sum": "Sum, %",
        "tokens": "Words", "multiword": "Of several words", "marked": "Marked",
    }  # fmt: skip
    title = titles.get(name, name.capitalize())
    if name in WIDE and isinstance(values[0], str):
        return st.column_config.TextColumn(title, width=300 if name == "name" else 190)
    if isinstance(values[0], str):
        return st.column_config.TextColumn(title, width=215)
    form = "%.1f" if name in ("share", "sum") else "localized"
    return st.column_config.NumberColumn(title, format=form, width=100)


def report(corpus):
    """What became of the pages and their marks."""
    found = report_of(workspace().store, corpus)
    if found is None:
        st.caption("This text did not come from pages here, so nothing is known of what they held besides.")
        return
    pages = f"{found['pages']:,} page{'' if found['pages'] == 1 else 's'}"
    st.markdown(
        f"**{found['sentences']:,}** sentences and **{found['brackets']:,}** brackets, {found['multiword']:,} of them "
        f"of several words, from {pages} of {found['bytes']:,} bytes"
    )
    dropped, outcomes = dropped_table(found), outcome_table(found)
    left, right = st.columns(2, gap="large")
    with left:
        st.caption("Text left out")
        _plain(dropped, {"why": 90, "pieces": 60, "characters": 80, "example": 260})
    with right:
        st.caption("Marks and what became of them; pieces of words and whole sentences say nothing about phrases")
        _plain(outcomes, {})
    if found["skipped"]:
        st.caption(f"{len(found['skipped']):,} skipped, and why")
        _plain(skipped_table(found), {"source": 420, "reason": 620})
    for note in found["notes"]:
        st.caption(f":material/info: {escape(note)}")


def _plain(columns, widths):
    rows = len(next(iter(columns.values())))
    if not rows:
        st.caption("None.")
        return
    config = {name: st.column_config.Column(name.capitalize(), width=widths.get(name)) for name in columns}
    st.dataframe(
        columns, hide_index=True, row_height=30, height=min(30 * (rows + 1) + 8, 338), column_config=config,
        alt=f"{rows} rows: {', '.join(columns)}",
    )  # fmt: skip
