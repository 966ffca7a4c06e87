"""Paired tests of every two parses, in groups of words and in the words that a filter leaves."""

import streamlit as st

from core.workspace.compare.group_tests import (
    FILTERED,
    are_tested,
    difference_note,
    difference_table,
    filter_tests,
    group_tests,
    not_tested,
)
from pages.shared.basics import amount, escape
from pages.shared.compare.scores import open_words
from pages.shared.widgets import column, draw_table

TALL = 290
COLUMNS = {
    "kind": ("Group", 92), "one": ("Parse", 88), "other": ("Beside", 88), "gain": ("Points", 56, "%+.1f"),
    "alone": column("Alone right", 82), "p": ("p", 62),
    "adjusted": column("p adjusted", 80, help="For the number of comparisons in this table (Holm 1979)"),
    "words": ("Words", 58, "localized"),
}  # fmt: skip


def differences(parses, kind, groups, measure):
    """Draw the tests in some Groups of a kind, which ``opened_words`` knows; nothing where none can be made.

    The filter says why words that it chose so are not tested.
    """
    if are_tested(parses, measure) and not not_tested(parses):
        _draw(parses, kind, measure, lambda: group_tests(parses, groups, measure))


def filtered_differences(parses):
    """Draw the tests in all words that a filter leaves."""
    if are_tested(parses):
        _draw(parses, FILTERED, "UAS", lambda: filter_tests(parses))


def _draw(parses, kind, measure, make):
    if reason := not_tested(parses):
        st.caption(reason)
        return
    tests = make()
    if not tests:
        return

    def choose(row, _):
        test = tests[row]
        open_words(("tested", measure, kind, test.group, test.one, test.other), (test.one, test.other))

    st.caption(escape(difference_note(tests, measure)))
    table = difference_table(tests)
    alt = f"{amount(len(tests), 'paired test')}; click one to see the words that only one of the two has right"
    columns = {name: how for name, how in COLUMNS.items() if name in table}
    draw_table(table, key=f"cmp_tests_{kind}_{measure}", choose=choose, most=TALL, columns=columns, alt=alt)
