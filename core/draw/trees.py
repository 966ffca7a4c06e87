"""Sentences and heads made into drawings: one tree, two trees, a tree before and after a change."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from core.direction import isolated
from core.draw.drawing import Arc, Drawing, Span
from core.draw.palette import PALETTES
from core.errors import WorkbenchError


def draw_tree(
    sentence: Any, heads: np.ndarray | None = None, *, deprels: Sequence[str] | None = None, kind: str = "gold",
    posteriors: np.ndarray | None = None, candidates: float | None = None, supported: Iterable = (),
    tags: Sequence[str] | None = None, spans: Iterable[Span] = (), name: str | None = None,
) -> Drawing:  # fmt: skip
    """One analysis of a sentence, above its words.

    Parameters
    ----------
    sentence : Sentence, or anything with ``forms``, ``heads``, ``deprels``, ``upos`` and ``xpos``
    heads : int array (n + 1,), optional
        The tree; the sentence's own by default. -1 draws no arc.
    deprels : sequence of str (n + 1,), optional
        Relations; by default the sentence's own where ``heads`` agrees with it, and ``root`` on the root.
    kind : str
        ``"gold"`` (blue) or ``"predicted"`` (orange).
    posteriors : float array (n + 1, n + 1), optional
        ``posteriors[h, m]``, probability of every arc.
    candidates : float, optional
        Draw the other arcs, too, whose posterior is at least this; dotted.
    supported : iterable of (head, modifier), or bool array (n + 1, n + 1)
        Arcs that a constraint speaks for; green.
    tags : sequence of str (n + 1,), optional
        Under the words; the filled one of XPOS and UPOS by default, UPOS if both.
    spans : iterable of Span
    name : str, optional
        Title and file name; the sentence's ``sent_id`` by default.

    Returns
    -------
    Drawing

    Raises
    ------
    WorkbenchError : heads or posteriors of another length than the sentence; no such arc.
    """
    size = len(sentence.forms)
    tree = _checked_heads(sentence.heads if heads is None else heads, size, "heads")
    posteriors = _checked_square(posteriors, size)
    labels = _labels(sentence, tree) if deprels is None else tuple(deprels)
    green = _pairs(supported)
    arcs = [
        Arc(
            int(tree[m]),
            m,
            labels[m],
            kind="supported" if (tree[m], m) in green else kind,
            posterior=None if posteriors is None else float(posteriors[tree[m], m]),
        )
        for m in range(1, size)
        if tree[m] >= 0
    ]
    if posteriors is not None and candidates is not None:
        arcs += _candidate_arcs(tree, posteriors, candidates)
    return _drawing(sentence, arcs, tags, name, spans=spans, above=kind)


def compare_trees(
    sentence: Any, predicted: np.ndarray, gold: np.ndarray | None = None, *,
    predicted_deprels: Sequence[str] | None = None, deprels: Sequence[str] | None = None,
    posteriors: np.ndarray | None = None, overlay: bool = False, thick: bool = False,
    names: Sequence[str] = ("gold", "predicted"), tags: Sequence[str] | None = None, name: str | None = None,
) -> Drawing:  # fmt: skip
    """Two analyses of a sentence: gold above the words, predicted below, dashed where their heads differ.

    Parameters are those of ``draw_tree``; ``gold`` is the sentence's own tree by default. ``names`` is what the
    two are called in legend and table, for comparisons of two parsers. With ``overlay`` all arcs stand above the
    words, and an arc that both have is drawn once, in neutral ink. With ``thick`` such arcs are drawn thick, and arcs
    of which the two differ are dashed in both.
    """
    size = len(sentence.forms)
    gold = _checked_heads(sentence.heads if gold is None else gold, size, "gold")
    predicted = _checked_heads(predicted, size, "predicted")
    posteriors = _checked_square(posteriors, size)
    gold_labels = _labels(sentence, gold) if deprels is None else tuple(deprels)
    labels = _labels(sentence, predicted) if predicted_deprels is None else tuple(predicted_deprels)
    arcs = []
    for m in range(1, size):
        differs = gold[m] != predicted[m] and min(gold[m], predicted[m]) >= 0
        both = overlay and gold[m] == predicted[m]
        agrees = bool(thick and gold[m] == predicted[m])
        if gold[m] >= 0:
            kind = "plain" if both else "gold"
            arcs.append(Arc(int(gold[m]), m, gold_labels[m], kind, disagrees=bool(thick and differs), agrees=agrees))
        if predicted[m] >= 0 and not both:
            posterior = None if posteriors is None else float(posteriors[predicted[m], m])
            arcs.append(
                Arc(
                    int(predicted[m]),
                    m,
                    labels[m],
                    "predicted",
                    posterior,
                    below=not overlay,
                    disagrees=bool(differs),
                    agrees=agrees,
                )
            )
    above, below = (" and ".join(names), "") if overlay else names
    return _drawing(sentence, arcs, tags, name, above=above, below=below)


def show_change(
    sentence: Any, before: np.ndarray, after: np.ndarray, *, deprels: Sequence[str] | None = None,
    posteriors: np.ndarray | None = None, supported: Iterable = (), show_former: bool = False,
    tags: Sequence[str] | None = None, name: str | None = None,
) -> Drawing:  # fmt: skip
    """A tree after a change: arcs that moved are vermilion and dashed, and say where they came from.

    Parameters are those of ``draw_tree``; ``before`` and ``after`` are heads (n + 1,). ``show_former`` also draws the
    arcs that were there before, dotted and grey.
    """
    size = len(sentence.forms)
    before = _checked_heads(before, size, "before")
    after = _checked_heads(after, size, "after")
    posteriors = _checked_square(posteriors, size)
    labels = _labels(sentence, after) if deprels is None else tuple(deprels)
    green = _pairs(supported)
    arcs, former = [], []
    for m in range(1, size):
        moved = before[m] != after[m]
        if after[m] >= 0:
            kind = "changed" if moved else "supported" if (after[m], m) in green else "predicted"
            posterior = None if posteriors is None else float(posteriors[after[m], m])
            note = f"before: {_head_name(sentence, before[m])}" if moved else ""
            arcs.append(Arc(int(after[m]), m, labels[m], kind, posterior, note))
        if moved and before[m] >= 0 and show_former:
            former.append(Arc(int(before[m]), m, kind="former"))
    return _drawing(sentence, arcs + former, tags, name, above="after")


def drawing_of(sentence: Any, heads: np.ndarray | None, other: Any, theme: str, **how: Any) -> Drawing:
    """The Drawing that ``tree_svg`` and ``tree_tikz`` write: of a sentence's tree, of two trees, or as it is given."""
    if theme not in PALETTES:
        raise WorkbenchError(f"unknown theme {theme!r}; use one of {', '.join(PALETTES)}")
    if isinstance(sentence, Drawing):
        return sentence
    return draw_tree(sentence, heads, **how) if other is None else compare_trees(sentence, other, heads, **how)


