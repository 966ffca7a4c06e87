"""The best trees of a graph-based parser among those that respect brackets, sentence by sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.parsers.mst.decoding import best_trees
from core.parsers.mst.model import LONGEST, MSTModel
from core.treebank import Treebank
from core.trees import PackedHeads
from core.trees.bracket_search import best_bracketed
from core.trees.brackets import Bracket, PackedBrackets
from core.trees.respecting import arc_decoder, respecting_trees


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
    heads, levels, changed : ndarray
        As ``respecting_trees`` returns them.

    Raises
    ------
    WorkbenchError : other tags; another number of entries; a bracket that ends after its sentence.

    Notes
    -----
    Exact. Where the best tree of all respects the brackets nothing more is done. First-order projective models then
    search one chart (``bracketed_eisner``), others by ``best_bracketed``. Where that takes more than 2,000 decodings,
    non-projective models take the best tree without crossing arcs, and a level counts as without a tree in others.
    Sentences of more than 200 words are decoded by their arcs alone.
    """
    heads, _ = best_trees(model, treebank, None, threads)
    fields = model.fields(treebank)

    def decoder_of(sentence):
        return _decoder(model, treebank.offsets[sentence : sentence + 2], fields, sentence)

    packed = PackedBrackets.from_lists(list(brackets))
    return respecting_trees(PackedHeads(heads, treebank.offsets), packed, level, decoder_of, threads)


def _decoder(model, rows, fields, sentence):
    """A function from (brackets, level) to the heads of the best tree of one sentence."""
    if model.projective and rows[1] - rows[0] - 1 > LONGEST:
        model = replace(model, order=1)
    scores = model.score(rows, fields, None, sentence, threads=1)
    if model.order == 1 or not model.projective:
        return arc_decoder(scores.arcs[0], crossing=not model.projective)
    decode = scores.decoder()
    return lambda brackets, level: best_bracketed(decode, scores.arcs[0], list(brackets), level)
