"""Brackets extracted from pages onto the trees of the same sentences.

Sentences meet by their text, white space aside, and brackets by the characters they cover, so that the two may differ
in what they take for a word. Both texts are made plain first, and their words alike. So a page may differ from its
trees in how it writes quotation marks, dashes, accents, ligatures and what nobody sees.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from core.errors import WorkbenchError
from core.languages.normal_form import normalized
from core.markup.extract import Extraction, extract_sentences
from core.markup.marked import merged, with_brackets
from core.markup.normalise import PLAIN
from core.treebank import Sentence, Treebank, load_sample
from core.treebank.penn import ESCAPED
from core.treebank.sample import FOLDER
from core.trees.brackets import Bracket

# Penn's `` and '' are quotation marks too, and what is mapped to " goes on to ''.
SAME = str.maketrans(
    {odd: plain.replace('"', "''") for odd, plain in PLAIN.items()}
    | {'"': "''", "`": "'"}
    | dict.fromkeys("‐‒–—―−", "-")
)
ESCAPE = re.compile("|".join(ESCAPED))


@dataclass(frozen=True)
class BracketAlignment:
    """Trees that have met brackets.

    ``treebank`` is the one aligned with, with ``# markup`` comments; ``brackets`` has a tuple for each of its
    sentences. ``matched`` of them were on the pages, ``strange`` sentences of the pages have no tree here. ``split``
    brackets cover part of a word of the treebank and are left out.
    """

    treebank: Treebank
    brackets: tuple
    matched: int
    strange: int
    split: int


def align(extraction: Extraction, treebank: Treebank) -> BracketAlignment:
    """Put the brackets of an Extraction on the same sentences of a treebank.

    Parameters
    ----------
    extraction : Extraction
    treebank : Treebank
        Its sentences keep their words, trees and comments. One that stands several times gets the brackets each time.

    Returns
    -------
    BracketAlignment

    Notes
    -----
    O(characters).
    """
    marked, alike = defaultdict(dict), Counter()
    for sentence, brackets in zip(extraction.treebank, extraction.brackets, strict=True):
        key = _key(sentence.text)
        alike[key] += 1
        _add(marked[key], sentence, brackets)
    result, keys, met, split = [], [_key(sentence.text) for sentence in treebank], set(), 0
    for sentence, key in zip(treebank, keys, strict=True):
        places, moved = word_places(sentence) if key in marked else None, []
        if places:
            met.add(key)
            moved, left_out = _moved(marked[key], places)
            split += left_out
        result.append(tuple(merged(moved)))
    strange = sum(count for key, count in alike.items() if key not in met)
    matched = sum(key in met for key in keys)
    return BracketAlignment(with_brackets(treebank, result), tuple(result), matched, strange, split)


def _key(text):
    """A text made plain; that of two texts side by side is theirs side by side, hence decomposed (NFKD)."""
    if "-" in text:
        text = ESCAPE.sub(lambda escape: ESCAPED[escape[0]], text)
    return "".join(normalized("NFKD", text).translate(SAME).split())


def word_places(sentence: Sentence) -> list[tuple[int, int]] | None:
    """Where the words 1..n of a sentence stand in its text, plain and without spaces: list of (start, end).

    The words of a multiword token share out its characters where they spell it, else each has all of them. None if
    words and text do not fit.
    """
    text, places, position, words = _key(sentence.text), [], 0, iter(sentence.forms[1:])
    rows = (line.split("\t") for line in sentence.lines if not line.startswith("#"))
    spans = {int(row[0].split("-")[0]): row[:2] for row in rows if "-" in row[0]}
    number = 1
    for form in words:
        if number not in spans:
            pieces, surface = [_key(form)], _key(form)
        else:
            last = int(spans[number][0].split("-")[1])
            pieces = [_key(form), *(_key(next(words)) for _ in range(last - number))]
            surface = _key(spans[number][1])
        if not text.startswith(surface, position):
            return None
        if "".join(pieces) == surface:
            for piece in pieces:
                places.append((position, position + len(piece)))
                position += len(piece)
        else:
            places += [(position, position + len(surface))] * len(pieces)
            position += len(surface)
        number += len(pieces)
    return places if position == len(text) else None


def _add(marked, sentence, brackets):
    """Put the brackets of a sentence among those of its text: characters that one covers -> its tags; None: unknown."""
    there = word_places(sentence) if brackets else None
    for bracket in brackets:
        covered = there and (there[bracket.start - 1][0], there[bracket.end - 2][1])
        marked.setdefault(covered, []).append(bracket.tag)


def _moved(marked, here):
    """(brackets over the same characters of other words, how many are left out as they cut one of them)."""
    begins, ends = {}, {}
    for number, (begin, end) in enumerate(here, start=1):
        begins.setdefault(begin, number)
        ends[end] = number
    moved, left_out = [], 0
    for covered, tags in marked.items():
        first, last = (begins.get(covered[0]), ends.get(covered[1])) if covered else (None, None)
        if first is None or last is None or last < first:
            left_out += len(tags)
        else:
            moved += [Bracket(first, last + 1, tag) for tag in dict.fromkeys(tags)]
    return moved, left_out


def sample_markup(part: str = "sample", **options: Any) -> BracketAlignment:
    """The BracketAlignment of the sample's pages with a part of the sample: gold trees and brackets, offline.

    ``part`` is "sample", "questions" or "function-heads"; ``options`` are those of ``extract_sentences``. Raises
    WorkbenchError for another part, or if the installation lacks the pages.
    """
    treebank, pages = load_sample(part), FOLDER / "pages"
    if not pages.is_dir():
        raise WorkbenchError(f"{pages} is missing; install the workbench again")
    return align(extract_sentences(pages, **options), treebank)
