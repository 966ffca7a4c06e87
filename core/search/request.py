"""The request language: the part of Grew's that linguists use most, read into plain data.

::

    pattern { V [upos=VERB]; N [upos=NOUN|PROPN, Number=Sing]; e: V -[nsubj|obj]-> N; N << V; N.lemma = V.lemma }
    without { N -[det]-> D }

    commands { del_edge e; add_edge V -[iobj]-> N; N.upos = PROPN; N.Case = Nom }

=====================  =====================================================================================
``X [clauses]``        a word; ``key=value|value``, ``key<>value``, ``key`` (has one), ``!key`` (has none).
                       Keys are form, lemma, upos, xpos, deprel or a feature. ``re"..."`` matches the whole value.
``X -> Y``             X heads Y; ``X -[nsubj|obj]-> Y`` by these relations, ``X -[^punct]-> Y`` by any other.
                       ``e: X -> Y`` names the arc, so that clusters and commands can speak of ``e.label``.
``X ->> Y``            X dominates Y, at any depth.
``X < Y``, ``X << Y``  X stands right before Y, anywhere before Y (also ``>`` and ``>>``).
``X.key = Y.key``      both have the same value (``<>``: different ones)
``*``                  in place of a name: some word, whichever; ``ROOT -> X``: X is a root word
=====================  =====================================================================================

Words of one request are different words. ``without`` blocks remove hits that can be extended so; several are allowed.
Commands: ``del_edge e``, ``add_edge X -[rel]-> Y``, ``e.label = rel``, ``X.key = value``, ``del_feat X.Key``.
``%`` opens a comment. Relations match exactly, save ``nsubj:*``, any subtype of ``nsubj`` and itself.
"""

import re
from dataclasses import dataclass, field

from core.errors import WorkbenchError, quoted
from core.search.budget import require_pattern

COLUMNS = ("form", "lemma", "upos", "xpos", "deprel")
ROOT = "ROOT"
LONGEST = 10_000  # characters of a request
TOKEN = re.compile(
    r"""(?P<space>\s+|%[^\n]*)|(?P<regex>re"(?:[^"\\]|\\.)*")|(?P<text>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<sign>->>|->|-\[\^?|\]->|<<|>>|<>|[\[\]{}<>=|,;:.!*])"""
    r"""|(?P<word>[\w$'’&/+@#](?:[\w$'’&/+@#]|-(?![>\[])|:(?=[\w*])|(?<=:)\*)*)"""
)


class RequestError(WorkbenchError):
    """A request that cannot be read; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, *, line: int, column: int):
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}: {message}")


@dataclass(frozen=True)
class Clause:
    """One test of a word's value: ``kind`` is "is", "not", "has" or "lacks"; ``values`` are (text, is regex)."""

    key: str
    kind: str
    values: tuple = ()


@dataclass(frozen=True)
class ArcPattern:
    """``head -> modifier``; ``labels`` are (text, is regex), None is any; ``deep``: dominance; ``name`` may be None."""

    head: str
    modifier: str
    labels: tuple | None = None
    negated: bool = False
    deep: bool = False
    name: str | None = None


@dataclass(frozen=True)
class Order:
    """``first`` stands before ``second``, right before it if ``adjacent``."""

    first: str
    second: str
    adjacent: bool


@dataclass(frozen=True)
class ValueComparison:
    """``left.left_key`` equals (or, ``negated``, differs from) ``right.right_key``."""

    left: str
    left_key: str
    right: str
    right_key: str
    negated: bool


@dataclass
class PatternBlock:
    """The conditions of one ``pattern`` or ``without``; ``words`` maps names to their clauses, in order of mention."""

    words: dict = field(default_factory=dict)
    arcs: list = field(default_factory=list)
    orders: list = field(default_factory=list)
    comparisons: list = field(default_factory=list)


@dataclass(frozen=True)
class RewriteCommand:
    """One change: ``kind`` is "delete", "attach", "relabel", "set" or "unset"."""

    kind: str
    word: str | None = None
    head: str | None = None
    key: str | None = None
    value: str = ""


@dataclass(frozen=True)
class Request:
    """A whole request."""

    pattern: PatternBlock
    without: tuple
    commands: tuple

    @property
    def words(self) -> tuple:
        """Names of the pattern's words, anonymous ones left out."""
        return tuple(name for name in self.pattern.words if not name.startswith("*") and name != ROOT)

    @property
    def arcs(self) -> dict:
        """The named arcs: dict from name to Arc."""
        return {arc.name: arc for arc in self.pattern.arcs if arc.name}


