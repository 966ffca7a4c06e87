"""A bracket at its four levels: which arcs of the best tree break each, what each costs, and which items it rules out.

The trees are the production ones (``core.trees.bracketed_eisner``), and so is the judgement of arcs
(``offending_arcs``). What a level rules out is read off Eisner's chart under the masks of arcs of
``core.trees.bracket_contraction``: a tree keeps a level if and only if it keeps to one of them.
"""

import re
from functools import cached_property

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, WordCluster, arc_heights
from core.draw.chart import COMPLETE_LEFT, COMPLETE_RIGHT, ChartPicture
from core.errors import InfeasibleError, WorkbenchError
from core.teach.eisner import NAMES, EisnerChart
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, number
from core.trees.bracket_charts import bracketed_eisner
from core.trees.bracket_contraction import bracket_masks, checked_spans
from core.trees.brackets import LEVELS, Bracket, PackedBrackets, offending_arcs
from core.trees.eisner import eisner
from core.trees.packed import PackedScores

LOOKED_AT = 8  # words of the longest bracket that is chosen for a sentence
HARDEST_FIRST = LEVELS[:0:-1]
MEANINGS = {
    "strict": "one arc leads into the bracket and none out of it",
    "loose": "one arc leads into the bracket, and arcs lead out of its target only",
    "sprawl": "one arc leads into the bracket, whatever leads out of it",
    "tear": "all arcs into the bracket come from the same side",
}
LEGEND = (("out", "× used by no tree that keeps it"), ("best", "in the best tree that keeps it"))
YES, NO = "Yes", "No"


def trace_brackets(example: Example) -> AlgorithmTrace:
    """The four levels of a bracket, the hardest first, on an Example; trees are projective and have one root word.

    The bracket stands in ``example.constraint`` as ``bracket_of`` reads it; without one it is ``liveliest_bracket``.

    Raises
    ------
    WorkbenchError : a bracket that cannot be read or does not lie in the sentence.
    InfeasibleError : every projective tree uses a forbidden arc.

    Notes
    -----
    O(n^4) for each level: a chart for each mask. Source: Spitkovsky, Jurafsky & Alshawi (2010), section 5.3.
    """
    walk = _BracketsWalk(example)
    steps, levels = tuple(walk.steps()), [walk.level(name) for name in HARDEST_FIRST]
    result = {"bracket": walk.bracket, "best": walk.best, "levels": dict(zip(HARDEST_FIRST, levels, strict=True))}
    return AlgorithmTrace("brackets", example.words, steps, result)


def bracket_of(text: str, n: int) -> Bracket:
    """The Bracket of ``2-4``, its first and last word counted from 1, in a sentence of n words.

    Raises WorkbenchError for what cannot be read, or ends after the sentence.
    """
    found = re.fullmatch(r"\s*(\d{1,4})\s*[-–]\s*(\d{1,4})\s*", text)
    first, last = (int(place) for place in found.groups()) if found else (0, 0)
    if not 1 <= first <= last <= n:
        raise WorkbenchError(
            f"{text.strip()!r} is no bracket over {n} words; write the numbers of its first and last word, such as "
            f"1-{min(2, n)}"
        )
    return Bracket(first, last + 1)


def liveliest_bracket(scores: np.ndarray) -> Bracket:
    """The bracket at which most levels differ in what they cost; of equals the shortest, then the leftmost.

    ``scores`` (n + 1, n + 1). Brackets of two to ``LOOKED_AT`` words, short of a sentence of three words or more.
    """
    n = len(scores) - 1
    spans = [
        Bracket(start, start + size) for size in range(2, min(n, LOOKED_AT + 1)) for start in range(1, n - size + 2)
    ]
    if not spans:
        return Bracket(1, n + 1)
    copies, words = PackedScores.from_matrices([scores] * len(spans)), np.arange(1, n + 1)
    packed, worths = PackedBrackets.from_lists([[span] for span in spans]), []
    for level in HARDEST_FIRST:
        trees = bracketed_eisner(copies, packed, level, errors="mark")
        found = [trees[k][1:] for k in range(len(spans))]
        worths.append([float(scores[heads, words].sum()) if heads.min() >= 0 else -np.inf for heads in found])
    costs = [len({round(worth, 6) for worth in of_span}) for of_span in zip(*worths, strict=True)]
    return spans[int(np.argmax(costs))]


def useful_items(scores: np.ndarray) -> dict[tuple[int, int, int], float]:
    """The items of two words or more that some tree with one root word uses, and the best value of each, in nats.

    Items are (kind, i, j) as ``core.draw.chart`` has them; -inf forbids an arc. O(n^3).
    """
    chart, n = EisnerChart(scores), len(scores) - 1
    roots = [r for r, value in chart.roots(scores[0]) if value > -np.inf]
    waiting = [half for r in roots for half in ((COMPLETE_LEFT, 1, r), (COMPLETE_RIGHT, r, n))]
    found = {}
    while waiting:
        item = waiting.pop()
        if item[1] == item[2] or item in found:
            continue
        found[item] = chart[item]
        for _, first, second, value in chart.splits(item):
            if value > -np.inf:
                waiting += [first, second]
    return found


