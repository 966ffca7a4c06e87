"""The best trees of a graph-based parser among those that respect brackets, sentence by sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.parsers.mst.decoding import best_trees
from core.parsers.mst.model import LONGEST, MSTModel
from core.threads import run_ranges
from core.treebank import Treebank
from core.trees import PackedHeads, PackedScores, bracketed_eisner, hardest_levels, maximum_spanning_tree
from core.trees.bracket_search import best_bracketed
from core.trees.brackets import LEVELS, NONE, Bracket, PackedBrackets, level_number


@dataclass(frozen=True, eq=False)
class BracketedParse:
    """A text parsed under its brackets.

    Attributes
    ----------
    treebank : Treebank
    levels : ndarray of shape (S,), dtype int8
        The level at which the brackets of each sentence hold, as numbered in ``LEVELS``; 0 for sentences without any.
    changed : int
        How many sentences have another tree than without brackets.
    fallbacks : dict of str to int
        How many sentences with brackets hold at which level, from the one asked for down.
    """

    treebank: Treebank
    levels: np.ndarray
    changed: int
    fallbacks: dict


def bracketed_trees(
    model: MSTModel, treebank: Treebank, brackets: Sequence[Sequence[Bracket]], level: str = "loose",
    threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """The best trees of a text that satisfy its brackets.

    Parameters
    ----------
    model : MSTModel
        Of any order.
    treebank : Treebank
        Its trees are not looked at.
    brackets : list of lists of Bracket
        One entry a sentence.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        A sentence without a tree at this level is held at the next softer one, and so on.
    threads : int, optional

    Returns
    -------
    heads : ndarray of shape (rows,), dtype int32
    levels : ndarray of shape (S,), dtype int8
        The level at which the brackets of each sentence hold, as numbered in ``LEVELS``; 0 for sentences without any.
    changed : ndarray of shape (C,), dtype int64
        Sentences whose best tree of all breaks a bracket, so that they have another one.

    Raises
    ------
    WorkbenchError : other tags; another number of entries; a bracket that ends after its sentence.

    Notes
    -----
    Exact. Where the best tree of all respects the brackets nothing more is done. First-order projective models then
    search one chart (``bracketed_eisner``), others by ``best_bracketed``, a level that takes that more than 2,000
    decodings counting as one without a tree. Sentences of more than 200 words are decoded by their arcs alone.
    """
    number, packed = level_number(level), PackedBrackets.from_lists(list(brackets))
    heads, _ = best_trees(model, treebank, None, threads)
    hardest = hardest_levels(PackedHeads(heads, treebank.offsets), packed)
    owners = np.repeat(np.arange(len(treebank)), np.diff(packed.offsets))
    levels = np.zeros(len(treebank), np.int8)
    levels[owners] = number
    changed = np.unique(owners[hardest < number])
    fields = model.fields(treebank)

    def work(begin, end):
        for i in changed[begin:end].tolist():
            rows = treebank.offsets[i : i + 2]
            best = _best(_decoder(model, rows, fields, i), packed.of_sentence(i), number)
            levels[i], heads[rows[0] : rows[1]] = best

    run_ranges(work, (treebank.lengths[changed] + 1.0) ** 3, threads)
    return heads, levels, changed


def _best(decode, brackets, number):
    """(level, heads) of the best tree at the hardest level up to ``number`` that has one."""
    for softer in range(number, NONE, -1):
        try:
            return softer, decode(brackets, LEVELS[softer])
        except WorkbenchError:  # no tree, or a search without an end
            continue
    return NONE, decode([], "none")


def _decoder(model, rows, fields, sentence):
    """A function from (brackets, level) to the heads of the best tree of one sentence."""
    if model.projective and rows[1] - rows[0] - 1 > LONGEST:
        model = replace(model, order=1)
    scores = model.score(rows, fields, None, sentence, threads=1)
    if model.projective and model.order == 1:
        return lambda brackets, level: bracketed_eisner(scores.arcs[0], brackets, level, threads=1)
    modifiers = np.arange(1, rows[1] - rows[0])

    def by_arcs(allowed):
        heads = maximum_spanning_tree(allowed, errors="mark")
        return (allowed[heads[1:], modifiers].sum() if heads[1] >= 0 else -np.inf), heads

    def by_parts(allowed):
        tree = replace(scores, arcs=PackedScores.from_matrices([allowed])).kbest(1, threads=1, errors="mark")
        return tree.values[0, 0], tree.heads

    decode = by_parts if model.projective else by_arcs
    return lambda brackets, level: best_bracketed(decode, scores.arcs[0], brackets, level)
