"""Posterior regularisation on one sentence: what the multiplier of one line does to all its trees.

The grammar is the DMV as ``core.teach.induction`` trains it, by EM without any line. Lines are matched, weigh in and
are measured as in training (``core.parsers.dual_ascent``): q(tree) ~ p(tree) exp(multiplier *
n(tree)), n the arcs of the tree that the line matches.
"""

from dataclasses import dataclass, field

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.constraints import Matcher, parse_constraints
from core.constraints.grammar.posterior_regularisation import TextSums
from core.constraints.grammar.training import GrammarSettings
from core.constraints.language.constraint import Constraint
from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.matrix import Panels
from core.draw.targets import ResponsePicture
from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.symbols import Symbols
from core.parsers.dmv.text import TaggedText, best_trees
from core.parsers.dual_ascent import DualAscent, PosteriorConstraints
from core.teach.gradient import starting_constraint
from core.teach.induction import settings_of, small_corpus
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, number, percent
from core.treebank import Treebank

LONGEST = 10  # words of the sentence shown
BOUND = GrammarSettings().bound  # nats: the largest multiplier of a line of weight 1
HEAVIEST = 16.0  # weight of a line whose multipliers can still be told apart on one axis
POINTS = 25  # multipliers from bound to bound
CLOSE = 1e-6  # tolerance, in shares, of the multiplier that meets a target
HIGH, LOW = 252.0, 140.0  # of the arcs, and of the curves under them
SEEN = 0.005  # probability from which on an arc that the constraint matches is drawn
DRAWN = 0.15  # probability from which on an arc is drawn
STAYS, CHANGES = "It stays", "It changes"


@dataclass(frozen=True, eq=False)
class TaughtGrammar:
    """A grammar without lines, and the text that it was learnt from.

    Attributes
    ----------
    text : Treebank
        Short sentences.
    column : {"upos", "xpos"}
    symbols : Symbols
        The grammar's tags.
    events : Events
        Probabilities, a tag that the text lacks included.
    """

    text: Treebank
    column: str
    symbols: Symbols
    events: Events

    def number(self, treebank: Treebank) -> TaggedText:
        """The words of a Treebank as the grammar's tags."""
        return TaggedText(self.symbols.number(treebank), treebank.offsets)


def taught_grammar(treebank: Treebank | None) -> TaughtGrammar:
    """The DMV that EM learns from the short sentences of a text, or of the sample for None.

    Raises WorkbenchError as ``small_corpus`` does. O(sum of n^3) an iteration.
    """
    text, column = small_corpus(treebank)
    model = DMV(settings_of("em"), tags=column).fit(text, threads=1)
    assert model.parameters is not None
    symbols = Symbols(column, model.tags, (), np.ones(len(model.tags)))
    return TaughtGrammar(text, column, symbols, model.parameters.with_unknown_tag())


def one_sentence(example: Example, column: str) -> Treebank:
    """The example's words and tags as a Treebank. Raises WorkbenchError where a word has no tag."""
    if not all(example.tags[1:]):
        raise WorkbenchError("the grammar reads tags, and a word of this sentence has none; choose a tagged sentence")
    return Treebank.from_sentences([{"forms": list(example.words[1:]), column: list(example.tags[1:])}])


def matching_lines(constraints: list[Constraint], words: tuple[str, ...], tags: tuple[str, ...]) -> list[str]:
    """The constraints among some that match two words of a sentence, as text; words and tags (n + 1,)."""
    sentence = Treebank.from_sentences([{"forms": list(words[1:]), "upos": list(tags[1:])}])
    counts = Matcher(sentence, "upos").match(constraints).denominators if constraints else ()
    return list(dict.fromkeys(line.text for line, count in zip(constraints, counts, strict=True) if count))


@dataclass(frozen=True, eq=False)
class Answer:
    """A sentence's trees under one multiplier of the constraint.

    Attributes
    ----------
    multiplier : float
        In nats.
    expectation : float
        The line's share under q.
    divergence : float
        KL(q | p) in nats.
    marginals : ndarray of shape (n + 1, n + 1), dtype float64
        The probability of each arc under q.
    heads : ndarray of shape (n + 1,), dtype int32
        The most probable tree.
    """

    multiplier: float
    expectation: float
    divergence: float
    marginals: np.ndarray
    heads: np.ndarray


