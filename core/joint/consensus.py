"""Consensus features: what the other parsers' candidates say of the parts of a tree (zhou2013, section 2.3).

The consensus of a tree with a list is, for each kind of part, a sum over candidates: their probability times the number
of parts that they share with the tree (equation 4). A sum over parts: each part is worth the probability of the
candidates that have it. Kinds are edges between two words, siblings, grandparents, and the root word. The paper
conjoins them with the baseline's features, which can be chosen. By default each is conjoined with forms and tags of
the part's words, direction and distance. They are learnt together with the baseline's own weights. ``reverse`` is
ours: an edge that the candidates have the other way round, as schemes that disagree about function words do.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.errors import WorkbenchError
from core.features.packed import GRANDPARENT, PackedParts, arc_offsets_of
from core.joint.candidates import Candidates
from core.offsets import offsets_of
from core.parsers.mst.features import FIELD, Templates

PAPER = ("edge", "sibling", "grandparent", "root")
KINDS = (*PAPER, "reverse")
FIRST_ORDER = ("edge", "root", "reverse")
BITS = 18  # the table of consensus weights has 2 ** BITS numbers

# Fields of head and modifier that an edge, a reversed edge or a root word is conjoined with; of all words of a part.
ARC_PAIRS = (
    ("nothing", "nothing"),
    ("tag", "nothing"),
    ("nothing", "tag"),
    ("tag", "tag"),
    ("form tag", "nothing"),
    ("nothing", "form tag"),
    ("form tag", "tag"),
    ("tag", "form tag"),
    ("tags around", "nothing"),
    ("nothing", "tags around"),
)
TRIPLES = (
    ("nothing", "nothing", "nothing"),
    ("tag", "nothing", "tag"),
    ("nothing", "tag", "tag"),
    ("tag", "tag", "tag"),
)


def checked_kinds(kinds: Iterable[str], order: int = 2) -> tuple[str, ...]:
    """The kinds as a tuple in a fixed order, without those that a first-order parser has no parts for."""
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise WorkbenchError(f"no consensus feature called {unknown[0]!r}: choose of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in kinds and (order > 1 or kind in FIRST_ORDER))


def consensus_features(
    lists: dict[int, Candidates], fields: np.ndarray, kinds: Sequence[str] = PAPER, bits: int = BITS,
    baseline: Templates | None = None,
) -> PackedParts:  # fmt: skip
    """The consensus features of all parts of a text's trees.

    Parameters
    ----------
    lists : dict of int to Candidates
        Each other parser's candidates of the text, by the parser's number.
    fields : ndarray of shape (rows + 1, F), dtype uint32
        What features read of each word (``core.parsers.mst.features.word_fields``).
    kinds : sequence of str
        Of ``KINDS``.
    bits : int
    baseline : Templates, optional
        Conjoin with these of the baseline, as the paper does, but for those of words between; by default with ours.

    Returns
    -------
    PackedParts
        Parts that no candidate has carry no feature.

    Notes
    -----
    O(candidates * words log) time; some twenty features for each arc and part that a candidate has.
    """
    kinds = checked_kinds(kinds)
    arcs, parts, arc_columns, triple_columns = [], [], *_conjoined(baseline)
    for number, candidates in lists.items():
        lengths = candidates.lengths
        rows = offsets_of(lengths + 1)
        salts = {kind: np.uint32(1 + number * len(KINDS) + index) for index, kind in enumerate(KINDS)}
        arcs += _of_arcs(candidates, lengths, kinds, salts, fields, arc_columns, bits)
        if "sibling" in kinds or "grandparent" in kinds:
            triples, probabilities, offsets = candidates.parts
            sentences = np.repeat(np.arange(len(lengths)), np.diff(offsets))
            wanted = np.array(["sibling" in kinds, "grandparent" in kinds])[triples[:, 0]] & (probabilities > 0)
            triples, sentences, probabilities = triples[wanted], sentences[wanted], probabilities[wanted]
            words = rows[sentences][:, None] + triples[:, 1:]
            ids = np.empty((len(words), 2 * len(triple_columns[0])), np.int64)
            for kind, columns in zip(("sibling", "grandparent"), triple_columns, strict=True):
                of_kind = (triples[:, 0] == GRANDPARENT) == (kind == "grandparent")
                ids[of_kind] = _triple_ids(fields, words[of_kind], columns, salts[kind], bits)
            parts.append((triples, sentences, probabilities, ids))
    lengths = next(iter(lists.values())).lengths
    return _packed(lengths, arcs, parts, 2 * len(triple_columns[0]), bits)


def _conjoined(baseline):
    """(columns of fields of head and modifier; of siblings' three words, of a grandparent's three words)."""
    if baseline is None:
        triples = _columns(TRIPLES)
        return _columns(ARC_PAIRS), (triples, triples)
    one, other = baseline.pairs.T
    nothing = np.full(len(one), FIELD["nothing"])
    pairs = np.stack((nothing, one, other), axis=1), np.stack((one, nothing, other), axis=1)
    return baseline.arcs, tuple(np.concatenate((baseline.triples, columns)) for columns in pairs)


def _of_arcs(candidates, lengths, kinds, salts, fields, columns, bits):
    """[(places of arcs, probabilities, ids (arcs, T))] of one parser's list."""
    sides = lengths + 1
    starts, rows = arc_offsets_of(lengths), offsets_of(sides)
    places = np.flatnonzero(candidates.arcs)
    probabilities = candidates.arcs[places]
    sentences = np.searchsorted(starts, places, side="right") - 1
    heads, modifiers = np.divmod(places - starts[sentences], sides[sentences])
    packed = []
    for kind, chosen in (("edge", heads > 0), ("root", heads == 0), ("reverse", heads > 0)):
        if kind in kinds:
            first, second = heads[chosen], modifiers[chosen]
            if kind == "reverse":
                first, second = second, first
            which = sentences[chosen]
            ids = _arc_ids(fields, rows[which], first, second, columns, salts[kind], bits)
            packed.append((starts[which] + first * sides[which] + second, probabilities[chosen], ids))
    return packed


