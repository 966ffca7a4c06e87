"""Chu-Liu-Edmonds contraction event by event, read off the record that the production kernel wrote.

``core.trees.maximum_spanning_tree.record_spanning_tree`` says which component took which arc, which cycle was
contracted, and, where one word only may attach to the root, which component gave the root up. A component's worth of
an arc is the arc's score less what the arcs of the cycles that it would break give.
"""

from functools import cached_property

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, WordCluster
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
from core.trees.maximum_spanning_tree import CONTRACTED, LEAVES_ROOT, TAKES_ROOT, record_spanning_tree

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(number: int) -> str:
    """What the component ``number``, from 0, is called: A to Z, then AA, AB, ..."""
    before, last = divmod(number, len(LETTERS))
    return (letters(before - 1) if before else "") + LETTERS[last]


CLOSES, GOES_ON, ENDS = "It closes a cycle", "The path goes on", "It meets a path that ends at the root"


def trace_spanning_tree(example: Example) -> AlgorithmTrace:
    """The steps of Chu-Liu-Edmonds on an Example.

    Raises
    ------
    InfeasibleError : every tree uses a forbidden arc.

    Notes
    -----
    One step for each event of the kernel, then one for each contracted cycle that is opened again, the outermost
    first. Source: Chu & Liu (1965), Edmonds (1967); Tarjan (1977) for following one path at a time.
    """
    walk = _SpanningTreeWalk(example)
    return AlgorithmTrace(
        "spanning-tree", example.words, equal_levels(list(walk.steps())), {"heads": walk.record.heads}
    )


class Contraction:
    """A SpanningTreeRecord with the questions that a lesson asks of it."""

    def __init__(self, scores: np.ndarray, single_root: bool):
        self.record, self.scores = record_spanning_tree(scores, single_root), scores
        self.n = len(scores) - 1

    @cached_property
    def words(self) -> list:
        """Component -> its words, ascending; entry 0 is empty."""
        members = [[] for _ in self.record.parent]
        for word in range(1, self.n + 1):
            node = word
            while node:
                members[node].append(word)
                node = self.record.parent[node]
        return [tuple(words) for words in members]

    def members(self, component: int) -> list[int]:
        """The components that a cycle was made of."""
        return [int(child) for child in np.flatnonzero(self.record.parent == component)]

    def given(self, word: int, component: int) -> float:
        """Nats that the cycles inside a component give to the word's arc, and that any other arc into it must give
        up."""
        total, node = 0.0, word
        while node != component:
            total += float(self.record.best[node])
            node = int(self.record.parent[node])
        return total

    def worth(self, head: int, component: int) -> tuple[int, float]:
        """(word, worth) of the best arc from a head, 0 the root, into a component; the word that was entered, of ties.

        -inf where none is allowed.
        """
        ways = [(float(self.scores[head, m]) - self.given(m, component), m) for m in self.words[component]]
        value = max(ways)[0]
        best = [m for worth, m in ways if worth >= value - 1e-9 * (1 + abs(value))]
        entered = self.entered(component)
        return (entered if entered in best and self.record.heads[entered] == head else min(best)), value

    def entered(self, component: int) -> int:
        """The word of a component whose head in the final tree is outside it."""
        inside = set(self.words[component])
        return next(m for m in self.words[component] if int(self.record.heads[m]) not in inside)

    def choice(self, component: int, from_root: bool) -> tuple[int, int, float]:
        """(head, word, worth) of the arc that a component takes."""
        head = 0 if from_root else int(self.record.head[component])
        word, _ = self.worth(head, component)
        return head, word, float(self.record.root[component] if from_root else self.record.best[component])


