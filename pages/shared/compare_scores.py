"""How many heads and relations each parse has right, and whether the differences could be chance."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.comparing import verdict
from core.workspace.scoring import RULES, SAID, score_table
from pages.shared.address import tell
from pages.shared.state import refuse

OPEN = "cmp_open"  # what number's words are shown: see ``core.workspace.comparing.opened_rows``
TREES = "cmp_trees"  # (name, name) of the two trees that its words ask for
PLACE = "cmp_sentence"  # which of the sentences listed is drawn, from 0
AT_ONCE = 2  # verdicts without a scroll bar
HELP = (
    "Every score stands with its numerator and denominator, and opens the words that it counts as wrong. LAS and its "
    "kin are given where the text’s own trees and the parse both have relations. Sign test: exact, over the words that "
    "only one has right. Interval: 10,000 paired resamples of whole sentences. Attach left: each word to the one "
    "before it; attach right: each to the one after it."
)


def open_words(what, trees=None):
    """Show the words behind a number; in a callback."""
    tell(OPEN, what)
    tell(TREES, trees)
    tell(PLACE, None)


def scores_panel(found):
    """Draw it."""
    some = f" that all of them have, of {found.of:,}" if found.sentences < found.of else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        rules = st.session_state.get("cmp_rules") or "words"
        told = f"{SAID[rules]} {HELP}" if found.has_gold else HELP
        st.caption(f"{found.sentences:,} sentences{some}", help=told, width="content")
        if found.has_gold:
            rules = st.segmented_control(
                "Rules", list(RULES), default="words", format_func=RULES.get, key="cmp_rules", required=True,
                bind="query-params", label_visibility="collapsed",
            )  # fmt: skip
    bare = [name for name in found.names if not found.punctuated[name]]
    if bare:
        st.caption(f"{escape(', '.join(bare))}: no heads at punctuation, so it is left out of all comparisons.")
    if found.has_gold:
        _scores(found, rules)
    pairs = found.comparison.pairs
    if not pairs:
        return
    with st.container(height=200 if len(pairs) > AT_ONCE else "content", border=False, gap="xsmall"):
        for pair in pairs:
            st.markdown(f":small[{escape(verdict(pair))}]")
            st.button(
                f"The {pair.differ:,} words on which they differ",
                key=f"cmp_pair_{pair.one}_{pair.other}",
                type="tertiary",
                icon=":material/open_in_full:",
                on_click=open_words,
                args=(("pair", pair.one, pair.other), (pair.one, pair.other)),
            )


def _scores(found, rules):
    try:
        table = score_table(found, rules)
    except WorkbenchError as error:
        refuse(error)
        return

    key = f"cmp_scores_{rules}"

    def choose():
        cells = st.session_state[key]["selection"]["cells"]
        if cells:
            row, name = cells[0]
            if name != "parse":
                open_words(("score", rules, table["parse"][row], name), (None, table["parse"][row]))

    columns = {name: st.column_config.TextColumn(name, width=165) for name in table}
    columns["parse"] = st.column_config.TextColumn("Parse", width=140)
    st.dataframe(
        table,
        key=key,
        on_select=choose,
        selection_mode="single-cell",
        hide_index=True,
        row_height=30,
        column_config=columns,
        placeholder="–",
        alt="Attachment scores of each parse with numerator and denominator; choose one to see its wrong words",
    )
