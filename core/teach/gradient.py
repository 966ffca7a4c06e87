"""The gradient of a generalised expectation on one sentence: which scores a stated expectation pulls, and how far.

Marginals and their covariance are the production ones (``core.trees.matrix_tree``), the constraint is matched and
its penalty taken as in training (``core.constraints``). Here every arc's score is a parameter of its own, so the
gradient is the pull on the score itself, before features share it out.
"""

import re
from collections.abc import Sequence

import numpy as np

from core.constraints import Matcher, parse_constraints
from core.constraints.ge.penalties import penalise, squared
from core.draw.arc import Arc
from core.draw.arcs import ArcPicture
from core.errors import WorkbenchError
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, equal_levels, first_few, number, percent
from core.treebank import Treebank
from core.trees.matrix_tree import matrix_tree, matrix_tree_covariance
from core.trees.maximum_spanning_tree import maximum_spanning_tree

ROUNDS = 4  # steps of the search
FIRST_RATE = 16.0  # nats for a pull of one; halved until the penalty falls
STRONG = 8  # arcs drawn with their pulls
CLOSE = 1e-4  # a penalty below this is met
RISES, FALLS = "It rises", "It falls"


def trace_gradient(example: Example) -> AlgorithmTrace:
    """The steps of a search along the gradient on an Example and its constraint, or one made for it.

    Raises
    ------
    ConstraintError : a line that cannot be read, or more than one.
    WorkbenchError : the constraint matches nothing in the sentence.
    InfeasibleError : every tree uses a forbidden arc.

    Notes
    -----
    O(n^3) a step. Source: Druck, Mann & McCallum (2009), sections 3.2 and 3.3; squared penalty.
    """
    walk = _GradientWalk(example)
    steps = equal_levels(list(walk.steps()))
    return AlgorithmTrace("gradient", example.words, steps, {"scores": walk.scores, "share": walk.share()})


def starting_constraint(words: Sequence[str], tags: Sequence[str]) -> str:
    """A line that speaks of the sentence: its first determiner and noun, else its first two neighbours."""
    for m in range(1, len(words) - 1):
        if (tags[m], tags[m + 1]) in (("DET", "NOUN"), ("DT", "NN"), ("PRON", "NOUN")):
            return f"{tags[m]} <- {tags[m + 1]} = 0.9"
    sides = [
        (tag if re.fullmatch(r"[\w$.-]+", tag) else f'"{tag}"') if tag else 'form:"' + word.replace('"', "") + '"'
        for word, tag in zip(words, tags, strict=True)
    ]
    return f"{sides[1]} <- {sides[2]} = 0.9" if len(words) > 2 else f"ROOT -> {sides[1]} = 0.9"


