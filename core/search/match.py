"""Finding the hits of a request: joins over the rows of a treebank, a word at a time, within a budget.

Partial hits are extended by one word after another. Where the next word would make too many of them, they are sorted
and each half goes on by itself, so that little is held at once. The hits are those finished when the budget is spent.
"""

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import WorkbenchError
from core.offsets import rows_from
from core.search.budget import LONGEST_VALUE, Budget, Spent
from core.search.keys import absent_keys, absent_values, keys_asked
from core.search.reading import parse_request
from core.search.request import ROOT, Order, Request, ValueComparison
from core.search.subtypes import left_out
from core.search.word_values import WordValues
from core.treebank import Treebank
from core.treebank.conllu import as_treebank
from core.treebank.sentence import Sentence, Word

MOST_CELLS = 2_000_000  # partial hits held at once, times their words
WORKING = 20 * 8 * MOST_CELLS  # bytes for steps between them, as measured


@dataclass(frozen=True, eq=False)
class Hits:
    """The words of a treebank that a request matches: a sequence of dicts of words by their names in the pattern.

    Attributes
    ----------
    treebank : Treebank
    request : Request
    names : tuple of str
        Words of the pattern, anonymous ones included, one a column of ``rows``.
    rows : ndarray of shape (K, len(names)), dtype int64
        Row of each word in the treebank's arrays; hits in order of the text.
    sentences : ndarray of shape (K,), dtype int64
    missing : str
        Why these are not all hits, one sentence; "" where they are.
    notes : tuple of str
        What may not be meant, such as a key that no word has; each a sentence.
    """

    treebank: Treebank
    request: Request
    names: tuple[str, ...]
    rows: np.ndarray
    sentences: np.ndarray
    missing: str = ""
    notes: tuple[str, ...] = ()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, hit: int) -> dict[str, Word]:
        """The named words of a hit."""
        sentence = self.treebank[self.sentences[operator.index(hit)]]
        return {name: sentence[number - 1] for name, number in self.words(hit).items()}

    def __iter__(self) -> Iterator[dict[str, Word]]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self):
        return f"<Hits: {len(self):,} in {len(set(self.sentences.tolist())):,} sentences of {self.treebank.name!r}>"

    @cached_property
    def left_out(self) -> Counter[str]:
        """The subtypes that the request passes over, as ``core.search.subtypes.left_out`` counts them."""
        return left_out(self.treebank, self.request)

    def column(self, name: str) -> np.ndarray:
        """Rows of one word, int64 (K,)."""
        return self.rows[:, self.names.index(name)]

    def words(self, hit: int) -> dict[str, int]:
        """Numbers of the hit's named words within their sentence: dict from name to int."""
        start = self.treebank.offsets[self.sentences[hit]]
        return {name: int(self.column(name)[hit] - start) for name in self.request.words}


def _read(request):
    return parse_request(request) if isinstance(request, str) else request


def search(treebank: Treebank | Sentence, request: Request | str, budget: Budget | None = None) -> Hits:
    """The hits of a request: all of them, or those that were found within the budget.

    Parameters
    ----------
    treebank : Treebank, or one of its sentences
    request : Request, or text
        Text is read by ``parse_request``.
    budget : Budget, optional
        5 seconds and 1 GB by default.

    Returns
    -------
    Hits
        ``missing`` says where they are not all.

    Raises
    ------
    WorkbenchError : a regular expression cannot be used.

    Notes
    -----
    Words are bound one after another, along arcs and neighbourhoods where there are any. So the time is linear in
    the words plus the combinations looked at.
    """
    budget = Budget() if budget is None else budget
    request, treebank = _read(request), as_treebank(treebank)
    values = WordValues(treebank, budget)
    bound, size, spent = [], 0, ""
    names = tuple(request.pattern.words)
    try:
        joined = _Join(treebank, values, budget, values.sentences(request.sentences))
        for names, rows in joined.extend((), np.zeros((1, 0), np.int64), request.pattern):
            for block in request.without:
                rows = rows[~joined.extendable(names, rows, block)]
            bound.append(_sorted(rows))
            size += 2 * rows.nbytes + 8 * len(rows)  # they are put together at the end
            budget.require_bytes(size + WORKING)
    except Spent as error:
        spent = str(error)
    rows = np.concatenate(bound) if bound else np.zeros((0, len(names)), np.int64)
    sentences = treebank.sentence_rows[rows[:, 0]]
    if spent:
        found_so_far = f"these {len(rows):,} hits were found so far" if len(rows) else "nothing was found so far"
        missing = f"{spent}; {found_so_far}; tie the words by arcs or by < , or narrow them down"
    elif values.untested:
        missing = (
            f"{values.untested:,} values of more than {LONGEST_VALUE:,} characters were not tested against the regular "
            "expressions; look at them by hand"
        )
    else:
        missing = ""
    notes = (*absent_keys(treebank, keys_asked(request)), *values.notes)
    if not len(rows) and not spent:
        notes = (*notes, *absent_values(request, values))
    if any(arc.enhanced for block in (request.pattern, *request.without) for arc in block.arcs) and values.graph.note:
        notes = (*notes, values.graph.note)
    return Hits(treebank, request, names, rows, sentences, missing, notes)


