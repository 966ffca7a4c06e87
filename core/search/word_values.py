"""The values of words by key, and tests over them, as a search asks for them."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.languages.normal_form import composed, merged
from core.offsets import all_of_each
from core.search.budget import LONGEST_VALUE, Budget
from core.search.graph_arcs import GraphArcs
from core.search.request import COLUMNS, ENHANCED_MARK, SUBTYPES, ArcPattern, Clause
from core.treebank import Treebank
from core.treebank.relations import means
from core.treebank.statistics import non_projective

RELATION_KEYS = ("deprel", ENHANCED_MARK)


class WordValues:
    """The values of words by key, and tests over them; each distinct value is looked at once."""

    def __init__(self, treebank: Treebank, budget: Budget):
        self.treebank, self.budget, self._parsed, self._tested = treebank, budget, {}, {}
        self.untested = 0  # values too long for a regular expression
        self.notes: list[str] = []

    def column(self, key: str) -> tuple[np.ndarray, Sequence[str]]:
        """(ids (rows,), values) of a column or a feature, composed (NFC); the value "" is none.

        With ENHANCED_MARK the relations of the arcs of ``graph``, in place of rows.
        """
        if key not in self._parsed:
            if key in COLUMNS:
                column = getattr(self.treebank, key)
                ids, values = column.ids, column.values
            elif key == ENHANCED_MARK:
                ids, values = self.graph.ids, self.graph.values
            else:
                ids, values = self._feature("feats", key)
                if len(values) == 1:  # no word has it there
                    ids, values = self._feature("misc", key.removeprefix("misc."))
            if any(composed(value) != value for value in values):
                self.notes.append(f"some values of {key} have accents apart (NFD); they are compared composed (NFC)")
                ids, values = merged(ids, [composed(value) for value in values])
            self._parsed[key] = ids, values
        return self._parsed[key]

    @cached_property
    def graph(self) -> GraphArcs:
        """The arcs of the enhanced graphs."""
        return GraphArcs.of(self.treebank)

    def enhanced(self, arc: ArcPattern) -> np.ndarray:
        """bool (A,): which arcs of ``graph`` have a relation that an enhanced ArcPattern asks for."""
        ids, _ = self.column(ENHANCED_MARK)
        return self.among(ENHANCED_MARK, arc.labels or (), arc.negated)[ids]

    def _feature(self, name, key):
        """(ids (rows,), values) of one key in the pairs of FEATS or MISC."""
        column = self.treebank.feats if name == "feats" else self.treebank.source.column(name).take(self.treebank.rows)
        of_text = [feature_value(text, key) for text in column.values]
        return merged(column.ids, of_text)

    def sentences(self, clauses: Sequence[Clause]) -> np.ndarray:
        """bool (S,): the sentences for which the clauses of a global block hold."""
        treebank, chosen = self.treebank, np.ones(len(self.treebank), bool)
        for clause in clauses if len(treebank) else ():
            if clause.key.endswith("projective"):
                holds = ~non_projective(treebank.offsets, treebank.heads)
            elif clause.key.endswith("_tree"):
                complete = all_of_each((treebank.heads >= 0) | ~treebank.is_word, treebank.offsets)
                holds = treebank.single_rooted() & complete
            else:
                holds = np.array([self._comment_holds(sentence, clause) for sentence in treebank], bool)
            negated = clause.key.startswith("is_not_") != (clause.key.startswith("is_") and clause.kind == "lacks")
            chosen &= holds != negated
        return chosen

    def _comment_holds(self, sentence, clause):
        value = sentence.text if clause.key == "text" else sentence.comment(clause.key)
        if clause.kind in ("has", "lacks"):
            return (value is not None) == (clause.kind == "has")
        return self._is(composed(value or ""), clause.values, False) == (clause.kind == "is")

    def test(self, clause: Clause) -> np.ndarray:
        """bool (rows,): where a clause holds."""
        ids, _ = self.column(clause.key)
        if clause.kind in ("has", "lacks"):
            return (ids != 0) == (clause.kind == "has")
        return self.among(clause.key, clause.values, clause.kind == "not")[ids]

    def among(self, key: str, wanted: tuple[tuple[str, bool], ...], negated: bool) -> np.ndarray:
        """bool (values,): whether each value of a key is one of those wanted or, ``negated``, none of them.

        As a relation, ``nsubj:*`` stands for what ``nsubj`` means in rules: itself and its subtypes, save ``:outer``.
        """
        asked = key, wanted, negated
        if asked not in self._tested:
            values = self.column(key)[1]
            wanted_values = np.array(
                [self._is(value, wanted, key in RELATION_KEYS) != negated for value in values], bool
            )
            if any(is_regex for _, is_regex in wanted):
                long = np.array([len(value) > LONGEST_VALUE for value in values], bool)
                self.untested += int(long.sum())
                wanted_values &= ~long
            self._tested[asked] = wanted_values
        return self._tested[asked]

    def _is(self, value, wanted, subtypes):
        return any(
            len(value) <= LONGEST_VALUE and self.budget.matches(text, value)
            if is_regex
            else text == value or (subtypes and text.endswith(SUBTYPES) and means([text[: -len(SUBTYPES)]], value))
            for text, is_regex in ((composed(text), is_regex) for text, is_regex in wanted)
        )

    def shared(self, left: str, right: str) -> tuple[np.ndarray, np.ndarray]:
        """The ids of two keys' values, in one numbering."""
        (left_ids, left_values), (right_ids, right_values) = self.column(left), self.column(right)
        number = {value: index for index, value in enumerate(left_values)}
        translate = np.array([number.setdefault(value, len(number)) for value in right_values])
        return left_ids, translate[right_ids]


def feature_value(text: str, key: str) -> str:
    """The value of one feature in a FEATS field, or ""."""
    for pair in text.split("|"):
        name, equals, value = pair.partition("=")
        if equals and name == key:
            return value
    return ""
