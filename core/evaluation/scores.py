"""Attachment scores: how many words a parser attaches as the gold trees do."""

import re
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError, quoted
from core.languages.normal_form import composed
from core.offsets import all_of_each
from core.treebank import Column, Treebank

BLANK = re.compile(r"\s+|(?<=\d)_(?=\d)")  # within a form; CoNLL-X has no other way to write 10 000


@dataclass(frozen=True)
class AttachmentScores:
    """Counts over the scored words; shares are percentages, None when nothing was scored.

    Attributes
    ----------
    words : int
        Words with a known gold head that were scored.
    heads, labels, both : int
        Words with the right head, the right relation, and both.
    sentences, complete : int
        Sentences with at least one scored word, and those with all heads right.
    labelled : bool
        Whether gold and system both have relations, so that ``las`` means something.
    """

    words: int
    heads: int
    labels: int
    both: int
    sentences: int
    complete: int
    labelled: bool

    @property
    def uas(self) -> float | None:
        """Unlabelled attachment score, in percent."""
        return percent(self.heads, self.words)

    @property
    def las(self) -> float | None:
        """Labelled attachment score, in percent; None without relations."""
        return percent(self.both, self.words) if self.labelled else None

    @property
    def label_accuracy(self) -> float | None:
        """Share of words with the right relation, in percent; None without relations."""
        return percent(self.labels, self.words) if self.labelled else None

    @property
    def complete_match(self) -> float | None:
        """Share of sentences with every head right, in percent."""
        return percent(self.complete, self.sentences)

    def as_dict(self) -> dict:
        """Plain numbers for JSON."""
        shares = ("uas", "las", "label_accuracy", "complete_match")
        counts = ("words", "heads", "sentences", "complete")
        values = {name: getattr(self, name) for name in (*shares, *counts)}
        return {name: value for name, value in values.items() if value is not None}


def attachment_scores(gold: Treebank, system: Treebank, *, punctuation: bool | np.ndarray = True) -> AttachmentScores:
    """Score a system's trees against gold trees, word by word.

    Parameters
    ----------
    gold, system : Treebank
        The same sentences in the same order. Words without a gold head are not scored.
    punctuation : bool or bool array of shape (rows,), default=True
        Whether punctuation words are scored, or which words are; trees stay whole either way.

    Returns
    -------
    AttachmentScores

    Raises
    ------
    WorkbenchError : the two hold different sentences; names the first that differs.

    Notes
    -----
    As in the CoNLL 2006 shared task: a word is right if its head (and relation) is. O(words).
    """
    require_same_text(gold, system)
    scored = gold.heads >= 0
    if isinstance(punctuation, np.ndarray):
        scored &= punctuation
    elif not punctuation:
        scored &= ~gold.punctuation()
    right = scored & (gold.heads == system.heads)
    same_label = scored & same_strings(gold.deprel, system.deprel)
    labelled = bool(len(gold.deprel.values) > 1 and len(system.deprel.values) > 1)
    starts = gold.offsets[:-1]
    in_sentence = np.add.reduceat(scored.astype(np.int64), starts) if len(gold) else np.zeros(0, dtype=np.int64)
    right_in_sentence = np.add.reduceat(right.astype(np.int64), starts) if len(gold) else in_sentence
    return AttachmentScores(
        words=int(scored.sum()),
        heads=int(right.sum()),
        labels=int(same_label.sum()),
        both=int((right & same_label).sum()),
        sentences=int((in_sentence > 0).sum()),
        complete=int(((in_sentence > 0) & (in_sentence == right_in_sentence)).sum()),
        labelled=labelled,
    )


def require_same_text(gold: Treebank, system: Treebank) -> None:
    """Raise WorkbenchError unless both treebanks hold the same words in the same sentences."""
    if len(gold) != len(system):
        raise WorkbenchError(
            f"gold has {len(gold)} sentences and system {len(system)}{first_difference(gold, system)}; give both the "
            "same text and the same filters"
        )
    different = np.flatnonzero(gold.lengths != system.lengths)
    if not len(different):
        different = gold.sentence_rows[~same_strings(gold.form, system.form)]
    if len(different):
        raise WorkbenchError(
            f"gold and system differ in the words of sentence {different[0] + 1}{first_difference(gold, system)}; "
            "give both the same text"
        )


def first_difference(gold: Treebank, system: Treebank) -> str:
    """Where the words of two treebanks part first, ``: at word 3 gold has "du" …``; "" where they do not. O(rows)."""
    for index in range(min(len(gold), len(system))):
        one, other = gold[index], system[index]
        pairs = zip([*one.forms, ""], [*other.forms, ""], strict=False)
        at = next((word for word, pair in enumerate(pairs) if alike(pair[0]) != alike(pair[1])), None)
        if at is not None:
            named = f" of sentence {index + 1}" if len(gold) != len(system) else ""
            return f": at word {at}{named} gold has {_word_at(one, at)} and the system {_word_at(other, at)}"
    return ""


def _word_at(sentence, at):
    """A word in quotes, with the multiword token that it is part of."""
    if at >= len(sentence.forms):
        return "no word"
    for line in sentence.lines:
        number, form, *_ = line.split("\t") if "\t" in line else ("", "")
        first, is_range, last = number.partition("-")
        if is_range and first.isdigit() and last.isdigit() and int(first) <= at <= int(last):
            words = " ".join(sentence.forms[int(first) : int(last) + 1])
            return f"{quoted(sentence.forms[at])!r}, of {quoted(form)!r} ({first}-{last}: {quoted(words)})"
    return repr(quoted(sentence.forms[at]))


def alike(form: str) -> str:
    """A form as it is compared: composed (NFC), its blanks of any kind, or _ for one between digits, as a space."""
    form = composed(form)
    if form.isalnum():
        return form
    return BLANK.sub(" ", form)


def same_strings(one: Column, other: Column) -> np.ndarray:
    """bool (rows,): where two Columns hold the same string, in whatever normal form of Unicode, and of blanks."""
    index: dict[str, int] = {}
    translated = np.array([index.setdefault(alike(value), len(index)) for value in one.values], dtype=np.int64)
    translate = np.array([index.get(alike(value), -1) for value in other.values], dtype=np.int64)
    return translated[one.ids] == translate[other.ids]


def sentences_alike(one: Treebank, other: Treebank) -> np.ndarray:
    """bool (S,): which sentences of two texts, of as many, have the same words. O(rows)."""
    alike = one.lengths == other.lengths
    one, other = one.select(alike), other.select(alike)
    alike[alike] = all_of_each(same_strings(one.form, other.form), one.offsets)
    return alike


def forms_differ(gold: Treebank, system: Treebank) -> str:
    """A sentence where two treebanks write the same words in different normal forms of Unicode; else ""."""
    one, other = ({value for value in bank.form.values if not value.isascii()} for bank in (gold, system))
    if not {*map(composed, one - other)} & {*map(composed, other - one)}:
        return ""
    return "gold and system write accents differently (NFC, NFD); their words are compared composed (NFC)"


class PrecisionAndRecall:
    """The shares of items with counts in ``gold``, in ``system`` and of those that are ``correct``."""

    correct: int
    gold: int
    system: int

    @property
    def recall(self) -> float | None:
        """The share of the gold items that the system has, in percent; None without any."""
        return percent(self.correct, self.gold)

    @property
    def precision(self) -> float | None:
        """The share of the system's items that are right, in percent; None without any."""
        return percent(self.correct, self.system)


def percent(part: float, whole: float) -> float | None:
    """The share of a part in a whole, in percent; None of nothing."""
    return 100.0 * part / whole if whole else None