def _drawing(sentence, arcs, tags, name, **rest):
    if tags is None:
        tags = sentence.upos if any(sentence.upos) else sentence.xpos
    title = name if name is not None else (getattr(sentence, "sent_id", None) or "")
    rest["spans"] = tuple(rest.get("spans", ()))
    return Drawing(words=tuple(sentence.forms), tags=tuple(tags), arcs=tuple(arcs), name=title, **rest)


def _labels(sentence, heads):
    """The sentence's own relations where the heads agree with it; ``root`` is known without it."""
    own = sentence.heads
    return tuple(
        "" if m == 0 else sentence.deprels[m] if own[m] == head else "root" if head == 0 else ""
        for m, head in enumerate(heads)
    )


def _candidate_arcs(tree, posteriors, threshold):
    heads, modifiers = np.nonzero(posteriors >= threshold)
    return [
        Arc(int(head), int(modifier), kind="candidate", posterior=float(posteriors[head, modifier]))
        for head, modifier in zip(heads, modifiers, strict=True)
        if modifier != 0 and head != modifier and tree[modifier] != head
    ]


def _pairs(supported):
    if isinstance(supported, np.ndarray) and supported.dtype == bool:
        return {(int(head), int(modifier)) for head, modifier in zip(*np.nonzero(supported), strict=True)}
    return {(int(head), int(modifier)) for head, modifier in supported}


def _head_name(sentence, head):
    return "no head" if head < 0 else "root" if head == 0 else f"{int(head)} {isolated(sentence.forms[head])}"


def _checked_heads(heads, size, name):
    heads = np.asarray(heads)
    if heads.shape != (size,):
        raise WorkbenchError(
            f"{name} must have shape ({size},), one entry a word and the root's first, got {heads.shape}"
        )
    return heads


def _checked_square(posteriors, size):
    if posteriors is None:
        return None
    posteriors = np.asarray(posteriors)
    if posteriors.shape != (size, size):
        raise WorkbenchError(f"posteriors must have shape ({size}, {size}), [head, modifier], got {posteriors.shape}")
    return posteriors
