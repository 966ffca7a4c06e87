"""Training examples of an epoch: sentences of real and turned languages, with answers and statistics.

Answers are degrees or one word, and any may be open. Statistics come from a whole text or a small part of it. Tags may
be uncertain, as those that come from a list of words are. Morphology may be missing. All this is drawn at random, so
that the network can be used where any of it is missing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.parsers.universal.morphology import FEATURES
from core.parsers.universal.questions import (
    CONTENT,
    QUESTIONS,
    SIX,
    answers_of_trees,
    arc_classes,
    in_one_word,
    relation_classes,
)
from core.parsers.universal.statistics import surface_statistics
from core.parsers.universal.text import ROOT, TaggedWords
from core.parsers.universal.turning import turned

WIDTHS = (7, 11, 15, 19, 25, 33, 41)  # words and a root: sentences are filled up to one of these
LONGEST = WIDTHS[-1] - 1
ALL_OPEN, EACH_OPEN, SIX_ONLY, IN_ONE_WORD = 0.15, 0.15, 0.3, 0.5
NO_STATISTICS, EACH_STATISTIC = 0.2, 0.3  # are left out
NO_FEATURES, EACH_FEATURE = 0.4, 0.1  # probabilities of dropping all features of morphology, and each of them
PARTS = (None, None, 100, 30)  # sentences that statistics are of
TURNED, RELATIONS_TURNED = 0.3, 0.1  # questions and relations whose words are turned
WHOLLY, LEAST_TURNED = 0.7, 0.5  # the probability of turning all these words, and the least share otherwise
NAMED = np.array([question.relation != CONTENT for question in QUESTIONS])  # questions whose words can be turned


class Batch(NamedTuple):
    """B sentences of at most W words, a root included.

    Attributes
    ----------
    shares : ndarray of shape (B, W, T + 1), dtype float32
        How probable each tag of a word is, and ROOT.
    heads, relations : ndarray of shape (B, W), dtype int32
    present : ndarray of shape (B, W), dtype float32
        1 for words and roots.
    answers : ndarray of shape (B, 2 Q), dtype float32
        As ``as_input`` gives them.
    statistics : ndarray of shape (B, N), dtype float32
    features : ndarray of shape (B, W, F), dtype float32
        1 where a word has a feature.
    """

    shares: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    present: np.ndarray
    answers: np.ndarray
    statistics: np.ndarray
    features: np.ndarray


@dataclass(frozen=True)
class Drawing:
    """Settings by which the examples of an epoch are drawn.

    Attributes
    ----------
    sentences : int
        Of each source in each epoch.
    turned : int
        Copies of these with some orders turned.
    doubted : float
        Share of copies, of the sources that have ``shares``, that are read with these; the others with their own tags.
    batch : int
        Sentences that are learnt from at a time; twice as many of at most ``short`` words.
    short : int
    """

    sentences: int = 800
    turned: int = 1
    doubted: float = 0.6
    batch: int = 48
    short: int = 14


@dataclass(frozen=True, eq=False)
class _Language:
    """A text to learn from, real or turned; the answers of its trees; statistics (4, N) of parts of it, as in PARTS."""

    words: TaggedWords
    answers: np.ndarray
    statistics: np.ndarray


def epoch(
    sources: Sequence[TaggedWords], relations: Sequence[str], settings: Drawing, generator: np.random.Generator
) -> Iterator[Batch]:
    """The batches of an epoch, in random order: of every source some sentences as they are, and turned.

    Sentences of more than LONGEST words are left out, and those that fill no batch. O(rows).
    """
    copies = [(source, turn) for source in sources for turn in range(1 + settings.turned)]
    languages = [_language(source, relations, settings, generator, turn > 0) for source, turn in copies]
    sizes = [len(language.words) for language in languages]
    of = np.repeat(np.arange(len(sizes)), sizes)
    number = np.concatenate([np.arange(size) for size in sizes])
    widths = np.searchsorted(WIDTHS, np.concatenate([np.diff(language.words.offsets) for language in languages]))
    chosen = []
    for index, width in enumerate(WIDTHS):
        members = generator.permutation(np.flatnonzero(widths == index))
        size = settings.batch * (2 if width <= settings.short + 1 else 1)
        chosen += [(width, members[begin : begin + size]) for begin in range(0, len(members) - size + 1, size)]
    for index in generator.permutation(len(chosen)).tolist():
        width, members = chosen[index]
        yield _batch([(languages[of[copy]], number[copy]) for copy in members], width, generator)


def as_input(answers: np.ndarray) -> np.ndarray:
    """float32 (2 Q,): answers, 0 where open, then whether they are known."""
    known = ~np.isnan(answers)
    return np.concatenate([np.where(known, answers, 0), known]).astype(np.float32)


def _language(source, relations, settings, generator, turns):
    """A _Language of some sentences of a source."""
    words = source.select(generator.permutation(len(source))[: settings.sentences])
    if turns:
        chosen = NAMED & (generator.random(len(QUESTIONS)) < TURNED)
        classes = arc_classes()[chosen][..., None] & relation_classes(relations)[chosen][:, None, None]
        share = 1.0 if generator.random() < WHOLLY else generator.uniform(LEAST_TURNED, 1)
        turn = classes.any(axis=0) ^ (generator.random(len(relations)) < RELATIONS_TURNED)
        words = turned(words, turn, share, generator)
    answers = answers_of_trees(words, relations)
    if generator.random() >= settings.doubted:
        words = replace(words, shares=None)
    elif words.shares is not None:
        words = replace(words, tags=words.shares.argmax(axis=1))
    parts = (words if part is None else words.select(generator.permutation(len(words))[:part]) for part in PARTS)
    return _Language(words, answers, np.stack([surface_statistics(part) for part in parts]))


def _batch(sentences, width, generator):
    """A Batch of (_Language, number of a sentence)."""
    heads, relations, present = (np.zeros((len(sentences), width), np.int32) for _ in range(3))
    shares = np.zeros((len(sentences), width, ROOT + 1), np.float32)
    answers, statistics = [], []
    features = np.zeros((len(sentences), width, len(FEATURES)), np.float32)
    for row, (language, number) in enumerate(sentences):
        words = language.words
        rows = slice(words.offsets[number], words.offsets[number + 1])
        side = rows.stop - rows.start
        relations[row, :side], present[row, :side] = words.relations[rows], 1
        heads[row, :side], shares[row, :side] = np.maximum(words.heads[rows], 0), words.probable_tags(rows)
        features[row, :side] = words.features[rows] & _some_features(generator)
        answers.append(as_input(_some_answers(language.answers, generator)))
        statistics.append(_some_statistics(language.statistics, generator))
    present = present.astype(np.float32)
    return Batch(shares, heads, relations, present, np.stack(answers), np.stack(statistics), features)


def _some_answers(answers, generator):
    """Answers (Q,) as a person might give them, some left open."""
    if generator.random() < ALL_OPEN:
        return np.full(len(answers), np.nan)
    drawn = in_one_word(answers) if generator.random() < IN_ONE_WORD else answers
    drawn = np.where(generator.random(len(drawn)) < EACH_OPEN, np.nan, drawn)
    if generator.random() < SIX_ONLY:
        drawn[len(SIX) :] = np.nan
    return drawn


def _some_features(generator):
    """bool (F,): the features of morphology that a sentence keeps."""
    if generator.random() < NO_FEATURES:
        return np.zeros(len(FEATURES), bool)
    return generator.random(len(FEATURES)) >= EACH_FEATURE


def _some_statistics(statistics, generator):
    """Statistics (N,) of a text or a part of it, some left out."""
    if generator.random() < NO_STATISTICS:
        return np.zeros_like(statistics[0])
    is_kept = generator.random(statistics.shape[1]) >= EACH_STATISTIC
    return statistics[generator.integers(len(PARTS))] * is_kept / np.float32(1 - EACH_STATISTIC)
