"""Accuracy of all parses by kinds of words, with intervals: what a chart draws, and its SVG and CSV files."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.draw.by_kind import KindSeries, KindsPicture, kinds_svg
from core.draw.levels import widest
from core.evaluation.comparison import UAS
from core.evaluation.estimates import METHOD
from core.files.tables import separated
from core.languages.direction import side_name
from core.workspace.compare.measures import F1, SAID, by_relation, f1_interval, groups_by, measured_names
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.wording import amount

FREQUENCY = "tag frequency"  # tags by how many words have them
CHARTS = ("distance", "sentence length", "direction", "tag", FREQUENCY, "relation", "projectivity")
PLOT, LABEL_SIZE, LABEL_GAP = 400.0, 10.0, 5.0  # pixels: least width of the chart, size of a name, between two names
LOWEST_LABEL, LABEL_ROW, AXIS_MARGIN = 106.0, 7.0, 0.06  # percents of the chart's height; a share of the axis
MOST_KINDS = 20  # drawn, the most frequent ones; the table has all


@dataclass(frozen=True, eq=False)
class AccuracyChart:
    """Accuracy by kind of word as it is drawn.

    Attributes
    ----------
    kind : str
        One of CHARTS.
    measure : str
        One of MEASURES.
    groups : tuple of str
        Names of the groups of words, as ``opened_rows`` takes them.
    picture : KindsPicture
        The same with their shares and intervals.
    right : tuple of tuple of int
        Right words of each group, by parse.
    left_out : int
        How many smaller groups are not drawn.
    """

    kind: str
    measure: str
    groups: tuple[str, ...]
    picture: KindsPicture
    right: tuple[tuple[int, ...], ...]
    left_out: int

    @property
    def by(self) -> str:
        """The kind of words that ``Comparison.table`` knows."""
        return "tag" if self.kind == FREQUENCY else self.kind

    @property
    def places(self) -> range:
        """The positions of the groups from left to right, from 0."""
        return range(len(self.groups))

    @property
    def label_heights(self) -> list[float]:
        """The heights, on the axis of percents, at which the names of groups stand above a logarithmic axis of words.

        Names that would overlap in a chart of PLOT pixels or more stand in different rows.
        """
        places = np.log10(self.picture.words)
        pixels = PLOT * (places - places.min()) / max(np.ptp(places), 1e-9)
        ends: list[float] = []  # of the last name in each row
        heights = np.zeros(len(places))
        for group in np.argsort(pixels, kind="stable").tolist():
            half = widest(self.picture.names[group], LABEL_SIZE) / 2
            row = next((row for row, end in enumerate(ends) if end <= pixels[group] - half), len(ends))
            ends[row : row + 1] = [pixels[group] + half + LABEL_GAP]
            heights[group] = LOWEST_LABEL + LABEL_ROW * row
        return heights.tolist()

    @property
    def axis(self) -> tuple[float, float]:
        """The ends of the logarithmic axis of words, as decimal logarithms."""
        places = np.log10(self.picture.words)
        margin = AXIS_MARGIN * max(float(np.ptp(places)), 1.0)
        return float(places.min()) - margin, float(places.max()) + margin

    @property
    def note(self) -> str:
        """Sentences on what the chart shows and leaves out."""
        bare = [name for name, low in zip(self.picture.names, self.picture.series[0].low, strict=True) if low is None]
        sentences = [f"Bars: 95% intervals over sentences{'' if len(bare) < len(self.groups) else ', none of so few'}."]
        if 0 < len(bare) < len(self.groups):
            sentences.append(f"Too few sentences for one: {', '.join(bare[:5])}{'…' if len(bare) > 5 else ''}.")
        if self.left_out:
            sentences.append(f"{amount(self.left_out, 'rarer group')} only in the table.")
        return " ".join(sentences)

    def svg(self) -> str:
        """The chart as SVG text."""
        return kinds_svg(self.picture)

    def csv(self) -> str:
        """The figures as CSV: a row for each group and parse, with what they are of."""
        header = ("kind", "group", "parse", "words", "right", "percent", "low", "high", "percent of", "interval")
        rows = [
            (self.by, name, series.name, words, right[k], series.shares[k], series.low[k],
             series.high[k], self.picture.title, f"95%, {METHOD}")
            for series, right in zip(self.picture.series, self.right, strict=True)
            for k, (name, words) in enumerate(zip(self.picture.names, self.picture.words, strict=True))
        ]  # fmt: skip
        return separated(header, rows)


def accuracy_chart(
    parses: SideBySide, kind: str, measure: str = UAS, places: Mapping[str, int] = MappingProxyType({})
) -> AccuracyChart:
    """The AccuracyChart of one of CHARTS over the parses of a SideBySide, which are judged by something.

    ``measure`` is one of ``measures``; ``places`` are those of the parses in STYLES, by default their own order.
    """
    names = measured_names(parses, measure)
    places = {name: places.get(name, number) for number, name in enumerate(names)}
    key = ("chart", kind, measure, tuple(places.items()))
    return parses.cached(key, lambda: _chart(parses, kind, measure, places))


def _chart(parses, kind, measure, places):
    points, words, left_out = (_points_by_f1 if measure == F1 else _points)(parses, kind, measure, places)
    series = tuple(
        KindSeries(
            name,
            tuple(share for _, share, _ in points[name]),
            tuple(span and span.low for _, _, span in points[name]),
            tuple(span and span.high for _, _, span in points[name]),
            place,
        )
        for name, place in places.items()
    )
    marks = parses.comparison.text.punctuation()[parses.comparison.scored].any()
    said = SAID[measure] if parses.is_gold else f"{SAID[measure].removesuffix(' right')} as in " \
        f"{parses.reference or 'most parses'}"  # fmt: skip
    title = f"{said}, by {kind}, {'with' if marks else 'without'} punctuation"
    shown = tuple(side_name(name) for name in words)
    picture = KindsPicture(title, shown, tuple(words.values()), series)
    right = tuple(tuple(count for count, _, _ in points[name]) for name in places)
    return AccuracyChart(kind, measure, tuple(words), picture, right, left_out)


def _points(parses, kind, measure, places):
    """(parse -> (right words, share, interval) of each group; words of each group by name; groups left out)."""
    groups = groups_by(parses, "tag" if kind == FREQUENCY else kind, measure)
    shown, interval = groups[:MOST_KINDS], parses.comparison.interval
    points = {
        name: [(int(group.right[name].sum()), group.share(name) or 0.0, interval(group, name)) for group in shown]
        for name in places
    }
    return points, {group.name: group.words for group in shown}, len(groups) - len(shown)


def _points_by_f1(parses, kind, measure, places):
    """The same of relations; those that the reference does not have stand in the table only."""
    relations = [group for group in by_relation(parses) if group.words]
    shown, points = relations[:MOST_KINDS], {}
    for name in places:
        words = [group.of[name] for group in shown]
        points[name] = [(each.score.correct, each.score.f1 or 0.0, f1_interval(parses, each)) for each in words]
    return points, {group.name: group.words for group in shown}, len(by_relation(parses)) - len(shown)