def all_hits(treebank: Treebank, request: Request) -> Hits:
    """The hits of a request where all are needed: WorkbenchError, with the reason, where some are missing."""
    hits = search(treebank, request)
    if hits.missing:
        raise WorkbenchError(hits.missing)
    return hits


def _sorted(rows):
    return rows[np.lexsort(rows.T[::-1])] if rows.shape[1] else rows


class _Join:
    """Extends partial hits by the words, arcs and orders of a block."""

    def __init__(self, treebank, values, budget, sentences):
        self.treebank, self.values, self.budget, self._pairs = treebank, values, budget, {}
        self.sentence, self.is_word = treebank.sentence_rows, treebank.is_word
        self.searched = sentences[self.sentence]  # rows of the sentences that are looked at
        self.head = np.where(treebank.heads >= 0, treebank.root_rows + treebank.heads, -1)
        self.children = np.argsort(self.head, kind="stable")  # grouped by head, in order of the text
        self.first_child = np.searchsorted(self.head[self.children], np.arange(len(self.head) + 1))

    def extendable(self, names, rows, block):
        """bool (K,): hits to which the block's words can be added."""
        tagged_names, tagged = ("#", *names), np.column_stack([np.arange(len(rows)), rows])
        can_extend = np.zeros(len(rows), bool)
        for extended_names, extended in self.extend(tagged_names, tagged, block) if len(rows) else ():
            can_extend[extended[:, extended_names.index("#")]] = True
        return can_extend

    def extend(self, names, rows, block):
        """Yield (names, rows) with every word of the block bound and every statement of it true, piece by piece.

        Where ``rows`` are in order, so are the pieces.
        """
        masks = {name: self.mask(name, clauses) for name, clauses in block.words.items()}
        for name in block.words:
            if name in names:
                rows = rows[masks[name][rows[:, names.index(name)]]]
        yield from self.bind(*self.hold(names, rows, [*block.arcs, *block.orders, *block.comparisons]), masks)

    def bind(self, names, rows, pending, masks):
        """Yield (names, rows) with all words of ``masks`` bound."""
        while unbound := [name for name in masks if name not in names]:
            self.budget.left()
            name, statement = self.next_word(names, unbound, pending, masks)
            try:
                index, added = self.candidates(names, rows, name, statement, masks[name])
            except _TooManyError:
                for half in np.array_split(_sorted(rows), 2):
                    yield from self.bind(names, half, pending, masks)
                return
            keep = masks[name][added]
            index, added = index[keep], added[keep]
            rows, names = np.column_stack([rows[index], added]), (*names, name)
            for other in range(len(names) - 1):
                if names[other] != "#":
                    rows = rows[rows[:, other] != rows[:, -1]]
            names, rows, pending = self.hold(names, rows, pending)
        yield names, rows

    def mask(self, name, clauses):
        mask = self.searched & (~self.is_word if name == ROOT else self.is_word)
        for clause in clauses:
            mask &= self.values.test(clause)
        return mask

    def hold(self, names, rows, pending):
        """(names, rows for which the statements between bound words hold, statements whose words are not yet bound)."""
        waiting = []
        for statement in pending:
            if all(end in names for end in statement.ends):
                one, two = (rows[:, names.index(end)] for end in statement.ends)
                rows = rows[self.holds(statement, one, two)]
            else:
                waiting.append(statement)
        return names, rows, waiting

    def next_word(self, names, unbound, pending, masks):
        """(the next word to bind, the statement that ties it to a bound one or None): the cheapest first."""
        for kind in ("parent", "neighbour", "child", "ancestor"):
            for statement in pending:
                name = _follow(statement, names, kind)
                if name is not None and name in unbound:
                    return name, statement
        return min(unbound, key=lambda name: (self.cost(masks[name], names), unbound.index(name))), None

    def cost(self, mask, names):
        return int(mask.sum()) if set(names) <= {"#"} else 0

    def candidates(self, names, rows, name, statement, mask):
        """(index into rows, candidate row) pairs for a word that is not bound yet."""
        everything = np.arange(len(rows))
        if statement is None:
            allowed = np.flatnonzero(mask)
            if set(names) <= {"#"}:
                self.require_few(len(rows) * len(allowed), rows)
                return np.repeat(everything, len(allowed)), np.tile(allowed, len(rows))
            bounds = np.searchsorted(self.sentence[allowed], np.arange(len(self.treebank) + 1))
            anchor = next(index for index, bound in enumerate(names) if bound != "#")
            sentence = self.sentence[rows[:, anchor]]
            index, chosen = _ranges(bounds[sentence], bounds[sentence + 1], lambda count: self.require_few(count, rows))
            return index, allowed[chosen]
        one, two = statement.ends
        anchor = rows[:, names.index(one if two == name else two)]
        if isinstance(statement, Order):
            added = anchor + (1 if two == name else -1)
            inside = (added >= 0) & (added < len(self.sentence))
            inside[inside] = self.sentence[added[inside]] == self.sentence[anchor[inside]]
            return everything[inside], added[inside]
        if statement.enhanced:
            added, begin, end = getattr(self.pairs(statement), "below" if two == name else "above")(anchor)
            index, position = _ranges(begin, end, lambda count: self.require_few(count, rows))
            return index, added[position]
        if two == name:  # a child, or some descendant
            return self.descendants(anchor, statement.deep, rows)
        return self.ancestors(anchor, statement.deep, rows)

    def pairs(self, arc):
        """The ArcPairs that an enhanced ArcPattern asks for."""
        if arc not in self._pairs:
            self._pairs[arc] = self.values.graph.pairs(self.values.enhanced(arc))
        return self._pairs[arc]

    def descendants(self, anchor, deep, rows):
        """(index into anchor, row) of the children or, ``deep``, of all words below, which preorder keeps together."""
        if deep:
            order, (begin, end) = self.preorder.order, self.preorder.below(anchor)
        else:
            order, begin, end = self.children, self.first_child[anchor], self.first_child[anchor + 1]
        index, position = _ranges(begin, end, lambda count: self.require_few(count, rows))
        return index, order[position]

    def ancestors(self, anchor, deep, rows):
        index, added, pairs, total = np.arange(len(anchor)), self.head[anchor], [], 0
        while True:
            known = added >= 0
            index, added = index[known], added[known]
            pairs.append((index, added))
            total += len(added)
            self.require_few(total, rows)
            if not deep or not len(added):
                return np.concatenate([indices for indices, _ in pairs]), np.concatenate([rows for _, rows in pairs])
            added = self.head[added]

    def require_few(self, count, rows):
        """_TooManyError where ``count`` partial hits that extend ``rows``, which can be halved, are too many."""
        self.budget.left()
        if len(rows) > 1 and count * (rows.shape[1] + 1) > MOST_CELLS:
            raise _TooManyError

    def holds(self, statement, one, two):
        """bool (K,): whether a statement is true of two bound words."""
        if isinstance(statement, ValueComparison):
            left, right = self.values.shared(statement.left_key, statement.right_key)
            return (left[one] == right[two]) != statement.negated
        same = self.sentence[one] == self.sentence[two]
        if isinstance(statement, Order):
            return same & (two == one + 1 if statement.adjacent else one < two)
        if statement.enhanced:
            return self.pairs(statement).hold(one, two)
        if statement.deep:
            return self.dominates(one, two)
        arc = self.head[two] == one
        if statement.labels is None:
            return arc
        ids, _ = self.values.column("deprel")
        return arc & self.values.among("deprel", statement.labels, statement.negated)[ids[two]]

    def dominates(self, one, two):
        begin, end = self.preorder.below(one)
        preorder = self.preorder.position[two]
        return (begin <= preorder) & (preorder < end)

    @cached_property
    def preorder(self):
        return _Preorder(self.head, self.children, self.first_child)


