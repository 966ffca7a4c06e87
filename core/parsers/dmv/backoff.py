"""Parameters of the extended DMV from counts, each distribution backed off to a coarser one.

CHOOSE depends on adjacency (extended valence) and backs off to CHOOSE without it. Where frequent words are symbols, a
symbol's distribution backs off to its tag's. A symbol as modifier backs off to its tag's probability times its share of
the tag's words. STOP and the root's choice back off from symbols to tags likewise. Source: Headden, Johnson & McClosky
(2009), N09-1012, sections 3 to 5: extended valence, lexicalisation, and linear interpolation, here with one
pseudo-count for each level in place of Dirichlet priors.
"""

from dataclasses import dataclass

import numpy as np

from core.parsers.dmv.parameters import DONE, EMPTY, FIRST, NEXT, Events
from core.parsers.dmv.symbols import Symbols


@dataclass(frozen=True)
class Backoff:
    """Pseudo-counts: the weight of a coarser distribution against the counts of a finer one.

    ``smoothing`` is added to every count of a tag by tag. ``adjacency`` is the weight of CHOOSE without adjacency; with
    None CHOOSE never looks at it, as in the DMV without extended valence. ``symbols`` is the weight of tags in place of
    symbols.
    """

    smoothing: float = 0.3
    adjacency: float | None = 50.0
    symbols: float = 200.0


def estimate_backed_off(counts: Events, symbols: Symbols, backoff: Backoff) -> Events:
    """Events of extended valence over symbols, from counts of the same shape.

    Parameters
    ----------
    counts : Events
        ``take`` (2, 2, K, K), ``valence`` (4, 2, K), ``root`` (K,).
    symbols : Symbols
    backoff : Backoff

    Returns
    -------
    Events
        Probabilities, all above 0.

    Notes
    -----
    O(K^2).
    """
    tag_of, tags = symbols.tag_of, len(symbols.tags)
    by_tag = _summed(_summed(counts.take, tag_of, tags, 3), tag_of, tags, 2)  # (2, 2, T, T)
    either = _with_prior(by_tag.sum(axis=0), np.full(tags, 1.0 / tags), backoff.smoothing * tags)
    if backoff.adjacency is None:
        take, choose = np.stack([counts.take.sum(axis=0)] * 2), np.stack([either, either])
    else:
        take, choose = counts.take, _with_prior(by_tag, either[None], backoff.adjacency)
    valence = _valence(_summed(counts.valence, tag_of, tags, 2), None, 2 * backoff.smoothing)
    root = _with_prior(_summed(counts.root, tag_of, tags, 0), np.full(tags, 1.0 / tags), backoff.smoothing * tags)
    if not symbols.words:
        return Events(choose, valence, root)
    of_tag = _with_prior(
        _summed(take, tag_of, tags, 2), choose[..., tag_of] * symbols.shares, backoff.symbols
    )  # (2, 2, T, K)
    take = _with_prior(take, of_tag[:, :, tag_of], backoff.symbols)
    stop = _valence(counts.valence, valence[:, :, tag_of], backoff.symbols)
    return Events(take, stop, _with_prior(counts.root, root[tag_of] * symbols.shares, backoff.symbols))


def expand_to_symbols(parameters: Events, symbols: Symbols) -> Events:
    """Events over symbols whose every symbol behaves as its tag, a modifier by its share of the tag's words."""
    of = symbols.tag_of
    take = parameters.take[..., of, :][..., of] * symbols.shares
    return Events(take, parameters.valence[:, :, of], parameters.root[of] * symbols.shares)


def extended(parameters: Events) -> Events:
    """Plain events as events of extended valence: CHOOSE is the same for first and further modifiers."""
    return Events(np.stack([parameters.take, parameters.take]), parameters.valence, parameters.root)


def _with_prior(counts, prior, weight):
    """(counts + weight * prior) / (sum + weight) along the last axis; ``prior`` sums to 1 there."""
    return (counts + weight * prior) / (counts.sum(axis=-1, keepdims=True) + weight)


def _valence(counts, prior, weight):
    """STOP and CONTINUE (4, 2, ...) with a prior of the same shape; even chances for None."""
    chances = np.empty_like(counts)
    for stop, go in ((EMPTY, FIRST), (DONE, NEXT)):
        total = counts[stop] + counts[go] + weight
        chances[stop] = (counts[stop] + weight * (0.5 if prior is None else prior[stop])) / total
        chances[go] = (counts[go] + weight * (0.5 if prior is None else prior[go])) / total
    return chances


def _summed(counts, groups, count, axis):
    """Counts added up by group along an axis."""
    if len(groups) == count:
        return counts
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(count))
    return np.add.reduceat(np.take(counts, order, axis=axis), starts, axis=axis)
