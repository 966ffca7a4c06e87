"""How many heads and relations each parse has right, and whether the differences could be chance."""

import streamlit as st

from core.workspace.compare.scoring import RULES, SAID, denominators, score_table
from core.workspace.compare.tables import OWN, left_out_words, verdict
from pages.shared.address import set_value
from pages.shared.basics import amount, escape, report_errors
from pages.shared.widgets import action_button, choose_view, draw_table

OPEN = "cmp_open"  # what number's words are shown: see ``core.workspace.compare.tables.opened_rows``
TREES = "cmp_trees"  # (name, name) of the two trees that its words ask for
PLACE = "cmp_sentence"  # which of the sentences listed is drawn, from 0
AT_ONCE = 2  # verdicts without a scroll bar
WIDTHS = {"UAS": 95, "LAS": 95}  # of the columns; the others say "no punct.", or are few
HELP = (
    "Click a score to see the words it counts as wrong. LAS and the scores built on it are given where both sides have "
    "relations. Sign test: exact, over the words that only one has right. Interval: 10,000 paired resamples of whole "
    "sentences. Attach left: each word to the one before it; attach right: each to the one after it."
)


def open_words(what, trees=None):
    """Show the words behind a number; in a callback."""
    set_value(OPEN, what)
    set_value(TREES, trees)
    set_value(PLACE, None)


def scores_panel(found):
    """Draw it."""
    sentences = amount(found.sentences, "sentence")
    if found.sentences < found.of:
        sentences = f"{found.sentences:,} of {amount(found.of, 'sentence')}: those that every parse has"
        sentences += " and none learnt from" if found.learnt else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        rules = st.session_state.get("cmp_rules") or "words"
        help_text = f"{SAID[rules]} {HELP}" if found.is_scored else HELP
        st.caption(sentences, help=help_text, width="content")
        if found.is_scored:
            rules = choose_view("Rules", RULES, "cmp_rules", default="words")
    bare = [name for name in found.names if not found.punctuated[name]]
    if bare:
        st.caption(f"{escape(', '.join(bare))}: no heads at punctuation, so punctuation is not compared.")
    if left_out := left_out_words(found):
        st.caption(escape(left_out))
    if found.is_scored:
        _scores(found, rules)
    pairs = found.comparison.pairs
    if not pairs:
        return
    with st.container(height=200 if len(pairs) > AT_ONCE else "content", border=False, gap="xsmall"):
        for pair in pairs:
            st.markdown(f":small[{escape(verdict(pair, found.reference or OWN))}]")
            label, names = f"{amount(pair.differ, 'word')} on which they differ", (pair.one, pair.other)
            action_button(
                label,
                f"cmp_pair_{pair.one}_{pair.other}",
                "open_in_full",
                open_words,
                ("pair", *names),
                names,
                type="tertiary",
            )


@report_errors()
def _scores(found, rules):
    table = score_table(found, rules)

    def choose(row, name):
        if name != "parse":
            open_words(("score", rules, table["parse"][row], name), (None, table["parse"][row]))

    columns = {name: (name, WIDTHS.get(name, 110)) for name in table} | {"parse": 125}
    alt = "Attachment scores of each parse with the number of right words; click one to see its wrong words"
    draw_table(table, key=f"cmp_scores_{rules}", choose=choose, columns=columns, placeholder="–", alt=alt)
    st.caption(denominators(found, rules))
