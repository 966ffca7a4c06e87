"""The gradient of training on one sentence, exactly and as druck2009 approximates it, for a page to compare."""

from collections.abc import Callable, Sequence

import numpy as np

from core.constraints import ConstraintDocument
from core.constraints.approximation import CovarianceComparison, compare_covariances
from core.constraints.attribution import shares
from core.errors import WorkbenchError
from core.workspace.constraints.text import Text, TextOutcome
from core.workspace.wording import amount

LONGEST = 60  # words: the pairwise method takes O(n^5)


def gradient_comparison(
    text: Text, outcome: TextOutcome, constraint_text: str, sentence: int, line: int | None = None,
    scores: Callable[[], np.ndarray] | None = None,
) -> CovarianceComparison:  # fmt: skip
    """The gradient on a sentence of a Text under the model of an Outcome.

    Parameters
    ----------
    constraint_text : str
        The set whose gradient it is.
    line : int, optional
        Only what the constraint of this line contributes, by default all.
    scores : callable, optional
        The model's arc scores of the sentence, in nats: float64 (n + 1, n + 1); by default all 0, as untrained.

    Raises
    ------
    WorkbenchError : too long a sentence; no constraint matches anything, or the line does not.

    Notes
    -----
    O(n^5); over all trees with one root word, crossing arcs or not, as in the paper. For a trained model the text's
    features are looked up, which takes seconds the first time.
    """
    number = int(text.treebank.picks[sentence]) + 1
    if text.treebank.lengths[sentence] > LONGEST:
        raise WorkbenchError(
            f"sentence {number} has {text.treebank.lengths[sentence]} words; the pairwise method takes too long "
            f"beyond {LONGEST}, so choose a shorter sentence"
        )
    slopes, matches = _slopes(text, outcome, constraint_text)
    if line is not None:
        chosen = np.array([constraint.line == line for constraint in matches.constraints])
        slopes = np.where(chosen, slopes, 0.0)
    direction = _direction(matches, slopes, sentence)
    if not direction.any():
        who = "no line matches" if line is None else f"line {line} does not match"
        raise WorkbenchError(
            f"in sentence {number} {who} a pair of words that has still to move, so there is no gradient to compare; "
            "open another sentence"
        )
    return compare_covariances(np.zeros(direction.shape) if scores is None else np.array(scores()), direction)


def _slopes(text, outcome, constraint_text):
    """What the objective, to be maximised, gains by each share: float64 (C,), and the Matches."""
    constraints = ConstraintDocument.from_text(constraint_text).constraints
    usable = [each.constraint for each in text.matcher.counts(constraints) if each.pairs]
    if not usable:
        raise WorkbenchError("no constraint matches any words of this text; write one that does")
    matches = text.matcher.match(usable)
    found = shares(matches, outcome.marginals)
    low, high, weight = (np.array([getattr(each, name) for each in usable]) for name in ("low", "high", "weight"))
    return 2 * weight * (np.clip(found, low, high) - found) / matches.denominators, matches


def _direction(matches, slopes, sentence):
    """float64 (n + 1, n + 1) of one sentence."""
    begin, end = matches.arc_offsets[sentence], matches.arc_offsets[sentence + 1]
    direction = np.zeros(end - begin)
    for c, slope in enumerate(slopes):
        arcs = matches.of(c)
        first, last = np.searchsorted(arcs, (begin, end))
        direction[arcs[first:last] - begin] += slope
    side = round(float(end - begin) ** 0.5)
    return direction.reshape(side, side)


def gradient_table(comparison: CovarianceComparison, names: Sequence[str], most: int = 200) -> dict[str, list]:
    """Columns of a table over the ``most`` arcs with the largest errors: modifier, head, exact, approximate, error,
    and whether it goes the wrong way. ``names`` are the words', the root's first."""
    heads, modifiers = (each[:most] for each in comparison.ranked())
    wrong, unmoved = comparison.wrong_way[heads, modifiers], comparison.unmoved[heads, modifiers]
    return {
        "word": [names[m] for m in modifiers.tolist()],
        "head": [names[h] for h in heads.tolist()],
        "exact": comparison.exact[heads, modifiers].tolist(),
        "approximate": comparison.approximate[heads, modifiers].tolist(),
        "error": comparison.difference[heads, modifiers].tolist(),
        "sign": [
            "wrong way" if way else "not moved" if still else "" for way, still in zip(wrong, unmoved, strict=True)
        ],
    }


def gradient_verdict(comparison: CovarianceComparison, names: Sequence[str]) -> str:
    """The comparison in two sentences."""
    head, modifier = comparison.worst
    wrong, unmoved = int(comparison.wrong_way.sum()), int(comparison.unmoved.sum())
    sentences = (
        f"The approximation is off by up to {comparison.largest_error:.0%} of the largest exact gradient, at the arc "
        f"from {names[head]} to {names[modifier]}. Of {amount(comparison.arcs, 'arc')} it moves {wrong} "
        f"({wrong / comparison.arcs:.0%}) the wrong way, and leaves {unmoved} ({unmoved / comparison.arcs:.0%}) in "
        "place that the exact gradient moves."
    )
    if comparison.cosine is not None:
        sentences += f" The cosine of the two gradients is {comparison.cosine:.2f}."
    return sentences