@dataclass(frozen=True, eq=False)
class ReweightedTrees:
    """All trees of one sentence under a grammar and one line, at any multiplier.

    Parameters
    ----------
    text : TaggedText
        One sentence.
    grammar : Events
        Probabilities.
    lines : PosteriorConstraints
        One line.
    """

    text: TaggedText
    grammar: Events
    lines: PosteriorConstraints
    _ascent: DualAscent = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "_ascent", DualAscent(TextSums(self.text, self.lines, threads=1), self.lines))

    def at(self, multiplier: float) -> Answer:
        """The Answer of a multiplier in nats. O(n^3)."""
        multipliers = np.array([multiplier])
        point = self._ascent.point(self.grammar, multipliers)
        plain = self._ascent.point(self.grammar, np.zeros(1)).value  # minus log Z_0
        mass = float(self.lines.denominators[0] * point.expectations[0])
        divergence = multiplier * mass + point.value - self.lines.gain(multipliers) - plain
        side = len(self.text.tags)
        bonus = np.exp(self.lines.log_weights(multipliers))
        heads = best_trees(self.text, self.grammar, threads=1, bonus=bonus)[1]
        marginals = point.marginals.reshape(side, side)
        return Answer(multiplier, float(point.expectations[0]), divergence, marginals, heads)

    def expectation(self, multiplier: float) -> float:
        """The line's share at a multiplier; it rises with the multiplier."""
        return float(self._ascent.point(self.grammar, np.array([multiplier])).expectations[0])

    def meeting(self) -> float:
        """The multiplier nearest to 0 at which the share is within its target; its bound where none is, in nats."""
        low, high, limit = (float(values[0]) for values in (self.lines.low, self.lines.high, self.lines.limits))
        share = self.expectation(0.0)
        if low <= share <= high:
            return 0.0
        target, end = (low, limit) if share < low else (high, -limit)
        if (self.expectation(end) - target) * (share - target) > 0:
            return end
        return float(scipy.optimize.brentq(lambda at: self.expectation(at) - target, 0.0, end, xtol=1e-10))


def trace_posterior(example: Example) -> AlgorithmTrace:
    """The multipliers of a line from bound to bound, and what the sentence's trees do at each.

    Begins at 0, the grammar alone; the multiplier that meets the target is a step of its own.

    Raises
    ------
    ConstraintError : a line that cannot be read, or more than one.
    WorkbenchError : a word without a tag, a line that matches nothing in the sentence or weighs too much.

    Notes
    -----
    O(n^3) a step, after O(sum of n^3) for each iteration of the grammar. Source: Ganchev, Graca, Gillenwater & Taskar
    (2010), JMLR 11, sections 2 and 3.
    """
    return _PosteriorTrace(example, taught_grammar(example.text)).trace()