def useful_under(scores: np.ndarray, bracket: Bracket, level: str) -> dict[tuple[int, int, int], float]:
    """``useful_items`` of the trees that keep a bracket at a level."""
    matrix, spans, at = checked_spans(scores, [bracket], level)
    found = {}
    for mask in bracket_masks(len(matrix) - 1, spans, at):
        for item, value in useful_items(np.where(mask, -np.inf, matrix)).items():
            found[item] = max(value, found.get(item, -np.inf))
    return found


class BracketLevel:
    """One level of a bracket over a sentence with arc scores.

    ``heads`` is the best tree that keeps it, None where there is none. ``offending`` are the arcs of the best tree of
    all that break it. ``cost`` is in nats, inf without a tree.
    """

    def __init__(self, scores: np.ndarray, bracket: Bracket, level: str, best: np.ndarray):
        self.scores, self.bracket, self.name = scores, bracket, level
        self.offending = offending_arcs(best, bracket, level)
        self.heads = self._best() if self.offending else best  # a best tree that keeps it anyway is the best
        self.cost = worth(scores, best) - worth(scores, self.heads) if self.heads is not None else np.inf

    def _best(self):
        try:
            return bracketed_eisner(self.scores, [self.bracket], self.name)
        except InfeasibleError:
            return None

    @cached_property
    def items(self) -> dict:
        """Items that some tree that keeps the level uses, with the best value of each."""
        return useful_under(self.scores, self.bracket, self.name)


def worth(scores: np.ndarray, heads: np.ndarray) -> float:
    """The sum of the scores of a tree's arcs, in nats."""
    return float(scores[heads[1:], np.arange(1, len(heads))].sum())


