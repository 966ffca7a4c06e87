"""Which trees were sought among likely arcs alone, as a reader of the result should know."""

import numpy as np

from core.parsers.mst.model import HEADS
from core.parsers.protocols import Parser, Pruner
from core.treebank import Treebank


def is_pruned(parser: Parser, treebank: Treebank) -> np.ndarray:
    """bool (S,): the sentences whose trees a parser seeks among their likeliest arcs alone."""
    longest = parser.searched_whole if isinstance(parser, Pruner) else None
    return np.zeros(len(treebank), bool) if longest is None else treebank.lengths > longest


def pruning_note(parser: Parser, treebank: Treebank) -> str:
    """A clause on these sentences, and on the longest of them; "" if there are none."""
    if not (count := int(is_pruned(parser, treebank).sum())):
        return ""
    index = int(treebank.lengths.argmax())
    longest = f"sentence {treebank[index].sent_id or index + 1} has {int(treebank.lengths[index]):,} words"
    others = f", and {count - 1:,} more sentences are so long" if count > 2 else ", and 1 more is so long" * (count - 1)
    return f"{longest}{others}: only the {HEADS} likeliest heads of each word, on average, were considered"
