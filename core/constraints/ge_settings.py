"""How a tree CRF is trained from generalized-expectation constraints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GESettings:
    """What a person can choose about a training; the defaults are the preset "best".

    ``strength`` multiplies every constraint's weight against the prior of variance ``variance``; ``score`` is of
    ``penalties.PENALTIES``; ``complete_weight`` and ``partial_weight`` are what a sentence with all or with some
    heads known counts beside the constraints, where such sentences are given. ``projective`` is what training sums
    over, ``decoding`` what the parser shows: see ``TreeDistribution``. ``brackets`` is the level at which the trees of
    the text should respect its mark-up, ``brackets_weight`` what the mean log-probability that they do counts.
    """

    features: str = "full"
    tags: str | None = None
    minimum_count: int = 2
    projective: bool = False
    single_root: bool = True
    covariance: str = "exact"
    decoding: str = "projective"
    variance: float = 10.0
    strength: float = 10.0
    score: str = "squared"
    complete_weight: float = 1.0
    partial_weight: float = 1.0
    brackets: str = "none"
    brackets_weight: float = 1.0
    tolerance: float = 1e-5
    max_evaluations: int = 200
