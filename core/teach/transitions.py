"""Transition-based parsing move by move: what each move does, what it costs, and the tree that comes of it.

The tree that is wanted is the best one by the example's scores. A trace follows the moves that were chosen, then moves
that cost nothing more, or those of a greedy parser. ``core.parsers.transitions`` has systems, oracles and that parser.
"""

from dataclasses import replace
from functools import partial
from math import comb, prod
from types import MappingProxyType

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.matrix import MatrixPicture, Panels
from core.draw.parser_state import ParserStatePicture
from core.errors import WorkbenchError
from core.parsers.transitions.greedy import best_move, word_codes
from core.parsers.transitions.oracles import Oracle
from core.parsers.transitions.systems import (
    EAGER,
    LEFT,
    REDUCE,
    RIGHT,
    SHIFT,
    STANDARD,
    SWAP,
    SYSTEMS,
    Configuration,
    TransitionSystem,
    start_configuration,
)
from core.teach.greedy import GREEDY, TaughtGreedy, fold_of, taught_greedy
from core.teach.step import (
    AlgorithmTrace,
    Example,
    Move,
    QuizQuestion,
    Step,
    arrow,
    first_few,
    listed,
    number,
    numbered,
)
from core.trees import eisner, maximum_spanning_tree

LETTERS = MappingProxyType({SHIFT: "S", LEFT: "L", RIGHT: "R", REDUCE: "D", SWAP: "W"})
HIGH = 310.0  # of the arcs under stack and buffer
NAMES = MappingProxyType({letter: name for name, letter in LETTERS.items()})


def trace_transitions(system: TransitionSystem, example: Example) -> AlgorithmTrace:
    """The moves of a TransitionSystem on an Example: those of ``example.moves``, then those that cost least.

    Where ``example.constraint`` is ``GREEDY`` a greedy parser takes the latter: ``example.greedy``, or one that learns
    from ``example.text`` or the sample now.

    Raises
    ------
    WorkbenchError : a chosen move that does not exist or cannot be taken; for a greedy parser, a word without a tag or
        nothing to learn from.
    InfeasibleError : every tree uses a forbidden arc.

    Notes
    -----
    Source: the system's; costs by ``core.parsers.transitions.oracles``.
    """
    walk = _TransitionWalk(system, example)
    steps, result = tuple(walk.steps()), {"heads": walk.configuration.heads}
    return AlgorithmTrace(system.key, example.words, steps, result, path="".join(walk.path))


TRACES = MappingProxyType({key: partial(trace_transitions, system) for key, system in SYSTEMS.items()})


def wanted_tree(system: TransitionSystem, example: Example) -> list[int]:
    """The heads, from 0, of the best tree by an Example's scores that a system can build; -1 at the root."""
    decode = eisner if system.projective else maximum_spanning_tree
    return decode(example.scores, example.single_root).tolist()


def moves_of(text: str) -> list[str]:
    """The names of moves that are given by their letters. Raises WorkbenchError."""
    for place, letter in enumerate(text, start=1):
        if letter not in NAMES:
            raise WorkbenchError(f"move {place} is {letter!r}; moves are the letters {', '.join(NAMES)}")
    return [NAMES[letter] for letter in text]


def derivation_count(oracle: Oracle) -> int | None:
    """How many derivations build the wanted tree; None where they are too many to search."""
    heads, system = oracle.heads, oracle.system
    if system is STANDARD:  # left and right dependents of each word come in any order between each other
        sides = [([m for m in range(h) if heads[m] == h], [m for m in range(h + 1, len(heads)) if heads[m] == h])
                 for h in range(1, len(heads))]  # fmt: skip
        return prod(comb(len(left) + len(right), len(left)) for left, right in sides)
    if not oracle.is_dynamic:
        return None
    known: dict[Configuration, int] = {}

    def count(configuration):
        if system.is_final(configuration):
            return 1
        if configuration not in known:
            free = [name for name, cost in oracle.costs(configuration).items() if not cost]
            known[configuration] = sum(count(system.named(name).apply(configuration)) for name in free)
        return known[configuration]

    return count(start_configuration(len(heads) - 1))


