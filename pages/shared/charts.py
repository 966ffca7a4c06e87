"""Figures of training: each constraint's share against its target, and the objective by iteration; what all share.

Figures are written as Plotly's specification, plain dicts: its objects are checked each time one is added to another,
which takes four times as long.
"""

from typing import Any

import streamlit as st

from core.draw import PALETTES
from core.languages.direction import bidi_isolate
from core.workspace.wording import amount

CONFIG = {"displaylogo": False, "toImageButtonOptions": {"format": "svg"}, "modeBarButtons": [["toImage"]]}
LEGEND = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 1.0, "xanchor": "right"}  # above, at the end
ROW = 22  # pixels a constraint


def chart_colors():
    """The colours of the theme, by what they stand for."""
    return PALETTES[st.context.theme.type or "light"]


def draw_chart(traces, *, key, alt, height, choose=None, **layout):
    """Draw a figure.

    Parameters
    ----------
    traces : list of dict
        As ``lines`` makes them, or with a ``type`` of their own.
    key : str
    alt : str
        Read aloud.
    height : int
        Pixels.
    choose : callable, optional
        ``choose(trace, point)``, called back with both numbers when a point is clicked.
    **layout
        As in Plotly's specification: ``xaxis``, ``yaxis``, ``shapes``, ``legend``.
    """
    figure = {"data": traces, "layout": {"height": height, "margin": dict(l=0, r=8, t=4, b=4), **layout}}
    how: dict[str, Any] = {}
    if choose is not None:

        def select():
            points = st.session_state[key]["selection"]["points"]
            if points:
                choose(points[0]["curve_number"], points[0]["point_index"])

        figure["layout"] |= {"dragmode": False}
        how = {"on_select": select, "selection_mode": "points"}
    st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, **how)


def lines(x, y, *, color, size=4, symbol="circle", width=2, dash="solid", shape="linear", **how):
    """A trace of points and the line through them."""
    return dict(
        type="scatter", x=x, y=y, mode="lines+markers", marker=dict(size=size, color=color, symbol=symbol),
        line=dict(color=color, width=width, dash=dash, shape=shape),
    ) | how  # fmt: skip


def upright(x, color, dash="solid"):
    """A shape: a line across the whole height at ``x``."""
    line = dict(color=color, width=1, dash=dash)
    return dict(type="line", x0=x, x1=x, y0=0, y1=1, xref="x", yref="paper", line=line)


def target_chart(names, low, high, before, after, key, caption):
    """Dots on a line per constraint: target green (a bar where it is a range), model orange, before hollow grey.

    ``before`` and ``after`` are shares by constraint, None if there is none; ``caption`` is read aloud.
    """
    colors, traces = chart_colors(), []
    places, short = list(range(len(names))), [name if len(name) <= 34 else name[:33] + "…" for name in names]
    shares = [share for share in (*high, *(before or ()), *(after or ())) if share is not None]
    most = max(1.0, *shares) if shares else 1.0  # a head may have more than one modifier
    if before is not None and after is not None:
        traces.append(_links(before, after, places, colors["quiet"], 1, "way"))
    traces.append(_links(low, high, places, colors["supported"], 6, "range"))
    middle = [(one + other) / 2 for one, other in zip(low, high, strict=True)]
    traces.append(_dots(middle, places, names, "target", colors["supported"], "line-ns-open", 15, 3))
    if before is not None:
        traces.append(_dots(before, places, names, "before", colors["quiet"], "circle-open", 8, 1.5))
    if after is not None:
        traces.append(_dots(after, places, names, "model", colors["predicted"], "circle", 9, 0))
    draw_chart(
        traces, key=key, alt=caption, height=ROW * len(names) + 70, legend=LEGEND, hovermode="closest",
        xaxis=dict(range=[-0.02, most + 0.02], tickformat=".0%", side="bottom", zeroline=False),
        yaxis=dict(
            tickvals=places, ticktext=short, range=[len(names) - 0.4, -0.6], zeroline=False
        ),
    )  # fmt: skip


def objective_chart(iterations, objective, key, name="objective"):
    """The objective by iteration, on a logarithmic scale where it is above 0."""
    course = lines(
        iterations, objective, color=chart_colors()["predicted"],
        hovertemplate="iteration %{x}: %{y:.4g}<extra></extra>",
    )  # fmt: skip
    ends = f"from {objective[0]:.3g} to {objective[-1]:.3g}" if len(objective) else "no iteration yet"
    draw_chart(
        [course], key=key, alt=f"{name.capitalize()} over {amount(len(objective), 'iteration')}, {ends}", height=260,
        xaxis=dict(title="iteration"), showlegend=False,
        yaxis=dict(title=name, type="log" if min(objective, default=1) > 0 else "linear"),
    )  # fmt: skip


def arc_map(values, marked, words, key, caption):
    """A square for each arc, heads down and words across: blue below 0, vermilion above, a cross where ``marked``.

    ``values`` and ``marked`` are (n + 1, n + 1), [head, modifier]; ``words`` the root's name and the n words.
    """
    colors, places = chart_colors(), list(range(len(words)))
    reach = max(1e-12, *(abs(value) for row in values.tolist() for value in row))
    scale = [[0.0, colors["gold"]], [0.5, colors["paper"]], [1.0, colors["changed"]]]
    squares = dict(
        type="heatmap", z=values[:, 1:].tolist(), x=places[1:], y=places, zmin=-reach, zmax=reach, colorscale=scale,
        xgap=1, ygap=1, colorbar=dict(thickness=8, tickformat="+.2f", outlinewidth=0),
        customdata=[[f"{bidi_isolate(head)} → {bidi_isolate(word)}" for word in words[1:]] for head in words],
        hovertemplate="%{customdata}: error %{z:+.3f}<extra></extra>",
    )  # fmt: skip
    crosses = [(m, h) for h, row in enumerate(marked.tolist()) for m, wrong in enumerate(row) if wrong and m]
    marks = dict(
        type="scatter", x=[m for m, _ in crosses], y=[h for _, h in crosses], mode="markers", hoverinfo="skip",
        marker=dict(symbol="x-thin", size=6, line=dict(width=1.2, color=colors["ink"])),
    )  # fmt: skip
    draw_chart(
        [squares, marks], key=key, alt=caption, height=max(240, 20 * len(words) + 60), showlegend=False,
        xaxis=dict(tickvals=places[1:], ticktext=words[1:], side="top", tickangle=-45, showgrid=False, zeroline=False),
        yaxis=dict(tickvals=places, ticktext=words, autorange="reversed", showgrid=False, zeroline=False),
    )  # fmt: skip


def _dots(values, places, names, name, color, symbol, size, line):
    return dict(
        type="scatter", x=values, y=places, mode="markers", name=name, text=names,
        marker=dict(color=color, symbol=symbol, size=size, line=dict(width=line, color=color)),
        hovertemplate="%{text}<br>" + name + " %{x:.3f}<extra></extra>",
    )  # fmt: skip


def _links(begins, ends, places, color, width, name):
    """Bars from one value to another, on each line."""
    x = [value for begin, end in zip(begins, ends, strict=True) for value in (begin, end, None)]
    y = [value for line in places for value in (line, line, None)]
    line = dict(color=color, width=width)
    return dict(type="scatter", x=x, y=y, mode="lines", line=line, name=name, showlegend=False, hoverinfo="skip")
