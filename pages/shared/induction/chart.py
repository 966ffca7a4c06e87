"""Bits per token and accuracy by iteration, one above the other."""

import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from core.draw import PALETTES
from pages.shared.charts import CONFIG


def course_chart(iterations, bits, accuracies, stages, key):
    """Draw it; dotted lines part the stages. ``accuracies`` are per cent, empty where nobody knows."""
    colors = PALETTES[st.context.theme.type or "light"]
    both = bool(accuracies)
    figure = make_subplots(rows=1 + both, shared_xaxes=True, vertical_spacing=0.08)
    rows = [("bits per token", bits, colors["plain"])] + [("% of heads right", accuracies, colors["predicted"])] * both
    for row, (name, values, color) in enumerate(rows, start=1):
        figure.add_trace(
            go.Scatter(
                x=iterations, y=values, mode="lines+markers", line=dict(color=color, width=2), marker=dict(size=4),
                customdata=stages, hovertemplate="iteration %{x}, %{customdata}: %{y:.3f} " + name + "<extra></extra>",
            ),
            row=row, col=1,
        )  # fmt: skip
        figure.update_yaxes(title=name, row=row, col=1, zeroline=False)
    for before, after, place in zip(stages, stages[1:], iterations[1:], strict=False):
        if before != after:
            figure.add_vline(x=place - 0.5, line=dict(color=colors["candidate"], width=1, dash="dot"))
    figure.update_xaxes(title="iteration", row=len(rows), col=1, range=[0, max(10, iterations[-1] + 1)])
    figure.update_layout(height=190 + 170 * both, margin=dict(l=0, r=8, t=8, b=4), showlegend=False)
    ends = [f"{name} from {values[0]:.2f} to {values[-1]:.2f}" for name, values, _ in rows if None not in values]
    st.plotly_chart(figure, key=key, config=CONFIG, alt=f"{len(iterations)} iterations: {'; '.join(ends)}")
