"""How joint parsers are judged: the paper's four measures, and which sentences gain or lose (its Tables 1 and 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.evaluation import sign_test
from core.treebank import Treebank

SHORT = 40  # words of a sentence that the paper scores apart


@dataclass(frozen=True)
class JointScores:
    """Numbers of words and sentences that are right, and of all; punctuation is left out unless asked for.

    Attributes
    ----------
    right, words : int
        Words with the right head.
    inner_right, inner : int
        The same among words whose gold head is not the root (Hall et al. 2006).
    roots_right, roots : int
        Sentences whose root word is right, of those with one gold root.
    complete, sentences : int
        Sentences with every scored head right.
    uas, da, ra, cm : float or None
        Percentages of these, in this order; None where there is nothing to score.
    """

    right: int
    words: int
    inner_right: int
    inner: int
    roots_right: int
    roots: int
    complete: int
    sentences: int

    uas = property(lambda self: _percent(self.right, self.words))
    da = property(lambda self: _percent(self.inner_right, self.inner))
    ra = property(lambda self: _percent(self.roots_right, self.roots))
    cm = property(lambda self: _percent(self.complete, self.sentences))

    def as_dict(self) -> dict:
        """Plain numbers for JSON: percentages first."""
        return {name: getattr(self, name) for name in ("uas", "da", "ra", "cm")} | vars(self)


def joint_scores(
    gold: Treebank, heads: np.ndarray, *, longest: int | None = None, punctuation: bool = False
) -> JointScores:
    """Score heads (rows,) against gold trees.

    Parameters
    ----------
    gold : Treebank
    heads : ndarray of shape (rows,), dtype int32
        -1 counts as wrong.
    longest : int, optional
        Score only sentences of at most so many words; the paper shows 40 and all.
    punctuation : bool, default=False
        Whether punctuation words are scored.

    Raises
    ------
    WorkbenchError : other rows than the gold text has.
    """
    heads = _checked(gold, heads)
    scored = _scored(gold, punctuation)
    if longest is not None:
        scored &= np.repeat(gold.lengths <= longest, gold.lengths + 1)
    right = scored & (heads == gold.heads)
    inner = scored & (gold.heads > 0)
    starts = gold.offsets[:-1]
    words, hits = _sums(scored, starts), _sums(right, starts)
    roots, predicted = gold.heads == 0, heads == 0
    single = (_sums(roots, starts) == 1) & (words > 0)
    same_root = single & (_sums(roots & predicted, starts) == 1) & (_sums(predicted, starts) == 1)
    counts = (
        right.sum(),
        scored.sum(),
        (right & inner).sum(),
        inner.sum(),
        same_root.sum(),
        single.sum(),
        ((words > 0) & (words == hits)).sum(),
        (words > 0).sum(),
    )
    return JointScores(*map(int, counts))


@dataclass(frozen=True, eq=False)
class Effect:
    """Sentences that a second set of trees does better or worse on than a first (Table 4), and the words behind it.

    Attributes
    ----------
    helped, hurt : int arrays
        Indices of sentences with more, or fewer, right heads.
    words_helped, words_hurt : int
    p_value : float
        Two-sided exact sign test over words.
    """

    helped: np.ndarray
    hurt: np.ndarray
    words_helped: int
    words_hurt: int
    p_value: float

    def as_dict(self) -> dict:
        """Plain numbers for JSON."""
        return {
            "helped": len(self.helped),
            "hurt": len(self.hurt),
            "words_helped": self.words_helped,
            "words_hurt": self.words_hurt,
            "p_value": self.p_value,
        }


def effect(gold: Treebank, before: np.ndarray, after: np.ndarray, *, punctuation: bool = False) -> Effect:
    """Compare two sets of heads (rows,) of a text with gold trees: an Effect."""
    before, after = _checked(gold, before), _checked(gold, after)
    scored, starts = _scored(gold, punctuation), gold.offsets[:-1]
    gain = _sums(scored & (after == gold.heads), starts) - _sums(scored & (before == gold.heads), starts)
    test = sign_test(gold, gold.with_heads(before), gold.with_heads(after), punctuation=punctuation)
    return Effect(np.flatnonzero(gain > 0), np.flatnonzero(gain < 0), test.only_second, test.only_first, test.p_value)


def same_heads(trees: Sequence[np.ndarray]) -> np.ndarray:
    """bool (rows,): words that have one head in all of several trees, heads (rows,)."""
    first, *others = trees
    return np.logical_and.reduce([first >= 0, *(first == other for other in others)])


def segmentation(one: Treebank, other: Treebank) -> dict:
    """The agreement of two texts' segmentations of the same writing, as far as it can be told.

    Returns
    -------
    dict
        ``same_sentences``: sentences of ``one`` that stand in ``other`` with the same words; ``recut``: with the same
        letters but other words; ``recut_examples``: up to five of these, as pairs of strings; ``unknown_words``:
        percentage of the words of ``one`` that ``other`` never uses; ``cut_words``: percentage that ``other`` never
        uses but that are two of its words written together.
    """
    there = {}
    for sentence in other:
        there.setdefault("".join(sentence.forms[1:]), set()).add(sentence.forms[1:])
    same, recut = 0, []
    for sentence in one:
        cuts = there.get("".join(sentence.forms[1:]), ())
        if sentence.forms[1:] in cuts:
            same += 1
        elif cuts:
            recut.append((" ".join(sentence.forms[1:]), " ".join(min(cuts))))
    words = set(other.form.values[value] for value in np.unique(other.form.ids).tolist())
    kinds = [value not in words for value in one.form.values]
    cut = [
        new and any(value[:at] in words and value[at:] in words for at in range(1, len(value)))
        for value, new in zip(one.form.values, kinds, strict=True)
    ]
    inside = one.is_word
    ids = one.form.ids[inside]
    return {
        "same_sentences": same,
        "recut": len(recut),
        "recut_examples": recut[:5],
        "unknown_words": _percent(np.array(kinds)[ids].sum(), len(ids)),
        "cut_words": _percent(np.array(cut)[ids].sum(), len(ids)),
    }


def _checked(gold, heads):
    heads = np.asarray(heads)
    if heads.shape != gold.heads.shape:
        raise WorkbenchError(
            f"the trees have {len(heads)} rows and the gold text {len(gold.heads)}; give the same text"
        )
    return heads


def _scored(gold, punctuation):
    return gold.heads >= 0 if punctuation else (gold.heads >= 0) & ~gold.punctuation()


def _sums(mask, starts):
    return np.add.reduceat(mask.astype(np.int64), starts) if len(starts) else np.zeros(0, np.int64)


def _percent(part, whole):
    return 100.0 * float(part) / float(whole) if whole else None