class _GradientWalk:
    def __init__(self, example):
        self.words, self.n, self.single_root = example.words, len(example), example.single_root
        self.scores = np.array(example.scores, dtype=np.float64)
        line = example.constraint.strip() or starting_constraint(example.words, example.tags)
        constraints = parse_constraints(line)
        if len(constraints) != 1:
            raise WorkbenchError(f"only one constraint can be shown at a time, got {len(constraints)}; keep one line")
        self.constraint = constraints[0]
        self.line = line
        tags = list(example.tags[1:]) if all(example.tags[1:]) else ["X"] * self.n
        text = Treebank.from_sentences([{"forms": list(self.words[1:]), "upos": tags}])
        matches = Matcher(text, "upos").match([self.constraint])
        self.count = float(matches.denominators[0])
        if not len(matches.arcs):
            raise WorkbenchError(f"{line} matches no pair of words in this sentence; change one side of it")
        heads, modifiers = np.divmod(matches.arcs, self.n + 1)
        self.pairs = [(int(h), int(m)) for h, m in zip(heads, modifiers, strict=True)]
        self.marginals = matrix_tree(self.scores, self.single_root)[1]

    def steps(self):
        yield self._model()
        yield self._target()
        for step in range(1, ROUNDS + 1):
            pull = self.pull()
            if self.penalty() < CLOSE or not self._strongest(pull):
                break
            yield self._gradient(step, pull)
            yield self._move(step, pull)
        yield self._end()

    def share(self, marginals=None):
        """The model's expectation: probability of the constraint's arcs, divided by what they are a share of."""
        marginals = self.marginals if marginals is None else marginals
        return float(sum(marginals[h, m] for h, m in self.pairs) / self.count)

    def penalty(self, marginals=None):
        """The squared distance of the share from the target."""
        return float(self._penalise(marginals)[0])

    def _penalise(self, marginals=None):
        low, high = (np.array([getattr(self.constraint, name)]) for name in ("low", "high"))
        values, slopes = penalise(squared, np.array([self.share(marginals)]), low, high)
        return values[0], slopes[0]

    def pull(self):
        """The gradient of the objective (minus the penalty) by the scores: the covariance along the direction, (n + 1,
        n + 1)."""
        direction = np.zeros_like(self.scores)
        for h, m in self.pairs:
            direction[h, m] += -self._penalise()[1] / self.count
        return matrix_tree_covariance(self.scores, direction, self.single_root)

    def _model(self):
        heads = maximum_spanning_tree(self.scores, self.single_root)
        caption = (
            "Before any constraint, the scores give every arc a probability over all trees; the best tree is drawn "
            "strong."
        )
        self.before = heads
        return Step("The model before", caption, self._picture(self._likely(heads)), self._table())

    def _target(self):
        share, value = self.share(), self.penalty()
        arcs = first_few([arrow(self.words, *pair) for pair in self.pairs])
        caption = (
            f"The constraint {self.line} matches {arcs}: the model expects a share of {number(share, 3)}, the "
            f"target is {self.constraint.target_text}, so the penalty is {number(value, 4)}."
        )
        arcs = [Arc(h, m, percent(self.marginals[h, m]), "supported", self._p(h, m)) for h, m in self.pairs]
        sides = ("below the target", "within the target", "above the target")
        slope = self._penalise()[1]
        question = QuizQuestion(
            f"Where is the model's share for {self.line}?", sides, sides[0 if slope < 0 else 2 if slope > 0 else 1]
        )
        return Step("The constraint", caption, self._picture(arcs), self._table(), question,
                    {"share": share, "penalty": value})  # fmt: skip

    def _gradient(self, step, pull):
        strongest = self._strongest(pull)
        h, m = strongest[0]
        others = [pair for pair in strongest if pair not in self.pairs]
        way = "more" if pull[h, m] > 0 else "less"
        caption = (
            f"The gradient pulls at {int((np.abs(pull) > 1e-12).sum())} of {self.n * self.n} scores, not only at those "
            f"the constraint names; most at {arrow(self.words, h, m)}, where a nat {way} would "
            f"lower the penalty by about {number(abs(pull[h, m]), 3)}."
        )
        question = None
        if others:
            h, m = others[0]
            answer = RISES if pull[h, m] > 0 else FALLS
            question = QuizQuestion(
                f"The constraint does not name {arrow(self.words, h, m)}. What does the gradient do to its score?",
                (RISES, FALLS), answer,
            )  # fmt: skip
        arcs = [
            Arc(a, b, _signed(pull[a, b]), "supported" if pull[a, b] > 0 else "changed",
                min(1.0, abs(float(pull[a, b])) / max(float(np.abs(pull).max()), 1e-300)))
            for a, b in strongest
        ]  # fmt: skip
        table = {
            "arc": [arrow(self.words, a, b) for a, b in strongest],
            "pull (per nat)": [_signed(pull[a, b]) for a, b in strongest],
            "probability": [f"{self.marginals[a, b]:.4f}" for a, b in strongest],
        }
        return Step(f"Gradient {step}", caption, self._picture(arcs), table, question, {"pull": pull})

    def _move(self, step, pull):
        before, share = self.penalty(), self.share()
        rate = FIRST_RATE
        while True:
            moved = np.where(self.scores > -np.inf, self.scores + rate * pull, -np.inf)
            marginals = matrix_tree(moved, self.single_root)[1]
            if self.penalty(marginals) < before or rate < 1e-6:
                break
            rate /= 2
        change = marginals - self.marginals
        watched = self._watched(change)
        self.scores, self.marginals = moved, marginals
        caption = (
            f"All scores move {number(rate, 3)} times their gradient: the share goes from {number(share, 3)} to "
            f"{number(self.share(), 3)}, the penalty from {number(before, 4)} to {number(self.penalty(), 4)}."
        )
        question = None
        if watched is not None:
            question = QuizQuestion(
                f"The scores follow the gradient. What will the probability of {arrow(self.words, *watched)} do?",
                (RISES, FALLS), RISES if change[watched] > 0 else FALLS,
            )  # fmt: skip
        heads = maximum_spanning_tree(self.scores, self.single_root)
        return Step(f"Step {step}", caption, self._picture(self._likely(heads)), self._table(), question,
                    {"share": self.share(), "penalty": self.penalty(), "marginals": marginals})  # fmt: skip

    def _end(self):
        heads = maximum_spanning_tree(self.scores, self.single_root)
        changed = [m for m in range(1, self.n + 1) if heads[m] != self.before[m]]
        moved = ", ".join(arrow(self.words, int(heads[m]), m) for m in changed)
        count = len(changed)
        result = (
            f"of {self.n} heads in the best tree {count} changed: {moved}" if count else "the best tree is the same"
        )
        caption = f"The share is {number(self.share(), 3)} for a target of {self.constraint.target_text}; {result}."
        ways = tuple(str(k) for k in range(min(self.n, 4) + 1))
        question = QuizQuestion(f"How many of the {self.n} heads in the best tree did one constraint change?", ways,
                            str(count)) if str(count) in ways else None  # fmt: skip
        arcs = [
            Arc(int(heads[m]), m, percent(self.marginals[heads[m], m]), "changed" if m in changed else "predicted",
                self._p(int(heads[m]), m))
            for m in range(1, self.n + 1)
        ]  # fmt: skip
        return Step("The model after", caption, self._picture(arcs), self._table(), question,
                    {"share": self.share(), "heads": heads})  # fmt: skip

    def _likely(self, heads):
        """Arcs of the best tree, those of the constraint, and others of some probability."""
        arcs = []
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                if h != m and (heads[m] == h or (h, m) in self.pairs or self.marginals[h, m] >= 0.15):
                    kind = "supported" if (h, m) in self.pairs else "predicted" if heads[m] == h else "candidate"
                    arcs.append(Arc(h, m, percent(self.marginals[h, m]), kind, self._p(h, m)))
        return arcs

    def _strongest(self, pull):
        order = np.argsort(-np.abs(pull), axis=None, kind="stable")[:STRONG]
        pairs = [tuple(map(int, np.unravel_index(cell, pull.shape))) for cell in order]
        return [pair for pair in pairs if abs(pull[pair]) > max(1e-9, 0.005 * float(np.abs(pull).max()))]

    def _watched(self, change):
        """An arc that the constraint does not name and whose probability changes most, or None."""
        order = np.argsort(-np.abs(change), axis=None, kind="stable")
        for cell in order:
            pair = tuple(map(int, np.unravel_index(cell, change.shape)))
            if abs(change[pair]) < 0.005:
                return None
            if pair not in self.pairs:
                return pair
        return None

    def _picture(self, arcs):
        marks = tuple((k, "supported") for k in sorted({k for pair in self.pairs for k in pair if k}))
        return ArcPicture(self.words, tuple(arcs), (), marks)

    def _table(self):
        table = {"arc": [], "probability": [], "named by the constraint": []}
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                if h != m and self.marginals[h, m] >= 0.001:
                    table["arc"].append(arrow(self.words, h, m))
                    table["probability"].append(f"{self.marginals[h, m]:.4f}")
                    table["named by the constraint"].append("yes" if (h, m) in self.pairs else "")
        return table

    def _p(self, h, m):
        return float(min(max(self.marginals[h, m], 0.0), 1.0))


def _signed(value):
    return f"{value:+.2g}".replace("-", "−")
