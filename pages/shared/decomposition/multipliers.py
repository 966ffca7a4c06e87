"""The multipliers of one context: the prices on its words' arcs, iteration by iteration."""

import streamlit as st

from core.workspace import escape
from core.workspace.decomposition.playback import consensus_at, disputed, multiplier_course, multiplier_table
from pages.shared.decomposition.charts import multiplier_chart
from pages.shared.table import draw_table, number_column, text_column


def multipliers_panel(outcome, iteration):
    """Draw it for the context chosen, by default the one that was disputed longest."""
    names = disputed(outcome)
    context = st.selectbox(
        "Context", list(names), format_func=names.get, key=f"dd_context_{outcome.run.id}",
        help="Those whose multipliers moved most often come first.",
    )  # fmt: skip
    rows = multiplier_table(outcome, context, iteration)
    label = escape(consensus_at(outcome, context, iteration))
    st.markdown(
        f"Consensus after iteration {iteration:,}: **{label}** · {len(rows['word']):,} of "
        f"{int(outcome.contexts.test_sizes[context]):,} words of the text",
        help=r"$u$ of an arc is added to its score on the consensus side and taken from it in the parser: $g(z) + u "
        r"\cdot z$ and $f(Y) - u \cdot Y$. The parser is pushed to the head whose arc has the least multiplier "
        "(Rush et al. 2012, §6).",
    )
    draw_table(
        rows,
        key="dd_multipliers",
        most=206,
        column_config={
            "sentence": number_column("Sentence", 75),
            "word": text_column("Word", 105),
            "head": text_column("Parser’s head", 115),
            "multiplier": number_column("Its u", 65, "%+.3f"),
            "pushed": text_column("Pushed to", 115),
            "push": number_column("Its u", 65, "%+.3f"),
        },
        alt=f"Multipliers of the {len(rows['word']):,} words of a context at iteration {iteration}",
    )
    lines = multiplier_course(outcome, context)
    if lines:
        multiplier_chart(lines, iteration, "dd_multiplier_course")
    else:
        st.caption("Both sides agreed from the start, so its multipliers never move.")
