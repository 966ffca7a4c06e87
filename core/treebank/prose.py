"""Whether the lines of running text are sentences or paragraphs."""

import re
from itertools import chain, pairwise

from core.languages.marks import WITH_SPACE, stop_class

STOPS, CLOSERS = stop_class(), "\"'”’»«“)\\]」』*_"
ENDS = re.compile(rf"[{STOPS}][{CLOSERS}]*$")
INNER = re.compile(
    rf"\w\w\w[{STOPS}]+(\s+\S|[{CLOSERS}]+\s+(?![a-zа-яё])\S)|[{stop_class(WITH_SPACE)}][{CLOSERS}]*[^\s{CLOSERS}]"
)  # a stop within a line; not “No!” he said, nor Mr. Fox
SEVERAL = 0.2  # share of lines with several sentences: they are paragraphs, or wrapped
FLOWING = 0.3  # share of open lines before a small letter: they are wrapped
FULL, WIDE = 0.7, 45  # wrapped lines have so much of the longest one's characters, which has so many at the least


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