class _SpanningTreeWalk:
    def __init__(self, example):
        self.tokens, self.example = example.words, example
        self.contraction = Contraction(example.scores, example.single_root)
        self.record, self.scores, self.n = self.contraction.record, self.contraction.scores, len(example)
        self.made = []  # contracted components so far, in order
        self.chosen = {}  # component -> (head, word, worth) now
        self.room = int((self.record.events[:, 0] == CONTRACTED).sum())

    def steps(self):
        yield self._start()
        for kind, component in self.record.events.tolist():
            if kind == CONTRACTED:
                yield self._contract(component)
            elif kind == LEAVES_ROOT:
                yield self._leave(component)
            else:
                yield self._take(component, kind == TAKES_ROOT)
        for component in reversed(self.made):
            yield self._open(component)
        yield self._end()

    def _start(self):
        roots = "exactly one word" if self.example.single_root else "any number of words"
        caption = (
            f"No word has a head yet; each will take its best one, and {roots} may attach to the root. "
            "The tree with the highest sum of arc scores, in nats, is wanted, crossing arcs or not."
        )
        table = {"head \\ word": [numbered(self.tokens, h) for h in range(self.n + 1)]}
        for m in range(1, self.n + 1):
            table[numbered(self.tokens, m)] = ["" if h == m else number(self.scores[h, m]) for h in range(self.n + 1)]
        return Step("No arcs yet", caption, self._picture(), table)

    def _take(self, component, from_root):
        head, word, worth = self.contraction.choice(component, from_root)
        self.chosen[component] = head, word, worth
        who, arc = self._name(component), arrow(self.tokens, head, word)
        if component <= self.n:
            caption = f"{who} takes its best arc, {arc}, {number(worth)} nats."
        else:
            score, lost = float(self.scores[head, word]), self.contraction.given(word, component)
            caption = (
                f"The best arc into {who} is {arc}: its score {number(score)} minus {number(lost)}, that of the arcs "
                f"it replaces, is {number(worth)} nats."
            )
        if from_root:
            caption = caption[:-1] + ", and its path ends at the root."
        options = self._ways_in(component)
        if not from_root and options[0][0] == 0 and options[0][2] > worth:
            options = [way for way in options if way[0]]  # the root costs more by now than this component can pay
            caption = caption[:-1] + "; by now others would lose more than it does by giving the root up."
        ways = sorted((arrow(self.tokens, h, m), value) for h, m, value in options)
        given = {arrow(self.tokens, h, m): self._worth_text(h, m, component) for h, m, _ in options}
        question = quiz_question(f"Which arc into {who} is worth most?", ways, arc, given=given)
        table = {
            "arc": [arrow(self.tokens, h, m) for h, m, _ in options],
            "worth (nats)": [number(value) for _, _, value in options],
        }
        numbers = {"component": component, "head": head, "word": word, "worth": worth}
        first = who if component <= self.n else f"Component {self._letter(component)}"
        title = f"{first} takes {numbered(self.tokens, head)}"
        return Step(title, caption, self._picture(component), table, question, numbers)

    def _contract(self, component):
        members = self.contraction.members(component)
        self.made.append(component)
        for member in members:  # those that had left the root take their best other arc now
            self.chosen[member] = self.contraction.choice(member, False)
        arcs = [arrow(self.tokens, *self.chosen[member][:2]) for member in members]
        listed = arcs[0] if len(arcs) == 1 else f"{', '.join(arcs[:-1])} and {arcs[-1]}"
        total = sum(self.chosen[member][2] for member in members)
        caption = (
            f"{listed} make a cycle worth {number(total)} nats; it is contracted into one component, "
            f"{self._letter(component)}, and every arc into it gives up the arc it replaces."
        )
        ways = self._ways_in(component)
        question = QuizQuestion("The last arc was taken. What now?", (CLOSES, GOES_ON, ENDS), CLOSES)
        table = {
            "arc": [arrow(self.tokens, h, m) for h, m, _ in ways],
            "score (nats)": [number(self.scores[h, m]) for h, m, _ in ways],
            "gives up (nats)": [number(self.contraction.given(m, component)) for _, m, _ in ways],
            "worth (nats)": [number(value) for _, _, value in ways],
        }
        numbers = {"component": component, "members": members, "best": float(self.record.best[component])}
        picture = self._picture(cycle=members)
        return Step(f"Cycle {self._letter(component)} contracted", caption, picture, table, question, numbers)

    def _leave(self, component):
        hanging = [c for c, (head, _, _) in self.chosen.items() if head == 0 and self._is_top(c)]
        losses = {c: float(self.record.root[c] - self.record.best[c]) for c in hanging}
        self.chosen[component] = self.contraction.choice(component, False)
        head, word, _ = self.chosen[component]
        who = self._name(component)
        caption = (
            f"{len(hanging)} components attach to the root and only one may: {who} loses least by giving it up, "
            f"{number(losses[component])} nats, and takes {arrow(self.tokens, head, word)} instead."
        )
        names = [self._name(c) for c in hanging]
        ways = [(self._name(c), -losses[c]) for c in hanging]
        at_root, elsewhere = (list(map(float, values)) for values in (self.record.root, self.record.best))
        given = {self._name(c): f"{number(at_root[c])} at the root, {number(elsewhere[c])} elsewhere" for c in hanging}
        text = "Only one word may attach to the root. Who loses least by giving it up?"
        question = quiz_question(text, ways, who, given=given)
        table = {"component": names, "loses (nats)": [number(losses[c]) for c in hanging]}
        numbers = {"component": component, "loss": losses[component]}
        return Step(f"{who} leaves the root", caption, self._picture(component), table, question, numbers)

    def _open(self, component):
        """A contracted cycle is opened: the arc into it replaces one of its own."""
        word = self.contraction.entered(component)
        head = int(self.record.heads[word])
        member = next(c for c in self.contraction.members(component) if word in self.contraction.words[c])
        old = self.chosen[member]
        self.chosen[member] = head, word, old[2]
        self.chosen.pop(component, None)
        self.made.remove(component)
        caption = (
            f"{self._letter(component)} is opened: {arrow(self.tokens, head, word)} enters it, so "
            f"{arrow(self.tokens, *old[:2])} goes and the other arcs of the cycle stay."
        )
        members = self.contraction.members(component)
        arcs = [arrow(self.tokens, *(old if c == member else self.chosen[c])[:2]) for c in members]
        question = QuizQuestion(
            f"{arrow(self.tokens, head, word)} enters {self._letter(component)}. Which arc of the cycle goes?",
            tuple(arcs),
            arrow(self.tokens, *old[:2]),
        )
        table = {"arc of the cycle": arcs, "": ["goes" if c == member else "stays" for c in members]}
        numbers = {"component": component, "head": head, "word": word}
        return Step(f"Cycle {self._letter(component)} opened", caption, self._picture(member), table, question, numbers)

    def _end(self):
        heads = self.record.heads
        total = float(sum(self.scores[heads[m], m] for m in range(1, self.n + 1)))
        caption = f"No cycle is left: the best tree of all, crossing arcs or not, scores {number(total)} nats."
        arcs = tuple(Arc(int(heads[m]), m, number(self.scores[heads[m], m]), "gold") for m in range(1, self.n + 1))
        picture = ArcPicture(self.tokens, arcs, group_room=self.room)
        table = {
            "arc": [arrow(self.tokens, arc.head, arc.modifier) for arc in arcs],
            "score (nats)": [arc.label for arc in arcs],
        }
        greedy = sum(float(np.delete(self.scores[:, m], m).max()) for m in range(1, self.n + 1))
        options = ("Yes", "No")
        question = QuizQuestion(
            "Is the tree worth as much as every word's own best arc together?", options,
            options[int(total < greedy - 1e-9 * (1 + abs(greedy)))],
        )  # fmt: skip
        return Step("The best tree", caption, picture, table, question, {"value": total})

    def _worth_text(self, head, word, component):
        """What an arc into a component is worth: its score, less what it breaks."""
        score = number(float(self.scores[head, word]))
        return score if component <= self.n else f"{score} less {number(self.contraction.given(word, component))}"

    def _ways_in(self, component):
        """(head, word, worth) of the best arc from each head outside a component, best first."""
        inside = set(self.contraction.words[component])
        ways = [(h, *self.contraction.worth(h, component)) for h in range(self.n + 1) if h not in inside]
        return sorted([way for way in ways if way[2] > -np.inf], key=lambda way: (-way[2], way[0]))

    def _picture(self, now=None, cycle=()):
        arcs = []
        for component, (head, word, worth) in self.chosen.items():
            top = self._is_top(component)
            kind = "changed" if component == now or component in cycle else "predicted" if top else "plain"
            score = float(self.scores[head, word])
            label = number(score) if abs(worth - score) < 1e-9 else f"{number(score)} (worth {number(worth)})"
            arcs.append(Arc(head, word, label, kind))
        newest = self.made[-1] if cycle else None
        groups = tuple(
            WordCluster(self._letter(c), self.contraction.words[c], "changed" if c == newest else "quiet")
            for c in self.made
        )
        marks = () if now is None else tuple((m, "changed") for m in self.contraction.words[now])
        return ArcPicture(self.tokens, tuple(arcs), groups, marks, group_room=self.room)

    def _is_top(self, component):
        parent = int(self.record.parent[component])
        return parent not in self.made

    def _name(self, component):
        return numbered(self.tokens, component) if component <= self.n else f"component {self._letter(component)}"

    def _letter(self, component):
        return letters(component - self.n - 1)
