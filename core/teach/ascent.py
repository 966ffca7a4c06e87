"""Lines on a whole text: the dual of posterior regularisation climbs, evaluation by evaluation.

The climb is the production one (``core.parsers.dual_ascent.DualAscent``) under a grammar that stays as it is, watched
while it goes: each step shows what one evaluation of the dual found, those that were taken back
included.
"""

from dataclasses import dataclass, field

import numpy as np

from core.constraints import Matcher, parse_constraints
from core.constraints.grammar.posterior_regularisation import TextSums
from core.constraints.grammar.settings import GrammarSettings
from core.constraints.grammar.trainer import MET
from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.curves import CurvesPicture
from core.draw.matrix import Panels, Titled
from core.draw.targets import TargetRow, TargetsPicture, largest
from core.errors import WorkbenchError
from core.files.assets import ASSETS
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.text import best_trees
from core.parsers.dual_ascent import SLACK, DualAscent, DualPoint, PosteriorConstraints
from core.teach.posterior import BOUND, one_sentence, taught_grammar
from core.teach.step import AlgorithmTrace, Example, Step, number, quiz_question

EVALUATIONS = 24
HIGH = 172.0  # of the tree above the curves
ENOUGH = GrammarSettings().enough  # nats a word from the dual's maximum at which the climb ends
LEGIBLE = 34  # letters of a line's name on a button
SHOWN = 8  # lines drawn; the table has all
UNIVERSAL = ASSETS / "constraints" / "universal-25.txt"


@dataclass(eq=False)
class WatchedAscent(DualAscent):
    """A DualAscent that remembers every DualPoint it evaluates, and the share of a full step that led there."""

    points: list[DualPoint] = field(default_factory=list)
    scales: list[float] = field(default_factory=list)

    def point(self, grammar: Events | None, multipliers: np.ndarray) -> DualPoint:
        dual = super().point(grammar, multipliers)
        self.points.append(dual)
        self.scales.append(self.scale)
        return dual


def trace_ascent(example: Example) -> AlgorithmTrace:
    """The evaluations of the dual of an Example's lines on its text, and the best tree of its sentence at each.

    The lines stand one under the other in ``example.constraint``; if there is none, and the tags are universal, they
    are the twenty-five that come with the workbench.

    Raises
    ------
    ConstraintError : a line that cannot be read.
    WorkbenchError : a word without a tag, no line, or none that matches anything in the text.

    Notes
    -----
    O(sum of n^3) an evaluation. Source: Ganchev, Graca, Gillenwater & Taskar (2010), JMLR 11, section 3.
    """
    return _AscentTrace(example, taught_grammar(example.text)).trace()


@dataclass(frozen=True, eq=False)
class _Evaluation:
    """One evaluation: its DualPoint, the one it began from, whether it was accepted, and the share of a full step."""

    point: DualPoint
    before: DualPoint
    is_accepted: bool
    scale: float

    @property
    def current(self):
        """The point where the climb stands after this evaluation."""
        return self.point if self.is_accepted else self.before


