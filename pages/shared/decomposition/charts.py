"""Figures of dual decomposition: bounds that meet, the work of each iteration, multipliers."""

import plotly.graph_objects as go
import streamlit as st

from core.draw import PALETTES
from pages.shared.charts import CONFIG


def _colors():
    return PALETTES[st.context.theme.type or "light"]


def bounds_chart(columns, iteration, key):
    """Dual and primal values by iteration, the best of each as steps; a line where the player stands."""
    colors, x = _colors(), columns["iteration"]
    figure = go.Figure()
    for name, color, dash in (("dual", "ink", "solid"), ("primal", "predicted", "dash")):
        figure.add_trace(_line(x, columns[name], name, colors[color], dash))
    for name, color in (("best_dual", "ink"), ("best_primal", "predicted")):
        figure.add_trace(_line(x, columns[name], f"best {name[5:]}", colors[color], "dot", shape="hv", width=1))
    _mark(figure, columns, iteration)
    _layout(figure, 270, yaxis=dict(title="value"), xaxis=dict(title="iteration"))
    gap = columns["best_dual"][-1] - columns["best_primal"][-1]
    st.plotly_chart(
        figure, key=key, config=CONFIG, alt=f"Dual above primal value over {len(x)} iterations, the last gap {gap:.4g}"
    )


def work_chart(columns, iteration, sentences, single, key):
    """Disagreements and re-parsed sentences, and each iteration's time beside that of one pass, ``single`` seconds."""
    colors, x = _colors(), columns["iteration"]
    figure = go.Figure()
    figure.add_trace(_line(x, columns["disagreements"], "words that disagree", colors["changed"], "dash"))
    figure.add_trace(_line(x, columns["second_blocks"], "sentences parsed again", colors["predicted"], "solid"))
    times = [1000 * value for value in columns["seconds"]]
    figure.add_trace(_line(x, times, "time, ms", colors["quiet"], "dot", yaxis="y2"))
    if single:
        ends, once = [x[0], x[-1]], 1000 * single
        figure.add_trace(_line(ends, [once, once], "one pass, ms", colors["quiet"], "longdash", width=1, yaxis="y2"))
    _mark(figure, columns, iteration)
    second = dict(overlaying="y", side="right", type="log", dtick=1, title="ms", showgrid=False, automargin=True)
    _layout(figure, 250, yaxis=dict(title="count"), xaxis=dict(title="iteration"), yaxis2=second)
    last = columns["second_blocks"][-1]
    st.plotly_chart(
        figure,
        key=key,
        config=CONFIG,
        alt=f"From {columns['second_blocks'][0]} to {last} of {sentences} sentences parsed again in an iteration, in "
        f"{times[0]:.3g} to {times[-1]:.3g} milliseconds: the work falls as the sides agree",
    )


def multiplier_chart(lines, iteration, key):
    """Multipliers of some arcs by iteration."""
    figure, colors = go.Figure(), _colors()
    shades = [colors[name] for name in ("changed", "gold", "supported", "predicted", "quiet")]
    for place, (name, values) in enumerate(lines.items()):
        dash = "solid" if place < len(shades) else "dot"
        x = list(range(1, len(values) + 1))
        figure.add_trace(_line(x, values, name, shades[place % len(shades)], dash))
    figure.update_traces(showlegend=False)
    figure.add_vline(iteration, line=dict(color=colors["quiet"], width=1, dash="dot"))
    _layout(figure, 270, yaxis=dict(title="multiplier u"), xaxis=dict(title="iteration"))
    st.plotly_chart(
        figure,
        key=key,
        config=CONFIG,
        alt=f"Multipliers of {len(lines)} arcs; the one that moves most is {next(iter(lines))}",
    )


def _line(x, y, name, color, dash, width=2, shape="linear", **how):
    # a single iteration is a point, not a line
    return go.Scatter(
        x=x, y=y, name=name, mode="lines+markers" if len(x) < 40 else "lines", marker=dict(size=4, color=color),
        line=dict(color=color, dash=dash, width=width, shape=shape),
        hovertemplate=f"iteration %{{x}}, {name} %{{y:.6g}}<extra></extra>", **how,
    )  # fmt: skip


def _mark(figure, columns, iteration):
    """Where the player stands, and where rounds begin."""
    colors, rounds = _colors(), columns["round"]
    for place in range(1, len(rounds)):
        if rounds[place] != rounds[place - 1]:
            figure.add_vline(columns["iteration"][place] - 0.5, line=dict(color=colors["quiet"], width=1, dash="dash"))
    if iteration is not None:
        figure.add_vline(iteration, line=dict(color=colors["ink"], width=1))


def _layout(figure, height, **rest):
    figure.update_layout(
        height=height,
        margin=dict(l=0, r=8, t=4, b=4),
        legend=dict(orientation="h", y=1.0, yanchor="bottom", x=1.0, xanchor="right"),
        hovermode="closest",
        **rest,
    )
