"""Finding the hits of a request: joins over the rows of a treebank, a word at a time."""

import re
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.search.request import COLUMNS, ROOT, Request
from core.treebank import Treebank

MOST = 20_000_000  # partial hits held at once; beyond, the request pairs words without saying how they are related


@dataclass(frozen=True, eq=False)
class Hits:
    """Where a request matches.

    Attributes
    ----------
    treebank : Treebank
    request : Request
    names : tuple of str
        Words of the pattern, anonymous ones included, one a column of ``rows``.
    rows : ndarray of shape (K, len(names)), dtype int64
        Row of each word in the treebank's arrays; hits in order of the text.
    sentences : ndarray of shape (K,), dtype int64
    """

    treebank: Treebank
    request: Request
    names: tuple[str, ...]
    rows: np.ndarray
    sentences: np.ndarray

    def __len__(self):
        return len(self.rows)

    def column(self, name: str) -> np.ndarray:
        """Rows of one word, int64 (K,)."""
        return self.rows[:, self.names.index(name)]

    def words(self, hit: int) -> dict[str, int]:
        """Numbers of the hit's named words within their sentence: dict from name to int."""
        start = self.treebank.offsets[self.sentences[hit]]
        return {name: int(self.column(name)[hit] - start) for name in self.request.words}


def search(treebank: Treebank, request: Request) -> Hits:
    """All hits of a request.

    Parameters
    ----------
    treebank : Treebank
    request : Request

    Returns
    -------
    Hits

    Raises
    ------
    WorkbenchError : the request relates its words so loosely that more than ``MOST`` combinations would be held.

    Notes
    -----
    Words are bound one after another, along arcs and neighbourhoods where there are any, so the time is linear in
    the words plus the combinations looked at.
    """
    joined = _Join(treebank, _Values(treebank))
    names, rows = joined.extend((), np.zeros((1, 0), np.int64), request.pattern)
    for block in request.without:
        rows = rows[~joined.extendable(names, rows, block)]
    order = np.lexsort(rows.T[::-1]) if len(names) else np.zeros(0, np.int64)
    rows = rows[order]
    sentences = np.searchsorted(treebank.offsets, rows[:, 0], side="right") - 1
    return Hits(treebank, request, names, rows, sentences)


class _Values:
    """The values of words by key, and tests over them; each distinct value is looked at once."""

    def __init__(self, treebank):
        self.treebank, self._parsed = treebank, {}

    def column(self, key):
        """(ids (rows,), values): of a column or a feature; the value "" is none."""
        if key not in self._parsed:
            if key in COLUMNS:
                column = getattr(self.treebank, key)
                self._parsed[key] = column.ids, column.values
            else:
                feats = self.treebank.feats
                values = ["", *sorted({feature_value(text, key) for text in feats.values} - {""})]
                number = {value: index for index, value in enumerate(values)}
                translate = np.array([number[feature_value(text, key)] for text in feats.values])
                self._parsed[key] = translate[feats.ids], tuple(values)
        return self._parsed[key]

    def test(self, clause):
        """bool (rows,): where a clause holds."""
        ids, values = self.column(clause.key)
        if clause.kind in ("has", "lacks"):
            return (ids != 0) == (clause.kind == "has")
        allowed = np.array([_among(value, clause.values) for value in values])
        return allowed[ids] if clause.kind == "is" else ~allowed[ids]

    def shared(self, left, right):
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


def _among(value, wanted):
    return any(re.fullmatch(text, value) is not None if is_regex else text == value for text, is_regex in wanted)


