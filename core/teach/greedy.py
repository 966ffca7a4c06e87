"""The greedy parser beside the oracles of transition systems: learnt from a text without a fold, and scored on it."""

from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.evaluation import AttachmentScores, attachment_scores
from core.parsers.transitions.greedy import GreedyParser, learnable
from core.parsers.transitions.systems import TransitionSystem
from core.treebank import Treebank, load_sample

GREEDY = "greedy"  # what stands in the place of a constraint where the greedy parser takes the moves
LONGEST, MOST = 20, 200  # words, and sentences, that it learns from
FOLDS = 5


@dataclass(frozen=True, eq=False)
class TaughtGreedy:
    """A greedy parser and what it is worth.

    Attributes
    ----------
    parser : GreedyParser
    scores : AttachmentScores or None
        Of the fold that it did not learn from; None where that has no sentence with a tree.
    """

    parser: GreedyParser
    scores: AttachmentScores | None

    @property
    def conditions(self) -> str:
        """What it learnt from, and how well it does on what it did not, in a sentence or two."""
        learnt = f"The greedy parser learnt from {self.parser.sentences:,} trees of at most {LONGEST} words."
        if self.scores is None:
            return learnt
        return (
            f"{learnt} Of {self.scores.words:,} words in {self.scores.sentences:,} other such sentences, punctuation "
            f"counted and tags given, {self.scores.uas:.0f}% get the right head from it."
        )


def fold_of(text: Treebank | None, words: tuple[str, ...]) -> int:
    """The fold of a text, or of the sample for None, with the first sentence of these words (n + 1,); 0 for none."""
    text = load_sample() if text is None else text
    return next((at % FOLDS for at, one in enumerate(text) if tuple(one.forms) == words), 0)


def taught_greedy(system: TransitionSystem, text: Treebank | None, fold: int) -> TaughtGreedy:
    """The greedy parser of the short trees of a text, or of the sample for None, without a fold; scored on that fold.

    Every fifth sentence is of a fold. Takes seconds. Raises WorkbenchError where there is no tree or tag to learn from.
    """
    text = load_sample() if text is None else text
    short = text.lengths <= LONGEST
    usable = np.isin(np.arange(len(text)), learnable(system, text)) & short
    own = np.arange(len(text)) % FOLDS == fold
    chosen = np.flatnonzero(usable & ~own)[:MOST]
    if not len(chosen):
        raise WorkbenchError(
            f"the greedy parser learns from trees of at most {LONGEST} words, and there are none; type an English "
            "sentence, or open a text with trees"
        )
    parser = GreedyParser.fit(system, text.select(chosen))
    known = text.select(np.flatnonzero(own & short)[:MOST])
    whole = [at for at, one in enumerate(known) if (one.heads[1:] >= 0).all()]
    held = known.select(whole)
    return TaughtGreedy(parser, attachment_scores(held, parser.parse(held)) if whole else None)
