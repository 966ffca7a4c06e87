"""Parses of one text side by side, for people to look at: tables whose every number opens its words."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from core.constraints.labels import has_relations
from core.direction import side_name
from core.draw import Drawing
from core.draw.drawing import Span
from core.draw.trees import compare_trees
from core.errors import WorkbenchError
from core.evaluation import Comparison, Confusion, Group, SystemPair, compare
from core.search.browse import sentence_table
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.cache import ProcessCache
from core.workspace.parses import AvailableParse, learnt_from, load_parse, relations_learnt_from
from core.workspace.wording import amount, p_value, share_and_count

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page has no use for

T = TypeVar("T")
OWN = "own trees"  # what the corpus's own trees are called beside parses
OWN_TREES, EACH_OTHER = "own", "each"  # what parses are scored against, where it is none of them
MOST = 4  # parses at once
REFERENCE = " "  # name of the column with the reference's labels: no label is that


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Parses of the sentences that all of them have.

    Attributes
    ----------
    comparison : Comparison
    reference : str or None
        What they are scored against: OWN, or the name of another parse. None where they are compared with each other.
    gold : Treebank or None
        The corpus's own trees of these sentences, where it has any.
    punctuated : dict from name to bool
        Whether the parse gives any punctuation a head, where there is punctuation. Where one does not, punctuation is
        left out of the comparison.
    labelled : dict from name to bool
        Whether the reference and the parse both have relations that say something.
    sentences, of : int
        How many sentences are compared, of how many in the corpus.
    learnt : dict from name to int
        Where they are scored, the parses that learnt from sentences that all have, and from how many. None is scored on
        these, so that all are scored on the same words.
    related : dict from name to int
        The parses whose relations were learnt from sentences that are compared, and from how many: they have no LAS.
    cache : ProcessCache
        Of the process: tallies of ``core.workspace.compare.tallies``, scores of ``core.workspace.compare.scoring``.
    """

    comparison: Comparison
    reference: str | None
    gold: Treebank | None
    punctuated: dict
    labelled: dict
    sentences: int
    of: int
    learnt: dict[str, int]
    related: dict[str, int]
    cache: ProcessCache = field(repr=False)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """A result of these parses under ``key``, made where it is not kept."""
        return self.cache.get("tallies", (self, key), make)

    @property
    def names(self) -> list[str]:
        """Of the parses, in the order chosen."""
        return list(self.comparison.systems)

    @property
    def is_scored(self) -> bool:
        """Whether they are scored against something."""
        return self.reference is not None


def side_by_side(
    systems: "Systems",
    corpus: Corpus,
    offers: Sequence[AvailableParse],
    against: str = OWN_TREES,
    punctuation: bool = True,
) -> SideBySide:
    """The SideBySide of chosen parses of a Corpus.

    ``against`` is OWN_TREES (if there are none, EACH_OTHER), EACH_OTHER, or the key of one of the offers, whose
    trees then stand for gold ones. Raises WorkbenchError where a parse is not there any more, or the parses have no
    sentence in common.
    """
    whole = systems.workspace.treebank(corpus)
    has_gold = bool((whole.heads >= 0).any())
    is_scored = against != EACH_OTHER and (has_gold or against != OWN_TREES)
    taught = {offer.name: learnt_from(systems, offer.key) for offer in offers} if is_scored else {}
    loaded = {offer.name: load_parse(systems, corpus, offer.key) for offer in offers}
    text, banks, learnt = _common(whole, loaded, taught)
    marks = text.punctuation()
    punctuated = {name: not marks.any() or bool((bank.heads[marks] >= 0).any()) for name, bank in banks.items()}
    punctuation = punctuation and all(punctuated.values())  # words without a head would count against a parse
    gold = text if has_gold else None
    reference, truth = (OWN, gold) if gold is not None and against == OWN_TREES else (None, None)
    if against not in (OWN_TREES, EACH_OTHER):
        reference = next(offer.name for offer in offers if offer.key == against)
        bank = banks.pop(reference)
        truth = text.with_heads(bank.heads, bank.deprel)
        if not banks:
            raise WorkbenchError(f"choose a second parse to score against {reference}")
    tags = "upos" if whole.upos.filled else None  # the coarser tags make the tables that can be read
    found = compare(truth, banks, punctuation=punctuation, tags=tags)
    labelled = {name: truth is not None and has_relations(truth) and has_relations(b) for name, b in banks.items()}
    keys, related = {offer.name: offer.key for offer in offers}, {}
    for name in [name for name, has_both in labelled.items() if has_both]:
        if count := int(np.isin(text.picks, relations_learnt_from(systems, corpus, keys[name])).sum()):
            related[name], labelled[name] = count, False
    cache = systems.workspace.cache
    return SideBySide(found, reference, gold, punctuated, labelled, len(text), len(whole), learnt, related, cache)


