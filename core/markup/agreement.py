"""How far mark-up agrees with trees: the table of spitkovsky2010, section 5.3, for any corpus, with intervals."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from core.errors import WorkbenchError
from core.markup.marked import marked_sentences, site_of, source_of, tag_names
from core.treebank import Treebank
from core.trees import Bracket
from core.trees.brackets import LEVELS, PackedBrackets, hardest_levels
from core.trees.packed import PackedHeads

Z95 = 1.959963984540054  # standard normal, two-sided 5%
JUDGED = LEVELS[1:][::-1]  # strict, loose, sprawl, tear


def wilson(hits: int, count: int, z: float = Z95) -> tuple[float, float] | tuple[None, None]:
    """(low, high) of a share: the score interval of Wilson (1927); (None, None) of nothing."""
    if count == 0:
        return None, None
    share = hits / count
    middle = share + z * z / (2 * count)
    reach = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return (middle - reach) / scale, (middle + reach) / scale


@dataclass(frozen=True)
class AgreementRow:
    """Some brackets: how many, and at how many a tree satisfies each level; ``phrases`` are constituents, or None."""

    brackets: int
    hits: dict
    phrases: int | None = None

    def share(self, level: str) -> float | None:
        """Of all brackets, 0..1; None if there are none. ``level`` may be "phrase"."""
        hits = self.phrases if level == "phrase" else self.hits[level]
        return None if hits is None or not self.brackets else hits / self.brackets

    def interval(self, level: str) -> tuple[float, float] | tuple[None, None]:
        """The 95% interval of the share: (low, high)."""
        hits = self.phrases if level == "phrase" else self.hits[level]
        return (None, None) if hits is None else wilson(hits, self.brackets)

    def as_dict(self) -> dict:
        """Percentages with their intervals, for JSON."""
        data: dict[str, object] = {"brackets": self.brackets}
        for level in (*JUDGED, *(["phrase"] if self.phrases is not None else [])):
            share = self.share(level)
            low, high = self.interval(level)
            percentages = {"share": share, "low": low, "high": high}
            data[level] = {name: None if value is None else 100 * value for name, value in percentages.items()}
        return data


@dataclass(frozen=True)
class BracketAgreement:
    """The table: over all brackets and over those of two words or more.

    ``by_tag`` and ``by_source`` have a pair (all, multiword) for each tag name and each source; a bracket with two
    tags counts for both. ``sentences`` were judged; ``unjudged`` have brackets and a word without a head.
    """

    all: AgreementRow
    multiword: AgreementRow
    by_tag: dict = field(default_factory=dict)
    by_source: dict = field(default_factory=dict)
    sentences: int = 0
    unjudged: int = 0

    def as_dict(self) -> dict:
        """For JSON."""
        groups = {
            name: {key: {"all": pair[0].as_dict(), "multiword": pair[1].as_dict()} for key, pair in group.items()}
            for name, group in (("by_tag", self.by_tag), ("by_source", self.by_source))
        }
        whole = {"all": self.all.as_dict(), "multiword": self.multiword.as_dict()}
        return {**whole, **groups, "sentences": self.sentences, "unjudged": self.unjudged}


def agreement(treebank: Treebank, brackets: Sequence[Sequence[Bracket]] | None = None) -> BracketAgreement:
    """How many brackets the trees of a treebank satisfy at each level.

    Parameters
    ----------
    treebank : Treebank
        With heads. Where it has constituents, brackets that are one of them are counted too.
    brackets : sequence of sequences of Bracket, optional
        One entry a sentence; those of the ``# markup`` comments by default.

    Returns
    -------
    BracketAgreement

    Raises
    ------
    WorkbenchError : no bracket at all; no marked sentence has a whole tree; brackets of another corpus.
    """
    return AgreementTally.of(treebank, brackets).agreement(treebank.name)


@dataclass(frozen=True)
class AgreementTally:
    """Counts that a BracketAgreement is made of; tallies of parts of a corpus add up to the tally of the whole."""

    counts: Counter = field(default_factory=Counter)
    has_phrases: bool = False
    sentences: int = 0
    unjudged: int = 0

    @classmethod
    def of(
        cls, treebank: Treebank, brackets: Sequence[Sequence[Bracket]] | None = None, pages: Sequence[str] | None = None
    ) -> "AgreementTally":
        """The tally of a treebank; ``pages`` say where each sentence is from, by default its ``# source`` comment."""
        bracket_lists = marked_sentences(treebank, brackets)
        marked = np.array([index for index, marks in enumerate(bracket_lists) if marks], dtype=np.int64)
        whole = [bool((treebank[index].heads[1:] >= 0).all()) for index in marked.tolist()]
        judged = marked[np.array(whole, bool)]
        if not len(judged):
            return cls(unjudged=len(marked))
        trees = treebank.select(judged)
        marks = [bracket_lists[index] for index in judged.tolist()]
        levels = hardest_levels(PackedHeads(trees.heads, trees.offsets), PackedBrackets.from_lists(marks)).tolist()
        counts, number = Counter(), 0
        for index, sentence in enumerate(trees):
            phrases = None if trees.constituents is None else {phrase[:2] for phrase in trees.constituents[index]}
            source = source_of(sentence) if pages is None else site_of(pages[int(judged[index])])
            groups = [("whole", ""), ("source", source)]
            for mark in marks[index]:
                is_phrase = phrases is not None and (mark.start, mark.end) in phrases
                tags = [("tag", tag) for tag in tag_names(mark)]
                _count(counts, [*groups, *tags], len(mark) > 1, levels[number], is_phrase)
                number += 1
        return cls(counts, trees.constituents is not None, len(judged), len(marked) - len(judged))

    def __add__(self, other: "AgreementTally") -> "AgreementTally":
        return AgreementTally(
            self.counts + other.counts, self.has_phrases or other.has_phrases, self.sentences + other.sentences,
            self.unjudged + other.unjudged,
        )  # fmt: skip

    def agreement(self, name: str = "") -> BracketAgreement:
        """The BracketAgreement of a corpus of that name. WorkbenchError where no bracket was judged."""
        if not self.sentences + self.unjudged:
            raise WorkbenchError(f"{name or 'the treebank'} has no brackets; extract some from web pages first")
        if not self.sentences:
            raise WorkbenchError("no marked sentence has a tree; parse the file first, with a parser")
        every, multiword = self._groups("whole")[""]
        by_tag, by_source = self._groups("tag"), self._groups("source")
        return BracketAgreement(every, multiword, by_tag, by_source, self.sentences, self.unjudged)

    def _groups(self, sort):
        """Pairs of rows of the groups of a sort, those of most brackets first."""
        names = {group for group, scope, _ in self.counts if group[0] == sort and scope == 0}
        ordered = sorted(names, key=lambda group: (-self.counts[group, 0, "count"], group))
        return {group[1]: tuple(self._row(group, scope) for scope in (0, 1)) for group in ordered}

    def _row(self, group, scope):
        hits = {level: self.counts[group, scope, level] for level in JUDGED}
        phrases = self.counts[group, scope, "phrase"] if self.has_phrases else None
        return AgreementRow(self.counts[group, scope, "count"], hits, phrases)


def _count(counts, groups, is_multiword, level, is_phrase):
    """Count one bracket, respected up to ``level``, for each of some groups."""
    for group in groups:
        for scope in (0, 1) if is_multiword else (0,):
            counts[group, scope, "count"] += 1
            counts[group, scope, "phrase"] += is_phrase
            for held in range(1, level + 1):
                counts[group, scope, LEVELS[held]] += 1
