"""Why a model with multipliers gives a word its head: the arc's probability without constraints, and without each.

Without a constraint means without its multiplier: what a grammar has learnt from it stays. The constraints that speak
of an arc most are those whose multipliers m tell it most from the word's other heads h,

    |m_c (matches_c(head) - sum_h p(h) matches_c(h))|,

to first order how far the log-odds of the arc move without them. Other arcs of the sentence move it too; the
probabilities are exact sums over all trees.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.constraints.authoring.preview import GrammarArcs
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.projected import ProjectedParser
from core.constraints.matching.matcher import Matcher

MOST = 3  # constraints


@dataclass(frozen=True)
class ArcUnder:
    """The probability of an arc under a model, and the head that the arc's modifier has in the model's tree."""

    probability: float
    head: int


@dataclass(frozen=True, eq=False)
class ArcEffects:
    """What constraints do to an arc.

    Attributes
    ----------
    together, alone : ArcUnder
        With all constraints, and without any.
    without : dict of int to ArcUnder
        By the number of the constraint, at most three, those first that speak of the arc most.
    nats : ndarray of shape (C,)
        The multiplier of each constraint for the arc, less its mean over the word's heads.
    """

    together: ArcUnder
    alone: ArcUnder
    without: dict[int, ArcUnder]
    nats: np.ndarray


def arc_effects(
    model: Grammar | ParserEnsemble | ProjectedParser, arcs: GrammarArcs, head: int, modifier: int
) -> ArcEffects:
    """The ArcEffects of an arc.

    Parameters
    ----------
    model : Grammar, ParserEnsemble or ProjectedParser
    arcs : GrammarArcs
        Of the model and the sentence alone.
    head, modifier : int
        Words from 1; head 0 is the root.

    Notes
    -----
    Five sums over the trees of the sentence at most, O(n^3) each, and as many trees.
    """
    words, bare, zeros = arcs.words, model.without_votes(), np.zeros(len(arcs.fixed.values))

    def under(factors):
        reweighted = replace(arcs, grammar=bare.reweighted(factors))
        marginals = arcs.fixed.like(reweighted.marginals(zeros))
        return marginals[0][:, modifier], int(reweighted.trees(marginals)[modifier])

    grammar = model.grammar if isinstance(model, ParserEnsemble) else model
    multipliers, side = grammar.mean_multipliers, int(words.lengths[0]) + 1
    column, drawn = under(np.ones(len(multipliers)))
    matches, nats = Matcher(words, grammar.column).match(grammar.constraints), np.zeros(len(multipliers))
    for c, multiplier in enumerate(multipliers.tolist()):
        into = np.bincount(matches.of(c), minlength=side**2).reshape(side, side)[:, modifier]
        nats[c] = multiplier * (into[head] - float(column @ into))
    strongest = [c for c in np.argsort(-np.abs(nats), kind="stable").tolist() if nats[c]][:MOST]
    found = {}
    for c in strongest:
        others, other = under(np.where(np.arange(len(nats)) == c, 0.0, 1.0))
        found[c] = ArcUnder(float(others[head]), other)
    alone, alone_head = under(np.zeros(len(nats)))
    together = ArcUnder(float(column[head]), drawn)
    return ArcEffects(together, ArcUnder(float(alone[head]), alone_head), found, nats)
