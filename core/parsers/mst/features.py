"""The fields of a word that features read, and the pairs and triples of words of which they read them.

After McDonald, Crammer & Pereira (2005), Table 1: forms, tags and prefixes of an arc's ends, tags beside them and
between them, with direction and distance; after McDonald & Pereira (2006), section 3.2, for siblings. Where a text has
both UPOS and XPOS, templates read the finer tags and back off to the coarser ones.

Everything a template reads of one word is one *field*: a 32-bit hash. A feature is a hash of its template and of the
fields of its words, so that a model is a table of numbers (``mst_kernels.py``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.parsers.tagger.features import KeyTable, hashes
from core.treebank import Treebank

PREFIX, SUFFIX = 5, 3
ROOT, OUTSIDE, UNKNOWN = 0x51ED270B, 0x2545F491, 0x7F4A7C15  # instead of the hash of a form or tag

FIELDS = (
    "nothing",
    "form",
    "tag",
    "form tag",
    "prefix",
    "prefix tag",
    "suffix tag",
    "tag before",  # with the word's own tag; and so on
    "tag after",
    "tags around",
    "coarse",
    "coarse before",
    "coarse after",
    "coarse around",
)
FIELD = {name: number for number, name in enumerate(FIELDS)}
FEATURE_SETS = ("lexicalized", "unlexicalized")
LEXICAL = ("form", "form tag", "prefix", "prefix tag", "suffix tag")

_ALONE = ("form", "tag", "form tag", "prefix", "prefix tag", "suffix tag", "tag before", "tag after", "tags around")
_TAGS_BESIDE = (
    ("{} after", "{} before"),
    ("{} before", "{} before"),
    ("{} after", "{} after"),
    ("{} before", "{} after"),
    ("{} after", "{}"),
    ("{} before", "{}"),
    ("{}", "{} after"),
    ("{}", "{} before"),
)
ARC_PAIRS = (
    ("nothing", "nothing"),
    *((name, "nothing") for name in (*_ALONE, "coarse")),
    *(("nothing", name) for name in (*_ALONE, "coarse")),
    ("form tag", "form tag"),
    ("tag", "form tag"),
    ("form", "form tag"),
    ("form tag", "tag"),
    ("form tag", "form"),
    ("form", "form"),
    ("tag", "tag"),
    ("tag", "form"),
    ("form", "tag"),
    ("prefix tag", "prefix tag"),
    ("tag", "prefix tag"),
    ("prefix tag", "tag"),
    ("prefix", "prefix"),
    ("suffix tag", "suffix tag"),
    ("coarse", "coarse"),
    ("coarse", "form"),
    ("form", "coarse"),
    ("coarse", "tag"),
    ("tag", "coarse"),
    *((head.format("tag"), modifier.format("tag")) for head, modifier in _TAGS_BESIDE),
    *((head.format("coarse"), modifier.format("coarse")) for head, modifier in _TAGS_BESIDE),
)
# sibling and modifier, or grandparent and modifier
BESIDE_PAIRS = (("tag", "tag"), ("coarse", "coarse"), ("form", "form"), ("form", "tag"), ("tag", "form"))
# head, sibling, modifier, or grandparent, head, modifier
TRIPLES = (("tag", "tag", "tag"), ("coarse", "coarse", "coarse"))
BETWEEN = ("tag", "coarse")


@dataclass(frozen=True, eq=False)
class Templates:
    """Field numbers that features read, one row a template, and a salt for each.

    ``arcs`` (A, 2): head, modifier. ``between`` (B,): the field read at both ends and of each different word between.
    ``pairs`` (P, 2): sibling or grandparent, modifier. ``triples`` (T, 3): head, sibling, modifier, or grandparent,
    head, modifier. ``salts`` (2, A + B + P + T), uint32: row 1 is for grandparents.
    """

    arcs: np.ndarray
    between: np.ndarray
    pairs: np.ndarray
    triples: np.ndarray
    salts: np.ndarray

    @classmethod
    def of(cls, feature_set: str, columns: Sequence[str]) -> "Templates":
        """The templates of a feature set over one tag column, or over a fine and a coarse one."""
        if feature_set not in FEATURE_SETS:
            raise WorkbenchError(f"no feature set called {feature_set!r}: choose one of {', '.join(FEATURE_SETS)}")

        def is_read(names):
            coarse = any(name.startswith("coarse") for name in names)
            lexical = any(name in LEXICAL for name in names)
            return not (coarse and len(columns) < 2) and not (lexical and feature_set == "unlexicalized")

        def table(templates):
            return np.array([[FIELD[name] for name in names] for names in templates if is_read(names)], dtype=np.int64)

        arcs, pairs, triples = table(ARC_PAIRS), table(BESIDE_PAIRS), table(TRIPLES)
        between = np.array([FIELD[name] for name in BETWEEN if is_read((name,))], dtype=np.int64)
        count = len(arcs) + len(between) + len(pairs) + len(triples)
        salts = mixed(np.arange(1, 2 * count + 1, dtype=np.uint32) * np.uint32(0x9E3779B1)).reshape(2, count)
        return cls(arcs, between, pairs, triples, salts)


def word_fields(treebank: Treebank, columns: Sequence[str], known_forms: KeyTable) -> np.ndarray:
    """The fields of all words of a treebank, and of the place where a sibling is missing.

    Parameters
    ----------
    treebank : Treebank
    columns : tuple of {"xpos", "upos"}
        One tag column, or the finer and then the coarser one.
    known_forms : KeyTable
        Forms that have a field of their own; all others share one.

    Returns
    -------
    ndarray of shape (rows + 1, len(FIELDS)), dtype uint32
        The last row stands for no word at all.
    """
    starts, rows = treebank.offsets[:-1], len(treebank.heads)
    fields = np.zeros((rows + 1, len(FIELDS)), dtype=np.uint32)
    used, numbers = np.unique(treebank.form.ids, return_inverse=True)  # few of them in a part of a large treebank
    values = [treebank.form.values[value] for value in used.tolist()]
    keys, lower = hashes(values), [value.lower() for value in values]
    forms = np.where(known_forms.find(keys) >= 0, _folded(keys), np.uint32(UNKNOWN))
    prefixes, suffixes = ([value[:PREFIX] for value in lower], [value[-SUFFIX:] for value in lower])
    form, prefix, suffix = (codes[numbers] for codes in (forms, _folded(hashes(prefixes)), _folded(hashes(suffixes))))
    tag_columns = [getattr(treebank, name) for name in columns]
    tags = [_folded(hashes(column.values))[column.ids] for column in tag_columns]
    for codes in (form, prefix, suffix, *tags):
        codes[starts] = ROOT
    fields[:rows, FIELD["form"]] = form
    fields[:rows, FIELD["prefix"]] = prefix
    for name, codes in (("form tag", form), ("prefix tag", prefix), ("suffix tag", suffix)):
        fields[:rows, FIELD[name]] = joined(codes, tags[0])
    for name, codes in zip(("tag", "coarse"), tags, strict=False):
        before, after = np.roll(codes, 1), np.roll(codes, -1)
        before[starts] = OUTSIDE
        after[treebank.offsets[1:] - 1] = OUTSIDE
        fields[:rows, FIELD[name]] = codes
        fields[:rows, FIELD["tag before" if name == "tag" else "coarse before"]] = joined(before, codes)
        fields[:rows, FIELD["tag after" if name == "tag" else "coarse after"]] = joined(codes, after)
        around = joined(joined(before, codes), after)
        fields[:rows, FIELD["tags around" if name == "tag" else "coarse around"]] = around
    fields[rows] = OUTSIDE
    fields[:, FIELD["nothing"]] = 0
    return fields


def frequent_forms(treebank: Treebank, minimum_count: int) -> KeyTable:
    """KeyTable of the forms that occur at least so often."""
    counts = np.bincount(treebank.form.ids, minlength=len(treebank.form.values))
    chosen = np.flatnonzero(counts >= minimum_count)
    return KeyTable(np.sort(hashes([treebank.form.values[value] for value in chosen.tolist()])))


def mixed(values: np.ndarray) -> np.ndarray:
    """Well-mixed uint32 of uint32: the finaliser of MurmurHash3. Overflow is meant."""
    values = values ^ (values >> np.uint32(16))
    values = values * np.uint32(0x85EBCA6B)
    values = values ^ (values >> np.uint32(13))
    values = values * np.uint32(0xC2B2AE35)
    return values ^ (values >> np.uint32(16))


def joined(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """One field of two; their order matters."""
    return mixed(one * np.uint32(0x9E3779B1) + other * np.uint32(0x85EBCA77) + np.uint32(0x165667B1))


def _folded(keys):
    return (keys ^ (keys >> np.uint64(32))).astype(np.uint32)
