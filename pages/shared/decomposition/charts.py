"""Figures of dual decomposition: bounds that meet, the work of each iteration, multipliers."""

from typing import Any

from core.workspace.decomposition.playback import around_best
from core.workspace.wording import amount
from pages.shared.charts import LEGEND, chart_colors, draw_chart, lines, upright

ENTRY = 20  # pixels of a line of a legend
BELOW = {"orientation": "v", "x": 0.0, "xanchor": "left", "y": -0.2, "yanchor": "top"}  # for long names
FEW = 40  # iterations whose points are drawn too


def bounds_chart(columns, iteration, key, unit="iteration"):
    """Dual and primal values by iteration, the best of each as steps; a line where the player stands.

    An iteration is called ``unit``.
    """
    colors, x, axis = chart_colors(), columns["iteration"], around_best(columns)
    look = {"dual": ("ink", "solid", {}), "primal": ("predicted", "dash", {})}
    best = {"shape": "hv", "width": 1}
    look |= {"best_dual": ("ink", "dot", best), "best_primal": ("predicted", "dot", best)}
    traces = [
        _line(
            x, axis.values[name], name.replace("_", " "), colors[color], dash, customdata=columns[name],
            hovertemplate=f"{unit} %{{x}}, {name.replace('_', ' ')} %{{customdata:.6g}}<extra></extra>", **how,
        )
        for name, (color, dash, how) in look.items()
    ]  # fmt: skip
    gap = columns["best_dual"][-1] - columns["best_primal"][-1]
    _draw(
        traces, key, 270, _marks(columns, iteration), unit,
        yaxis=dict(title="from the best", tickvals=axis.ticks, ticktext=axis.labels, zeroline=False),
        alt=f"Dual above primal value over {amount(len(x), unit)}, the last gap {gap:.4g}",
    )  # fmt: skip


def work_chart(columns, iteration, sentences, single, key):
    """Disagreements and re-parsed sentences, and each iteration's time beside that of one pass, ``single`` seconds."""
    colors, x = chart_colors(), columns["iteration"]
    times = [1000 * value for value in columns["seconds"]]
    traces = [
        _line(x, columns["disagreements"], "words that disagree", colors["changed"], "dash"),
        _line(x, columns["second_blocks"], "sentences solved again", colors["predicted"], "solid"),
        _line(x, times, "time, ms", colors["quiet"], "dot", yaxis="y2"),
    ]
    if single:
        ends, once = [x[0], x[-1]], 1000 * single
        traces.append(_line(ends, [once, once], "one pass, ms", colors["quiet"], "longdash", width=1, yaxis="y2"))
    first, last = columns["second_blocks"][0], columns["second_blocks"][-1]
    _draw(
        traces, key, 250, _marks(columns, iteration), yaxis=dict(title="count"),
        yaxis2=dict(overlaying="y", side="right", type="log", dtick=1, title="ms", showgrid=False, automargin=True),
        alt=f"From {first} to {last} of {sentences} sentences solved again in an iteration, in "
        f"{times[0]:.3g} to {times[-1]:.3g} milliseconds: the work falls as the sides agree",
    )  # fmt: skip


def multiplier_chart(values, iteration, key):
    """Multipliers of some arcs by iteration."""
    colors = chart_colors()
    shades = [colors[name] for name in ("changed", "gold", "supported", "predicted", "quiet")]
    traces = [
        _line(
            list(range(1, len(course) + 1)), course, name, shades[index % len(shades)],
            "solid" if index < len(shades) else "dot",
        )
        for index, (name, course) in enumerate(values.items())
    ]  # fmt: skip
    _draw(
        traces, key, 270 + ENTRY * len(traces), [upright(iteration, colors["quiet"], "dot")],
        yaxis=dict(title="multiplier u"), legend=BELOW, showlegend=True,
        alt=f"Multipliers of {len(values)} arcs; the one that moves most is {next(iter(values))}",
    )  # fmt: skip


def _line(x, y, name, color, dash, **how):
    # a single iteration is a point, not a line
    hover: dict[str, Any] = {"hovertemplate": f"iteration %{{x}}, {name} %{{y:.6g}}<extra></extra>"}
    mode = "lines+markers" if len(x) < FEW else "lines"
    return lines(x, y, color=color, dash=dash, **{"name": name, "mode": mode} | hover | how)


def _marks(columns, iteration):
    """Where rounds begin, and where the player stands."""
    colors, rounds = chart_colors(), columns["round"]
    marks = [
        upright(columns["iteration"][index] - 0.5, colors["quiet"], "dash")
        for index in range(1, len(rounds))
        if rounds[index] != rounds[index - 1]
    ]
    return marks if iteration is None else [*marks, upright(iteration, colors["ink"])]


def _draw(traces, key, height, marks, unit="iteration", **rest):
    draw_chart(
        traces, key=key, height=height, shapes=marks, xaxis=dict(title=unit), hovermode="closest",
        **{"legend": LEGEND | {"x": 0.0, "xanchor": "left"}} | rest,  # clear of the camera
    )  # fmt: skip
