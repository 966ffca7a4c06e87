"""Trees of whole texts, a few sentences at a time: third-order arrays grow with the cube of a sentence."""

from dataclasses import replace

import numpy as np

from core.callbacks import Cancel
from core.errors import Cancelled
from core.features.packed import arc_offsets_of
from core.offsets import offsets_of
from core.parsers.constrained_completion import contradicting_arcs
from core.parsers.mst.model import HEADS, LONGEST, ExtraOf, MSTModel
from core.threads import batches, run_ranges
from core.treebank import Treebank
from core.trees import PackedTrees

NUMBERS_AT_ONCE = 1 << 18  # score numbers that a thread holds: about what stays in its core's cache


def best_trees(
    model: MSTModel, treebank: Treebank, extra: ExtraOf | None = None, threads: int | None = None,
    cancel: Cancel | None = None,
) -> tuple[np.ndarray, np.ndarray | None]:  # fmt: skip
    """(heads int32 (rows,), numbers of relations int16 (rows,) or None) of the best trees of a text.

    Relations are None where the model chooses none, "joint" or after. Raises Cancelled where ``cancel()`` says so.
    """
    rows, heads = treebank.offsets, np.empty(len(treebank.heads), np.int32)
    joint = np.empty(len(heads), np.int16) if model.joint else None

    def decode(begin, end, scores):
        if cancel is not None and cancel():
            raise Cancelled
        places = slice(rows[begin], rows[end])
        heads[places] = scores.decode(threads=1).values
        if joint is not None:
            joint[places] = scores.chosen_labels(heads[places])

    fields = _each_few(model, treebank, extra, threads, decode)
    if model.relations and not model.joint:
        return heads, model.label(treebank, fields, heads, threads)
    return heads, joint


def completed_trees(
    model: MSTModel, treebank: Treebank, extra: ExtraOf | None = None, threads: int | None = None
) -> np.ndarray:
    """int32 (rows,): heads of the best trees that have a text's own arcs; -1 in sentences that have none."""
    rows, heads = treebank.offsets, np.full(len(treebank.heads), -1, np.int32)
    arcs = arc_offsets_of(treebank.lengths)
    rivals = contradicting_arcs(treebank.heads, treebank.lengths + 1, arcs)

    def decode(begin, end, scores):
        scores.arcs.values[rivals[arcs[begin] : arcs[end]]] = -np.inf
        heads[rows[begin] : rows[end]] = scores.decode(threads=1, errors="mark").values

    _each_few(model, treebank, extra, threads, decode)
    return heads


def kbest_trees(
    model: MSTModel, treebank: Treebank, k: int, extra: ExtraOf | None = None, threads: int | None = None,
    errors: str = "raise", around: bool = False,
) -> PackedTrees:  # fmt: skip
    """The k best projective trees of each sentence of a text: PackedTrees; ``errors`` as ``eisner_kbest`` has it.

    ``around`` asks for those that have the text's own arcs. Sentences of more than 200 words are decoded by their arcs
    alone.
    """
    offsets = offsets_of((treebank.lengths + 1) * k)
    count = len(treebank)
    trees = PackedTrees(
        np.full(offsets[-1], -1, np.int32), offsets, np.full((count, k), -np.inf), np.zeros(count, np.int64)
    )

    arcs = arc_offsets_of(treebank.lengths)
    rivals = contradicting_arcs(treebank.heads, treebank.lengths + 1, arcs) if around else None

    def search(begin, end, scores):
        if rivals is not None:
            scores.arcs.values[rivals[arcs[begin] : arcs[end]]] = -np.inf
        best = scores.kbest(k, threads=1, errors=errors)
        trees.heads[offsets[begin] : offsets[end]] = best.heads
        trees.values[begin:end], trees.counts[begin:end] = best.values, best.counts

    _each_few(model, treebank, extra, threads, search, arcs_alone=True)
    return trees


def _each_few(model, treebank, extra, threads, function, arcs_alone=False):
    """Call ``function(begin, end, scores)`` for runs of sentences, in threads; returns the text's fields.

    Third-order scores of sentences of more than LONGEST words are over surviving arcs, or left out.
    """
    extra, fields = model.checked_extra(extra, treebank), model.fields(treebank)
    sizes = (treebank.lengths + 1) ** min(model.order + 1, 3)

    def work(begin, end):
        for first, last in batches(sizes[begin:end], NUMBERS_AT_ONCE, begin):
            rows = treebank.offsets[first : last + 1]
            is_long = model.order > 1 and treebank.lengths[first] > LONGEST
            if is_long and arcs_alone:
                scores = replace(model, order=1).score(rows, fields, extra, first, threads=1)
            elif is_long:
                scores = model.score_pruned(rows, fields, extra, first, heads=HEADS)  # a run of its own
            else:
                scores = model.score(rows, fields, extra, first, threads=1)
            function(first, last, scores)

    run_ranges(work, sizes, threads)
    return fields
