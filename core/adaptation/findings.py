"""What a correspondence learnt, and what it changed, as plain values to show."""

from dataclasses import dataclass

import numpy as np

from core.adaptation.correspondence import StructuralCorrespondence
from core.adaptation.systems import AdaptedSystem
from core.errors import WorkbenchError
from core.features.packed import PackedDense, arc_offsets_of
from core.parsers.mst.adapted import Projection
from core.treebank import Treebank


@dataclass(frozen=True)
class PivotFinding:
    """A pivot that occurs.

    Attributes
    ----------
    name : str
    by : str
        What decides: "form", "upos" or "xpos".
    counts, sampled : (int, int)
        Sampled edges of source and target that it holds of, out of so many.
    right, majority : float
        Percent of those edges that the predictor gets right, and that its commoner answer would.
    strongest, weakest : tuple of (str, float)
        Features that speak most for and most against it, with their weights.
    """

    name: str
    by: str
    counts: tuple
    sampled: tuple
    right: float
    majority: float
    strongest: tuple
    weakest: tuple


@dataclass(frozen=True)
class DirectionFinding:
    """A singular vector: number from 1, its singular value, its loading on each pivot (largest first), and the features
    with the largest positive and negative entries."""

    number: int
    singular_value: float
    pivots: tuple
    positive: tuple
    negative: tuple


@dataclass(frozen=True)
class ChangedEdge:
    """A word that two parsers attach, or name, differently.

    Attributes
    ----------
    sentence, word : int
        From 0 and from 1.
    head_before, head_after, gold_head : int
        0 is the root, -1 unknown.
    relation_before, relation_after, gold_relation : str
    score, induced : float
        Of the new edge under the adapted parser, and the induced features' part of it.
    old_score, old_induced : float or None
        Of the edge to the old head, with the relation that the adapted parser would choose; None where only the
        relation changed.
    """

    sentence: int
    word: int
    head_before: int
    head_after: int
    gold_head: int
    relation_before: str
    relation_after: str
    gold_relation: str
    score: float
    induced: float
    old_score: float | None
    old_induced: float | None

    @property
    def share(self) -> float:
        """The induced features' share of the new edge's score, 0 to 1: their part and the rest by absolute size."""
        total = abs(self.induced) + abs(self.score - self.induced)
        return abs(self.induced) / total if total else 0.0

    @property
    def margin(self) -> float | None:
        """The adapted parser's score of the new edge minus that of the old one, or None."""
        return None if self.old_score is None else self.score - self.old_score

    @property
    def induced_margin(self) -> float | None:
        """The induced features' part of ``margin``, or None."""
        return None if self.old_induced is None else self.induced - self.old_induced

    @property
    def margin_share(self) -> float | None:
        """The induced features' share of ``margin``, 0 to 1: their part and the rest by absolute size; or None."""
        margin, induced = self.margin, self.induced_margin
        if margin is None or induced is None:
            return None
        total = abs(induced) + abs(margin - induced)
        return abs(induced) / total if total else 0.0

    @property
    def verdict(self) -> str:
        """The verdict on the heads: "corrected", "harmed", "both wrong", "relation" (head unchanged) or "unknown"."""
        if self.head_before == self.head_after:
            return "relation"
        if self.gold_head < 0:
            return "unknown"
        if self.head_after == self.gold_head:
            return "corrected"
        return "harmed" if self.head_before == self.gold_head else "both wrong"


def pivot_findings(correspondence: StructuralCorrespondence, count: int = 10) -> tuple[PivotFinding, ...]:
    """A PivotFinding for each pivot of a fitted StructuralCorrespondence; O(F log F) a pivot."""
    model = correspondence.trained()
    findings = []
    for at, (pivot, column) in enumerate(zip(model.pivots, model.columns, strict=True)):
        share = model.counts[:, at].sum() / model.sampled.sum()
        strongest, weakest = _extremes(model.features, model.predictors.weights[:, at], count)
        findings.append(
            PivotFinding(
                name=pivot.name,
                by=column,
                counts=tuple(model.counts[:, at].tolist()),
                sampled=tuple(model.sampled.tolist()),
                right=100 * float(model.predictors.right[at]),
                majority=100 * float(max(share, 1 - share)),
                strongest=strongest,
                weakest=weakest,
            )
        )
    return tuple(findings)


def direction_findings(correspondence: StructuralCorrespondence, count: int = 10) -> tuple[DirectionFinding, ...]:
    """A DirectionFinding for each direction, strongest first."""
    model = correspondence.trained()
    findings = []
    for at, value in enumerate(model.singular_values.tolist()):
        order = np.argsort(-np.abs(model.loadings[at]), kind="stable")[:count]
        pivots = tuple((model.pivots[pivot].name, float(model.loadings[at, pivot])) for pivot in order)
        positive, negative = _extremes(model.features, model.directions[:, at], count)
        findings.append(DirectionFinding(at + 1, value, pivots, positive, negative))
    return tuple(findings)


