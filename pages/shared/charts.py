"""Figures of training: each constraint's share against its target, and the objective by iteration."""

import plotly.graph_objects as go
import streamlit as st

from core.direction import isolated
from core.draw import PALETTES

CONFIG = {"displaylogo": False, "toImageButtonOptions": {"format": "svg"}, "modeBarButtons": [["toImage"]]}
ROW = 22  # pixels a constraint


def target_chart(names, low, high, before, after, key, caption):
    """Dots on a line per constraint: target green (a bar where it is a range), model orange, before hollow grey.

    ``before`` and ``after`` are shares by constraint, None if there is none; ``caption`` is read aloud.
    """
    colors = PALETTES[st.context.theme.type or "light"]
    figure = go.Figure()
    places = list(range(len(names)))
    shares = [share for share in (*high, *(before or ()), *(after or ())) if share is not None]
    most = max(1.0, *shares) if shares else 1.0  # a head may have more than one modifier
    if before is not None and after is not None:
        figure.add_trace(_links(before, after, places, colors["quiet"], 1, "way"))
    figure.add_trace(_links(low, high, places, colors["supported"], 6, "range"))
    middle = [(one + other) / 2 for one, other in zip(low, high, strict=True)]
    figure.add_trace(_dots(middle, places, names, "target", colors["supported"], "line-ns-open", 15, 3))
    if before is not None:
        figure.add_trace(_dots(before, places, names, "before", colors["quiet"], "circle-open", 8, 1.5))
    if after is not None:
        figure.add_trace(_dots(after, places, names, "model", colors["predicted"], "circle", 9, 0))
    figure.update_layout(
        height=ROW * len(names) + 70,
        margin=dict(l=0, r=8, t=4, b=4),
        legend=dict(orientation="h", y=1.0, yanchor="bottom", x=1.0, xanchor="right"),
        xaxis=dict(range=[-0.02, most + 0.02], tickformat=".0%", side="bottom", zeroline=False),
        yaxis=dict(
            tickvals=places, ticktext=[_short(name) for name in names], range=[len(names) - 0.4, -0.6], zeroline=False
        ),
        hovermode="closest",
    )
    st.plotly_chart(figure, key=key, config=CONFIG, alt=caption)


def objective_chart(iterations, objective, key, name="objective"):
    """The objective by iteration, on a logarithmic scale where it is above 0."""
    colors = PALETTES[st.context.theme.type or "light"]
    figure = go.Figure(
        go.Scatter(
            x=iterations,
            y=objective,
            mode="lines+markers",
            line=dict(color=colors["predicted"], width=2),
            marker=dict(size=4),
            hovertemplate="iteration %{x}: %{y:.4g}<extra></extra>",
        )
    )
    figure.update_layout(
        height=260,
        margin=dict(l=0, r=8, t=8, b=4),
        xaxis=dict(title="iteration"),
        yaxis=dict(title=name, type="log" if min(objective, default=1) > 0 else "linear"),
        showlegend=False,
    )
    ends = f"from {objective[0]:.3g} to {objective[-1]:.3g}" if len(objective) else "no iteration yet"
    st.plotly_chart(figure, key=key, config=CONFIG, alt=f"{name.capitalize()} over {len(objective)} iterations, {ends}")


def arc_map(values, marked, words, key, caption):
    """A square for each arc, heads down and words across: blue below 0, vermilion above, a cross where ``marked``.

    ``values`` and ``marked`` are (n + 1, n + 1), [head, modifier]; ``words`` the root's name and the n words.
    """
    colors = PALETTES[st.context.theme.type or "light"]
    places = list(range(len(words)))
    reach = max(1e-12, *(abs(value) for row in values.tolist() for value in row))
    scale = [[0.0, colors["gold"]], [0.5, colors["paper"]], [1.0, colors["changed"]]]
    squares = go.Heatmap(
        z=values[:, 1:].tolist(), x=places[1:], y=places, zmin=-reach, zmax=reach, colorscale=scale, xgap=1, ygap=1,
        colorbar=dict(thickness=8, tickformat="+.2f", outlinewidth=0),
        customdata=[[f"{isolated(head)} → {isolated(word)}" for word in words[1:]] for head in words],
        hovertemplate="%{customdata}: error %{z:+.3f}<extra></extra>",
    )  # fmt: skip
    crosses = [(m, h) for h, row in enumerate(marked.tolist()) for m, wrong in enumerate(row) if wrong and m]
    marks = go.Scatter(
        x=[m for m, _ in crosses], y=[h for _, h in crosses], mode="markers", hoverinfo="skip",
        marker=dict(symbol="x-thin", size=6, line=dict(width=1.2, color=colors["ink"])),
    )  # fmt: skip
    figure = go.Figure([squares, marks])
    figure.update_layout(
        height=max(240, 20 * len(words) + 60),
        margin=dict(l=0, r=0, t=4, b=4),
        showlegend=False,
        xaxis=dict(tickvals=places[1:], ticktext=words[1:], side="top", tickangle=-45, showgrid=False, zeroline=False),
        yaxis=dict(tickvals=places, ticktext=words, autorange="reversed", showgrid=False, zeroline=False),
    )
    st.plotly_chart(figure, key=key, config=CONFIG, alt=caption)


def _dots(values, places, names, name, color, symbol, size, line):
    return go.Scatter(
        x=values,
        y=places,
        mode="markers",
        name=name,
        marker=dict(color=color, symbol=symbol, size=size, line=dict(width=line, color=color)),
        text=names,
        hovertemplate="%{text}<br>" + name + " %{x:.3f}<extra></extra>",
    )


def _links(begins, ends, places, color, width, name):
    """Bars from one value to another, on each line."""
    x = [value for begin, end in zip(begins, ends, strict=True) for value in (begin, end, None)]
    y = [value for place in places for value in (place, place, None)]
    line = dict(color=color, width=width)
    return go.Scatter(x=x, y=y, mode="lines", line=line, name=name, showlegend=False, hoverinfo="skip")


def _short(name):
    return name if len(name) <= 34 else name[:33] + "…"
