"""A parse of a text that divides it into other tokens or sentences: its trees over the text's own words."""

from dataclasses import dataclass

import numpy as np

from core.evaluation.alignment import Alignment, align, sentences_of_words
from core.evaluation.shared_tasks import conll2018_words
from core.treebank import Treebank


@dataclass(frozen=True, eq=False)
class OtherCut:
    """A treebank that spells the same text as another, with the words that stand for each other.

    Attributes
    ----------
    system : Treebank
        As it is in its file.
    alignment : Alignment
        Of the text's words with those of ``system``, by the rules of CoNLL 2018.
    sentences : ndarray of shape (rows of system,), dtype int64
        The sentence of the text in which each of its words begins.
    among : ndarray of shape (rows of system,), dtype bool
        The words of ``system`` that are looked at.
    """

    system: Treebank
    alignment: Alignment
    sentences: np.ndarray
    among: np.ndarray

    @classmethod
    def of(cls, text: Treebank, system: Treebank) -> "OtherCut":
        """The OtherCut of a text. Raises WorkbenchError where the two are not of one text; O(words) mostly."""
        return cls(system, align(text, system), sentences_of_words(text, system), system.is_word)

    @property
    def words(self) -> int:
        """How many words are in both."""
        return len(self.alignment.gold)

    def over(self, text: Treebank) -> Treebank:
        """The text under these trees: a Treebank with its words and tags.

        A word has a head, and its relation, where the word and its head are in both cuts and in one sentence of the
        text; others have none.
        """
        mine, theirs, system = self.alignment.gold, self.alignment.system, self.system
        stands_for = np.full(len(system.heads), -1, np.int64)
        stands_for[theirs] = mine
        heads = system.heads[theirs].astype(np.int64)
        head_rows = stands_for[system.root_rows[theirs] + np.maximum(heads, 0)]
        same = (head_rows >= 0) & (text.sentence_rows[np.maximum(head_rows, 0)] == text.sentence_rows[mine])
        found = np.where(heads == 0, 0, np.where((heads > 0) & same, text.numbers[np.maximum(head_rows, 0)], -1))
        over = np.full(len(text.heads), -1, np.int32)
        over[mine] = found
        relations = np.full(len(over), "", object)
        relations[mine] = np.where(found >= 0, system.deprel.strings()[theirs], "")
        return text.with_heads(over, relations.tolist())

    def within(self, text: Treebank, sentences: np.ndarray) -> "OtherCut":
        """The same, of some sentences of the text: bool (sentences,)."""
        rows = np.repeat(sentences, text.lengths + 1)
        places = np.cumsum(rows) - 1
        kept = rows[self.alignment.gold]
        alignment = Alignment(places[self.alignment.gold[kept]], self.alignment.system[kept], (), ())
        return OtherCut(self.system, alignment, self.sentences, self.system.is_word & sentences[self.sentences])

    def scored(self, gold: Treebank) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
        """As ``conll2018_words``, of the words that are looked at. Raises as that."""
        return conll2018_words(gold, self.system, self.alignment, self.among)
