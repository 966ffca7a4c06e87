"""Parses of one text side by side: what they are scored against, and which of its sentences and words."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from core.errors import WorkbenchError
from core.evaluation import Comparison, SystemPair, compare
from core.evaluation.learnt import has_heads, without_trees_of
from core.parsers.labels import has_relations
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import Annotations, states_by_layer
from core.workspace.applied import AvailableParse, is_unknown
from core.workspace.cache import ProcessCache
from core.workspace.parses import BASELINES, learnt_from, load_parse, relations_learnt_from
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
    notes : tuple of str
        What is not scored, and which scores are too high, in sentences.
    cache : ProcessCache
        Of the process: tallies of ``core.workspace.compare.tallies``, scores of ``core.workspace.compare.scoring``.
    only : ndarray of bool, (rows,), or None
        The words that a filter leaves.
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
    notes: tuple[str, ...]
    cache: ProcessCache = field(repr=False)
    only: np.ndarray | None = field(default=None, repr=False)

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """A result of these parses under ``key``, computed if it is not cached."""
        return self.cache.get("tallies", (self, key), make)

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

    The text's own trees, with those that were corrected and are done; and each person's version in which some are.
    """
    own = {OWN_TREES: OWN} if _has_gold(workspace, corpus) else {}
    layers = states_by_layer(workspace.store, corpus)
    done = [name for name, states in layers.items() if any(state.status == "done" for state in states.values())]
    return own | {f"{LAYER}{name}": f"trees corrected by {name}" for name in sorted(done) if name}


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
        labelled, notes = _labelled(next(iter(banks.values())), banks), []
    else:
        corrected = None if against in (OWN_TREES, *names) else _corrected(workspace, corpus, whole, against)
        trees = whole if against == OWN_TREES else corrected
        taught = {offer.name: learnt_from(systems, corpus, offer.key) for offer in offers}
        text, banks, learnt = _common(whole, loaded, taught, trees)
        reference, has_majority = (references(workspace, corpus) | names)[against], False
        truth = _of_parse(reference, banks, text) if trees is None else _of_sentences(trees, text)
        labelled = _labelled(truth, banks)
        notes = _without_taught(systems, corpus, text, names, labelled, learnt)
        notes += _doubts(systems, corpus, names, against, text) + _former_tags(text, banks)
    punctuated = _punctuated(text, banks)
    punctuation = punctuation and all(punctuated.values())  # words without a head would count against a parse
    tags = "upos" if whole.upos.filled else None  # the coarser tags make the tables that can be read
    comparison = replace(compare(truth, banks, punctuation=punctuation, tags=tags), voters=voters)
    return SideBySide(
        comparison, reference, is_gold=against not in (EACH_OTHER, *names), has_majority=has_majority,
        gold=text if has_gold else None, punctuated=punctuated, labelled=labelled, sentences=len(text), of=len(whole),
        notes=tuple(notes), cache=workspace.cache,
    )  # fmt: skip


def _of_parse(name, banks, text):
    """The text under the trees of a parse, which leaves the banks, as the others are scored against it."""
    bank = banks.pop(name)
    if not banks:
        raise WorkbenchError(f"choose a second parse to score against {name}")
    return text.with_heads(bank.heads, bank.deprel)


def _corrected(workspace, corpus, whole, against):
    """The text under the trees of a layer's sentences that are done; other words have no head."""
    theirs = workspace.of_version(against.removeprefix(LAYER)).settled(corpus)
    if not len(theirs.by_hand):
        raise WorkbenchError("no sentence of these annotations is marked done with a tree; score against other trees")
    others = np.ones(len(whole), bool)
    others[theirs.by_hand] = False
    return without_trees_of(whole.with_heads(theirs.treebank.heads, theirs.treebank.deprel), others)


def _of_sentences(bank, text):
    return bank.select(np.isin(bank.picks, text.picks))