class _BracketsWalk:
    def __init__(self, example):
        self.words, self.scores, self.n = example.words, np.array(example.scores, dtype=np.float64), len(example)
        self.best = eisner(self.scores, True)
        self.given = bool(example.constraint.strip())
        self.bracket = bracket_of(example.constraint, self.n) if self.given else liveliest_bracket(self.scores)
        self.all_items = useful_items(self.scores)
        self._levels = {name: BracketLevel(self.scores, self.bracket, name, self.best) for name in HARDEST_FIRST}
        pictured = [self._arcs(each) for each in self._levels.values()]
        self.room = max(max(arc_heights(arcs)) for arcs in pictured)

    def level(self, name):
        return self._levels[name]

    def steps(self):
        yield self._start()
        for name, before in zip(HARDEST_FIRST, (None, *HARDEST_FIRST), strict=False):
            level = self.level(name)
            yield self._judge(level)
            yield self._chart(level)
            yield self._tree(level, before and self.level(before))
        yield self._end()

    def _start(self):
        first, last = self.bracket.start, self.bracket.end - 1
        why = "" if self.given else ", chosen since its levels cost most differently"
        caption = (
            f"The best projective tree is worth {number(worth(self.scores, self.best))} nats; the bracket holds "
            f"words {first} to {last}{why}, and the tree was found without it."
        )
        arcs = tuple(Arc(head, word, self._score(head, word), "predicted") for head, word in self._pairs(self.best))
        numbers = {"bracket": (first, last), "value": worth(self.scores, self.best)}
        return Step("The best tree", caption, self._picture(arcs), self._table(self.best), None, numbers)

    def _judge(self, level):
        broken = [arrow(self.words, *arc) for arc in level.offending]
        judged = f"the best tree breaks it by {', '.join(broken)}" if broken else "the best tree keeps it"
        caption = f"{level.name.capitalize()}: {MEANINGS[level.name]}; {judged}."
        arcs = tuple(
            Arc(head, word, self._score(head, word), "changed" if (head, word) in level.offending else "predicted")
            for head, word in self._pairs(self.best)
        )
        question = QuizQuestion(
            f"{level.name.capitalize()}: {MEANINGS[level.name]}. Does the best tree keep it?", (YES, NO),
            NO if broken else YES,
        )  # fmt: skip
        picture, table = self._picture(arcs, {word: "changed" for _, word in level.offending}), self._table(self.best)
        table["breaks it"] = ["yes" if pair in level.offending else "" for pair in self._pairs(self.best)]
        title = f"{level.name.capitalize()}: is it kept?"
        return Step(title, caption, picture, table, question, {"offending": level.offending})

    def _chart(self, level):
        out = [item for item in self.all_items if item not in level.items]
        values = {item: number(level.items[item]) if item in level.items else "×" for item in self.all_items}
        used = useful_items(self._only(level.heads)) if level.heads is not None else {}
        marks = dict.fromkeys(out, "out") | dict.fromkeys(used, "best")
        count = f"{len(self.all_items)} items of the chart"
        caption = (
            f"{len(out)} of {count} are in no tree that keeps {level.name}: a parser that keeps to it can skip them."
        )
        if not out:
            caption = (
                f"Each of {count} is in some tree that keeps {level.name}: what it forbids, if anything, is to join "
                "some of them."
            )
        arcs = () if level.heads is None else self._arcs(level)
        under = tuple(arc for arc in arcs if arc.kind != "former")
        first, last = self.bracket.start, self.bracket.end - 1
        notes = (
            (f"Bracket {first}–{last}, {level.name}", ""),
            (f"{len(out)} items are ruled out", "out" if out else ""),
        )
        items = sorted(self.all_items, key=lambda item: (item[2] - item[1], item[1], item[0]))
        table = {
            "span": [f"{i}–{j}: {' '.join(self.words[i : j + 1])}" for _, i, j in items],
            "item": [NAMES[kind] for kind, _, _ in items],
            "score (nats)": [level.items.get(item) for item in items],
            "ruled out": ["yes" if item in out else "" for item in items],
        }
        question = QuizQuestion(
            f"Does {level.name} rule out items of the chart?", (YES, NO), YES if out else NO
        )  # fmt: skip
        picture = ChartPicture(self.words, values, marks, under, notes, LEGEND, self.room)
        numbers = {"ruled out": sorted(out)}
        return Step(f"{level.name.capitalize()}: the chart", caption, picture, table, question, numbers)

    def _tree(self, level, before):
        title = f"{level.name.capitalize()}: the best tree that keeps it"
        question = self._cost_question(level, before)
        if level.heads is None:
            caption = f"Every projective tree that keeps {level.name} uses a forbidden arc."
            return Step(title, caption, self._picture(()), {}, question, {"cost": level.cost})
        value = number(worth(self.scores, level.heads))
        if not level.offending:
            caption = f"The best tree keeps {level.name} as it is, at {value} nats: the bracket costs nothing."
        elif _same(level.cost, 0.0):
            caption = f"Another tree is worth {value} nats, too, and keeps {level.name}: the bracket costs nothing."
        else:
            caption = (
                f"The best tree that keeps {level.name} is worth {value} nats: the bracket costs {number(level.cost)}."
            )
        numbers = {"cost": level.cost, "heads": level.heads}
        return Step(title, caption, self._picture(self._arcs(level)), self._table(level.heads), question, numbers)

    def _cost_question(self, level, before):
        """Whether a level costs something or, after a harder one, less than that."""
        if before is None:
            text, yes = f"Does {level.name} cost anything?", not _same(level.cost, 0.0)
        else:
            text = f"{level.name.capitalize()} is softer than {before.name}. Does it cost less?"
            yes = not _same(level.cost, before.cost)
        return QuizQuestion(text, (YES, NO), YES if yes else NO)

    def _end(self):
        costs = [f"{name} {number(level.cost) if level.heads is not None else 'has no tree'}"
                 for name, level in self._levels.items()]  # fmt: skip
        caption = (
            f"What the levels cost, in nats: {', '.join(costs)}; each allows all trees that the one before allows."
        )
        levels = list(self._levels.values())
        table = {
            "level": list(self._levels),
            "arcs that break it": [len(level.offending) for level in levels],
            "costs (nats)": [number(level.cost) if level.heads is not None else "no tree" for level in levels],
            "items ruled out": [sum(item not in level.items for item in self.all_items) for level in levels],
        }
        question = QuizQuestion("Can a softer level cost more than a harder one?", (YES, NO), NO)
        arcs = tuple(Arc(head, word, self._score(head, word), "predicted") for head, word in self._pairs(self.best))
        numbers = {"costs": {name: level.cost for name, level in self._levels.items()}}
        return Step("What each level costs", caption, self._picture(arcs), table, question, numbers)

    def _arcs(self, level):
        """The arcs of the best tree that keeps a level, those that are new in blue, and dotted those that had to go."""
        if level.heads is None:
            return (Arc(0, 1),)
        old, new = self._pairs(self.best), self._pairs(level.heads)
        stay = tuple(Arc(*arc, self._score(*arc), "predicted" if arc in old else "gold") for arc in new)
        return stay + tuple(Arc(*arc, self._score(*arc), "former") for arc in old if arc not in new)

    def _picture(self, arcs, marks=None):
        held = WordCluster("", tuple(range(self.bracket.start, self.bracket.end)), "supported", "the bracket")
        return ArcPicture(self.words, tuple(arcs), (held,), tuple((marks or {}).items()), levels=self.room)

    def _table(self, heads):
        pairs = self._pairs(heads)
        return {"arc": [arrow(self.words, *pair) for pair in pairs], "score (nats)": [self._score(*p) for p in pairs]}

    def _only(self, heads):
        """Scores that forbid all arcs but a tree's."""
        scores, words = np.full_like(self.scores, -np.inf), np.arange(1, self.n + 1)
        scores[heads[1:], words] = self.scores[heads[1:], words]
        return scores

    def _score(self, head, word):
        return number(float(self.scores[head, word]))

    def _pairs(self, heads):
        return [(int(heads[word]), word) for word in range(1, self.n + 1)]


def _same(a, b):
    return a == b or abs(a - b) < 1e-9
