"""The source languages that are most like a text, by trigrams of tags, and their answers about word order.

The likeness is KL_cpos3 of Rosa & Žabokrtský (2015, P15-2040): the divergence of a source's trigrams of tags from the
text's. Where nobody answers a question, the text's own language does if it is known and a source, else the nearest do.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.compilation.kernels import kernel
from core.errors import FormatError, WorkbenchError
from core.languages.names import UNKNOWN, find_language
from core.parsers.universal.questions import QUESTIONS
from core.parsers.universal.text import ROOT, TaggedWords

SIDES = ROOT + 1
UNSEEN = 0.5  # the count of a trigram that a source lacks
NEAREST = 6  # languages that answer
POWER = -2  # exponent of the divergence, for the weight of a language
FAR = 1.1  # nats: languages with a source of their own genus are mostly nearer
ENOUGH = 1_000  # words whose tags tell how far a language is
EXPECTED = 65  # percent of heads that are right, about, where no source is near
NAMED = 3  # languages that are named
WIDER = MappingProxyType({"nb": "no", "nn": "no"})  # a language -> the one that it is a kind of, as sources name it


@dataclass(frozen=True)
class Relative:
    """A language among the sources: its name, and its divergence from a text in nats."""

    name: str
    divergence: float


@dataclass(frozen=True, eq=False)
class SourceLanguages:
    """Names, tag trigrams and answers of the K source languages of a parser.

    Attributes
    ----------
    names : tuple of str
        Of their files.
    trigrams : ndarray of shape (K, T + 1, T + 1, T + 1), dtype uint32
        How often three tags follow each other, with roots around each sentence.
    answers : ndarray of shape (K, Q)
        What their trees answer; NaN where they do not.
    """

    names: tuple[str, ...]
    trigrams: np.ndarray
    answers: np.ndarray

    def __post_init__(self):
        count = len(self.names)
        if self.trigrams.shape != (count, *(SIDES,) * 3) or self.answers.shape != (count, len(QUESTIONS)):
            raise FormatError("the counts and answers of the sources do not fit their names; save the parser again")

    def nearest(
        self, words: TaggedWords, among: Collection[str] | None = None, further: Sequence[TaggedWords] = ()
    ) -> list[Relative]:
        """The sources, the most alike first; only those ``among`` some, if these are given. O(rows + K T^3).

        ``further`` are other texts of the language, which count as much, word by word.

        Raises WorkbenchError for a name that is no source's.
        """
        among = self.names if among is None else self.checked(among)
        counts = np.stack([tag_trigrams(each) for each in (words, *further)]).sum(axis=0).astype(np.float64)
        seen = counts > 0
        share = counts[seen] / max(counts.sum(), 1)
        relatives = []
        for name, trigrams in zip(self.names, self.trigrams, strict=True):
            if name in among:
                smoothed = np.maximum(trigrams, UNSEEN)
                other = smoothed[seen] / smoothed.sum()
                relatives.append(Relative(name, float((share * np.log(share / other)).sum())))
        return sorted(relatives, key=lambda relative: relative.divergence)

    def checked(self, names: Collection[str]) -> tuple[str, ...]:
        """These names. Raises WorkbenchError for one that is no source's."""
        for name in names:
            if name not in self.names:
                raise WorkbenchError(f"there is no source {name!r}; the sources are {', '.join(self.names)}")
        return tuple(names)

    def of_language(self, language: str | None) -> tuple[str, ...]:
        """The names of sources in a language, by its code; a name begins with its language, as Irish-IDT or ga_idt."""
        if language in (None, UNKNOWN):
            return ()
        wanted = language, WIDER.get(language, language)
        return tuple(name for name in self.names if find_language(name.partition("-")[0]) in wanted)

    def answering(self, question: int, nearest: Sequence[Relative], chosen: Collection[str] = ()) -> tuple[str, ...]:
        """The names of the sources that answer a question in ``answers_of``, the first the nearest."""
        names = [relative.name for relative in nearest]
        known = ~np.isnan(self.answers[:, question])
        for asked in ([name for name in names if name in chosen], names):
            answering = tuple(name for name in asked[:NEAREST] if known[self.names.index(name)])
            if answering:
                return answering
        return ()

    def answers_of(self, nearest: Sequence[Relative], chosen: Collection[str] = ()) -> np.ndarray:
        """float64 (Q,): the mean answers of the first of these, by likeness; NaN where none of them answers.

        ``chosen`` are names among them: where these answer, the others are not asked.
        """
        if chosen:
            answers = self.answers_of([relative for relative in nearest if relative.name in chosen])
            return np.where(np.isnan(answers), self.answers_of(nearest), answers)
        first = nearest[:NEAREST]
        rows = self.answers[[self.names.index(relative.name) for relative in first]]
        weights = np.array([max(relative.divergence, 1e-3) ** POWER for relative in first])[:, None] * ~np.isnan(rows)
        total, mean = weights.sum(axis=0), np.full(self.answers.shape[1], np.nan)
        known = total > 0
        mean[known] = (np.where(np.isnan(rows), 0, rows) * weights).sum(axis=0)[known] / total[known]
        return mean


def is_far(nearest: Sequence[Relative], words: int) -> bool:
    """Whether no source is near a language, of which so many words are there; False where they are too few to tell."""
    return words >= ENOUGH and bool(nearest) and nearest[0].divergence > FAR


def tag_trigrams(words: TaggedWords) -> np.ndarray:
    """int64 (T + 1, T + 1, T + 1): how often three tags follow each other, roots around each sentence. O(rows)."""
    counts = np.zeros((SIDES,) * 3, np.int64)
    _count(words.tags, words.offsets, ROOT, counts)
    return counts


@kernel
def _count(tags, offsets, root, counts):
    """Add up trigrams."""
    for i in range(len(offsets) - 1):
        for row in range(offsets[i] + 1, offsets[i + 1]):
            after = tags[row + 1] if row + 1 < offsets[i + 1] else root
            counts[tags[row - 1], tags[row], after] += 1
