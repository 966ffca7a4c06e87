"""From the text of a constraint file to constraints and to an editable document; needs no treebank."""

import re
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from core.constraints.language.constraint import (
    BARE,
    DENOMINATORS,
    NEIGHBOURS,
    RESERVED,
    Condition,
    Constraint,
    Item,
    line_text,
    refusal,
)
from core.constraints.language.scanner import LineScanner
from core.errors import ConstraintError, quoted
from core.languages.typography import DASHES

LONGEST_DISTANCE = 9  # digits; no sentence has that many words
ARROW = re.compile(rf"<[{DASHES}-]>|[{DASHES}-]>|<[{DASHES}-]|[{DASHES}-]{{2}}|[–—―]|→|←|↔")
ARROWS_ON_KEYS = {"→": "->", "←": "<-", "↔": "<->"}
DASH = re.compile(f"[{DASHES}]")
RANGE = re.compile(rf"\.\.+|…|[{DASHES}-](?=\s*[\d.])")  # as word processors write it too
LINE_END = re.compile(r"\r\n|\r|\n")
OTHER_NUMBER = re.compile(r"\d+,(\d+)|(\d+(?:\.\d+)?)\s*%")
EXAMPLE = "such as VBD -> TO = 1.0"


@dataclass(frozen=True)
class Problem:
    """One message to the author: ``severity`` is "error" (refuses to train) or "warning".

    ``note`` is a short form of the message for the margin beside the line, such as ``at most 0.90``.
    """

    line: int
    column: int
    severity: str
    message: str
    note: str = ""


@dataclass(frozen=True)
class DocumentLine:
    """One line as it was written; ``constraint`` and ``problem`` are both None for blank lines and comments."""

    text: str
    constraint: Constraint | None = None
    problem: Problem | None = None


@dataclass(frozen=True)
class ConstraintDocument:
    """A constraint file of which one line can be edited while the others stay as they were written.

    Immutable: ``replace``, ``insert`` and ``remove`` return new documents. Line numbers count from 1.
    """

    lines: tuple[DocumentLine, ...]

    @classmethod
    def from_text(cls, text: "str | ConstraintDocument") -> "ConstraintDocument":
        """Read a file; lines that are no constraints are kept and carry their problem. A document stays itself."""
        if isinstance(text, ConstraintDocument):
            return text
        lines = LINE_END.split(text)  # not splitlines: a quoted form may hold what Unicode calls a line end
        if not lines[-1]:
            lines.pop()
        return cls(tuple(read_line(line, number) for number, line in enumerate(lines, 1)))

    @property
    def text(self) -> str:
        """The file's text; every line ends with a newline."""
        return "".join(line.text + "\n" for line in self.lines)

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints in order of lines, without the lines that could not be read."""
        return [line.constraint for line in self.lines if line.constraint is not None]

    @property
    def problems(self) -> list[Problem]:
        """The lines that could not be read: list of Problem."""
        return [line.problem for line in self.lines if line.problem is not None]

    def replace(self, number: int, constraint: Constraint | str) -> "ConstraintDocument":
        """The document with line ``number`` saying ``constraint`` (a Constraint or a line of text).

        A Constraint without a comment of its own keeps the comment that the line had.
        """
        self._require(number, len(self.lines))
        if isinstance(constraint, Constraint) and not constraint.comment:
            constraint = with_comment_of(self.lines[number - 1].text, constraint)
        return self._edited(number - 1, number, constraint)

    def insert(self, number: int, constraint: Constraint | str) -> "ConstraintDocument":
        """The document with a new line before line ``number``; one past the last line appends."""
        self._require(number, len(self.lines) + 1)
        return self._edited(number - 1, number - 1, constraint)

    def remove(self, number: int) -> "ConstraintDocument":
        """The document without line ``number``."""
        self._require(number, len(self.lines))
        return self._edited(number - 1, number)

    def _edited(self, begin, end, *replacement):
        lines = [line.text for line in self.lines]
        lines[begin:end] = [line_text(line) if isinstance(line, Constraint) else line for line in replacement]
        return self.from_text("".join(f"{line}\n" for line in lines))

    def _require(self, number, last):
        if not 1 <= number <= last:
            raise ConstraintError(f"there is no line {number}; the constraints have {len(self.lines)} lines")


def with_comment_of(line: str, constraint: Constraint) -> str:
    """A Constraint as a line, with the comment of the line in whose place it stands."""
    return constraint.text + split_comment(line)[1]


def read_line(text: str, number: int) -> DocumentLine:
    """One line of a constraint file as a DocumentLine; never raises."""
    code, comment = split_comment(text)
    if not code.strip():
        return DocumentLine(text)
    try:
        constraint = _Reader(code, number).constraint()
    except ConstraintError as error:
        message = str(error).removeprefix(f"line {number}, column {error.column}: ")
        return DocumentLine(text, problem=Problem(number, error.column or 1, "error", message, "cannot be read"))
    return DocumentLine(text, replace(constraint, comment=comment.strip().removeprefix("#").strip()))


def parse_item(text: str) -> Item:
    """One item, such as ``VBD``, ``form:"and"`` or ``{NOUN PROPN}``. Raises ConstraintError."""
    reader = _Reader(text, None)
    item = reader.item("an item")
    if not reader.ended():
        reader.fail(f"expected nothing more, {reader.next_word()}")
    return item


def split_comment(line: str) -> tuple[str, str]:
    """(what is before the comment, the comment with the space before it); ``#`` in quotes opens none."""
    quoted = False
    position = 0
    while position < len(line):
        character = line[position]
        if quoted and character == "\\":
            position += 1
        elif character == '"':
            quoted = not quoted
        elif character == "#" and not quoted and (position == 0 or line[position - 1].isspace()):
            code = line[:position].rstrip()
            return code, line[len(code) :]
        position += 1
    return line, ""


