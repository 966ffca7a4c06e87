"""Sentences and heads made into drawings: one tree, two trees, a tree before and after a change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from core.draw.arc import Arc
from core.draw.drawing import Drawing, Span
from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate

NO_RELATION = "–"
PLAIN = {"", "_", "root", "dep"}

if TYPE_CHECKING:
    from core.annotation.edits import SentenceAnnotation
    from core.treebank.sentence import Sentence


def draw_tree(
    sentence: "Sentence | SentenceAnnotation", heads: ArrayLike | None = None, *, kind: str = "gold",
    labels: Sequence[str] | None = None, posteriors: np.ndarray | None = None, supported: Iterable = (),
    spans: Iterable[Span] = (),
) -> Drawing:  # fmt: skip
    """One analysis of a sentence, above its words.

    Parameters
    ----------
    sentence : Sentence or SentenceAnnotation
        Its XPOS tags stand under the words where it has no UPOS tags.
    heads : int array (n + 1,), optional
        The tree; the sentence's own by default. -1 draws no arc.
    labels : sequence of str (n + 1,), optional
        The relations; the sentence's own with its own tree, and none with another, whoever made that.
    kind : str
        ``"gold"`` (blue) or ``"predicted"`` (orange).
    posteriors : float array (n + 1, n + 1), optional
        ``posteriors[h, m]``, probability of every arc.
    supported : iterable of (head, modifier), or bool array (n + 1, n + 1)
        Arcs that a constraint speaks for; green.
    spans : iterable of Span

    Raises
    ------
    WorkbenchError : heads or posteriors of another length than the sentence; no such arc.
    """
    tree = _checked_heads(sentence.heads if heads is None else heads, len(sentence.forms), "heads")
    probability, green = _probabilities(posteriors, tree), _pairs(supported)
    relations = labels or (sentence.deprels if heads is None else [""] * len(tree))
    shown = relations if kind == "gold" else _shown(relations)
    arcs = [
        Arc(int(tree[m]), m, shown[m], "supported" if (tree[m], m) in green else kind, probability[m])
        for m in range(1, len(tree))
        if tree[m] >= 0
    ]
    return _drawing(sentence, arcs, kind, spans=tuple(spans))


def compare_trees(
    sentence: "Sentence | SentenceAnnotation", predicted: ArrayLike, gold: ArrayLike | None = None, *,
    labels: tuple[Sequence[str], Sequence[str]] | None = None, posteriors: np.ndarray | None = None,
    overlay: bool = False, thick: bool = False, names: Sequence[str] = ("gold", "predicted"),
) -> Drawing:  # fmt: skip
    """Two analyses of a sentence: gold above the words, predicted below, dashed where their heads differ.

    Parameters are those of ``draw_tree``; ``gold`` is the sentence's own tree by default, with its relations.
    ``labels`` are the relations of gold and predicted, without which other trees have none. ``names`` stand for the
    two in legend and table. With ``overlay`` all arcs stand above the words, and an arc that both have is drawn once,
    in neutral ink, with both relations where they differ. With ``thick`` such arcs are drawn thick, and arcs of which
    the two differ are dashed in both.
    """
    size = len(sentence.forms)
    relations = sentence.deprels if gold is None else [""] * size
    gold = _checked_heads(sentence.heads if gold is None else gold, size, "gold")
    predicted = _checked_heads(predicted, size, "predicted")
    probability = _probabilities(posteriors, predicted)
    gold_labels, predicted_labels = map(_shown, labels or (relations, [""] * size))
    arcs = []
    for m in range(1, len(gold)):
        same = gold[m] == predicted[m]
        differs, both, agrees = not same and min(gold[m], predicted[m]) >= 0, overlay and same, bool(thick and same)
        if gold[m] >= 0:
            kind = "plain" if both else "gold"
            label = _shared_label(gold_labels[m], predicted_labels[m]) if both else gold_labels[m]
            arcs.append(Arc(int(gold[m]), m, label, kind, disagrees=bool(thick and differs), agrees=agrees))
        if predicted[m] >= 0 and not both:
            arc = Arc(int(predicted[m]), m, predicted_labels[m], "predicted", probability[m], below=not overlay)
            arcs.append(replace(arc, disagrees=bool(differs), agrees=agrees))
    return _drawing(sentence, arcs, *((" and ".join(names), "") if overlay else names))


def show_change(
    sentence: "Sentence | SentenceAnnotation", before: ArrayLike, after: ArrayLike, *,
    labels: Sequence[str] | None = None, posteriors: np.ndarray | None = None, supported: Iterable = (),
    show_former: bool = False,
) -> Drawing:  # fmt: skip
    """A tree after a change: arcs that moved are vermilion and dashed, and say where they came from.

    Parameters are those of ``draw_tree``; ``before`` and ``after`` are heads (n + 1,), ``labels`` the relations of
    ``after``. ``show_former`` also draws the arcs that were there before, dotted and grey.
    """
    before = _checked_heads(before, len(sentence.forms), "before")
    after = _checked_heads(after, len(before), "after")
    probability, green = _probabilities(posteriors, after), _pairs(supported)
    labels = _shown(labels or [""] * len(after))
    arcs, former = [], []
    for m in range(1, len(after)):
        moved = before[m] != after[m]
        if after[m] >= 0:
            kind = "changed" if moved else "supported" if (after[m], m) in green else "predicted"
            head = "no head" if before[m] < 0 else f"{before[m]} {bidi_isolate(sentence.forms[before[m]])}"
            note = "" if not moved else f"before: {head if before[m] else 'root'}"
            arcs.append(Arc(int(after[m]), m, labels[m], kind, probability[m], note))
        if moved and before[m] >= 0 and show_former:
            former.append(Arc(int(before[m]), m, kind="former"))
    return _drawing(sentence, arcs + former, "after")


def _drawing(sentence, arcs, above, below="", spans=()):
    tags = sentence.upos if any(sentence.upos) else sentence.xpos
    return Drawing(tuple(sentence.forms), tuple(tags), tuple(arcs), spans, above, below, sentence.sent_id or "")


def _shown(labels):
    """Relations, or none where they only say which word is the root: a parser without relations writes those."""
    return labels if set(labels) - PLAIN else [""] * len(labels)


def _shared_label(one, other):
    """The label of an arc that two trees have."""
    return one if one == other else f"{one or NO_RELATION} / {other or NO_RELATION}"


def _pairs(supported):
    if isinstance(supported, np.ndarray) and supported.dtype == bool:
        supported = np.argwhere(supported)
    return {(int(head), int(modifier)) for head, modifier in supported}


def _checked_heads(heads, size, name):
    heads = np.asarray(heads)
    if heads.shape != (size,):
        raise WorkbenchError(
            f"{name} must have shape ({size},), one entry a word and the root's first, got {heads.shape}"
        )
    return heads


def _probabilities(posteriors, heads):
    """The posterior of each word's arc, None for all without posteriors."""
    size = len(heads)
    if posteriors is None:
        return [None] * size
    posteriors = np.asarray(posteriors)
    if posteriors.shape != (size, size):
        raise WorkbenchError(f"posteriors must have shape ({size}, {size}), [head, modifier], got {posteriors.shape}")
    return posteriors[heads, np.arange(size)].astype(float).tolist()
