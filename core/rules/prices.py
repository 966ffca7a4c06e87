"""What breaking a rule costs, where it is no law: found from trees, or from the share of words that keep it.

A parser's tree that breaks a rule at a word is better than the best tree that does not by a *margin*, in the scores of
this parser. A price overrules the breaches whose margins are lower, and no others. It is found by margins alone, so
that the scores need be no probabilities and have any unit; it holds for this parser.

- From trees: that price by which the trees decide as many of these words as can be, of equally good ones the least.
  This is the maximum of the likelihood of the trees' decisions where the choice is without noise. A rule that the trees
  never break stays a law.
- From a share: the least price by which the parser's trees of a text break the rule at no more words than the share
  leaves. It is the multiplier of the constraint that the trees of the text together have this share.

Each rule is looked at alone, and each word by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from core.parsers.protocols import RelationScorer
from core.parsers.scores import ScoredWords
from core.rules.checking import require_tags
from core.rules.coverage import RuleText
from core.rules.parsing import broken_sentences, require_relations, scores_of
from core.rules.reading import known_relations
from core.rules.rule import Rule
from core.rules.searching import DECODINGS, best_ruled
from core.threads import run_ranges
from core.treebank import Treebank

BEYOND = 1.5  # times the largest margin: the price that overrules all breaches


@dataclass(frozen=True, eq=False)
class Breaches:
    """Where the trees of a parser break a rule.

    Attributes
    ----------
    words : int
        Of how many the rule speaks in these trees.
    margins : ndarray of shape (B,), dtype float64
        At each word that breaks it, by how much the tree is better than the best one that keeps the rule there. At
        least so much where a search was cut off; inf where no tree keeps it.
    wrong : ndarray of shape (B,), dtype bool
        Where given trees keep the rule.
    """

    words: int
    margins: np.ndarray
    wrong: np.ndarray


@dataclass(frozen=True, eq=False)
class PricedRule:
    """A rule and what its price comes from.

    Attributes
    ----------
    rule : CountRule or HeadRule
        With its price, None if it is a law; and with the share of words that keep it in given trees.
    words, broken : int
        Of how many words it speaks in given trees, else in the parser's, and at how many it is broken there.
    parser_breaks, wrong : int
        At how many words the parser's trees break it, and at how many of these given trees do not.
    """

    rule: Rule
    words: int
    broken: int
    parser_breaks: int
    wrong: int


def prices_from_trees(
    parser: RelationScorer, rules: Sequence[Rule], trees: Treebank, *, most: int = DECODINGS, threads: int | None = None
) -> list[PricedRule]:
    """What breaking each rule costs, learnt from the heads and relations of a text. Errors as ``parse_under_rules``."""
    text = _checked(parser, rules, trees)
    is_bare = len(text.words.heads) != len(trees.heads)
    gold, found = RuleText(trees.without_punctuation() if is_bare else trees), []
    for rule in rules:
        plain = replace(rule, share=None, price=None)
        spoken, broken = gold.coverage(plain).spoken, len(gold.coverage(plain).broken)
        if not broken:
            breaks = sum(len(each) for *_, each in broken_sentences([plain], text.words))
            found.append(PricedRule(plain, spoken, 0, breaks, breaks))
            continue
        each = parser_breaches(text, plain, gold, most=most, threads=threads)
        share, price = float(f"{1 - broken / spoken:.3g}"), _rounded(deciding_price(each.margins, each.wrong))
        priced = replace(plain, share=share if 0 < share < 1 else None, price=price)
        found.append(PricedRule(priced, spoken, broken, len(each.margins), int(each.wrong.sum())))
    return found


def prices_from_shares(
    parser: RelationScorer, rules: Sequence[Rule], treebank: Treebank, *, most: int = DECODINGS,
    threads: int | None = None,
) -> list[PricedRule]:  # fmt: skip
    """All rules, those with a share and no price with the price by which a parser's trees of a text have the share.

    Errors as ``parse_under_rules``.
    """
    opened = [rule for rule in rules if rule.share is not None and rule.price is None]
    text = _checked(parser, opened, treebank) if opened else None
    found = []
    for rule in rules:
        if text is None or rule.share is None or rule.price is not None:
            found.append(PricedRule(rule, 0, 0, 0, 0))
            continue
        each = parser_breaches(text, replace(rule, share=None), None, most=most, threads=threads)
        allowed = int((1 - Fraction(repr(rule.share))) * each.words)  # as it is written: 0.9 leaves 1 of 10
        price = _rounded(price_of_share(each.margins, allowed))
        found.append(PricedRule(replace(rule, price=price), each.words, len(each.margins), len(each.margins), 0))
    return found


def parser_breaches(
    text: ScoredWords, rule: Rule, gold: RuleText | None, *, most: int = DECODINGS, threads: int | None = None
) -> Breaches:
    """Where a parser's trees break one rule; ``gold`` has the same words under given trees.

    A search for each word that breaks it.
    """
    parsed = RuleText(text.words)
    rows = parsed.coverage(rule).broken
    wrong = np.zeros(len(rows), bool) if gold is None else ~np.isin(rows, gold.coverage(rule).broken)
    broken = list(broken_sentences([rule], text.words))
    margins = [np.zeros(len(found)) for *_, found in broken]

    def search(begin: int, end: int) -> None:
        for number in range(begin, end):
            index, tree, found = broken[number]
            scores = scores_of(text, index, np.array(tree.heads))
            own = best_ruled(tree.words, scores, ())
            assert own is not None  # the parser's
            for place, breach in enumerate(found):
                others = frozenset((rule, word) for word in range(len(tree)) if word != breach.word)
                best = best_ruled(tree.words, scores, [rule], most=most, excused=others)
                margins[number][place] = np.inf if best is None else own.value - best.bound

    run_ranges(search, np.array([len(tree) ** 3.0 * len(found) for _, tree, found in broken]), threads)
    return Breaches(parsed.coverage(rule).spoken, np.concatenate([np.zeros(0), *margins]), wrong)


def deciding_price(margins: np.ndarray, wrong: np.ndarray) -> float:
    """The least price by which most breaches are decided as they are in given trees; ``wrong`` ones are to go.

    A breach goes where its margin is lower than the price. O(B log B).
    """
    order = np.argsort(margins, kind="stable")
    margins, gains = margins[order], np.where(wrong[order], 1, -1)
    margins = margins[np.isfinite(margins)]  # first; the others stay at any price
    gains = gains[: len(margins)]
    ends = np.flatnonzero(np.append(margins[1:] > margins[:-1], True)[: len(margins)])  # the last of equal margins
    totals = np.concatenate([[0], np.cumsum(gains)[ends]])
    best = int(totals.argmax())
    return 0.0 if best == 0 else _above(margins, int(ends[best - 1]))


def price_of_share(margins: np.ndarray, allowed: int) -> float:
    """The least price by which at most so many breaches stay; those without another tree always do. O(B log B)."""
    margins = np.sort(margins)
    going = len(margins) - max(allowed, int(np.isinf(margins).sum()))
    return 0.0 if going <= 0 else _above(margins, going - 1)


def _above(margins, place):
    """A price above the margin at a place, halfway to the next larger one."""
    larger = margins[margins > margins[place]]
    ends = np.isinf(larger[:1]).all()  # there is none that a price overrules
    return float(margins[place] * BEYOND if ends else (margins[place] + larger[0]) / 2)


def _checked(parser, rules, treebank):
    text = parser.scored_words(treebank)
    known_relations(rules, text.names)
    require_tags(rules, text.words)
    require_relations(rules, text.names)
    return text


def _rounded(price):
    """A price as it is written: of six digits."""
    return float(f"{price:.6g}")
