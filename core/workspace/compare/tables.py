"""Tables over parses side by side, for people to look at; every number opens its words."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from core.draw import Drawing
from core.draw.by_kind import STYLES
from core.draw.drawing import Span
from core.draw.trees import compare_trees
from core.evaluation import Confusion
from core.evaluation.comparison import KINDS, LAS, UAS
from core.evaluation.confusions import HEAD, RELATION, confusion_name
from core.languages.direction import bidi_isolate, side_name
from core.workspace.compare.measures import F1, PRECISION, RECALL, by_relation, groups_by, measured_names
from core.workspace.compare.side_by_side import OWN, SideBySide
from core.workspace.wording import amount, around, share_and_count, share_of, word_name

REFERENCE = " "  # name of the column with the reference's labels: no label is that
MOST_ROWS = 300  # words listed at once
RIGHT = "✓"
FADED = 0.6  # opacity of the strongest shade


def kind_table(parses: SideBySide, kind: str, measure: str = UAS) -> tuple[list[str], dict[str, list]]:
    """(names of groups, columns of a table): kind of word, how many, the share and number that each parse has right.

    By F1 a parse has three columns: precision of the words that it gives the relation, recall of the words that have
    it, and F1. ``table_columns`` says whose each column is.
    """
    if measure == F1:
        return _relation_table(parses)
    groups = groups_by(parses, kind, measure)
    table = {"kind": [side_name(group.name) for group in groups], "words": [group.words for group in groups]}
    for name in measured_names(parses, measure):
        table[name] = [share_and_count(int(group.right[name].sum()), group.words) for group in groups]
    return [group.name for group in groups], table


def _relation_table(parses):
    relations = by_relation(parses)
    table = {"kind": [group.name for group in relations], "words": [group.words for group in relations]}
    for name in measured_names(parses, F1):
        scores = [group.of[name].score for group in relations]
        table[f"{PRECISION} · {name}"] = [share_of(score.correct, score.system) for score in scores]
        table[f"{RECALL} · {name}"] = [share_and_count(score.correct, score.gold) for score in scores]
        table[f"{F1} · {name}"] = [None if score.f1 is None else f"{score.f1:5.1f}%" for score in scores]
    return [group.name for group in relations], table


def table_columns(parses: SideBySide, measure: str) -> dict[str, tuple[str, str]]:
    """(score, parse) of each column of ``kind_table`` but the first two, by its name."""
    names = measured_names(parses, measure)
    if measure == F1:
        return {f"{score} · {name}": (score, name) for name in names for score in (PRECISION, RECALL, F1)}
    return {name: (measure, name) for name in names}


def set_beside(parses: SideBySide) -> tuple[str | None, list[str]]:
    """(the parse that takes the reference's place, None where there is one; the parses that are set beside it)."""
    return (None, parses.names) if parses.is_scored else (parses.names[0], parses.names[1:])


def ranked_table(parses: SideBySide) -> tuple[list[tuple], dict[str, list]]:
    """(what was confused: (kind, *parts); columns of a table: the error in words, how often each parse makes it).

    Ordered by the first parse, then by all. Relations are compared of parses that name some.
    """
    return parses.cached(("ranked table",), lambda: _ranked_table(parses))


def _ranked_table(parses):
    other, names = set_beside(parses)
    counts: dict[tuple, dict[str, int]] = {}
    for name in names:
        for confusion in _ranked(parses, name, other):
            counts.setdefault((confusion.kind, *confusion.parts), {})[name] = len(confusion.rows)
    keys = sorted(counts, key=lambda key: (-counts[key].get(names[0], 0), -sum(counts[key].values()), key))
    table: dict[str, list] = {"error": [bidi_isolate(confusion_name(key[0], key[1:])) for key in keys]}
    for name in names:
        compared = parses.labelled[name]
        table[name] = [counts[key].get(name, 0 if compared or key[0] == HEAD else None) for key in keys]
    return keys, table


def _ranked(parses, name, other):
    make = partial(parses.comparison.ranked, name, other, labelled=parses.labelled[name])
    return parses.cached(("ranked", name, other), make)


def confusion_table(confusion: Confusion) -> dict[str, list]:
    """Columns of a table: a row a label of the reference, a column a label of the parse; none for 0."""
    table: dict[str, list] = {REFERENCE: [side_name(label) for label in confusion.labels]}
    for column, label in enumerate(confusion.labels):
        table[label] = [count or None for count in confusion.counts[:, column].tolist()]
    return table


def shades(confusion: Confusion, agreed: str, confused: str) -> dict[str, list[str]]:
    """The colour of each cell of ``confusion_table``, by its share of the row; "" for none.

    ``agreed`` and ``confused`` are colours, such as #0072b2, on the diagonal and beside it.
    """
    counts = confusion.counts
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    shaded = {}
    for column, label in enumerate(confusion.labels):
        colors = [agreed if row == column else confused for row in range(len(counts))]
        strength = np.rint(255 * FADED * np.sqrt(share[:, column])).astype(int).tolist()
        shaded[label] = [f"{color}{value:02x}" if value else "" for color, value in zip(colors, strength, strict=True)]
    return shaded


def opened_rows(parses: SideBySide, link: tuple | None) -> tuple[np.ndarray, str]:
    """(rows, title) of the words behind a number.

    ``link`` is ("kind", kind, group, parse or "words"), ("cell", by, reference or None, parse, label, label),
    ("confused", HEAD or RELATION, parse, *parts), or ("pair", parse, parse).
    It is ("measured", LAS, kind, group, parse) for LAS, and for the others of a relation
    ("measured", PRECISION, RECALL or F1, "relation", relation, parse).
    For None, and for a number that these parses do not have, the words on which they disagree; where they agree on all,
    those that they have wrong.
    """
    opened = None if link is None else _OPENERS[link[0]](parses, *link[1:])
    return _usual_rows(parses) if opened is None else opened


def _usual_rows(parses):
    who = f"{parses.names[0]} and {parses.reference}" if len(parses.names) == 1 and parses.is_scored else "the parses"
    rows, title = disputed(parses), f"Words on which {who} disagree"
    if len(rows) or not parses.is_scored:
        return rows, title
    first = parses.names[0]
    return parses.comparison.scored[~parses.comparison.right[first]], f"Words {wrong_in(parses, first)}"


def _kind_rows(parses, kind, value, name):
    group = next((group for group in parses.comparison.table(kind) if group.name == value), None)
    if group is None or name not in ("words", *parses.names) or not parses.is_judged:
        return None
    title = group_title(kind, value)
    if name == "words":
        return group.rows, title
    return group.rows[~group.right[name]], f"{title} {wrong_in(parses, name)}"


def _measured_rows(parses, measure, kind, value, name):
    if kind not in KINDS or name not in measured_names(parses, measure):
        return None
    if measure == LAS:
        group = next((group for group in groups_by(parses, kind, LAS) if group.name == value), None)
        return group and (group.rows[~group.right[name]], f"{group_title(kind, value)} {wrong_in(parses, name, LAS)}")
    words = next((group.of[name] for group in by_relation(parses) if group.name == value), None)
    if words is None:
        return None
    rows = {PRECISION: words.false, RECALL: words.missed, F1: np.union1d(words.false, words.missed)}[measure]
    if measure == PRECISION:
        return rows, f"Words that {name} makes {value}, otherwise than {parses.reference}"
    also = "" if measure == RECALL else f", and others that it makes {value}"
    return rows, f"{group_title(kind, value)} {wrong_in(parses, name, LAS)}{also}"


def tested_rows(
    parses: SideBySide, rows: np.ndarray, title: str, measure: str, one: str, other: str
) -> tuple[np.ndarray, str]:
    """(those of some compared words that only one of two parses has right, what they are called)."""
    right = parses.comparison.right_by(measure)
    decide = parses.comparison.scored[right[one] != right[other]]
    return np.intersect1d(rows, decide, assume_unique=True), f"{title} that only {one} or only {other} has right"


def group_title(kind: str, value: str) -> str:
    """The title of the words of a group: ``Words more than 10 away from their head``."""
    if kind == "distance":
        if value == "root":
            return "Roots"
        away = "more than 10" if value.startswith(">") else value.replace("-", " to ")
        return f"Words {away} away from their head"
    if kind == "direction":
        return "Roots" if value == "root" else f"Words {side_name(value)}"
    if kind == "sentence length":
        return f"Words in sentences of {value.replace('-', ' to ')}"
    if kind == "projectivity":
        return f"Words in {value} sentences"
    return f"Words of the {kind} {value}"


def wrong_in(parses: SideBySide, name: str, measure: str = UAS) -> str:
    """A clause that follows words and says that a parse has them wrong, by the reference of the scores."""
    if measure == LAS:
        return f"whose head or relation in {name} is not that of {parses.reference}"
    if parses.is_gold:
        return f"that {name} gets wrong"
    return f"that {name} attaches otherwise than {parses.reference or 'most parses'}"


def _cell_rows(parses, by, reference, name, one, other):
    if name not in parses.names or reference not in (None, *parses.names) or (reference is None) != parses.is_scored:
        return None
    if by == RELATION and parses.is_scored and not parses.labelled[name]:
        return None
    confusion = parses.comparison.confusion(name, by, reference)
    if one not in confusion.labels or other not in confusion.labels:
        return None
    rows = confusion.rows(confusion.labels.index(one), confusion.labels.index(other))
    one, other = side_name(one), side_name(other)
    return rows, f"Words whose {by} is {one} in {reference or parses.reference}, {other} in {name}"


def _confused_rows(parses, kind, name, *parts):
    other, names = set_beside(parses)
    if name not in names:
        return None
    ranked = {(confusion.kind, confusion.parts): confusion.rows for confusion in _ranked(parses, name, other)}
    rows = ranked.get((kind, parts), np.zeros(0, np.int64))
    of = f"in {name}" if parses.is_gold else f"in {name}, compared with {other or parses.reference}"
    return rows, f"{confusion_name(kind, parts)} {of}"


def _pair_rows(parses, one, other):
    if one not in parses.names or other not in parses.names:
        return None
    return parses.differing(one, other), f"Words on which {one} and {other} differ"


_OPENERS = {
    "kind": _kind_rows, "cell": _cell_rows, "pair": _pair_rows, "confused": _confused_rows, "measured": _measured_rows,
}  # fmt: skip


def disputed(parses: SideBySide) -> np.ndarray:
    """Rows of the compared words on which the parses, and the reference where there is one parse, do not all agree."""
    comparison = parses.comparison
    heads = [bank.heads[comparison.scored] for bank in comparison.systems.values()]
    if len(heads) == 1 and comparison.gold is not None:
        heads.append(comparison.gold.heads[comparison.scored])
    differ = np.zeros(len(comparison.scored), bool)
    for other in heads[1:]:
        differ |= other != heads[0]
    return comparison.scored[differ]


def word_table(parses: SideBySide, rows: np.ndarray) -> tuple[np.ndarray, dict[str, list]]:
    """(sentence of each row, columns of a table) of the first MOST_ROWS words.

    Sentence (from 1), word, the reference's head, each parse's (RIGHT where it is the same), the words around it.
    Relations stand behind the heads where the reference and a parse name some.
    """
    rows = rows[:MOST_ROWS]
    return parses.cached(("words", rows.tobytes()), lambda: _word_table(parses, rows))


def _word_table(parses, rows):
    text = parses.comparison.text
    sentences = np.searchsorted(text.offsets, rows, side="right") - 1
    words = (rows - text.offsets[sentences]).tolist()
    banks = parses.comparison.systems
    shown = {index: text[index] for index in np.unique(sentences).tolist()}
    at = [(shown[index], word) for index, word in zip(sentences.tolist(), words, strict=True)]
    table: dict[str, list] = {"sentence": (text.picks[sentences] + 1).tolist()}
    table["word"] = [word_name(sentence, word) for sentence, word in at]
    truth = None if parses.comparison.gold is None else _arcs(parses.comparison.gold, rows)
    labelled = any(parses.labelled.values())
    if truth is not None:
        table[REFERENCE] = [_head(at[k][0], *arc, labelled) for k, arc in enumerate(truth)]
    for name, bank in banks.items():
        arcs = _arcs(bank, rows)
        table[name] = [
            _head(at[k][0], *arc, parses.labelled[name], None if truth is None else truth[k])
            for k, arc in enumerate(arcs)
        ]
    table["around"] = [around(sentence.forms, word) for sentence, word in at]
    return sentences, table


def _arcs(bank, rows):
    """(head, relation) of each row."""
    return [(int(head), bank.deprel[row]) for head, row in zip(bank.heads[rows], rows.tolist(), strict=True)]


def _head(sentence, head, relation, labelled, truth=None):
    shown = word_name(sentence, head) or "no head"
    named = f", {relation}" if labelled and relation else ""
    if truth is None or truth[0] != head:
        return f"{shown}{named}"
    return RIGHT if not labelled or truth[1] == relation else f"{RIGHT} but {relation or 'no relation'}"


def listed_words(parses: SideBySide, rows: np.ndarray, counted: np.ndarray | None = None) -> str:
    """How many words are listed of how many, in how many sentences; and how many of them are not ``counted`` any more.

    ``counted`` are the rows that the list would have now, by default all.
    """
    since = 0 if counted is None else len(np.setdiff1d(rows, counted))
    more = f"; {since:,} of them corrected since, so not counted any more" if since else ""
    sentences = len(parses.comparison.sentences(rows))
    most = f"; the first {MOST_ROWS} are listed" if len(rows) > MOST_ROWS else ""
    return f"{amount(len(rows), 'word')} in {sentences:,} of {amount(parses.sentences, 'sentence')}{more}{most}"


def trees_to_draw(parses: SideBySide) -> list[str]:
    """The names of all trees that can be drawn: the reference, the parses, the text's own trees."""
    names = [*([parses.reference] if parses.is_scored else []), *parses.names]
    return names if parses.gold is None or OWN in names else [*names, OWN]


def draw_two(
    parses: SideBySide, above: str, below: str, index: int, rows: ArrayLike = (), apart: bool = False,
    places: Mapping[str, int] = MappingProxyType({}),
) -> Drawing:  # fmt: skip
    """The trees ``above`` and ``below`` of one sentence in one Drawing, bars under the words of ``rows``.

    ``apart``: one above the words and one under them, rather than both above, what they share drawn once. ``places``
    are those of the parses in STYLES; other trees, the text's own, are blue.
    """
    text = parses.comparison.text
    begin, end = text.offsets[index : index + 2]
    banks = {**parses.comparison.systems, parses.reference: parses.comparison.gold, OWN: parses.gold}
    one, two = (banks[name][index] for name in (above, below))
    drawing = compare_trees(
        text[index],
        two.heads,
        one.heads,
        labels=(one.deprels, two.deprels),
        overlay=not apart,
        names=(above, below),
    )
    rows = np.asarray(rows, np.int64)
    marked = (rows[(begin < rows) & (rows < end)] - begin).tolist()
    kinds = tuple(STYLES[places[name]][0] if name in places else "gold" for name in (above, below))
    as_drawn = dict(zip(("gold", "predicted"), kinds, strict=True))
    arcs = tuple(replace(arc, kind=as_drawn.get(arc.kind, arc.kind)) for arc in drawing.arcs)
    meanings = (("plain", "both"), *zip(kinds, (above, below), strict=True))
    return replace(drawing, arcs=arcs, spans=tuple(Span(word, word + 1) for word in marked), meanings=meanings)
