"""Accuracy of all parses by kinds of words, with intervals: what a chart draws, and its SVG and CSV files."""

from dataclasses import dataclass

from core.draw.by_kind import KindSeries, KindsPicture, kinds_svg
from core.evaluation.estimates import METHOD
from core.files.tables import separated
from core.languages.direction import side_name
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.wording import amount

FREQUENCY = "tag frequency"  # tags by how many words have them
CHARTS = ("distance", "sentence length", "direction", "tag", FREQUENCY, "relation", "projectivity")
MOST_KINDS = 20  # drawn, the most frequent ones; the table has all


@dataclass(frozen=True, eq=False)
class AccuracyChart:
    """Accuracy by kind of word as it is drawn.

    Attributes
    ----------
    kind : str
        One of CHARTS.
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
        """The figures as CSV: a row for each group and parse; what they are of stands in the header."""
        conditions = f"{self.picture.title}; interval: 95%, {METHOD}"
        header = ("kind", "group", "parse", "words", "right", "percent", "low", "high", conditions)
        rows = [
            (self.by, name, series.name, words, right[k], series.shares[k], series.low[k],
             series.high[k], "")
            for series, right in zip(self.picture.series, self.right, strict=True)
            for k, (name, words) in enumerate(zip(self.picture.names, self.picture.words, strict=True))
        ]  # fmt: skip
        return separated(header, rows)


def accuracy_chart(parses: SideBySide, kind: str) -> AccuracyChart:
    """The AccuracyChart of one of CHARTS over the parses of a SideBySide, which are judged by something."""
    return parses.cached(("chart", kind), lambda: _chart(parses, kind))


def _chart(parses, kind):
    groups = parses.comparison.table("tag" if kind == FREQUENCY else kind)
    shown = groups[:MOST_KINDS]
    series, right = [], []
    for name in parses.names:
        known = [parses.comparison.interval(group, name) for group in shown]
        shares = tuple(group.share(name) or 0.0 for group in shown)
        low, high = (tuple(None if span is None else getattr(span, end) for span in known) for end in ("low", "high"))
        series.append(KindSeries(name, shares, low, high))
        right.append(tuple(int(group.right[name].sum()) for group in shown))
    marks = parses.comparison.text.punctuation()[parses.comparison.scored].any()
    measure = "Heads right" if parses.is_gold else f"Heads as in {parses.reference or 'most parses'}"
    title = f"{measure}, by {kind}, {'with' if marks else 'without'} punctuation"
    names, words = tuple(side_name(group.name) for group in shown), tuple(group.words for group in shown)
    picture = KindsPicture(title, names, words, tuple(series))
    return AccuracyChart(kind, tuple(group.name for group in shown), picture, tuple(right), len(groups) - len(shown))
