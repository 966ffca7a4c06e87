"""A page as blocks of running text with their mark-up, prose apart from page furniture.

A block is what stands between two places where no sentence goes on: the bounds of paragraphs, list items, cells and
headings, and line breaks behind which none does. Its text has single spaces. Mark-up open at a block's end is open at
the next one's begin, as browsers have it.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from core.markup.elements import (
    BLOCKS,
    BREAKOUT,
    CODE,
    DEFAULT_TAGS,
    FOREIGN,
    HIDING,
    HINT,
    IMPLIED_ENDS,
    IN_HEAD,
    INTEGRATED,
    KNOWN,
    NO_HINTS,
    NO_PROSE,
    PHRASES,
    VOID,
)
from core.markup.line_breaks import joined_lines, needs_space
from core.markup.normalise import normalised, without_edges
from core.markup.prose import judge
from core.markup.scanner import START, TEXT, attributes, scan_html
from core.markup.selectors import Chosen
from core.markup.superscripts import REACH as BEFORE
from core.markup.superscripts import is_called_a_note, is_footnote_mark, is_mass_number, superscript

OUTSIDE = -1  # the depth of the element that is read, where none is
SAME_OPEN = 3  # elements of one name open at once that are distinguished; deeper ones say nothing new
REACH = 100  # open elements looked through for one whose end is implied


@dataclass(slots=True)
class InlineMark:
    """Characters ``start`` to ``end - 1`` of a text, marked by ``tag``; ``is_broken`` if it began before it.

    ``number`` is that of its start tag in the page.
    """

    start: int
    end: int
    tag: str
    is_broken: bool = False
    number: int = -1

    def within(self, begin: int, end: int) -> "InlineMark":
        """The part of it in a piece of the text, counted from the piece's begin."""
        start = max(self.start, begin)
        is_broken = self.is_broken or start > self.start
        return InlineMark(start - begin, min(self.end, end) - begin, self.tag, is_broken, self.number)


def marks_within(marks: Iterable[InlineMark], spans: Iterable[tuple[int, int]]) -> Iterator[list[InlineMark]]:
    """Yield, for each (begin, end) of a text, in order, the parts of its marks in it, counted from its begin."""
    waiting = sorted(marks, key=lambda mark: -mark.start)  # the first one last
    for begin, end in spans:
        here = []
        while waiting and waiting[-1].start < end:
            here.append(waiting.pop())
        yield [mark.within(begin, end) for mark in here if mark.end > begin]
        waiting += [mark for mark in here if mark.end > end]


@dataclass(slots=True)
class Block:
    """Running text.

    ``reason`` is None for prose, else why it is none: see ``prose.judge`` and ``elements.NO_PROSE``. ``links`` and
    ``code`` count the characters in links and in code.
    """

    text: str
    marks: list = field(default_factory=list)
    reason: str | None = None
    links: int = 0
    code: int = 0


def read_blocks(
    text: str, tags: Collection[str] = DEFAULT_TAGS, headings: bool = False, boilerplate: bool = False,
    straight_quotes: bool = True, chosen: Chosen | None = None, tokens: Iterable[tuple] | None = None,
) -> Iterator[Block]:  # fmt: skip
    """Yield the blocks of a page's HTML in order, those that are no prose included, with their reason.

    Parameters
    ----------
    text : str
    tags : collection of str
        Names of elements to keep as marks. ``a`` counts where it has an ``href``: else nobody sees it.
    headings : bool
        Headings are prose too.
    boilerplate : bool
        Keep what is not prose by its look or place (navigation, fragments, tables of links ...); code, scripts,
        forms, pictures and hidden text go all the same.
    straight_quotes : bool
        Make typographic quotation marks plain.
    chosen : Chosen, optional
        What selectors chose of this page; by default furniture is left out, and all else is read.
    tokens : iterable, optional
        The tags and the text of the page, where ``scan_html`` has yielded them before.

    Notes
    -----
    O(characters), however elements nest.
    """
    chosen = chosen or Chosen(furniture=frozenset() if boilerplate else Chosen.furniture)
    reader, number = _Reader(frozenset(tags), headings, boilerplate, straight_quotes, chosen), 0
    for sort, value, inside in scan_html(text) if tokens is None else tokens:
        if sort == TEXT:
            reader.add(value)
        elif sort == START:
            reader.start(value, inside, number)
            number += 1
        else:
            reader.end(value)
        if reader.ready:
            yield from reader.ready
            reader.ready.clear()
    reader.finish()
    yield from reader.ready


