"""What examples of a change have in common, as conditions that a request can state: the least general ones.

Each condition holds at all examples. It knows where it holds in the text, what it costs (in nats: how unlikely it is
that somebody means it, seen from none of the examples), and how a request says it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.search.by_example.units import SWAP, ChangeShape
from core.search.word_values import WordValues
from core.treebank import Treebank

MOST_VALUES = 2  # that a condition names together, and fewer than there are examples
COSTS = {"upos": 1.2, "xpos": 2.0, "deprel": 2.5, "class": 2.0, "agreement": 4.0, "lemma": 2.5, "form": 3.5,
         "order": 1.2, "adjacent": 2.5, "has": 3.5, "no": 4.0, "below": 3.0, "nearest": 1.0}  # fmt: skip
OF_HEADS = 1.0  # nats more, save for tags and order, where a head changes: that seldom depends on more
PER_VALUE, OF_OTHERS = 2.5, 0.3  # nats for each value more, and where the word is not W
TYPICAL, ON_PATH = 0.7, 0.1  # a relation on the way to the new head that so many places have costs so little
CLASS = {"Case", "Voice", "VerbForm", "PronType", "Mood", "Degree", "Polarity", "NumType", "Poss", "Reflex", "AdpType",
         "AdvType", "VerbType", "NameType", "ConjType", "PartType", "Foreign"}  # fmt: skip
# The other features, such as Gender and Number, vary within a class of words, and conventions seldom ask for them.
NAMED = 1.5  # nats less where the new relation is named after the value
RARE = 0.1  # of candidates that have what is forbidden, for that to be worth saying


@dataclass(frozen=True, eq=False)
class Statement:
    """A condition.

    Attributes
    ----------
    cost : float
        Nats.
    holds : ndarray of shape (K,), dtype bool
        At which places.
    clause : (str, str)
        A node and a clause about it, such as ("H", "upos=NOUN"); ("", "") where ``extra`` says it.
    extra, without : str
        A statement of the pattern; the content of a ``without`` block. An ``@`` stands for a name that is free.
    lexical : bool
        Whether it names a lemma or a form.
    """

    cost: float
    holds: np.ndarray
    clause: tuple[str, str] = ("", "")
    extra: str = ""
    without: str = ""
    lexical: bool = False


@dataclass(eq=False)
class ChangeSites:
    """The places that a ChangeShape has in a text, and which of them are examples.

    Attributes
    ----------
    text : Treebank
    values : WordValues
    heads : ndarray of shape (rows,), dtype int64
        Row of each row's head, -1 for none.
    shape : ChangeShape
    places : ndarray of shape (K, nodes), dtype int64
    is_example : ndarray of shape (K,), dtype bool
    new : str
        The relation of W afterwards, "" where it is not the same everywhere.
    """

    text: Treebank
    values: WordValues
    heads: np.ndarray
    shape: ChangeShape
    places: np.ndarray
    is_example: np.ndarray
    new: str = ""

    @cached_property
    def shown(self) -> int:
        """Sentences that have examples."""
        return len(np.unique(self.text.sentence_rows[self.places[self.is_example, 0]]))

    def cost(self, kind: str, name: str = "W") -> float:
        """What a kind of condition costs at a node, in nats."""
        is_free = kind in ("order", "adjacent", "nearest") or (not self.shape.target and self.shape.name != SWAP)
        return COSTS[kind] + OF_OTHERS * (name != "W") + OF_HEADS * (not is_free)

    @cached_property
    def examples(self) -> np.ndarray:
        """int64 (E, nodes): the places of the examples."""
        return self.places[self.is_example]

    def column(self, name: str) -> np.ndarray:
        """int64 (K,): the rows of a node."""
        return self.places[:, self.shape.nodes.index(name)]

    def value(self, key: str, name: str) -> tuple[np.ndarray, Sequence[str]]:
        """(ids (K,), values) of a key at a node."""
        ids, values = self.values.column(key)
        return ids[self.column(name)], values

    def has_dependent(self, name: str, fits: np.ndarray) -> np.ndarray:
        """bool (K,): whether a node has a dependent among ``fits``, bool (rows,), which is no node itself."""
        rows, nodes = np.flatnonzero(fits & (self.heads >= 0)), self.column(name)
        count = np.bincount(self.heads[rows], minlength=len(fits))[nodes]
        for other in range(self.places.shape[1]):
            at = self.places[:, other]
            count = count - (fits[at] & (self.heads[at] == nodes))
        return count > 0


def statements(sites: ChangeSites) -> Iterator[Statement]:
    """The conditions that hold at all examples of a ChangeSites, those that hold everywhere left out."""
    for make in (_of_values, _of_order, _of_dependents, _of_descendants, _nearest):
        for statement in make(sites):
            if statement.holds[sites.is_example].all() and not statement.holds.all():
                yield statement


def quoted_value(value: str) -> str:
    """A value as a request writes it."""
    if value and all(letter.isalnum() or letter in "-_:" for letter in value) and value[-1] != ":":
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def among(key: str, values: Sequence[str]) -> str:
    """``key=A|B``."""
    return f"{key}={'|'.join(quoted_value(value) for value in values)}"


def _of_values(sites):
    """What tag, relation, features, lemma or form a node has."""
    lexical = "lemma" if sites.text.lemma.filled else "form"
    tag = "upos" if sites.text.upos.filled else "xpos"
    for name in sites.shape.nodes:
        for key in (tag, "deprel", lexical):
            yield from _one_of(sites, key, name, sites.cost(key, name), key == lexical)
        for key in _features(sites, name):
            cost = sites.cost("class" if key in CLASS else "agreement", name)
            yield from _one_of(sites, key, name, cost, False)
            has = sites.value(key, name)[0] != 0
            if has[sites.is_example].all():
                yield Statement(cost, has, (name, key))
            elif not has[sites.is_example].any():
                lacks = ~has & sites.text.is_word[sites.column(name)]
                yield Statement(cost + 1, lacks, (name, f"!{key}"))


def _features(sites, name):
    """The keys of features that words at a node have."""
    column = sites.text.feats
    ids = np.unique(column.ids[sites.column(name)])
    keys = {pair.partition("=")[0] for at in ids.tolist() for pair in column.values[at].split("|")}
    return sorted(keys - {""})


def _one_of(sites, key, name, cost, lexical):
    ids, values = sites.value(key, name)
    seen = np.unique(ids[sites.is_example])
    if len(seen) > min(MOST_VALUES, max(1, sites.shown - 1)) or not seen.all():  # some have none, or each its own
        return
    if lexical and (len(seen) > 1 or sites.shown < 2):
        return
    holds = np.isin(ids, seen)
    if key == "deprel" and _is_on_path(sites.shape, name) and len(seen) == 1:
        own = np.unique(sites.value("deprel", "W")[0][sites.is_example])
        cost = ON_PATH if holds.mean() > TYPICAL or own.tolist() == seen.tolist() else cost
    if not lexical and len(seen) == 1 and _is_named_after(sites.new, values[seen[0]]):
        cost -= NAMED
    clause = among(key, [values[at] for at in seen.tolist()])
    yield Statement(cost + PER_VALUE * (len(seen) - 1), holds, (name, clause), lexical=lexical)


def _is_named_after(relation, value):
    """Whether a subtype of a relation and the value of a feature begin alike: aux:pass and Pass, acl:relcl and Rel."""
    subtype, value = relation.partition(":")[2].lower(), value.lower()
    return min(len(subtype), len(value)) >= 3 and (subtype.startswith(value) or value.startswith(subtype))


def _is_on_path(shape, name):
    """Whether the arc of a node is on the way from W to its new head, or the node is that head beside W."""
    path = shape.nodes[1 : shape.ups] + shape.nodes[shape.ups + 1 :]
    return name in path


def _of_order(sites):
    """Which of two nodes comes first, and whether they are neighbours."""
    nodes, target = sites.shape.nodes, sites.shape.target
    pairs = [("W", "H")] + [("W", name) for name in (target,) if name not in ("", "H")]
    pairs += [("H", target)] if target not in ("", "H") else []
    for one, other in pairs:
        if sites.shape.beside and other in (nodes[-1], "") and one == "W":
            continue
        away = sites.column(other) - sites.column(one)
        rooted = sites.text.is_word[sites.column(other)]
        for sign, first, second in ((1, one, other), (-1, other, one)):
            without_w = OF_HEADS * ("W" not in (one, other))
            yield Statement(sites.cost("order") + without_w, (sign * away > 0) & rooted, extra=f"{first} << {second}")
            near = sites.cost("adjacent") + without_w
            yield Statement(near, (sign * away == 1) & rooted, extra=f"{first} < {second}")
    if sites.shape.beside:
        sisters = sites.heads[sites.column("X")] == sites.column("H")
        yield Statement(COSTS["nearest"], sisters, extra="H -> X")


def _of_dependents(sites):
    """What dependents a node has, and has not."""
    lexical = "lemma" if sites.text.lemma.filled else "form"
    for name in sites.shape.nodes:
        if name in ("G", "K"):
            continue
        for key in ("deprel", lexical):
            yield from _dependents_by(sites, name, key)
        yield from _dependents_with_features(sites, name)
        ids, values = sites.values.column("deprel")
        nodes = sites.column(name)
        held = np.unique(ids[(sites.heads >= 0) & np.isin(sites.heads, nodes)])
        for relation in held.tolist() if len(held) < 200 else ():
            without = ~sites.has_dependent(name, ids == relation) & sites.text.is_word[nodes]
            if without[sites.is_example].all() and without.mean() < 1 - RARE:
                yield Statement(
                    sites.cost("no", name), without, without=f"{name} -[{quoted_value(values[relation])}]-> @"
                )


def _dependents_by(sites, name, key):
    """The dependents with a relation, or with a relation and a lemma, that a node has at all examples."""
    ids, values = sites.values.column(key)
    relations, names = sites.values.column("deprel")

    def pairs(rows):
        return zip(ids[rows].tolist(), relations[rows].tolist(), strict=True)

    for value, relation in _common(sites, name, pairs):
        fits = (ids == value) & (relations == relation)
        arc = f"{name} -[{quoted_value(names[relation])}]-> @"
        if key == "deprel":
            yield Statement(sites.cost("has", name), sites.has_dependent(name, fits), extra=arc)
        elif len(np.unique(sites.examples[:, 0])) > 1 and value:
            said = f"{arc}; @ [{among(key, [values[value]])}]"
            yield Statement(sites.cost("has", name) + 0.5, sites.has_dependent(name, fits), extra=said, lexical=True)


def _common(sites, name, describe: Callable):
    """What ``describe`` says of some dependent of a node, at every example: it maps rows to hashable values."""
    counts, nodes = Counter(), sites.shape.nodes
    for place in sites.examples:
        rows = np.flatnonzero(sites.heads == place[nodes.index(name)])
        counts.update(set(describe(rows[~np.isin(rows, place)])))
    return [value for value, count in counts.items() if count == len(sites.examples)]


def _dependents_with_features(sites, name):
    column = sites.text.feats

    def pairs(rows):
        return {pair for row in rows.tolist() for pair in column[row].split("|")} - {""}

    for pair in _common(sites, name, pairs):
        fits = np.isin(column.ids, column.having[pair])
        key, _, value = pair.partition("=")
        said = f"{name} -> @; @ [{among(key, [value])}]"
        cost = sites.cost("has", name) - NAMED * _is_named_after(sites.new, value)
        yield Statement(cost, sites.has_dependent(name, fits), extra=said)


def _of_descendants(sites):
    """A feature of some word below W."""
    column, heads = sites.text.feats, sites.heads
    shared: list[set[str]] = []
    for word in sites.examples[:, 0].tolist():
        below, level = [], [word]
        while level:
            level = np.flatnonzero(np.isin(heads, level)).tolist()
            below += level
        pairs = {pair for row in below for pair in column[row].split("|")} - {""}
        shared.append(pairs)
    for pair in sorted(set.intersection(*shared)) if shared else ():
        reached = np.zeros(len(heads), bool)
        rows = np.flatnonzero(np.isin(column.ids, column.having[pair]))
        while len(rows):
            rows = heads[rows]
            rows = np.unique(rows[rows >= 0])
            rows = rows[~reached[rows]]
            reached[rows] = True
        key, _, value = pair.partition("=")
        cost = sites.cost("below") - NAMED * _is_named_after(sites.new, value)
        yield Statement(cost, reached[sites.column("W")], extra=f"W ->> @; @ [{among(key, [value])}]")


def _nearest(sites):
    """Nothing of the target's relation between W and its target; or W the first or last of its relation at its head."""
    words, shape, relations = sites.column("W"), sites.shape, sites.values.column("deprel")[0]
    if shape.target in ("S", "T"):
        target = sites.column(shape.target)
        old = np.unique(relations[sites.examples[:, -1]])
        above = shape.nodes[-2 if shape.downs == 2 else shape.ups]
        if len(old) == 1:
            alone = _none_between(sites, above, int(old[0]), np.minimum(target, words), np.maximum(target, words))
            arc = _arc_to(sites, above, old[0])
            for first, second, is_so in (("W", shape.target, words < target), (shape.target, "W", target < words)):
                without = f"{arc}; {first} << @; @ << {second}"
                yield Statement(COSTS["nearest"], alone & is_so, extra=f"{first} << {second}", without=without)
    old = np.unique(relations[sites.examples[:, 0]])
    if (not shape.target and shape.name != SWAP) or len(old) != 1:
        return
    begin = sites.text.root_rows[words]
    end = begin + sites.text.lengths[sites.text.sentence_rows[words]] + 1
    for said, low, high in (("@ << W", begin, words), ("W << @", words, end)):
        alone = _none_between(sites, "H", int(old[0]), low, high)
        yield Statement(COSTS["nearest"] + 2, alone, without=f"{_arc_to(sites, 'H', old[0])}; {said}")


def _arc_to(sites, name, relation):
    return f"{name} -[{quoted_value(sites.values.column('deprel')[1][relation])}]-> @"


def _none_between(sites, name, relation, low, high):
    """bool (K,): no dependent of a node has a relation, by its id, and stands strictly between rows; no node counts."""
    heads, above = sites.heads, sites.column(name)
    ids, size = sites.values.column("deprel")[0], len(sites.heads) + 1
    rows = np.flatnonzero((ids == relation) & (heads >= 0))
    keys = np.sort(heads[rows] * size + rows)
    count = np.searchsorted(keys, above * size + high) - np.searchsorted(keys, above * size + low, "right")
    for other in range(sites.places.shape[1]):
        at = sites.places[:, other]
        count -= (ids[at] == relation) & (heads[at] == above) & (low < at) & (at < high)
    return count == 0
