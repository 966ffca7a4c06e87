"""After a training above a parser: the constraints that cost most, those that fight, how far rules are kept."""

import streamlit as st

from pages.shared.basics import amount
from pages.shared.widgets import column, draw_table


def strains(run):
    """Draw them for a Run, nothing of one that has none."""
    costliest, fights = (run.figures.get(name) for name in ("costliest", "fights"))
    if costliest:
        names = ", ".join(f"`{name}` {nats:.1f}" for name, nats in costliest)
        st.caption(f"Pull hardest, in nats: {names}", help="What each constraint costs beside the parser’s trees.")
    for one, other, nats in fights or ():
        st.caption(f":material/compare_arrows: `{one}` and `{other}` pull against each other, by {nats:.1f} nats")
    if rules := run.figures.get("rules"):
        _rules(rules)


def _rules(rows):
    """How far the rules that were targets are kept, behind a button."""
    missed = sum(not row["met"] for row in rows)
    label = f"{amount(len(rows), 'rule')}, {missed} missed" if missed else amount(len(rows), "rule")
    with st.popover(label, icon=":material/rule:", key="ge_rule_targets"):
        st.caption("The share of words that keep each rule, expected over all trees; its price in nats a breach")
        draw_table(
            {
                "Rule": [row["rule"] for row in rows],
                "Words": [round(row["words"]) for row in rows],
                "Target": [f"{100 * row['share']:.4g}%" for row in rows],
                "Parser": [f"{100 * row['alone']:.2f}%" for row in rows],
                "Now": [f"{100 * row['kept']:.2f}%" for row in rows],
                "Price": [round(row["price"], 2) for row in rows],
            },
            alt="How many words keep each rule",
            columns={"Rule": 200, "Words": column("Words", format="localized")},
        )
