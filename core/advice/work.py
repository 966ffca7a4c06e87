"""Kinds of work that may help a parser, their costs in time, and the advice on a piece of work."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Self

import numpy as np

from core.advice.similarity import NEAR
from core.errors import FormatError, WorkbenchError
from core.parsers.universal.questions import NAMES
from core.settings import CorpusId, choice
from core.treebank import Treebank
from core.trees import Bracket

TREES, LINE, TEXT, TREEBANK, TAGS = "trees", "line", "text", "treebank", "tags"
# work on a universal parser: an answer about word order, source languages, the next questions of Ask me
ANSWER, KIN, QUESTIONS = "answer", "kin", "questions"
KINDS = TREES, LINE, TEXT, TREEBANK, TAGS, ANSWER, KIN, QUESTIONS


@dataclass(frozen=True)
class Costs:
    """Assumed minutes of a person's work.

    Attributes
    ----------
    word : float
        To correct a word of a tree.
    line : float
        What it takes to think of a constraint
    text : float
        What it takes to find another text and look it through
    treebank : float
        What it takes to find another treebank and compare its scheme with yours
    answer, kin : float
        To answer a question, to choose languages.
    """

    word: float = 0.1  # a minute and a half for fifteen words
    line: float = choice(5.0, "Minutes a constraint", within=(0.1, 600.0), step=1.0)
    text: float = choice(10.0, "Minutes a text", within=(0.1, 600.0), step=5.0)
    treebank: float = choice(15.0, "Minutes a treebank", within=(0.1, 600.0), step=5.0)
    answer: float = 1.0
    kin: float = 1.0

    def __post_init__(self):
        for field in fields(self):
            minutes = getattr(self, field.name)
            if not 0 < minutes < np.inf:
                raise WorkbenchError(f"the minutes that a {field.name} takes must be above 0, got {minutes:g}")


@dataclass(frozen=True, eq=False)
class OtherText:
    """Another text that could be learnt from.

    Attributes
    ----------
    name : str
    treebank : Treebank
        With trees, where it has some, and punctuation.
    number : int
        The id of its corpus.
    brackets : sequence of sequences of Bracket, optional
        One entry for each sentence.
    """

    name: str
    treebank: Treebank
    number: int = 0
    brackets: Sequence[Sequence[Bracket]] | None = None

    @property
    def kind(self) -> str:
        """TREEBANK if some word has a head, else TEXT."""
        return TREEBANK if (self.treebank.heads >= 0).any() else TEXT


@dataclass(frozen=True)
class TurnedArcs:
    """Arcs of a universal parser that change with a piece of work, without punctuation.

    Attributes
    ----------
    arcs, sentences : int
        Words whose head depends on an answer, or that the work is about, and the sentences with such words.
    expected : float
        The expected number of words that get another head than now; of trees and questions, of wrong heads among them.
    all_arcs, all_sentences : int
        All words and sentences compared.
    wrong : float or None
        The expected number of wrong heads among all words; None where it was not asked for.
    """

    arcs: int
    sentences: int
    expected: float
    all_arcs: int
    all_sentences: int
    wrong: float | None = None

    @property
    def points(self) -> float:
        """The expected gain if every changed head were wrong now and right then: for answers an upper bound."""
        return 100 * self.expected / max(self.all_arcs, 1)


@dataclass(frozen=True)
class Advice:
    """A piece of work and its expected gain.

    Attributes
    ----------
    kind : str
        Of ``KINDS``.
    what : str
        The constraint, the other text's name, the name of a question about word order, languages, or how many
        questions; "" for trees and tags.
    minutes : float
        Of a person's work.
    gain, low, high : float or None
        Points of accuracy (heads, without punctuation) and their 95% interval; None where unknown.
    reason : str
        Why the gain is unknown, or "".
    sentences : tuple of int
        Indices of sentences to correct, the most uncertain first.
    replaces : str or None
        The constraint of the set that ``what`` would replace.
    source_corpus : int
        The id of the other text.
    apart : float or None
        The ``cross_entropy_difference`` of the other text in nats a tag, where no gain is known.
    turned : TurnedArcs or None
        The arcs that depend on an answer or on languages; those that are expected to be wrong, of trees and questions.
    languages : tuple of str or None
        Source languages to choose, () for the nearest; None where a person has to choose.
    """

    kind: str
    what: str
    minutes: float
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    sentences: tuple[int, ...] = ()
    replaces: str | None = None
    source_corpus: CorpusId = 0
    apart: float | None = None
    turned: TurnedArcs | None = None
    languages: tuple[str, ...] | None = None

    @property
    def likely(self) -> bool:
        """Whether the work is expected to help although its gain is unknown."""
        return self.apart is not None and self.apart <= NEAR

    @property
    def open(self) -> bool:
        """Whether the interval of the gain contains zero."""
        return self.low is not None and self.high is not None and self.low <= 0 <= self.high

    @property
    def per_hour(self) -> tuple[float, float, float] | None:
        """(gain, low, high) in points for an hour of work; None where unknown."""
        if self.gain is None or self.low is None or self.high is None:
            return None
        hours = self.minutes / 60
        return self.gain / hours, self.low / hours, self.high / hours

    def as_dict(self) -> dict:
        """Plain values for JSON."""
        languages = None if self.languages is None else list(self.languages)
        return asdict(self) | {"sentences": list(self.sentences), "languages": languages}

    @classmethod
    def from_dict(cls, values: dict) -> Self:
        """The inverse of ``as_dict``. Raises FormatError for other values."""
        try:
            turned, languages = values.get("turned"), values.get("languages")
            converted = {
                "sentences": tuple(int(index) for index in values["sentences"]),
                "turned": None if turned is None else TurnedArcs(**turned),
                "languages": None if languages is None else tuple(map(str, languages)),
            }
            advice = cls(**{**values, **converted})
            if advice.kind not in KINDS or not advice.minutes > 0:
                raise ValueError(advice.kind)
            if advice.kind == ANSWER and advice.what not in NAMES:
                raise ValueError(advice.what)
            return advice
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("this advice cannot be read; ask for it again") from error


def in_order(advice: Sequence[Advice]) -> tuple[Advice, ...]:
    """Advice in order: certain gains first, by gain an hour; then likely ones, the nearest text first.

    Then measured gains whose interval contains zero. Then answers and languages that are expected to change an arc, by
    expected arcs a minute: what they can bring at most is no estimate. Then measured losses whose interval contains
    zero, unknown gains in their order, other answers, and last certain losses.
    """

    def rank(advised):
        if advised.turned is not None:
            return 3 if advised.turned.expected >= 1 else 6, -advised.turned.expected / advised.minutes
        if advised.per_hour is None:
            return (1, advised.apart) if advised.likely else (5, 0.0)
        gain = advised.per_hour[0]
        tier = (2 if gain > 0 else 4) if advised.open else 0 if gain > 0 else 7
        return tier, -gain

    return tuple(sorted(advice, key=rank))