class _Join:
    """Extends partial hits by the words, arcs and orders of a block."""

    def __init__(self, treebank, values):
        self.treebank, self.values = treebank, values
        rows = np.arange(len(treebank.heads))
        self.sentence = np.repeat(np.arange(len(treebank)), treebank.lengths + 1)
        self.start = treebank.offsets[self.sentence] if len(rows) else rows
        self.is_word = rows != self.start
        self.head = np.where(treebank.heads >= 0, self.start + treebank.heads, -1)
        self.children = np.argsort(self.head, kind="stable")  # grouped by head, in order of the text
        self.first_child = np.searchsorted(self.head[self.children], np.arange(len(rows) + 1))

    def extendable(self, names, rows, block):
        """bool (K,): hits to which the block's words can be added."""
        tagged_names, tagged = ("#", *names), np.column_stack([np.arange(len(rows)), rows])
        found = np.zeros(len(rows), bool)
        if len(rows):
            extended_names, extended = self.extend(tagged_names, tagged, block)
            found[extended[:, extended_names.index("#")]] = True
        return found

    def extend(self, names: tuple[str, ...], rows: np.ndarray, block) -> tuple[tuple[str, ...], np.ndarray]:
        """(names, rows): with every word of the block bound and every statement of it true."""
        masks = {name: self.mask(name, clauses) for name, clauses in block.words.items()}
        pending = [*block.arcs, *block.orders, *block.comparisons]
        for name in block.words:
            if name in names:
                rows = rows[masks[name][rows[:, names.index(name)]]]
        names, rows, pending = self.settle(names, rows, pending)
        while unbound := [name for name in block.words if name not in names]:
            name, statement = self.next_word(names, unbound, pending, masks)
            index, added = self.candidates(names, rows, name, statement, masks[name])
            keep = masks[name][added]
            index, added = index[keep], added[keep]
            rows, names = np.column_stack([rows[index], added]), (*names, name)
            for other in range(len(names) - 1):
                if names[other] != "#":
                    rows = rows[rows[:, other] != rows[:, -1]]
            names, rows, pending = self.settle(names, rows, pending)
        return names, rows

    def mask(self, name, clauses):
        mask = ~self.is_word if name == ROOT else self.is_word.copy()
        for clause in clauses:
            mask &= self.values.test(clause)
        return mask

    def settle(self, names, rows, pending):
        """Keep the rows for which the statements between bound words hold."""
        left = []
        for statement in pending:
            ends = _ends(statement)
            if all(end in names for end in ends):
                one, two = (rows[:, names.index(end)] for end in ends)
                rows = rows[self.holds(statement, one, two)]
            else:
                left.append(statement)
        return names, rows, left

    def next_word(self, names, unbound, pending, masks):
        """(the next word to bind, the statement that ties it to a bound one or None): the cheapest first."""
        for kind in ("parent", "neighbour", "child", "ancestor"):
            for statement in pending:
                found = _follow(statement, names, kind)
                if found is not None and found in unbound:
                    return found, statement
        return min(unbound, key=lambda name: (self.cost(masks[name], names), unbound.index(name))), None

    def cost(self, mask, names):
        return int(mask.sum()) if set(names) <= {"#"} else 0

    def candidates(self, names, rows, name, statement, mask):
        """(index into rows, candidate row) pairs for a word that is not bound yet."""
        everything = np.arange(len(rows))
        if statement is None:
            allowed = np.flatnonzero(mask)
            if set(names) <= {"#"}:
                self.require_few(len(rows) * len(allowed), name)
                return np.repeat(everything, len(allowed)), np.tile(allowed, len(rows))
            bounds = np.searchsorted(self.sentence[allowed], np.arange(len(self.treebank) + 1))
            anchor = next(index for index, bound in enumerate(names) if bound != "#")
            sentence = self.sentence[rows[:, anchor]]
            index, place = _ranges(bounds[sentence], bounds[sentence + 1], lambda count: self.require_few(count, name))
            return index, allowed[place]
        one, two = _ends(statement)
        anchor = rows[:, names.index(one if two == name else two)]
        if hasattr(statement, "adjacent"):
            added = anchor + (1 if two == name else -1)
            inside = (added >= 0) & (added < len(self.sentence))
            inside[inside] = self.sentence[added[inside]] == self.sentence[anchor[inside]]
            return everything[inside], added[inside]
        if two == name:  # a child, or some descendant
            return self.descendants(anchor, statement.deep, name)
        return self.ancestors(anchor, statement.deep)

    def descendants(self, anchor, deep, name):
        index, place = _ranges(
            self.first_child[anchor], self.first_child[anchor + 1], lambda count: self.require_few(count, name)
        )
        added = self.children[place]
        found = [(index, added)]
        while deep and len(added):
            inner, place = _ranges(
                self.first_child[added], self.first_child[added + 1], lambda count: self.require_few(count, name)
            )
            index, added = index[inner], self.children[place]
            found.append((index, added))
        return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])

    def ancestors(self, anchor, deep):
        index, added = np.arange(len(anchor)), self.head[anchor]
        found = []
        while True:
            known = added >= 0
            index, added = index[known], added[known]
            found.append((index, added))
            if not deep or not len(added):
                return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])
            added = self.head[added]

    def require_few(self, count, name):
        if count > MOST:
            raise WorkbenchError(
                f"the pattern allows {count:,} combinations with {name}, more than {MOST:,}; tie {name} to another "
                "word by an arc or by < , or narrow it down"
            )

    def holds(self, statement, one, two):
        """bool (K,): whether a statement is true of two bound words."""
        if hasattr(statement, "left"):
            left, right = self.values.shared(statement.left_key, statement.right_key)
            return (left[one] == right[two]) != statement.negated
        same = self.sentence[one] == self.sentence[two]
        if hasattr(statement, "adjacent"):
            return same & (two == one + 1 if statement.adjacent else one < two)
        if statement.deep:
            return self.dominates(one, two)
        arc = self.head[two] == one
        if statement.labels is None:
            return arc
        column = self.treebank.deprel
        allowed = np.array([_is_relation(value, statement.labels) for value in column.values])
        return arc & (allowed[column.ids[two]] != statement.negated)

    def dominates(self, one, two):
        at, found = self.head[two], np.zeros(len(two), bool)
        while (at >= 0).any():
            found |= at == one
            at = np.where(at >= 0, self.head[at], -1)
        return found


def _ends(statement):
    """The two words of a statement: head and modifier, first and second, left and right."""
    for names in (("head", "modifier"), ("first", "second"), ("left", "right")):
        if hasattr(statement, names[0]):
            return getattr(statement, names[0]), getattr(statement, names[1])
    raise TypeError(statement)


def _follow(statement, names, kind):
    """The word that a statement leads to from a bound one in the way named, or None."""
    one, two = _ends(statement)
    if hasattr(statement, "adjacent"):
        if kind != "neighbour" or not statement.adjacent:
            return None
        return two if one in names else one if two in names else None
    if not hasattr(statement, "deep"):
        return None
    up, down = ("ancestor", "ancestor") if statement.deep else ("parent", "child")
    if two in names and kind == up:
        return one
    return two if one in names and kind == down else None


def _is_relation(value, labels):
    subtypes = {text[:-2] for text, is_regex in labels if not is_regex and text.endswith(":*")}
    return value.split(":")[0] in subtypes or _among(value, labels)


def _ranges(begin, end, check):
    """(index, place): every place of begin[i]..end[i]-1 beside its i. ``check(total)`` may refuse."""
    counts = end - begin
    total = int(counts.sum())
    check(total)
    index = np.repeat(np.arange(len(begin)), counts)
    place = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(begin, counts)
    return index, place
