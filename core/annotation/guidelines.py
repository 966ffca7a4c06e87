"""The rules of Universal Dependencies for the words, tags and tree of one sentence.

They are those of UD's validator at level 3 (``udtools`` 0.2.9, whose test names the faults have). Unlike the validator,
they also check unfinished trees.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from core.annotation.edits import SentenceAnnotation
from core.annotation.faults import Fault
from core.annotation.label_inventories import value_of
from core.languages.direction import bidi_isolate
from core.rules.checking import RuleTree, breaches
from core.rules.universal import universal_rules
from core.rules.wording import wrong_words
from core.treebank.relations import base

LEAF_REMEDY = "; attach it to its head"
RIGHTWARD = ("conj", "flat", "fixed", "appos", "goeswith")  # the first part is the head
NEEDS = {  # relation -> its tags
    "det": {"DET", "PRON"},
    "aux": {"AUX"},
    "cop": {"AUX", "PRON", "DET", "SYM"},
    "punct": {"PUNCT"},
    "nummod": {"NUM", "NOUN", "SYM"},
    "advmod": {"ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"},
    "expl": {"PRON", "DET", "PART"},
}
_NOMINAL = {"PROPN", "ADJ", "PRON", "DET", "NUM"}
BARS = {  # relation -> tags that it does not have
    "case": _NOMINAL | {"AUX"},
    "mark": _NOMINAL | {"NOUN", "AUX", "INTJ"},
    "cc": _NOMINAL | {"NOUN", "VERB", "AUX", "INTJ"},
}
NOMINALS = {"NOUN", "PROPN", "PRON"}
NOT_PREDICATES = {"nsubj", "obj", "iobj", "obl", "vocative", "dislocated", "expl", "nmod"}
CLAUSAL = {"cop", "nsubj", "csubj"}  # a word that has one of these is a predicate


class _Tree:
    """A SentenceAnnotation with its children and tags for the rules; words are numbers."""

    def __init__(self, annotation):
        self.annotation, self.heads = annotation, annotation.heads
        self.relations = [base(relation) for relation in annotation.deprels]
        self.words = range(1, len(self.heads))
        self.children = [[] for _ in self.heads]
        for word in self.words:
            if self.heads[word] > 0:
                self.children[self.heads[word]].append(word)

    @cached_property
    def tags(self):
        """The tag of each word for the rules: ExtPos if it has one, else UPOS."""
        return [
            value_of(feats, "ExtPos") or tag
            for feats, tag in zip(self.annotation.feats, self.annotation.upos, strict=True)
        ]

    def has(self, word, relation):
        """Whether a child of the word has this relation."""
        return any(self.relations[child] == relation for child in self.children[word])

    @cached_property
    def _spans(self):
        """int64 (2, n + 1): start and end of each word's subtree in depth-first order, -1 if not rooted."""
        spans = np.full((2, len(self.heads)), -1, np.int64)
        order, waiting = [], [word for word in self.words if self.heads[word] == 0]
        while waiting:
            word = waiting.pop()
            spans[0, word] = len(order)
            order.append(word)
            waiting += self.children[word]
        spans[1] = spans[0] + (spans[0] >= 0)
        for word in reversed(order):  # descendants first
            head = self.heads[word]
            spans[1, head] = max(spans[1, head], spans[1, word]) if head else -1
        return spans

    @cached_property
    def head_array(self):
        """int64 (n + 1,): the heads."""
        return np.array(self.heads, np.int64)

    def is_rooted(self, words):
        """bool for each of some words: whether it is a descendant of the root."""
        return self._spans[0, words] >= 0

    def is_over(self, heads, words):
        """bool for each pair of words: whether the first is the second or an ancestor of it."""
        (starts, ends), positions = self._spans[:, heads], self._spans[0, words]
        return (starts >= 0) & (starts <= positions) & (positions < ends)

    def gap(self, word):
        """The first word between a word and its head that is no descendant of the head; 0 for none."""
        head = self.heads[word]
        if head < 1:
            return 0
        between = np.arange(min(word, head) + 1, max(word, head))
        outside = between[self.is_rooted(between) & ~self.is_over(head, between)]
        return int(outside[0]) if len(outside) else 0

    def name(self, word):
        """The word's number and form."""
        return f"{word} {bidi_isolate(self.annotation.forms[word])}"


def guideline_faults(annotation: SentenceAnnotation, has_features: bool = True) -> Iterator[Fault]:
    """Faults of a SentenceAnnotation by the guidelines of UD; words without head, tag or relation are skipped.

    ``has_features`` says whether the treebank has morphological features, which makes some obligatory. O(n), and O(n)
    in NumPy for each punctuation mark.
    """
    tree = _Tree(annotation)
    yield from _rule_faults(annotation)
    for word in tree.words:
        if tree.relations[word]:
            if tree.heads[word] > 0:
                yield from _arc_faults(tree, word)
            if tree.tags[word]:
                yield from _tag_faults(tree, word)
            if tree.relations[word] == "punct":
                yield from _crossing_punctuation(tree, word)
        yield from _goeswith_faults(tree, word, has_features)


def _arc_faults(tree, word):
    """Faults of the arc to a word's head: its direction, or a head that cannot have this dependent."""
    relation, head = tree.relations[word], tree.heads[word]
    if head > word and relation in RIGHTWARD:
        message = f"{relation} runs forwards: its head is the first part, {bidi_isolate(tree.annotation.forms[word])}"
        yield Fault(word, "direction", message, test=f"right-to-left-{relation}")
    if relation == "obl" and _is_bare_nominal(tree, head):
        message = f"is obl of {tree.name(head)}, a nominal and no predicate; make it nmod"
        yield Fault(word, "obl of a nominal", message, test="obl-should-be-nmod")


