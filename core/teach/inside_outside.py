"""Inside and outside on Eisner's chart: the same spans as for the best tree, with sums over trees for maxima.

The chart is the production kernel's, in logarithms (``core.trees.chart_sums.chart_one``); what an arc's probability
needs beside its inside is the kernel's own arc value.
"""

import math

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture
from core.draw.chart import (
    COMPLETE_LEFT,
    COMPLETE_RIGHT,
    INCOMPLETE_LEFT,
    INCOMPLETE_RIGHT,
    ChartPicture,
)
from core.teach.eisner import EisnerChart, chart_table
from core.teach.growing import GrowingEntries
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, number, numbered, quiz_question
from core.trees.chart_sums import LOG_SUM, chart_one
from core.trees.inside_outside import inside_outside

LEGEND = (("now", "just found"), ("part", "summed"))
FEW = 7  # words up to which there is room for two digits in a cell
FAINT = 0.02  # probability below which an arc is not drawn


class InsideChart(EisnerChart):
    """Log-sums over all partial trees of each item, in nats, and the probabilities of arcs."""

    def __init__(self, scores: np.ndarray, single_root: bool):
        self.scores = np.ascontiguousarray(scores, dtype=np.float64)
        self.total, tables, self.marginals = chart_one(self.scores, single_root, LOG_SUM)
        self._right, self._left, self._right_arc, self._left_arc = tables[1:5]

    def __getitem__(self, item):
        kind, i, j = item
        if kind in (INCOMPLETE_LEFT, INCOMPLETE_RIGHT):
            return float((self._right_arc if kind == INCOMPLETE_RIGHT else self._left_arc)[i - 1, j - 1])
        return super().__getitem__(item)

    def outside(self, head: int, modifier: int) -> float:
        """Log-sum over all that can stand around the span with an arc on top, in nats; -inf where nothing can."""
        i, j = sorted((head, modifier))
        inside = self[INCOMPLETE_RIGHT if head < modifier else INCOMPLETE_LEFT, i, j]
        share = float(self.marginals[head, modifier])
        return math.log(share) + self.total - inside if share > 0 else -math.inf


def trace_inside_outside(example: Example) -> AlgorithmTrace:
    """The steps of inside-outside on an Example.

    Raises
    ------
    InfeasibleError : every projective tree uses a forbidden arc.

    Notes
    -----
    Two steps a span inside, one a width outside. Source: Baker (1979); Eisner (1996) for the chart.
    """
    log_partition, marginals = inside_outside(example.scores, example.single_root)
    walk = _InsideOutsideWalk(example, InsideChart(example.scores, example.single_root), marginals)
    result = {"log_partition": log_partition, "marginals": marginals}
    return AlgorithmTrace("inside-outside", example.words, tuple(walk.steps()), result)