def parse_request(text: str) -> Request:
    """Read a request.

    Parameters
    ----------
    text : str
        A request, or bare statements, which are read as one ``pattern`` block.

    Returns
    -------
    Request

    Raises
    ------
    RequestError : with line and column of what cannot be read.
    """
    if len(text) > LONGEST:
        raise RequestError(f"a request may have {LONGEST:,} characters; this one has {len(text):,}", line=1, column=1)
    return _Reader(text).request()


class _Reader:
    def __init__(self, text):
        self.text, self.tokens, self.at, self.anonymous = text, [], 0, 0
        position = 0
        while position < len(text):
            found = TOKEN.match(text, position)
            if found is None:
                self.fail(f"{text[position]!r} has no meaning here", position)
            if found.lastgroup != "space":
                self.tokens.append((found.lastgroup, found.group(), position))
            position = found.end()
        self.tokens.append(("end", "", len(text)))

    def request(self):
        pattern, without, commands = None, [], ()
        if self.peek() not in ("pattern", "without", "commands") or self.ahead() != "{":
            pattern = self.block(bare=True)
        while self.kind() != "end":
            place, word = self.tokens[self.at][2], self.take("pattern, without or commands")
            self.expect("{")
            if word == "pattern" and pattern is None:
                pattern = self.block()
            elif word == "without" and pattern is not None:
                without.append(self.block())
            elif word == "commands" and pattern is not None and not commands:
                commands = self.commands(pattern)
            else:
                self.fail(
                    f"{_said(word)}: a request is one pattern, any without blocks, then at most one commands block",
                    place,
                )
        if pattern is None or not pattern.words:
            self.fail("the pattern names no word; write for example: pattern { X [upos=VERB] }", 0)
        return Request(pattern, tuple(without), tuple(commands))

    def block(self, bare=False):
        block = PatternBlock()
        while self.peek() != "}" and self.kind() != "end":
            if bare and self.peek() in ("without", "commands") and self.ahead() == "{":
                return block
            if self.peek() == ";":
                self.at += 1
                continue
            self.statement(block)
            if self.peek() not in (";", "}") and self.kind() != "end" and not bare:
                self.fail(f"expected ';' or '}}' before {_said(self.peek())}")
        if not bare:
            self.expect("}")
        return block

    def statement(self, block):
        named = None
        if self.ahead() == ":":
            named = self.name("the name of an arc")
            self.at += 1
        first = self.word(block)
        sign = self.peek()
        if sign == "[" and named is None:
            block.words[first] = (*block.words[first], *self.clauses())
        elif sign in ("->", "->>", "-[", "-[^"):
            block.arcs.append(self.arc(block, first, named))
        elif sign in ("<", "<<", ">", ">>") and named is None:
            self.at += 1
            second = self.word(block)
            pair = (first, second) if sign[0] == "<" else (second, first)
            block.orders.append(Order(*pair, adjacent=len(sign) == 1))
        elif sign == "." and named is None:
            block.comparisons.append(self.comparison(block, first))
        else:
            self.fail(f"after {first} write [clauses], an arrow, an order or a comparison, not {_said(sign)}")

    def clauses(self):
        found = []
        self.expect("[")
        while self.peek() != "]":
            lacks = self.peek() == "!"
            self.at += lacks
            key = self.key()
            if lacks:
                found.append(Clause(key, "lacks"))
            elif self.peek() in ("=", "<>"):
                kind = "is" if self.take("=") == "=" else "not"
                found.append(Clause(key, kind, self.values()))
            else:
                found.append(Clause(key, "has"))
            if self.peek() == ",":
                self.at += 1
            elif self.peek() != "]":
                self.fail(f"expected ',' or ']' before {_said(self.peek())}")
        self.expect("]")
        return found

    def values(self):
        found = [self.value()]
        while self.peek() == "|":
            self.at += 1
            found.append(self.value())
        return tuple(found)

    def value(self):
        kind, text, place = self.tokens[self.at]
        self.at += 1
        if kind == "word":
            return text, False
        if kind == "text":
            return re.sub(r"\\(.)", r"\1", text[1:-1]), False
        if kind == "regex":
            try:
                require_pattern(text[3:-1])
            except ValueError as error:
                self.fail(f"the regular expression cannot be read: {error}", place)
            return text[3:-1], True
        if text == "." or (kind == "sign" and text in (",", ":", "!", ";")):
            return self.fail(f"put {text!r} into double quotes", place)
        return self.fail(f"expected a value, not {_said(text)}", place)

    def arc(self, block, head, named):
        labels, negated, sign = None, False, self.take("an arrow")
        if sign.startswith("-["):
            negated = sign.endswith("^")
            labels = self.values()
            self.expect("]->")
        modifier = self.word(block)
        if modifier == ROOT:
            self.fail("ROOT has no head; write ROOT -> X")
        deep = sign == "->>"
        if deep and named:
            self.fail("a dominance ->> is not an arc and takes no name")
        if named and any(arc.name == named for arc in block.arcs):
            self.fail(f"two arcs are named {named}; choose another name")
        return ArcPattern(head, modifier, labels, negated, deep, named)

    def comparison(self, block, left):
        self.expect(".")
        left_key = self.key()
        sign, place = self.take("= or <>"), self.tokens[self.at - 1][2]
        if sign not in ("=", "<>"):
            self.fail("compare with = or <>", place)
        if self.ahead() != ".":
            self.fail(f"compare with another word's value, as in Y.{left_key}; for a fixed value write {left} [...]")
        right = self.word(block)
        self.expect(".")
        return ValueComparison(left, left_key, right, self.key(), negated=sign == "<>")

    def commands(self, pattern):
        found = []
        arcs = {arc.name: arc for arc in pattern.arcs if arc.name}
        while self.peek() != "}" and self.kind() != "end":
            if self.peek() == ";":
                self.at += 1
                continue
            found.append(self.command(pattern, arcs))
        self.expect("}")
        return tuple(found)

    def command(self, pattern, arcs):
        word = self.name("a command")
        if word == "del_edge":
            return RewriteCommand("delete", word=self.named(arcs, "arc").modifier)
        if word == "add_edge":
            head = ROOT if self.peek() == ROOT else None
            self.at += head is not None
            head = head or self.named_word(pattern)
            if self.peek() != "-[":
                self.fail("the relation is missing: add_edge X -[obl]-> Y")
            self.at += 1
            label = self.value()[0]
            self.expect("]->")
            return RewriteCommand("attach", word=self.named_word(pattern), head=head, value=label)
        if word == "del_feat":
            target = self.named_word(pattern)
            self.expect(".")
            return RewriteCommand("unset", word=target, key=self.editable())
        self.at -= 1
        if word in arcs and self.ahead() == ".":
            arc = self.named(arcs, "arc")
            self.expect(".")
            if self.take("label") != "label":
                self.fail("of an arc only the label can be set: e.label = obl")
            self.expect("=")
            return RewriteCommand("relabel", word=arc.modifier, value=self.value()[0])
        if word in pattern.words:
            target = self.named_word(pattern)
            self.expect(".")
            key = self.editable()
            self.expect("=")
            return RewriteCommand("set", word=target, key=key, value=self.value()[0])
        return self.fail(
            f"{_said(word)} is not a command, arc or word here; commands are del_edge, add_edge, del_feat, X.key = …"
        )

    def editable(self):
        key = self.key()
        if key == "form":
            self.fail(
                "forms are the text itself and cannot be rewritten; change lemma, upos, xpos, deprel or a feature"
            )
        return key

    def named(self, names, what):
        name = self.name(f"the name of an {what}")
        if name not in names:
            known, place = ", ".join(names) or "none", self.tokens[self.at - 1][2]
            self.fail(f"no {what} is named {quoted(name)}; the pattern has {known}", place)
        return names[name]

    def named_word(self, pattern):
        name = self.name("the name of a word")
        if name not in pattern.words or name == ROOT:
            names = ", ".join(each for each in pattern.words if not each.startswith("*") and each != ROOT)
            self.fail(f"no word is named {quoted(name)}; the pattern has {names}", self.tokens[self.at - 1][2])
        return name

    def word(self, block):
        if self.peek() == "*":
            self.at += 1
            self.anonymous += 1
            name = f"*{self.anonymous}"
        else:
            name = self.name("the name of a word")
        block.words.setdefault(name, ())
        return name

    def key(self):
        return self.name("a key such as upos or Number")

    def name(self, what):
        kind, text, place = self.tokens[self.at]
        if kind != "word":
            self.fail(f"expected {what}, not {_said(text)}", place)
        self.at += 1
        return text

    def kind(self):
        return self.tokens[self.at][0]

    def peek(self):
        return self.tokens[self.at][1]

    def ahead(self):
        """The token after the next, "" past the end."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)][1]

    def take(self, what):
        if self.kind() == "end":
            self.fail(f"expected {what}, but the request ends here")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, sign):
        if self.peek() != sign:
            self.fail(f"expected {sign!r}, {f'not {self.peek()!r}' if self.peek() else 'but the request ends here'}")
        self.at += 1

    def fail(self, message, position=None):
        position = self.tokens[self.at][2] if position is None else position
        line = self.text.count("\n", 0, position) + 1
        column = position - (self.text.rfind("\n", 0, position) + 1) + 1
        raise RequestError(message, line=line, column=column)


def _said(text):
    return quoted(repr(text)) if text else "the end"
