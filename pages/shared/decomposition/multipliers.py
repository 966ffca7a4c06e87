"""The multipliers of one context: the prices on its words' arcs, iteration by iteration."""

import streamlit as st

from core.workspace import escape
from core.workspace.decomposition.playback import consensus_at, disputed, multiplier_course, multiplier_table
from pages.shared.decomposition.charts import multiplier_chart


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
    st.dataframe(
        rows,
        key="dd_multipliers",
        hide_index=True,
        row_height=28,
        height=min(28 * (len(rows["word"]) + 1) + 8, 206),
        column_config={
            "sentence": st.column_config.NumberColumn("Sentence", width=75),
            "word": st.column_config.TextColumn("Word", width=105),
            "head": st.column_config.TextColumn("Parser’s head", width=115),
            "multiplier": st.column_config.NumberColumn("Its u", format="%+.3f", width=65),
            "pushed": st.column_config.TextColumn("Pushed to", width=115),
            "push": st.column_config.NumberColumn("Its u", format="%+.3f", width=65),
        },
        alt=f"Multipliers of the {len(rows['word']):,} words of a context at iteration {iteration}",
    )
    lines = multiplier_course(outcome, context)
    if lines:
        multiplier_chart(lines, iteration, "dd_multiplier_course")
    else:
        st.caption("Both sides agreed from the start, so its multipliers never move.")
