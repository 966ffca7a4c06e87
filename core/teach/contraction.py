"""Chu-Liu-Edmonds as textbooks step it: all words take their best arcs at once, a cycle becomes one node, and so on.

The production kernel follows one path at a time instead (``core.teach.spanning_tree``); both end in a tree of the same
value. Here every round is written out. With one word at the root, each word is tried as the only one if the first run
attaches several, and the best of these runs is shown.
"""

from dataclasses import dataclass

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, WordCluster
from core.errors import InfeasibleError
from core.teach.spanning_tree import letters
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
)
from core.trees.feasibility import require_tree, tree_exists

CYCLE, TREE = "They close a cycle", "They are a tree"


@dataclass(frozen=True, slots=True)
class WaysIn:
    """What an arc between two nodes stands for: its ``worth`` in nats, and the words that it joins."""

    worth: float
    head: int
    word: int


@dataclass(frozen=True, slots=True)
class ContractionRound:
    """One round: the nodes, their arcs, the best arc into each, and the cycle of these, if any.

    Nodes are the root 0, words 1..n, then contracted cycles from n + 1. ``arcs`` and ``best`` are dicts of (node, node)
    and node to WaysIn; ``into`` has the node that each best arc comes from. ``cycle`` is a tuple of nodes, empty at the
    end; ``new`` is the node that it becomes.
    """

    arcs: dict
    best: dict
    into: dict
    cycle: tuple[int, ...]
    new: int


def contraction_rounds(scores: np.ndarray) -> list[ContractionRound]:
    """The rounds until no cycle is left; any number of words may attach to the root.

    Raises InfeasibleError where a node has no arc into it. O(n^2) a round.
    """
    n = len(scores) - 1
    arcs = {
        (head, word): WaysIn(float(scores[head, word]), head, word)
        for word in range(1, n + 1) for head in range(n + 1)
        if head != word and scores[head, word] > -np.inf
    }  # fmt: skip
    nodes, rounds = list(range(1, n + 1)), []
    while True:
        best, into = {}, {}
        for node in nodes:
            ways = [(way.worth, -tail, tail) for (tail, tip), way in arcs.items() if tip == node]
            if not ways:
                raise InfeasibleError("every tree uses a forbidden arc; allow more arcs")
            into[node] = max(ways)[2]
            best[node] = arcs[into[node], node]
        cycle, new = _cycle(into), n + 1 + len(rounds)
        rounds.append(ContractionRound(arcs, best, into, cycle, new))
        if not cycle:
            return rounds
        arcs = _contracted(arcs, best, cycle, new)
        nodes = [node for node in nodes if node not in cycle] + [new]


def _cycle(into):
    """The first cycle of the nodes' best arcs, in order of nodes; () without one."""
    for start in into:
        path, node = [], start
        while node and node not in path:
            path.append(node)
            node = into[node]
        if node:
            return tuple(sorted(path[path.index(node) :]))
    return ()


def _contracted(arcs, best, cycle, new):
    """The arcs once a cycle is one node: into it an arc gives up the cycle's own arc into its word."""
    found = {}
    for (tail, tip), way in arcs.items():
        if tail in cycle and tip in cycle:
            continue
        if tip in cycle:
            way = WaysIn(way.worth - best[tip].worth, way.head, way.word)
        key = (new if tail in cycle else tail, new if tip in cycle else tip)
        if key not in found or way.worth > found[key].worth:
            found[key] = way
    return found


def expanded(rounds: list[ContractionRound]) -> list[dict[int, WaysIn]]:
    """The best arcs after each expansion, the last round's first: dicts of node to WaysIn, the last of words alone."""
    chosen, found = dict(rounds[-1].best), []
    found.append(dict(chosen))
    for each in reversed(rounds[:-1]):
        broken, entering = _entered(each, chosen.pop(each.new))
        chosen |= {node: entering if node == broken else each.best[node] for node in each.cycle}
        found.append(dict(chosen))
    return found


def _entered(each, entering):
    """(node of a cycle that an arc from outside enters, whose own arc goes; the WaysIn of that arc in this round)."""
    return next(
        (tip, way) for (_, tip), way in each.arcs.items()
        if tip in each.cycle and (way.head, way.word) == (entering.head, entering.word)
    )  # fmt: skip


def heads_of(chosen: dict[int, WaysIn], n: int) -> np.ndarray:
    """int32 (n + 1,), -1 for the root: the heads of arcs that are words' own."""
    heads = np.full(n + 1, -1, np.int32)
    for way in chosen.values():
        heads[way.word] = way.head
    return heads


