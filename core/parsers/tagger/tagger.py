"""A part-of-speech tagger: features of single words and three tags in a row, trained by the averaged perceptron.

Features are in the manner of Toutanova, Klein, Manning & Singer (2003), rush2012's sentence-level model; training is
that of Collins (2002). Tagging is exact, also under scores added to single words and tags (dual decomposition).
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.evaluation.scores import percent
from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.tagger import trigram
from core.parsers.tagger.features import TextFeatures, known_words
from core.parsers.tagger.lattice import Lattice
from core.parsers.tagger.model import KIND, TaggerModel, empty_model, zero_transitions_of
from core.parsers.weights import as_model
from core.threads import run_ranges
from core.treebank import Treebank
from core.treebank.retag import interned, with_column

CHUNK = 200  # sentences between two looks at ``cancel``
TRAINED, CANCELLED = "trained", "cancelled"


@dataclass(frozen=True)
class TaggerProgress:
    """Progress of training: the epoch under way from 1, the share of all epochs done, the share of words right in
    it."""

    epoch: int
    fraction: float
    training_accuracy: float
    seconds: float


@dataclass(frozen=True)
class TagAccuracy:
    """Words with a gold tag, and how many got it: those whose form training saw, and the others."""

    known_words: int
    known_correct: int
    unknown_words: int
    unknown_correct: int

    @property
    def words(self) -> int:
        return self.known_words + self.unknown_words

    @property
    def correct(self) -> int:
        return self.known_correct + self.unknown_correct

    def as_dict(self) -> dict[str, float | None]:
        """Percentages under their usual names, None where nothing was scored, beside the words scored."""
        return {
            "pos_accuracy": percent(self.correct, self.words),
            "known_accuracy": percent(self.known_correct, self.known_words),
            "unknown_accuracy": percent(self.unknown_correct, self.unknown_words),
            "words": self.words,
            "known_words": self.known_words,
            "unknown_words": self.unknown_words,
        }

    pos_accuracy = property(lambda self: self.as_dict()["pos_accuracy"], doc="Of all words, in percent.")
    known_accuracy = property(lambda self: self.as_dict()["known_accuracy"], doc="Of known words, in percent.")
    unknown_accuracy = property(lambda self: self.as_dict()["unknown_accuracy"], doc="Of unknown words, in percent.")


class Tagger:
    """A trigram tagger.

    Parameters
    ----------
    limit : int, default=0
        Words that training saw at least so often get no tag that they never had there; 0 limits none. Scores above 0
        added from outside open a tag again (``Lattice.decode``). May be changed at any time.
    minimum_count : int, default=2
        Features that look beyond the word must occur so often in training.
    class_count : int, default=20
        Words that occur so often in training, in any case, have transition scores of their own.

    Attributes
    ----------
    model : TaggerModel or None
        Known after training.
    tags : tuple of str
        The T tags, in the order of the columns of all scores.
    column : {"xpos", "upos"}
        Where they come from and go to.
    skipped : int
        Sentences left out of training because a word of theirs has no tag.
    status : {"trained", "cancelled"}

    Examples
    --------
    >>> tagger = Tagger().fit(treebank, tags="upos")
    >>> tagged = tagger.tag(text)
    >>> lattice = tagger.lattice(text)
    >>> tagging, values = lattice.decode(u)  # u: (rows, len(tagger.tags))
    """

    def __init__(self, *, limit: int = 0, minimum_count: int = 2, class_count: int = 20):
        self.limit, self.minimum_count, self.class_count = limit, minimum_count, class_count
        self.model, self.skipped, self.status = None, 0, ""

    tags = property(lambda self: self.trained().tags)
    column = property(lambda self: self.trained().column)

    def fit(
        self, treebank: Treebank, *, tags: str | None = None, epochs: int = 8, seed: int = 0,
        progress: Progress | None = None, cancel: Cancel | None = None,
    ) -> "Tagger":  # fmt: skip
        """Train on the tags of a treebank.

        Parameters
        ----------
        treebank : Treebank
            Sentences with a word without a tag are left out and counted in ``skipped``.
        tags : {"xpos", "upos", None}
            The column to learn; None takes the filled one, XPOS if both are.
        epochs : int, default=8
            Passes over the text.
        seed : int, default=0
            Of the order of sentences.
        progress : callable, optional
            Called with a TaggerProgress after every few sentences.
        cancel : callable, optional
            Asked as often; when it returns True training ends with the averages so far, ``status`` "cancelled".

        Returns
        -------
        Tagger
            This object.

        Raises
        ------
        WorkbenchError : no tags, no sentence with a tag on every word, no epochs.

        Notes
        -----
        Each sentence whose best tagging is wrong moves the weights by one towards the right one. The weights kept are
        their averages over all steps (Collins 2002, section 2.5). One search a sentence and epoch.
        """
        if epochs < 1:
            raise WorkbenchError(f"training needs at least one epoch, got {epochs}")
        name = treebank.tag_name(tags)
        usable = tagged_throughout(treebank, name)
        self.skipped = int(len(treebank) - usable.sum())
        if not usable.any():
            raise WorkbenchError(f"none of the {len(treebank)} sentences has a tag on every word; complete some")
        treebank = treebank if usable.all() else treebank.select(usable)
        text = TextFeatures(treebank)
        model = empty_model(
            text,
            name,
            tuple(sorted(getattr(treebank, name).counts())),
            minimum_count=self.minimum_count,
            class_count=self.class_count,
        )
        self.model, self.status = _perceptron(model, text, epochs, seed, progress, cancel)
        return self

    def lattice(self, treebank: Treebank, limit: int | None = None) -> Lattice:
        """All taggings of a treebank's words with their scores: a Lattice.

        ``limit`` is the tagger's own unless given. O(words), and once for each distinct form.
        """
        model = self.trained()
        text = TextFeatures(treebank)
        words = model.words(text)
        base = np.empty((len(words.own), len(model.tags)))
        costs = np.ones(len(base))
        run_ranges(lambda begin, end: trigram.sum_rows(model.weights, words.own[begin:end], base[begin:end]), costs)
        return Lattice(
            model.tags,
            treebank.offsets,
            words,
            model.weights,
            model.transitions,
            base,
            model.allowed(text, self.limit if limit is None else limit),
        )

    def decode(
        self, treebank: Treebank, u: np.ndarray | None = None, *, limit: int | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of the best tags (rows,) and values of the sentences (S,); see ``Lattice.decode``."""
        return self.lattice(treebank, limit).decode(u, threads=threads)

    def tag(
        self, treebank: Treebank, *, column: str | None = None, limit: int | None = None, threads: int | None = None
    ) -> Treebank:
        """The treebank with the best tags.

        Parameters
        ----------
        treebank : Treebank
            Tags it has are replaced.
        column : {"xpos", "upos"}, optional
            Where the tags go; the column that was learnt by default.

        Raises
        ------
        WorkbenchError : untrained, or the treebank's format has no such column.
        """
        column = column or self.column
        if column not in ("xpos", "upos"):
            raise WorkbenchError(f"tags go into xpos or upos, got {column!r}")
        tagging, _ = self.decode(treebank, limit=limit, threads=threads)
        return with_column(treebank, column, interned(tagging + 1, ("", *self.tags)))

    def accuracy(self, treebank: Treebank, *, limit: int | None = None, threads: int | None = None) -> TagAccuracy:
        """TagAccuracy against the treebank's own tags; words without one are not scored."""
        model = self.trained()
        text_has = getattr(treebank, model.column)
        if not text_has.filled:
            raise WorkbenchError(f"{treebank.name or 'the treebank'} has no {model.column} tags to compare with")
        tagging, _ = self.decode(treebank, limit=limit, threads=threads)
        return self.compare(treebank, tagging)

    def compare(self, treebank: Treebank, tagging: np.ndarray) -> TagAccuracy:
        """TagAccuracy of tag numbers (rows,), from wherever they come, against the treebank's own tags."""
        model = self.trained()
        scored = getattr(treebank, model.column).ids > 0
        correct = scored & (tagging == model.tag_ids(treebank))
        known = known_words(model.forms, treebank)
        masks = scored & known, correct & known, scored & ~known, correct & ~known
        return TagAccuracy(*(int(np.count_nonzero(mask)) for mask in masks))

    def save(self, path: str | Path | BinaryIO, *, half: bool = False) -> None:
        """Write the tagger to an ``.npz`` file: numbers and settings, no text but the tags' names, no pickle.

        ``half`` keeps weights as float16: a smaller file whose scores differ in the fourth digit.
        """
        settings = {"limit": self.limit, "minimum_count": self.minimum_count, "class_count": self.class_count}
        self.trained().save(path, settings, half)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "Tagger":
        """Read a tagger that ``save`` wrote. Raises FormatError for any other file."""
        model, settings = TaggerModel.load(path)
        with as_model(path):
            if not all(type(number) is int and number >= 0 for number in settings.values()):
                raise TypeError("counts")
            tagger = cls(**settings)
            tagger.model, tagger.status = model, TRAINED
            return tagger

    def trained(self) -> TaggerModel:
        """The trained model; WorkbenchError where there is none."""
        if self.model is None:
            raise WorkbenchError("this tagger has not been trained yet; call fit, or load a saved one")
        return self.model


