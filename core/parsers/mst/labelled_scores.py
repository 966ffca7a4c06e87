"""The scores of a graph-based parser's labelled trees, relation by relation."""

from dataclasses import replace

import numpy as np

from core.errors import WorkbenchError
from core.parsers.mst import label_kernels
from core.parsers.mst.model import LONGEST, MSTModel
from core.parsers.scores import Decode, ScoredWords
from core.treebank import Treebank
from core.treebank.relations import base

ROOT = "root"


def scored_words(model: MSTModel, parsed: Treebank) -> ScoredWords:
    """The ScoredWords of a text under the parser's own trees.

    Where relations are chosen in the finished tree, each is scored in its place among the other arcs of one. The root's
    relation is the root's alone, unless it is the best of another arc. Sentences of more than 200 words are decoded by
    their arcs alone. Raises WorkbenchError for a parser without relations, or
    with features of the caller's own.
    """
    if not model.relations:
        raise WorkbenchError("this parser has learnt no relations; train it on trees that have some")
    model.checked_extra(None, parsed)
    fields, names = model.fields(parsed), model.relations
    roots = np.array([base(name) == ROOT for name in names])

    def arcs(sentence: int) -> tuple[np.ndarray, Decode]:
        rows = parsed.offsets[sentence : sentence + 2]
        long = model.projective and rows[1] - rows[0] - 1 > LONGEST
        own = (replace(model, order=1) if long else model).score(rows, fields, None, sentence, threads=1)
        return own.arcs[0], own.decoder()

    def labels(sentence: int, heads: np.ndarray, every: bool = True) -> np.ndarray:
        words = fields[slice(*parsed.offsets[sentence : sentence + 2])]
        values = np.full((len(words), len(words), len(names)), -np.inf, np.float32)
        tree = np.array(heads, np.int64)
        label_kernels.score_relations(words, fields[-1], model.label_table, tree, every, values)
        usual = roots[values.argmax(axis=2)] == (np.arange(len(words)) == 0)[:, None]  # arcs whose best relation is so
        values[usual[:, :, None] & (roots != (np.arange(len(words)) == 0)[:, None, None])] = -np.inf
        return values.astype(np.float64)

    return ScoredWords(parsed, names, arcs, labels, lambda heads, relations: parsed.with_heads(heads, relations))
