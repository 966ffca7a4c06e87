"""What to ask the linguist next, one question at a time, in words; her answer is a constraint."""

from dataclasses import dataclass, replace

from core.constraints import Constraint, ConstraintDocument
from core.constraints.matching import Coverage
from core.constraints.suggest import ANSWERS, suggest
from core.workspace.constraints.text import Text, TextOutcome

AHEAD = 20  # questions worked out at once; the skipped ones are passed over
EXAMPLES = 3
STRENGTHS = ((100.0, "very informative"), (20.0, "informative"), (0.0, "slightly informative"))  # from so many nats


@dataclass(frozen=True)
class Ask:
    """One question to the author.

    Attributes
    ----------
    constraint : Constraint
        Without a target yet, as a share of the modifiers: what people can judge.
    coverage : Coverage
    share : float
        The model's present share.
    gain : float
        What the answer may be expected to teach, in nats.
    examples : tuple of (sentence, head, modifier)
        Pairs about which the model is least sure.
    """

    constraint: Constraint
    coverage: Coverage
    share: float
    gain: float
    examples: tuple

    @property
    def name(self) -> str:
        """Names the question, to skip it."""
        return self.constraint.name


def informative(gain: float) -> str:
    """How much an answer may be expected to teach, in words; ``gain`` is in nats."""
    return next((words for least, words in STRENGTHS if gain >= least), STRENGTHS[-1][1])


def answer_in(constraint_text: str, constraint: Constraint) -> str | None:
    """What a set answers to the question of a Constraint: the nearest of ANSWERS, or None where it has no such line."""
    constraints = ConstraintDocument.from_text(constraint_text).constraints
    said = next((each for each in constraints if each.name == constraint.name), None)
    if said is None:
        return None
    return min(ANSWERS, key=lambda name: abs(ANSWERS[name] - (said.low + said.high) / 2))


def questions(text: Text, constraint_text: str, outcome: TextOutcome) -> list[Ask]:
    """The Asks that teach most, in order, for a set and an Outcome of a Text, without what the set has a line for."""
    constraints = ConstraintDocument.from_text(constraint_text).constraints
    usable = [each.constraint for each in text.matcher.counts(constraints) if each.pairs]
    found = suggest(text.matcher, outcome.marginals, usable, AHEAD, examples=EXAMPLES)
    asked = [replace(each.constraint, per="modifier") for each in found]
    coverages = text.matcher.counts(asked)
    return [
        Ask(constraint, coverage, each.share * each.coverage.pairs / coverage.denominator, each.gain, each.examples)
        for constraint, coverage, each in zip(asked, coverages, found, strict=True)
    ]
