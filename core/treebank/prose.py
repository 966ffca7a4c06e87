"""The lines of running text: whether they are sentences or paragraphs, and which stand by themselves."""

import re
from itertools import chain, pairwise
from typing import NamedTuple

from core.languages.marks import WITH_SPACE, stop_class

STOPS, CLOSERS = stop_class(), "\"'”’»«“)\\]」』*_"
ENDS = re.compile(rf"[{STOPS}][{CLOSERS}]*$")
INNER = re.compile(
    rf"\w\w\w[{STOPS}]+(\s+\S|[{CLOSERS}]+\s+(?![a-zа-яё])\S)|[{stop_class(WITH_SPACE)}][{CLOSERS}]*[^\s{CLOSERS}]"
)  # a stop within a line; not “No!” he said, nor Mr. Fox
OPENING_MARKS = "\"'“„‘‚«»‹›¿¡([*_"
SEVERAL = 0.2  # share of lines with several sentences: they are paragraphs, or wrapped
FLOWING = 0.3  # share of open lines before a small letter: they are wrapped
FULL, WIDE = 0.7, 45  # wrapped lines have so much of the longest one's characters, which has so many at the least

SHORT = 0.6  # a heading or an item of a list has less of the longest line's characters
WHOLE = 0.8  # share of the longer lines that end in a stop: lines are paragraphs
ITEM = re.compile(r"(?:[-*•·–—‣▪◦●]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")  # the mark of an item in a list


def is_line_by_line(text: str) -> bool:
    """Whether text has one sentence per line; see ``detection.guess_format``."""
    paragraphs = re.split(r"\n[^\S\n]*\n\s*", re.sub(r"\r\n?", "\n", text).strip())
    blocks = [[line.strip() for line in block.split("\n") if line.strip()] for block in paragraphs]
    lines, pairs = list(chain(*blocks)), list(chain(*map(pairwise, blocks)))
    if not pairs or sum(bool(INNER.search(line)) for line in lines) > SEVERAL * len(lines):
        return False
    open_pairs = [(line, after) for line, after in pairs if not ENDS.search(line)]
    if 2 * len(open_pairs) <= len(pairs):
        return True
    starts_large = not blocks[0][0][:1].islower()
    flowing = sum(after[:1].islower() for _, after in open_pairs)
    if starts_large and flowing > FLOWING * len(open_pairs):
        return False
    longest = max(map(len, lines))
    return longest < WIDE or any(len(line) < FULL * longest for line, _ in open_pairs)


class Paragraphs(NamedTuple):
    """The lines of each paragraph of a text; its headings and items of lists; whether all lines are paragraphs."""

    lines: list[list[str]]
    alone: list[str]
    by_line: bool


def paragraphs_of(text: str) -> Paragraphs:
    """The paragraphs of running text, between blank lines.

    Where the longer lines end in a stop, each line is a paragraph. Else a line without a stop, shorter than .6 of the
    longest one, ends a paragraph before a capital and before an item of a list. Items end before each other too.
    O(characters).
    """
    blocks = [block.split("\n") for block in re.split(r"\n[^\S\n]*\n\s*", text)]
    blocks = [lines for block in blocks if (lines := [line.strip() for line in block if line.strip()])]
    least = SHORT * max(map(len, chain(*blocks)), default=0)
    if _are_paragraphs(blocks, least):
        lines = list(chain(*blocks))
        alone = [line for line in lines if len(line) < least and not ENDS.search(line)]
        return Paragraphs([[line] for line in lines], alone, True)
    parted, alone = [], []
    for block in blocks:
        ends = [number for number, pair in enumerate(pairwise(block), start=1) if _ends_alone(*pair, least)]
        parts = [block[begin:end] for begin, end in pairwise([0, *ends, len(block)])]
        alone += [part[0] for part in parts[:-1] if len(part) == 1 and not ENDS.search(part[0])]
        parted += parts
    return Paragraphs(parted, alone, False)


def _are_paragraphs(blocks, least):
    """Whether the lines of these blocks that are not short end in a stop, those before another line too."""
    inner = [bool(ENDS.search(line)) for block in blocks for line in block[:-1] if len(line) >= least]
    all_long = [bool(ENDS.search(line)) for line in chain(*blocks) if len(line) >= least]
    return len(all_long) > 1 and len(inner) > 0 and all(sum(ends) >= WHOLE * len(ends) for ends in (inner, all_long))


def _ends_alone(line, after, least):
    """Whether a line ends what it says before the next one, although no blank line follows."""
    if ITEM.match(after):
        return bool(ITEM.match(line) or ENDS.search(line) or line[-1] == ":" or len(line) < least)
    starts = after.lstrip(OPENING_MARKS)[:1]
    return starts.isupper() and len(line) < least and not ENDS.search(line)
