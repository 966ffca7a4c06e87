"""Runs of dual decomposition under rules, each of one sentence: the tree of every round, what it breaks, the proof."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.draw import Drawing, show_change
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.parsers.protocols import RelationScorer
from core.parsers.scores import LabelledScores
from core.rules.checking import RuleTree, RuleWords, require_tags
from core.rules.decomposing import DecomposedTree, decompose
from core.rules.given import GivenArc
from core.rules.parsing import broken_sentences
from core.rules.prices import prices_from_shares
from core.rules.rounds import RuleRound, rounds_of
from core.rules.rule import Rule, prices_of
from core.rules.searching import best_ruled, clashing
from core.rules.universal import universal_rules
from core.rules.wording import named, wrong_words
from core.store import Corpus
from core.treebank import Sentence, Treebank
from core.workspace.applied import fitted_parser
from core.workspace.rules import rules_of
from core.workspace.wording import amount

if TYPE_CHECKING:
    from core.workspace.registry import Systems

LOOKED_AT = 300  # sentences of a text, the first, that are parsed


@dataclass(frozen=True, eq=False)
class BrokenText:
    """The first sentences of a text under a parser's trees, and which of these break rules.

    Attributes
    ----------
    rules : tuple of Rule
        Those with a share have the price by which the parser's trees keep them so often.
    is_own : bool
        Whether they are the language's own, and not those of Universal Dependencies.
    words : Treebank
        What the parser draws trees of.
    names : dict of int to str
        Of each sentence that breaks rules, by its index in ``words``: its number in the text, and its words.
    scores : dict of int to LabelledScores
        Of these sentences.
    key : hashable
        The name of what it was made of, for caches.
    """

    rules: tuple[Rule, ...]
    is_own: bool
    words: Treebank
    names: dict[int, str]
    scores: dict[int, LabelledScores]
    key: Hashable


@dataclass(frozen=True, eq=False)
class RuledRun:
    """A run of one sentence.

    Attributes
    ----------
    sentence : Sentence
    found : DecomposedTree
    rounds : list of RuleRound
    clash : tuple of Rule
        Rules that no tree keeps together; none has a price.
    """

    sentence: Sentence
    found: DecomposedTree
    rounds: list[RuleRound]
    clash: tuple[Rule | GivenArc, ...]

    @property
    def columns(self) -> dict[str, list]:
        """Columns over the rounds: those of ``Trace.rows``."""
        rows = [] if self.found.result is None else self.found.result.trace.rows()
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def broken_text(systems: "Systems", corpus: Corpus, key: str) -> BrokenText:
    """The sentences whose trees by a parser break the rules that serve a text; cached.

    ``key`` names a parser as ``offered_parsers`` does. Raises WorkbenchError where it has no scores of relations, or
    the text no tags of which the rules speak.
    """
    workspace = systems.workspace
    own = rules_of(workspace.store, corpus)
    rules = own or universal_rules()
    name = (workspace.corpus_key(corpus), corpus.project, key, rules)

    def make():
        text = workspace.treebank(corpus).limit(LOOKED_AT)
        require_tags(rules, text)
        parser = fitted_parser(systems, corpus, key)
        if not isinstance(parser, RelationScorer):
            raise WorkbenchError("this parser has no scores of relations, of which rules speak; choose another one")
        priced = tuple(each.rule for each in prices_from_shares(parser, rules, text) if each.rule.price != 0)
        scored = parser.scored_words(text)
        names, scores = {}, {}
        for index, tree, _ in broken_sentences(priced, scored.words):
            arcs, decode = scored.arcs(index)
            labels = scored.labels(index, np.array(tree.heads), True)
            names[index] = f"{int(scored.words.picks[index]) + 1} · {scored.words[index].text}"
            scores[index] = LabelledScores(arcs, labels, scored.names, decode)
        return BrokenText(priced, bool(own), scored.words, names, scores, name)

    return workspace.cache.get("ruled text", name, make)


def ruled_run(text: BrokenText, index: int) -> RuledRun:
    """The run of a sentence of ``text.names``; a search says whether any tree keeps the rules where it found none."""
    words, scores = RuleWords(text.words[index], _places(text.words, index)), text.scores[index]
    prices = prices_of(text.rules)
    found, clash = decompose(words, scores, text.rules, prices), ()
    if found.tree is None and best_ruled(words, scores, text.rules, prices) is None:
        clash = tuple(clashing(words, scores, [rule for rule in text.rules if rule not in prices]))
    return RuledRun(text.words[index], found, rounds_of(found, text.rules), clash)


def _places(treebank, index):
    rows = treebank.rows[treebank.offsets[index] : treebank.offsets[index + 1]]
    return (rows - rows[0]).tolist()


def verdict(run: RuledRun) -> tuple[str, str]:
    """(verdict, what is proved in words): verdict is "certified" or "uncertified"."""
    found, rounds = run.found, amount(run.found.rounds, "round")
    if found.certified:
        return "certified", f"Proved after {rounds}: no tree that keeps the rules is better."
    if run.clash:
        clash = "; ".join(rule.text for rule in run.clash)
        return "uncertified", f"No tree of this sentence keeps the rules; these clash: {clash}."
    if found.tree is None:
        return "uncertified", f"In {rounds} no tree was found that keeps the rules."
    return "uncertified", (
        f"Best found in {rounds}: no tree that keeps the rules is better by more than {found.gap:.3g}."
    )


def round_words(run: RuledRun, number: int) -> str:
    """What a round, from 1, is like: what is in dispute, what the tree breaks, its dual value."""
    now = run.rounds[number - 1]
    disputed = ", ".join(named(now.tree, word) for word in now.disputed) or "nothing"
    broken = f"breaks {amount(len(now.broken), 'rule')}" if now.broken else "keeps the rules"
    return f"Round {number:,}: the tree {broken} · in dispute: {disputed} · bound {now.bound:.4g} · step {now.step:.3g}"


def broken_table(run: RuledRun, number: int) -> dict[str, list]:
    """Columns of a table over what the tree of a round, from 1, breaks: word, what is wrong, the rule."""
    now = run.rounds[number - 1]
    rows = [
        (named(now.tree, word), what, breach.rule.text)
        for breach in now.broken
        for word, what in wrong_words(breach, now.tree)
    ]
    return columns_of(("word", "wrong", "rule"), rows)


def round_drawing(run: RuledRun, number: int) -> Drawing:
    """The Drawing of the tree of a round, from 1; arcs that differ from the round before are marked as changed."""
    before, now = (run.rounds[max(0, place)].tree for place in (number - 2, number - 1))
    return _drawing(run.sentence, before, now)


def _drawing(sentence, before: RuleTree, now: RuleTree):
    return show_change(
        sentence, np.array(before.heads), np.array(now.heads), labels=list(now.relations), show_former=True
    )  # fmt: skip
