"""Rules that contradict each other or every tree of a text, and rules that say nothing new.

What is said is exact: where lines are said to contradict each other, no tree keeps both. That follows from sets (see
``sets.py``) and from the words of each sentence. Contradictions of three lines, none of two of them, are not sought. A
rule that is no law contradicts no other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count

import numpy as np

from core.constraints.language.reading import Problem
from core.constraints.matching.check import UnknownTerms
from core.rules.coverage import RuleText
from core.rules.heads import FAR, AllowedHeads
from core.rules.rule import CountRule, HeadRule, Rule, is_law
from core.rules.sets import ArcSet, RuleSet, RuleSets, is_within

NOTE, WARNING = "note", "warning"  # severities of a Problem


@dataclass(frozen=True)
class PairVerdict:
    """How two rules stand to each other.

    Attributes
    ----------
    kind : str
        "clash": no tree keeps both; "no head": they leave words no head; "same"; "implied": the later line follows from
        the earlier one; "implies": the other way round.
    words, of : int
        At how many words no tree keeps both, and of how many both may speak.
    is_sure : bool
        Whether both speak of these words in every tree.
    """

    kind: str
    words: int = 0
    of: int = 0
    is_sure: bool = True


class RuleConflicts:
    """Finds conflicts in a text: keep one while rules are typed, then only pairs with a changed line are compared anew.

    Parameters
    ----------
    text : RuleText
    """

    def __init__(self, text: RuleText):
        self.text = text
        self._found: dict[Rule, _Found] = {}  # of the rules that were asked for last
        self._count = count()

    def problems(self, rules: Sequence[Rule]) -> list[Problem]:
        """The Problems of rules, by line; severity "note" where nothing is wrong.

        One about two lines stands at the later one and names the other. O(pairs of rules), of bits; O(rows) for each
        pair of rules about the heads of the same words.
        """
        lines: dict[Rule, list[Rule]] = {}  # equal rules
        for rule in rules:
            lines.setdefault(rule, []).append(rule)
        search = RuleSearch(self.text, list(lines))
        self._found = {rule: self._found.get(rule) or _Found(next(self._count)) for rule in lines}
        found: list[Problem] = []
        for number, (rule, known) in enumerate(self._found.items()):
            first, *again = lines[rule]
            if known.alone is None:
                known.alone = tuple(search.alone(search.sets[number]))
            found += [Problem(first.line or 0, 1, *said) for said in known.alone]
            found += [_of_pair(first, other, PairVerdict("same")) for other in again]
            former, known.pairs = known.pairs, {}
            for place, (other_rule, other) in enumerate(self._found.items()):
                if place == number:
                    break
                if other.number in former:
                    verdict = former[other.number]
                elif is_law(rule) and is_law(other_rule):
                    verdict = search.pair(search.sets[place], search.sets[number])
                else:  # trees may break one of them
                    verdict = None
                known.pairs[other.number] = verdict
                if verdict is not None:
                    found.append(_of_pair(lines[other_rule][0], first, verdict))
        return sorted(found, key=lambda problem: problem.line)


@dataclass(eq=False)
class _Found:
    """What is known of a rule: its number, what is odd about it alone, how it stands to each earlier one by number."""

    number: int
    alone: tuple[tuple[str, str, str], ...] | None = None
    pairs: dict[int, PairVerdict | None] = field(default_factory=dict)


def _of_pair(earlier, later, verdict):
    """The Problem of two lines."""
    if verdict.kind == "implies":
        earlier, later = later, earlier
    other = f"line {earlier.line}" if earlier.line else "the rule"
    named = f"{other}, {earlier.text}"
    if verdict.kind == "same":
        severity, message, note = NOTE, f"repeats {named}", f"as {other}"
    elif verdict.kind in ("implied", "implies"):
        severity, message, note = NOTE, f"says nothing new: it follows from {named}", f"follows from {other}"
    else:
        severity = NOTE if verdict.kind == "no head" and verdict.words < verdict.of else WARNING
        where, note = _where(verdict.words, verdict.of, verdict.is_sure, "both speak"), f"against {other}"
        why = ": no head that one allows there is allowed by the other" if verdict.kind == "no head" else ""
        message = f"contradicts {named}: no tree keeps both {where}{why}"
    return Problem(later.line or 0, 1, severity, message, note)


def _where(words, of, sure, who):
    """At which words, of those of which a rule or two speak."""
    if words < of:
        return f"at {words:,} of the {of:,} words of which {who}"
    if not sure:
        return f"at a word of which {who}"
    return f"at any of the {of:,} words of which {who}" if of > 1 else f"at the one word of which {who}"


class RuleSearch:
    """Looks at rules of a text alone and in pairs; ``sets`` has the RuleSet of each, in their order."""

    def __init__(self, text: RuleText, rules: Sequence[Rule]):
        self.text, self._sets = text, RuleSets(text, rules)
        self.sets = [RuleSet(self._sets, rule) for rule in rules]
        self.heads = AllowedHeads(text)
        self._rows = cache(self._rows_of)
        self._explain = cache(UnknownTerms(text.matcher).explain)
        self._size = cache(self._sets.size)
        roots = np.bincount(text.sentences_of(np.flatnonzero(text.has_head & (text.treebank.heads == 0))))
        self.one_root = roots.max(initial=0) < 2

    def alone(self, asked: RuleSet) -> Iterator[tuple[str, str, str]]:
        """(severity, message, note) of what is odd about one rule."""
        rule = asked.rule
        terms = dict.fromkeys(term for test in rule.tests for item in test.all_items for term in item.terms)
        unknown = [(term, message) for term in terms if (message := self._explain(term))]
        yield from ((WARNING, message, f"no {term.value}") for term, message in unknown)
        of = self._size(asked.classes)
        if not of:
            if not unknown:
                yield WARNING, "speaks of no word of this text", "no such word"
            return
        if isinstance(rule, HeadRule):
            without = int(self.heads.without(self._rows(asked.classes), rule).sum())
            yield from _never(without, of, asked.is_sure, "no word that it allows as a head stands there")
        elif rule.word.is_root and (against := self._against_roots(rule, asked)):
            yield WARNING, f"no tree keeps it: {against}", "no tree"
        elif rule.low:
            short = sum(self._too_few(rule, asked, arcs) for arcs in asked.arcs)
            yield from _never(short, of, asked.is_sure, "the sentence has too few words that would count")

    def _rows_of(self, classes):
        """int64: the rows of the text that are of some classes, given as bits."""
        return np.flatnonzero(self._sets.marked(self._sets.unpacked(classes)))

    def _against_roots(self, rule, asked):
        """What every sentence has that a rule about ROOT excludes, in words; "" for nothing."""
        (arcs,) = asked.arcs
        if rule.given is not None:
            return ""
        if rule.low > 1 and self.one_root:
            return "a sentence has one root"
        if rule.high == 0 and is_within(self._sets.all_arcs, arcs.counted):
            return "every sentence has a root"
        return ""

    def _too_few(self, rule, asked, arcs: ArcSet):
        """How many words of these classes cannot have as many dependents as a rule wants: too few words would count."""
        offsets, spoken = self.text.treebank.offsets, self._rows(arcs.classes)
        countable = self._sets.marked(asked.countable(arcs))
        sums = np.concatenate(([0], np.cumsum(countable)))[offsets]
        others = np.diff(sums)[self.text.sentences_of(spoken)] - countable[spoken]
        return int((others < rule.low).sum())

    def pair(self, first: RuleSet, second: RuleSet) -> PairVerdict | None:
        """How two different rules stand to each other, None where there is nothing to say.

        Of rules that speak of words by what their trees are, only those are compared of which one speaks of no words
        but those of the other: any two exclude that a word is what both want.
        """
        is_count = isinstance(first.rule, CountRule)
        if is_count != isinstance(second.rule, CountRule) or not first.may_meet(second):
            return None
        inside, outside = _speaks_within(second, first), _speaks_within(first, second)
        sure = first.is_sure and second.is_sure
        if not (inside or outside or sure):
            return None
        apart, follows = self._headless_words, self._head_follows
        if is_count:
            apart, follows = self._clashing_words, _count_follows
        words, of = apart(first, second)
        if words and (sure or words == of):
            return PairVerdict("clash" if is_count else "no head", words, of, sure)
        return _which_follows(inside and follows(second, first), outside and follows(first, second))

    def _clashing_words(self, first, second):
        """(at how many words two CountRules exclude each other, of how many of which both may speak)"""
        return self._size(_clash(first, second) | _clash(second, first)), self._size(first.classes & second.classes)

    def _headless_words(self, first, second):
        """(at how many words two HeadRules allow no common head, of how many); 0 where one alone has as many."""
        a, b, rows = first.rule, second.rule, self._rows(first.classes & second.classes)
        if self._head_follows(first, second) or self._head_follows(second, first):
            return 0, len(rows)
        missing = rows[self.heads.without(rows, a, b)]
        if (self.heads.without(missing, a) | self.heads.without(missing, b)).all():
            return 0, len(rows)
        return len(missing), len(rows)

    def _head_follows(self, some, other):
        """Whether each head that the other HeadRule allows is one that the first allows."""
        a, b = some.rule, other.rule
        if a.side not in ("", b.side) or (a.farthest or FAR) < (b.farthest or FAR):
            return False
        if a.head.under is not None and (
            b.head.under is None
            or (self.text.fitting_types(b.head.under) & ~self.text.fitting_types(a.head.under)).any()
        ):
            return False
        return not (self.text.types_as(b.head) & ~self.text.types_as(a.head)).any()


def _never(words, of, sure, why):
    """What is said where no tree keeps a rule at some words, of all of which it may speak."""
    if words == of or (words and sure):
        where = _where(words, of, sure, "it speaks")
        severity, note = (WARNING, "no tree") if words == of else (NOTE, f"never at {words:,}")
        yield severity, f"no tree keeps it {where}: {why}", note


def _which_follows(later, earlier):
    """The PairVerdict on two rules where one follows from the other, else None."""
    if not (later or earlier):
        return None
    return PairVerdict("same" if later and earlier else "implied" if later else "implies")


def _speaks_within(some: RuleSet, other: RuleSet) -> bool:
    """Whether the second rule speaks of each word of which the first does."""
    if not some.speaks_within(other):
        return False
    if other.given is None:
        return True
    pairs = [(a, b) for a in some.arcs for b in other.arcs if a.classes & b.classes]
    return some.given is not None and all(is_within(a.given or 0, b.given or 0) for a, b in pairs)


def _clash(lower: RuleSet, upper: RuleSet) -> int:
    """Bits of the classes of which no word keeps both: what the first wants is more than the second allows."""
    a, b = lower.rule, upper.rule
    assert isinstance(a, CountRule) and isinstance(b, CountRule)  # the caller has looked
    if b.high is None or a.low <= b.high:
        return 0
    clash = 0
    for some in lower.arcs:
        for other in upper.arcs:
            if some.classes & other.classes and is_within(some.counted, other.counted):
                clash |= some.classes & other.classes
    return clash


def _count_follows(some: RuleSet, other: RuleSet) -> bool:
    """Whether a CountRule follows from another one at the words of which the first speaks."""
    a, b = some.rule, other.rule
    assert isinstance(a, CountRule) and isinstance(b, CountRule)  # the caller has looked
    if (a.high is not None and (b.high is None or b.high > a.high)) or b.low < a.low:
        return False
    for mine in some.arcs:
        for theirs in other.arcs:
            if not mine.classes & theirs.classes:
                continue
            if a.high is not None and not is_within(mine.counted, theirs.counted):
                return False
            if a.low and not is_within(theirs.counted, mine.counted):
                return False
    return True
