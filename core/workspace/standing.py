"""A text as it stands: its file, the tags of a lexicon or tagger over it, and over both what people have corrected.

Every page, export, score, search and training asks this one description, so that what is corrected in one place counts
in all. Corrected sentences are shown whether they are begun or done. What is learnt from, and scored by, are those of
the file and those that are done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.annotation import SentenceAnnotation, annotated
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.treebank import Treebank
from core.workspace.corrections import TREE_COLUMNS, CorrectionsReader, TextCorrections


@dataclass(frozen=True, eq=False)
class Standing:
    """A text under its corrections; never changes.

    Attributes
    ----------
    base : Treebank
        The sentences before any correction: those of the file, under the tags of a lexicon or tagger.
    corrections : TextCorrections
    treebank : Treebank
        The sentences under the corrections.
    misfits : frozenset of int
        Sentences whose corrections do not fit their words, or are no tree; they are left as in ``base``.
    """

    base: Treebank
    corrections: TextCorrections
    treebank: Treebank
    misfits: frozenset[int] = frozenset()

    @cached_property
    def file_has_trees(self) -> bool:
        """Whether the file itself has trees: a treebank, and no text that somebody has begun to annotate."""
        return bool((self.base.heads >= 0).any())

    @cached_property
    def by_hand(self) -> np.ndarray:
        """int64, ascending: the sentences with a head that a person has marked done, corrected or not."""
        done = np.array(sorted(self.corrections.done), np.int64)
        done = done[done < len(self.treebank)]
        return done[has_heads(self.treebank)[done]]

    @cached_property
    def corrected(self) -> np.ndarray:
        """int64, ascending: the sentences in which a head or relation was corrected."""
        changed = self.corrections.columns.items()
        trees = {index for index, values in changed if any(name in values for name in TREE_COLUMNS)}
        return np.array(sorted(trees.intersection(range(len(self.base))) - self.misfits), np.int64)


def compose(base: Treebank, corrections: TextCorrections, former: Standing | None = None) -> Standing:
    """The Standing of a text.

    ``former`` is another one over the same base: then only the sentences in which the two differ are gone through,
    unless there are enhanced dependencies, which a change that is taken back must bring back. O(rows), and the words
    of those sentences; O(bytes) for a tag column that differs.
    """
    if former is None or former.base is not base or base.source.has_graphs:
        former = Standing(base, TextCorrections(corrections.corpus), base)
    was, now = former.corrections.columns, corrections.columns
    changed = [
        index
        for index in was.keys() | now.keys()
        if was.get(index) is not now.get(index) and was.get(index) != now.get(index) and index < len(base)
    ]
    if not changed:
        return Standing(base, corrections, former.treebank, former.misfits)
    wanted, misfits = {}, set(former.misfits) - set(changed)
    for index in changed:
        try:
            wanted[index] = _corrected(base, corrections, index)
        except WorkbenchError:
            wanted[index] = SentenceAnnotation.of(base[index])
            misfits.add(index)
    treebank = former.treebank.to_conllu()
    try:
        treebank = annotated(treebank, wanted)
    except WorkbenchError:  # some heads run in a cycle, as in a document that was damaged
        for index, annotation in wanted.items():
            try:
                treebank = annotated(treebank, {index: annotation})
            except WorkbenchError:
                treebank = annotated(treebank, {index: SentenceAnnotation.of(base[index])})
                misfits.add(index)
    return Standing(base, corrections, treebank, frozenset(misfits))


def _corrected(base, corrections, index):
    """The SentenceAnnotation of a sentence under its corrections."""
    original = SentenceAnnotation.of(base[index])
    values = corrections.values(index)
    return original.with_values({name: _filled(column, getattr(original, name)[1:]) for name, column in values.items()})


def _filled(column: Sequence, original: Sequence) -> Sequence:
    """A column with the original's values in place of None."""
    if len(column) != len(original):
        return column
    return [before if value is None else value for value, before in zip(column, original, strict=True)]


class StandingReader:
    """One version of a text, kept current; many threads may ask."""

    def __init__(self, layer: str = ""):
        self.corrections = CorrectionsReader(layer)
        self._last: dict[bool, Standing] = {}  # the last composed of all corrections, and of those that are done

    def compose(self, base: Treebank, corrections: TextCorrections, done: bool) -> Standing:
        """As ``compose``, from the last one that was asked for: of all corrections, or of those that are ``done``."""
        self._last[done] = standing = compose(base, corrections, self._last.get(done))
        return standing
