"""How many heads and relations each parse has right, and whether the differences could be chance."""

import streamlit as st

from core.workspace.compare.scoring import SAID, conditions_said, denominators, measured_pairs, score_table
from core.workspace.compare.side_by_side import pair_table, verdict
from pages.shared.basics import amount, escape, report_errors
from pages.shared.compare.view_state import NOT_LISTED, CompareView
from pages.shared.widgets import draw_table, fitting

WIDTHS = {"UAS": 95, "LAS": 95}  # of the columns; the others say "no punct.", or are few
HELP = (
    "Click a score to see the words it counts as wrong. LAS and the scores built on it are given where both sides have "
    "relations. Sign test: exact, over the words that only one has right. Interval: 10,000 paired resamples of whole "
    "sentences. Punctuation is not compared where a parse gives it no heads. Attach left: each word to the one before "
    "it; attach right: each to the one after it."
)


def open_words(opening, trees=None):
    """Show the words behind a number; in a callback."""
    CompareView().open = opening
    CompareView().trees = trees
    CompareView().word, CompareView().listed = None, NOT_LISTED


def scores_panel(parses):
    """Draw it."""
    sentences = amount(parses.sentences, "sentence")
    if parses.sentences < parses.of:
        sentences = f"{parses.sentences:,} of {amount(parses.of, 'sentence')} are compared"
    rules = CompareView().rules or "words"
    basis, *own = conditions_said(parses) or [sentences]
    st.caption(escape(basis), help=f"{SAID[rules]} {HELP}" if parses.is_scored else HELP)
    if parses.is_scored:
        _scores(parses, rules)
        st.caption(denominators(parses, rules))
    bare = [name for name in parses.names if not parses.punctuated[name]]
    if bare:
        st.caption(f"{escape(', '.join(bare))}: no heads at punctuation.")
    for line in own:
        st.caption(f":material/warning: {escape(line)}.")
    for note in parses.notes:
        st.caption(f":material/info: {escape(note)}")
    if parses.comparison.pairs:
        _pairs(parses, rules)


@report_errors()
def _scores(parses, rules):
    table = score_table(parses, rules)

    def choose(row, name):
        if name != "parse":
            open_words(("score", rules, table["parse"][row], name), (None, table["parse"][row]))

    columns = {name: (name, fitting([name, *cells], WIDTHS.get(name, 110))) for name, cells in table.items()}
    columns |= {"parse": ("Parse", 150)}
    alt = "Attachment scores of each parse with the number of right words; click one to see its wrong words"
    draw_table(table, key=f"cmp_scores_{rules}", choose=choose, columns=columns, placeholder="–", alt=alt)


def _pairs(parses, rules):
    """Draw the differences of every two parses: in a sentence if there are only two, else in a table."""
    measure, pairs = measured_pairs(parses, rules)
    if len(pairs) == 1:
        st.markdown(f":small[{escape(verdict(pairs[0], parses, measure))}]")
        return
    table = pair_table(parses, pairs)
    if measure:
        st.caption(f"Differences of {escape(measure)}:")

    def choose(row, _):
        names = table["one"][row], table["other"][row]
        open_words(("pair", *names), names)

    columns = {"one": ("Parse", 100), "other": ("Beside", 105), "differ": ("Differ", 54, "localized")}
    columns |= {"gain": ("Points (95%)", 145), "alone": ("Alone right", 84), "p": ("p", 62)}
    alt = f"{amount(len(pairs), 'pair')} of parses: on how many words they differ; click one to see these words"
    draw_table(table, key="cmp_pairs", choose=choose, columns=columns, alt=alt)
