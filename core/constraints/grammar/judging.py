"""Constraints above a parser that known trees speak against, and the projection without them.

The sentences with known heads are told into five folds. The parser learns the trees of four of them, and draws those of
the fifth with all constraints, without each, and without any; multipliers stay as they are. Constraints are left out
where the heads that are right without them are more by over one standard error of the folds' mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from core.constraints.grammar.projected import (
    NO_CONTROLS,
    Controls,
    LeftOut,
    ProjectedParser,
    ProjectionResult,
    project,
)
from core.constraints.grammar.settings import CANCELLED, GrammarSettings
from core.constraints.grammar.trainer import NO_KNOWLEDGE, Knowledge
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.evaluation.learnt import has_heads
from core.parsers.decoding import PosteriorParser
from core.treebank import Treebank
from core.trees import eisner

FOLDS = 5


class Teachable(Protocol):
    """A parser that trees of a language correct: a ``UniversalParser``."""

    def adapted(self, trees: Treebank) -> PosteriorParser:
        """The parser corrected by trees, -1 for heads that are not known; it forgets what it learnt from others."""
        ...


@dataclass(frozen=True, eq=False)
class TaughtParser:
    """A parser that learns from trees of a language, by which constraints above it are judged as well.

    Attributes
    ----------
    untaught : Teachable
        It knows the language of the text.
    trees : Treebank
        Heads that are not known are -1.
    """

    untaught: Teachable
    trees: Treebank

    @cached_property
    def parser(self) -> PosteriorParser:
        """The parser that has learnt all trees. Raises WorkbenchError where no head is known."""
        return self.untaught.adapted(self.trees)


def project_judged(
    treebank: Treebank, constraints: Sequence[Constraint], settings: GrammarSettings,
    parser: PosteriorParser | TaughtParser, *,
    known: Knowledge = NO_KNOWLEDGE, start: PosteriorParser | None = None, controls: Controls = NO_CONTROLS,
) -> ProjectionResult:  # fmt: skip
    """``project``; above a TaughtParser without the constraints that its trees speak against.

    Those have weight 0 in the result, unless the settings say ``keep_all``. Five folds take as long as learning the
    trees five times, and as drawing them once for each constraint.
    """
    below = parser.parser if isinstance(parser, TaughtParser) else parser
    result = project(treebank, constraints, settings, below, known=known, start=start, controls=controls)
    if not isinstance(parser, TaughtParser) or settings.keep_all or result.status == CANCELLED:
        return result
    assert isinstance(result.model, ProjectedParser)
    left_out = left_out_by(result.model, parser, controls.threads)
    if not left_out:
        return result
    names = {constraint.name for group in left_out for constraint in group.constraints}
    rest = [replace(constraint, weight=0.0) if constraint.name in names else constraint for constraint in constraints]
    again = project(treebank, rest, settings, below, known=known, start=result.model, controls=controls)
    return replace(again, left_out=left_out, seconds=result.seconds + again.seconds)


def left_out_by(model: ProjectedParser, taught: TaughtParser, threads: int | None = None) -> tuple[LeftOut, ...]:
    """The constraints of a model that trees speak against: one by one, then all the others together.

    None of them where fewer than five sentences have a known head.
    """
    trees = taught.trees.without_punctuation()
    trees, used = taught.trees.select(np.isin(taught.trees.picks, trees.picks[has_heads(trees)])), model.multipliers
    if len(trees) < FOLDS or not used.any():
        return ()
    numbers, folds = np.arange(len(trees)) % FOLDS, []
    for fold in range(FOLDS):
        parser = taught.untaught.adapted(trees.select(np.flatnonzero(numbers != fold)))
        folds.append(_Fold(model.over(parser), trees.select(np.flatnonzero(numbers == fold)), threads))

    words = sum(fold.words for fold in folds)

    def judged(constraints, former, multipliers):
        """The LeftOut of constraints whose removal makes ``former`` multipliers others; None where they may stay."""
        gains = np.array([fold.right(multipliers) - fold.right(former) for fold in folds])
        total, squares = int(gains.sum()), int(gains @ gains)
        if total <= 0 or total**2 <= squares:  # the mean is at most its standard error, in whole numbers
            return None
        error = np.sqrt(FOLDS * gains.var(ddof=1))  # of the total
        return LeftOut(tuple(constraints), 100 * total / words, 100 * float(error) / words)

    left_out, kept = [], used.copy()
    for c in np.flatnonzero(used).tolist():
        group = judged([model.constraints[c]], used, np.where(np.arange(len(used)) == c, 0.0, used))
        if group is not None:
            left_out.append(group)
            kept[c] = 0.0
    others = [model.constraints[c] for c in np.flatnonzero(kept).tolist()]
    group = judged(others, kept, np.zeros(len(used)))
    return tuple(left_out) if group is None else (*left_out, group)


class _Fold:
    """Trees that the parser of a model has not learnt, and what it draws of them under multipliers."""

    def __init__(self, model, trees, threads):
        words = trees.without_punctuation()
        self._arcs, self._threads = model.unconstrained().arc_weights(trees, threads), threads
        self._matches = Matcher(words, model.column).match(model.constraints)
        self._gold, self._known, self._found = words.heads, words.heads >= 0, {}

    @property
    def words(self):
        """How many heads are known."""
        return int(self._known.sum())

    def right(self, multipliers):
        """How many of them are right."""
        key = multipliers.tobytes()
        if key not in self._found:
            arcs = self._arcs.like(self._arcs.values + self._matches.scatter(multipliers))
            heads = eisner(arcs, threads=self._threads).values
            self._found[key] = int((heads == self._gold)[self._known].sum())
        return self._found[key]
