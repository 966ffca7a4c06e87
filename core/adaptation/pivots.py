"""Pivots: properties of two words of a sentence that mean the same in both domains and need no tree.

shimizu2007 section 3 asks what stands between two words: a preposition, a determiner or a helping verb. Blitzer,
McDonald & Pereira (2006), W06-1615, take features that are frequent in both domains.

Pivots are written one a line, ``preposition = upos:ADP xpos:IN of in on``: tags where all texts have them, else words
in lower case; ``#`` opens a comment.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.adaptation.word_counts import WordCounts
from core.errors import WorkbenchError
from core.features.edges import SLOT_NAMES, Edges, WordVocabulary
from core.files.assets import ASSETS
from core.languages import UNKNOWN
from core.treebank import Treebank

FOLDER = ASSETS / "pivots"
TAG_COLUMNS = ("upos", "xpos")
ANY = "xx"  # in place of a language
FREQUENT = 25  # words between two others, as many as there are dimensions at most
NAME = re.compile(r"[\w'.-]+")


@dataclass(frozen=True)
class Pivot:
    """One of these words, or tags, stands between the two.

    Attributes
    ----------
    name : str
    words : tuple of str
        In lower case.
    upos, xpos : tuple of str
    """

    name: str
    words: tuple = ()
    upos: tuple = ()
    xpos: tuple = ()

    masked = None  # no position of the two words is hidden from its predictor

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The words as a set."""
        return frozenset(self.words)

    def column_for(self, texts: Sequence[WordCounts]) -> str | None:
        """The column that decides in these texts: "upos", "xpos" or "form"; None where none decides."""
        for column in TAG_COLUMNS:
            if getattr(self, column) and all(getattr(text, column) for text in texts if text.words):
                return column
        return "form" if self.words else None

    def mask(self, text: Treebank, column: str) -> np.ndarray:
        """bool (rows,): the words that count."""
        if column == "form":
            return text.form.mask(lambda value: value.lower() in self.wanted)
        return getattr(text, column).mask(set(getattr(self, column)).__contains__)

    def holds(self, text: Treebank, column: str, edges: Edges, contexts: np.ndarray) -> np.ndarray:
        """bool (E,): whether it holds of these pairs of words."""
        passed = np.cumsum(self.mask(text, column))  # words that count, up to and with each row
        low, high = np.minimum(edges.heads, edges.modifiers), np.maximum(edges.heads, edges.modifiers)
        return passed[high - 1] > passed[low]

    def __str__(self):
        tags = [f"{column}:{tag}" for column in TAG_COLUMNS for tag in getattr(self, column)]
        return f"{self.name} = {' '.join([*tags, *self.words])}"


@dataclass(frozen=True)
class FeaturePivot:
    """A feature of the two words themselves: ``value`` (number ``code``) at position ``slot`` of Table 2.

    Its predictor must not see that position, which would give it away.
    """

    slot: int
    value: str
    code: int

    @property
    def name(self) -> str:
        """The pivot's name, as ``head+1=the``."""
        return f"{SLOT_NAMES[self.slot]}={self.value}"

    @property
    def masked(self) -> int:
        """The position that its predictor must not see."""
        return self.slot

    def column_for(self, texts: Sequence[WordCounts]) -> str:
        """Forms decide, in any text."""
        return "form"

    def holds(self, text: Treebank, column: str, edges: Edges, contexts: np.ndarray) -> np.ndarray:
        """bool (E,): whether it holds of these pairs of words."""
        rows = edges.heads if self.slot < 3 else edges.modifiers
        return contexts[rows, self.slot % 3] == self.code

    def __str__(self):
        return self.name


def parse_pivots(text: str, source: str = "pivots") -> tuple[Pivot, ...]:
    """Pivots from lines ``name = item item ...``.

    Raises WorkbenchError for a line that is none, a name twice, an item with another prefix, or no line at all.
    """
    pivots = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = "" if line.lstrip().startswith("#") else line.strip()
        if not line:
            continue
        name, equals, items = (part.strip() for part in line.partition("="))
        if not equals or not NAME.fullmatch(name) or not items:
            raise WorkbenchError(f"{source}, line {number}: write a pivot as name = word word upos:TAG, got {line!r}")
        if name in pivots:
            raise WorkbenchError(f"{source}, line {number}: there is a pivot {name} already; give it another name")
        pivots[name] = _pivot(name, items.split(), f"{source}, line {number}")
    if not pivots:
        raise WorkbenchError(f"{source} holds no pivot; write at least one line, such as preposition = of in on")
    return tuple(pivots.values())


