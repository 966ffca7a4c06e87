"""What consistency changed, context by context: Table 5 and Figure 4 of rush2012."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.consistency.contexts import Contexts
from core.consistency.unknown import UnknownWords
from core.treebank import Treebank
from core.trees import PackedHeads


@dataclass(frozen=True)
class LabelChange:
    """One word whose head, or tag, changed; ``gold`` is None where it is not known."""

    sentence: int
    word: int
    before: int | str
    after: int | str
    gold: int | str | None = None


@dataclass(frozen=True)
class ContextEffect:
    """Words whose heads one context changed.

    Attributes
    ----------
    context : int
        Its number in the Contexts.
    name : str
        In words, the constrained word marked.
    label : str
        The consensus: a tag, "ROOT", or "NULL" where it is turned off.
    size : int
        Test words in it.
    changes : tuple of LabelChange
        Words of the context whose head changed.
    corrected, harmed : int or None
        How many became right and wrong; None without gold trees.
    """

    context: int
    name: str
    label: str
    size: int
    changes: tuple
    corrected: int | None = None
    harmed: int | None = None

    @property
    def net(self) -> int:
        """Corrected minus harmed; the number of changes without gold trees."""
        return len(self.changes) if self.corrected is None or self.harmed is None else self.corrected - self.harmed


@dataclass(frozen=True)
class WordEffect:
    """Words whose tags the consensus on a group of unknown words changed.

    Attributes
    ----------
    group : int
    name : str
        The forms.
    label : str
        The consensus: a tag, or "NULL" where it is turned off.
    size : int
        Occurrences, imported ones included.
    changes : tuple of LabelChange
        Test words whose tag changed; ``before``, ``after`` and ``gold`` are tags.
    corrected, harmed : int or None
        How many became right and wrong; None without gold tags.
    """

    group: int
    name: str
    label: str
    size: int
    changes: tuple
    corrected: int | None = None
    harmed: int | None = None

    @property
    def net(self) -> int:
        """Corrected minus harmed; the number of changes without gold tags."""
        return len(self.changes) if self.corrected is None or self.harmed is None else self.corrected - self.harmed


def word_effects(
    words: UnknownWords, test: Treebank, tags: Sequence[str], before: np.ndarray, after: np.ndarray,
    labels: np.ndarray, gold: np.ndarray | None = None,
) -> list[WordEffect]:  # fmt: skip
    """The groups of unknown words of which a test word changed its tag, the most effective first.

    Parameters
    ----------
    words : UnknownWords
    test : Treebank
    tags : sequence of str
    before, after : int arrays (rows,)
        Numbers of tags without and with consistency.
    labels : int array (G,)
        The consensus of each group, -1 for NULL.
    gold : object array (rows,), optional
        The right tags, "" where none is known: then effects are ranked by words corrected minus words harmed.

    Returns
    -------
    list of WordEffect

    Notes
    -----
    O(rows).
    """
    groups, changes_of = words.groups_of(test), {}
    rows = np.flatnonzero((after != before) & (groups >= 0))
    sentences = np.searchsorted(test.offsets, rows, side="right") - 1
    for row, sentence in zip(rows.tolist(), sentences.tolist(), strict=True):
        right = None if gold is None else gold[row] or None
        was, now = (tags[int(numbers[row])] for numbers in (before, after))
        change = LabelChange(sentence, row - int(test.offsets[sentence]), was, now, right)
        changes_of.setdefault(int(groups[row]), []).append(change)
    sizes, effects = words.sizes, []
    for group, changes in changes_of.items():
        scores = {}
        if gold is not None:
            scores["corrected"] = sum(change.after == change.gold for change in changes)
            scores["harmed"] = sum(change.before == change.gold for change in changes)
        label = "NULL" if labels[group] < 0 else tags[int(labels[group])]
        effects.append(WordEffect(group, words.names[group], label, int(sizes[group]), tuple(changes), **scores))
    return sorted(effects, key=lambda effect: (-effect.net, -len(effect.changes), effect.name))


def context_effects(
    contexts: Contexts, before: PackedHeads, after: PackedHeads, labels: np.ndarray, gold: Treebank | None = None
) -> list[ContextEffect]:
    """The contexts that changed a word, the most effective first.

    Parameters
    ----------
    contexts : Contexts
    before, after : PackedHeads
        Trees of the test text without and with consistency.
    labels : int array (C,)
        The consensus of each context, -1 for NULL.
    gold : Treebank, optional
        The test text with its right trees: then effects are ranked by words corrected minus words harmed.

    Returns
    -------
    list of ContextEffect
    """
    test, names = contexts.index.test, contexts.index.labels.names
    known = np.full(len(test.heads), -1) if gold is None else gold.heads
    rows = np.flatnonzero((before.values != after.values) & (contexts.test_contexts >= 0))
    grouped = {}
    for row in rows.tolist():
        grouped.setdefault(int(contexts.test_contexts[row]), []).append(row)
    sizes, effects = contexts.test_sizes, []
    for context, changed in grouped.items():
        sentences = np.searchsorted(test.offsets, changed, side="right") - 1
        changes = tuple(
            LabelChange(
                int(sentence),
                int(row - test.offsets[sentence]),
                int(before.values[row]),
                int(after.values[row]),
                int(known[row]) if known[row] >= 0 else None,
            )
            for row, sentence in zip(changed, sentences.tolist(), strict=True)
        )
        scores = {}
        if gold is not None:
            scores["corrected"] = sum(change.after == change.gold for change in changes)
            scores["harmed"] = sum(change.before == change.gold for change in changes)
        label = "NULL" if labels[context] < 0 else names[labels[context]]
        name = contexts.index.name(contexts.types[context])
        effects.append(ContextEffect(context, name, label, int(sizes[context]), changes, **scores))
    return sorted(effects, key=lambda effect: (-effect.net, -len(effect.changes), effect.name))
