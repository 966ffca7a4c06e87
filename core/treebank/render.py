"""A treebank back to bytes: what nobody touched as it was; changed words and renumbered sentences anew."""

import re
from typing import Any

from core.treebank.graphs import brought_along
from core.treebank.source import BOM

SPAN = re.compile(rb"(\d+)-(\d+)$")
TEXT = re.compile(rb"#\s*text\s*=")
MARKUP = re.compile(rb"(#\s*markup\s*=)(.*)")
BRACKET = re.compile(rb"\s*(.*?)\s*(\d+)-(\d+)\s*$")
NO_SPACE = b"SpaceAfter=No"


def treebank_bytes(treebank: Any) -> bytes:
    """The treebank in its source's layout and encoding; an untouched one gives the very bytes it was read from.

    Where a tree has changed, the enhanced dependencies of its sentence are left out, or brought along.
    """
    source = treebank.source
    if treebank.is_untouched:
        return source.data
    pieces = [sentence_bytes(treebank, index) for index in range(len(treebank))]
    newline = b"\r\n" if b"\r\n" in source.data[: source.blocks[1]] else b"\n"
    for index, piece in enumerate(pieces[:-1]):
        if treebank.picks[index] == len(source.blocks) - 2:  # only the source's last may lack its blank line
            piece += newline * (not piece.endswith(b"\n"))
            pieces[index] = piece + newline * bool(piece[:-1].rsplit(b"\n", 1)[-1].strip())
    return b"".join([BOM, *pieces] if source.data.startswith(BOM) else pieces)


def sentence_bytes(treebank: Any, index: int) -> bytes:
    """Lines of one sentence as the treebank is written: its comments, its words and the blank lines after it."""
    lines, graph = _edited_lines(treebank, index), treebank.drawn_graph(index)
    if graph is not None:
        return b"\n".join(graph.lines(lines.split(b"\n"), treebank.source.encoding))
    return _without_graph(lines, treebank.source.layout.graph) if treebank.graphless[index] else lines


def _edited_lines(treebank, index):
    source, block = treebank.source, _block(treebank, index)
    begin, end = treebank.offsets[index], treebank.offsets[index + 1]
    edited = treebank.edited_rows
    if not edited[begin:end].any():
        return block
    renumbered, edited = bool(edited[begin]), edited[begin:end].tolist()
    heads, relations = treebank.heads[begin:end].tolist(), treebank.deprel.ids[begin:end].tolist()
    starts = source.separators[source.lines[treebank.rows[begin + 1 : end]]] + 1
    word_at = {start: word for word, start in enumerate(starts.tolist(), start=1)}
    numbers = _numbers(treebank, index)
    olds = list(numbers)
    lines, position = [], int(source.blocks[treebank.picks[index]])
    for line in block.split(b"\n"):
        word = word_at.get(position)
        position += len(line) + 1
        if word is not None:
            if edited[word]:
                relation = treebank.deprel.values[relations[word]].encode(source.encoding)
                line = _word_line(line, word, heads[word], relation, source.layout, renumbered)
            if renumbered:
                line = _respaced(line, olds[word - 1], numbers, source.layout)
        elif renumbered:
            line = _other_line(line, numbers, source.layout)
        if line is not None:
            lines.append(line)
    return b"\n".join(lines)


def _without_graph(lines, column):
    """A sentence's lines without enhanced dependencies, and without empty nodes, of which only these speak."""
    kept = []
    for line in lines.split(b"\n"):
        fields = line.split(b"\t")
        if len(fields) > column and not line.startswith(b"#"):
            if b"." in fields[0]:
                continue
            fields[column] = b"_"
        kept.append(b"\t".join(fields))
    return b"\n".join(kept)


