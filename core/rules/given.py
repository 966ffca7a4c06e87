"""Trees that are given in part: their arcs and relations are held, and rules are kept around them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.languages.direction import bidi_isolate
from core.offsets import any_of_each
from core.parsers.constrained_completion import complete, given_in_part, held_tree
from core.parsers.protocols import Parser
from core.parsers.scores import LabelledScores
from core.treebank import Treebank
from core.treebank.unpunctuated import heads_between_words
from core.trees import maximum_spanning_tree


class GivenArc(NamedTuple):
    """What is given of a word: its head, its relation, or both.

    Attributes
    ----------
    word, head : int
        Among the words that the parser draws trees of; -1 where no head is given.
    relation : str
        "" where none is given.
    number : int
        Of the word in the text.
    form : str
    """

    word: int
    head: int
    relation: str
    number: int
    form: str

    @property
    def text(self) -> str:
        """What is given of which word, in words."""
        parts = [*(["head"] if self.head >= 0 else []), *(["relation"] if self.relation else [])]
        return f"the given {' and '.join(parts)} of {self.number} {bidi_isolate(self.form)}"


@dataclass(frozen=True, eq=False)
class GivenTrees:
    """What is given in part of the trees of a text.

    Attributes
    ----------
    partial : ndarray of shape (S,), dtype bool
        Sentences of the text that are given in part.
    completed : Treebank
        These sentences, whole, as the parser completes them without rules.
    starts : Treebank
        The words that the parser draws trees of, under its own trees, and the completed ones where there are some.
    arcs : mapping of int to tuple of GivenArc
        By the sentence of ``starts``.
    sentences : ndarray of shape (sentences of ``starts``,), dtype int64
        The sentence of the text that each of ``starts`` is; those of punctuation alone may be missing.
    """

    partial: np.ndarray
    completed: Treebank
    starts: Treebank
    arcs: Mapping[int, tuple[GivenArc, ...]]
    sentences: np.ndarray

    @classmethod
    def of(cls, parser: Parser, treebank: Treebank, words: Treebank) -> "GivenTrees":
        """Those of a text whose ``words`` a parser draws trees of: all, or those that are no punctuation.

        Raises WorkbenchError for a sentence in which two words are given as its root.
        """
        partial, is_bare = given_in_part(treebank), len(words.heads) != len(treebank.heads)
        has_word = any_of_each(~treebank.punctuation() & treebank.is_word, treebank.offsets)
        sentences = np.flatnonzero(has_word) if is_bare else np.arange(len(treebank))
        if not partial.any():
            return cls(partial, treebank.select(partial), words, {}, sentences)
        completed = complete(parser, treebank.select(partial)).treebank
        rows = np.repeat(partial[sentences], words.lengths + 1)
        own = completed.without_punctuation() if is_bare else completed
        heads, relations = words.heads.copy(), words.deprel.strings().astype(object)
        heads[rows], relations[rows] = own.heads, own.deprel.strings()
        arcs = _given_arcs(treebank, words, is_bare)
        held = {index: arcs[index] for index in np.flatnonzero(partial[sentences]).tolist()}
        return cls(partial, completed, words.with_heads(heads, relations.tolist()), held, sentences)

    def in_text(self, treebank: Treebank, found: Treebank, searched: np.ndarray, kept: np.ndarray) -> Treebank:
        """A whole text under trees that were found, with what was given.

        ``searched``, bool (S,), are sentences whose trees were sought; of ``kept`` ones, bool (S,), the own trees stay.
        """
        if not (self.partial | kept).any():
            return found
        heads, relations = found.heads.copy(), found.deprel.strings().astype(object)
        known = treebank.deprel.strings()
        places = np.cumsum(self.partial) - 1
        for index in np.flatnonzero(self.partial).tolist():
            rows = slice(treebank.offsets[index], treebank.offsets[index + 1])
            if searched[index]:
                heads[rows] = held_tree(heads[rows], treebank.heads[rows], heads[rows])
                relations[rows] = np.where(known[rows] != "", known[rows], relations[rows])
            else:
                own = slice(*self.completed.offsets[places[index] : places[index] + 2])
                heads[rows], relations[rows] = self.completed.heads[own], self.completed.deprel.strings()[own]
        whole = kept[treebank.sentence_rows]
        heads[whole], relations[whole] = treebank.heads[whole], known[whole]
        return found.with_heads(heads, relations.tolist())


def _given_arcs(treebank, words, is_bare):
    """The GivenArcs of each sentence of ``words``; a head that is punctuation is none of them."""
    is_word = ~treebank.punctuation() & treebank.is_word if is_bare else treebank.is_word
    rows = np.flatnonzero(is_word)  # of the words in the text, back to back
    heads = heads_between_words(treebank, treebank.without_punctuation()) if is_bare else treebank.heads
    heads, forms = heads[words.is_word].tolist(), words.form.strings()[words.is_word].tolist()
    relations, numbers = treebank.deprel.strings()[rows].tolist(), treebank.numbers[rows].tolist()
    found, begin = [], 0
    for length in words.lengths.tolist():
        found.append(tuple(
            GivenArc(place - begin + 1, heads[place], relations[place], numbers[place], forms[place])
            for place in range(begin, begin + length) if heads[place] >= 0 or relations[place]
        ))  # fmt: skip
        begin += length
    return found


def possible_around(scores: LabelledScores, given: Sequence[GivenArc]) -> LabelledScores:
    """LabelledScores under which every given arc may have its relation, one that the parser never gives too.

    What had no score scores as the best relation of its arc, or 0.
    """
    others = sorted({arc.relation for arc in given} - {"", *scores.names})
    names = (*scores.names, *others)
    arcs = scores.arcs.copy()
    labels = np.concatenate([scores.labels, np.full((*arcs.shape, len(others)), -np.inf)], axis=2)
    for arc in given:
        heads = np.arange(len(arcs)) if arc.head < 0 else np.array([arc.head])
        if arc.head >= 0 and not np.isfinite(arcs[arc.head, arc.word]):
            arcs[arc.head, arc.word] = 0.0
        best = labels[heads, arc.word].max(axis=1)
        best = np.where(np.isfinite(best), best, np.where(np.isfinite(arcs[heads, arc.word]), 0.0, -np.inf))
        if arc.relation:
            number = names.index(arc.relation)
            if not np.isfinite(labels[heads, arc.word, number]).any():
                labels[heads, arc.word, number] = best
        elif not np.isfinite(labels[arc.head, arc.word]).any():
            labels[arc.head, arc.word] = 0.0
    return LabelledScores(arcs, labels, names, scores.decode)


def crossing(scores: LabelledScores) -> LabelledScores:
    """LabelledScores by whose arcs alone trees are decoded, which may cross: for given arcs that no other tree has."""

    def decode(matrix: np.ndarray) -> tuple[float, np.ndarray]:
        heads = maximum_spanning_tree(matrix, errors="mark")
        if (heads[1:] < 0).any():
            return -np.inf, heads
        return float(matrix[heads[1:], np.arange(1, len(heads))].sum()), heads

    return scores._replace(decode=decode)
