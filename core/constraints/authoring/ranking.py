"""Proposed lines in the order of what a model's trees say of them.

``core.constraints.authoring.proposals`` estimates word by word what a line would prevent, which overrates lines whose
words share their heads. Here the sentences whose trees are known are parsed by the nearest model that has the line
(``core.constraints.authoring.preview``), and right heads are counted before and after. Lines are chosen one after the
other, each in the model that has those chosen before it, so that what one brings the next cannot bring again. A line's
count seldom rises as others are chosen; only that which leads is counted anew, as in lazy greedy search (Minoux 1978).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.constraints.authoring.preview import ArcModel, Preview, ReweightedModel, preview
from core.constraints.authoring.proposals import Proposal
from core.constraints.matching.matcher import Matcher
from core.treebank import Treebank
from core.trees.packed import PackedScores

RANKED = 8  # proposals whose trees are looked at


def rank(
    proposals: Sequence[Proposal], model: ArcModel, matcher: Matcher, known: np.ndarray, count: int = RANKED
) -> list[Proposal]:
    """Proposals, the first ``count`` of them in the order of what the model's trees gain by each.

    Parameters
    ----------
    proposals : sequence of Proposal
        Of the matcher's treebank.
    model : ArcModel
        Of the treebank's sentences, as it is without these lines.
    matcher : Matcher
    known : int array of shape (rows,)
        Right heads, -1 where unknown.
    count : int

    Returns
    -------
    list of Proposal
        Those ranked have a ``verdict``; the others follow in their order.

    Notes
    -----
    About ``count`` to 2 * ``count`` previews of the sentences with a known head.
    """
    sentences = np.flatnonzero(np.logical_or.reduceat(known >= 0, matcher.treebank.offsets[:-1]))
    some = Matcher(matcher.treebank.with_heads(known).select(sentences), matcher.tags)
    reweighted = ReweightedModel(model.select(sentences), PackedScores.empty(some.treebank.lengths))
    reweighted.log_weights.values[:] = 0.0

    def judged(proposal):
        found = preview(reweighted, some, proposal.constraint)
        gained, lost = verdict(some.treebank, found)
        return gained - lost, replace(proposal, verdict=(gained, lost)), found.multiplier, len(ranked)

    ranked = []
    waiting = [judged(proposal) for proposal in proposals[:count]]
    while waiting:
        best = max(range(len(waiting)), key=lambda k: waiting[k][0])
        _, proposal, multiplier, seen = waiting.pop(best)
        if seen < len(ranked):
            waiting.insert(best, judged(proposal))
            continue
        ranked.append(proposal)
        reweighted.log_weights.values[some.match([proposal.constraint]).arcs] += multiplier
    return [*ranked, *proposals[count:]]


def verdict(treebank: Treebank, found: Preview) -> tuple[int, int]:
    """(words that would get their right head, words that would lose it) among those whose head a text knows."""
    scored = (treebank.heads >= 0) & (found.before != found.after) & ~treebank.punctuation()
    right, wrong = (int((heads[scored] == treebank.heads[scored]).sum()) for heads in (found.after, found.before))
    return right, wrong
