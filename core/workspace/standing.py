"""A text as it stands: its file, the tags of a lexicon or tagger over it, and over both what people have corrected.

Every page, export, score, search and training asks this one description, so that what is corrected in one place counts
in all. Corrected sentences are shown whether they are begun or done. What is learnt from, and scored by, are those of
the file and those that count: that are done, and by choice those that are begun.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.annotation import ENTRIES, SentenceAnnotation, annotated
from core.annotation.edits import GRAPH
from core.annotation.label_inventories import value_of, with_entry
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.treebank import Treebank
from core.treebank.retag import with_column
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
        """int64, ascending: the sentences with a head that count as a person's, corrected or not."""
        counted = np.array(sorted(self.corrections.counted), np.int64)
        counted = counted[counted < len(self.treebank)]
        return counted[has_heads(self.treebank)[counted]]

    @cached_property
    def only_begun(self) -> np.ndarray:
        """int64, ascending: those ``by_hand`` that are begun and not done."""
        return self.by_hand[np.isin(self.by_hand, list(self.corrections.begun))]

    def marked(self, sentences: np.ndarray) -> dict[str, int]:
        """How many of some sentences count by a person's mark, and how many of these are begun: as ScoreConditions."""
        counts = {"by_hand": self.by_hand, "only_begun": self.only_begun}
        return {name: int(np.isin(sentences, among).sum()) for name, among in counts.items()}

    @cached_property
    def corrected(self) -> np.ndarray:
        """int64, ascending: the sentences in which a head or relation was corrected."""
        changed = self.corrections.columns.items()
        trees = {index for index, values in changed if any(name in values for name in TREE_COLUMNS)}
        return np.array(sorted(trees.intersection(range(len(self.base))) - self.misfits), np.int64)


def compose(base: Treebank, corrections: TextCorrections, former: Standing | None = None) -> Standing:
    """The Standing of a text.

    ``former`` is another one over the same base: then only the sentences in which the two differ are gone through,
    unless the base has enhanced dependencies, which a change that is taken back must bring back. They are brought
    along where trees differ, but for sentences in which somebody has drawn them. O(rows), and the words of those
    sentences; O(bytes) for a tag column that differs.
    """
    if former is None or former.base is not base or base.source.has_graphs:
        former = Standing(base, TextCorrections(corrections.corpus), base)
    changed = differing(former.corrections, corrections, len(base))
    if not changed:
        return Standing(base, corrections, former.treebank, former.misfits)
    wanted, misfits = {}, set(former.misfits) - set(changed)
    for index in changed:
        try:
            wanted[index] = _corrected(base, corrections, index)
        except WorkbenchError:
            wanted[index] = SentenceAnnotation.with_graph_of(base[index])
            misfits.add(index)
    treebank = former.treebank.to_conllu()
    try:
        treebank = annotated(treebank, wanted)
    except WorkbenchError:  # some heads run in a cycle, as in a document that was damaged
        for index in list(wanted):
            try:
                treebank = annotated(treebank, {index: wanted[index]})
            except WorkbenchError:
                wanted[index] = SentenceAnnotation.with_graph_of(base[index])
                treebank = annotated(treebank, {index: wanted[index]})
                misfits.add(index)
    treebank = _with_former_misc(base, treebank, changed)
    graphs = {index: annotation.graph for index, annotation in wanted.items()}
    if treebank.has_graphs or any(graphs.values()):
        treebank = treebank.with_graphs(graphs)
    return Standing(base, corrections, treebank, frozenset(misfits))


def _with_former_misc(base, treebank, changed):
    """The treebank where MISC is as before in some sentences, but for other glosses, and words with other tags.

    A tag that is the file's or the lexicon's again is as probable as it was.
    """
    rows = np.concatenate([np.arange(*base.offsets[index : index + 2].tolist()) for index in changed])
    then, now = ((bank.misc.take(rows).strings(), bank.upos.take(rows).strings()) for bank in (base, treebank))
    again = {}
    for row in rows[(then[0] != now[0]) & (then[1] == now[1])].tolist():
        text, now_text = base.misc[row], treebank.misc[row]
        for entry in ENTRIES.values():
            text = with_entry(text, entry, value_of(now_text, entry))
        if text != now_text:
            again[row] = text
    return with_column(treebank, "misc", treebank.misc.with_values(again)) if again else treebank


def differing(former: TextCorrections, corrections: TextCorrections, count: int) -> list[int]:
    """The sentences, of ``count``, that two TextCorrections over the same base correct otherwise. O(corrected)."""
    was, now = former.columns, corrections.columns
    return [
        index
        for index in was.keys() | now.keys()
        if was.get(index) is not now.get(index) and was.get(index) != now.get(index) and index < count
    ]


def _corrected(base, corrections, index):
    """The SentenceAnnotation of a sentence under its corrections."""
    original = SentenceAnnotation.with_graph_of(base[index])
    values = {
        name: column if name in GRAPH else _filled(column, getattr(original, name)[1:])
        for name, column in corrections.values(index).items()
    }
    return original.with_values(values)


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
