"""Tagging with consistency across sentences: all occurrences of an unknown word should have one tag (rush2012)."""

import time
from dataclasses import dataclass

import numpy as np

from core.callbacks import Progress
from core.consistency.effects import LabelChange, WordEffect
from core.consistency.labels import tag_labels
from core.consistency.results import Consistent
from core.consistency.settings import ConsistencySettings
from core.consistency.tagging_problem import TaggingProblem
from core.consistency.unknown import UnknownWords, import_sentences
from core.errors import WorkbenchError
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
    patience=None,
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
    imported : int
        Further sentences in which unknown words were looked up.
    """

    tags: tuple
    tagging: np.ndarray
    base_tagging: np.ndarray
    words: UnknownWords
    imported: int

    def effects(self) -> list:
        """The groups of which a test word changed its tag, those that changed most first: list of WordEffect."""
        effects, test = [], self.treebank
        changed = (self.tagging != self.base_tagging) & (self.words.groups_of(test) >= 0)
        groups = self.words.groups_of(test)
        for group in np.unique(groups[changed]).tolist():
            changes = []
            for row in np.flatnonzero(changed & (groups == group)).tolist():
                sentence = int(np.searchsorted(test.offsets, row, side="right")) - 1
                before, after = (self.tags[tagging[row]] for tagging in (self.base_tagging, self.tagging))
                changes.append(LabelChange(sentence, row - int(test.offsets[sentence]), before, after))
            label = "NULL" if self.labels[group] < 0 else self.tags[self.labels[group]]
            size = int((self.words.group == group).sum())
            effects.append(WordEffect(group, self.words.names[group], label, size, tuple(changes)))
        return sorted(effects, key=lambda effect: (-len(effect.changes), effect.name))

    def statistics(self) -> dict:
        """Plain numbers: groups, shares of active, certified and released, time against a single pass."""
        sizes = np.bincount(self.words.group, minlength=len(self.labels))
        figures = {
            "groups": len(self.labels),
            "median_size": float(np.median(sizes)) if len(sizes) else None,
            "unknown_words": int((self.words.groups_of(self.treebank) >= 0).sum()),
            "imported_sentences": self.imported,
            "changed_words": int((self.tagging != self.base_tagging).sum()),
        }
        return figures | self.search_statistics()


def tag_consistently(
    tagger: Tagger, test: Treebank, settings: ConsistencySettings | None = None, *, extra: Treebank | None = None,
    imports: int = 20, train: Treebank | None = None, progress: Progress | None = None,
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
    extra : Treebank, optional
        Text that needs no tags. Up to ``imports`` of its sentences are taken for each unknown word of the test text,
        and for the word's relative: with or without a final s. The relatives share a consensus.
    train : Treebank, optional
        Its universal tags say which fine ones are close.
    progress : callable, optional
        Called with ("search", Record) after each iteration.

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
    if imports < 0:
        raise WorkbenchError(f"the number of sentences to import must be 0 or more, got {imports}")
    base, _ = tagger.decode(test)
    single = time.perf_counter() - began
    texts = [test]
    if extra is not None and imports:
        imported = import_sentences(tagger, test, extra, imports)
        texts += [imported] if len(imported) else []
    words = UnknownWords.of(tagger, texts)
    if not len(words.names):
        raise WorkbenchError(
            "no word that training did not see occurs twice, so there is nothing to agree on; give a longer text, or "
            "further text to look words up in"
        )
    problem = TaggingProblem(tagger, texts, words, tag_labels(tagger.tags, tagger.column, train), settings)
    searched = time.perf_counter()
    result = problem.search((lambda record: progress("search", record)) if progress else None)
    ended = time.perf_counter()
    tagging, labels, certified = problem.outcome(result)
    tagging = tagging[: len(test.heads)]
    return ConsistentTags(
        tags=tagger.tags,
        treebank=with_column(test, tagger.column, interned(tagging + 1, ("", *tagger.tags))),
        tagging=tagging,
        base_tagging=base,
        words=words,
        labels=labels,
        dual=result,
        primal=result.primal,
        bound=result.dual,
        certified=certified[: len(test)],
        released=result.released_blocks[result.released_blocks < len(test)],
        imported=sum(len(text) for text in texts[1:]),
        unit=problem.unit,
        seconds={"single": single, "iterations": ended - searched, "total": time.perf_counter() - began},
    )
