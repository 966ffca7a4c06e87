"""Features read off glosses by a table that the linguist owns: ``-PL`` is ``Number=Plur``.

Glosses are written by the Leipzig Glossing Rules: hyphens between morphemes (rule 2), stops between what one morpheme
means (rule 4), capitals for what is grammatical (rule 3).
"""

import csv
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import FormatError, quoted
from core.treebank.retag import with_column
from core.treebank.treebank import Column, Treebank

MORPHEMES, MEANINGS = re.compile(r"[-=~<>]"), re.compile(r"[.:;\\/]")  # what stands between them
EDGES = "-=~<>()[]"  # signs around a gloss that are no part of it
FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9,]*")
HEADER, NOTHING = ("gloss", "feature"), "_"  # NOTHING is the feature of a gloss that is known and has none


@dataclass(frozen=True)
class GlossedFeatures:
    """What ``with_features`` did.

    Attributes
    ----------
    treebank : Treebank
    changed : int
        Words that got a feature.
    unknown : Counter of str
        Grammatical glosses that the table does not have, by how often they occur.
    conflicts : Counter of (str, str)
        The feature that a word has, and the other value that a gloss says and that it did not get, by words.
    """

    treebank: Treebank
    changed: int = 0
    unknown: Counter = field(default_factory=Counter)
    conflicts: Counter = field(default_factory=Counter)


def parse_gloss_table(text: str, path: str | None = None) -> dict[str, tuple[str, ...]]:
    """Gloss -> its features, of lines ``gloss, feature`` with a tab or comma between.

    Hyphens around a gloss are no part of it. Several features stand with bars between or in several lines; ``_`` is
    none. A line that begins with # is a comment, and one ``gloss, feature`` names the columns. Raises FormatError.
    """
    table: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter="\t" if "\t" in line else ","))]
        if tuple(cell.lower() for cell in cells) == HEADER:
            continue
        try:
            gloss, features = _entry(line, cells)
            table[gloss] = (*table.get(gloss, ()), *features)
            _require_one_value(gloss, table[gloss])
        except FormatError as error:
            raise FormatError(error.message, path=path, line=number) from None
    if not table:
        raise FormatError("this table has no gloss; write lines such as PL, Number=Plur", path=path)
    return table


def _entry(line, cells):
    """(gloss, features) of a line's cells. Raises FormatError."""
    if len(cells) != len(HEADER) or not all(cells) or not cells[0].strip(EDGES):
        raise FormatError(f"{quoted(line)} is no gloss and feature; write two columns with a tab or comma between")
    features = () if cells[1] == NOTHING else tuple(cells[1].split("|"))
    if wrong := next((each for each in features if not FEATURE.fullmatch(each)), None):
        message = f"{quoted(wrong)} is no feature; write Name=Value, such as Number=Plur, with bars between several"
        raise FormatError(message)
    return cells[0].strip(EDGES), features


def _require_one_value(gloss, features):
    names = [each.partition("=")[0] for each in dict.fromkeys(features)]
    if len(set(names)) < len(names):
        raise FormatError(f"the gloss {quoted(gloss)} has two values of one feature; keep one of them")


def with_features(treebank: Treebank, table: Mapping[str, tuple[str, ...]], entry: str = "Gloss") -> GlossedFeatures:
    """The treebank with the features that its glosses have by a table.

    Parameters
    ----------
    treebank : Treebank
    table : mapping of str to tuple of str
        As ``parse_gloss_table`` gives it. A gloss of a whole morpheme, such as 3SG, is sought first, then its parts.
    entry : str
        The name of the glosses in MISC.

    Returns
    -------
    GlossedFeatures
        Features that a word has already stay. O(words); equal glosses are taken apart once each.

    Raises
    ------
    FormatError : no word has a gloss.
    """
    pairs = list(zip(treebank.misc.strings(), treebank.feats.strings(), strict=True))
    glosses = {misc: _gloss(misc, entry) for misc in treebank.misc.values}
    if not any(glosses[misc] for misc, _ in pairs):
        raise FormatError(f"no word has {quoted(entry)} in MISC; name the entry that has the glosses")
    found = {gloss: features_of(gloss, table) for gloss in set(glosses.values()) if gloss}
    unknown, conflicts, values, changed = Counter(), Counter(), [], 0
    for misc, feats in pairs:
        gloss = glosses[misc]
        features, missing = found[gloss] if gloss else ((), ())
        unknown.update(missing)
        value, refused = _merged(feats, features)
        conflicts.update(refused)
        changed += value != feats
        values.append(value)
    if changed:
        treebank = with_column(treebank, "feats", Column.intern(values))
    return GlossedFeatures(treebank, changed, unknown, conflicts)


def features_of(gloss: str, table: Mapping[str, tuple[str, ...]]) -> tuple[list[str], list[str]]:
    """(the features of a word's gloss, what in it looks grammatical and is not in the table), in order."""
    features, missing = [], []
    for morpheme in filter(None, (part.strip(EDGES) for part in MORPHEMES.split(gloss))):
        parts = [morpheme] if morpheme in table else [part for part in MEANINGS.split(morpheme) if part.strip(EDGES)]
        for part in (each.strip(EDGES) for each in parts):
            if part in table:
                features += table[part]
            elif part == part.upper() and part != part.lower():
                missing.append(part)
    return features, missing


def _gloss(misc, entry):
    """The gloss that MISC has, "" for none; a bar in it was written as an escape."""
    start = f"{entry}="
    value = next((part.removeprefix(start) for part in misc.split("|") if part.startswith(start)), "")
    return value.replace("\\p", "|")


def _merged(feats, features):
    """(FEATS with more features, sorted as Universal Dependencies sorts them; what it did not take beside which)."""
    known = dict(part.partition("=")[::2] for part in feats.split("|") if part)
    refused = []
    for feature in dict.fromkeys(features):
        name, _, value = feature.partition("=")
        if known.setdefault(name, value) != value:
            refused.append((f"{name}={known[name]}", feature))
    whole = [f"{name}={known[name]}" for name in sorted(known, key=str.lower)]
    return (feats if len(whole) == len(feats.split("|")) * bool(feats) else "|".join(whole)), refused
