"""The taggings of a text and their scores, for search and for dual decomposition."""

from dataclasses import dataclass

import numpy as np

from core.errors import InfeasibleError, ScoreShapeError
from core.parsers.tagger import trigram
from core.parsers.tagger.trigram import Local, Transitions, Words
from core.threads import run_ranges


@dataclass(frozen=True, eq=False)
class Lattice:
    """The taggings of a text; made by ``Tagger.lattice``, never changes.

    Attributes
    ----------
    tags : tuple of str
        Names of the T tags.
    offsets : ndarray of shape (S + 1,), dtype int64
        Rows of each sentence, its root first, as in ``Treebank``.
    words, weights, transitions
        As in ``core.parsers.tagger.trigram``.
    base : ndarray of shape (V, T), dtype float64
        Scores of the forms by themselves.
    allowed : ndarray of shape (V, T), dtype bool
        Tags that the limit leaves to each form.
    """

    tags: tuple
    offsets: np.ndarray
    words: Words
    weights: np.ndarray
    transitions: Transitions
    base: np.ndarray
    allowed: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, T): of local scores, and of bonuses."""
        return len(self.words.types), len(self.tags)

    def local_scores(self) -> np.ndarray:
        """float64 (rows, T): what each word's features say for each tag, before any limit; 0 on root rows."""
        scores = np.zeros(self.shape)
        open_forms, no_bonus = np.ones_like(self.allowed), np.empty((0, len(self.tags)))
        for first, last in zip(self.offsets[:-1] + 1, self.offsets[1:], strict=True):
            local = scores[first:last]
            trigram.local_scores(first, self.words, Local(self.base, open_forms, no_bonus, self.weights), local)
        return scores

    def open_tags(self, u: np.ndarray | None = None) -> np.ndarray:
        """bool (rows, T): the tags that ``decode(u)`` chooses from; none on root rows."""
        allowed = self.allowed[self.words.types]
        if u is not None:
            u = self._bonus(u)
            allowed = (allowed | (u > 0)) & (u > -np.inf)
        allowed[self.offsets[:-1]] = False
        return allowed

    def decode(
        self, u: np.ndarray | None = None, *, sentences: np.ndarray | None = None,
        into: tuple[np.ndarray, np.ndarray] | None = None, threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
        """The best tagging of every sentence under local scores + u.

        Parameters
        ----------
        u : ndarray of shape (rows, T), dtype float64, optional
            Added to the local scores; -inf forbids a tag; root rows are ignored. Where the tagger limits known words
            to their training tags, a value above 0 opens a tag again.
        sentences : int array, optional
            Only these sentences; all by default.
        into : (tagging, values), optional
            Arrays of an earlier call to overwrite for these sentences; without them the others hold -1 and NaN.
        threads : int, optional
            All cores by default.

        Returns
        -------
        tagging : ndarray of shape (rows,), dtype int32
            Number of each word's tag; -1 on root rows.
        values : ndarray of shape (S,), dtype float64
            Score of each sentence's tagging, its share of u included.

        Raises
        ------
        ScoreShapeError : u has another shape, or holds NaN or +inf at a word.
        InfeasibleError : u forbids every tagging of a sentence.

        Notes
        -----
        Exact; of taggings with equal value, the one whose last tag has the smallest number, then the last but one,
        and so on. O(n T^3) a sentence at worst; ``trigram.py`` says why it is nearer to O(n T^2).
        """
        bonus = np.empty((0, len(self.tags))) if u is None else self._bonus(u)
        picks = np.arange(len(self.offsets) - 1) if sentences is None else np.asarray(sentences, dtype=np.int64)
        if into is None:
            into = np.full(self.shape[0], -1, dtype=np.int32), np.full(len(self.offsets) - 1, np.nan)
        tagging, values = into

        def work(begin, end):
            trigram.decode_range(
                self.offsets,
                picks[begin:end],
                self.words,
                Local(self.base, self.allowed, bonus, self.weights),
                self.transitions,
                tagging,
                values,
            )

        run_ranges(work, (self.offsets[1:] - self.offsets[:-1])[picks], threads)
        wrong = np.isnan(values[picks])
        if wrong.any():
            raise ScoreShapeError(f"u holds NaN or +inf in sentence {picks[wrong][0]}; use finite values, or -inf")
        impossible = values[picks] == -np.inf
        if impossible.any():
            sentence = int(picks[impossible][0])
            raise InfeasibleError(f"u forbids every tagging of sentence {sentence}; leave it a tag", sentence=sentence)
        return tagging, values

    def score(self, tagging: np.ndarray, u: np.ndarray | None = None) -> np.ndarray:
        """float64 (S,): the score of a tagging (rows,) under local scores + u; no limit applies."""
        scores = self.local_scores()
        if u is not None:
            scores += self._bonus(u)
        values = np.empty(len(self.offsets) - 1)
        for sentence, (first, last) in enumerate(zip(self.offsets[:-1] + 1, self.offsets[1:], strict=True)):
            values[sentence] = trigram.tagging_value(
                scores[first:last], self.words.classes[first:last], self.transitions, tagging[first:last]
            )
        return values

    def _bonus(self, u):
        u = np.ascontiguousarray(u, dtype=np.float64)
        if u.shape != self.shape:
            raise ScoreShapeError(
                f"u must have shape {self.shape}: rows as in the treebank, a column a tag; got {u.shape}"
            )
        return u
