"""What a curve is made from: the sentences to learn from, those to score on, the lines; and nested draws of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel
from core.constraints import Constraint
from core.constraints.matching.matcher import as_matcher
from core.errors import WorkbenchError
from core.experiments.curves.learners import CurveLearner, Portion
from core.treebank import Treebank

EVERY = 5  # every fifth sentence with a tree is held out to score on, where there is no other text for that
FEWEST_TREES = 10  # sentences with trees, where some are held out
FEWEST = 3  # units at least, for three sizes
KNOWN_TREES = 50  # trees of a learner that needs some while its text grows; at most half of all
STEPS = (10, 25, 50)  # and ten times that, and so on
MOST_SIZES = 6


@dataclass(frozen=True, eq=False)
class Material:
    """The texts of a learning curve, and what of them is scored.

    Attributes
    ----------
    learner : CurveLearner
    trees, text, test : Treebank
        Sentences to learn trees from, to learn from as text, and to score on.
    lines : tuple of Constraint
        Those that match something.
    skipped : tuple of str
        Names of the lines that match nothing in the text.
    tags : {"xpos", "upos", None}
    held_out : bool
        Whether ``test`` was taken out of the text.
    """

    learner: CurveLearner
    trees: Treebank
    text: Treebank
    test: Treebank
    lines: tuple[Constraint, ...]
    skipped: tuple[str, ...]
    tags: str | None
    held_out: bool

    @property
    def total(self) -> int:
        """The number of the learner's units in the text."""
        by = self.learner.by
        return len(self.trees) if by == "trees" else len(self.lines) if by == "lines" else self.text.token_count

    @property
    def scored(self) -> np.ndarray:
        """bool (rows,): the words of ``test`` that have a head and are no punctuation."""
        return (self.test.heads >= 0) & ~self.test.punctuation()

    @property
    def scored_words(self) -> int:
        """The number of words that are scored."""
        return int(self.scored.sum())

    def portion(self, size: int, draw: int, seed: int, cancel: Cancel) -> Portion:
        """The first units of an order drawn for this draw, so that a larger size holds the smaller one.

        Of words, as many sentences as hold at least ``size``.
        """
        random = np.random.default_rng([seed, draw])
        trees, text, lines = self.trees, self.text, self.lines
        if self.learner.by == "trees":
            trees = trees.select(np.sort(random.permutation(len(trees))[:size]))
        elif self.learner.by == "words":
            order = random.permutation(len(text))
            count = int(np.searchsorted(np.cumsum(text.lengths[order]), size)) + 1
            text = text.select(np.sort(order[:count]))
        else:
            lines = tuple(lines[index] for index in np.sort(random.permutation(len(lines))[:size]))
        return Portion(trees, text, lines, self.test, self.tags, seed + draw, cancel)


def prepare(
    text: Treebank, learner: CurveLearner, *, test: Treebank | None = None, lines: Sequence[Constraint] = (),
    tags: str | None = None,
) -> Material:  # fmt: skip
    """The Material of a learner's curve.

    Parameters
    ----------
    text : Treebank
        Sentences to learn from, with trees where the learner needs them.
    learner : CurveLearner
    test : Treebank, optional
        Sentences with trees to score on; by default every fifth sentence of ``text`` that has a tree, which is then
        not learnt from.
    lines : sequence of Constraint
    tags : {"xpos", "upos", None}
        The column of tags; None takes the filled one.

    Returns
    -------
    Material

    Raises
    ------
    WorkbenchError : no trees to score on or to learn from, or too little to grow for three sizes. Also no lines where
    they are needed, or none that matches a sentence short enough.
    """
    complete = _complete(text)
    held = np.zeros(len(text), bool)
    if test is None:
        if complete.sum() < FEWEST_TREES:
            raise WorkbenchError(
                f"{text.name or 'the text'} has {complete.sum()} sentences with complete trees, and a curve needs "
                f"{FEWEST_TREES} to score on some of them; give more, or another text to score on"
            )
        held[np.flatnonzero(complete)[EVERY - 1 :: EVERY]] = True
    elif not (test.heads >= 0).any():
        raise WorkbenchError(f"no word of {test.name or 'the text to score on'} has a head; give a text with trees")
    scored = text.select(np.flatnonzero(held)) if test is None else test
    trees = text.select(np.flatnonzero(complete & ~held))
    pool = np.flatnonzero(~held)
    if learner.trees:
        known = np.flatnonzero(complete & ~held)[: min(KNOWN_TREES, int((complete & ~held).sum()) // 2)]
        if not len(known):
            raise WorkbenchError(f"a {learner.title} needs trees to begin with; give a text with some")
        trees, pool = text.select(known), np.setdiff1d(pool, known)
    rest = text.select(pool)
    usable, skipped = _usable(lines, rest, learner, tags)
    material = Material(learner, trees, rest, scored, usable, skipped, tags, test is None)
    if material.total < FEWEST:
        raise WorkbenchError(
            f"a curve by {learner.by} needs at least {FEWEST} of them to learn from, and there are {material.total}; "
            "give more"
        )
    return material


def default_sizes(by: str, total: int) -> tuple[int, ...]:
    """Sizes up to all there is: of lines fifths, else 10, 25, 50, 100 and so on, the last ``MOST_SIZES`` of them.

    All of it is a size of its own where it is half as much again as the one before.
    """
    if by == "lines":
        return tuple(sorted({max(1, round(total * fifth / 5)) for fifth in range(1, 6)}))
    sizes, factor = [], 1
    while factor * STEPS[0] <= total:
        sizes += [step * factor for step in STEPS if step * factor <= total]
        factor *= 10
    if len(sizes) < 3:
        return tuple(sorted({max(1, total // 4), -(-total // 2), total}))
    if total >= 1.5 * sizes[-1]:
        sizes.append(total)
    return tuple(sizes[-MOST_SIZES:])


def _complete(text):
    """bool (S,): the sentences of which every word has a head."""
    known = text.heads >= 0
    known[text.offsets[:-1]] = True
    return np.logical_and.reduceat(known, text.offsets[:-1]) if len(text) else np.zeros(0, bool)


def _usable(lines, text, learner, tags):
    """(lines that match something, names of the others)."""
    if not learner.lines:
        return (), ()
    if not lines:
        raise WorkbenchError(f"a {learner.title} needs lines to learn from; write at least one")
    short = text if learner.longest is None else text.max_length(learner.longest)
    if learner.longest is not None and not len(short):
        raise WorkbenchError(
            f"a {learner.title} learns from sentences of at most {learner.longest} words, and there are none; give some"
        )
    known = as_matcher(short, tags, lines).match(lines).denominators > 0
    usable = tuple(line for line, matches in zip(lines, known, strict=True) if matches)
    if not usable:
        raise WorkbenchError("no line matches two words of this text; see whether its tags are those of the lines")
    return usable, tuple(line.name for line, matches in zip(lines, known, strict=True) if not matches)