class _InsideOutsideWalk:
    def __init__(self, example, chart, marginals):
        self.words, self.n, self.chart, self.marginals = example.words, len(example), chart, marginals
        self.single_root = example.single_root
        self.values, self.digits = GrowingEntries(), 2 if self.n <= FEW else 1

    def steps(self):
        caption = (
            "Every word alone is one tree of weight 1, a log-sum of 0 nats; longer spans add up the weights of trees."
        )
        yield Step("Empty chart", caption, self._picture({}, [("Empty chart", "")]), self._table())
        for width in range(1, self.n):
            for i in range(1, self.n - width + 1):
                yield self._incomplete(i, i + width)
                yield self._complete(i, i + width)
        yield self._root()
        shares = dict(self.values.now())  # of arcs found so far; the other items keep their log-sums
        for width in range(self.n - 1, 0, -1):
            yield self._outside(width, shares)
        yield self._end()

    def _incomplete(self, i, j):
        items = (INCOMPLETE_LEFT, i, j), (INCOMPLETE_RIGHT, i, j)
        ways = self.chart.splits(items[1])
        for item in items:
            self.values.add(item, number(self.chart[item], self.digits))
        many = f"{len(ways)} splits, added up" if len(ways) > 1 else "the one split"
        caption = (
            f"Over {many}, trees with {arrow(self.words, i, j)} on top have a log-sum of "
            f"{number(self.chart[items[1]], 2)} nats, with {arrow(self.words, j, i)} {number(self.chart[items[0]], 2)}."
        )
        marks = dict.fromkeys(items, "now") | {part: "part" for _, a, b, _ in ways for part in (a, b)}
        title = f"Arcs between {i} and {j}"
        lines = [(f"split {k}|{k + 1}:  {number(value, 2)}", "part") for k, _, _, value in ways]
        question = self._log_sum(f"with {arrow(self.words, i, j)} on top", [value for *_, value in ways])
        return self._step(title, caption, marks, lines, question, items)

    def _complete(self, i, j):
        items = (COMPLETE_LEFT, i, j), (COMPLETE_RIGHT, i, j)
        for item in items:
            self.values.add(item, number(self.chart[item], self.digits))
        caption = (
            f"All trees of words {i} to {j} under {numbered(self.words, i)} have a log-sum of "
            f"{number(self.chart[items[1]], 2)} nats, under {numbered(self.words, j)} "
            f"{number(self.chart[items[0]], 2)}."
        )
        ways = self.chart.splits(items[1])
        marks = dict.fromkeys(items, "now")
        marks |= {part: "part" for item in items for _, a, b, _ in self.chart.splits(item) for part in (a, b)}
        lines = [(f"last modifier {k}:  {number(value, 2)}", "part") for k, _, _, value in ways]
        question = self._log_sum(f"under {numbered(self.words, i)}", [value for *_, value in ways])
        return self._step(f"Complete spans {i} to {j}", caption, marks, lines, question, items)

    def _root(self):
        shares = [(numbered(self.words, r), float(self.marginals[0, r])) for r in range(1, self.n + 1)]
        best = max(shares, key=lambda pair: pair[1])[0]
        caption = (
            f"With the root's arcs, the weights of all projective trees add up to e^{number(self.chart.total, 2)}: the "
            f"log-partition is {number(self.chart.total, 3)} nats."
        )
        lines = [(f"{name}:  {_percent(share)}", "now" if name == best else "") for name, share in shares]
        given = {
            numbered(self.words, r): " + ".join(
                number(part, 2) for part in (float(self.chart.scores[0, r]), self.chart[COMPLETE_LEFT, 1, r],
                                             self.chart[COMPLETE_RIGHT, r, self.n])
            )
            for r in range(1, self.n + 1) if self.single_root  # of several roots none has these parts alone
        }  # fmt: skip
        question = quiz_question("Which word is the most probable root?", shares, best, given=given)
        step = self._step("The log-partition", caption, {}, lines, question, ())
        step.numbers["log_partition"] = self.chart.total
        return step

    def _outside(self, width, shares):
        """Probabilities of all arcs of one width, the widest first as the kernel finds them."""
        marks, marginals, lines = {}, {}, []
        for i in range(1, self.n - width + 1):
            j = i + width
            for kind, h, m in ((INCOMPLETE_LEFT, j, i), (INCOMPLETE_RIGHT, i, j)):
                marginals[h, m] = float(self.chart.marginals[h, m])
                shares[kind, i, j] = _percent(marginals[h, m])
                marks[kind, i, j] = "now"
        h, m = max(marginals, key=marginals.__getitem__)
        inside = self.chart[INCOMPLETE_RIGHT if h < m else INCOMPLETE_LEFT, min(h, m), max(h, m)]
        for (a, b), share in sorted(marginals.items(), key=lambda pair: -pair[1])[:8]:
            lines.append((f"{arrow(self.words, a, b)}:  {_percent(share)}", "now" if (a, b) == (h, m) else ""))
        distance = "neighbours" if width == 1 else f"words {width} apart"
        caption = (
            f"Outside scores complete arcs between {distance}. The most probable, {arrow(self.words, h, m)}, has e to "
            f"the power of inside {number(inside, 2)} plus outside {number(self.chart.outside(h, m), 2)} minus log Z "
            f"{number(self.chart.total, 2)}: {_percent(marginals[h, m])}."
        )
        ways = [(arrow(self.words, *arc), share) for arc, share in marginals.items()]
        question = quiz_question(
            f"Which arc between {distance} is the most probable?", ways, arrow(self.words, h, m), 5
        )
        marks = {(INCOMPLETE_RIGHT if h < m else INCOMPLETE_LEFT, min(h, m), max(h, m)): "now"} | marks
        picture = self._picture(marks, [(f"Outside, width {width}", ""), *lines], dict(shares))
        table = {"arc": [name for name, _ in ways], "probability": [f"{share:.4f}" for _, share in ways]}
        return Step(f"Outside, width {width}", caption, picture, table, question,
                    {"probabilities": marginals, "inside": inside, "outside": self.chart.outside(h, m)})  # fmt: skip

    def _end(self):
        best = [int(np.argmax(self.marginals[:, m])) for m in range(1, self.n + 1)]
        sure = [float(self.marginals[h, m]) for m, h in enumerate(best, start=1)]
        m = int(np.argmin(sure)) + 1
        caption = (
            f"Each word's heads share a probability of 1; {numbered(self.words, m)} is the least certain, its best "
            f"head {numbered(self.words, best[m - 1])} has {_percent(sure[m - 1])}."
        )
        arcs = [
            Arc(h, k, _percent(self.marginals[h, k]), "predicted" if best[k - 1] == h else "candidate",
                float(min(max(self.marginals[h, k], 0.0), 1.0)))
            for k in range(1, self.n + 1) for h in range(self.n + 1)
            if h != k and (self.marginals[h, k] >= max(FAINT, 0.01 * self.n) or best[k - 1] == h)
        ]  # fmt: skip
        ways = [(numbered(self.words, k), -share) for k, share in enumerate(sure, start=1)]
        question = quiz_question("Which word's head is the least certain?", ways, numbered(self.words, m))
        table = {"arc": [arrow(self.words, arc.head, arc.modifier) for arc in arcs],
                 "probability": [f"{self.marginals[arc.head, arc.modifier]:.4f}" for arc in arcs]}  # fmt: skip
        return Step("Probabilities of arcs", caption, ArcPicture(self.words, tuple(arcs)), table, question,
                    {"marginals": self.marginals})  # fmt: skip

    def _log_sum(self, scope, values):
        """A quiz question on the log-sum of several ways, beside two mistakes: the best way, and a sum of
        logarithms."""
        values = [value for value in values if value > -np.inf]
        if len(values) < 2:
            return None
        right = number(float(np.logaddexp.reduce(values)), 2)
        wrong = {number(max(values), 2), number(sum(values), 2)} - {right}
        if not wrong:
            return None
        listed = ", ".join(number(value, 2) for value in values)
        options = tuple(sorted({right, *wrong}))
        return QuizQuestion(f"Trees {scope}: its splits have {listed} nats. What is their log-sum?", options, right)

    def _step(self, title, caption, marks, lines, question, items):
        picture = self._picture(marks, [(title, ""), *lines])
        return Step(title, caption, picture, self._table(), question, {item: self.chart[item] for item in items})

    def _picture(self, marks, notes, values=None):
        marks = {item: mark for item, mark in marks.items() if item[1] < item[2]}
        return ChartPicture(self.words, values or self.values.now(), marks, (), tuple(notes), LEGEND)

    def _table(self):
        return chart_table(self.words, self.values, "log-sum (nats)")


def _percent(share):
    return "<1%" if 0 < share < 0.01 else f"{share:.0%}"
