"""What an editor of lines shows while somebody writes: notes at lines, and what may be typed where."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints import Problem
from core.constraints.language.constraint import PREFIXES, Term
from core.constraints.language.scanner import FEATURES
from core.constraints.matching.matcher import Matcher
from core.workspace.wording import amount

MOST = 200  # most values of a column that are offered, by frequency
SEVERITIES = ("error", "warning", "note")  # the worst first


def line_notes(problems: Iterable[Problem]) -> dict[int, tuple[str, str, str]]:
    """line -> (severity, note, message) of its problems, the worst first and each note once."""
    by_line: dict[int, tuple[str, dict, dict]] = {}
    for problem in sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity)):
        _, notes, messages = by_line.setdefault(problem.line, (problem.severity, {}, {}))
        notes[problem.note] = messages[problem.message] = None  # each once
    return {line: (severity, ", ".join(n), "; ".join(m)) for line, (severity, n, m) in by_line.items()}


@dataclass(frozen=True)
class Context:
    """A position in a line: ``after``, a regular expression, precedes it; ``words`` are (text, about)."""

    after: str
    words: tuple[tuple[str, str], ...]

    def as_dict(self) -> dict:
        """Plain values, for the editor."""
        return {"after": self.after, "words": [list(word) for word in self.words]}


def offered_items(matcher: Matcher, tags: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(text, about) of all that can stand for a word: tags in their order, other columns, any word, the root."""
    counts = matcher.treebank.tag_column(matcher.tags).counts() if tags else Counter()
    items = [(Term("tag", tag).text, amount(counts[tag], "word")) for tag in tags]
    items += [("ROOT", "the root of the sentence"), ("*", "any word")]
    for prefix in PREFIXES:
        column = matcher.column(prefix)
        assert column is not None  # of these names there are columns
        numbers = np.bincount(column.ids, minlength=len(column.values)).tolist()
        counted = Counter()
        for value, number in zip(column.values, numbers, strict=True):
            for part in value.split("|") if prefix == "feats" else (value,):
                counted[part] += number
        values = [(value, number) for value, number in counted.most_common() if value and number][:MOST]
        items += [(f"{prefix}:", "")] * bool(values)
        for value, number in values:
            bare = prefix == "feats" and FEATURES.fullmatch(value)  # people write feats:Case=Gen without quotes
            items.append((f"feats:{value}" if bare else Term(prefix, value).text, amount(number, "word")))
    return tuple(items)