def _is_bare_nominal(tree, word):
    """Whether a word is a nominal by tag and relation, without dependents that only a predicate has."""
    if tree.annotation.upos[word] not in NOMINALS or tree.relations[word] not in NOT_PREDICATES:
        return False
    return not any(tree.has(word, relation) for relation in CLAUSAL)


def _tag_faults(tree, word):
    relation, tag = tree.relations[word], tree.tags[word]
    if tag not in NEEDS.get(relation, (tag,)) and not (relation == "advmod" and tree.has(word, "goeswith")):
        wanted = " or ".join(sorted(NEEDS[relation]))
        message = f"is {relation} and {tag}; {relation} goes with {wanted}"
        if tree.has(word, "fixed"):
            message += ", which ExtPos in its features says of the whole fixed expression"
        yield Fault(word, "tag and relation", message, test=f"rel-upos-{relation}")
    elif tag in BARS.get(relation, ()):
        message = f"is {relation} and {tag}, which do not go together"
        yield Fault(word, "tag and relation", message, test=f"rel-upos-{relation}")
    elif tag == "PUNCT" and relation not in ("punct", "root"):
        message = f"is PUNCT and {relation}; punctuation is punct"
        yield Fault(word, "tag and relation", message, test="upos-rel-punct")
    elif tag == "PROPN" and (relation == "fixed" or tree.has(word, "fixed")):
        message = "is PROPN in a fixed expression; a name is joined by flat"
        yield Fault(word, "tag and relation", message, test="rel-upos-fixed")


def _rule_faults(annotation):
    """Faults by the rules that are written as rules: dependents of function words, a second subject or object."""
    tree = RuleTree.of(annotation)
    for breach in breaches(universal_rules(), tree):
        test, wrong_there = breach.rule.comment, wrong_words(breach, tree)
        if test.startswith("leaf-"):
            for word, wrong in wrong_there:
                yield Fault(word, "function word with dependents", wrong + LEAF_REMEDY, test=test)
        else:
            word, wrong = next(wrong_there)
            yield Fault(word, "repeated", wrong, test=test)


def _goeswith_faults(tree, word, has_features):
    """Faults of split words: goeswith joins adjacent parts; only the first has lemma, tag and features."""
    annotation = tree.annotation
    if tree.relations[word] == "goeswith":
        yield from _dependents_of_later_parts(tree, word)
        columns = (("lemma", annotation.lemmas[word]), ("feats", annotation.feats[word]))
        columns += (("upos", annotation.upos[word] not in ("X", "")),)
        for column, is_filled in columns:
            if is_filled:
                message = "is a later part of a word (goeswith); its first part has lemma and features, this is X"
                yield Fault(word, "goeswith", message, test=f"goeswith-{column}")
    parts = [child for child in tree.children[word] if tree.relations[child] == "goeswith"]
    if not parts:
        return
    if parts[0] < word or parts[-1] - word != len(parts):
        message = "its later parts (goeswith) do not follow it word by word; goeswith skips none"
        yield Fault(word, "goeswith", message, test="goeswith-gap")
    if annotation.misc:
        joined = [part for part in sorted([word, *parts])[:-1] if value_of(annotation.misc[part], "SpaceAfter") == "No"]
        if joined:
            message = f"no space follows {tree.name(joined[0])}; goeswith joins what a space parts"
            yield Fault(word, "goeswith", message, test="goeswith-nospace")
    if has_features and value_of(annotation.feats[word], "Typo") != "Yes":
        message = "is written in parts (goeswith); give it the feature Typo=Yes"
        yield Fault(word, "goeswith", message, test="goeswith-missing-typo")


def _dependents_of_later_parts(tree, word):
    """Faults of what depends on a later part of a word: negation may, and punctuation that would cross elsewhere."""
    for child in tree.children[word]:
        feats, tag = tree.annotation.feats[child], tree.annotation.upos[child]
        negates = tag in ("PART", "ADV") and value_of(feats, "Polarity") == "Neg"
        if (
            tree.relations[child]
            and not (tree.relations[child] == "advmod" and negates)
            and not (tree.relations[child] == "punct" and tree.gap(word))
        ):
            wrong = f"is attached as {tree.relations[child]} to {tree.name(word)}, which is goeswith"
            yield Fault(child, "function word with dependents", wrong + LEAF_REMEDY, test="leaf-goeswith")


def _crossing_punctuation(tree, word):
    """Punctuation whose arc crosses others, unless its ancestors cause that."""
    head = tree.heads[word]
    if head < 0 or not tree.is_rooted(word):  # an unfinished tree, or a cycle
        return
    crossed = _crossed_by(tree, word, head)
    if len(crossed):
        message = f"stands where it makes the arc of {tree.name(crossed[0])} cross; attach it elsewhere"
        yield Fault(word, "crossing punctuation", message, test="punct-causes-nonproj")
    gap = tree.gap(word)
    if gap:
        message = f"its arc runs across that of {tree.name(gap)}; attach it elsewhere"
        yield Fault(word, "crossing punctuation", message, test="punct-is-nonproj")


def _crossed_by(tree, mark, head_of_mark):
    """The words whose arcs span a punctuation mark and lie on the mark's side of its head.

    Arcs from the mark or its ancestors are left out, and the head of the mark itself.
    """
    heads, words = tree.head_array, np.arange(len(tree.heads))
    low, high = np.minimum(words, heads), np.maximum(words, heads)
    inside = low > head_of_mark if head_of_mark < mark else high < head_of_mark
    crossed = np.flatnonzero((heads >= 1) & (low < mark) & (mark < high) & inside & (words != head_of_mark))
    return crossed[~tree.is_over(heads[crossed], mark)]
