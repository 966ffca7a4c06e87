"""What was changed in corrected sentences, cut into the smallest changes that leave a tree.

A unit is about one word W, which got another relation or tag, or another head. Where the new head is was seen from the
tree before, and there may be several ways to see it: the head of its head (H, G), a sister (S), the word before it.
Each way is a ChangeShape, the words on the way are its nodes. Where W and its head change places, both are one unit,
together with the dependents that move from one to the other.
"""

from dataclasses import dataclass, field

import numpy as np

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.treebank import Treebank


@dataclass(frozen=True)
class ChangeShape:
    """Where the new head of a word W stands in the tree before.

    Attributes
    ----------
    name : str
    ups, downs : int
        Steps from W towards the root, then from there down.
    beside : int
        -1 or 1 where the new head is the word before or after W, whatever the tree.
    cost : float
        Nats: how much less likely it is than others.
    field : str
        The column that changes besides the head: deprel or upos.
    """

    name: str
    ups: int
    downs: int = 0
    beside: int = 0
    cost: float = 0.0
    field: str = "deprel"

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of its words, W and its head H first."""
        ups = ("H", "G", "K")[: self.ups]
        return ("W", *ups, *("S", "T")[: self.downs], *(("X",) if self.beside else ()))

    @property
    def target(self) -> str:
        """The name of the new head, "" where the head stays."""
        return "" if self.name in ("relabel", "retag") else self.nodes[-1]


RELABEL, RETAG, SWAP = "relabel", "retag", "swap"
SHAPES = {
    shape.name: shape
    for shape in (
        ChangeShape(RELABEL, 1),
        ChangeShape(RETAG, 1, field="upos"),
        ChangeShape(SWAP, 1),
        ChangeShape("grandparent", 2),
        ChangeShape("previous", 1, beside=-1, cost=0.5),
        ChangeShape("next", 1, beside=1, cost=0.5),
        ChangeShape("sister", 1, 1, cost=1.0),
        ChangeShape("great-grandparent", 3, cost=2.0),
        ChangeShape("aunt", 2, 1, cost=2.0),
        ChangeShape("niece", 1, 2, cost=2.0),
    )
}
PATHS = {(shape.ups, shape.downs): shape.name for shape in SHAPES.values() if shape.target and not shape.beside}
FARTHEST_UP, FARTHEST_DOWN = 3, 2


@dataclass(frozen=True)
class Unit:
    """One change.

    Attributes
    ----------
    sentence, word : int
        Index of the sentence, row of W.
    places : dict of str to tuple of int
        The rows of a ChangeShape's nodes, by its name: all that fit.
    old, new : str
        The relation of W, or its tag, before and after.
    head_old, head_new : str
        Where W and its head change places: the relation of that head before and after.
    moved, stayed : frozenset of str
        There: relations of the head's other dependents that are W's afterwards, and that are not.
    """

    sentence: int
    word: int
    places: dict[str, tuple[int, ...]] = field(hash=False)
    old: str
    new: str
    head_old: str = ""
    head_new: str = ""
    moved: frozenset[str] = frozenset()
    stayed: frozenset[str] = frozenset()


def units_of(text: Treebank, index: int, after: SentenceAnnotation) -> list[Unit]:
    """The Units of one corrected sentence.

    Parameters
    ----------
    text : Treebank
        As it was before.
    index : int
        Of the sentence.
    after : SentenceAnnotation
        Its tree and tags afterwards.

    Raises
    ------
    WorkbenchError : its words have changed, or it had no tree before.
    """
    sentence = text[index]
    if tuple(after.forms) != tuple(sentence.forms):
        raise WorkbenchError(
            f"the words of sentence {index + 1} have changed too; rules are proposed from corrected trees and tags of "
            "the same words"
        )
    if (sentence.heads[1:] < 0).any() or min(after.heads[1:]) < 0:
        which = "before it was corrected" if (sentence.heads[1:] < 0).any() else "by now"
        raise WorkbenchError(f"some words of sentence {index + 1} have no head {which}; there is nothing to compare")
    return _Sentence(text, index, after).units()


class _Sentence:
    """A sentence before and after, in numbers of words."""

    def __init__(self, text, index, after):
        self.index, self.start = index, int(text.offsets[index])
        sentence = text[index]
        self.old, self.new = sentence.heads.tolist(), list(after.heads)
        self.old_relations, self.new_relations = sentence.deprels, after.deprels
        self.old_tags, self.new_tags = sentence.upos, after.upos

    def units(self):
        words = range(1, len(self.old))
        swapped = [word for word in words if self.old[word] > 0 and self.new[self.old[word]] == word]
        units, used = [], set()
        for word in swapped:
            unit, taken = self.swap(word)
            units.append(unit)
            used |= taken
        for word in words:
            if word not in used and self.new[word] != self.old[word]:
                if places := self.places(word):
                    units.append(self.unit(word, places))
            elif word not in used and self.new_relations[word] != self.old_relations[word]:
                units.append(self.unit(word, {RELABEL: (word, self.old[word])}))
            if self.new_tags[word] != self.old_tags[word]:
                rows = self.rows({RETAG: (word, self.old[word])})
                units.append(Unit(self.index, self.start + word, rows, self.old_tags[word], self.new_tags[word]))
        return units

    def unit(self, word, places):
        old, new = self.old_relations[word], self.new_relations[word]
        return Unit(self.index, self.start + word, self.rows(places), old, new)

    def rows(self, places):
        return {name: tuple(self.start + word for word in words) for name, words in places.items()}

    def swap(self, word):
        """(Unit of a word that changes places with its head, the words that it says all about)."""
        head = self.old[word]
        others = [other for other in range(1, len(self.old)) if self.old[other] == head and other != word]
        moved = {other for other in others if self.new[other] == word}
        taken = {word, head} | {other for other in moved if self.old_relations[other] == self.new_relations[other]}
        relations = self.old_relations
        unit = Unit(
            self.index, self.start + word, self.rows({SWAP: (word, head)}), relations[word], self.new_relations[word],
            relations[head], self.new_relations[head], frozenset(relations[other] for other in moved),
            frozenset(relations[other] for other in others if other not in moved),
        )  # fmt: skip
        return unit, taken

    def places(self, word):
        """The nodes of each ChangeShape that leads from a word to its new head: dict of name to tuple of int."""
        target, places = self.new[word], {}
        if target in (word - 1, word + 1) and target > 0 and self.old[word] > 0:
            places["previous" if target < word else "next"] = (word, self.old[word], target)
        ups, down = self.above(word, FARTHEST_UP), self.above(target, FARTHEST_DOWN)
        for steps, meeting in enumerate(down):
            if meeting in ups:
                path = (*ups[: ups.index(meeting) + 1], *down[:steps][::-1])
                if name := PATHS.get((ups.index(meeting), steps)):
                    places[name] = path
                break
        return {name: nodes for name, nodes in places.items() if name != SWAP}

    def above(self, word, most):
        """The word and those above it, ``most`` steps at most; the root is none of them."""
        chain = [word]
        while len(chain) <= most and self.old[chain[-1]] > 0:
            chain.append(self.old[chain[-1]])
        return chain if word > 0 else []


def places_in(
    text: Treebank, shape: ChangeShape, words: np.ndarray, heads: np.ndarray, below: "Dependents"
) -> np.ndarray:
    """Where a ChangeShape stands in a text: int64 (K, nodes), the rows of its nodes, in order of W.

    ``words`` are the rows that W may be, ``heads`` the row of each row's head, -1 for none. O(K).
    """
    is_word = text.is_word
    if shape.name == RELABEL or shape.name == RETAG:
        words = words[heads[words] >= 0]
        return np.column_stack([words, heads[words]])
    places = words[:, None]
    for _ in range(shape.ups):
        above = heads[places[:, -1]]
        places = np.column_stack([places, above])[(above >= 0) & is_word[np.maximum(above, 0)]]
    if shape.beside:
        beside = np.clip(places[:, 0] + shape.beside, 0, len(heads) - 1)
        fits = is_word[beside] & (text.sentence_rows[beside] == text.sentence_rows[places[:, 0]])
        fits &= (beside != places[:, 1]) & (beside != places[:, 0])
        return np.column_stack([places, beside])[fits]
    for step in range(shape.downs):
        index, rows = below.of(places[:, -1])
        places = np.column_stack([places[index], rows])
        if not step:
            places = places[places[:, -1] != places[:, shape.ups - 1]]
    return places


class Dependents:
    """The dependents of each row.

    Parameters
    ----------
    heads : int64 array of shape (rows,)
        The row of each row's head, -1 for none.
    """

    def __init__(self, heads: np.ndarray):
        self.order = np.argsort(heads, kind="stable")
        self.first = np.searchsorted(heads[self.order], np.arange(len(heads) + 1))

    def of(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(index into ``rows``, row of a dependent) for each dependent of each."""
        begin, count = self.first[rows], self.first[rows + 1] - self.first[rows]
        index = np.repeat(np.arange(len(rows)), count)
        within = np.arange(len(index)) - np.repeat(np.cumsum(count) - count, count)
        return index, self.order[np.repeat(begin, count) + within]
