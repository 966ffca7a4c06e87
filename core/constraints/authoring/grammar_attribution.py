"""Why a trained grammar gives a word its head: the constraints' multipliers, and the odds without constraints.

Each arc that a constraint matches has its weight times exp(multiplier), so that between two heads of a word

    ln p(head) / p(against) = sum_c multiplier_c (matches_c(head) - matches_c(against)) + grammar + elsewhere

in nats. ``grammar`` is the same log-odds of the grammar without constraints, and ``elsewhere`` is the rest: the
effect of constraints on other arcs of the sentence. Multipliers are means over the parts of the grammar.
"""

from dataclasses import dataclass

import numpy as np

from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar
from core.constraints.matching.matcher import Matcher
from core.treebank import Treebank


@dataclass(frozen=True, eq=False)
class ArcOdds:
    """The log-odds of one arc, in nats, by where they come from.

    Attributes
    ----------
    score : float
        ln p(head) / p(against); against all other heads, ln p / (1 - p). Infinite where one of them is impossible.
    contributions : ndarray of shape (C,)
        The multiplier of each constraint that matches the arc, less that of each that matches the other arc.
    grammar : float
        The log-odds of the grammar without constraints.
    elsewhere : float
        The rest: constraints on other arcs and, in an ensemble, the other parsers. 0 where ``score`` is infinite.
    probability : float
        The arc's marginal.
    """

    score: float
    contributions: np.ndarray
    grammar: float
    elsewhere: float
    probability: float


def arc_odds(
    model: Grammar | ParserEnsemble,
    words: Treebank,
    arc_bonuses: np.ndarray,
    head: int,
    modifier: int,
    against: int | None = None,
) -> ArcOdds:
    """Why one arc of a sentence is likely under a model from constraints.

    Parameters
    ----------
    model : Grammar or ParserEnsemble
    words : Treebank
        The sentence alone, without punctuation.
    arc_bonuses : float64 (A,)
        Log-weights of its arcs in nats, as for ``marginals``.
    head, modifier : int
        Words from 1; head 0 is the root.
    against : int, optional
        Another head of the same word.

    Notes
    -----
    Two sums over the trees of the sentence, O(n^3) for each part of the model.
    """
    grammar = model.grammar if isinstance(model, ParserEnsemble) else model
    marginals, without = (
        parser.marginals(words, votes=arc_bonuses)[1][0][:, modifier] for parser in (model, grammar.unconstrained())
    )
    matches = Matcher(words, grammar.column).match(grammar.constraints)
    multipliers = np.mean([part.multipliers for part in grammar.parts], axis=0)
    side = int(words.lengths[0]) + 1
    counts = np.zeros(len(multipliers))
    for c in range(len(multipliers)):
        arcs = matches.of(c)
        counts[c] = np.count_nonzero(arcs == head * side + modifier)
        if against is not None:
            counts[c] -= np.count_nonzero(arcs == against * side + modifier)

    def log_odds(column):
        other = np.delete(column, head).sum() if against is None else column[against]
        with np.errstate(divide="ignore"):
            return float(np.log(column[head]) - np.log(other)) if column[head] > 0 or other > 0 else 0.0

    score, base, contributions = log_odds(marginals), log_odds(without), multipliers * counts
    elsewhere = score - base - contributions.sum() if np.isfinite(score) and np.isfinite(base) else 0.0
    return ArcOdds(score, contributions, base, float(elsewhere), float(marginals[head]))