class _AscentTrace:
    def __init__(self, example, grammar):
        self.words, self.n, self.grammar = example.words, len(example), grammar
        self.sentence = one_sentence(example, grammar.column)
        text = example.constraint
        if not text.strip() and grammar.column == "upos":
            text = UNIVERSAL.read_text(encoding="utf-8")
        written = parse_constraints(text)
        if not written:
            raise WorkbenchError("there is no constraint yet; write some, one under the other, in this text's own tags")
        matches = Matcher(grammar.text, grammar.column).match(written)
        chosen = [line for line, count in zip(written, matches.denominators, strict=True) if count]
        if not chosen:
            raise WorkbenchError(
                "no constraint matches two words of the text's short sentences; see whether its tags are theirs"
            )
        self.left_out, self.constraints = len(written) - len(chosen), chosen
        self.names = [f"{c}  {line.name}" for c, line in enumerate(chosen, start=1)]
        self.lines = PosteriorConstraints.of(Matcher(grammar.text, grammar.column).match(chosen), BOUND)
        self.text = grammar.number(grammar.text)
        self.ascent = WatchedAscent(TextSums(self.text, self.lines, threads=1), self.lines)
        self.tokens = self.text.token_count

    def trace(self):
        end = self.ascent.climb(self.grammar.events, EVALUATIONS, tolerance=ENOUGH)
        self.plain = self.ascent.points[0].value  # minus log Z_0: the dual is 0 where all multipliers are
        self.evaluations = list(self._evaluations())
        self.drawn = sorted(np.argsort(-np.abs(end.multipliers), kind="stable")[:SHOWN].tolist())
        self.heads = [self._best_tree(evaluation.current.multipliers) for evaluation in self.evaluations]
        self.levels = max(max(arc_heights([Arc(int(h), m) for m, h in enumerate(heads) if m])) for heads in self.heads)
        steps = tuple(self._step(index) for index in range(len(self.evaluations)))
        result = {
            "grammar": self.grammar, "constraints": tuple(self.constraints), "lines": self.lines,
            "multipliers": end.multipliers, "expectations": end.expectations, "dual": self._dual(end),
        }  # fmt: skip
        return AlgorithmTrace("ascent", self.words, steps, result)

    def _evaluations(self):
        current = self.ascent.points[0]
        for point, scale in zip(self.ascent.points, self.ascent.scales, strict=True):
            is_accepted = point.value >= current.value - SLACK * self.tokens  # the climb's own test
            evaluation = _Evaluation(point, current, is_accepted, scale)
            yield evaluation
            current = evaluation.current

    def _best_tree(self, multipliers):
        matches = Matcher(self.sentence, self.grammar.column).match(self.constraints)
        bonus = np.exp(PosteriorConstraints.of(matches, BOUND).log_weights(multipliers))
        return best_trees(self.grammar.number(self.sentence), self.grammar.events, threads=1, bonus=bonus)[1]

    def _dual(self, point):
        """The dual in nats a word."""
        return (point.value - self.plain) / self.tokens

    def _primal(self, point):
        """KL and penalties of its q, in nats a word: never below the dual, and the same at the best multipliers."""
        return self._dual(point) + point.gap(self.lines) / self.tokens

    def _step(self, index):
        evaluation = self.evaluations[index]
        point = evaluation.point
        numbers = {
            "dual": self._dual(point), "primal": self._primal(point), "kept": evaluation.is_accepted,
            "multipliers": point.multipliers, "expectations": point.expectations,
            "gradient": self.lines.slopes(point.multipliers, point.expectations), "heads": self.heads[index],
        }  # fmt: skip
        title = f"Evaluation {index + 1}"
        return Step(
            title, self._caption(index), self._picture(index), self._table(numbers), self._question(index), numbers
        )

    def _caption(self, index):
        now, count = self.evaluations[index], len(self.constraints)
        met = int((self.lines.distances(now.current.expectations) <= MET).sum())
        if index == 0:
            left_out = f" (and {self.left_out} without a match)" if self.left_out else ""
            return (
                f"With every λ at 0 the grammar is alone and the dual is 0: on {len(self.text):,} short "
                f"sentences {met} of {count} constraints{left_out} are within {MET:g} of their target."
            )
        before, after = number(self._dual(now.before), 4), number(self._dual(now.point), 4)
        if not now.is_accepted:
            return (
                f"The step went too far, for constraints share arcs: the dual would fall from {before} to {after} nats "
                "a word, so it is taken back and the next one is half as long."
            )
        rise = f"stays at {after}" if before == after else f"rises from {before} to {after}"
        share = "" if now.scale == 1.0 else f" times {number(now.scale, 3)}"
        end = ""
        if index == len(self.evaluations) - 1:
            end = f", at most {number(now.point.gap(self.lines) / self.tokens, 3)} below its maximum"
        return (
            f"Each λ moves by its gradient over the variance of its arcs{share}: the dual {rise} nats a word{end}; "
            f"{met} of {count} constraints are within {MET:g} of their target."
        )

    def _question(self, index):
        if index == 0:
            return None
        now = self.evaluations[index]
        moves = np.abs(now.point.multipliers - now.before.multipliers)
        names = [name if len(name) <= LEGIBLE else f"{name[:LEGIBLE]}…" for name in self.names]
        ways, best = list(zip(names, moves.tolist(), strict=True)), int(np.argmax(moves))
        return quiz_question("Which constraint’s λ moves most next?", ways, names[best], 4)

    def _picture(self, index):
        heads, first = self.heads[index], self.heads[0]
        arcs = tuple(Arc(int(heads[m]), m, "", "predicted") for m in range(1, self.n + 1))
        marks = tuple((m, "changed") for m in range(1, self.n + 1) if heads[m] != first[m])
        tree = ArcPicture(self.words, arcs, (), marks, levels=self.levels, high=HIGH)
        series = tuple(
            tuple(measure(step.current) for step in self.evaluations) for measure in (self._dual, self._primal)
        )
        curves = CurvesPicture("Nats per word, by evaluation", ("dual", "KL and penalties"), series, index, 1, 2)
        path = [evaluation.current for evaluation in self.evaluations[: index + 1]]
        rows = tuple(
            TargetRow(
                self.names[c], float(self.lines.low[c]), float(self.lines.high[c]),
                tuple(float(point.expectations[c]) for point in path), f"λ {number(float(path[-1].multipliers[c]), 2)}",
            )
            for c in self.drawn
        )  # fmt: skip
        shares = [self.lines.high, *(evaluation.current.expectations for evaluation in self.evaluations)]
        rest = len(self.constraints) - len(rows)
        note = f"The {len(rows)} constraints with the largest λ at the end; the table has {rest} more." if rest else ""
        top = largest(np.array(shares)[:, self.drawn].ravel().tolist())
        titled = Titled("The sentence’s best tree; framed words had another head at λ = 0", tree)
        targets = TargetsPicture("Expectations and targets", rows, top, note)
        return Panels((Panels((titled, curves)), targets), True, (0.58, 0.42))

    def _table(self, numbers):
        lines, unmet = self.lines, self.lines.distances(numbers["expectations"]) > MET
        return {
            "constraint": self.names,
            "λ (nats)": [number(value, 3) for value in numbers["multipliers"]],
            "expectation": [number(value, 3) for value in numbers["expectations"]],
            "target": [line.target_text for line in self.constraints],
            "met": ["" if far else "yes" for far in unmet],
            "gradient (arcs)": [number(slope, 1) for slope in numbers["gradient"]],
            "counted": [f"{count:,.0f}" for count in lines.denominators],
        }
