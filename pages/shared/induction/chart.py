"""Bits per token and accuracy by iteration, one above the other."""

from pages.shared.charts import chart_colors, draw_chart, lines, upright

UPPER, LOWER = [0.54, 1.0], [0.0, 0.46]  # of the height, where there are two


def course_chart(iterations, bits, accuracies, stages, key):
    """Draw it; dotted lines part the stages. ``accuracies`` are per cent, empty where nobody knows."""
    colors, both = chart_colors(), bool(accuracies)
    rows = [("bits per token", bits, colors["plain"])] + [("% of heads right", accuracies, colors["predicted"])] * both
    traces = [
        lines(
            iterations, values, color=color, customdata=stages, yaxis=f"y{row}",
            hovertemplate="iteration %{x}, %{customdata}: %{y:.3f} " + name + "<extra></extra>",
        )
        for row, (name, values, color) in enumerate(rows, start=1)
    ]  # fmt: skip
    parted = [
        upright(place - 0.5, colors["candidate"], "dot")
        for before, after, place in zip(stages, stages[1:], iterations[1:], strict=False)
        if before != after
    ]
    axes = {"yaxis": dict(title=rows[0][0], zeroline=False, domain=UPPER if both else [0.0, 1.0])}
    if both:
        axes["yaxis2"] = dict(title=rows[1][0], zeroline=False, domain=LOWER)
    ends = [f"{name} from {values[0]:.2f} to {values[-1]:.2f}" for name, values, _ in rows if None not in values]
    draw_chart(
        traces, key=key, alt=f"{len(iterations)} iterations: {'; '.join(ends)}", height=190 + 170 * both,
        showlegend=False, shapes=parted, **axes,
        xaxis=dict(title="iteration", range=[0, max(10, iterations[-1] + 1)], anchor=f"y{len(rows)}"),
    )  # fmt: skip
