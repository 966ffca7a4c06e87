"""From the text of a file of rules to the rules; needs no treebank."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from core.annotation.label_inventories import RELATIONS
from core.constraints.language.constraint import Item, Term
from core.constraints.language.reading import LINE_END, OTHER_NUMBER, Problem, split_comment
from core.constraints.language.scanner import LineScanner
from core.errors import ConstraintError, quoted
from core.rules.rule import SIDES, CountRule, HeadRule, Rule, WordTest
from core.treebank.relations import base

RELATION = re.compile(r"[^\W\d_][\w-]*(?::[\w-]+)*")
PASSIVES = "nsubjpass", "csubjpass"  # of UD 1
COUNT = re.compile(r"-?\d{1,9}(?![\w.])")
WORDS = (
    "has", "no", "at", "most", "least", "exactly", "except", "or", "not", "under", "if", "then", "it", "its", "head",
    "is", "within", "price", *SIDES,
)  # fmt: skip
EXAMPLE = "such as VERB has at most 1 nsubj"
NO_RELATION_OF_HEADS = "a rule about the relation of a word's head is not offered; give the head's tag"


def parse_rules(text: str) -> tuple[Rule, ...]:
    """The rules of a file, in order. Raises ConstraintError, with line and column, for what cannot be read."""
    return tuple(_read(code, comment, number) for number, code, comment in _lines(text))


def read_rules(text: str) -> tuple[tuple[Rule, ...], tuple[Problem, ...]]:
    """(the rules of the lines that can be read, a Problem for each line that cannot); for who is typing."""
    rules, problems = [], []
    for number, code, comment in _lines(text):
        try:
            rules.append(_read(code, comment, number))
        except ConstraintError as error:
            message = str(error).removeprefix(f"line {number}, column {error.column}: ")
            problems.append(Problem(number, error.column or 1, "error", message, "cannot be read"))
    return tuple(rules), tuple(problems)


def _lines(text):
    """(number, code, comment) of each line that has code."""
    split = ((number, *split_comment(line)) for number, line in enumerate(LINE_END.split(text), 1))
    return (each for each in split if each[1].strip())


def _read(code, comment, number):
    return replace(_Reader(code, number).rule(), comment=comment.strip().removeprefix("#").strip())


def known_relations(rules: Sequence[Rule], others: Iterable[str]) -> None:
    """Raise ConstraintError for the first relation of rules that is neither UD's nor one of ``others``, nor its base.

    It names the nearest.
    """
    for problem in unknown_relations(rules, others):
        raise ConstraintError(problem.message, line=problem.line or None)


def unknown_relations(rules: Sequence[Rule], others: Iterable[str]) -> Iterator[Problem]:
    """A Problem for each relation of a rule that is neither UD's nor one of ``others``, nor its base."""
    known = {*RELATIONS, *PASSIVES, *others}
    bases = {base(name) for name in known} - {""}
    for rule in rules:
        for name in dict.fromkeys(name for test in rule.tests for name in test.relations):
            if name not in known and base(name) not in bases:
                near = get_close_matches(name, sorted({*known, *bases}), 1, 0.5)
                hint = f"; did you mean {near[0]}?" if near else ""
                message = f"there is no relation {quoted(name)}{hint}"
                yield Problem(rule.line or 0, 1, "error", message, f"no {name}")


