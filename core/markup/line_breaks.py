"""Lines broken by ``<br>``: which go on in the next one, and which end a paragraph or a line of a list.

A line goes on where the next one begins in lower case, or with a mark that closes. Before a capital, and in scripts
that have none, it goes on if no sentence ends with it and it looks broken off: it is no short one, and its last word is
no name or number, as that of a title or an address may be.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from core.markup.prose import SENTENCE_END

ENDS = re.compile(r"""[.!?…؟۔।。！？:;]["'”’»」』)\]）]*$""")
GOES_ON = re.compile(r"[,;:.!?)\]}»”%、。，」）]")  # what a line that goes on may begin with
COMMAS = tuple(",、，،")
OPENING = re.compile(r"""["'“‘«„(\[{¿¡]*""")
ITEM = re.compile(r"(?:[-–—•·*▪◦►>]|\(?(?:\d{1,3}|[a-z])[.)])\s|[•▪◦►]")
NO_SPACES = re.compile(  # scripts that write words without spaces
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
CHARACTERS = 3  # of such a script that count as a word
SHORT = 4  # words below which a line says little


def joined_lines(text: str, breaks: Sequence[int]) -> list[tuple[int, int]]:
    """(begin, end) of each stretch of a text whose lines belong together.

    Parameters
    ----------
    text : str
    breaks : sequence of int
        Where a line begins, but for the first.

    Notes
    -----
    O(characters). Short lines in which no sentence ends are a list, and stand alone.
    """
    lines = [(begin, end) for begin, end in pairwise([0, *breaks, len(text)]) if begin < end]
    groups = []
    for begin, end in lines:
        if groups and goes_on(text[groups[-1][-1][0] : begin].strip(), text[begin:end].lstrip()):
            groups[-1].append((begin, end))
        else:
            groups.append([(begin, end)])
    stretches = []
    for group in groups:
        whole = text[group[0][0] : group[-1][1]]
        is_list = len(group) > 1 and not SENTENCE_END.search(whole) and size(whole) < SHORT * len(group)
        stretches += group if is_list else [(group[0][0], group[-1][1])]
    return [(begin, begin + len(text[begin:end].rstrip())) for begin, end in stretches]


def goes_on(before: str, after: str) -> bool:
    """Whether a line goes on in the next one."""
    if not before or not after or ITEM.match(after):
        return False
    first = OPENING.sub("", after, count=1)[:1]
    if first.islower() or GOES_ON.match(after):
        return True
    if ENDS.search(before):
        return False
    last = before.rsplit(" ", 1)[-1].lstrip("\"'“‘«„([{")[:1]
    return size(before) >= SHORT and (before.endswith(COMMAS) or not (last.isupper() or last.isdigit()))


def size(line: str) -> int:
    """About how many words a line has."""
    return line.count(" ") + 1 + len(NO_SPACES.findall(line)) // CHARACTERS


def needs_space(before: str, after: str) -> bool:
    """Whether a space stands between joined lines: not between letters of a script without, nor before a comma."""
    return not (GOES_ON.match(after) or (NO_SPACES.match(before[-1:]) and NO_SPACES.match(after[:1])))
