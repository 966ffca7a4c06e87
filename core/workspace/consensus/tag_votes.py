"""The groups of unknown words behind a selection: their occurrences, and the tags that these were given."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.consistency.effects import WordEffect
from core.consistency.unknown import UnknownWords
from core.draw import Drawing, Span
from core.files.tables import columns_of
from core.workspace.consensus.tags_plan import TagsInputs
from core.workspace.consensus.tags_run import TagsOutcome
from core.workspace.consensus.votes import CHANGES, MOST
from core.workspace.wording import around

TEXT, FURTHER = "text", "further text"


@dataclass(frozen=True, eq=False)
class GroupChanges:
    """A selection of groups and one before a threshold moved.

    Attributes
    ----------
    names : list of str
        Of all groups, the largest first; those that were dropped stand last.
    changes : list of int
        Places in CHANGES.
    """

    names: list[str]
    changes: list[int]

    @classmethod
    def between(cls, former: UnknownWords, words: UnknownWords) -> "GroupChanges":
        """The groups of both, by their forms."""
        before, now = set(former.names), dict(zip(words.names, words.sizes.tolist(), strict=True))
        names = sorted(now, key=lambda name: (-now[name], name)) + sorted(before - now.keys())
        return cls(names, [0 if name in before and name in now else 1 if name in now else 2 for name in names])

    def count(self, change: str) -> int:
        """How many were "added" or "dropped"."""
        return self.changes.count(CHANGES.index(change))


def group_table(
    words: UnknownWords, changes: GroupChanges, outcome: TagsOutcome | None = None, most: int = MOST
) -> dict[str, list]:
    """Columns of a table over groups: forms, occurrences in the text and in further text, tags, what a threshold did.

    ``outcome`` is of the same texts: it has the tags without and with consistency.
    """
    rows, numbers = [], {name: number for number, name in enumerate(words.names)}
    test_rows = len(words.texts[0].heads)
    for name, change in list(zip(changes.names, changes.changes, strict=True))[:most]:
        number = numbers.get(name)
        found = words.rows[words.group == number] if number is not None else words.rows[:0]
        inside = found[found < test_rows]
        tags = _tag_counts(outcome, inside), _consensus(outcome, name)
        rows.append((name, len(inside), len(found) - len(inside), *tags, CHANGES[change]))
    return columns_of(("words", "text", "further", "alone", "consensus", "change"), rows)


def _tag_counts(outcome, rows):
    """The tags of the tagger alone and how many words have each, in words; "" without an outcome."""
    if outcome is None:
        return ""
    counts = Counter(outcome.base_tagging[rows].tolist())
    return ", ".join(f"{outcome.inputs.tags[tag]} {count:,}" for tag, count in counts.most_common())


def _consensus(outcome, name):
    """The consensus on a group; "" where an outcome has no such group."""
    if outcome is None or name not in outcome.words.names:
        return ""
    label = int(outcome.labels[outcome.words.names.index(name)])
    return "NULL" if label < 0 else outcome.inputs.tags[label]


@dataclass(frozen=True, eq=False)
class GroupWords:
    """K occurrences of the words of a group; those in the text first.

    Attributes
    ----------
    sentences, words, parts : ndarrays of shape (K,), dtype int64
        Sentence and word, from 1, of the text (part 0) or of the imported sentences (1).
    """

    sentences: np.ndarray
    words: np.ndarray
    parts: np.ndarray

    def __len__(self):
        return len(self.sentences)

    @classmethod
    def of(cls, words: UnknownWords, name: str, places: Iterable[int] | None = None) -> "GroupWords":
        """Those of the group with these forms; in the text's sentences at ``places`` only, if they are given."""
        if name not in words.names:
            return cls(*(np.zeros(0, np.int64) for _ in range(3)))
        rows, columns, first = words.rows[words.group == words.names.index(name)], [], 0
        for part, text in enumerate(words.texts):
            inside = rows[(first <= rows) & (rows < first + len(text.heads))] - first
            sentences = np.searchsorted(text.offsets, inside, side="right") - 1
            columns.append((sentences, inside - text.offsets[sentences], np.full(len(inside), part)))
            first += len(text.heads)
        found = cls(*(np.concatenate(column) for column in zip(*columns, strict=True)))
        if places is None:
            return found
        kept = (found.parts == 0) & np.isin(found.sentences, np.asarray(places, np.int64))
        return cls(found.sentences[kept], found.words[kept], found.parts[kept])

    def in_text(self) -> "GroupWords":
        """Those in the text alone."""
        kept = self.parts == 0
        return GroupWords(self.sentences[kept], self.words[kept], self.parts[kept])


def occurrence_table(
    inputs: TagsInputs,
    words: UnknownWords,
    found: GroupWords,
    outcome: TagsOutcome | None = None,
    most: int = MOST,
) -> dict[str, list]:
    """Columns of a table over GroupWords: where they stand, the text's own tag, those without and with consistency."""
    rows, gold = [], inputs.gold
    for sentence, word, part in list(zip(found.sentences, found.words, found.parts, strict=True))[:most]:
        text = words.texts[part]
        row, forms = int(text.offsets[sentence] + word), text[int(sentence)].forms
        tags = ["", "", ""]
        if part == 0:
            given = () if outcome is None else (outcome.base_tagging, outcome.tagging)
            tags = ["" if gold is None else gold[row], *(inputs.tags[tagging[row]] for tagging in given)]
        place = (TEXT, FURTHER)[part], int(text.picks[sentence]) + 1
        rows.append((*place, around(forms, int(word)), *tags, *[""] * (3 - len(tags))))
    return columns_of(("in", "sentence", "word", "own", "alone", "consistent"), rows)


def occurrence_drawing(words: UnknownWords, found: GroupWords, row: int, outcome: TagsOutcome | None) -> Drawing:
    """The Drawing of an occurrence in its sentence, marked; in the text of an outcome with the tags that it changed."""
    sentence, word, part = (int(column[row]) for column in (found.sentences, found.words, found.parts))
    if part == 0 and outcome is not None:
        drawing = outcome.change_of(sentence, outcome.base_tagging, outcome.tagging)
        marked = any(span.start == word for span in drawing.spans)
    else:
        drawing, marked = Drawing(words.texts[part][sentence].forms), False
    return drawing if marked else replace(drawing, spans=(*drawing.spans, Span(word, word + 1, "unknown")))


def effect_table(effects: Sequence[WordEffect]) -> dict[str, list]:
    """Columns of a table over WordEffects; ``corrected`` and ``harmed`` hold None without known tags."""
    rows = [(row.name, row.label, row.size, len(row.changes), row.corrected, row.harmed) for row in effects]
    return columns_of(("words", "consensus", "size", "changed", "corrected", "harmed"), rows)


def effect_words(outcome: TagsOutcome, effect: WordEffect) -> dict[str, list]:
    """Columns of a table over the words that a group changed: sentence, word, tags without, with, and its own."""
    rows = []
    for change in effect.changes:
        forms = outcome.test[change.sentence].forms
        place = int(outcome.test.picks[change.sentence]) + 1, around(forms, change.word)
        rows.append((*place, change.before, change.after, change.gold or ""))
    return columns_of(("sentence", "word", "alone", "consistent", "own"), rows)
