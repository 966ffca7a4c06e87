"""Brackets in a CoNLL-U comment: ``# markup = a 3-5 | i 4-5``, tag name and first and last word of each.

``# places = [["a", 3, 5, "body > p > a", "<a href=..."]]`` has, as JSON, the element path and the source of each.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.errors import FormatError
from core.settings import fits
from core.treebank import Sentence, Treebank
from core.trees.brackets import Bracket

LINE = re.compile(r"#\s*markup\s*=(.*)")
PART = re.compile(r"\s*(\S+)\s+(\d+)-(\d+)\s*")
NO_TAG = "_"


def read_brackets(sentence: Sentence) -> list[Bracket]:
    """The brackets of a Sentence, in the order of its comment; an empty list if it has none.

    Raises FormatError, with the sentence's name, for a comment that is not in this notation or names words that the
    sentence does not have.
    """
    matches = [LINE.fullmatch(comment.strip()) for comment in sentence.comments]
    texts = [match[1] for match in matches if match]
    return [_bracket(part, sentence) for text in texts if text.strip() for part in text.split("|")]


def format_brackets(brackets: Iterable[Bracket]) -> str | None:
    """The comment line for some brackets, ``#`` included; None if there are none."""
    parts = [f"{bracket.tag or NO_TAG} {bracket.start}-{bracket.end - 1}" for bracket in brackets]
    return f"# markup = {' | '.join(parts)}" if parts else None


def format_places(places: Sequence[tuple[str, int, int, str, str]]) -> str:
    """The comment line for (tag, first word, last word, element path, source) of brackets, ``#`` included."""
    return f"# places = {json.dumps(places)}"


def read_places(sentence: Sentence) -> dict[tuple[int, int], list[tuple[str, str, str]]]:
    """(tag, element path, source) of the marks of each bracket (start, end) of a Sentence; {} where it has no comment.

    Raises FormatError, with the sentence's name, for a comment that is not in this notation.
    """
    places: dict[tuple[int, int], list[tuple[str, str, str]]] = {}
    text = sentence.comment("places")
    if text is None:
        return places
    try:
        for tag, first, last, path, source in json.loads(text):
            if not fits([tag, first, last, path, source], tuple[str, int, int, str, str]):
                raise ValueError("another type")
            places.setdefault((first, last + 1), []).append((tag, path, source))
    except (ValueError, TypeError, RecursionError):
        name = sentence.sent_id or sentence.index + 1
        raise FormatError(
            "# places is no list of places as the workbench writes it; remove it", sentence=name
        ) from None
    return places


def word_tags(brackets: Sequence[Bracket], length: int) -> list[str]:
    """For each word 1..length the tags of the brackets that hold it, ``a,i``, for MISC; "" where none does.

    For tools that look at words one by one; brackets are read from the comment, which alone has their ends. O(words,
    brackets and names told).
    """
    tags, behind = (
        [[] for _ in range(length)],
        defaultdict(dict),
    )  # of each name, a word further on for words that have it
    for bracket in brackets:
        for name in (bracket.tag or NO_TAG).split("+"):
            word = _without(behind[name], bracket.start - 1)
            while word < bracket.end - 1:
                tags[word].append(name)
                behind[name][word] = word + 1
                word = _without(behind[name], word + 1)
    return [",".join(names) for names in tags]


def _without(behind, word):
    """The first word from ``word`` on that is not in ``behind``; the way there is made short."""
    free = word
    while free in behind:
        free = behind[free]
    while word in behind:
        behind[word], word = free, behind[word]
    return free


def treebank_brackets(treebank: Treebank) -> list[list[Bracket]]:
    """The brackets of each sentence of a treebank: list of lists of Bracket. Raises FormatError."""
    return [read_brackets(sentence) for sentence in treebank]


def _bracket(part, sentence):
    match = PART.fullmatch(part)
    name = sentence.sent_id or sentence.index + 1
    if not match:
        raise FormatError(
            f"{part.strip()!r} is no bracket in # markup; write a tag, a space, and first-last word, as in 'a 3-5'",
            sentence=name,
        )
    first, last = int(match[2]), int(match[3])
    if not 1 <= first <= last <= len(sentence):
        raise FormatError(f"the bracket {part.strip()!r} names words outside 1-{len(sentence)}", sentence=name)
    return Bracket(first, last + 1, None if match[1] == NO_TAG else match[1])
