"""Errors against known trees, by kind of arc (druck2009, Table 3); every count opens its words; lines against them."""

import streamlit as st

from core.draw import compare_trees
from core.workspace import escape
from core.workspace.constraints.results import COUNTS, TABLES, cell_name, mistake_table, words_behind
from core.workspace.opened import arcs_of_rows
from core.workspace.wording import amount
from pages.shared.address import get_value, set_value
from pages.shared.constraints.proposals_panel import proposals_panel
from pages.shared.messages import report_errors
from pages.shared.opened import open_arcs
from pages.shared.session import session
from pages.shared.table import count_column, draw_table, text_column
from pages.shared.text_menu import open_text

LINES = "lines"
CELL = "ge_mistake"  # (table, row, count)
LABELS = {"gold": "Text", "model": "Model", "missed": "Missed", "wrong": "Wrong"}


@report_errors()
def mistakes_panel(text, change):
    """Draw it for the trees after a Change."""
    known = session().learner.known(text)
    if known is None:
        _nothing_known(text)
        return
    found = session().learner.mistakes(known, change.after)
    table = st.segmented_control(
        "Errors by", [*TABLES, LINES], default="head_tags", format_func=(TABLES | {LINES: "Proposed lines"}).get,
        key="ge_mistakes_by", bind="query-params", label_visibility="collapsed", required=True,
    )  # fmt: skip
    counts = found.tables
    wrong = counts.words - counts.correct
    hand = f", {known.source}" if known.by_hand else ""
    st.caption(
        f"{wrong:,} of {amount(counts.words, 'word')} {'has' if wrong == 1 else 'have'} a wrong head{hand}. "
        + ("Select a line to see the trees it would change." if table == LINES else "Click a number to see its words."),
        help="The kinds are those of Druck et al. 2009, Table 3: tag of the head, direction, distance, and the most "
        "frequent wrong arcs; punctuation is not counted. **Text**: arcs in the known trees. **Model**: arcs in "
        "the model’s trees. **Missed**: arcs of the text that the model lacks. **Wrong**: arcs of the model that the "
        "text lacks. **Proposed lines**: constraints that would have prevented many of these errors.",
    )
    if table == LINES:
        proposals_panel(known, change.after)
    else:
        _table(known, change, found, table)


def _nothing_known(text):
    st.info(
        "This text has no trees of its own. Correct some sentences under Check 20 and mark them done: their errors and "
        "the lines that would prevent them then stand here.",
        icon=":material/info:",
    )
    if st.button("Correct twenty sentences", icon=":material/fact_check:", key="ge_check"):
        open_text(text.corpus.id, annotate="check")
        st.switch_page("pages/annotate.py", query_params={})


def _table(known, change, found, table):
    text, rows = known.text, mistake_table(found, table)
    names = list(rows)

    def choose(place, name):
        set_value(CELL, (table, place, name if name in COUNTS else "wrong"))

    columns = {"kind": text_column(TABLES[table], 260)}
    for name in names[1:]:
        columns[name] = count_column(LABELS[name], 80)
    draw_table(
        rows, key=f"ge_mistakes_{table}", choose=choose, most=262, column_config=columns,
        alt=f"Words by {TABLES[table].lower()}: {_gist(rows)}",
    )  # fmt: skip
    place, count = _chosen(table, rows)
    heads = change.after.heads
    arcs = arcs_of_rows(text.treebank, words_behind(found, table, place, count), heads, known.heads)
    st.markdown(f"**{escape(rows['kind'][place])}** · {cell_name(rows, place, count)}")

    def draw(index):
        span = slice(*text.treebank.offsets[index : index + 2])
        return compare_trees(known.treebank[index], heads[span], posteriors=change.after.marginals[index])

    open_arcs(text, change, arcs, f"ge_mistake_{table}_{place}_{count}", draw, ("Model’s head", "Text’s head"))


def _chosen(table, rows):
    """(row, count) of the number that is open in a table; the first row's wrong words where none is."""
    chosen = get_value(CELL)
    if not isinstance(chosen, tuple) or len(chosen) != 3 or chosen[0] != table:
        return 0, "wrong"
    _, place, count = chosen
    return (place, count) if place in range(len(rows["kind"])) and count in rows else (0, "wrong")


def _gist(rows):
    """The kind with most wrong words, in words."""
    worst = max(range(len(rows["kind"])), key=lambda k: rows["wrong"][k], default=None)
    return "none" if worst is None else f"most errors at {rows['kind'][worst]}, {rows['wrong'][worst]:,}"