def only_root(scores: np.ndarray, root: int) -> np.ndarray:
    """Scores that let one word alone attach to the root."""
    allowed = np.array(scores, dtype=np.float64)
    allowed[0, np.arange(len(scores)) != root] = -np.inf
    return allowed


def trace_contraction(example: Example) -> AlgorithmTrace:
    """The rounds of Chu-Liu-Edmonds on an Example, and the expansions.

    Raises
    ------
    InfeasibleError : every tree uses a forbidden arc.

    Notes
    -----
    O(n^3), and n times that where one root word is asked for and the first run attaches several. Source: Chu & Liu
    (1965), Edmonds (1967); McDonald, Pereira, Ribarov & Hajič (2005), figure 3.
    """
    require_tree(example.scores, example.single_root)
    walk = _ContractionWalk(example)
    steps = equal_levels(list(walk.steps()))
    return AlgorithmTrace("contraction", example.words, steps, {"heads": walk.heads})


class _ContractionWalk:
    def __init__(self, example):
        self.words, self.n, self.single = example.words, len(example), example.single_root
        self.scores = np.array(example.scores, dtype=np.float64)
        self.rounds = contraction_rounds(self.scores)
        self.heads = self._final(self.rounds)
        self.tried = {}  # word -> value of the best tree with it alone at the root, -inf without one
        self.several = int((self.heads == 0).sum())
        if self.single and self.several > 1:
            self._try_each()
        self.members: dict[int, tuple[int, ...]] = {node: (node,) for node in range(1, self.n + 1)}
        for each in self.rounds[:-1]:
            self.members[each.new] = tuple(sorted(word for node in each.cycle for word in self.members[node]))

    def _final(self, rounds):
        return heads_of(expanded(rounds)[-1], self.n)

    def _worth(self, heads):
        return float(self.scores[heads[1:], np.arange(1, self.n + 1)].sum())

    def _try_each(self):
        runs = {}
        for word in range(1, self.n + 1):
            allowed = only_root(self.scores, word)
            if tree_exists(allowed, True):
                runs[word] = contraction_rounds(allowed)
            self.tried[word] = self._worth(self._final(runs[word])) if word in runs else -np.inf
        self.rounds = runs[max(runs, key=lambda word: self.tried[word])]
        self.heads = self._final(self.rounds)

    def steps(self):
        yield self._start()
        open_now = []
        for each in self.rounds:
            yield self._choose(each, open_now)
            if each.cycle:
                open_now = [*open_now, each.new]
                yield self._contract(each, open_now)
        chosen = dict(self.rounds[-1].best)
        for each, after in zip(reversed(self.rounds[:-1]), expanded(self.rounds)[1:], strict=True):
            yield self._open(each, chosen[each.new], after, open_now)
            open_now, chosen = open_now[:-1], after
        yield self._end()

    def _start(self):
        caption = "All words will take their best arcs at once; a cycle of them is made one node, and all choose again."
        table = {"head \\ word": [numbered(self.words, h) for h in range(self.n + 1)]}
        for m in range(1, self.n + 1):
            scored = ["" if h == m else number(float(self.scores[h, m])) for h in range(self.n + 1)]
            table[numbered(self.words, m)] = scored
        if self.tried:
            root = int(np.flatnonzero(self.heads == 0)[0])
            caption = (
                f"Unrestricted, the best tree has {self.several} root words and one is wanted, so each word is tried "
                f"as the only one: {numbered(self.words, root)} gives the best tree, and its run is shown."
            )
            table = {
                "only root word": [numbered(self.words, word) for word in self.tried],
                "best tree (nats)": [number(value) for value in self.tried.values()],
            }
        return Step("No arcs yet", caption, self._picture({}, []), table, None, {"tried": dict(self.tried)})

    def _choose(self, each, open_now):
        listed = [self._arrow(way) for way in each.best.values()]
        total = sum(way.worth for way in each.best.values())
        what = f"{self._named(each.cycle)} close a cycle" if each.cycle else "no cycle is among them"
        who = "All nodes take" if open_now else "All words take"
        caption = f"{who} their best arcs, {number(total)} nats in all; {what}."
        question = QuizQuestion(
            f"{who} their best arcs at once. What do they make?", (CYCLE, TREE), CYCLE if each.cycle else TREE
        )
        table = {
            "node": [self._name(node) for node in each.best],
            "best arc": listed,
            "worth (nats)": [number(way.worth) for way in each.best.values()],
        }
        title = f"Round {len(open_now) + 1}: the best arcs"
        picture = self._picture(each.best, open_now, each.cycle)
        return Step(title, caption, picture, table, question, {"cycle": each.cycle, "best": total})

    def _contract(self, each, open_now):
        after = self.rounds[len(open_now)]
        letter = self._letter(each.new)
        total = sum(each.best[node].worth for node in each.cycle)
        caption = (
            f"The cycle, worth {number(total)} nats, becomes node {letter}: each arc into it gives up the arc that it "
            "replaces, an arc out of it keeps its score, and the best of each kind stays."
        )
        rows = [(pair, way) for pair, way in after.arcs.items() if each.new in pair]
        rows.sort(key=lambda row: (row[0][1] != each.new, -row[1].worth))
        table = {
            "from": [self._name(tail) for (tail, _), _ in rows],
            "to": [self._name(tip) for (_, tip), _ in rows],
            "arc": [self._arrow(way) for _, way in rows],
            "score (nats)": [number(float(self.scores[way.head, way.word])) for _, way in rows],
            "worth (nats)": [number(way.worth) for _, way in rows],
        }
        into = {self._arrow(way): way.worth for pair, way in rows if pair[1] == each.new}
        given = {}
        for (_, tip), way in rows:
            score = float(self.scores[way.head, way.word])
            if tip == each.new:
                given[self._arrow(way)] = f"{number(score)} less {number(score - way.worth)}"
        text, best = f"Which arc into {letter} is worth most?", max(into, key=lambda name: into[name])
        question = quiz_question(text, sorted(into.items()), best, given=given)
        picture = self._picture(each.best, open_now, each.cycle)
        return Step(f"Node {letter}", caption, picture, table, question, {"new": each.new, "into": into})

    def _open(self, each, entering, after, open_now):
        broken, _ = _entered(each, entering)
        old, letter = each.best[broken], self._letter(each.new)
        caption = (
            f"{letter} is opened: {self._arrow(entering)} enters it, so {self._arrow(old)} goes and the other arcs of "
            "the cycle stay."
        )
        arcs = [self._arrow(each.best[node]) for node in each.cycle]
        question = QuizQuestion(
            f"{self._arrow(entering)} enters {letter}. Which arc of the cycle goes?", tuple(arcs), self._arrow(old)
        )
        table = {"arc of the cycle": arcs, "": ["goes" if node == broken else "stays" for node in each.cycle]}
        picture = self._picture(after, open_now[:-1], (broken,))
        numbers = {"goes": (old.head, old.word), "enters": (entering.head, entering.word)}
        return Step(f"Node {letter} opened", caption, picture, table, question, numbers)

    def _end(self):
        total = self._worth(self.heads)
        caption = f"The best tree of all, crossing arcs or not, scores {number(total)} nats."
        pairs = [(int(self.heads[word]), word) for word in range(1, self.n + 1)]
        arcs = tuple(Arc(*pair, number(float(self.scores[pair])), "gold") for pair in pairs)
        rounds, options = len(self.rounds), ("None", "One", "Two or more")
        question = QuizQuestion("How many cycles were contracted?", options, options[min(rounds - 1, 2)])
        table = {"arc": [arrow(self.words, *pair) for pair in pairs], "score (nats)": [arc.label for arc in arcs]}
        picture = ArcPicture(self.words, arcs, group_room=rounds - 1)
        return Step("The best tree", caption, picture, table, question, {"value": total})

    def _picture(self, chosen, open_now, marked=()):
        """The arcs that nodes have taken, and the nodes that are contracted now; arcs within these stay, in grey."""
        arcs = []
        for node, way in chosen.items():
            arcs.append(self._drawn(way, "changed" if node in marked else "predicted"))
        for each in self.rounds[:-1]:
            if each.new in open_now:
                inside = (node for node in each.cycle if node not in chosen)
                arcs += [self._drawn(each.best[node], "plain") for node in inside]
        newest = next((each.new for each in self.rounds if each.cycle and each.cycle == marked), None)
        groups = tuple(
            WordCluster(self._letter(new), self.members[new], "changed" if new == newest else "quiet")
            for new in open_now
        )
        return ArcPicture(self.words, tuple(arcs), groups, group_room=len(self.rounds) - 1)

    def _drawn(self, way, kind):
        score = float(self.scores[way.head, way.word])
        label = number(score) if abs(way.worth - score) < 1e-9 else f"{number(score)} (worth {number(way.worth)})"
        return Arc(way.head, way.word, label, kind)

    def _named(self, nodes):
        names = [self._name(node) for node in nodes]
        return f"{', '.join(names[:-1])} and {names[-1]}"

    def _name(self, node):
        return numbered(self.words, node) if node <= self.n else self._letter(node)

    def _letter(self, node):
        return letters(node - self.n - 1)

    def _arrow(self, way):
        return arrow(self.words, way.head, way.word)