class _Preorder:
    """The rows of a forest, each before those below it and these together; O(rows) and a few steps a level."""

    def __init__(self, head, children, first_child):
        levels = [np.flatnonzero(head < 0)]
        while len(levels[-1]):
            _, position = _ranges(first_child[levels[-1]], first_child[levels[-1] + 1], lambda count: None)
            levels.append(children[position])
        self.size = np.ones(len(head), np.int64)
        for level in levels[:0:-1]:
            np.add.at(self.size, head[level], self.size[level])
        before = np.cumsum(self.size[children]) - self.size[children]  # sizes of the siblings before, and of others
        offset = np.empty(len(head), np.int64)
        offset[children] = before - before[np.searchsorted(head[children], head[children])]
        self.position = offset
        for level in levels[1:]:
            self.position[level] += self.position[head[level]] + 1
        self.order = np.argsort(self.position)

    def below(self, rows):
        """(begin, end): places in ``order`` of what is below each row."""
        return self.position[rows] + 1, self.position[rows] + self.size[rows]


class _TooManyError(Exception):
    """More partial hits than are held at once; the hits that they extend are halved."""


def _follow(statement, names, kind):
    """The word that a statement leads to from a bound one in the way named, or None."""
    one, two = statement.ends
    if isinstance(statement, Order):
        if kind != "neighbour" or not statement.adjacent:
            return None
        return two if one in names else one if two in names else None
    if isinstance(statement, ValueComparison):
        return None
    up, down = ("ancestor", "ancestor") if statement.deep else ("parent", "child")
    if statement.enhanced:
        up = down  # a word may have several heads
    if two in names and kind == up:
        return one
    return two if one in names and kind == down else None


def _ranges(begin, end, check):
    """(index, place): every place of begin[i]..end[i]-1 beside its i. ``check(total)`` may refuse."""
    counts = end - begin
    total = int(counts.sum())
    check(total)
    index = np.repeat(np.arange(len(begin)), counts)
    return index, rows_from(begin, counts)
