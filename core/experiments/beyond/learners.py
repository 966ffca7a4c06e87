"""What learns from lines, by name, and what its trees are worth on parts of a text."""

from dataclasses import dataclass

import numpy as np

from core.constraints import Constraint, GESettings, GrammarSettings, train_ge, train_grammar
from core.constraints.matching.matcher import as_matcher
from core.evaluation import attachment_scores
from core.treebank import Treebank

EVERY = 5  # every fifth sentence is of the development part, all others of the test part


@dataclass(frozen=True)
class ConstraintTraining:
    """A way to train from lines, and the longest sentences that it is trained on where it has no stages of its own."""

    name: str
    settings: GESettings | GrammarSettings
    longest: int | None = None

    def parse(self, text: Treebank, lines: list[Constraint], brackets: list | None = None) -> Treebank:
        """The words of a text, without punctuation, under trees of a parser trained on it without its heads.

        Lines that match nothing in the text are not trained on.
        """
        if isinstance(self.settings, GrammarSettings):
            model = train_grammar(text, lines, self.settings, brackets=brackets).model
            return model.parse(text).without_punctuation()
        words = text.without_punctuation()
        short = words if self.longest is None else words.max_length(self.longest)
        known = as_matcher(short, self.settings.tags, lines).match(lines).denominators > 0
        usable = [line for line, matches in zip(lines, known, strict=True) if matches]
        return train_ge(short, usable, settings=self.settings).model.parse(words)


def development_part(text: Treebank) -> np.ndarray:
    """bool (S,): the sentences on which settings may be chosen; the others are looked at once."""
    return np.arange(len(text)) % EVERY == EVERY - 1


def accuracy(gold: Treebank, parsed: Treebank, chosen: np.ndarray) -> float | None:
    """Right heads in percent, of the words of the chosen sentences, bool (S,); None where they have none."""
    return attachment_scores(gold, parsed, punctuation=np.repeat(chosen, gold.lengths + 1)).uas