class _Reader(LineScanner):
    """Reads one constraint."""

    def constraint(self):
        first_column = self.next_column()
        first = self.item(f"a constraint, {EXAMPLE}")
        columns = {"arrow": self.next_column()}
        arrow = self.take(ARROW)
        if arrow is None:
            found = self.next_word()
            is_rule = first.text == "if" or found == "found 'has'"
            hint = "; a rule, with has or if, is written on Corpus, Validation" if is_rule else ""
            self.fail(f"expected an arrow (->, <-, -- or <->) after {first.text}, {found}{hint}")
        arrow = ARROWS_ON_KEYS.get(arrow.group()) or DASH.sub("-", arrow.group())
        arrow = "--" if arrow == "-" else arrow
        second_column = self.next_column()
        second = self.item("an item after the arrow")
        head, modifier = (second, first) if arrow == "<-" else (first, second)
        columns["modifier"] = first_column if arrow == "<-" else second_column
        parts = {"conditions": []}
        self.clauses(parts, columns)
        columns["target"] = self.next_column()
        low, high = self.target()
        self.settings(parts, columns)
        fields: dict[str, Any] = dict(head=head, modifier=modifier, arrow=arrow, low=low, high=high, line=self.line)
        fields |= parts
        fields["conditions"] = tuple(parts["conditions"])
        problem = refusal(SimpleNamespace(**{"weight": 1.0, "distance": None, "per": "pair", **fields}))
        if problem:
            self.fail(problem[1], columns[problem[0]])
        return Constraint(**fields, places=tuple(self.places))

    def clauses(self, parts, columns):
        """Everything between the second item and ``=``."""
        while self.take(re.compile("=")) is None:
            begin = self.next_column()
            keyword = self.keyword(("dist", "between", "before", "after", "per", "weight"))
            if keyword is None:
                self.fail(f"expected '=' and a target or a condition, {self.next_word()}")
            if keyword == "between":
                parts["conditions"].append(self.between())
            elif keyword in ("before", "after"):
                sides = "head", "modifier"
                side = self.keyword(sides)
                if side is None:
                    self.fail(f"expected 'head' or 'modifier' after '{keyword}', {self.next_word(sides)}")
                kind = f"{keyword} {side}"
                assert kind in NEIGHBOURS
                parts["conditions"].append(Condition(kind, self.item(f"an item after '{kind}'")))
            else:
                self.setting(keyword, parts, columns, begin)

    def settings(self, parts, columns):
        """Everything after the target."""
        while not self.ended():
            begin = self.next_column()
            keyword = self.keyword(("per", "weight"))
            if keyword is None:
                if self.keyword(("dist", "between", "before", "after")):
                    self.fail("conditions stand before the '='", begin)
                self.fail(f"expected 'per', 'weight' or the end of the line, {self.next_word()}")
            self.setting(keyword, parts, columns, begin)

    def setting(self, keyword, parts, columns, begin):
        part = "distance" if keyword == "dist" else keyword
        if part in parts:
            self.fail(f"'{keyword}' is given twice", begin)
        columns[keyword] = begin
        if keyword == "dist":
            parts["distance"] = self.distance()
        elif keyword == "per":
            parts["per"] = self.keyword(DENOMINATORS)
            if parts["per"] is None:
                self.fail(f"expected 'modifier', 'head' or 'pair' after 'per', {self.next_word(DENOMINATORS)}")
        else:
            columns["weight"] = self.next_column()
            parts["weight"], parts["confirmed"] = self.number("a number after 'weight'"), True

    def between(self):
        kind = self.keyword(("only", "none"))
        if kind == "none":
            position = self.next_column() - 1
            following = BARE.match(self.text, position)
            if self.text[position : position + 1] in ("", "=") or (following and following.group() in RESERVED):
                return Condition("between none")
        kind = f"between {kind}" if kind else "between"
        return Condition(kind, self.item(f"an item after '{kind}'"))

    def distance(self):
        """(least, greatest or None) after ``dist``."""
        match = self.take(re.compile(r"(>|<)?\s*(\d+)(?:\.\.(\d+))?(?![\w.-])"))
        if match is None or (match.group(1) and match.group(3)):
            self.fail(f"expected a distance such as 1, 2..5 or >10 after 'dist', {self.next_word()}")
        if max(len(match.group(2)), len(match.group(3) or "")) > LONGEST_DISTANCE:
            self.fail(f"a distance has at most {LONGEST_DISTANCE} digits", match.start(2) + 1)
        sign, low, high = match.group(1), int(match.group(2)), match.group(3)
        if sign == ">":
            return low + 1, None
        if sign == "<":
            return 1, low - 1
        return low, int(high) if high else low

    def target(self):
        other = OTHER_NUMBER.match(self.text, self.next_column() - 1)
        if other:
            write = f"0.{other.group(1)}" if other.group(1) else f"{float(other.group(2)) / 100:g}"
            self.fail(
                f"a target is a number from 0 to 1 with a decimal point; write {write} for {quoted(other.group())}"
            )
        low = self.number("a target such as 0.75 or 0.9..1.0 after '='")
        if self.take(RANGE):
            return low, self.number("the upper end of the range after '..'")
        return low, low