def comment_lines(treebank: Any, index: int) -> list[bytes]:
    """The comment lines of one sentence, as ``sentence_bytes`` has them, without its words."""
    lines = [line for line in _block(treebank, index).split(b"\n") if line.startswith(b"#")]
    if treebank.edited_rows[treebank.offsets[index]]:
        numbers = _numbers(treebank, index)
        lines = [_other_line(line, numbers, treebank.source.layout) for line in lines]
    return [line for line in lines if line is not None]


def _block(treebank, index):
    return treebank.source.block(treebank.picks[index])


def _numbers(treebank, index):
    """Number in the text -> present number, in order, of a sentence's words."""
    words = treebank.rows[treebank.offsets[index] + 1 : treebank.offsets[index + 1]]
    olds = words - treebank.source.offsets[treebank.picks[index]]
    return {old: new for new, old in enumerate(olds.tolist(), start=1)}


def _word_line(line, word, head, relation, layout, renumbered):
    """A word's line with its present number, head and relation."""
    ending = b"\r" if line.endswith(b"\r") else b""
    fields = line.removesuffix(b"\r").split(b"\t")
    fields[0] = b"%d" % word
    if layout.brought is not None and not renumbered:
        fields[layout.brought] = _brought_along(fields, head, relation, layout)
    fields[layout.positions["head"]] = b"_" if head < 0 else b"%d" % head
    fields[layout.positions["deprel"]] = relation or b"_"
    for column in layout.references if renumbered else layout.stale:
        if column < len(fields):
            fields[column] = b"_"
    return b"\t".join(fields) + ending


def _brought_along(fields, head, relation, layout):
    """The DEPS field of a word's line, whose fields have its former head and relation."""
    text = [field.decode("latin-1") for field in (*(fields[layout.positions[name]] for name in ("head", "deprel")),
                                                  fields[layout.brought], relation)]  # fmt: skip
    if text[2] == "_":
        return fields[layout.brought]
    old = (-1 if text[0] == "_" else int(text[0]), "" if text[1] == "_" else text[1])
    return brought_along(text[2], old, (head, text[3])).encode("latin-1") or b"_"


def _other_line(line, numbers, layout):
    """A line that is no kept word's, after renumbering; None if it must go.

    Empty nodes go, for only enhanced dependencies, which name words by number, speak of them. So does the text,
    which is no longer that of the words.
    """
    if line.startswith(b"#"):
        if TEXT.match(line):
            return None
        markup = MARKUP.match(line)
        return _markup_line(markup, numbers) if markup else line
    if not line.strip():
        return line
    span = SPAN.match(line.split(b"\t", 1)[0])
    if not span:
        return None
    kept = [numbers[old] for old in range(int(span[1]), int(span[2]) + 1) if old in numbers]
    if len(kept) < 2:
        return None
    line = b"%d-%d" % (kept[0], kept[-1]) + line[span.end() :]
    return _respaced(line, int(span[2]), numbers, layout)


def _markup_line(markup, numbers):
    """``# markup = a 3-5 | i 4-5`` in new numbers; brackets without a word left go, and the line with the last."""
    brackets = []
    ending = b"\r" if markup[0].endswith(b"\r") else b""
    for part in markup[2].split(b"|"):
        bracket = BRACKET.match(part)
        if not bracket:  # not in our notation: not ours to change
            return markup[0]
        kept = [numbers[old] for old in range(int(bracket[2]), int(bracket[3]) + 1) if old in numbers]
        if kept:
            brackets.append(b"%s %d-%d" % (bracket[1], kept[0], kept[-1]))
    return markup[1] + b" " + b" | ".join(brackets) + ending if brackets else None


def _respaced(line, last, numbers, layout):
    """A space follows a word whose neighbour was removed."""
    column = layout.positions.get("misc")
    if column is None or last + 1 in numbers or NO_SPACE not in line:
        return line
    fields = line.split(b"\t")
    ending = b"\r" if line.endswith(b"\r") else b""
    items = [item for item in fields[column].removesuffix(b"\r").split(b"|") if item != NO_SPACE]
    fields[column] = (b"|".join(items) or b"_") + ending
    return b"\t".join(fields)
