"""From the text of a request to plain data; ``core.search.request`` describes the language."""

import re

import regex

from core.errors import quoted
from core.search.budget import require_pattern
from core.search.request import (
    COLUMNS,
    ROOT,
    ArcPattern,
    Clause,
    Order,
    PatternBlock,
    Request,
    RequestError,
    RewriteCommand,
    ValueComparison,
)

LONGEST = 10_000  # characters of a request
SENTENCE_KINDS = ("is_projective", "is_not_projective", "is_tree", "is_not_tree")
QUOTES = "; a value with such signs stands in double quotes"
LETTER = r"\w\p{M}\u200c\u200d"  # as UAX 31: marks and joiners are of their word
TOKEN = regex.compile(
    r"""(?P<space>\s+|%[^\n]*)|(?P<regex>re"(?:[^"\\]|\\.)*"\w*|/(?:[^/\\\n]|\\.)+/\w*(?=\s*[\]|,;}]))"""
    r"""|(?P<text>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<sign>->>|->|-\[\^?|\]->|<<|>>|<>|[\[\]{}<>=|,;:.!*])"""
    rf"""|(?P<word>[{LETTER}$'’&/+@#](?:[{LETTER}$'’&/+@#]|-(?![>\[])|:(?=[{LETTER}*])|(?<=:)\*)*)"""
)


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
            token = TOKEN.match(text, position)
            if token is None:
                self.fail(f"{text[position]!r} has no meaning here{QUOTES}", position)
            if token.lastgroup != "space":
                self.tokens.append((token.lastgroup, token.group(), position))
            position = token.end()
        self.tokens.append(("end", "", len(text)))

    def request(self):
        pattern, without, commands, sentences = None, [], (), []
        if self.peek() not in ("pattern", "global", "without", "commands") or self.ahead() != "{":
            pattern = self.block(bare=True)
        while self.kind() != "end":
            start, word = self.tokens[self.at][2], self.take("pattern, global, without or commands")
            self.expect("{")
            if word == "pattern" and pattern is None:
                pattern = self.block()
            elif word == "without" and pattern is not None:
                without.append(self.block())
            elif word == "global":
                sentences += self.clauses(";", "}", self.sentence_key)
            elif word == "commands" and pattern is not None and not commands:
                commands = self.commands(pattern)
            else:
                self.fail(
                    f"{_shown(word)}: a request is one pattern, any global and without blocks, then at most one "
                    "commands block",
                    start,
                )
        if pattern is None or not pattern.words:
            self.fail("the pattern names no word; write for example: pattern { X [upos=VERB] }", 0)
        return Request(pattern, tuple(without), tuple(commands), tuple(sentences))

    def block(self, bare=False):
        block = PatternBlock()
        while self.peek() != "}" and self.kind() != "end":
            if bare and self.peek() in ("global", "without", "commands") and self.ahead() == "{":
                return block
            if self.peek() == ";":
                self.at += 1
                continue
            self.statement(block)
            if self.peek() not in (";", "}") and self.kind() != "end" and not bare:
                self.fail(f"expected ';' or '}}' before {_shown(self.peek())}")
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
            self.expect("[")
            block.words[first] = (*block.words[first], *self.clauses(",", "]", self.key))
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
            self.fail(f"after {first} write [clauses], an arrow, an order or a comparison, not {_shown(sign)}")

    def clauses(self, between, end, read_key):
        """Clauses up to the sign that ends them, which is taken too."""
        clauses = []
        while self.peek() != end:
            lacks = self.peek() == "!"
            self.at += lacks
            key = read_key()
            if lacks:
                clauses.append(Clause(key, "lacks"))
            elif self.peek() in ("=", "<>"):
                kind = "is" if self.take("=") == "=" else "not"
                clauses.append(Clause(key, kind, self.values()))
            else:
                clauses.append(Clause(key, "has"))
            if self.peek() == between:
                self.at += 1
            elif self.peek() != end:
                self.fail(f"expected {between!r} or {end!r} before {_shown(self.peek())}{QUOTES}")
        self.expect(end)
        return clauses

    def sentence_key(self):
        start, key = self.tokens[self.at][2], self.name("sent_id, text, another comment or such as is_projective")
        if key.startswith("is_") and key not in SENTENCE_KINDS:
            self.fail(f"there is no kind of sentence {quoted(key)}; write {', '.join(SENTENCE_KINDS)}", start)
        if key in SENTENCE_KINDS and self.peek() in ("=", "<>"):
            self.fail(f"{key} has no value; it stands alone")
        return key

    def values(self):
        values = [self.value()]
        while self.peek() == "|":
            self.at += 1
            values.append(self.value())
        return tuple(values)

    def value(self):
        kind, text, start = self.tokens[self.at]
        self.at += 1
        if kind == "word":
            return text, False
        if kind == "text":
            return re.sub(r"\\(.)", r"\1", text[1:-1]), False
        if kind == "regex":
            return self.pattern(text, start), True
        if text == "." or (kind == "sign" and text in (",", ":", "!", ";")):
            return self.fail(f"put {text!r} into double quotes", start)
        return self.fail(f"expected a value, not {_shown(text)}{QUOTES if text else ''}", start)

    def pattern(self, text, start):
        """The regular expression of ``re"..."`` or ``/.../``, its flag within it."""
        begin, end = (3, text.rindex('"')) if text.startswith("re") else (1, text.rindex("/"))
        written, flags = text[begin:end], text[end + 1 :]
        if flags not in ("", "i"):
            self.fail(f"the flag {quoted(flags)} is not known; the one there is, i, passes over capitals", start)
        try:
            require_pattern(written)
        except ValueError as error:
            self.fail(f"the regular expression cannot be read: {error}", start)
        return f"(?i){written}" if flags and not written.startswith("(?i)") else written

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
        sign, start = self.take("= or <>"), self.tokens[self.at - 1][2]
        if sign not in ("=", "<>"):
            self.fail("compare with = or <>", start)
        if self.ahead() != ".":
            self.fail(f"compare with another word's value, as in Y.{left_key}; for a fixed value write {left} [...]")
        right = self.word(block)
        self.expect(".")
        return ValueComparison(left, left_key, right, self.key(), negated=sign == "<>")

    def commands(self, pattern):
        commands = []
        arcs = {arc.name: arc for arc in pattern.arcs if arc.name}
        while self.peek() != "}" and self.kind() != "end":
            if self.peek() == ";":
                self.at += 1
                continue
            commands.append(self.command(pattern, arcs))
        self.expect("}")
        return tuple(commands)

    def command(self, pattern, arcs):
        word = self.name("a command")
        if word == "del_edge":
            return RewriteCommand("delete", word=self.named_arc(arcs).modifier)
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
            arc = self.named_arc(arcs)
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
            f"{_shown(word)} is not a command, arc or word here; commands are del_edge, add_edge, del_feat, X.key = …"
        )

    def editable(self):
        start, key = self.tokens[self.at][2], self.key()
        if key.startswith("misc."):
            self.fail("MISC cannot be rewritten; change lemma, upos, xpos, deprel or a feature", start)
        if key not in COLUMNS and key.lower() in COLUMNS:
            self.fail(f"{key} would be a feature; did you mean {key.lower()}?", start)
        if key == "form":
            self.fail(
                "forms are the text itself and cannot be rewritten; change lemma, upos, xpos, deprel or a feature"
            )
        return key

    def named_arc(self, arcs):
        name = self.name("the name of an arc")
        if name not in arcs:
            known, start = ", ".join(arcs) or "none", self.tokens[self.at - 1][2]
            self.fail(f"no arc is named {quoted(name)}; the pattern has {known}", start)
        return arcs[name]

    def named_word(self, pattern):
        name = self.name("the name of a word")
        if name not in pattern.words or name == ROOT:
            names = ", ".join(known for known in pattern.words if not known.startswith("*") and known != ROOT)
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
        """A key, with its layer in brackets or, as Grew has it, after two underscores; MISC's behind ``misc.``."""
        name = self.name("a key such as upos or Number")
        if name == "misc" and self.peek() == ".":
            self.at += 1
            return "misc." + self.key()
        if self.peek() == "[":
            self.at += 1
            name += f"[{self.name('a layer such as psor')}]"
            self.expect("]")
        base, underscores, layer = name.partition("__")
        return f"{base}[{layer}]" if base and underscores and layer else name

    def name(self, expected):
        kind, text, start = self.tokens[self.at]
        if kind != "word":
            self.fail(f"expected {expected}, not {_shown(text)}", start)
        self.at += 1
        return text

    def kind(self):
        return self.tokens[self.at][0]

    def peek(self):
        return self.tokens[self.at][1]

    def ahead(self):
        """The token after the next, "" past the end."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)][1]

    def take(self, expected):
        if self.kind() == "end":
            self.fail(f"expected {expected}, but the request ends here")
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


def _shown(text):
    return quoted(repr(text)) if text else "the end"
