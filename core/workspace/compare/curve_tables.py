"""A learning curve as a page shows it: columns of its table, series of its chart, sentences."""

from dataclasses import dataclass

import numpy as np

from core.draw.learning_curve import BEYOND, STEPS, curve_words, learning_curve_svg
from core.evaluation import Extrapolation
from core.experiments.curves.reporting import conditions, curve_csv, fit_sentence, gain_sentence, rows_of
from core.files.tables import columns_of
from core.workspace.compare.curves import CurveView
from core.workspace.wording import amount

MARGIN = 0.04  # of the axis, left and right of what is drawn


@dataclass(frozen=True)
class CurveChart:
    """A learning curve as it is drawn: sizes on a logarithmic axis, accuracies in percent.

    Attributes
    ----------
    sizes, means, above, below : list of float
        Measured points, and how far the highest and lowest draw lie from each.
    fitted, dashed : tuple of (list, list)
        Sizes and accuracies of the fitted curve, within what was measured and beyond; empty where it is not known.
    band : tuple of (list, list, list)
        Sizes, low and high ends beyond what was measured.
    ticks : list of int
    range : tuple of float
        Ends of the axis, as decimal logarithms of sizes.
    words : str
        A description for people who do not see the chart.
    """

    sizes: list
    means: list
    above: list
    below: list
    fitted: tuple
    dashed: tuple
    band: tuple
    ticks: list
    range: tuple
    words: str


def curve_chart(view: CurveView) -> CurveChart:
    """The CurveChart of a CurveView."""
    curve, law, means = view.curve, view.law, view.curve.means()
    fitted: tuple = ([], [])
    dashed: tuple = ([], [])
    band: tuple = ([], [], [])
    if isinstance(law, Extrapolation):
        inner = np.geomspace(curve.sizes[0], law.largest, STEPS)
        outer = np.geomspace(law.largest, BEYOND * law.largest, STEPS)
        fitted = inner.tolist(), law.accuracy(inner).tolist()
        dashed = outer.tolist(), law.accuracy(outer).tolist()
        low, high = law.band(outer, single=True)
        band = outer.tolist(), low.tolist(), high.tolist()
    highest = np.nanmax(curve.accuracies, axis=1)
    lowest = np.nanmin(curve.accuracies, axis=1)
    ticks = [row["size"] for row in rows_of(curve, law)]
    ends = np.log10([ticks[0], ticks[-1]])
    margin = MARGIN * max(float(ends[1] - ends[0]), 1.0)
    return CurveChart(
        curve.sizes.tolist(), means.tolist(), (highest - means).tolist(), (means - lowest).tolist(), fitted, dashed,
        band, ticks, (float(ends[0]) - margin, float(ends[1]) + margin), curve_words(curve, law),
    )  # fmt: skip


def curve_table(view: CurveView) -> dict[str, list]:
    """Columns of a table: size, how it is known, mean, spread, fitted, interval."""
    rows = []
    for row in rows_of(view.curve, view.law):
        known = "extrapolated" if row["extrapolated"] else f"{row['draws']} drawn"
        interval = "" if row["low"] is None else f"{row['low']:.1f} to {row['high']:.1f}"
        rows.append((row["size"], known, row["mean"], row["spread"], row["fitted"], interval))
    return columns_of((view.learner.by, "known", "mean", "spread", "fitted", "interval"), rows)


def curve_note(view: CurveView) -> str:
    """A note on the measurements: on how many words they are, and whether all are there."""
    is_partial = view.points < view.expected
    partial = f"Partial: {view.points} of {amount(view.expected, 'training')}. " if is_partial else ""
    return (
        f"{partial}Heads right in percent of {amount(view.words, 'word')} of every fifth tree, which is not learnt "
        "from; punctuation is not scored."
    )


def law_note(view: CurveView) -> str:
    """The law that was fitted; empty where there is none."""
    return fit_sentence(view.law, view.words) if isinstance(view.law, Extrapolation) else ""


def usual_more(view: CurveView) -> int:
    """The suggested number of further units: as many as the largest size measured."""
    return int(view.curve.sizes[-1])


def more_sentence(view: CurveView, more: int) -> str:
    """The expected gain from ``more`` units in words, or why it is not known."""
    return gain_sentence(view.law, more)


def curve_file(view: CurveView) -> str:
    """The points and the fit as CSV."""
    return curve_csv(view.curve, view.law, view.words)


def curve_figure(view: CurveView) -> str:
    """The figure as SVG."""
    return learning_curve_svg(view.curve, view.law, f"{view.learner.title}: {conditions(view.words)}")
