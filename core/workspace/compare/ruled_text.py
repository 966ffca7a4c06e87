"""The trees of a parse that keep the rules of the text's language: sentences that break one are parsed anew.

So are those of which a part is drawn by hand: what is drawn stays, and the rules are kept around it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.offsets import any_of_each, selected_rows
from core.parsers.protocols import RelationScorer
from core.rules.checking import require_tags
from core.rules.parsing import broken_sentences, parse_under_rules
from core.rules.prices import prices_from_shares
from core.rules.rule import Rule, is_law
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.compare.parsed_text import ParsedText
from core.workspace.parses import run_of
from core.workspace.rules import rules_of
from core.workspace.wording import amount

if TYPE_CHECKING:
    from core.workspace.registry import Systems


@dataclass(frozen=True, eq=False)
class RuledText:
    """A ParsedText whose trees keep rules, where they can.

    Attributes
    ----------
    text : ParsedText
    broken, kept : int
        How many sentences broke a law, and of how many the tree keeps all laws now.
    moved : int
        How many others have another tree for a rule that is no law.
    certified : bool
        Whether each of the trees that keep them is proved best.
    clashes : tuple of (int, tuple of str)
        Index of each sentence of which no tree keeps all rules, and rules that clash there.
    """

    text: ParsedText
    broken: int
    kept: int
    moved: int
    certified: bool
    clashes: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def words(self) -> str:
        """What was done, in words."""
        moved = ""
        if self.moved:
            have = amount(self.moved, "sentence has another tree", "sentences have other trees")
            moved = f" {have} for rules with a share."
        if not self.broken:
            return f"No tree breaks your rules.{moved}"
        have = f"{self.kept:,} of them {'has' if self.kept == 1 else 'have'}" if self.kept else "none of them has"
        done = f"{amount(self.broken, 'sentence')} broke your rules; {have} a tree that keeps them now"
        done += (", proved best." if self.certified else ", not each proved best.") if self.kept else "."
        if self.clashes:
            index, rules = self.clashes[0]
            done += f" Of {amount(len(self.clashes), 'sentence')} no tree keeps all; in sentence {index + 1:,} these "
            done += f"clash: {'; '.join(rules)}."
        return done + moved


def keeping_parser(systems: "Systems", corpus: Corpus, key: str) -> RelationScorer | None:
    """The parser of a run's trees if it can look for trees that keep rules, and the text has some; else None."""
    run = run_of(systems.workspace, key)
    if run is None or run.kind not in systems or not rules_of(systems.workspace.store, corpus):
        return None
    parser = systems[run.kind].parser(run)
    return parser if isinstance(parser, RelationScorer) else None


def priced_rules(parser: RelationScorer, treebank: Treebank, rules: Sequence[Rule]) -> list[Rule]:
    """Rules as a parser can keep them in a text: those with a share have the price that follows from it there.

    Raises WorkbenchError as ``parse_under_rules``.
    """
    priced = [each.rule for each in prices_from_shares(parser, rules, treebank)]
    parse_under_rules(parser, treebank.limit(1), priced)  # complains here, not where it is used
    return priced


def ruled_text(parser: RelationScorer, text: ParsedText, rules: Sequence[Rule]) -> RuledText:
    """A ParsedText under its rules. Raises WorkbenchError as ``parse_under_rules``."""
    require_tags(rules, text.treebank)
    parsed = text.treebank.select(text.has_tree)
    places = np.flatnonzero(text.has_tree)
    priced = [each.rule for each in prices_from_shares(parser, rules, parsed)]
    laws = [rule for rule in priced if is_law(rule)]
    in_part = {index for index, hand in text.by_hand.items() if text.has_tree[index] and not hand.complete}
    own = [places[index] for index, *_ in broken_sentences([rule for rule in priced if rule.price != 0], parsed)]
    broken = np.array(sorted({*map(int, own), *in_part}), np.int64)
    if not len(broken):
        return RuledText(text, 0, 0, 0, True, ())
    before = text.treebank.select(broken)
    found = parse_under_rules(parser, _drawn(before, broken, text.by_hand, in_part), priced)
    heads, relations = text.treebank.heads.copy(), text.treebank.deprel.strings().astype(object)
    rows, _ = selected_rows(text.treebank.offsets, broken)
    heads[rows], relations[rows] = found.treebank.heads, found.treebank.deprel.strings()
    index_of = {pick: index for index, pick in enumerate(text.treebank.picks.tolist())}
    clashes = tuple(
        (index_of[int(found.words.picks[each.sentence])], tuple(clash.text for clash in each.clash))
        for each in found.searched if each.clash
    )  # fmt: skip
    ruled = replace(text, treebank=text.treebank.with_heads(heads, relations.tolist()))
    of_laws = {index for index, *_ in broken_sentences(laws, before)}
    left = sum(1 for _ in broken_sentences(laws, found.treebank))
    certified = found.certified == len(found.searched)
    drawn = {place for place, index in enumerate(broken.tolist()) if index in in_part}
    moved = len(set(_other_trees(before, found.treebank)) - of_laws - drawn)
    return RuledText(ruled, len(of_laws), len(of_laws) - left, moved, certified, clashes)


def _drawn(text, indices, by_hand, in_part):
    """Sentences with the arcs alone that are drawn in a part of them; ``indices`` are their numbers in the text."""
    heads, relations = np.full(len(text.heads), -1, np.int32), np.full(len(text.heads), "", object)
    for place, index in enumerate(indices.tolist()):
        if index in in_part:
            rows = slice(text.offsets[place], text.offsets[place + 1])
            heads[rows], relations[rows] = by_hand[index].heads, by_hand[index].deprels
    return text.with_heads(heads, relations.tolist())


def _other_trees(before, after):
    """The numbers of sentences that have other heads or relations."""
    other = (before.heads != after.heads) | (before.deprel.strings() != after.deprel.strings())
    return np.flatnonzero(any_of_each(other & before.is_word, before.offsets)).tolist()