def _columns(templates):
    return np.array([[FIELD[name] for name in names] for names in templates])


def _packed(lengths, arcs, parts, width, bits):
    """One PackedParts of all sources' arcs and parts."""
    arc_offsets, none = arc_offsets_of(lengths), np.empty(0, np.int64)
    places = np.concatenate([none, *(np.repeat(places, ids.shape[1]) for places, _, ids in arcs)])
    values = np.concatenate([none, *(np.repeat(values, ids.shape[1]) for _, values, ids in arcs)])
    ids = np.concatenate([none, *(ids.reshape(-1) for _, _, ids in arcs)])
    order = np.argsort(places, kind="stable")
    offsets = offsets_of(np.bincount(places, minlength=arc_offsets[-1]))
    triples = np.concatenate([np.empty((0, 4), np.int32), *(part[0] for part in parts)])
    sentences = np.concatenate([none, *(part[1] for part in parts)])
    part_values = np.concatenate([np.empty(0), *(part[2] for part in parts)])
    part_ids = np.concatenate([np.empty((0, width), np.int64), *(part[3] for part in parts)])
    by_sentence = np.argsort(sentences, kind="stable")
    return PackedParts(
        arc_offsets=arc_offsets,
        offsets=offsets,
        ids=ids[order].astype(np.int32),
        values=values[order].astype(np.float32),
        count=1 << bits,
        part_offsets=np.searchsorted(sentences[by_sentence], np.arange(len(lengths) + 1)),
        parts=np.ascontiguousarray(triples[by_sentence]),
        part_feature_offsets=np.arange(len(triples) + 1, dtype=np.int64) * width,
        part_ids=part_ids[by_sentence].reshape(-1).astype(np.int32),
        part_values=np.repeat(part_values[by_sentence], width).astype(np.float32),
    )


@kernel
def _arc_ids(fields, begins, heads, modifiers, templates, salt, bits):
    """int64 (arcs, 2 T): every template alone, and with direction and distance."""
    ids = np.empty((len(heads), 2 * len(templates)), np.int64)
    for arc in range(len(heads)):
        head, modifier = fields[begins[arc] + heads[arc]], fields[begins[arc] + modifiers[arc]]
        slot = np.uint32(_slot(heads[arc], modifiers[arc]))
        for template in range(len(templates)):
            value = _mixed(salt, np.uint32(template + 1))
            value = _mixed(value, head[templates[template, 0]])
            value = _mixed(value, modifier[templates[template, 1]])
            ids[arc, 2 * template] = np.int64(value) & ((1 << bits) - 1)
            ids[arc, 2 * template + 1] = np.int64(_mixed(value, slot)) & ((1 << bits) - 1)
    return ids


@kernel
def _triple_ids(fields, words, templates, salt, bits):
    """int64 (parts, 2 T): every template alone, and with the sides on which the words stand of each other."""
    ids = np.empty((len(words), 2 * len(templates)), np.int64)
    for part in range(len(words)):
        one, two, three = words[part]
        shape = np.uint32(1 + (1 if two > one else 0) + (2 if three > two else 0) + (4 if three > one else 0))
        for template in range(len(templates)):
            value = _mixed(salt, np.uint32(template + 1))
            for at in range(3):
                value = _mixed(value, fields[words[part, at], templates[template, at]])
            ids[part, 2 * template] = np.int64(value) & ((1 << bits) - 1)
            ids[part, 2 * template + 1] = np.int64(_mixed(value, shape)) & ((1 << bits) - 1)
    return ids


@inner_kernel
def _slot(head, modifier):
    """Direction, and distance 1, 2, 3, 4-5, 6-10, more; one number for all arcs from the root."""
    if head == 0:
        return 13
    distance = abs(head - modifier)
    bin_ = distance if distance <= 3 else (4 if distance <= 5 else (5 if distance <= 10 else 6))
    return bin_ + (6 if modifier > head else 0)


@inner_kernel
def _mixed(value, other):
    """One hash of two: the finaliser of MurmurHash3. Overflow is meant."""
    value = np.uint32(np.uint32(value * np.uint32(0x9E3779B1)) + np.uint32(other * np.uint32(0x85EBCA77)))
    value = np.uint32(value + np.uint32(0x165667B1))
    value = np.uint32(value ^ (value >> np.uint32(16)))
    value = np.uint32(value * np.uint32(0x85EBCA6B))
    value = np.uint32(value ^ (value >> np.uint32(13)))
    value = np.uint32(value * np.uint32(0xC2B2AE35))
    return np.uint32(value ^ (value >> np.uint32(16)))
