"""The trees of a parser that keep rules: only sentences whose best tree breaks a rule are searched."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.parsers.constrained_completion import given_whole
from core.parsers.protocols import RelationScorer
from core.parsers.scores import LabelledScores, ScoredWords
from core.rules.checking import Breach, RuleTree, breaches, require_tags
from core.rules.coverage import RuleText
from core.rules.given import GivenArc, GivenTrees, crossing, possible_around
from core.rules.reading import known_relations
from core.rules.rule import CountRule, Rule, prices_of
from core.rules.searching import DECODINGS, RuledTree, best_ruled, clashing, fewest_breaches
from core.threads import run_ranges
from core.treebank import Treebank
from core.treebank.relations import means


@dataclass(frozen=True, eq=False)
class SearchedSentence:
    """A sentence whose best tree broke a rule.

    Attributes
    ----------
    sentence : int
    broken : tuple of Breach
        Where the parser's own tree broke rules; around given arcs, the one that has them.
    tree : RuledTree
        What was found in its place, before relations were chosen anew.
    clash : tuple of CountRule, HeadRule and GivenArc
        Where no tree keeps all rules without a price: some of these rules and of what is given that no tree has
        together, none of which can be left out. Its tree breaks such rules at the fewest words then.
    """

    sentence: int
    broken: tuple[Breach, ...]
    tree: RuledTree
    clash: tuple[Rule | GivenArc, ...] = ()


@dataclass(frozen=True, eq=False)
class RuledParse:
    """A text parsed under rules.

    Attributes
    ----------
    treebank : Treebank
    words : Treebank
        What the parser draws trees of: the text, or its words without punctuation.
    searched : tuple of SearchedSentence
        By their numbers in ``words``.
    partial, kept : ndarray of shape (S,), dtype bool
        Sentences of the text that were given in part, and whole ones that were kept as they are.
    faulty : tuple of (int, tuple of Breach)
        Those of the sentences kept that break rules without a price, by their numbers in the text.
    """

    treebank: Treebank
    words: Treebank
    searched: tuple[SearchedSentence, ...]
    partial: np.ndarray
    kept: np.ndarray
    faulty: tuple[tuple[int, tuple[Breach, ...]], ...] = ()

    @property
    def certified(self) -> int:
        """How many of the sentences that were searched have a tree that is proved best."""
        return sum(each.tree.certified for each in self.searched)


@dataclass(frozen=True, eq=False)
class _Sought:
    """The rules of a search, the prices of those that have one, and how long it may take."""

    rules: tuple[Rule, ...]
    prices: Mapping[Rule, float]
    most: int

    @classmethod
    def of(cls, rules: Sequence[Rule], most: int) -> "_Sought":
        """Those that cost something. Raises WorkbenchError for a rule that has a share and no price."""
        some = tuple(rule for rule in rules if rule.price != 0)
        return cls(some, prices_of(some), most)

    @property
    def laws(self) -> list[Rule]:
        return [rule for rule in self.rules if rule not in self.prices]


def parse_under_rules(
    parser: RelationScorer, treebank: Treebank, rules: Sequence[Rule], *, keep_trees: bool = False,
    most: int = DECODINGS, threads: int | None = None,
) -> RuledParse:  # fmt: skip
    """The best labelled trees of a text that keep rules.

    Parameters
    ----------
    parser : RelationScorer
        One that scores relations.
    treebank : Treebank
        Heads and relations of sentences that are given in part are held. Whole trees are not looked at.
    rules : sequence of CountRule or HeadRule
        Kept by every tree, if some tree can. One with a price is broken where that is better by more than its price.
    keep_trees : bool, default=False
        Leave sentences alone all of whose words have a head, and only say which break rules.
    most
        As ``best_ruled`` has it.
    threads : int, optional
        None uses all cores.

    Raises
    ------
    ConstraintError : a rule names a relation that neither UD nor the parser has.
    WorkbenchError : a rule asks for a relation that the parser has not learnt, or is about tags that the text lacks.
        A rule has a share and no price. Two words are given as the root of a sentence.

    Notes
    -----
    Some parsers choose relations among the other arcs of the finished tree. The search scores each among the arcs of
    the parser's own tree. In the tree found they are then chosen anew, within the rules.
    """
    text = parser.scored_words(treebank)
    known_relations(rules, text.names)
    require_tags(rules, text.words)
    require_relations(rules, text.names)
    sought, given = _Sought.of(rules, most), GivenTrees.of(parser, treebank, text.words)
    kept = given_whole(treebank) & keep_trees
    heads, relations = given.starts.heads.copy(), given.starts.deprel.strings().astype(object)
    broken = [each for each in broken_sentences(sought.rules, given.starts) if not kept[given.sentences[each[0]]]]
    searched: list[SearchedSentence | None] = [None] * len(broken)

    def search(begin: int, end: int) -> None:
        for number in range(begin, end):
            index, tree, found = broken[number]
            rows = slice(text.words.offsets[index], text.words.offsets[index + 1])
            arcs = given.arcs.get(index, ())
            each = _searched(text, index, tree, found, sought, arcs)
            searched[number] = each
            heads[rows] = each.tree.heads
            is_moved = each.tree.heads.tolist() != list(tree.heads)  # else relations were scored among these arcs
            relations[rows] = _relabelled(text, each, tree.words, sought, arcs) if is_moved else each.tree.relations

    run_ranges(search, np.array([len(tree) ** 3.0 for _, tree, _ in broken]), threads)
    were_searched = np.zeros(len(treebank), bool)
    were_searched[given.sentences[[index for index, *_ in broken]]] = True
    parsed = given.in_text(treebank, text.in_text(heads, relations.tolist()), were_searched, kept)
    whole = treebank.select(kept)
    faulty = tuple(
        (int(np.flatnonzero(kept)[place]), found) for place, _, found in broken_sentences(sought.laws, whole)
    )
    return RuledParse(parsed, text.words, tuple(filter(None, searched)), given.partial, kept, faulty)


def broken_sentences(rules: Sequence[Rule], treebank: Treebank) -> Iterator[tuple[int, RuleTree, tuple[Breach, ...]]]:
    """(number of the sentence, its RuleTree, its breaches) of those whose trees break rules."""
    text = RuleText(treebank)
    rows = [text.coverage(rule).broken for rule in rules]
    for index in np.unique(text.sentences_of(np.concatenate([np.zeros(0, np.int64), *rows]))).tolist():
        tree = text.tree(index)
        yield index, tree, tuple(breaches(rules, tree))


def require_relations(rules: Sequence[Rule], names: Sequence[str]) -> None:
    """Raise WorkbenchError for the first rule that asks for a relation which a parser never gives."""
    for rule in rules:
        if not isinstance(rule, CountRule) or not rule.low:
            continue
        asked = rule.dependent.relations
        if asked and not any(means(asked, name) for name in names):
            raise WorkbenchError(
                f"the parser has learnt none of the relations of the rule {rule.text}, and no tree of its keeps it"
            )


def _searched(text, index, tree, found, sought, given):
    scores = scores_of(text, index, np.array(tree.heads), given)
    if given and best_ruled(tree.words, scores, (), given=given) is None:
        scores = crossing(scores)
    best = best_ruled(tree, scores, sought.rules, sought.prices, sought.most, given=given)
    if best is not None:
        return SearchedSentence(index, found, best)
    clash = tuple(clashing(tree.words, scores, sought.laws, sought.most, given))
    best = fewest_breaches(tree.words, scores, sought.rules, sought.most, prices=sought.prices, given=given)
    assert best is not None  # the parser's own is one, or the one that it completes
    return SearchedSentence(index, found, best, clash)


def scores_of(text: ScoredWords, index: int, heads: np.ndarray, given: Sequence[GivenArc] = ()) -> LabelledScores:
    """LabelledScores of a sentence, relations among the arcs of ``heads``; with what is given of it among them."""
    arcs, decode = text.arcs(index)
    return possible_around(LabelledScores(arcs, text.labels(index, heads, True), text.names, decode), given)


def _relabelled(text, each, words, sought, given):
    """The relations of a tree that was found, chosen among its own arcs within the rules."""
    tree = each.tree
    labels = text.labels(each.sentence, tree.heads, False)
    scores = possible_around(_of_tree(labels, text.names, tree.heads), given)
    chosen = best_ruled(words, scores, sought.rules, sought.prices, sought.most, given=given)
    better = chosen is not None and {breach.rule for breach in chosen.breaches} <= set(sought.prices)
    return chosen.relations if chosen is not None and better else tree.relations


def _of_tree(labels: np.ndarray, names: tuple[str, ...], heads: np.ndarray) -> LabelledScores:
    """LabelledScores by which one tree alone is possible, whose arcs count nothing."""
    modifiers = np.arange(1, len(heads))
    arcs = np.full(labels.shape[:2], -np.inf)
    arcs[heads[1:], modifiers] = 0.0

    def decode(matrix: np.ndarray) -> tuple[float, np.ndarray]:
        return float(matrix[heads[1:], modifiers].sum()), heads

    return LabelledScores(arcs, np.where(np.isfinite(arcs)[:, :, None], labels, -np.inf), names, decode)
