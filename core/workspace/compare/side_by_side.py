"""Parses of one text side by side: what they are scored against, and which of its sentences and words."""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, starmap
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from core.errors import WorkbenchError
from core.evaluation import Comparison, SystemPair, compare
from core.evaluation.comparison import system_pair, tested_words
from core.evaluation.learnt import has_heads, without_trees_of
from core.evaluation.other_cut import OtherCut
from core.parsers.labels import has_relations
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import layers_of
from core.workspace.applied import AvailableParse, is_unknown, pruned_note
from core.workspace.cache import ProcessCache
from core.workspace.parses import BASELINES, is_predicted, learnt_from, load_parse, other_cut, relations_learnt_from
from core.workspace.scored_text import scored_text
from core.workspace.scoring import UNREAD, ScoreConditions
from core.workspace.wording import amount, p_value
from core.workspace.workspace import Workspace

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page does not need

T = TypeVar("T")
OWN = "own trees"  # what the corpus's own trees are called beside parses
OWN_TREES, EACH_OTHER = "own", "each"  # what parses are scored against, where it is none of them
LAYER = "layer-"  # begins the key of trees corrected by hand, a layer of annotations; its name follows
MOST = 4  # parses at once
VOTERS = 3  # parses, no baselines among them, that make a majority
FEW = 10  # sentences below which a bootstrap over them says too little: it draws the same ones again and again


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Parses of the sentences that all of them have.

    Attributes
    ----------
    comparison : Comparison
    reference : str or None
        What they are scored against: OWN, whose corrected trees, or the name of another parse. None where they are
        compared with each other.
    is_gold : bool
        Whether the reference is no parse: what is attached otherwise is wrong.
    has_majority : bool
        Whether they are compared with each other, and are enough for the head that most choose to mean something.
    gold : Treebank or None
        The corpus's own trees of these sentences, where it has any.
    punctuated : dict from name to bool
        Whether the parse gives any punctuation a head, where there is punctuation. Where one does not, punctuation is
        left out of the comparison.
    labelled : dict from name to bool
        Whether the reference and the parse both have relations that say something.
    sentences, of : int
        How many sentences are compared, of how many in the corpus.
    conditions : dict from name to ScoreConditions
        What each parse is scored on; empty where they are compared with each other.
    notes : tuple of str
        What is compared where a parse divides the text otherwise, and which trees were sought among likely arcs alone,
        in sentences.
    cache : ProcessCache
        Of the process: tallies of ``core.workspace.compare.tallies``, scores of ``core.workspace.compare.scoring``.
    other_cuts : dict from name to OtherCut
        The parses that divide the text otherwise, by the words of these sentences.
    punctuation : bool
        Whether punctuation is compared.
    only : ndarray of bool, (rows,), or None
        The words that a filter leaves.
    filtered_by : tuple of str
        What the filter chooses words by.
    """

    comparison: Comparison
    reference: str | None
    is_gold: bool
    has_majority: bool
    gold: Treebank | None
    punctuated: dict
    labelled: dict
    sentences: int
    of: int
    conditions: dict[str, ScoreConditions]
    notes: tuple[str, ...]
    cache: ProcessCache = field(repr=False)
    other_cuts: dict[str, OtherCut] = field(default_factory=dict, repr=False)
    punctuation: bool = True
    only: np.ndarray | None = field(default=None, repr=False)
    filtered_by: tuple[str, ...] = ()

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """A result of these parses under ``key``, computed if it is not cached."""
        return self.cache.get("tallies", (self, key), make)

    def differing(self, one: str, other: str) -> np.ndarray:
        """Rows of the words on which two parses choose different heads, int64; a word that only one has is among them.

        They are those of ``comparison.pairs``: the words that paired tests count, where there is a reference.
        """
        gold, systems = self.comparison.gold, self.comparison.systems
        words = self.comparison.scored if gold is None else tested_words(gold, self.punctuation)
        return words[systems[one].heads[words] != systems[other].heads[words]]

    @property
    def names(self) -> list[str]:
        """The names of the parses, in the order chosen."""
        return list(self.comparison.systems)

    @property
    def is_scored(self) -> bool:
        """Whether they are scored against something."""
        return self.reference is not None

    @property
    def is_judged(self) -> bool:
        """Whether a head can be right: they are scored, or there is a majority."""
        return self.is_scored or self.has_majority


def references(workspace: Workspace, corpus: Corpus) -> dict[str, str]:
    """The references that parses of a Corpus can be scored against, besides other parses: names by key.

    The text's own trees, with those that were corrected and count; and each person's version in which some do.
    """
    own = {OWN_TREES: OWN} if _has_gold(workspace, corpus) else {}
    layers = filter(None, layers_of(workspace.store, corpus))
    counted = [name for name in layers if workspace.of_version(name).corrections(corpus).counted]
    return own | {f"{LAYER}{name}": f"trees corrected by {name}" for name in counted}


def _has_gold(workspace, corpus):
    return bool((workspace.treebank(corpus).heads >= 0).any())


def side_by_side(
    systems: "Systems",
    corpus: Corpus,
    offers: Sequence[AvailableParse],
    against: str = OWN_TREES,
    punctuation: bool = True,
) -> SideBySide:
    """The SideBySide of chosen parses of a Corpus.

    ``against`` is a key of ``references``, EACH_OTHER, or the key of one of the offers, whose trees then stand for gold
    ones. Where OWN_TREES are not there, EACH_OTHER is meant. Raises WorkbenchError where a parse is not there any more,
    or the parses have no sentence in common.
    """
    workspace = systems.workspace
    whole, names = workspace.treebank(corpus), {offer.key: offer.name for offer in offers}
    has_gold = _has_gold(workspace, corpus)
    against = OWN_TREES if against == LAYER else against  # as links of old name what was corrected in the project
    against = EACH_OTHER if against == OWN_TREES and not has_gold else against
    loaded = {offer.name: load_parse(systems, corpus, offer.key) for offer in offers}
    voters = tuple(offer.name for offer in offers if offer.key not in BASELINES)
    if against == EACH_OTHER:
        text, banks, _ = _common(whole, loaded, {}, None)
        reference, truth, has_majority = None, None, len(voters) >= VOTERS
        labelled, conditions = _labelled(next(iter(banks.values())), banks), {}
    else:
        corrected = None if against in (OWN_TREES, *names) else _corrected(workspace, corpus, whole, against)
        trees = whole if against == OWN_TREES else corrected
        taught = {offer.name: learnt_from(systems, corpus, offer.key) for offer in offers}
        text, banks, left_out = _common(whole, loaded, taught, trees)
        reference, has_majority = (references(workspace, corpus) | names)[against], False
        truth = _of_parse(reference, banks, text) if trees is None else _of_sentences(trees, text)
        labelled = _labelled(truth, banks)
        conditions = _conditions(systems, corpus, names, against, banks, labelled, left_out)
    punctuated = _punctuated(text, banks)
    punctuation = punctuation and all(punctuated.values())  # words without a head would count against a parse
    tags = "upos" if whole.upos.filled else None  # the coarser tags make the tables that can be read
    comparison = compare(truth, banks, punctuation=punctuation, tags=tags, tested=False)
    comparison = replace(comparison, voters=voters, pairs=_pairs(workspace.cache, comparison, punctuation))
    cuts = _cuts(workspace, corpus, offers)
    chosen = np.isin(whole.picks, text.picks)
    pruned = filter(None, (pruned_note(systems, corpus.project, offer, whole) for offer in offers))
    return SideBySide(
        comparison, reference, is_gold=against not in (EACH_OTHER, *names), has_majority=has_majority,
        gold=text if has_gold else None, punctuated=punctuated, labelled=labelled, sentences=len(text), of=len(whole),
        conditions=conditions, notes=(*_other_words(whole, cuts), *pruned), cache=workspace.cache,
        other_cuts={name: cut.within(whole, chosen) for name, cut in cuts.items() if name in banks},
        punctuation=punctuation,
    )  # fmt: skip


def _cuts(workspace, corpus, offers):
    """The parses that divide the text otherwise, by name."""
    cuts = {offer.name: other_cut(workspace, corpus, offer.key) for offer in offers}
    return {name: cut for name, cut in cuts.items() if cut is not None}


def _pairs(cache, comparison, punctuation):
    """Every two systems; those that were compared before are not compared anew when another comes beside them."""
    gold, systems, text = comparison.gold, comparison.systems, comparison.text
    scored = comparison.scored if gold is None else tested_words(gold, punctuation)
    words = text.offsets, scored, () if punctuation else text.punctuation()

    def made(*names):
        trees = (bank.heads for bank in (gold, *(systems[name] for name in names)) if bank is not None)
        key = hashlib.sha256(b"|".join(np.asarray(part).tobytes() for part in (*words, *trees))).digest()
        make = partial(system_pair, gold, systems, names, scored, punctuation)
        return cache.get("pairs", (*names, gold is None, key), make)

    return tuple(starmap(made, combinations(systems, 2)))


def _of_parse(name, banks, text):
    """The text under the trees of a parse, which leaves the banks, as the others are scored against it."""
    bank = banks.pop(name)
    if not banks:
        raise WorkbenchError(f"choose a second parse to score against {name}")
    return text.with_heads(bank.heads, bank.deprel)


def _corrected(workspace, corpus, whole, against):
    """The text under the trees of a layer's sentences that count; other words have no head."""
    theirs = workspace.of_version(against.removeprefix(LAYER)).settled(corpus)
    if not len(theirs.by_hand):
        raise WorkbenchError("no sentence of these annotations is marked done with a tree; score against other trees")
    others = np.ones(len(whole), bool)
    others[theirs.by_hand] = False
    return without_trees_of(whole.with_heads(theirs.treebank.heads, theirs.treebank.deprel), others)