def _common(whole, banks, taught, trees):
    """(the sentences that all parses have and none learnt from, trees by name, how many a parse learnt from by name).

    ``taught`` are the sentences of some parses that they learnt from. ``trees`` is the whole text under the trees that
    they are scored against, if these are no parse's: other sentences are left out. Raises WorkbenchError without any.
    """
    shared = np.ones(len(whole), bool) if trees is None else has_heads(trees)
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
    return text, {name: _of_sentences(bank, text) for name, bank in banks.items()}, learnt


def _punctuated(text, banks):
    marks = text.punctuation()
    return {name: not marks.any() or bool((bank.heads[marks] >= 0).any()) for name, bank in banks.items()}


def _labelled(reference, banks):
    """Whether the reference and a parse both have relations, by its name."""
    return {name: has_relations(reference) and has_relations(bank) for name, bank in banks.items()}


def _without_taught(systems, corpus, text, names, labelled, learnt):
    """Sentences on what is not scored since a parse, or what names its relations, was trained on it.

    Parses whose relations were trained on these sentences are no more ``labelled`` afterwards.
    """
    related = {}
    for key, name in names.items():
        if labelled.get(name):
            related[name] = int(np.isin(text.picks, relations_learnt_from(systems, corpus, key)).sum())
            labelled[name] = not related[name]
    parts, relations = (
        "; ".join(f"{name} on {amount(count, 'sentence')}" for name, count in counts.items() if count)
        for counts in (learnt, related)
    )
    sentences = [f"Trained on, so scored for no parse: {parts}."] if parts else []
    return sentences + ([f"No LAS, since relations were trained on these trees: {relations}."] if relations else [])


def _doubts(systems, corpus, names, against, text):
    """Warnings of scores that may be too high: of parsers from files, and of sentences that began from proposals."""
    unknown = [name for key, name in names.items() if is_unknown(systems, key)]
    sentences = [f"What {name} was trained on is not known; on sentences that it has seen its score is too high."
            for name in unknown]  # fmt: skip
    if not (against == OWN_TREES or against.startswith(LAYER)):
        return sentences
    layer = "" if against == OWN_TREES else against.removeprefix(LAYER)
    taken = Annotations(systems.workspace, corpus, layer).proposals()
    for key, name in names.items():
        if began := sum(key in taken.get(index, ()) for index in text.picks.tolist()):
            sentences.append(f"{amount(began, 'sentence')} began from the trees of {name}: its score is too high.")
    return sentences


def _former_tags(text, banks):
    """Which parses read other tags than the text has now, in sentences."""
    now = text.coarse_tags.strings()
    counts = {name: int((getattr(bank, text.coarse_name).strings() != now).sum()) for name, bank in banks.items()}
    return [
        f"{name} read {amount(count, 'tag')} of these sentences otherwise than the text has them now."
        for name, count in counts.items()
        if count
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
    return f"{better} is {gain:.1f} {above} {worse}, {within}: {alone}; {test}."


def pair_table(parses: SideBySide, pairs: Sequence[SystemPair]) -> dict[str, list]:
    """Columns of a table over every two parses: both, the words on which they differ, the gain of the first, p."""
    table: dict[str, list] = {
        "one": [pair.one for pair in pairs],
        "other": [pair.other for pair in pairs],
        "differ": [pair.differ for pair in pairs],
    }
    if parses.is_scored:
        shown = "{:+.1f}" if parses.sentences < FEW else "{:+.1f} ({:+.1f} to {:+.1f})"
        table["gain"] = [shown.format(*_gain(pair)) for pair in pairs]
        table["alone"] = [f"{pair.only_one:,} : {pair.only_other:,}" for pair in pairs]
        table["p"] = ["" if pair.sign is None else p_value(pair.sign.p_value).removeprefix("p ") for pair in pairs]
    return table


def _gain(pair):
    """(gain of the first over the second in points, ends of its interval)."""
    return -pair.bootstrap.difference, -pair.bootstrap.high, -pair.bootstrap.low
