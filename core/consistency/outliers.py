"""Outliers: words of a finished treebank that are attached otherwise than words in the same context, by odds.

What must agree is a word's attachment: the class of its head's tag (noun, name and number are alike), the head's side,
and whether the arc lies over a word whose own head is outside. Contexts are windows of tags, as in ``contexts``, with
the relation of the word in the middle. An error in a tree seldom comes with a relation that suits it.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.consistency.labels import ROOT, UNIVERSAL, TagCounts, shared_labels
from core.consistency.windows import head_rows
from core.errors import WorkbenchError
from core.treebank import Treebank
from core.treebank.statistics import crossing_arcs

AGREEMENT = 0.9
CLOSE = UNIVERSAL | dict.fromkeys(("DET", "NUM", "SYM", "X"), "nominal")  # tags of heads that count as one
WIDENING = (1, -1, 2)  # offsets of the words that join the window, one after the other
START, END, NONE = "START", "END", "_"  # in a window: what is beyond the sentence, a word without a tag


class Attachment(NamedTuple):
    """A word's attachment: its head's class or "ROOT", "left", "right" or "", and whether it crosses another arc."""

    head: str
    side: str
    crossing: bool

    def __str__(self) -> str:
        if not self.side:
            return "root of the sentence"
        return f"{self.head} to the {self.side}" + (", across another arc" if self.crossing else "")


@dataclass(frozen=True)
class Outlier:
    """A word that is attached otherwise than others in its context.

    Attributes
    ----------
    sentence, word : int
        Index of the sentence; the word's number in it.
    has, others : Attachment
        The word's own, and what is likeliest in its contexts.
    odds : float
        How many times likelier ``others`` is than ``has``; at most the number of words that are compared.
    context : str
        Such as ``DET *ADJ:amod* NOUN``: of the word's contexts, the one that speaks most clearly.
    agreeing, of : int
        How many of the other words in that context are attached as ``others`` says, and how many there are.
    """

    sentence: int
    word: int
    has: Attachment
    others: Attachment
    odds: float
    context: str
    agreeing: int
    of: int


def outliers(treebank: Treebank, agreement: float = AGREEMENT, tags: str | None = None) -> list[Outlier]:
    """The words whose attachment contradicts that of others in the same context, the highest odds first.

    Parameters
    ----------
    treebank : Treebank
        With tags and trees; words without a tag or a head, or whose head has no tag, are left out.
    agreement : float, default=0.9
        Least probability of the likeliest attachment, above 0.5.
    tags : {"upos", "xpos"}, optional
        By default UPOS where it is filled, else XPOS: the finer the tags, the fewer words share a context.

    Raises
    ------
    WorkbenchError : one sentence, no trees, no tags, an agreement that is no share above 0.5.

    Notes
    -----
    A word's contexts are nested. The first is its tag; its relation joins, then the tag to the right, that to the left,
    and the second to the right. Each refines the estimate of the one before (Witten & Bell 1991), the word itself left
    out: ``P = (c + T * P_before) / (n + T)`` for n words in the context, c of them attached so, and T different
    attachments. The first ``P_before`` is uniform. O(words log words).

    Contexts are those of rush2012, section 7. Dickinson & Meurers (2003) and Boyd, Dickinson & Meurers (2008) look for
    words in one context that are annotated in several ways; their contexts are word forms.
    """
    if not 0.5 < agreement <= 1:
        raise WorkbenchError(f"the agreement must be a share above 0.5 and up to 1, got {agreement:g}")
    words = _Words(treebank, tags)
    given, levels = words.attached, words.levels()
    likeliest, best = given, np.zeros(len(given))
    for level in levels:
        candidates = level.rivals(given)  # an attachment of probability above 0.5 is the rival in one of the contexts
        share = _probability(levels, candidates, given)
        likeliest, best = np.where(share > best, candidates, likeliest), np.maximum(share, best)
    odds = best / _probability(levels, given, given)
    hits = np.flatnonzero((likeliest != given) & (best >= agreement - 1e-9))
    hits = hits[np.argsort(-odds[hits], kind="stable")]
    odds = np.minimum(odds, len(given))
    return [words.outlier(levels, hit, int(likeliest[hit]), float(odds[hit]), agreement) for hit in hits.tolist()]


def words_with_heads(treebank: Treebank) -> str:
    """How many words have a head, in words: ``93 words``, or ``91 words with a head`` where others have none."""
    count = int((treebank.heads >= 0).sum())
    return f"{count:,} words" + (" with a head" if count < treebank.token_count else "")


def _probability(levels, attached, present):
    """float64 (words,): the probability of an attachment (words,) of each word, by the other words."""
    probability = np.full(len(present), 1 / (present.max() + 1))
    for level in levels:
        of, kinds = level.size[level.contexts] - 1, level.kinds[level.contexts]
        probability = (level.count(attached) - (attached == present) + kinds * probability) / (of + kinds)
    return probability


class _Level:
    """Contexts of one width, and how the words in each are attached.

    ``contexts`` (words,) has the number of each word's; by number of context, ``size`` words, ``kinds`` of attachment.
    """

    def __init__(self, contexts, attached):
        self.contexts, self._base = contexts, attached.max() + 1
        self._pairs, self._counts = np.unique(contexts * self._base + attached, return_counts=True)
        places = self._pairs // self._base
        self.size, self.kinds = np.bincount(contexts), np.bincount(places)
        order = np.lexsort((-self._pairs, self._counts, places))  # the last of each context is its most frequent
        ends = np.cumsum(self.kinds)
        self._first = self._pairs[order[ends - 1]] % self._base
        self._second = self._pairs[order[np.maximum(ends - 2, ends - self.kinds)]] % self._base

    def rivals(self, attached):
        """int64 (words,): the most frequent attachment in each word's context that is not its own; that if none is."""
        first = self._first[self.contexts]
        return np.where(first == attached, self._second[self.contexts], first)

    def count_in(self, context, kind):
        """The number of words in one context that are attached in one way."""
        at = np.searchsorted(self._pairs, context * self._base + kind)
        same = at < len(self._pairs) and self._pairs[at] == context * self._base + kind
        return int(self._counts[at]) if same else 0

    def count(self, attached):
        """The number of words in each word's context that have an attachment (words,)."""
        pairs = self.contexts * self._base + attached
        at = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        return np.where(self._pairs[at] == pairs, self._counts[at], 0)


