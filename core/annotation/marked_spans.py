"""Comments that name words of a sentence by number, ``# markup`` and ``# places``, after an edit of the words."""

import json
import re
from collections.abc import Mapping, Sequence

from core.annotation.sentence_block import named

SPAN = re.compile(r"(.*\s)([0-9]{1,9})-([0-9]{1,9})(\s*)", re.DOTALL)


def moved_marks(comments: Sequence[str], ids: Mapping[str, str]) -> tuple[str, ...]:
    """Comments whose marks hold the same words as before; a mark of whose words none is left goes.

    ``ids`` has the new id of each former word, and of the parts of ``3``, if that was split, as of ``3+1`` and
    ``3+2``. Comments in another notation stay as they are. O(characters).
    """
    moved = (_MOVES.get(named(line)[0], _same)(line, ids) for line in comments)
    return tuple(line for line in moved if line is not None)


def _same(line, ids):
    return line


def _span(first, last, ids):
    """(first, last) of the words that now stand for those from ``first`` to ``last``, or None."""
    left = sorted(number for number in map(int, filter(str.isdecimal, ids)) if first <= number <= last)
    if not left:
        return None
    ends, part = [int(ids[str(left[-1])])], 1
    while (other := ids.get(f"{left[-1]}+{part}")) is not None:
        ends.append(int(other))
        part += 1
    return int(ids[str(left[0])]), max(ends)


def _markup(line, ids):
    head, equals, text = line.partition("=")
    parts = []
    for part in text.split("|"):
        match = SPAN.fullmatch(part)
        if match is None:
            return line
        span = _span(int(match[2]), int(match[3]), ids)
        if span is not None:
            parts.append(f"{match[1]}{span[0]}-{span[1]}{match[4]}")
    if len(parts) < text.count("|") + 1:
        parts[-1:] = [part.rstrip() for part in parts[-1:]]
    return f"{head}{equals}{'|'.join(parts)}" if parts else None


def _places(line, ids):
    head, _, text = line.partition("=")
    try:
        places = json.loads(text)
        spans = [(place, _span(place[1], place[2], ids)) for place in places]
        moved = [[place[0], *span, *place[3:]] for place, span in spans if span is not None]
    except (ValueError, TypeError, LookupError, RecursionError):  # no list of places: somebody's own comment
        return line
    if moved == places:
        return line
    return f"{head}= {json.dumps(moved)}" if moved else None


def joined_marks(comments: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The comments of a sentence with the marks of another one that is now behind it, whose words are numbered on."""
    joined = list(comments)
    for line in others:
        key = named(line)[0]
        if key not in MARKS:
            continue
        at = next((index for index, own in enumerate(joined) if named(own)[0] == key), None)
        if at is None:
            joined.append(line)
        elif key == "markup":
            joined[at] = f"{joined[at].rstrip()} | {named(line)[1]}"
        else:
            joined[at] = _joined_places(joined[at], line)
    return tuple(joined)


def _joined_places(line, other):
    try:
        places = [*json.loads(named(line)[1]), *json.loads(named(other)[1])]
    except (ValueError, TypeError, RecursionError):  # no lists of places: somebody's own comments
        return line
    return f"{line.partition('=')[0]}= {json.dumps(places)}"


_MOVES = {"markup": _markup, "places": _places}
MARKS = tuple(_MOVES)  # comments that name words