def _perceptron(model, text, epochs, seed, progress, cancel):
    """(trained model, status): averaged perceptron from zero, by chunks of sentences in random order."""
    began, random = time.perf_counter(), np.random.default_rng(seed)
    treebank = text.treebank
    words, gold = model.words(text), model.tag_ids(treebank)
    trained = trigram.Sums(model.weights, model.transitions)
    totals = trigram.Sums(np.zeros_like(model.weights), zero_transitions_of(model.tags, model.classes))
    step, status = 0, TRAINED
    for epoch in range(epochs):
        order, wrong, seen = random.permutation(len(treebank)), 0, 0
        for begin in range(0, len(order), CHUNK):
            if cancel is not None and cancel():
                status = CANCELLED
                break
            chunk = order[begin : begin + CHUNK]
            wrong += trigram.train_range(treebank.offsets, chunk, step, words, gold, trained, totals)
            step, seen = step + len(chunk), seen + int(treebank.lengths[chunk].sum())
            if progress is not None:
                fraction = step / (epochs * len(order))
                progress(TaggerProgress(epoch + 1, fraction, 1 - wrong / seen, time.perf_counter() - began))
        if status == CANCELLED:
            break
    model.weights[:] -= totals.weights / max(step, 1)
    for array, total in zip(model.transitions[:4], totals.transitions[:4], strict=True):
        array -= total / max(step, 1)
    trigram.set_all_extremes(model.transitions)
    return model.without_idle_features(), status


__all__ = ["KIND", "Lattice", "TagAccuracy", "Tagger", "TaggerProgress"]
