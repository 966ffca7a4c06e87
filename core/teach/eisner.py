"""Eisner's algorithm span by span, read off the chart that the production kernel filled.

``core.trees.eisner.chart_range`` fills the chart; which split won is found in it as the decoder finds it on its way
down, the leftmost of the best. The steps go from short spans to long ones, as on a blackboard. The kernel fills the
same cells row by row, and the values are the same since a cell only needs shorter spans.
"""

from collections.abc import Sequence

import numpy as np

from core.draw.arc import Arc
from core.draw.chart import COMPLETE_LEFT, COMPLETE_RIGHT, INCOMPLETE_LEFT, INCOMPLETE_RIGHT, UNFOLDED, ChartPicture
from core.teach.growing import GrowingEntries, LaterTable
from core.teach.step import (
    AlgorithmTrace,
    Example,
    QuizQuestion,
    Step,
    arrow,
    equal_levels,
    number,
    numbered,
    quiz_question,
)  # fmt: skip
from core.trees.eisner import chart_range, eisner

NAMES = {
    INCOMPLETE_LEFT: "incomplete, last word heads",
    INCOMPLETE_RIGHT: "incomplete, first word heads",
    COMPLETE_LEFT: "complete, last word heads",
    COMPLETE_RIGHT: "complete, first word heads",
}


