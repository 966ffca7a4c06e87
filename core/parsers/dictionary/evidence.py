"""Features of words for the tagger: tags of words with the same affixes, in the same contexts, and of neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from core.parsers.dictionary.types import DISTANCES, PREFIXES, SUFFIXES, WordTypes
from core.parsers.universal.text import TAGS
from core.treebank.tagging import OTHER, SHAPES, shape_of

COUNT = len(TAGS)
GROUPS = len(SUFFIXES) + len(PREFIXES) + 4  # number of WordTypes.groups
NEAR = (-2, -1, 1, 2)  # neighbours whose tags are averaged over a type
USUAL = 3  # times another tag of its word
LEARNT = 0.3  # the weight of a tag that was learnt, against one that was given
SURFACE = 17 + len(SUFFIXES) + len(PREFIXES)  # columns of WordTypes.surface
BESIDE, OF_WORD = COUNT + 2, 4
INPUTS = (  # the number of features of a word
    GROUPS * (COUNT + 1) + len(NEAR) * BESIDE + SURFACE + 2 * COUNT + len(DISTANCES) * BESIDE + OF_WORD + 2 * COUNT + 1
)


@dataclass(frozen=True, eq=False)
class TagKnowledge:
    """Known and learnt tags of V types.

    Attributes
    ----------
    shares : ndarray of shape (V, 17), dtype float32
        Of its tags that are known; zeros where nothing is.
    listed : ndarray of shape (V,), dtype bool
        Whether they come from a list or a tagged file, and not from the word's shape.
    learnt : ndarray of shape (V, 17), dtype float32, or None
        Probabilities of an earlier round.
    """

    shares: np.ndarray
    listed: np.ndarray
    learnt: np.ndarray | None = None

    @property
    def known(self) -> np.ndarray:
        """bool (V,): types with a tag that was given."""
        return self.shares.sum(axis=1) > 0

    @property
    def settled(self) -> np.ndarray:
        """bool (V,): types with just one tag, which their words have wherever they stand."""
        return (self.shares > 0).sum(axis=1) == 1

    @property
    def allowed(self) -> np.ndarray:
        """bool (V, 17): tags that a type may have."""
        return (self.shares > 0) | ~self.known[:, None]

    @property
    def best(self) -> np.ndarray:
        """float32 (V, 17): shares of tags, learnt ones where not one is given."""
        if self.learnt is None:
            return self.shares
        return np.where(self.settled[:, None], self.shares, self.learnt)

    def after(self, types: WordTypes, words: np.ndarray, shares: np.ndarray) -> Self:
        """This knowledge with the tags that a round learnt of some words: the mean over each type's."""
        sums = np.zeros_like(self.shares)
        np.add.at(sums, types.numbers[words], shares)
        counts = np.bincount(types.numbers[words], minlength=len(types))
        return replace(self, learnt=sums / np.maximum(counts, 1)[:, None])


def knowledge_of(types: WordTypes, listed: Mapping[int, Sequence[int]]) -> TagKnowledge:
    """Tags of types by a list and by the shapes of words; ``listed`` has tags of some types, places in TAGS, the usual
    first.

    The usual tag weighs as much as USUAL others.
    """
    shares = np.zeros((len(types), COUNT), np.float32)
    for number in np.flatnonzero(~types.lettered).tolist():
        shape = shape_of(types.spellings[number])
        shares[number, TAGS.index(SHAPES[shape or OTHER])] = 1
    marks = np.zeros(len(types), bool)
    for number, (usual, *others) in listed.items():
        shares[number] = 0
        shares[number, others] = 1
        shares[number, usual] = USUAL
        marks[number] = True
    return TagKnowledge(shares / np.maximum(shares.sum(axis=1, keepdims=True), 1), marks)


def word_inputs(types: WordTypes, knowledge: TagKnowledge, words: np.ndarray) -> np.ndarray:
    """float32 (M, INPUTS): features of some words, from which the networks predict tags.

    Parameters
    ----------
    types : WordTypes
    knowledge : TagKnowledge
    words : ndarray of shape (M,), dtype int64
        Numbers of words, from 0.

    Notes
    -----
    For each length of endings and beginnings, for the word before, the word after and both, and for capitals: the tags
    of the other types of that group, smoothed by those of the list, and how many there are. Means over the type of its
    neighbours' tags; the neighbours of this very word. No number names a language or a letter, so that it means the
    same in every language. O(words + types).
    """
    listed, best = knowledge.listed, knowledge.best
    of_types = (knowledge.shares[listed].sum(axis=0) + 0.5) / (listed.sum() + 0.5 * COUNT)
    of_tokens = (knowledge.shares * types.counts[:, None])[listed].sum(axis=0) + 1
    weights = np.where(knowledge.known, 1, 0 if knowledge.learnt is None else LEARNT) * types.lettered
    evidence = _evidence(types, best * weights[:, None], of_types)
    marked = np.zeros((len(types) + 1, BESIDE), np.float32)
    marked[:-1, :COUNT], marked[:-1, COUNT], marked[-1, COUNT + 1] = best, knowledge.known, 1
    near = [types.contexts[DISTANCES.index(step)] @ marked / types.counts[:, None] for step in NEAR]
    learnt = np.zeros_like(best) if knowledge.learnt is None else knowledge.learnt
    of_type = np.concatenate([*evidence, *near, types.surface, learnt, knowledge.shares], axis=1, dtype=np.float32)
    places, lengths = types.places[words], types.lengths[words]
    of_token = [types.capitals[words], places == 0, (places + 0.5) / lengths, np.minimum(lengths, 60) / 30]
    text = np.concatenate([of_types, of_tokens / of_tokens.sum(), [listed.sum() / 400]])
    return np.concatenate(
        [
            of_type[types.numbers[words]], *(marked[row[words]] for row in types.neighbours),
            np.stack(of_token, axis=1), np.broadcast_to(text, (len(words), len(text))),
        ], axis=1, dtype=np.float32,
    )  # fmt: skip


def _evidence(types, weighted, prior):
    """For each group of a type: the tags of its other types, smoothed by ``prior``, and how many there are."""
    evidence = []
    for group in types.groups:
        itself = group.multiply(group).sum(axis=1)[:, None] * weighted
        others = np.maximum(group @ (group.T @ weighted) - itself, 0)  # rounding leaves less than nothing
        count = others.sum(axis=1, keepdims=True)
        evidence += [(others + prior) / (count + 1), np.log1p(count) / 4]
    return evidence
