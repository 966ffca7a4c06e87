"""Marks on a text become brackets over the words of its sentences (spitkovsky2010, section 4.1).

In this order: a mark that crosses the bounds of sentences is broken up into one piece a sentence. A piece that covers
part of a word only is dropped, and so is one that covers its whole sentence (but for punctuation) or holds no word.
Pieces of the same words become one bracket that keeps all their tags, ``a+i``.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from core.languages.words import TokenizedText
from core.markup.blocks import InlineMark
from core.trees.brackets import Bracket

OUTCOMES = ("kept", "part of a word", "whole sentence", "no word")


def clean(
    words: TokenizedText, marks: Sequence[InlineMark], counts: Counter[tuple[str, str]],
    elements: dict[int, list[tuple[int, int, str, int]]],
) -> dict[int, tuple[Bracket, ...]]:  # fmt: skip
    """Brackets of each sentence.

    Parameters
    ----------
    words : TokenizedText
    marks : list of InlineMark
    counts : Counter
        Gains (tag, outcome) for every piece, with the ``OUTCOMES``; (tag, "broken") for every mark broken up, here or
        at the bounds of its block. (tag, "marks") for every mark.
    elements : dict
        Gains, by the sentence's index, (start, end, tag, number of the start tag) of every piece that is kept.

    Returns
    -------
    dict
        From the sentence's index to its brackets, by place, a longer one before those inside it.
    """
    if not marks:
        return {}
    tags_of, before = {}, [0, *accumulate(map(is_word, words.forms))]  # words before each form that hold a letter
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        first = bisect_right(words.starts, mark.start) - 1
        if first >= 0 and words.starts[first] + len(words.forms[first]) <= mark.start:
            first += 1  # the mark begins with white space
        first = max(first, 0)
        end = bisect_left(words.starts, mark.end)  # the word after the last
        counts[mark.tag, "broken" if mark.is_broken else "marks"] += 1
        if first >= end:
            counts[mark.tag, "no word"] += 1
            continue
        sentence = bisect_right(words.ends, first)
        crosses = words.ends[sentence] < end
        counts[mark.tag, "broken"] += crosses and not mark.is_broken
        while first < end:
            last = min(words.ends[sentence], end)
            outcome = _outcome(words, before, sentence, first, last, mark)
            counts[mark.tag, outcome] += 1
            if outcome == "kept":
                begin = words.ends[sentence - 1] if sentence else 0
                tags = tags_of.setdefault(sentence, {}).setdefault((first - begin + 1, last - begin + 1), [])
                tags[:] = sorted({*tags, mark.tag})
                elements.setdefault(sentence, []).append((first - begin + 1, last - begin + 1, mark.tag, mark.number))
            first, sentence = last, sentence + 1
    return {sentence: ordered_brackets(tags) for sentence, tags in tags_of.items()}


def _outcome(words, before, sentence, first, last, mark):
    """The outcome of a piece that reaches into words ``first`` to ``last - 1`` of a sentence."""
    forms = words.forms
    inside = before[last] - before[first]
    if not inside:
        return "no word"
    if words.starts[first] < mark.start or words.starts[last - 1] + len(forms[last - 1]) > mark.end:
        return "part of a word"
    begin, end = words.ends[sentence - 1] if sentence else 0, words.ends[sentence]
    return "kept" if before[end] - before[begin] > inside else "whole sentence"


def is_word(form: str) -> bool:
    """Whether a word holds a letter or a digit: whether it is no punctuation."""
    return form.isalnum() or any(character.isalnum() for character in form)


def ordered_brackets(tags: Mapping[tuple[int, int], Sequence[str]]) -> tuple[Bracket, ...]:
    """Brackets by place, a longer one before those inside it; ``tags`` has the tag names of each (start, end)."""
    ordered = sorted(tags, key=lambda span: (span[0], -span[1]))
    return tuple(Bracket(*span, "+".join(dict.fromkeys(tags[span])) or None) for span in ordered)