def _common(whole, banks, taught):
    """(the sentences that all parses have and none learnt from, trees by name, how many a parse learnt from by name).

    ``taught`` are the sentences of some parses that they learnt from. Raises WorkbenchError without trees or sentences.
    """
    kept = np.ones(len(whole), bool)
    for name, bank in banks.items():
        if not (bank.heads >= 0).any():
            raise WorkbenchError(f"{name} has no trees in this text; remove it, or choose a parse that has")
        kept &= np.isin(whole.picks, bank.picks)
    if not kept.any():
        raise WorkbenchError("these parses have no sentence in common; choose others")
    counts = {name: int((kept & np.isin(whole.picks, picks)).sum()) for name, picks in taught.items()}
    learnt = {name: count for name, count in counts.items() if count}
    unseen = kept & ~np.isin(whole.picks, np.concatenate([np.zeros(0, np.int64), *taught.values()]))
    if not unseen.any():
        raise WorkbenchError(
            f"nothing is left to score: {', '.join(learnt)} learnt from all {int(kept.sum()):,} sentences that these "
            "parses have; compare them with each other, or choose others"
        )
    text = whole.select(unseen)
    return text, {name: bank.select(np.isin(bank.picks, text.picks)) for name, bank in banks.items()}, learnt


def left_out_words(found: SideBySide) -> str:
    """What is not scored since a parse, or what names its relations, learnt from it, in words; "" for nothing."""
    parts, related = (
        "; ".join(f"{name} from {amount(count, 'sentence')}" for name, count in each.items())
        for each in (found.learnt, found.related)
    )
    said = [f"Learnt from, so scored for no parse: {parts}."] if parts else []
    return " ".join([*said, *([f"No LAS, relations learnt from these trees: {related}."] if related else [])])


def verdict(pair: SystemPair, reference: str | None = OWN) -> str:
    """What a SystemPair says, in one or two sentences of Markdown-free text; ``reference`` as of its SideBySide."""
    if pair.sign is None or pair.bootstrap is None:
        words = amount(pair.differ, "word")
        return f"{pair.one} and {pair.other} choose different heads for {words}."
    right, above = "is right", "points above"
    if reference != OWN:
        right, above = f"agrees with {reference}", f"points closer to {reference} than"
    if pair.only_one == pair.only_other:
        return f"{pair.one} and {pair.other} score the same: each alone {right} on {amount(pair.only_one, 'word')}."
    better, worse, wins, losses = pair.one, pair.other, pair.only_one, pair.only_other
    gain, low, high = -pair.bootstrap.difference, -pair.bootstrap.high, -pair.bootstrap.low
    if gain < 0:
        better, worse, wins, losses = worse, better, losses, wins
        gain, low, high = pair.bootstrap.difference, pair.bootstrap.low, pair.bootstrap.high
    low, high = (round(end, 1) + 0.0 for end in (low, high))  # no minus before a zero
    chance = "hardly by chance" if pair.sign.significant else "perhaps by chance"
    return (
        f"{better} is {gain:.1f} {above} {worse}, 95% interval {low:.1f} to {high:.1f}: it alone {right} on "
        f"{amount(wins, 'word')}, the other alone on {losses:,}; {chance} (sign test, {p_value(pair.sign.p_value)})."
    )


def kind_table(found: SideBySide, kind: str) -> tuple[Sequence[Group], dict[str, list]]:
    """(groups, columns of a table): kind of word, how many, and the share and number that each parse has right."""
    groups = found.comparison.table(kind)
    table = {"kind": [side_name(group.name) for group in groups], "words": [group.words for group in groups]}
    for name in found.names:
        table[name] = [share_and_count(int(group.right[name].sum()), group.words) for group in groups]
    return groups, table


def opened_rows(found: SideBySide, what: tuple | None) -> tuple[np.ndarray, str]:
    """(rows, title) of the words behind a number.

    ``what`` is ("kind", kind, group, parse or "words"), ("cell", by, reference or None, parse, label, label), or
    ("pair", parse, parse). For None, and for a number that these parses do not have, the words on which they disagree.
    """
    opened = None if what is None else _OPENERS[what[0]](found, *what[1:])
    if opened is None:
        who = f"{found.names[0]} and {found.reference}" if len(found.names) == 1 and found.is_scored else "the parses"
        opened = disputed(found), f"Words on which {who} disagree"
    return opened