@dataclass(frozen=True)
class ExampleEdge:
    """An edge of a tree and its value along a direction, in deviations where features are standardized.

    ``sentence`` counts from 0, ``modifier`` from 1; ``head`` 0 is the root.
    """

    sentence: int
    head: int
    modifier: int
    value: float


def direction_examples(
    projection: Projection, treebank: Treebank, count: int = 6
) -> list[tuple[tuple[ExampleEdge, ...], ...]]:
    """The edges of a text's trees that respond most to each direction.

    Parameters
    ----------
    projection : Projection
    treebank : Treebank
        Words without a head, and heads that are the root, are passed over.
    count : int
        So many at most, with different words each.

    Returns
    -------
    list of (tuple of ExampleEdge, tuple of ExampleEdge)
        For each direction, the highest values and the lowest.

    Notes
    -----
    O(A·K): the features of all edges of the text are computed.
    """
    values, rows = projection.values(treebank), np.flatnonzero(treebank.heads > 0)
    sentences = np.searchsorted(treebank.offsets, rows, side="right") - 1
    modifiers, heads = rows - treebank.offsets[sentences], treebank.heads[rows].astype(np.int64)
    arcs = arc_offsets_of(treebank.lengths)[sentences] + heads * (treebank.lengths[sentences] + 1) + modifiers
    forms = treebank.form.ids
    pairs = list(zip(forms[rows - modifiers + heads].tolist(), forms[rows].tolist(), strict=True))

    def best(column, order):
        edges, seen = [], set()
        for at in order.tolist():
            if len(edges) == count:
                break
            if pairs[at] not in seen:
                seen.add(pairs[at])
                edges.append(ExampleEdge(int(sentences[at]), int(heads[at]), int(modifiers[at]), float(column[at])))
        return tuple(edges)

    examples = []
    for column in values[arcs].T:
        order = np.argsort(-column, kind="stable")
        examples.append((best(column, order), best(column, order[::-1])))
    return examples


def _extremes(features, values, count):
    """The features with the largest and the smallest values, as pairs; only positive, only negative ones."""
    order = np.argsort(values, kind="stable")
    low = [(features.name(at), float(values[at])) for at in order[:count].tolist() if values[at] < 0]
    high = [(features.name(at), float(values[at])) for at in order[::-1][:count].tolist() if values[at] > 0]
    return tuple(high), tuple(low)


def changed_edges(text: Treebank, before: Treebank, system: AdaptedSystem) -> tuple[ChangedEdge, ...]:
    """The words that an adapted parser attaches or names otherwise than another, with the induced features' part.

    Parameters
    ----------
    text : Treebank
        With gold trees or without.
    before : Treebank
        The same text under the other parser.
    system : AdaptedSystem
        With a correspondence.

    Returns
    -------
    tuple of ChangedEdge
        In text order.

    Raises
    ------
    WorkbenchError : the system has no induced features.
    """
    if system.correspondence is None:
        raise WorkbenchError(f"the system {system.name} has no induced features; choose the adapted one")
    features = system.correspondence.features(text)
    after = system.parser.parse(text, extra=features)
    scores = system.parser.score(text, extra=features)
    induced = _InducedScores(system.parser.model, features)
    columns = (bank.deprel for bank in (before, after, text))
    old, new, gold = ([column.values[value] for value in column.ids.tolist()] for column in columns)
    changed = ((before.heads != after.heads) | np.array([a != b for a, b in zip(old, new, strict=True)])) & text.is_word
    edges = []
    for row in np.flatnonzero(changed).tolist():
        sentence = int(np.searchsorted(text.offsets, row, side="right")) - 1
        word, side = row - int(text.offsets[sentence]), int(text.lengths[sentence]) + 1
        first = int(features.arc_offsets[sentence])
        heads = int(before.heads[row]), int(after.heads[row])
        arcs = [first + head * side + word for head in heads]
        moved = heads[0] != heads[1] and heads[0] >= 0
        edges.append(
            ChangedEdge(
                sentence,
                word,
                *heads,
                int(text.heads[row]),
                old[row],
                new[row],
                gold[row],
                float(scores.arcs.values[arcs[1]]),
                induced.of(arcs[1], scores.labels),
                float(scores.arcs.values[arcs[0]]) if moved else None,
                induced.of(arcs[0], scores.labels) if moved else None,
            )
        )
    return tuple(edges)


class _InducedScores:
    """The part of an edge's score, its relation's included, that comes from induced features."""

    def __init__(self, model, features):
        self.features = features.as_sparse() if isinstance(features, PackedDense) else features
        self.arcs = model.weights[model.first_extra : model.first_extra + features.count]
        labels = model.weights[model.first_extra_label :] if model.joint else np.zeros(0, np.float32)
        self.labels = labels[: features.count * len(model.relations)].reshape(features.count, -1)

    def of(self, arc, labels):
        """With the relation that is best for the arc."""
        begin, end = self.features.offsets[arc : arc + 2]
        ids, values = self.features.ids[begin:end], self.features.values[begin:end]
        weights = self.arcs if labels is None else self.arcs + self.labels[:, labels[arc]]
        return float(values.astype(np.float64) @ weights[ids])
