"""Proposed constraints in the order of the right heads that a model's trees gain by each.

``core.constraints.authoring.proposals`` estimates word by word how many errors a constraint would prevent, which
overrates constraints whose words share their heads. Here the sentences with known trees are parsed by the nearest model
that meets the constraint (``core.constraints.authoring.preview``), and right heads are counted before and after.
Constraints are chosen one after the other, each in the model with those chosen before it, so that no gain counts twice.
A count seldom rises as others are chosen; only the leading one is counted again, as in lazy greedy search (Minoux
1978).
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
    """Proposals, the first ``count`` of them in the order of the right heads that the model's trees gain.

    Parameters
    ----------
    proposals : sequence of Proposal
        Of the matcher's treebank.
    model : ArcModel
        Of the treebank's sentences, without the proposed constraints.
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
        effect = preview(reweighted, some, proposal.constraint)
        gained, lost = verdict(some.treebank, effect)
        return gained - lost, replace(proposal, verdict=(gained, lost)), effect.multiplier, len(ranked)

    ranked = []
    waiting = [judged(proposal) for proposal in proposals[:count]]
    while waiting:
        best = max(range(len(waiting)), key=lambda k: waiting[k][0])
        _, proposal, multiplier, chosen_before = waiting.pop(best)
        if chosen_before < len(ranked):
            waiting.insert(best, judged(proposal))
            continue
        ranked.append(proposal)
        reweighted.log_weights.values[some.match([proposal.constraint]).arcs] += multiplier
    return [*ranked, *proposals[count:]]


def verdict(treebank: Treebank, effect: Preview) -> tuple[int, int]:
    """(words that would gain their right head, words that would lose it), among words whose head is known."""
    scored = (treebank.heads >= 0) & (effect.before != effect.after) & ~treebank.punctuation()
    gained, lost = (int((heads[scored] == treebank.heads[scored]).sum()) for heads in (effect.after, effect.before))
    return gained, lost