class _PosteriorTrace:
    def __init__(self, example, grammar):
        self.words, self.n, self.grammar = example.words, len(example), grammar
        sentence = one_sentence(example, grammar.column)
        self.constraint = one_line(example.constraint.strip() or starting_constraint(example.words, example.tags))
        matches = Matcher(sentence, grammar.column).match([self.constraint])
        if not matches.denominators[0]:
            raise WorkbenchError(
                f"{self.constraint.text} matches no pair of words in this sentence; change one side of it"
            )
        heads, modifiers = np.divmod(matches.arcs, self.n + 1)
        self.pairs = {(int(h), int(m)) for h, m in zip(heads, modifiers, strict=True)}
        self.trees = ReweightedTrees(grammar.number(sentence), grammar.events, PosteriorConstraints.of(matches, BOUND))
        self.limit = BOUND * self.constraint.weight
        self.met = self.trees.meeting()

    def trace(self):
        multipliers = sorted({*np.linspace(-self.limit, self.limit, POINTS).tolist(), 0.0, self.met})
        self.answers = [self.trees.at(multiplier) for multiplier in multipliers]
        self.zero = multipliers.index(0.0)
        self.reached = self._within(self.answers[multipliers.index(self.met)])
        self.meeting = multipliers.index(self.met) if self.reached else None
        self.levels = max(max(arc_heights(self._arcs(answer))) for answer in self.answers)
        steps = tuple(self._step(index) for index in range(len(multipliers)))
        marks = [number(value, 2) for value in multipliers]
        if self.meeting is not None:
            marks[self.meeting] += " · meets the target"
        result = {"grammar": self.grammar, "multiplier": self.met, "met": self.reached}
        return AlgorithmTrace("posterior", self.words, steps, result, self.zero, "λ in nats", tuple(marks))

    def _within(self, answer):
        return self.constraint.low - CLOSE <= answer.expectation <= self.constraint.high + CLOSE

    def _step(self, index):
        answer = self.answers[index]
        numbers = {
            "multiplier": answer.multiplier, "expectation": answer.expectation, "divergence": answer.divergence,
            "marginals": answer.marginals, "heads": answer.heads,
        }  # fmt: skip
        title = f"λ = {number(answer.multiplier, 2)}"
        table = {
            "arc": [],
            "probability": [],
            "without the constraint": [],
            "the constraint matches": [],
            "best tree": [],
        }
        plain = self.answers[self.zero].marginals
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                if h != m and max(answer.marginals[h, m], plain[h, m]) >= 0.001:
                    table["arc"].append(arrow(self.words, h, m))
                    table["probability"].append(f"{answer.marginals[h, m]:.4f}")
                    table["without the constraint"].append(f"{plain[h, m]:.4f}")
                    table["the constraint matches"].append("yes" if (h, m) in self.pairs else "")
                    table["best tree"].append("yes" if answer.heads[m] == h else "")
        return Step(title, self._caption(index), self._picture(index), table, self._question(index), numbers)

    def _caption(self, index):
        answer, target = self.answers[index], self.constraint.target_text
        share, changed = number(answer.expectation, 3), len(self._changed(answer))
        side = "within" if self._within(answer) else "below" if answer.expectation < self.constraint.low else "above"
        if index == self.zero:
            next_move = {"within": "nothing needs to move", "below": "λ must rise", "above": "λ must fall"}[side]
            return (
                f"Without the constraint (λ = 0) the grammar expects a share of {share} for {self.constraint.name}, "
                f"{side} its target of {target}: {next_move}."
            )
        trees = f"{changed} of {self.n} heads in the best tree changed" if changed else "the best tree is the same"
        if index == self.meeting:
            return (
                f"At λ = {number(answer.multiplier, 2)} nats the share is {share} and meets its target of {target}, "
                f"{number(answer.divergence, 2)} nats away from the grammar, the least possible; {trees}."
            )
        more = "more" if answer.multiplier > 0 else "less"
        factor = f"{float(np.exp(abs(answer.multiplier))):.3g}"
        bound = " even at its bound" if not self.reached and answer.multiplier == self.met else ""
        return (
            f"Each arc that the constraint matches makes a tree {factor} times {more} probable: the share is {share}, "
            f"{side} its target of {target}{bound}; {trees}."
        )

    def _question(self, index):
        if index == 0:
            return None
        before, after = self.answers[index - 1], self.answers[index]
        same = np.array_equal(before.heads, after.heads)
        text = (
            f"λ goes from {number(before.multiplier, 2)} to {number(after.multiplier, 2)}. What will the best tree do?"
        )
        return QuizQuestion(text, (STAYS, CHANGES), STAYS if same else CHANGES)

    def _changed(self, answer):
        """The words whose head in the best tree is another one than without the line."""
        return np.flatnonzero(answer.heads != self.answers[self.zero].heads).tolist()

    def _arcs(self, answer):
        """Arcs of the best tree, those that the line matches, dashed outside the tree, and others that are probable."""
        arcs = []
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                best, matched = answer.heads[m] == h, (h, m) in self.pairs
                share = float(min(max(answer.marginals[h, m], 0.0), 1.0))
                if h != m and (best or share >= (SEEN if matched else DRAWN)):
                    kind = "supported" if matched else "predicted" if best else "candidate"
                    arcs.append(Arc(h, m, percent(share), kind, share, disagrees=matched and not best))
        return arcs

    def _picture(self, index):
        answer = self.answers[index]
        marks = tuple((m, "changed") for m in self._changed(answer))
        arcs = ArcPicture(self.words, tuple(self._arcs(answer)), (), marks, levels=self.levels, high=HIGH)
        response = ResponsePicture(
            f"What {self.constraint.name} expects",
            tuple(answer.multiplier for answer in self.answers), tuple(answer.expectation for answer in self.answers),
            index, self.constraint.low, self.constraint.high, self.meeting, LOW,
        )  # fmt: skip
        return Panels((arcs, response))


def one_line(text: str) -> Constraint:
    """The Constraint of one line. Raises ConstraintError, and WorkbenchError for several or a weight that is too large
    to be drawn."""
    lines = parse_constraints(text)
    if len(lines) != 1:
        raise WorkbenchError(f"only one constraint can be shown at a time, got {len(lines)}; keep one")
    if lines[0].weight > HEAVIEST:
        raise WorkbenchError(f"{lines[0].text} weighs too much to be drawn; give it a weight of at most {HEAVIEST:g}")
    return lines[0]
