"""From the text of a request to plain data; ``core.search.request`` describes the language."""

import re

from core.errors import quoted
from core.languages.typography import plain_signs
from core.search.budget import require_pattern
from core.search.edge_features import KEYS, relation_features
from core.search.request import (
    BEGIN,
    COLUMNS,
    ENHANCED,
    ENHANCED_MARK,
    HAND,
    JOIN,
    REDUCED,
    ROOT,
    TAKE,
    ArcPattern,
    Clause,
    Order,
    PatternBlock,
    Request,
    RequestError,
    RewriteCommand,
    ValueComparison,
)
from core.search.scanning import QUOTES, TOKEN

COMMANDS = ("del_edge", "add_edge", "del_feat", "shift_in", "shift_out", "split", "merge", "add_node", "del_node",
            "split_sentence", "merge_sentence")  # fmt: skip
BLOCKS = "a request is one pattern, any global and without blocks, then at most one commands block"
LONGEST = 10_000  # characters of a request
SENTENCE_KINDS = ("is_projective", "is_not_projective", "is_tree", "is_not_tree")


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
    return _Reader(plain_signs(text)).request()


class _Reader:
    def __init__(self, text):
        self.text, self.tokens, self.at, self.anonymous = text, [], 0, 0
        self.made = []  # names of new words
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
                self.fail(f"{_shown(word)}: {BLOCKS}", start)
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
        labels, negated, enhanced, sign = None, False, False, self.take("an arrow")
        if sign.startswith("-["):
            negated = sign.endswith("^")
            labels, enhanced = self.relations(negated)
            self.expect("]->")
        modifier = self.word(block)
        if modifier == ROOT:
            self.fail("ROOT has no head; write ROOT -> X")
        deep = sign == "->>"
        if deep and named:
            self.fail("a dominance ->> is not an arc and takes no name")
        if named and any(arc.name == named for arc in block.arcs):
            self.fail(f"two arcs are named {named}; choose another name")
        return ArcPattern(head, modifier, labels, negated, deep, named, enhanced)

    def relations(self, negated):
        """(labels of an arc without ENHANCED_MARK, whether they had it)."""
        if self.peek() == "!" or self.ahead() in ("=", "<>") or self.peek() in KEYS:
            return relation_features(self, negated)
        start, labels = self.tokens[self.at][2], self.values()
        marked = [text.removeprefix("(?i)").startswith(ENHANCED_MARK) for text, _ in labels]
        if not any(marked):
            return labels, False
        if not all(marked):
            self.fail("an arc is of the tree or of the graph; write E: before each of its relations or before none",
                      start)  # fmt: skip
        plain = [(text.replace(ENHANCED_MARK, "", 1), is_regex) for text, is_regex in labels]
        return tuple((".*", True) if label == ("*", False) else label for label in plain), True

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
        self.require_complete(commands)
        return tuple(commands)

    def require_complete(self, commands):
        """Fail for a new word of which too little, or too much, is said."""
        for name in self.made:
            about = [command for command in commands if command.word == name and command.kind != "insert"]
            if not any(command.kind == "rewrite" for command in about):
                self.fail(f'the new word {name} has no form; write {name}.form = "…"')
            if any(command.kind not in ("rewrite", "set", "attach") or command.head == ROOT for command in about):
                self.fail(f"of the new word {name} only values and an arc from another word can be said")
            if any(command.head == name for command in commands):
                self.fail(f"no arc can begin at the new word {name} yet; rewrite once more, with it in the pattern")

    def command(self, pattern, arcs):
        word = self.name("a command")
        if word in COMMANDS:
            return getattr(self, f"command_{word}")(pattern, arcs)
        self.at -= 1
        if word in arcs and self.ahead() == ".":
            arc = self.named_arc(arcs)
            self.expect(".")
            if self.take("label") != "label":
                self.fail("of an arc only the label can be set: e.label = obl")
            self.expect("=")
            if self.ahead() == "." and self.peek() in arcs:
                like = self.named_arc(arcs).modifier
                self.expect(".")
                self.expect("label")
                return RewriteCommand("relabel", word=arc.modifier, like=like)
            return RewriteCommand("relabel", word=arc.modifier, value=self.value()[0])
        if word in pattern.words or word in self.made:
            target = self.named_word(pattern)
            self.expect(".")
            key = self.editable()
            self.expect("=")
            return RewriteCommand("rewrite" if key == "form" else "set", word=target, key=key, value=self.value()[0])
        known = ", ".join(COMMANDS)
        return self.fail(f"{_shown(word)} is not a command, arc or word here; commands are {known}, X.key = …")

    def command_del_edge(self, pattern, arcs):
        if self.ahead() != "-[":
            return RewriteCommand("delete", word=self.named_arc(arcs).modifier)
        head, label, word = self.edge(pattern)
        if not label.startswith(ENHANCED_MARK):
            self.fail(f"name the arc in the pattern, e: {head} -[{label}]-> {word}, and write del_edge e")
        return RewriteCommand(REDUCED, word=word, head=head, value=label.removeprefix(ENHANCED_MARK))

    def command_add_edge(self, pattern, arcs):
        if self.ahead() == ":":
            like = self.named_arc(arcs).modifier
            self.expect(":")
            head = self.head_or_root(pattern)
            self.expect("->")
            return RewriteCommand("attach", word=self.named_word(pattern), head=head, like=like)
        head, label, word = self.edge(pattern)
        kind = ENHANCED if label.startswith(ENHANCED_MARK) else "attach"
        return RewriteCommand(kind, word=word, head=head, value=label.removeprefix(ENHANCED_MARK))

    def edge(self, pattern):
        """(head, label, word) of an arc that a command spells out."""
        head = self.head_or_root(pattern)
        if self.peek() != "-[":
            self.fail("the relation is missing: add_edge X -[obl]-> Y, or add_edge e: X -> Y for that of an arc e")
        self.at += 1
        label = self.value()[0]
        self.expect("]->")
        return head, label, self.named_word(pattern)

    def head_or_root(self, pattern):
        is_root = self.peek() == ROOT
        self.at += is_root
        return ROOT if is_root else self.named_word(pattern)

    def command_shift_in(self, pattern, arcs):
        head = self.named_word(pattern)
        self.expect("==>")
        return RewriteCommand(TAKE, word=self.named_word(pattern), head=head)

    def command_shift_out(self, pattern, arcs):
        head, sign, labels = self.named_word(pattern), self.take("==> or =[relations]=>"), None
        if sign.startswith("=["):
            labels = self.values()
            self.expect("]=>")
        elif sign != "==>":
            self.fail(f"expected '==>' or '=[relations]=>' before {_shown(sign)}", self.tokens[self.at - 1][2])
        word = self.named_word(pattern)
        return RewriteCommand(HAND, word=word, head=head, labels=labels, negated=sign.endswith("^"))

    def command_del_feat(self, pattern, arcs):
        target = self.named_word(pattern)
        self.expect(".")
        return RewriteCommand("unset", word=target, key=self.editable())

    def command_split(self, pattern, arcs):
        word, forms = self.named_word(pattern), []
        while self.kind() in ("text", "word"):
            forms.append(self.value()[0])
        if len(forms) < 2:
            self.fail('give the parts, two or more: split X "d" "el"')
        return RewriteCommand("split", word=word, forms=tuple(forms))

    def command_merge(self, pattern, arcs):
        return RewriteCommand("merge", word=self.named_word(pattern), head=self.named_word(pattern))

    def command_split_sentence(self, pattern, arcs):
        return RewriteCommand(BEGIN, word=self.named_word(pattern))

    def command_merge_sentence(self, pattern, arcs):
        return RewriteCommand(JOIN, word=self.named_word(pattern))

    def command_del_node(self, pattern, arcs):
        return RewriteCommand("remove", word=self.named_word(pattern))

    def command_add_node(self, pattern, arcs):
        name = self.name("a name for the new word")
        if name in pattern.words or name in self.made or name == ROOT:
            self.fail(f"{quoted(name)} names a word already; choose another name")
        self.expect(":")
        if (side := self.take("> or <")) not in ("<", ">"):
            self.fail(f"write add_node {name} :> X for a new word after X, or :< for one before it")
        self.made.append(name)
        return RewriteCommand("insert", word=name, head=self.named_word(pattern), key=side)

    def editable(self):
        start, key = self.tokens[self.at][2], self.key()
        if key.startswith("misc."):
            self.fail("MISC cannot be rewritten; change lemma, upos, xpos, deprel or a feature", start)
        if key not in COLUMNS and key.lower() in COLUMNS:
            self.fail(f"{key} would be a feature; did you mean {key.lower()}?", start)
        return key

    def named_arc(self, arcs):
        name = self.name("the name of an arc")
        if name not in arcs:
            known, start = ", ".join(arcs) or "none", self.tokens[self.at - 1][2]
            self.fail(f"no arc is named {quoted(name)}; the pattern has {known}", start)
        if arcs[name].enhanced:
            head, modifier = arcs[name].ends
            self.fail(f"{name} is an enhanced arc; write del_edge {head} -[E:…]-> {modifier}, and add_edge likewise")
        return arcs[name]

    def named_word(self, pattern):
        name = self.name("the name of a word")
        if (name not in pattern.words and name not in self.made) or name == ROOT:
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