def _of_sentences(bank, text):
    return bank.select(np.isin(bank.picks, text.picks))


def _common(whole, banks, taught, trees):
    """(the sentences that all parses have and none learnt from, trees by name, which others have known trees).

    The last are fields of ScoreConditions.

    ``taught`` are the sentences of some parses that they learnt from. ``trees`` is the whole text under the trees that
    they are scored against, if these are no parse's: other sentences are left out. Raises WorkbenchError without any.
    """
    known = np.ones(len(whole), bool) if trees is None else has_heads(trees)
    shared = known.copy()
    for name, bank in banks.items():
        if not (bank.heads >= 0).any():
            raise WorkbenchError(f"{name} has no trees in this text; remove it, or choose a parse that has")
        shared &= np.isin(whole.picks, bank.picks)
    if not shared.any():
        which = "these parses have no sentence" if trees is None else "these parses and the trees have no sentence"
        raise WorkbenchError(f"{which} in common; choose others")
    counts = {name: int((shared & np.isin(whole.picks, picks)).sum()) for name, picks in taught.items()}
    learnt = {name: count for name, count in counts.items() if count}
    unseen = shared & ~np.isin(whole.picks, np.concatenate([np.zeros(0, np.int64), *taught.values()]))
    if not unseen.any():
        raise WorkbenchError(
            f"nothing is left to score: {', '.join(learnt)} trained on all {int(shared.sum()):,} sentences that these "
            "parses have; compare them with each other, or choose others"
        )
    text = whole.select(unseen)
    left_out = {"learnt": int((shared & ~unseen).sum()), "unparsed": int((known & ~shared).sum())}
    left_out |= {"learners": ", ".join(learnt)}
    return text, {name: _of_sentences(bank, text) for name, bank in banks.items()}, left_out


