"""Trees that respect brackets, for a corpus that has been decoded without looking at them.

Only sentences whose tree breaks a bracket are decoded again. Where a sentence has no tree at the level asked for, the
next softer one applies (spitkovsky2010, section 5.3).

n is the number of words and node 0 is the root, so scores have shape (n + 1, n + 1) and are indexed [head, modifier].
"""

from collections.abc import Callable, Sequence

import numpy as np

from core.errors import InfeasibleError, WorkbenchError
from core.threads import run_ranges
from core.trees.bracket_charts import bracketed_eisner
from core.trees.bracket_search import best_bracketed
from core.trees.brackets import LEVELS, NONE, Bracket, PackedBrackets, hardest_levels, level_number
from core.trees.maximum_spanning_tree import maximum_spanning_tree
from core.trees.packed import PackedHeads

BracketedDecoder = Callable[[Sequence[Bracket], str], np.ndarray]  # (brackets, level) -> heads (n + 1,) of a sentence


def respecting_trees(
    heads: PackedHeads, brackets: PackedBrackets, level: str, decoder_of: Callable[[int], BracketedDecoder],
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """The trees of a corpus, with others in place of those that break a bracket.

    Parameters
    ----------
    heads : PackedHeads
        The best tree of each sentence, brackets not looked at.
    brackets : PackedBrackets
    level : {"none", "tear", "sprawl", "loose", "strict"}
        A sentence without a tree at this level is held at the next softer one, and so on; at "none" its tree stays.
    decoder_of : callable
        Takes a sentence's number; returns a function of (brackets, level) that gives the heads of its best tree.
        That raises WorkbenchError where there is no tree.
    threads : int, optional

    Returns
    -------
    heads : ndarray of shape (rows,), dtype int32
    levels : ndarray of shape (S,), dtype int8
        The level at which the brackets of each sentence hold, as numbered in ``LEVELS``; 0 for sentences without any.
    changed : ndarray of shape (C,), dtype int64
        Sentences whose best tree of all breaks a bracket.

    Raises
    ------
    WorkbenchError : an unknown level, a bracket that ends after its sentence, a word without a head.
    """
    number, values = level_number(level), heads.values.copy()
    owners = np.repeat(np.arange(len(heads)), np.diff(brackets.offsets))
    levels = np.zeros(len(heads), np.int8)
    levels[owners] = number
    changed = np.unique(owners[hardest_levels(heads, brackets) < number])

    def work(begin, end):
        for i in changed[begin:end].tolist():
            decode = decoder_of(i)
            levels[i] = NONE
            for softer in range(number, NONE, -1):
                try:
                    tree = decode(brackets.of_sentence(i), LEVELS[softer])
                except WorkbenchError:  # no tree, or a search without an end
                    continue
                levels[i], values[heads.offsets[i] : heads.offsets[i + 1]] = softer, tree
                break

    run_ranges(work, np.diff(heads.offsets)[changed] ** 3.0, threads)
    return values, levels, changed


def arc_decoder(scores: np.ndarray, crossing: bool = False, single_root: bool = True) -> BracketedDecoder:
    """The decoder of one sentence for ``respecting_trees`` by arc scores, (n + 1, n + 1) float64.

    With ``crossing`` arcs, where a search takes too many decodings, the best tree without them is taken.
    """

    def projective(brackets, level):
        return bracketed_eisner(scores, brackets, level, single_root, threads=1)

    def by_arcs(allowed):
        tree = maximum_spanning_tree(allowed, single_root, errors="mark")
        modifiers = np.arange(1, len(tree))
        return (allowed[tree[1:], modifiers].sum() if tree[1] >= 0 else -np.inf), tree

    def any_tree(brackets, level):
        try:
            return best_bracketed(by_arcs, scores, list(brackets), level)
        except InfeasibleError:
            raise
        except WorkbenchError:
            return projective(brackets, level)

    return any_tree if crossing else projective


def nearest_respecting(
    heads: PackedHeads, brackets: PackedBrackets, level: str, free: np.ndarray | None = None
) -> np.ndarray:  # fmt: skip
    """int32 (rows,): trees without crossing arcs that respect brackets and share as many arcs as can be with others.

    Parameters
    ----------
    heads : PackedHeads
    brackets : PackedBrackets
    level : {"none", "tear", "sprawl", "loose", "strict"}
        As for ``respecting_trees``.
    free : ndarray of shape (rows,), dtype bool, optional
        The words whose head may be another; all by default.

    Notes
    -----
    O(n^3) for each sentence that breaks a bracket.
    """

    def decoder_of(sentence):
        tree = heads[sentence]
        modifiers = np.arange(1, len(tree))
        scores = np.zeros((len(tree), len(tree)))
        if free is not None:
            scores[:, ~free[heads.offsets[sentence] : heads.offsets[sentence + 1]]] = -np.inf
        scores[tree[1:], modifiers] = 1.0
        return arc_decoder(scores, single_root=int((tree[1:] == 0).sum()) == 1)

    return respecting_trees(heads, brackets, level, decoder_of)[0]
