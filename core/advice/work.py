"""Kinds of work that may be done next, what an hour of each is, and the advice on one of them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Self

import numpy as np

from core.advice.likeness import NEAR
from core.errors import FormatError, WorkbenchError
from core.parsers.universal.questions import NAMES
from core.settings import CorpusId
from core.treebank import Treebank
from core.trees import Bracket

TREES, LINE, TEXT, TREEBANK, TAGS = "trees", "line", "text", "treebank", "tags"
ANSWER, KIN = "answer", "kin"  # of a universal parser, with which the grammar of a text begins
KINDS = TREES, LINE, TEXT, TREEBANK, TAGS, ANSWER, KIN


@dataclass(frozen=True)
class Costs:
    """Assumed minutes of a person's work: to correct a word of a tree, to think over a line, to look through and add
    another text. A treebank's scheme is compared besides. To answer a question about word order, to choose languages.
    """

    word: float = 0.1  # a minute and a half for fifteen words
    line: float = 5.0
    text: float = 10.0
    treebank: float = 15.0
    answer: float = 1.0
    kin: float = 1.0

    def __post_init__(self):
        for each in fields(self):
            minutes = getattr(self, each.name)
            if not 0 < minutes < np.inf:
                raise WorkbenchError(f"the minutes that a {each.name} takes must be above 0, got {minutes:g}")


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
    """What hangs on an answer, or on a choice of languages, in a universal parser's trees; marks are not counted.

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
        """Whether it is expected to help though its gain is not known."""
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
                "sentences": tuple(int(each) for each in values["sentences"]),
                "turned": None if turned is None else TurnedArcs(**turned),
                "languages": None if languages is None else tuple(map(str, languages)),
            }
            found = cls(**{**values, **read})
            if found.kind not in KINDS or not found.minutes > 0:
                raise ValueError(found.kind)
            if found.kind == ANSWER and found.what not in NAMES:
                raise ValueError(found.what)
            return found
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("this advice cannot be read; ask for it again") from error


def in_order(advice: Sequence[Advice]) -> tuple[Advice, ...]:
    """What surely helps first, by its gain for an hour, then what is likely to help, the nearest first.

    Then answers and languages that are expected to turn an arc at least, by what they turn in a minute.
    Then gains whose interval holds zero, what is not known, as it stood, other answers, and last what surely harms.
    """

    def place(each):
        if each.turned is not None:
            return 2 if each.turned.expected >= 1 else 5, -each.turned.expected / each.minutes
        if each.per_hour is None:
            return (1, each.apart) if each.likely else (4, 0.0)
        tier = 3 if each.open else 0 if each.low > 0 else 6
        return tier, -each.per_hour[0]

    return tuple(sorted(advice, key=place))
