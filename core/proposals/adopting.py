"""An answer made a parse of a text: its words are the text's, its trees are trees, its relations are known.

A sentence of the text is used where the answer has one with at least half of its words in common; others have no tree.
Every difference from the answer is a ``Change``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.annotation.label_inventories import LabelInventories
from core.errors import WorkbenchError
from core.proposals.answers import ProposedSentence
from core.proposals.labels import UNKNOWN, KnownRelations
from core.proposals.matching import Link, align_words, match_sentences, tokens_of
from core.proposals.trees import fewest_changes
from core.treebank import Treebank

ROOT, PUNCT = "root", "punct"
LOST, ADDED, RESPELT, JOINED, DIVIDED = "word lost", "word added", "other spelling", "words joined", "word divided"
HEAD, RELATION, UNUSED, ABSENT = "head", "relation", "sentence added", "sentence lost"
MOST_WORDS = 1000  # of a sentence that is used: aligning and mending take time and room as the square of it


@dataclass(frozen=True)
class Change:
    """A difference between an answer and the parse made of it.

    Attributes
    ----------
    sentence : int
        Of the text, from 0; -1 for a sentence that the text lacks.
    word : int
        Of the sentence, from 1; 0 where it is none of the text's.
    kind : str
        One of the names above.
    before, after : str
        What the answer has, and what the parse has; heads as their number and form.
    reason : str
    """

    sentence: int
    word: int
    kind: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, eq=False)
class Adopted:
    """The parse that was made of an answer.

    Attributes
    ----------
    treebank : Treebank
        The text under its trees; sentences that are not used have none.
    used : ndarray of shape (U,), dtype int64
        The sentences with a tree, ascending.
    found : int
        How many sentences the answer has.
    changes : tuple of Change
        In the order of the text; sentences that it lacks come last.
    """

    treebank: Treebank
    used: np.ndarray
    found: int
    changes: tuple[Change, ...]

    @property
    def kinds(self) -> dict[str, int]:
        """How many changes there are of each kind, the most frequent first."""
        return dict(Counter(change.kind for change in self.changes).most_common())


def adopt(
    text: Treebank, answer: Sequence[ProposedSentence], at_hand: Treebank | None = None,
    inventories: LabelInventories | None = None,
) -> Adopted:  # fmt: skip
    """The parse of a text that an answer proposes, with the fewest changes that make it one.

    Parameters
    ----------
    text : Treebank
        Its own trees are not read.
    answer : sequence of ProposedSentence
    at_hand : Treebank, optional
        The same words under other trees, such as a parser's, which decide where the answer leaves a choice.
    inventories : LabelInventories, optional
        The relations to choose from; by default the text's.

    Returns
    -------
    Adopted

    Raises
    ------
    WorkbenchError : no sentence of the answer is one of the text.

    Notes
    -----
    O(words of both), and n m for each two sentences that stand for each other.
    """
    matched = match_sentences(text, answer)
    if not matched:
        first = " ".join(word.form for word in answer[0].words[:8])
        raise WorkbenchError(f"the answer has no sentence of this text; its first is {first!r}; give it this text")
    relations = KnownRelations(LabelInventories.of(text) if inventories is None else inventories)
    heads, names = np.full(len(text.heads), -1, np.int32), np.full(len(text.heads), "", object)
    tokens, marks, changes = tokens_of(text), text.punctuation(), []
    for index in sorted(matched):
        if text.lengths[index] > MOST_WORDS:
            changes.append(Change(index, 0, ABSENT, "", "no tree", f"it has more than {MOST_WORDS:,} words"))
            continue
        rows = slice(*text.offsets[index : index + 2])
        forms, proposed = text[index].forms, answer[matched[index]]
        links = align_words(forms[1:], [word.form for word in proposed.words], tokens.get(index, ()))
        parse = None if at_hand is None else (at_hand.heads[rows], at_hand.deprel.strings()[rows])
        fitted = _Fitted(index, forms, proposed, links, parse)
        fitted.draw(relations, marks[rows])
        heads[rows], names[rows] = fitted.heads, fitted.relations
        changes += sorted(fitted.changes, key=lambda change: change.word)
    changes += _of_sentences(text, answer, matched)
    parse = text.without_graphs().with_heads(heads, names.tolist())
    used = np.flatnonzero(np.add.reduceat(heads >= 0, text.offsets[:-1]))
    return Adopted(parse, used, len(answer), tuple(changes))


def _of_sentences(text, answer, matched) -> Iterator[Change]:
    """The sentences that were lost between the first and the last that was found, and those that were added."""
    for index in range(min(matched), max(matched)):
        if index not in matched:
            yield Change(index, 0, ABSENT, "", "no tree", "the answer has no sentence with half of these words")
    used = set(matched.values())
    for number, sentence in enumerate(answer):
        if number not in used:
            words = " ".join(word.form for word in sentence.words[:12])
            yield Change(-1, 0, UNUSED, words, "left out", "no sentence of the text has half of these words")


class _Fitted:
    """A sentence of a text with what an answer says of it; ``draw`` makes it a tree.

    ``parse`` has heads and relations of a tree at hand, both (n + 1,).
    """

    def __init__(
        self, index: int, forms: tuple[str, ...], proposed: ProposedSentence, links: Sequence[Link], parse: tuple | None
    ):
        self.index, self.forms, self.words, self._parse = index, forms, proposed.words, parse
        self.changes: list[Change] = []
        self._links = [link for link in links if len(link.text) and len(link.answer)]
        self._linked = {place + 1 for link in self._links for place in link.text}
        self._owners: dict[int, int] = {}  # place in the answer -> word of the text that its dependents get as head
        for link in self._links:
            for place in link.answer:
                self._owners[place] = self._chief(link)
        self._places: dict[int, int] = {}  # number in the answer -> place
        for place, word in enumerate(self.words):
            self._places.setdefault(word.number, place)
        self._lost = self._numbers_of_lost()
        self._report_words(links)

    def _chief(self, link):
        """Of several words of the text the one that the others depend on in the tree at hand, else the first."""
        words = [place + 1 for place in link.text]
        at_hand = self._parse
        return next((word for word in words if at_hand is not None and at_hand[0][word] not in words), words[0])

    def _numbers_of_lost(self):
        """Number in the answer -> word of the text whose row is missing there, with all numbers as if it stood."""
        count, lost = len(self.forms), {}
        pairs = [(0, 0), *((self.words[link.answer[0]].number, link.text[0] + 1) for link in self._links)]
        for number, word in pairs:
            for step in (1, -1):
                k = step
                while 0 < word + k < count and word + k not in self._linked and number + k not in self._places:
                    lost.setdefault(number + k, word + k)
                    k += step
        return lost

    def _report_words(self, links):
        for link in links:
            of_text = " ".join(self.forms[place + 1] for place in link.text)
            of_answer = " ".join(self.words[place].form for place in link.answer)
            if of_text == of_answer or not link.answer:
                continue
            kind, reason = RESPELT, "the text’s own form stays"
            if not link.text:
                kind, reason = ADDED, "the text does not have it; what depends on it goes to its head"
            elif len(link.text) > 1:
                kind, reason = JOINED, "the text has more than one word here"
            elif len(link.answer) > 1:
                kind, reason = DIVIDED, "the text has one word here"
            word = link.text.start + 1 if link.text else 0
            self._note(word, kind, of_answer, of_text if link.text else "left out", reason)

    def draw(self, relations: KnownRelations, marks: np.ndarray) -> None:
        """Set ``heads`` (n + 1,) and ``relations`` (n + 1,); ``marks``, bool (n + 1,), are punctuation."""
        side, at_hand = len(self.forms), self._parse
        source, proposed, suggested = self._proposed()
        self.heads = fewest_changes(proposed, suggested, None if at_hand is None else at_hand[0])
        self.relations = [""] * side
        for word in range(1, side):
            place, head = source[word], int(self.heads[word])
            otherwise = PUNCT if marks[word] else UNKNOWN
            if at_hand is not None and at_hand[0][word] == head:
                otherwise = at_hand[1][word] or otherwise
            before = "" if place is None else self.words[place].relation
            self.relations[word], reason = _relation(before, head, relations, otherwise)
            self._note_tree(word, place, int(proposed[word]), reason)

    def _proposed(self):
        """(the place in the answer that speaks of each word, the heads proposed, heads suggested): (n + 1,) each."""
        side = len(self.forms)
        proposed, suggested = np.full(side, -1, np.int64), np.full(side, -1, np.int64)
        source: list[int | None] = [None] * side
        for link in self._links:
            place = self._speaker(link)
            word = self._owners[place]
            source[word] = place
            proposed[word], suggested[word] = self._head_of(place, word)
            suggested[[other + 1 for other in link.text if other + 1 != word]] = word
        self._suggest_root(proposed, suggested, source)
        return source, proposed, suggested

    def _suggest_root(self, proposed, suggested, source):
        """Of several roots suggest the first that is called so, and the others below it; without any, what is so."""
        roots = np.flatnonzero(proposed[1:] == 0) + 1
        named = [word for word, place in enumerate(source) if place is not None and self._is_called_root(place)]
        if len(roots) > 1:
            first = next((word for word in named if proposed[word] == 0), roots[0])
            suggested[roots] = np.where(roots == first, 0, first)
        elif not len(roots):
            suggested[named] = 0

    def _is_called_root(self, place):
        return self.words[place].relation.lower() == ROOT

    def _speaker(self, link):
        """Of several words of the answer the one whose head is none of them."""
        group = {self.words[place].number for place in link.answer}
        return next((place for place in link.answer if self.words[place].head not in group), link.answer.start)

    def _head_of(self, place, word):
        """(the head that the answer gives a word of the text, else -1; a head instead that follows from it, or -1)."""
        head = self.words[place].head
        if head is None:
            return -1, -1
        passed = set()
        while head and head not in self._lost and head in self._places and head not in passed:
            passed.add(head)
            above = self._places[head]
            if above in self._owners:
                found = self._owners[above]
                direct = len(passed) == 1 and found != word
                return (found, -1) if direct else (-1, found if found != word else -1)
            head = self.words[above].head
        if head == 0:
            return (0, -1) if not passed else (-1, 0)
        if head in self._lost and self._lost[head] != word:
            return (self._lost[head], -1) if not passed else (-1, self._lost[head])
        return -1, -1

    def _note_tree(self, word, place, proposed, reason):
        """Note another head and another relation than the answer has, for a ``reason``; or a word that was lost."""
        head, relation = int(self.heads[word]), self.relations[word]
        if place is None:
            if word not in self._linked:
                after = f"{self.forms[word]}, {relation} of {self._of_text(head)}"
                self._note(word, LOST, "", after, "the answer does not have it")
            return
        of_answer = self.words[place]
        if proposed != head:
            before = "none" if of_answer.head is None else self._named(of_answer.head)
            why = self._why(place, proposed) if head else "no word was the root"
            self._note(word, HEAD, before, self._of_text(head), why)
        if reason:
            self._note(word, RELATION, of_answer.relation or "none", relation, reason)

    def _of_text(self, head):
        return f"{head} {self.forms[head]}" if head else "0 root"

    def _why(self, place, proposed):
        head = self.words[place].head
        if head is None:
            return "the answer gives no head"
        if proposed == 0:
            return "a second root; a tree has one"
        if proposed > 0:
            return "the heads ran in a cycle"
        if head == self.words[place].number:
            return "the word was its own head"
        if head in self._places:
            return "its head is no word of the text"
        return f"there is no word {head}"

    def _named(self, number):
        if not number:
            return "0 root"
        return f"{number} {self.words[self._places[number]].form}" if number in self._places else str(number)

    def _note(self, word, kind, before, after, reason):
        self.changes.append(Change(self.index, word, kind, before, after, reason))


def _relation(before: str, head: int, relations: KnownRelations, otherwise: str) -> tuple[str, str]:
    """(the relation of a word with a head, why it is not the one of the answer or "")."""
    if head == 0:
        return ROOT, "" if before == ROOT else "it is the root"
    known = relations.nearest(before)
    if known == ROOT:
        return otherwise, "it is not the root"
    if not known:
        return otherwise, "the answer gives no relation"
    return known, "" if known == before else f"{before} is no relation of the text’s scheme"