class EisnerChart:
    """The production chart of one sentence, words counted 1..n.

    Parameters
    ----------
    scores : ndarray of shape (n + 1, n + 1), dtype float64
    """

    def __init__(self, scores: np.ndarray):
        self.scores, side = scores, len(scores)
        flat = np.ascontiguousarray(scores, dtype=np.float64).reshape(-1)
        tables = np.zeros(3 * (side - 1) * (side + 3))
        chart_range(flat, np.array([0, flat.size]), 0, 1, tables, np.array([0, tables.size]))
        self._right, self._left, self._arc = tables.reshape(3, side - 1, side + 3)
        self._best: dict[tuple[int, int, int], tuple] = {}

    def __getitem__(self, item):
        """Score of the best partial tree of an item (kind, i, j), i <= j."""
        kind, i, j = item
        if kind == COMPLETE_RIGHT:
            return float(self._right[i - 1, j - 1])
        if kind == COMPLETE_LEFT:
            return float(self._left[i - 1, j - 1])
        return float(self._arc[j - 1, i - 1] if kind == INCOMPLETE_RIGHT else self._arc[i - 1, j - 1])

    def splits(self, item: tuple[int, int, int]) -> list[tuple]:
        """The ways to make an item: a list of (k, first part, second part, score), leftmost k first."""
        kind, i, j = item
        ways = []
        if kind in (INCOMPLETE_LEFT, INCOMPLETE_RIGHT):
            arc_score = float(self.scores[(j, i) if kind == INCOMPLETE_LEFT else (i, j)])
            for k in range(i, j):
                parts = (COMPLETE_RIGHT, i, k), (COMPLETE_LEFT, k + 1, j)
                ways.append((k, *parts, self[parts[0]] + self[parts[1]] + arc_score))
        elif kind == COMPLETE_RIGHT:
            for k in range(i + 1, j + 1):
                parts = (INCOMPLETE_RIGHT, i, k), (COMPLETE_RIGHT, k, j)
                ways.append((k, *parts, self[parts[0]] + self[parts[1]]))
        else:
            for k in range(i, j):
                parts = (COMPLETE_LEFT, i, k), (INCOMPLETE_LEFT, k, j)
                ways.append((k, *parts, self[parts[0]] + self[parts[1]]))
        return ways

    def best(self, item: tuple[int, int, int]) -> tuple:
        """The leftmost best of ``splits``, as the decoder takes it; the arc's own score, the same for all, left out."""
        if item not in self._best:
            ways = self.splits(item)
            if item[0] in (INCOMPLETE_LEFT, INCOMPLETE_RIGHT):
                sums = [self[first] + self[second] for _, first, second, _ in ways]
            else:
                sums = [score for *_, score in ways]
            self._best[item] = ways[sums.index(max(sums))]
        return self._best[item]

    def derivation(self, item: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        """The items of the best partial tree, the outermost first; one-word spans left out."""
        items, waiting = [], [item]
        while waiting:
            item = waiting.pop()
            if item[1] < item[2]:
                items.append(item)
                _, first, second, _ = self.best(item)
                waiting += [second, first]
        return items

    def arcs(self, item: tuple[int, int, int]) -> list[tuple[int, int]]:
        """(head, modifier) of the arcs of the best partial tree of an item."""
        pairs = []
        for kind, i, j in self.derivation(item):
            if kind == INCOMPLETE_RIGHT:
                pairs.append((i, j))
            elif kind == INCOMPLETE_LEFT:
                pairs.append((j, i))
        return pairs

    def roots(self, root_scores: np.ndarray) -> list[tuple[int, float]]:
        """(word, score of the best tree under it) for every word as the only one at the root."""
        n = len(self.scores) - 1
        return [
            (r, float(root_scores[r]) + self[COMPLETE_LEFT, 1, r] + self[COMPLETE_RIGHT, r, n]) for r in range(1, n + 1)
        ]


def trace_eisner(example: Example) -> AlgorithmTrace:
    """The steps of Eisner's algorithm on an Example; the tree has one root word.

    Raises
    ------
    InfeasibleError : every projective tree uses a forbidden arc.

    Notes
    -----
    3 steps a span: both incomplete items at once, since the same split serves them, then each complete one; one for the
    root; one for the way down. Source: Eisner (1996), C96-1058, section 3.
    """
    heads = eisner(example.scores, True)
    steps = tuple(_EisnerWalk(example, EisnerChart(example.scores), heads).steps())
    if len(example) <= UNFOLDED:  # a folded chart shows other words at each step
        steps = equal_levels(steps)
    return AlgorithmTrace("eisner", example.words, steps, {"heads": heads})


class _EisnerWalk:
    def __init__(self, example, chart, heads):
        self.words, self.scores, self.n = example.words, example.scores, len(example)
        self.chart, self.heads = chart, heads
        tree = [(int(heads[m]), m) for m in range(1, self.n + 1)]
        self.tree = tuple(Arc(h, m, number(self.scores[h, m]), "gold") for h, m in tree)
        self.values = GrowingEntries()

    def steps(self):
        caption = (
            f"Every word alone is a finished span worth 0 nats; {self.n * (self.n - 1) // 2} spans of two or more "
            f"words are to be filled, short ones first."
        )
        yield Step("Empty chart", caption, self._picture({}, (), [("Empty chart", "")]), self._table())
        for width in range(1, self.n):
            for i in range(1, self.n - width + 1):
                j = i + width
                yield self._incomplete(i, j)
                yield self._complete(COMPLETE_LEFT, i, j)
                yield self._complete(COMPLETE_RIGHT, i, j)
        yield self._root()
        yield self._tree()

    def _incomplete(self, i, j):
        """Both arcs between i and j: they share the split."""
        items = (INCOMPLETE_LEFT, i, j), (INCOMPLETE_RIGHT, i, j)
        k, first, second, _ = self.chart.best(items[1])
        inner = self.chart[first] + self.chart[second]
        for item in items:
            self.values.add(item, number(self.chart[item]))
        left, right = float(self.scores[j, i]), float(self.scores[i, j])
        caption = (
            f"The best split is after {numbered(self.words, k)}, {number(inner)} nats inside: "
            f"{arrow(self.words, i, j)} on top adds {number(right)} and makes {number(self.chart[items[1]])} nats, "
            f"{arrow(self.words, j, i)} adds {number(left)} and makes {number(self.chart[items[0]])} nats."
        )
        notes, ways, given = [(f"Arcs between {i} and {j}", "")], [], {}
        for at, a, b, _ in self.chart.splits(items[1]):
            whole, name = self.chart[a] + self.chart[b], numbered(self.words, at)
            given[name] = f"{number(self.chart[a])} + {number(self.chart[b])}"
            notes.append((f"split {at}|{at + 1}:  {given[name]} = {number(whole)}", "part" if at == k else ""))
            ways.append((name, whole))
        marks = {items[0]: "now", items[1]: "now", first: "part", second: "part"}
        arcs = self._arcs(first) + self._arcs(second)
        question = None
        if j - i > 1:
            question = quiz_question(
                f"Arcs between {numbered(self.words, i)} and {numbered(self.words, j)}: "
                "after which word is the best split?",
                ways, numbered(self.words, k), given=given,
            )  # fmt: skip
        elif left != right:
            better = arrow(self.words, *((j, i) if left > right else (i, j)))
            both = [(arrow(self.words, i, j), right), (arrow(self.words, j, i), left)]
            given = {name: number(score) for name, score in both}
            question = quiz_question("Which of the two arcs scores more?", both, better, given=given)
        ends = [Arc(i, j, number(right), "changed"), Arc(j, i, number(left), "changed")]
        picture = self._picture(marks, (*arcs, *[arc for arc in ends if self.scores[arc.head, arc.modifier] > -np.inf]),
                                notes)  # fmt: skip
        return Step(f"Arcs between {i} and {j}", caption, picture, self._table(), question, self._numbers(items))

    def _complete(self, kind, i, j):
        item = kind, i, j
        head = i if kind == COMPLETE_RIGHT else j
        k, first, second, _ = self.chart.best(item)
        self.values.add(item, number(self.chart[item]))
        furthest = "last" if kind == COMPLETE_RIGHT else "first"
        if self.chart[item] == -np.inf:
            caption = f"No tree of words {i} to {j} headed by {numbered(self.words, head)} is allowed: −∞ nats."
        else:
            most = f"the best of {j - i} options" if j - i > 1 else "the only option"
            caption = (
                f"{numbered(self.words, head)} now heads words {i} to {j}, with {numbered(self.words, k)} as its "
                f"{furthest} modifier: {number(self.chart[item])} nats, {most}."
            )
        notes, ways, given = [(f"{numbered(self.words, head)} heads {i} to {j}", "")], [], {}
        for at, a, b, value in self.chart.splits(item):
            name = numbered(self.words, at)
            given[name] = f"{number(self.chart[a])} + {number(self.chart[b])}"
            notes.append((f"{furthest} modifier {at}:  {given[name]} = {number(value)}", "part" if at == k else ""))
            ways.append((name, value))
        question = None
        if j - i > 1:
            question = quiz_question(
                f"{numbered(self.words, head)} heads all words from {i} to {j}: which is its "
                f"{furthest} modifier in the best tree?",
                ways, numbered(self.words, k), given=given,
            )  # fmt: skip
        marks = {item: "now"} | {part: "part" for part in (first, second)}
        picture = self._picture(marks, self._arcs(item), notes)
        return Step(f"Complete span {i} to {j}", caption, picture, self._table(), question, self._numbers([item]))

    def _root(self):
        ways = self.chart.roots(self.scores[0])
        r = int(np.flatnonzero(self.heads == 0)[0])
        value = ways[r - 1][1]
        notes, given = [("Which word is the root?", "")], {}
        for word, score in ways:
            parts = [self.scores[0, word], self.chart[COMPLETE_LEFT, 1, word], self.chart[COMPLETE_RIGHT, word, self.n]]
            name = numbered(self.words, word)
            given[name] = " + ".join(map(number, parts))
            notes.append((f"{name}:  {given[name]} = {number(score)}", "now" if word == r else ""))
        caption = (
            f"{numbered(self.words, r)} under the root, with the best spans before and after it, makes "
            f"{number(value)} nats, more than any other of the {self.n} words could."
        )
        halves = (COMPLETE_LEFT, 1, r), (COMPLETE_RIGHT, r, self.n)
        arcs = (*self._arcs(halves[0]), *self._arcs(halves[1]), Arc(0, r, number(self.scores[0, r]), "changed"))
        question = quiz_question(
            "Which word should attach to the root?",
            [(numbered(self.words, word), score) for word, score in ways],
            numbered(self.words, r),
            given=given,
        )
        return Step(
            "The root", caption, self._picture(dict.fromkeys(halves, "part"), arcs, notes), self._table(), question,
            {"root": r, "value": value},
        )  # fmt: skip

    def _tree(self):
        r = int(np.flatnonzero(self.heads == 0)[0])
        items = self.chart.derivation((COMPLETE_LEFT, 1, r)) + self.chart.derivation((COMPLETE_RIGHT, r, self.n))
        total = float(sum(self.scores[self.heads[m], m] for m in range(1, self.n + 1)))
        caption = (
            f"Going back down through the splits that won gives the best projective tree, {number(total)} nats; of "
            f"{2 * self.n * (self.n - 1)} items in the chart it uses {len(items)}."
        )
        terms = ", ".join(f"{arrow(self.words, arc.head, arc.modifier)} {arc.label}" for arc in self.tree)
        notes = [("The best tree", ""), (f"{number(total)} nats in {self.n} arcs", "best")]
        picture = self._picture(dict.fromkeys(items, "best"), self.tree, notes)
        question = QuizQuestion(
            f"How many arcs does the best tree of {self.n} words have, the root's counted?",
            (str(self.n - 1), str(self.n), str(self.n + 1)),
            str(self.n),
        )
        table = {"arc": [arrow(self.words, arc.head, arc.modifier) for arc in self.tree],
                 "score (nats)": [number(self.scores[arc.head, arc.modifier]) for arc in self.tree]}  # fmt: skip
        return Step("The best tree", f"{caption}", picture, table, question, {"value": total, "arcs": terms})

    def _arcs(self, item):
        return tuple(Arc(h, m, "", "predicted") for h, m in self.chart.arcs(item) if self.scores[h, m] > -np.inf)

    def _picture(self, marks, arcs, notes):
        marks = {item: mark for item, mark in marks.items() if item[1] < item[2]}
        return ChartPicture(self.words, self.values.now(), marks, tuple(arcs), tuple(notes))

    def _table(self):
        return chart_table(self.words, self.values, "score (nats)")

    def _numbers(self, items):
        return {item: self.chart[item] for item in items}


def chart_table(words: Sequence[str], values: GrowingEntries, measure: str) -> LaterTable:
    """The items of a chart so far as a table, whose last column is called ``measure``."""
    now = values.now()
    return LaterTable(
        lambda: {
            "span": [f"{i}–{j}: {' '.join(words[i : j + 1])}" for _, i, j in now],
            "item": [NAMES[kind] for kind, _, _ in now],
            measure: list(now.values()),
        }
    )
