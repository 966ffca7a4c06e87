"""A constraint above a parser: the nearest distribution over a sentence's trees that keeps it, found by dual ascent.

The parser is the example's scores, p(tree) ~ exp(sum of its arcs' scores) over projective trees. The climb is the
production one (``core.parsers.projection``, ``core.parsers.dual_ascent``), watched while it goes. At work a constraint
above a parser may pull an arc a little only, since what is stated can be wrong (``largest_multiplier``). Here it may
pull farther; the last step shows what the bound at work would leave of it.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Matcher, parse_constraints
from core.constraints.grammar.projected import largest_multiplier, target_range
from core.constraints.grammar.settings import GrammarSettings
from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.curves import CurvesPicture
from core.draw.matrix import Panels
from core.draw.targets import ResponsePicture
from core.errors import WorkbenchError
from core.parsers.dual_ascent import SLACK, PosteriorConstraints
from core.parsers.projection import ArcWeightSums
from core.teach.ascent import EVALUATIONS, WatchedAscent
from core.teach.gradient import starting_constraint
from core.teach.posterior import BOUND, CHANGES, CLOSE, DRAWN, HIGH, LOW, STAYS, one_line
from core.teach.step import (
    AlgorithmTrace,
    Example,
    QuizQuestion,
    Step,
    arrow,
    first_few,
    number,
    percent,
    quiz_question,
)
from core.treebank import Treebank
from core.trees import PackedScores, eisner

GRID = 24  # multipliers of the curve
TOLERANCE = 2e-3  # nats a word from the best multiplier at which the climb ends
NEAR = 5e-3  # a share within so much of its target counts as on it, since two digits are shown
OUTSIDE = 6  # arcs of the constraint, and as many others, that are drawn outside the best tree
SHORT = 10  # words of a sentence in which every arc has its share beside it
YES, NO = "Yes", "No"
NEARER, MIDDLE, FARTHER = "At the end nearer to the parser", "In the middle", "At the farther end"


@dataclass(frozen=True, eq=False)
class TurnedTrees:
    """A sentence's trees at one multiplier.

    Attributes
    ----------
    multiplier, dual, primal, divergence : float
        In nats; the divergence is KL(q | p).
    expectation : float
        The constraint's share under q.
    marginals : ndarray of shape (n + 1, n + 1), dtype float64
    heads : ndarray of shape (n + 1,), dtype int32
        The best tree.
    is_accepted : bool
        Whether the climb went on from here.
    """

    multiplier: float
    dual: float
    primal: float
    divergence: float
    expectation: float
    marginals: np.ndarray
    heads: np.ndarray
    is_accepted: bool = True


def trace_projection(example: Example) -> AlgorithmTrace:
    """The evaluations of the dual of one constraint above an Example's scores, and its bound at work at the end.

    Raises
    ------
    ConstraintError : a line that cannot be read.
    WorkbenchError : more than one line, one that matches nothing in the sentence or weighs too much.
    InfeasibleError : every projective tree uses a forbidden arc.

    Notes
    -----
    O(n^3) an evaluation. Source: Ganchev, Graca, Gillenwater & Taskar (2010), JMLR 11, sections 2 and 3.
    """
    return _ProjectionTrace(example).trace()


class _ProjectionTrace:
    def __init__(self, example):
        self.words, self.n, self.single_root = example.words, len(example), example.single_root
        self.scores = np.array(example.scores, dtype=np.float64)
        tags = list(example.tags[1:]) if all(example.tags[1:]) else ["X"] * self.n
        self.sentence = Treebank.from_sentences([{"forms": list(self.words[1:]), "upos": tags}])
        written = example.constraint.strip()
        self._state(one_line(written or starting_constraint(self.words, example.tags)))
        if not written and self._within(self._at(0.0)):
            self._state(self._broken(("", *tags)) or self.constraint)

    def _state(self, constraint):
        """Take a constraint."""
        matches = Matcher(self.sentence, "upos").match([constraint])
        if not matches.denominators[0]:
            raise WorkbenchError(f"{constraint.text} matches no pair of words in this sentence; change one side of it")
        heads, modifiers = np.divmod(matches.arcs, self.n + 1)
        self.constraint, self.pairs = constraint, {(int(h), int(m)) for h, m in zip(heads, modifiers, strict=True)}
        low, high = target_range(constraint)
        targets = replace(PosteriorConstraints.of(matches, BOUND), low=np.array([low]), high=np.array([high]))
        packed = PackedScores.from_matrices([self.scores])
        self.sums = ArcWeightSums(packed, targets, threads=1, single_root=self.single_root)
        self.ascent, self.targets, self.low, self.high = WatchedAscent(self.sums, targets), targets, low, high
        self.plain = -self.sums.moments(None, np.zeros(1)).value  # minus log Z_0

    def _broken(self, tags):
        """A constraint that the parser breaks, of its likeliest arc outside its best tree; None without any."""
        plain = self._at(0.0)
        order = np.argsort(-plain.marginals, axis=None, kind="stable").tolist()
        former = self.constraint
        for h, m in (divmod(place, self.n + 1) for place in order):
            if h and plain.marginals[h, m] > 0 and plain.heads[m] != h and tags[h].isalpha() and tags[m].isalpha():
                line = f"{tags[h]} -> {tags[m]} = 0.9" if h < m else f"{tags[m]} <- {tags[h]} = 0.9"
                self._state(parse_constraints(line)[0])
                if not self._within(self._at(0.0)):
                    return self.constraint
        self._state(former)
        return None

    def _at(self, multiplier):
        """The TurnedTrees at a multiplier, by an evaluation that the climb does not see."""
        point = WatchedAscent(self.sums, self.targets).point(None, np.array([multiplier]))
        return self._turned(point, True)

    def _turned(self, point, is_accepted):
        multiplier, share = float(point.multipliers[0]), float(point.expectations[0])
        side = self.n + 1
        dual = point.value - self.plain
        divergence = (
            multiplier * float(self.targets.denominators[0]) * share + dual - self.targets.gain(point.multipliers)
        )
        log_weights = self.targets.log_weights(point.multipliers).reshape(side, side)
        heads = eisner(self.scores + log_weights, self.single_root)
        marginals = point.marginals.reshape(side, side)
        return TurnedTrees(multiplier, dual, dual + point.gap(self.targets), divergence, share, marginals, heads,
                           is_accepted)  # fmt: skip

    def trace(self):
        end = self.ascent.climb(None, EVALUATIONS, tolerance=TOLERANCE)
        self.states, current = [], self.ascent.points[0]
        for point in self.ascent.points:
            is_accepted = point.value >= current.value - SLACK * self.n  # the climb's own test
            current = point if is_accepted else current
            self.states.append(self._turned(point, is_accepted))
        self.plain_trees, self.end = self.states[0], self._turned(end, True)
        self.limit = largest_multiplier(self.constraint, GrammarSettings().trust)
        limit = float(np.sign(self.end.multiplier)) * self.limit
        self.bounded = self._at(limit)
        shown = [*self.states, self.bounded]
        farthest = np.ceil(2 * max(self.limit, *(abs(state.multiplier) for state in shown)) + 1) / 2
        reach = np.linspace(min(0.0, farthest * np.sign(limit)), max(0.0, farthest * np.sign(limit or 1.0)), GRID)
        by_multiplier = {state.multiplier: state.expectation for state in shown}
        by_multiplier |= {float(at): self._at(float(at)).expectation for at in reach if float(at) not in by_multiplier}
        self.curve = sorted(by_multiplier.items())
        self.drawn, self.folded = self._in_sight(shown)
        self.levels = max(max(arc_heights(self._arcs(state))) for state in shown)
        result = {"multiplier": self.end.multiplier, "met": self._within(self.end), "constraint": self.constraint,
                  "pairs": self.pairs}  # fmt: skip
        return AlgorithmTrace("projection", self.words, tuple(self._steps()), result)

    def _within(self, state):
        return self.low - NEAR <= state.expectation <= self.high + NEAR

    def _steps(self):
        last = len(self.states) - 1
        for k, state in enumerate(self.states):
            title = f"Evaluation {k}" if k else "The parser alone"
            yield self._step(title, self._caption(k), self._question(k), state, k)
        if not self.end.multiplier:
            yield self._step("The nearest trees", self._end_caption(), None, self.end, last)
            return
        yield self._step("The nearest trees", self._end_caption(), self._end_question(), self.end, last)
        yield self._step("The bound at work", self._bounded_caption(), self._bounded_question(), self.bounded, last)

    @property
    def _target(self):
        return f"{self.low:g} to {self.high:g}" if self.low < self.high else f"{self.low:g}"

    def _caption(self, k):
        now = self.states[k]
        side = "within" if self._within(now) else "below" if now.expectation < self.low else "above"
        if k == 0:
            names = first_few([arrow(self.words, h, m) for h, m in sorted(self.pairs)])
            moves = {"within": "nothing needs to move", "below": "λ must rise", "above": "λ must fall"}[side]
            return (
                f"{self.constraint.name} matches {names}. The parser alone, λ = 0, gives it a share of "
                f"{number(now.expectation, 2)}, {side} its target of {self._target}: {moves}."
            )
        before = self._before(k)
        if not now.is_accepted:
            return (
                f"The step to λ = {number(now.multiplier, 2)} went too far: the dual would fall from "
                f"{number(before.dual, 3)} to {number(now.dual, 3)} nats, so it is taken back and the next is shorter."
            )
        duals = number(before.dual, 3), number(now.dual, 3)
        rise = f"stays at {duals[0]}" if duals[0] == duals[1] else f"rises from {duals[0]} to {duals[1]}"
        return (
            f"λ goes from {number(before.multiplier, 3)} to {number(now.multiplier, 3)} nats, by the missing share "
            f"over its variance: the share is {number(now.expectation, 2)}, {side} its target, and the dual {rise}."
        )

    def _before(self, k):
        """Where evaluation k began: the last state that was taken."""
        return next(state for state in reversed(self.states[:k]) if state.is_accepted)

    def _question(self, k):
        if k == 0:
            return None
        before, now = self._before(k), self.states[k]
        if k == 1:
            loss = before.marginals - now.marginals
            ways = [(arrow(self.words, h, m), float(loss[h, m])) for m in range(1, self.n + 1)
                    for h in range(self.n + 1) if h != m and before.marginals[h, m] > CLOSE]  # fmt: skip
            best = max(ways, key=lambda way: way[1])
            way = "more" if now.multiplier > 0 else "less"
            return quiz_question(
                f"Trees with the arcs of the constraint become {way} probable. Which arc loses most?", ways, best[0], 4
            )
        same = np.array_equal(before.heads, now.heads)
        text = f"λ goes from {number(before.multiplier, 3)} to {number(now.multiplier, 3)}. What will the best tree do?"
        return QuizQuestion(text, (STAYS, CHANGES), STAYS if same else CHANGES)

    def _end_caption(self):
        end = self.end
        if end.multiplier == 0:
            return "The parser keeps the constraint already, so no other trees are nearer to it than its own."
        changed = self._changed(end)
        names = [arrow(self.words, int(end.heads[m]), m) for m in changed]
        trees = f"in the best tree {first_few(names)} {'is' if len(names) == 1 else 'are'} new" if names else (
            "the best tree is the same")  # fmt: skip
        if not self._within(end):
            return (
                f"λ is at its bound, {number(end.multiplier, 2)} nats, and the share is {number(end.expectation, 2)}: "
                f"the target of {self._target} is out of reach; {trees}."
            )
        return (
            f"At λ = {number(end.multiplier, 3)} the target is met, {number(end.divergence, 3)} nats from the parser: "
            f"no distribution over trees that keeps the constraint is nearer; {trees}."
        )

    def _end_question(self):
        if not self._within(self.end) or self.low == self.high:
            return None
        return QuizQuestion(
            f"The target is {self._target}. Where in it does the share of the nearest trees lie?",
            (NEARER, MIDDLE, FARTHER), NEARER,
        )  # fmt: skip

    def _bounded_caption(self):
        state = self.bounded
        met = "the target is met" if self._within(state) else "the target is not met"
        changed = len(self._changed(state))
        return (
            f"A constraint can be wrong, so in use λ is at most {number(self.limit, 2)} nats: at λ = "
            f"{number(state.multiplier, 2)} the share is {number(state.expectation, 2)}, {met}, and {changed} of "
            f"{self.n} heads change."
        )

    def _bounded_question(self):
        return QuizQuestion(
            f"If λ may be {number(self.bounded.multiplier, 2)} at the most, is the target of {self._target} met?",
            (YES, NO), YES if self._within(self.bounded) else NO,
        )  # fmt: skip

    def _step(self, title, caption, question, state, last):
        """A Step at a state, after evaluation ``last``."""
        numbers = {
            "multiplier": state.multiplier, "expectation": state.expectation, "dual": state.dual,
            "primal": state.primal, "divergence": state.divergence, "marginals": state.marginals, "heads": state.heads,
            "kept": state.is_accepted,
        }  # fmt: skip
        return Step(title, caption, self._picture(state, last), self._table(state), question, numbers)

    def _changed(self, state):
        """The words whose head in the best tree is another one than the parser's."""
        return np.flatnonzero(state.heads != self.plain_trees.heads).tolist()

    def _in_sight(self, states):
        """(arcs that may be drawn, the number of others): best ones, and the most probable others at any state."""
        shares = np.max([state.marginals for state in states], axis=0)
        found = [(h, m) for h, m in np.argwhere(shares >= DRAWN).tolist() if (h, m) not in self.pairs]
        best = {(h, m) for state in states for m, h in enumerate(state.heads.tolist()) if m}
        kinds = [sorted(set(arcs) - best, key=lambda arc: (-shares[arc], arc)) for arcs in (self.pairs, found)]
        return {arc for arcs in kinds for arc in arcs[:OUTSIDE]} | best, sum(len(arcs[OUTSIDE:]) for arcs in kinds)

    def _arcs(self, state):
        """Arcs of the best tree and those in sight; the constraint's are dashed outside the tree.

        In a long sentence the others show their share by their strength alone.
        """
        arcs = []
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                best, matched = state.heads[m] == h, (h, m) in self.pairs
                share = float(min(max(state.marginals[h, m], 0.0), 1.0))
                if h != m and (best or ((matched or share >= DRAWN) and (h, m) in self.drawn)):
                    kind = "supported" if matched else "predicted" if best else "candidate"
                    label = percent(share) if matched or self.n <= SHORT else ""
                    arcs.append(Arc(h, m, label, kind, share, disagrees=matched and not best))
        return arcs

    def _picture(self, state, last):
        marks = tuple((m, "changed") for m in self._changed(state))
        more = f"{self.folded} less probable arc{'s' * (self.folded > 1)} in the table" if self.folded else ""
        arcs = ArcPicture(self.words, tuple(self._arcs(state)), (), marks, levels=self.levels, high=HIGH, note=more)
        places = [multiplier for multiplier, _ in self.curve]
        met = places.index(self.end.multiplier) if self._within(self.end) and self.end.multiplier else None
        response = ResponsePicture(
            f"What {self.constraint.name} expects", tuple(places), tuple(share for _, share in self.curve),
            places.index(state.multiplier), self.low, self.high, met, LOW,
        )  # fmt: skip
        taken = [one if one.is_accepted else self._before(number) for number, one in enumerate(self.states)]
        series = tuple(tuple(float(getattr(one, name)) for one in taken) for name in ("dual", "primal"))
        curves = CurvesPicture("Nats, by evaluation", ("dual", "KL and penalty"), series, last, 0, 2, LOW)
        return Panels((arcs, Panels((response, curves), True)))

    def _table(self, state):
        table = {"arc": [], "probability": [], "by the parser alone": [], "the constraint matches": [], "best tree": []}
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                shares = state.marginals[h, m], self.plain_trees.marginals[h, m]
                if h != m and (max(shares) >= 0.001 or (h, m) in self.pairs):
                    table["arc"].append(arrow(self.words, h, m))
                    table["probability"].append(f"{state.marginals[h, m]:.4f}")
                    table["by the parser alone"].append(f"{self.plain_trees.marginals[h, m]:.4f}")
                    table["the constraint matches"].append("yes" if (h, m) in self.pairs else "")
                    table["best tree"].append("yes" if state.heads[m] == h else "")
        return table
