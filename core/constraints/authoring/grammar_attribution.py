"""Why a grammar that was learnt from lines gives a word its head: the lines' multipliers, and the grammar's own odds.

The lines weigh every arc that they match by exp(multiplier), so that between two heads of a word

    ln p(head) / p(against) = sum_c multiplier_c (matches_c(head) - matches_c(against)) + own + elsewhere    in nats,

where ``own`` are the same log-odds of the grammar without any line, and ``elsewhere`` is the rest: what the lines do to
other arcs of the sentence, which make room for this one or take it. Multipliers are means over the grammars that vote.
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
        The multiplier of each line that matches the arc, less that of each that matches the other.
    own : float
        The log-odds of the grammar without lines.
    elsewhere : float
        What is left: lines on other arcs and, where several parsers vote, the others. 0 where ``score`` is infinite.
    probability : float
        The arc's marginal.
    """

    score: float
    contributions: np.ndarray
    own: float
    elsewhere: float
    probability: float


def arc_odds(
    model: Grammar | ParserEnsemble,
    words: Treebank,
    votes: np.ndarray,
    head: int,
    modifier: int,
    against: int | None = None,
) -> ArcOdds:
    """Why one arc of a sentence is likely under a model from lines.

    Parameters
    ----------
    model : Grammar or ParserEnsemble
    words : Treebank
        The sentence alone, without punctuation.
    votes : float64 (A,)
        Log-weights of its arcs in nats, as for ``marginals``.
    head, modifier : int
        Words from 1; head 0 is the root.
    against : int, optional
        Another head of the same word.

    Notes
    -----
    Two sums over the trees of the sentence, O(n^3) for each grammar that votes.
    """
    grammar = model.grammar if isinstance(model, ParserEnsemble) else model
    marginals, alone = (
        each.marginals(words, votes=votes)[1][0][:, modifier] for each in (model, grammar.without_lines())
    )
    matches = Matcher(words, grammar.column).match(grammar.constraints)
    multipliers = np.mean([part.multipliers for part in grammar.parts], axis=0)
    side = int(words.lengths[0]) + 1
    asked = np.zeros(len(multipliers))
    for c in range(len(multipliers)):
        places = matches.of(c)
        asked[c] = np.count_nonzero(places == head * side + modifier)
        if against is not None:
            asked[c] -= np.count_nonzero(places == against * side + modifier)
    score, own = (_log_odds(column, head, against) for column in (marginals, alone))
    contributions = multipliers * asked
    rest = score - own - contributions.sum() if np.isfinite(score) and np.isfinite(own) else 0.0
    return ArcOdds(score, contributions, own, float(rest), float(marginals[head]))


def _log_odds(column, head, against):
    mine = column[head]
    other = np.delete(column, head).sum() if against is None else column[against]
    with np.errstate(divide="ignore"):
        return float(np.log(mine) - np.log(other)) if mine > 0 or other > 0 else 0.0
