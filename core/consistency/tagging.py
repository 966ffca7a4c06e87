"""Tagging with consistency across sentences: all occurrences of an unknown word should have one tag (rush2012)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.callbacks import Progress
from core.consistency.effects import WordEffect, word_effects
from core.consistency.labels import tag_labels
from core.consistency.results import Consistent
from core.consistency.settings import ConsistencySettings
from core.consistency.tagging_problem import NEVER, Stops, TaggingProblem
from core.consistency.unknown import UnknownIndex, UnknownWords
from core.parsers import Tagger
from core.treebank import Treebank
from core.treebank.retag import interned, with_column

# In mean margins of the unknown words. Shared words connect almost all sentences, so each decision has a small step of
# its own, and the last disagreements take more than the paper's 200 iterations: releasing them would unsettle the rest.
TAGGING = ConsistencySettings(
    delta1=0.9,
    delta2=0.8,
    delta3=0.02,
    step=0.2,
    iterations=600,
    release_iterations=100,
    decay="decision",
    patience=0,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsistentTags(Consistent):
    """Tags of a test text in which unknown words are tagged alike, and how they were found; see ``Consistent`` too.

    ``labels`` are numbers of tags; ``seconds`` has ``iterations`` too.

    Attributes
    ----------
    tags : tuple of str
    tagging, base_tagging : ndarray of shape (rows,), dtype int32
        Numbers of tags as the tagger has them, with consistency and without; -1 on root rows.
    words : UnknownWords
        The groups of unknown words, imported occurrences included.
    """

    tags: tuple
    tagging: np.ndarray
    base_tagging: np.ndarray
    words: UnknownWords

    def base_treebank(self, column: str) -> Treebank:
        """The test text with the tags of the tagger alone."""
        return tagged_by(self.treebank, column, self.tags, self.base_tagging)

    def effects(self, gold: np.ndarray | None = None) -> list[WordEffect]:
        """The groups of which a test word changed its tag: ``word_effects`` of these tags."""
        return word_effects(self.words, self.treebank, self.tags, self.base_tagging, self.tagging, self.labels, gold)

    def statistics(self) -> dict:
        """Plain numbers: groups, shares of active, certified and released, time against a single pass."""
        sizes = self.words.sizes
        figures = {
            "groups": len(self.labels),
            "median_size": float(np.median(sizes)) if len(sizes) else None,
            "unknown_words": int((self.words.groups_of(self.treebank) >= 0).sum()),
            "imported_sentences": self.words.imported,
            "changed_words": int((self.tagging != self.base_tagging).sum()),
        }
        return figures | self.search_statistics()


def tag_consistently(
    tagger: Tagger, test: Treebank, settings: ConsistencySettings | None = None, *, words: UnknownWords | None = None,
    train: Treebank | None = None, progress: Progress | None = None, stops: Stops = NEVER,
) -> ConsistentTags:  # fmt: skip
    """Tag a text so that all occurrences of a word that training did not see have one tag.

    Parameters
    ----------
    tagger : Tagger
        Trained. A word is unknown if its form did not occur in its training.
    test : Treebank
        Tags it has are not looked at.
    settings : ConsistencySettings, optional
        Of which deltas, ``unit`` and the search count here; ``TAGGING`` by default.
    words : UnknownWords, optional
        The groups that share a consensus, and the sentences that were imported for them. By default those of the test
        text alone: a word and its relative, with a final s, share one. ``UnknownIndex`` finds them in further text.
    train : Treebank, optional
        Its universal tags say which fine ones are close.
    progress : callable, optional
        Called with ("search", Record) after each iteration.
    stops : Stops, optional
        From where a search that was cancelled goes on, and how this one can be.

    Returns
    -------
    ConsistentTags

    Raises
    ------
    WorkbenchError : an untrained tagger; no unknown word occurs twice.

    Notes
    -----
    Source: rush2012, sections 4 and 7.
    """
    began = time.perf_counter()
    settings = settings or TAGGING
    words = UnknownIndex.of(tagger.trained().forms, test).select() if words is None else words
    words.require_some()
    grouped = time.perf_counter()
    base, _ = tagger.decode(test)
    single = time.perf_counter() - grouped
    problem = TaggingProblem(tagger, words, tag_labels(tagger.tags, tagger.column, train), settings)
    searched = time.perf_counter()
    report = None if progress is None else lambda record: progress("search", record)
    result = problem.search(report, stops)
    ended = time.perf_counter()
    tagging, labels, certified = problem.outcome(result)
    tagging = tagging[: len(test.heads)]
    return ConsistentTags(
        tags=tagger.tags,
        treebank=tagged_by(test, tagger.column, tagger.tags, tagging),
        tagging=tagging,
        base_tagging=base,
        words=words,
        labels=labels,
        dual=result,
        primal=result.primal,
        bound=result.dual,
        certified=certified[: len(test)],
        released=result.released_blocks[result.released_blocks < len(test)],
        unit=problem.unit,
        seconds={"single": single, "iterations": ended - searched, "total": time.perf_counter() - began},
    )


def tagged_by(treebank: Treebank, column: str, tags: Sequence[str], tagging: np.ndarray) -> Treebank:
    """The treebank with the tags of these numbers, int (rows,), in a column; -1 is none."""
    return with_column(treebank, column, interned(tagging + 1, ("", *tags)))