class _Words:
    """The words that are compared: their ``rows`` in the treebank, and how each is ``attached``, as a number."""

    def __init__(self, treebank, tags):
        name, heads = treebank.name or "the treebank", treebank.heads
        if not (heads >= 0).any():
            raise WorkbenchError(f"{name} has no trees; annotate or parse it first")
        if len(treebank) < 2:
            raise WorkbenchError(f"{name} has one sentence; words are compared with those of others, so add some")
        self.treebank = treebank
        treebank.tag_column(tags)  # complains where there are none
        column = tags or treebank.coarse_name
        labels = shared_labels(TagCounts.of(treebank), tags=column)
        if column == "upos":
            labels = labels.with_close({tag: CLOSE[tag] for tag in labels.names if tag in CLOSE})
        self._labels, self._tags = labels, labels.of_rows(treebank)
        head = np.where(heads >= 0, self._tags[head_rows(treebank)], -1)
        self.rows = np.flatnonzero((self._tags > 0) & (head >= 0))
        if not len(self.rows):
            raise WorkbenchError(f"{name} has no word that has a tag and a head with a tag; tag the text first")
        how = 2 * (heads > treebank.numbers) + crossing_arcs(treebank.offsets, heads)
        codes = 4 * labels.classes[head].astype(np.int64) + np.where(heads > 0, how, 0)
        self._window = {offset: self._beside(offset) for offset in (0, *WIDENING)}
        self._codes, self.attached = np.unique(codes[self.rows], return_inverse=True)

    def levels(self):
        """The _Level of each width, the narrowest first."""
        related = [self.treebank.deprel.ids[self.rows]] if self.treebank.deprel.filled else []
        contexts, levels = np.zeros(len(self.rows), np.int64), []
        for column in (self._window[0], *related, *(self._window[offset] for offset in WIDENING)):
            contexts = np.unique(contexts * (int(column.max()) + 1) + column, return_inverse=True)[1]
            levels.append(_Level(contexts, self.attached))
        return levels

    def _beside(self, offset):
        """int64 (words,): the tag so many words on; beyond the sentence two numbers that no tag has."""
        there = self.treebank.numbers[self.rows] + offset
        length = self.treebank.lengths[self.treebank.sentence_rows[self.rows]]
        tags = self._tags[np.where((there >= 1) & (there <= length), self.rows + offset, 0)].astype(np.int64)
        size = len(self._labels.names)
        return np.where(there < 1, size, np.where(there > length, size + 1, tags + (tags < 0) * (size + 3)))

    def outlier(self, levels, hit, likeliest, odds, agreement):
        """The Outlier at a place among the words."""
        kind_here, counts = int(self.attached[hit]), []
        for level in levels:
            context = level.contexts[hit]
            alike, agreeing = (level.count_in(context, kind) for kind in (kind_here, likeliest))
            of = int(level.size[context]) - 1
            counts.append((agreeing >= agreement * of, agreeing / alike, len(counts), agreeing, of))
        *_, width, agreeing, of = max(counts)
        row = self.rows[hit]
        sentence = int(self.treebank.sentence_rows[row])
        word = int(row - self.treebank.offsets[sentence])
        has, others = self._attachment(kind_here), self._attachment(likeliest)
        return Outlier(sentence, word, has, others, odds, self._context(hit, width), agreeing, of)

    def _attachment(self, kind):
        number, how = divmod(int(self._codes[kind]), 4)
        if not number:
            return Attachment(ROOT, "", False)
        name = self._labels.close[self._labels.classes.tolist().index(number)]
        return Attachment(name[2:], "right" if how & 2 else "left", bool(how & 1))

    def _context(self, hit, width):
        """The name of the word's context of a level, counted from the narrowest, which is 0."""
        names, deprel = [*self._labels.names, START, END, NONE], self.treebank.deprel
        offsets = (0, *WIDENING[: max(0, width - deprel.filled)])
        names_at = {offset: names[self._window[offset][hit]] for offset in offsets}
        if deprel.filled and width:
            names_at[0] += f":{deprel.values[deprel.ids[self.rows[hit]]]}"
        names_at[0] = f"*{names_at[0]}*"
        return " ".join(names_at[offset] for offset in sorted(names_at))