def _punctuated(text, banks):
    marks = text.punctuation()
    return {name: not marks.any() or bool((bank.heads[marks] >= 0).any()) for name, bank in banks.items()}


def _labelled(reference, banks):
    """Whether the reference and a parse both have relations, by its name."""
    return {name: has_relations(reference) and has_relations(bank) for name, bank in banks.items()}


def _conditions(systems, corpus, names, against, banks, labelled, left_out):
    """The ScoreConditions of each parse on the sentences that are compared, by name.

    Parses whose relations were learnt from these sentences are no more ``labelled`` afterwards.
    """
    layer, is_own = against.removeprefix(LAYER), against == OWN_TREES
    known = scored_text(systems.workspace, corpus, layer if layer != against else "")
    reference = "" if is_own else (references(systems.workspace, corpus) | names)[against]
    conditions = {}
    for key, name in names.items():
        if name not in banks:  # the others are scored against it
            continue
        bank, related = banks[name], 0
        if labelled[name]:
            related = int(np.isin(bank.picks, relations_learnt_from(systems, corpus, key)).sum())
            labelled[name] = not related
        told = known.conditions(bank, key)
        told = told if is_predicted(key) else replace(told, **UNREAD)
        told = replace(told, by_hand=0, only_begun=0, began=0) if against in names else told
        conditions[name] = replace(
            told, against=reference, related=related, is_unknown=is_unknown(systems, key), punctuation=None, **left_out
        )
    return conditions