class _Reader(LineScanner):
    """Reads one rule."""

    reserved = WORDS

    def rule(self) -> Rule:
        rule = self.conditional() if self.keyword(("if",)) else self.count(self.word(f"a rule, {EXAMPLE}"), None)
        share = self.share() if self.take(re.compile("=")) else None
        price = self.price() if self.keyword(("price",)) else None
        if not self.ended():
            self.fail(f"expected nothing more, {self.next_word()}")
        return replace(rule, share=share, price=price, line=self.line)

    def share(self):
        begin = self.next_column()
        if other := OTHER_NUMBER.match(self.text, begin - 1):
            write = f"0.{other[1]}" if other[1] else f"{float(other[2]) / 100:g}"
            self.fail(f"a share is a number with a decimal point; write {write} for {quoted(other.group())}", begin)
        share = self.number("a share such as 0.9 after '='")
        if self.take(re.compile(r"\.\.")):
            self.fail("a share is one number: at least so many of the words keep the rule", begin)
        if not 0 < share < 1:
            self.fail("a share is above 0 and below 1; a rule without one is a law", begin)
        return share

    def price(self):
        begin = self.next_column()
        price = self.number("a number after 'price'")
        if not 0 <= price < math.inf:
            self.fail(f"a price is 0 or more, and finite, not {price:g}", begin)
        return price

    def conditional(self):
        begin, word, given = self.next_column(), self.word("a word after 'if'"), None
        if self.keyword(("has",)):
            given = self.dependent("a relation after 'has'")
        self.expect("then")
        if self.keyword(("it",)):
            return self.count(word, given)
        if given is not None:
            self.fail(f"expected 'it has' after 'then', {self.next_word()}")
        for expected in ("its", "head", "is"):
            self.expect(expected)
        if word.is_root:
            self.fail("ROOT has no head; a rule about heads begins with a word", begin)
        return self.head(word)

    def head(self, word):
        begin = self.next_column()
        head = self.word("a word after 'its head is'")
        if head.relations:
            self.fail(NO_RELATION_OF_HEADS, begin)
        side, farthest = self.keyword(SIDES) or "", None
        if side:
            self.expect("it")
        if self.keyword(("within",)):
            begin = self.next_column()
            farthest = self.number_of_words("a number of words after 'within'")
            if not farthest:
                self.fail("neighbouring words are 1 apart; write within 1", begin)
        return HeadRule(word, head, side, farthest)

    def count(self, word, given):
        self.expect("has")
        begin, low, high = self.next_column(), 0, None
        if self.keyword(("no",)):
            high = 0
        elif self.keyword(("exactly",)):
            low = high = self.number_of_words("a number after 'exactly'")
        else:
            self.expect("at", "'no', 'at most', 'at least' or 'exactly'")
            kind = self.keyword(("most", "least"))
            if kind is None:
                self.fail(f"expected 'most' or 'least' after 'at', {self.next_word()}")
            number = self.number_of_words(f"a number after 'at {kind}'")
            low, high = (number, None) if kind == "least" else (0, number)
        if high is None and not low:
            self.fail("at least 0 says nothing; write a larger number", begin)
        dependent, exceptions = self.dependent("a relation, several in {} or *"), []
        if self.keyword(("except",)):
            exceptions.append(self.dependent("a relation after 'except'"))
            while self.keyword(("or",)):
                exceptions.append(self.dependent("a relation after 'or'"))
        return CountRule(word, low, high, dependent, tuple(exceptions), given)

    def word(self, expected):
        """A WordTest of a word, from its relation or an item on."""
        if self.take(re.compile("deprel:")):
            test = WordTest(self.relations("a relation after 'deprel:'"))
        else:
            item = self.item(expected)
            test = WordTest(items=() if _is_any(item) else ((item, True),))
        return self.more(test)

    def dependent(self, expected):
        """A WordTest of a dependent, whose relation comes first."""
        return self.more(WordTest(() if self.take(re.compile(r"\*")) else self.relations(expected)))

    def more(self, test):
        """A WordTest with what ``&`` adds."""
        while self.take(re.compile("&")):
            begin = self.next_column()
            if self.keyword(("under",)):
                if test.under is not None:
                    self.fail("'under' is given twice", begin)
                if self.take(re.compile("deprel:")):
                    self.fail(NO_RELATION_OF_HEADS, begin)
                test = replace(test, under=self.item("an item after 'under'"))
            else:
                fits = self.keyword(("not",)) is None
                test = replace(test, items=(*test.items, (self.item("an item after '&'"), fits)))
        if test.is_root and (test.relations or test.under or len(test.items) > 1):
            self.fail("ROOT has no head, relation or form; it stands alone")
        return test

    def relations(self, expected):
        """tuple of str: a relation, or several in braces, sorted."""
        if not self.take(re.compile(r"\{")):
            return (self.relation(expected),)
        begin, names = self.next_column() - 1, set()
        while not self.take(re.compile(r"\}")):
            if self.ended():
                self.fail("the '{' is never closed with '}'", begin)
            names.add(self.relation("a relation or '}'"))
        if not names:
            self.fail("'{}' holds no relation", begin)
        return tuple(sorted(names))

    def relation(self, expected):
        begin, match = self.next_column(), self.take(RELATION)
        if match is None:
            self.fail(f"expected {expected}, {self.next_word()}")
        if match.group() in self.reserved:
            self.fail(f"expected {expected}, found '{match.group()}'", begin)
        return match.group()

    def number_of_words(self, expected):
        begin, match = self.next_column(), self.take(COUNT)
        if match is None:
            self.fail(f"expected {expected}, {self.next_word()}")
        if int(match.group()) < 0:
            self.fail(f"a count is 0 or more, not {match.group()}", begin)
        return int(match.group())

    def expect(self, word, alternatives=""):
        if self.keyword((word,)) is None:
            self.fail(f"expected {alternatives or repr(word)}, {self.next_word()}")


def _is_any(item: Item) -> bool:
    return Term("any") in item.terms and not item.has_root