def _kind_rows(found, kind, value, name):
    group = next((each for each in found.comparison.table(kind) if each.name == value), None)
    if group is None or name not in ("words", *found.names):
        return None
    if name == "words":
        return group.rows, f"Words of the {kind} {side_name(value)}"
    return group.rows[~group.right[name]], f"Words of the {kind} {side_name(value)} {wrong_in(found, name)}"


def wrong_in(found: SideBySide, name: str) -> str:
    """Says of words, after their name, that a parse has them wrong, by what the parses are scored against."""
    if found.reference == OWN:
        return f"that {name} gets wrong"
    return f"that {name} attaches otherwise than {found.reference or 'most parses'}"


def _cell_rows(found, by, reference, name, one, other):
    if name not in found.names or reference not in (None, *found.names) or (reference is None) != found.is_scored:
        return None
    confusion = found.comparison.confusion(name, by, reference)
    if one not in confusion.labels or other not in confusion.labels:
        return None
    rows = confusion.rows(confusion.labels.index(one), confusion.labels.index(other))
    one, other = side_name(one), side_name(other)
    return rows, f"Words whose {by} is {one} in {reference or found.reference}, {other} in {name}"


def _pair_rows(found, one, other):
    if one not in found.names or other not in found.names:
        return None
    return found.comparison.differing(one, other), f"Words on which {one} and {other} differ"


_OPENERS = {"kind": _kind_rows, "cell": _cell_rows, "pair": _pair_rows}


def disputed(found: SideBySide) -> np.ndarray:
    """Rows of the compared words on which the parses, and gold where there is any, do not all agree."""
    comparison = found.comparison
    heads = [bank.heads[comparison.scored] for bank in comparison.systems.values()]
    if len(heads) == 1 and comparison.gold is not None:
        heads.append(comparison.gold.heads[comparison.scored])
    differ = np.zeros(len(comparison.scored), bool)
    for other in heads[1:]:
        differ |= other != heads[0]
    return comparison.scored[differ]


def confusion_table(confusion: Confusion) -> dict[str, list]:
    """Columns of a table: a row a label of the reference, a column a label of the parse; none for 0."""
    table: dict[str, list] = {REFERENCE: [side_name(label) for label in confusion.labels]}
    for place, label in enumerate(confusion.labels):
        table[label] = [count or None for count in confusion.counts[:, place].tolist()]
    return table


def opened_sentences(found: SideBySide, rows: np.ndarray) -> tuple[np.ndarray, dict[str, list]]:
    """(indices, columns of a table): the sentences that hold these words, those with most of them first."""
    text = found.comparison.text
    sentence = np.searchsorted(text.offsets, rows, side="right") - 1
    indices, counts = np.unique(sentence, return_counts=True)
    order = np.lexsort((indices, -counts))
    indices, counts = indices[order], counts[order]
    table = sentence_table(text, indices)
    numbers = (text.picks[indices] + 1).tolist()
    return indices, {"sentence": numbers, "marked": counts.tolist(), "words": table["words"], "text": table["text"]}


def trees_to_draw(found: SideBySide) -> list[str]:
    """Names of all that can be drawn: what the parses are scored against, the parses, the own trees."""
    names = [*([found.reference] if found.is_scored else []), *found.names]
    return names if found.gold is None or OWN in names else [*names, OWN]


def draw_two(
    found: SideBySide, above: str, below: str, index: int, rows: ArrayLike = (), apart: bool = False
) -> Drawing:
    """The trees ``above`` and ``below`` of one sentence in one Drawing, bars under the words of ``rows``.

    ``apart``: one above the words and one under them, rather than both above, what they share drawn once.
    """
    text = found.comparison.text
    begin, end = text.offsets[index : index + 2]
    banks = {**found.comparison.systems, found.reference: found.comparison.gold, OWN: found.gold}
    one, two = (banks[name][index] for name in (above, below))
    drawing = compare_trees(
        text[index],
        two.heads,
        one.heads,
        labels=(one.deprels, two.deprels),
        overlay=not apart,
        names=(above, below),
    )
    rows = np.asarray(rows, np.int64)
    marked = (rows[(begin < rows) & (rows < end)] - begin).tolist()
    meanings = () if apart else (("plain", "both"), ("gold", above), ("predicted", below))
    return replace(drawing, spans=tuple(Span(word, word + 1) for word in marked), meanings=meanings)