def by_words(pivots: Sequence[Pivot]) -> tuple[Pivot, ...]:
    """The pivots without their tags, so that words decide where there are tags too, as in shimizu2007.

    Raises WorkbenchError for a pivot without words.
    """
    for pivot in pivots:
        if not pivot.words:
            unanswered = f"pivot {pivot.name} has no words, so words cannot decide"
            raise WorkbenchError(f"{unanswered}; add some, or let tags decide")
    return tuple(replace(pivot, upos=(), xpos=()) for pivot in pivots)


def _pivot(name, items, where):
    kinds = {"words": [], "upos": [], "xpos": []}
    for item in items:
        prefix, colon, rest = item.partition(":")
        if colon and rest and prefix in TAG_COLUMNS:
            kinds[prefix].append(rest)
        elif colon and rest and prefix.isalpha() and prefix != "form":
            raise WorkbenchError(f"{where}: no prefix {prefix}: in pivots; use upos:, xpos:, form: or a bare word")
        else:
            kinds["words"].append((rest if colon and rest and prefix == "form" else item).lower())
    return Pivot(name, **{kind: tuple(dict.fromkeys(values)) for kind, values in kinds.items()})


def format_pivots(pivots: Iterable[Pivot]) -> str:
    """The lines that ``parse_pivots`` reads."""
    return "".join(f"{pivot}\n" for pivot in pivots)


def load_pivots(language: str = "en") -> tuple[Pivot, ...]:
    """The pivots of a language: preposition, determiner, helping verb. ``xx`` goes by universal tags alone."""
    known = languages()
    language = ANY if language == UNKNOWN else language
    if language not in known:
        raise WorkbenchError(f"there are no pivots for {language!r}: choose {', '.join(known)}, or write your own")
    return parse_pivots((FOLDER / f"{language}.txt").read_text(encoding="utf-8"), f"pivots of {language}")


def usual_pivots(text: Treebank, language: str) -> tuple[str, int]:
    """(the language whose pivots suit a text in ``language``, how many frequent words are pivots beside them).

    That is its own where there are some. Else it is ``ANY``, whose pivots are universal tags alone; without such tags
    ``FREQUENT`` words that stand between two others take their place.
    """
    if language in languages():
        return language, 0
    return ANY, 0 if text.upos.filled else FREQUENT


def languages() -> list[str]:
    """Codes of the languages that have word lists."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def between_words(source: WordCounts, target: WordCounts, count: int) -> tuple[Pivot, ...]:
    """Pivots of one word each: the ``count`` words most frequent in both texts, "stands between" for each.

    A word counts as often as in the text where it is rarer, per word of text. Frequent ties go by name.
    """
    shares = defaultdict[str, float](float), defaultdict[str, float](float)
    for text, share in zip((source, target), shares, strict=True):
        for value, number in text.form.items():
            share[value.lower()] += number / max(text.words, 1)
    common = {word: min(share, shares[1][word]) for word, share in shares[0].items() if word in shares[1]}
    chosen = sorted(common, key=lambda word: (-common[word], word))[:count]
    return tuple(Pivot(f"between={word}", (word,)) for word in chosen)


def frequent_features(
    vocabulary: WordVocabulary, counts: Sequence[np.ndarray], edges: Sequence[int], count: int
) -> tuple[FeaturePivot, ...]:
    """The ``count`` features of Table 2 that are most frequent among the edges of both texts (Blitzer et al. 2006).

    Parameters
    ----------
    vocabulary : WordVocabulary
    counts : sequence of ndarray (6, V), one a text
        How many of its edges have each word at each position.
    edges : sequence of int, one a text
        How many there are.
    count : int

    Returns
    -------
    tuple of FeaturePivot
        By the smaller of the two shares of edges that have it, largest first. Boundaries, roots and rare words are no
        features.
    """
    least = np.min([part / max(number, 1) for part, number in zip(counts, edges, strict=True)], axis=0)
    least[:, : vocabulary.first_word] = 0.0
    order = np.argsort(-least, axis=None, kind="stable")[:count]
    slots, codes = np.unravel_index(order, least.shape)
    pairs = [(int(slot), int(code)) for slot, code in zip(slots, codes, strict=True) if least[slot, code] > 0]
    return tuple(FeaturePivot(slot, vocabulary.words[code], code) for slot, code in pairs)
