"""Choosing sentences of a treebank by text, length, tag, relation, or a peculiarity such as crossing arcs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate
from core.languages.normal_form import composed
from core.offsets import any_of_each
from core.treebank import Treebank, conllu_text
from core.treebank.statistics import non_projective

KINDS = {"non-projective": "crossing arcs", "several roots": "several roots", "without heads": "words without a head"}
COLUMNS = ("upos", "xpos", "deprel", "form", "lemma")


@dataclass(frozen=True)
class Query:
    """Which sentences to show: all conditions must hold. ``value`` of ``column`` occurs; ``kind`` is of KINDS."""

    text: str = ""
    shortest: int = 1
    longest: int | None = None
    kind: str | None = None
    column: str | None = None
    value: str = ""


def find_sentences(treebank: Treebank, query: Query) -> np.ndarray:
    """Indices of the sentences that a Query lets in: int64 (k,), ascending.

    ``text`` is looked for, whatever its case and normal form, in the words joined by single spaces. O(rows), and the
    text of every sentence where ``text`` is given.
    """
    matching = treebank.lengths >= query.shortest
    if query.longest is not None:
        matching &= treebank.lengths <= query.longest
    if query.kind is not None:
        matching &= _kind(treebank, query.kind)
    if query.column is not None and query.value:
        if query.column not in COLUMNS:
            raise WorkbenchError(f"there is no column {query.column!r}; choose one of {', '.join(COLUMNS)}")
        with_value = getattr(treebank, query.column).mask(lambda value: value == query.value)
        matching &= any_of_each(with_value, treebank.offsets)
    if query.text.strip():
        matching &= contains(treebank, query.text)
    return np.flatnonzero(matching)


def contains(treebank: Treebank, text: str) -> np.ndarray:
    """bool (S,): whether a sentence's words, joined by spaces, contain ``text`` in any case."""
    wanted = " ".join(_folded(text).split())
    if " " not in wanted:  # within one word: one look a distinct word
        return any_of_each(treebank.form.mask(lambda form: wanted in _folded(form)), treebank.offsets)
    folded = np.array([_folded(form) for form in treebank.form.values], dtype=object)
    first, *_, last = wanted.split(" ")
    ends = treebank.form.mask(lambda form: _folded(form).endswith(first))
    starts = treebank.form.mask(lambda form: _folded(form).startswith(last))
    candidates = np.flatnonzero(any_of_each(ends, treebank.offsets) & any_of_each(starts, treebank.offsets))
    matching = np.zeros(len(treebank), dtype=bool)
    for sentence in candidates:
        begin, end = treebank.offsets[sentence] + 1, treebank.offsets[sentence + 1]
        matching[sentence] = wanted in " ".join(folded[treebank.form.ids[begin:end]])
    return matching


def _folded(text):
    """A text whatever its capitals and whichever way its accents are written."""
    return composed(composed(text).casefold())


def sentence_table(treebank: Treebank, indices: Sequence[int] | np.ndarray) -> dict[str, list]:
    """Columns of a table over sentences: number (from 1), words, text joined by spaces."""
    forms = treebank.form.values
    texts = []
    for sentence in indices:
        begin, end = treebank.offsets[sentence] + 1, treebank.offsets[sentence + 1]
        texts.append(bidi_isolate(" ".join([forms[k] for k in treebank.form.ids[begin:end].tolist()])))
    return {"number": (np.asarray(indices) + 1).tolist(), "words": treebank.lengths[indices].tolist(), "text": texts}


def sentences_conllu(treebank: Treebank, indices: Sequence[int] | np.ndarray) -> str:
    """These sentences, each once and in the order of the text, as CoNLL-U text."""
    return conllu_text(treebank.select(np.unique(np.asarray(indices, np.int64))).to_conllu())


def value_table(counts: Mapping[str, int], total: int, most: int = 200) -> dict[str, list]:
    """Columns of a table over a Statistics dict: value, how many, per cent of ``total``; the ``most`` frequent."""
    items = list(counts.items())[:most]
    return {
        "value": [value for value, _ in items],
        "words": [count for _, count in items],
        "share": [100 * count / total if total else 0.0 for _, count in items],
    }


def _kind(treebank, kind):
    if kind == "non-projective":
        return non_projective(treebank.offsets, treebank.heads)
    if kind == "several roots":
        return np.add.reduceat(treebank.heads == 0, treebank.offsets[:-1], dtype=np.int64) > 1
    if kind == "without heads":
        return any_of_each((treebank.heads < 0) & treebank.is_word, treebank.offsets)
    raise WorkbenchError(f"there is no kind of sentence {kind!r}; choose one of {', '.join(KINDS)}")
