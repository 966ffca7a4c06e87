"""Rules over relations and several arcs, and their notation: ``VERB has at most 1 {nsubj csubj}``.

One rule is one line. A rule speaks of the words that a *word* fits, and of their dependents or their heads:

    word has at most 1 dependent            also ``at least N`` and ``exactly N``; ``no`` is ``at most 0``.
    word has no dependent except dependent  those that the exceptions fit do not count; ``or`` joins exceptions.
    if word has dependent then it has ...   only of the words that have such a dependent.
    if word then its head is word           and then ``after it`` or ``before it``, ``within N`` words.

A *word* is an item of the constraint language: ``NOUN``, ``{NOUN PROPN}``, ``form:"and"``, ``feats:Case=Gen``, ``*``
or ``ROOT``; a bare tag is a UPOS. It may also be ``deprel:`` and a relation or several: the relation in the tree that
is sought or checked. A *dependent* begins with its relation: ``nsubj``, ``{nsubj csubj}`` or ``*`` for any. ``&`` adds
what else holds of the word: another item, ``not`` and an item that it does not fit, ``under`` and an item that its
head fits. A relation means itself and its subtypes, save ``:outer``; with a subtype it means just that. ``#`` opens a
comment.

A rule may end with ``= 0.9``: it is no law, and at least this share of the words of which it speaks keep it. Such a
rule has a price, which ``core.rules.prices`` finds, or which is written behind it: ``price 2.5``.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from core.constraints.language.constraint import Item
from core.errors import WorkbenchError

SIDES = AFTER, BEFORE = "after", "before"


@dataclass(frozen=True)
class WordTest:
    """What a word must be: all of it holds.

    Attributes
    ----------
    relations : tuple of str
        One of which it has; () for any.
    items : tuple of (Item, bool)
        Which of the items it fits, and which it does not.
    under : Item or None
        What its head fits.
    """

    relations: tuple[str, ...] = ()
    items: tuple[tuple[Item, bool], ...] = ()
    under: Item | None = None

    @property
    def all_items(self) -> tuple[Item, ...]:
        """All items that it names."""
        items = tuple(item for item, _ in self.items)
        return items if self.under is None else (*items, self.under)

    @property
    def is_root(self) -> bool:
        """Whether it is the artificial root and nothing else."""
        return any(fits and item.is_root for item, fits in self.items)

    @property
    def parts(self) -> list[str]:
        """What is written between the signs ``&``, without relations."""
        written = [item.text if fits else f"not {item.text}" for item, fits in self.items]
        return written if self.under is None else [*written, f"under {self.under.text}"]

    @property
    def text(self) -> str:
        """As it is written of a word."""
        begins = bool(self.items) and self.items[0][1]  # with an item that it fits
        first = [f"deprel:{_any_of(self.relations)}"] if self.relations else [] if begins else ["*"]
        return " & ".join([*first, *self.parts])

    @property
    def dependent(self) -> str:
        """As it is written of a dependent, whose relation comes first."""
        return " & ".join([_any_of(self.relations) if self.relations else "*", *self.parts])


@dataclass(frozen=True)
class CountRule:
    """How many dependents of one kind a word has.

    Attributes
    ----------
    word : WordTest
        Of whose dependents it speaks.
    low, high : int, int or None
        Least and greatest number, None for no limit.
    dependent : WordTest
    exceptions : tuple of WordTest
        Dependents that do not count.
    given : WordTest or None
        A dependent that the word has, else the rule says nothing of it.
    share : float or None
        How many of the words of which it speaks keep it at least, from 0 to 1; None for no share.
    price : float or None
        What breaking it costs at a word, in the scores' units; None for a law, or where it is not known yet.
    line : int or None
        Where it was read, from 1; not compared.
    comment : str
        What follows ``#`` on its line; not compared.
    """

    word: WordTest
    low: int
    high: int | None
    dependent: WordTest
    exceptions: tuple[WordTest, ...] = ()
    given: WordTest | None = None
    share: float | None = None
    price: float | None = None
    line: int | None = field(default=None, compare=False)
    comment: str = field(default="", compare=False)

    def __repr__(self):
        return f"<CountRule {self.text}>"

    @property
    def text(self) -> str:
        """The rule in canonical form, without its comment."""
        begin = self.word.text
        if self.given is not None:
            begin = f"if {begin} has {self.given.dependent} then it"
        if self.high == 0:
            count = "no"
        elif self.high is None:
            count = f"at least {self.low}"
        else:
            count = f"exactly {self.high}" if self.low == self.high else f"at most {self.high}"
        exceptions = " or ".join(test.dependent for test in self.exceptions)
        text = f"{begin} has {count} {self.dependent.dependent}" + (f" except {exceptions}" if exceptions else "")
        return text + _end(self)

    @property
    def tests(self) -> tuple[WordTest, ...]:
        """All that it asks of words."""
        given = () if self.given is None else (self.given,)
        return (self.word, self.dependent, *self.exceptions, *given)


@dataclass(frozen=True)
class HeadRule:
    """What the head of a word is, and where it stands.

    Attributes
    ----------
    word, head : WordTest
    side : str
        One of SIDES, on which of the word its head stands; "" for either.
    farthest : int or None
        The greatest distance in words, None for no limit; the root's is the word's position.
    share, price, line, comment
        As in a CountRule.
    """

    word: WordTest
    head: WordTest
    side: str = ""
    farthest: int | None = None
    share: float | None = None
    price: float | None = None
    line: int | None = field(default=None, compare=False)
    comment: str = field(default="", compare=False)

    def __repr__(self):
        return f"<HeadRule {self.text}>"

    @property
    def text(self) -> str:
        """The rule in canonical form, without its comment."""
        where = f" {self.side} it" if self.side else ""
        where += "" if self.farthest is None else f" within {self.farthest}"
        return f"if {self.word.text} then its head is {self.head.text}{where}{_end(self)}"

    @property
    def tests(self) -> tuple[WordTest, ...]:
        """All that it asks of words."""
        return self.word, self.head


Rule: TypeAlias = CountRule | HeadRule


def is_law(rule: Rule) -> bool:
    """Whether no tree may break a rule: it has neither share nor price."""
    return rule.share is None and rule.price is None


def prices_of(rules: "tuple[Rule, ...] | list[Rule]") -> dict[Rule, float]:
    """The price of each rule that has one. Raises WorkbenchError for a rule that has a share and no price."""
    for rule in rules:
        if rule.price is None and rule.share is not None:
            raise WorkbenchError(
                f"the rule {rule.text} has a share and no price; learn its price from trees, or write it"
            )
    return {rule: rule.price for rule in rules if rule.price is not None}


def format_rules(rules: "tuple[Rule, ...] | list[Rule]") -> str:
    """Rules as the text of a file, one canonical line each, comments kept; ``parse_rules`` gives equal rules back."""
    return "".join(f"{rule.text}  # {rule.comment}\n" if rule.comment else f"{rule.text}\n" for rule in rules)


def _any_of(relations):
    return relations[0] if len(relations) == 1 else "{" + " ".join(relations) + "}"


def _end(rule):
    share = "" if rule.share is None else f" = {rule.share!r}"
    return share if rule.price is None else f"{share} price {rule.price!r}"
