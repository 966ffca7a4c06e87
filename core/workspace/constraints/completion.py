"""Completion of constraints: for each place in a line, the words that fit there.

The editor looks for the first Context whose ``after`` matches what stands before the word at the caret, and offers its
words that begin with that word. The patterns are read by Python and by JavaScript alike.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints.language import ARROWS, DENOMINATORS, PREFIXES, Term
from core.constraints.reading import FEATURES
from core.workspace.constraints.form import DISTANCES, choices
from core.workspace.constraints.text import Text
from core.workspace.wording import amount

MOST = 200  # values of a column offered, the most frequent first
TOKEN = r"(?:feats:[^\s{}]*|[^\s{}=]*)$"  # the word before the caret
ITEM = r"(?:^|->|<-|--|→|←|↔|\{[^}]*|\b(?:between|only|none|head|modifier))\s*$"
CONDITIONS = (
    "dist", "between", "between only", "between none", "before head", "after head", "before modifier", "after modifier"
)  # fmt: skip


@dataclass(frozen=True)
class Context:
    """A place in a line: ``after`` is what stands before it, a regular expression; ``words`` are (text, about)."""

    after: str
    words: tuple

    def as_dict(self) -> dict:
        """Plain values, for the editor."""
        return {"after": self.after, "words": [list(word) for word in self.words]}


def contexts(text: Text) -> tuple[Context, ...]:
    """The Contexts of constraints over a Text, the first that fits counts."""
    items = _items(text)
    per = tuple((f"per {name}", f"the target is a share of the {name}s") for name in DENOMINATORS)
    settings = (*per, ("weight", "how much the line counts"))
    conditions = tuple((name, "") for name in CONDITIONS)
    sides = (("head", ""), ("modifier", ""))
    return (
        Context(r"(?:^|\s)#", ()),  # a comment
        Context(r"\s=\s*$", ()),  # a number
        Context(r"\s=\s*\d\S*\s+(?:.*\s)?$", settings),
        Context(r"\bdist\s+$", tuple((each, "words apart") for each in DISTANCES if each != "any")),
        Context(r"\bper\s+$", tuple((name, "") for name in DENOMINATORS)),
        Context(r"\b(?:before|after)\s+$", sides),
        Context(r"\bbetween\s+$", (("only", ""), ("none", ""), *items)),
        Context(ITEM, items),
        Context(r"(?:->|<-|--|→|←|↔).*\s$", (*conditions, *settings, ("=", "then the target"))),
        Context(r"\s$", tuple((arrow, about) for arrow, about in zip(ARROWS, ABOUT, strict=True))),
    )


ABOUT = (
    "the first is the head", "the second is the head", "the first is the head, on either side", "either is the head",
)  # fmt: skip


def complete(found: Sequence[Context], line: str, most: int = 8) -> list[str]:
    """The first ``most`` words to offer at the end of ``line``, as the editor does: for tests, and for other doors."""
    typed = re.search(TOKEN, line)
    token = re.split("<->|->|<-|--|→|←|↔", typed[0] if typed else "")[-1]
    before = line[: len(line) - len(token)]
    context = next((each for each in found if re.search(each.after, before)), None)
    fitting = [] if context is None else [text for text, _ in context.words if _plain(text).startswith(_plain(token))]
    return fitting[:most]


def _plain(word):
    return word.replace('"', "").lower()


def _items(text):
    """(text, about) of all that can stand for a word: tags by frequency, other columns, any word, the root."""
    counts = text.tag_counts
    tags = [tag for tag in choices(text) if tag != "*"]
    found = [(Term("tag", tag).text, amount(counts[tag], "word")) for tag in tags]
    found += [("ROOT", "the root of the sentence"), ("*", "any word")]
    for prefix in PREFIXES:
        values = _values(text, prefix)
        found += [(f"{prefix}:", "")] * bool(values)
        found += [(_written(prefix, value), amount(number, "word")) for value, number in values]
    return tuple(found)


def _written(prefix, value):
    """A term as people write it: a feature such as ``feats:Case=Gen`` stands without quotes."""
    return f"feats:{value}" if prefix == "feats" and FEATURES.fullmatch(value) else Term(prefix, value).text


def _values(text, prefix):
    """(value, how many words) of a column, the most frequent first."""
    column = text.matcher.column(prefix)
    numbers = np.bincount(column.ids, minlength=len(column.values)).tolist()
    counts = Counter()
    for value, number in zip(column.values, numbers, strict=True):
        for part in value.split("|") if prefix == "feats" else (value,):
            counts[part] += number
    return [(value, number) for value, number in counts.most_common() if value and number][:MOST]