class _Reader:
    """Turns tags and text into blocks; ``ready`` holds those that are done."""

    def __init__(self, tags, headings, boilerplate, straight_quotes, chosen):
        self.tags, self.boilerplate, self.straight_quotes, self.chosen = tags, boilerplate, straight_quotes, chosen
        with_headings = headings or boilerplate
        self.dropped = {name: why for name, why in NO_PROSE.items() if not (with_headings and why == "heading")}
        self.known = KNOWN | chosen.names
        self.read_depth = None if chosen.read is None else OUTSIDE  # of the element that is read, or where none is
        self.ready = []
        self.open, self.counts = [], {}  # names of open elements, and how many of each
        self.code_depth = 0  # how many of them hold code
        self.drop_depth, self.drop_reason, self.drop_text = None, None, []  # while inside something that is no prose
        # tag -> [(start, is_broken, number)], and how many more were opened
        self.marks_open, self.ignored_opens = {}, {}
        self.are_marks = {name: [] for name in chosen.names}  # of the open elements called so, whether each is a mark
        self.is_hinted = False  # the raised text that is open is said to be a note
        self._new_block()

    def _new_block(self):
        self.pieces, self.length, self.spaced = [], 0, True
        self.marks, self.breaks, self.code_spans = [], [], []
        self.code_from = 0 if self.code_depth else None
        self.is_broken, self.figure = False, None  # after a line break; after a raised figure that is not settled

    def add(self, text):
        """Running text, its white space made single."""
        if self.drop_reason is not None and not self._leaves_head(text):
            if self.drop_text or not text.isspace():
                self.drop_text.append(text)
            return
        text = without_edges(text)  # a space behind a sign that nobody sees is a space
        piece = normalised(text, self.straight_quotes)
        if piece:
            if self.is_broken or self.figure is not None:
                self._settle(text)
            if text[0].isspace() and not self.spaced:
                piece = " " + piece
            self.spaced = text[-1].isspace()
            if self.spaced:
                piece += " "
            self._append(piece)
        elif not self.spaced and not self.is_broken and any(map(str.isspace, text)):
            self._append(" ")
            self.spaced = True

    def _append(self, piece):
        self.pieces.append(piece)
        self.length += len(piece)

    def _settle(self, text):
        """What waited for the text that comes: a raised figure, the space of a line break."""
        figure, self.figure = self.figure, None
        if figure is not None and is_mass_number(text):
            self._append(superscript(figure, ""))
            self.spaced = False
        elif figure is not None:
            self.ready.append(Block(figure, reason="footnote mark"))
        if self.is_broken:
            self.is_broken = False
            if not self.spaced and needs_space(self.pieces[-1], text.lstrip()):
                line_start = self.length
                self._append(" ")
                for stack in self.marks_open.values():  # what was opened behind the break begins with its line
                    stack[:] = [(start + (start == line_start), *more) for start, *more in stack]
            self.spaced = True
            self.breaks.append(self.length)

    def _leaves_head(self, text):
        """Whether text ends the head of the page, as all but white space does."""
        if self.open[-1] != "head" or text.isspace():
            return False
        self._pop()
        return True

    def start(self, name, inside, number=-1):
        """A start tag."""
        self._end_before(name)
        if self.drop_reason is not None:
            self._start_dropped(name, inside)
            return
        if name == "br":
            if self.is_broken:
                self.close_block()  # an empty line
            self.is_broken = self.length > 0
            return
        is_read = self._starts_to_read(name, number)
        if name in BLOCKS and not is_read:
            self.close_block()
        reason = self._reason(name, inside, number, is_read)
        self._start_mark(name, inside, number, reason)
        if reason is not None and name not in VOID:
            self.drop_depth, self.drop_reason = len(self.open), reason
            self.is_hinted = name == "sup" and (is_called_a_note(inside) or self._at_a_link())
            self._push(name)
        elif name in self.known and name not in VOID:
            if name in CODE and self.code_from is None:
                self.code_from = self.length
            self._push(name)

    def _starts_to_read(self, name, number):
        """Whether an element is one that is read, and none around it is; its text is a block of its own."""
        if self.read_depth != OUTSIDE or number not in self.chosen.read or name in VOID:
            return False
        self.close_block()
        self.read_depth = len(self.open)
        return True

    def _start_mark(self, name, inside, number, reason):
        """Open a mark where an element is one."""
        is_mark = number in self.chosen.marked and reason is None
        if is_mark or (name in self.tags and (name != "a" or "href" in inside.lower())):
            self._open_mark(name, number)
        if name in self.are_marks and name not in VOID and reason is None:
            self.are_marks[name].append(is_mark)

    def _end_before(self, name):
        """End what the start of an element ends."""
        if self.drop_reason == "head" and name not in IN_HEAD and self.open[-1] == "head":
            self._pop()
        elif self.drop_reason == "media" and name in BREAKOUT:
            self._end_implied(FOREIGN, INTEGRATED)
        elif self.drop_text and name in BLOCKS and self._drops_a_phrase():
            while self.drop_reason is not None:
                self._pop()
        if name in IMPLIED_ENDS:
            self._end_implied(*IMPLIED_ENDS[name])

    def _drops_a_phrase(self):
        """Whether what is no prose began as part of a line. It ends with it: its end tag may be missing."""
        if self.drop_depth is None or self.drop_reason in (None, "hidden"):
            return False
        return self.open[self.drop_depth] in PHRASES

    def _start_dropped(self, name, inside):
        if name not in VOID:
            self._push(name)
        elif name == "br":
            self.drop_text.append(" ")
        self.is_hinted |= name == "a" and "href" in inside

    def _at_a_link(self):
        """Whether a link has begun here."""
        return any(start == self.length for start, *_ in self.marks_open.get("a", ()))

    def _reason(self, name, inside, number, is_read):
        """Why what an element holds is no prose; None if it may be."""
        if number in self.chosen.dropped:
            return "left out"
        if name in self.tags or number in self.chosen.marked:
            return None
        if name in self.dropped:
            return self.dropped[name]
        furniture = frozenset() if is_read else self.chosen.furniture
        if name in furniture:
            return "navigation"
        if name != "dialog" and (not inside or name in NO_HINTS or not HINT.search(inside)):
            return None
        values = attributes(inside)
        if _is_hidden(name, values):
            return "hidden"
        return "navigation" if furniture and not furniture.isdisjoint(_simple_selectors(values)) else None

    def end(self, name):
        """An end tag: it ends all that is open inside its element; without a start tag it means nothing."""
        if name == "br":
            self.start(name, "")  # as browsers read it
            return
        are_marks = self.are_marks.get(name) if self.drop_reason is None else None
        is_mark = are_marks.pop() if are_marks else False
        if is_mark or (name in self.tags and self.drop_reason is None):
            self._close_mark(name)
        if name in BLOCKS and self.drop_reason is None:
            self.close_block()
        if self.counts.get(name):
            while self._pop() != name:
                pass

    def _push(self, name):
        self.open.append(name)
        self.counts[name] = self.counts.get(name, 0) + 1
        self.code_depth += name in CODE

    def _pop(self):
        name = self.open.pop()
        self.counts[name] -= 1
        self.code_depth -= name in CODE
        if self.drop_depth is not None and len(self.open) == self.drop_depth:
            text, reason = normalised("".join(self.drop_text)), self.drop_reason
            self.drop_depth, self.drop_reason, self.drop_text = None, None, []
            if reason == "footnote mark":
                self._raise(text)
            elif text:
                self.ready.append(Block(text, reason=reason))
        elif name in CODE and self.code_from is not None and not self.code_depth:
            self.code_spans.append((self.code_from, self.length))
            self.code_from = None
        if len(self.open) == self.read_depth:
            self.close_block()
            self.read_depth = OUTSIDE
        return name

    def _raise(self, text):
        """Raised text: a footnote mark goes, and all else stays."""
        if not text:
            return
        before = "".join(self.pieces[-BEFORE:])[-BEFORE:]
        is_mark = is_footnote_mark(text, before, self.is_hinted)
        if is_mark is None and self.figure is None:
            self.figure = text
        elif is_mark is not False:
            self.ready.append(Block(text, reason="footnote mark"))
        else:
            self.add(superscript(text, before))

    def _end_implied(self, ended, barriers):
        """End the innermost open element of ``ended``, if no barrier stands in between."""
        if not any(self.counts.get(name) for name in ended):
            return
        for depth in range(1, min(len(self.open), REACH) + 1):
            name = self.open[-depth]
            if name in barriers:
                return
            if name in ended:
                if self.drop_reason is None:
                    self.close_block()
                for _ in range(depth):
                    self._pop()
                return

    def _open_mark(self, tag, number):
        if tag == "a" and self.marks_open.get("a"):
            self._close_mark("a")  # links do not nest
        stack = self.marks_open.setdefault(tag, [])
        if len(stack) < SAME_OPEN:
            stack.append((self.length, False, number))
        else:
            self.ignored_opens[tag] = self.ignored_opens.get(tag, 0) + 1

    def _close_mark(self, tag):
        if self.ignored_opens.get(tag):
            self.ignored_opens[tag] -= 1
        elif self.marks_open.get(tag):
            self._mark(tag, *self.marks_open[tag].pop())

    def _mark(self, tag, start, is_broken, number):
        if start < self.length:
            self.marks.append(InlineMark(start, self.length, tag, is_broken, number))

    def close_block(self):
        """End the block here; open mark-up goes on in the next one."""
        if self.code_from is not None:
            self.code_spans.append((self.code_from, self.length))
        for tag, stack in self.marks_open.items():
            for index, (start, is_broken, number) in enumerate(stack):
                self._mark(tag, start, is_broken, number)
                stack[index] = (0, is_broken or start < self.length, number)
        if self.figure is not None:
            self.ready.append(Block(self.figure, reason="footnote mark"))
        if self.length:
            text = "".join(self.pieces)
            if not self.breaks:
                self._block(text, self.marks, self.code_spans)
            else:
                spans = joined_lines(text, self.breaks)
                code = [InlineMark(start, end, "") for start, end in self.code_spans]
                for (begin, end), marks, inside in zip(
                    spans, marks_within(self.marks, spans), marks_within(code, spans), strict=True
                ):
                    self._block(text[begin:end], marks, [(mark.start, mark.end) for mark in inside])
        self._new_block()

    def _block(self, text, marks, code_spans):
        text = text.rstrip()
        if text:
            links = sum(mark.end - mark.start for mark in marks if mark.tag == "a")
            code = sum(end - start for start, end in code_spans)
            reason = judge(text, links, code, self.boilerplate)
            if self.read_depth == OUTSIDE and reason is None:
                reason = "not selected"
            self.ready.append(Block(text, marks, reason, links, code))

    def finish(self):
        """The page ends."""
        while self.open:
            self._pop()
        self.close_block()


def _is_hidden(name, values):
    """Whether nobody sees an element, by its attributes: a dialog and a popover are closed at first."""
    if "hidden" in values or "popover" in values or (name == "dialog" and "open" not in values):
        return True
    return values.get("aria-hidden", "").lower() == "true" or HIDING.search(values.get("style", "")) is not None


def _simple_selectors(values):
    """The selectors that choose an element by its class, its id or its role alone, in lower case."""
    names = [f".{name}" for name in values.get("class", "").lower().split()]
    names += [f"#{name}" for name in values.get("id", "").lower().split()]
    return [*names, f'[role="{values.get("role", "").lower()}"]']