class _TransitionWalk:
    def __init__(self, system, example):
        self.system, self.words, self.given = system, example.words, moves_of(example.moves)
        self.oracle = Oracle(system, wanted_tree(system, example))
        self.configuration, self.path = start_configuration(len(example)), []
        self.levels = max(arc_heights([Arc(head, m) for m, head in enumerate(self.oracle.heads) if m]))
        self.greedy = _greedy_for(system, example)
        self.codes = word_codes(example.words, example.tags)

    def steps(self):
        yield self._step("The beginning", self._beginning())
        while not self.system.is_final(self.configuration):
            before, costs = self.configuration, self.oracle.costs(self.configuration)
            scores = self._scores()
            name = self._chosen(len(self.path)) or (best_move(scores) if scores else self.oracle.best(costs))
            question = self._greedy_question(scores) if scores else self._question(costs)
            self.path.append(LETTERS[name])
            self.configuration = self.system.named(name).apply(before)
            caption = f"{self._deed(before, name)} {self._verdict(before, name, costs)}".strip()
            if self.system.is_final(self.configuration):
                caption = f"{caption} {self._end()}"
            yield self._with_scores(self._step(name, caption, question, before, costs.get(name)), scores, costs, name)

    def _scores(self):
        """What the greedy parser gives each move of this state; empty without one."""
        return {} if self.greedy is None else self.greedy.parser.scores(self.codes, self.configuration)

    def _greedy_question(self, scores):
        if len(scores) < 2:
            return None
        return QuizQuestion("Which move does the greedy parser score highest?", tuple(scores), best_move(scores))

    def _with_scores(self, step, scores, costs, name):
        """A Step with the scores that the move was taken by."""
        if not scores:
            return step
        names, known = [move.name for move in self.system.transitions], self.oracle.is_dynamic
        values = tuple(number(scores[move], 2) if move in scores else "" for move in names)
        prices = tuple(str(costs[move]) if move in costs else "" for move in names)
        picture = MatrixPicture(
            "What the greedy parser scored, and what each move costs" if known else "What the greedy parser scored",
            ("score", "cost") if known else ("score",), tuple(names), (values, prices) if known else (values,),
            marks=(((0, names.index(name)), "changed" if costs.get(name) else "supported"),), wide=150.0,
        )  # fmt: skip
        numbers = step.numbers | {"scores": scores, "taken": name}
        return replace(step, picture=Panels((step.picture, picture)), table=self._scored(step, scores), numbers=numbers)

    def _scored(self, step, scores):
        """A step's table with rows of moves behind those of words."""
        rows = [*scores]
        added = {"word": rows, "is": [f"scored {scores[name]:.2f}" for name in rows], "head": [""] * len(rows)}
        return {name: [*column, *added[name]] for name, column in step.table.items()}

    def _chosen(self, place):
        """The name of the chosen move of this number, from 0, or None where none is left."""
        if place >= len(self.given):
            return None
        name = self.given[place]
        allowed = [move.name for move in self.system.allowed(self.configuration)]
        if name not in allowed:
            raise WorkbenchError(
                f"{name} cannot be taken as move {place + 1} of {self.system.name} on this sentence, only "
                f"{' or '.join(allowed)} can; take the moves out of the link, or open the page anew"
            )
        return name

    def _beginning(self):
        ends = "the root alone is left on the stack" if self.system.to_the_end else "the buffer is empty"
        if self.greedy is not None:
            return (
                "The root is on the stack, all words are in the buffer. A greedy parser takes the move that it scores "
                f"highest, until {ends}; what it loses of the best tree by the scores is said."
            )
        return (
            "The root is on the stack, all words are in the buffer. Moves build the best tree by the scores, "
            f"{'without crossing arcs' if self.system.projective else 'crossing arcs or not'}, until {ends}."
        )

    def _deed(self, before, name):
        """What a move did, in one sentence."""
        top = self._word(before.stack[-1])
        if name == SHIFT:
            return f"{name}: {self._word(before.buffer[0])} goes from the buffer onto the stack."
        if name == REDUCE:
            return f"{name}: {top}, which has its head, leaves the stack."
        if name == SWAP:
            return f"{name}: {self._word(before.stack[-2])} goes back into the buffer, so that it comes behind {top}."
        head, modifier = self.system.named(name).arc(before)
        gone = self._word(modifier)
        moved = f"{gone} goes onto the stack" if name == RIGHT and self.system is EAGER else f"{gone} leaves the stack"
        return f"{name}: {arrow(self.words, head, modifier)}, and {moved}."

    def _verdict(self, before, name, costs):
        """What it cost, and why; where the greedy parser erred, what the oracle would take."""
        if self.greedy is None or not costs.get(name):
            return self._price(before, name, costs)
        return f"{self._price(before, name, costs)} The oracle would take {self.oracle.best(costs)}."

    def _price(self, before, name, costs):
        if not self.oracle.is_dynamic:
            (advised,) = costs
            return "" if name == advised else f"The static oracle would have taken {advised}."
        if not costs[name]:
            free = [other for other, cost in costs.items() if not cost and other != name]
            if free:
                return f"{listed(free)} would lose nothing either."
            return "Every other move would lose an arc." if len(costs) > 1 else ""
        lost = [arrow(self.words, *arc) for arc in self.oracle.lost_arcs(before, name)]
        if not lost:
            return f"It costs {costs[name]}: the arcs that are still wanted can no longer be built together."
        return f"It costs {costs[name]}: {first_few(lost)} can no longer be built."

    def _end(self):
        """How it ended, and what is known of the greedy parser."""
        return self._built() if self.greedy is None else f"{self._built()} {self.greedy.conditions}"

    def _built(self):
        heads, wanted = self.configuration.heads[1:], self.oracle.heads[1:]
        wrong = sum(head != known for head, known in zip(heads, wanted, strict=True))
        if wrong:
            bare = heads.count(-1)
            without = f", {bare} of them none" if bare else ""
            have = "word has" if wrong == 1 else "words have"
            return f"{wrong} {have} another head than is wanted{without}."
        count = derivation_count(self.oracle)
        if count is None:
            return "The tree is built."
        return "The tree is built, by its only derivation." if count == 1 else (
            f"The tree is built; {count:,} derivations of {self.system.name} build it."
        )  # fmt: skip

    def _question(self, costs):
        names = tuple(move.name for move in self.system.allowed(self.configuration))
        if len(names) < 2:
            return None
        best = self.oracle.best(costs)
        also = tuple(name for name, cost in costs.items() if not cost and name != best)
        text = "Which move loses nothing?" if self.oracle.is_dynamic else "Which move does the static oracle take?"
        return QuizQuestion(text, names, best, also)

    def _step(self, title, caption, question=None, before=None, cost=None):
        numbers = {"configuration": self.configuration} | ({} if cost is None else {"cost": cost})
        moves = tuple(Move(LETTERS[move.name], move.name) for move in self.system.allowed(self.configuration))
        return Step(title, caption, self._picture(before), self._table(), question, numbers, moves)

    def _picture(self, before):
        """The state; the arc that is new, or else the word that was moved, stands out."""
        now, new = self.configuration, set()
        if before is not None:
            new = {m for m, head in enumerate(now.heads) if head != before.heads[m]}
        arcs = tuple(
            Arc(head, m, "", "changed" if m in new else "predicted" if head == self.oracle.heads[m] else "candidate")
            for m, head in enumerate(now.heads) if m and head >= 0
        )  # fmt: skip
        moved = set() if before is None or new else {*before.stack} ^ {*now.stack}
        marks = tuple((m, "changed") for m in sorted(new | moved))
        return ParserStatePicture(
            now.stack, now.buffer, ArcPicture(self.words, arcs, (), marks, levels=self.levels, high=HIGH)
        )

    def _table(self):
        now = self.configuration
        place = {word: "stack" for word in now.stack} | {word: "buffer" for word in now.buffer}
        words = range(len(self.words))
        return {
            "word": [self._word(m) for m in words],
            "is": [place.get(m, "") for m in words],
            "head": ["" if now.heads[m] < 0 else self._word(now.heads[m]) for m in words],
        }

    def _word(self, k):
        return "the root" if k == 0 else numbered(self.words, k)


def _greedy_for(system, example) -> TaughtGreedy | None:
    """The greedy parser of an Example that asks for one. Raises as ``trace_transitions``."""
    if example.constraint.strip() != GREEDY:
        return None
    if not all(example.tags[1:]):
        raise WorkbenchError("the greedy parser reads tags, and a word of this sentence has none; choose a tagged one")
    if example.greedy is not None:
        return example.greedy
    return taught_greedy(system, example.text, fold_of(example.text, example.words))