def _other_words(whole, cuts):
    """Which parses divide the text otherwise, and what is compared then, in sentences."""
    return [
        f"{name} divides the text otherwise, so words are compared by their characters: {cut.words:,} of "
        f"{amount(whole.token_count, 'word')} are in both. A word that is not, or whose head is not, counts as wrong "
        "in the scores and tests of all words, and is left out of tables and charts."
        for name, cut in cuts.items()
    ]


def verdict(pair: SystemPair, parses: SideBySide, measure: str = "UAS") -> str:
    """The result of a SystemPair of a SideBySide by a measure, in one or two sentences of plain text."""
    if pair.sign is None or pair.bootstrap is None:
        words = amount(pair.differ, "word")
        return f"{pair.one} and {pair.other} choose different heads for {words}."
    right, above = "is right", f"points of {measure} above"
    if not parses.is_gold:
        right, above = f"agrees with {parses.reference}", f"points of {measure} closer to {parses.reference} than"
    if pair.only_one == pair.only_other:
        return f"{pair.one} and {pair.other} score the same: each alone {right} on {amount(pair.only_one, 'word')}."
    gain, low, high = _gain(pair)
    better, worse, wins, losses = pair.one, pair.other, pair.only_one, pair.only_other
    if gain < 0:
        better, worse, wins, losses = worse, better, losses, wins
        gain, low, high = -gain, -high, -low
    low, high = (round(end, 1) + 0.0 for end in (low, high))  # no minus before a zero
    within = f"95% interval {low:.1f} to {high:.1f}"
    if parses.sentences < FEW:
        within = f"{amount(parses.sentences, 'sentence')}, too few for an interval"
    alone = f"it alone {right} on {amount(wins, 'word')}, the other alone on {losses:,}"
    chance = "unlikely to be chance" if pair.sign.significant else "may be chance"
    test = f"{chance} (sign test, {p_value(pair.sign.p_value)})"
    return f"{better} is {gain:.1f} {above} {worse}, {within}: {alone}; {test}.{_favoured(better, parses)}"


def _favoured(name, parses):
    """A sentence on what makes the score of a parse too high beside others', after a space; "" where nothing does."""
    began = parses.conditions[name].began if name in parses.conditions else 0
    return f" But {amount(began, 'sentence')} began from its own trees, which favours it." if began else ""


def pair_table(parses: SideBySide, pairs: Sequence[SystemPair]) -> dict[str, list]:
    """Columns of a table over every two parses: both, the words on which they differ, the gain of the first, p."""
    table: dict[str, list] = {
        "one": [pair.one for pair in pairs],
        "other": [pair.other for pair in pairs],
        "differ": [pair.differ for pair in pairs],
    }
    if parses.is_scored:
        shown = "{:+.1f}" if parses.sentences < FEW else "{:+.1f} ({:+.1f} to {:+.1f})"
        gains = [[round(points, 1) + 0.0 for points in _gain(pair)] for pair in pairs]  # no minus before a zero
        table["gain"] = [shown.format(*gain) for gain in gains]
        table["alone"] = [f"{pair.only_one:,} : {pair.only_other:,}" for pair in pairs]
        table["p"] = ["" if pair.sign is None else p_value(pair.sign.p_value).removeprefix("p ") for pair in pairs]
    return table


def _gain(pair):
    """(gain of the first over the second in points, ends of its interval)."""
    return -pair.bootstrap.difference, -pair.bootstrap.high, -pair.bootstrap.low
