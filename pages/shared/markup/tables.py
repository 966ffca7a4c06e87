"""Tables about mark-up, whose cells open their sentences: agreement, the paper's Tables 1 to 5, what was left out."""

from functools import partial

import streamlit as st

from core.workspace.markup.pages import dropped_table, outcome_table, report_of, skipped_table
from core.workspace.markup.tables import TABLES, agreement_table, statistics_table
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.markup import state
from pages.shared.markup.view_state import MarkupView
from pages.shared.messages import error_text
from pages.shared.widgets import choose_view, column, draw_table

VIEWS = {"agreement": "Agreement", **TABLES, "report": "Left out"}
SOURCE = "Spitkovsky et al. 2010"
PAPER = {
    "agreement": f"Share of brackets that hold, with its 95% interval and counts ({SOURCE}, §5.3).",
    "sizes": f"{SOURCE}, Table 1: sentences, words and brackets, by length of the sentence.",
    "cutoffs": f"{SOURCE}, Table 2: sentences with a bracket of so many words or more.",
    "sequences": f"{SOURCE}, Table 3: tags of the marked words.",
    "dominating": f"{SOURCE}, Table 4: the lowest phrase that holds all marked words; of dependencies, its head.",
    "productions": f"{SOURCE}, Table 5, left: that phrase and its parts, the marked words in square brackets.",
    "spawns": f"{SOURCE}, Table 5, right: heads and the dependents attached across a bound of the mark-up.",
    "report": f"What the pages held besides the sentences, and why it was left out ({SOURCE}, §4.1).",
}
OPENED = "mk_statistics"
MOST = 338  # pixels of a table
WIDE = ("name", "brackets", "sentences of", "sentences with")  # columns of words


def tables(text):
    """Draw them, closed until somebody opens them or a link that names one does."""
    st.session_state.setdefault(OPENED, MarkupView.table in st.query_params)
    with st.expander("Statistics", icon=":material/table_chart:", key=OPENED, on_change="rerun") as opened:
        if opened.open:
            _choice(text)


def _choice(text):
    view = choose_view("Table", VIEWS, MarkupView.table)
    opens = " Click a cell to see its sentences above." if view != "report" else ""
    if view == "agreement":
        opens = " Click a level’s cell to see the brackets that break it, another cell to see all of its row."
    st.caption(PAPER[view] + opens)
    if view == "report":
        report(text.corpus)
        return
    if view == "agreement" and not text.judged:
        st.info("There are no trees yet to judge the brackets by; the other tables need none.", icon=":material/info:")
        return
    with report_errors(show=lambda error: st.info(error_text(error), icon=":material/info:")):
        make = partial(agreement_table, text) if view == "agreement" else partial(statistics_table, text, view)
        _table(view, session().cache.get("mark tables", (text.key, view), make))


def _table(view, table):
    def choose(row, column):
        breaks = column in table.cells
        name = table.names[row]
        state.show_only(f"{name}: break {column}" if breaks else name, table.behind(row, column))
        if breaks:
            MarkupView().level = column

    columns = {name: _column(view, name, values) for name, values in table.columns.items()}
    alt = f"{VIEWS[view]}: {amount(len(table.rows), 'row')}, the first is {table.names[0]}"
    draw_table(table.columns, key=f"mk_cells_{view}", choose=choose, most=MOST, columns=columns, alt=alt)


def _column(view, name, values):
    titles = {
        "brackets": "Brackets", "name": VIEWS[view], "count": "Count", "share": "Share (%)", "sum": "Cumulative (%)",
        "tokens": "Words", "multiword": "Over several words", "marked": "Marked",
    }  # fmt: skip
    title = titles.get(name, name.capitalize())
    if name in WIDE and isinstance(values[0], str):
        return column(title, 300 if name == "name" else 190)
    if isinstance(values[0], str):
        return column(title, 215)
    return column(title, 100, format="%.1f" if name in ("share", "sum") else "localized")


def report(corpus):
    """Draw what was read from the pages, and which text and marks were left out."""
    page_report = report_of(session().store, corpus)
    if page_report is None:
        st.caption("This text was not read from web pages, so nothing was left out.")
        return
    st.markdown(
        f"**{amount(page_report['sentences'], 'sentence')}** and **{amount(page_report['brackets'], 'bracket')}**, "
        f"{page_report['multiword']:,} of them over several words, from {amount(page_report['pages'], 'page')} with "
        f"{amount(page_report['bytes'], 'byte')}"
    )
    dropped, outcomes = dropped_table(page_report), outcome_table(page_report)
    left, right = st.columns(2, gap="large")
    with left:
        st.caption("Text left out")
        _plain(dropped, {"why": 90, "pieces": 60, "characters": 80, "example": 260})
    with right:
        st.caption("Marks on part of a word or on a whole sentence tell nothing about phrases.")
        _plain(outcomes, {})
    if page_report["skipped"]:
        st.caption(f"{amount(len(page_report['skipped']), 'file')} skipped")
        _plain(skipped_table(page_report), {"source": 420, "reason": 620})
    for note in page_report["notes"]:
        st.caption(f":material/info: {escape(note)}")


def _plain(columns, widths):
    rows = len(next(iter(columns.values())))
    if not rows:
        st.caption("None.")
        return
    config = {name: st.column_config.Column(name.capitalize(), width=widths.get(name)) for name in columns}
    draw_table(columns, most=MOST, columns=config, alt=f"{amount(rows, 'row')}: {', '.join(columns)}")
