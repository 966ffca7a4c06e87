"""Kinds of work that may be done next, what an hour of each is, and the advice on one of them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Self

import numpy as np

from core.advice.likeness import NEAR
from core.errors import FormatError, WorkbenchError
from core.parsers.universal.questions import NAMES
from core.settings import CorpusId, choice
from core.treebank import Treebank
from core.trees import Bracket

TREES, LINE, TEXT, TREEBANK, TAGS = "trees", "line", "text", "treebank", "tags"
ANSWER, KIN = "answer", "kin"  # work on a universal parser, with which the grammar of a text begins
KINDS = TREES, LINE, TEXT, TREEBANK, TAGS, ANSWER, KIN


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
        To answer a question about word order, to choose languages.
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
        Names it for whoever asks: a corpus's id.
    brackets : sequence of sequences of Bracket, optional
        One entry a sentence, where pages marked some.
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
    """Arcs of a universal parser's trees that change with an answer or a choice of languages; marks are not counted.

    Attributes
    ----------
    arcs, sentences : int
        Words whose head is not the same whatever the answer is, and the sentences that have such words.
    expected : float
        Words that get another head than now: of each answer so many, weighed by how probable it is.
    all_arcs, all_sentences : int
        That were looked at.
    """

    arcs: int
    sentences: int
    expected: float
    all_arcs: int
    all_sentences: int

    @property
    def points(self) -> float:
        """The most that accuracy can be expected to rise: as if every head that turns were wrong, and came right."""
        return 100 * self.expected / max(self.all_arcs, 1)


@dataclass(frozen=True)
class Advice:
    """A piece of work, and what it is expected to bring.

    Attributes
    ----------
    kind : str
        Of ``KINDS``.
    what : str
        The line, the other text's name, the name of a question about word order, or languages; "" of trees and tags.
    minutes : float
        Of a person's work.
    gain, low, high : float or None
        Points of accuracy (heads, without punctuation) and their 95 % interval; None where it is not known.
    reason : str
        Why it is not known; "" where it is.
    sentences : tuple of int
        Sentences to correct, places in the text, the most doubtful first.
    replaces : str or None
        The line of the set that ``what`` would take the place of.
    source_corpus : int
        The other text's number.
    apart : float or None
        How far the order of tags in the other text is from that in the text, in nats a tag, where no gain is known.
    turned : TurnedArcs or None
        What hangs on an answer or on languages.
    languages : tuple of str or None
        Those that are to answer open questions, () for the nearest; None where a person has to choose.
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
        """Whether the work is expected to help though its gain is not known."""
        return self.apart is not None and self.apart <= NEAR

    @property
    def open(self) -> bool:
        """Whether the interval of its gain holds zero: it may help or harm."""
        return self.low is not None and self.high is not None and self.low <= 0 <= self.high

    @property
    def per_hour(self) -> tuple[float, float, float] | None:
        """(gain, low, high) in points for an hour of work; None where it is not known."""
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
        """From ``as_dict``. Raises FormatError for what is none."""
        try:
            turned, languages = values.get("turned"), values.get("languages")
            read = {
                "sentences": tuple(int(index) for index in values["sentences"]),
                "turned": None if turned is None else TurnedArcs(**turned),
                "languages": None if languages is None else tuple(map(str, languages)),
            }
            advice = cls(**{**values, **read})
            if advice.kind not in KINDS or not advice.minutes > 0:
                raise ValueError(advice.kind)
            if advice.kind == ANSWER and advice.what not in NAMES:
                raise ValueError(advice.what)
            return advice
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("this advice cannot be read; ask for it again") from error


def in_order(advice: Sequence[Advice]) -> tuple[Advice, ...]:
    """Advice in order: sure gains first, by gain an hour; then likely ones, the nearest first.

    Then answers and languages that are expected to turn an arc at least, by what they turn in a minute.
    Then gains whose interval holds zero, what is not known, as it stood, other answers, and last what surely harms.
    """

    def rank(advised):
        if advised.turned is not None:
            return 2 if advised.turned.expected >= 1 else 5, -advised.turned.expected / advised.minutes
        if advised.per_hour is None:
            return (1, advised.apart) if advised.likely else (4, 0.0)
        tier = 3 if advised.open else 0 if advised.low > 0 else 6
        return tier, -advised.per_hour[0]

    return tuple(sorted(advice, key=rank))
