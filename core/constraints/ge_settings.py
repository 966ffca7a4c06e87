"""How a tree CRF is trained from generalized-expectation constraints."""

from dataclasses import dataclass

from core.constraints.penalties import PENALTIES
from core.parsers.crf.distribution import COVARIANCES, DECODINGS
from core.settings import option
from core.trees.brackets import LEVELS

FEATURE_SETS = ("full", "restricted")
_DECODING = (
    "which trees: the most probable (best), of those without crossing arcs (projective), or with most right heads "
    "expected (posterior); default: the preset's"
)
_KNOWN = {"least": 0, "metavar": "W"}


@dataclass(frozen=True)
class GESettings:
    """What a person can choose about a training; the defaults are the preset "best".

    ``strength`` multiplies every constraint's weight against the prior of variance ``variance``; ``score`` is of
    ``penalties.PENALTIES``. ``complete_weight`` and ``partial_weight`` are what a sentence with all or with some heads
    known counts beside the constraints. ``projective`` is what training sums over, ``decoding`` what the parser shows:
    see ``TreeDistribution``. ``brackets`` is the level at which the trees of the text should respect its mark-up,
    ``brackets_weight`` what the mean log-probability that they do counts.
    """

    features: str = option("full", choices=FEATURE_SETS)
    tags: str | None = None
    minimum_count: int = 2
    projective: bool = option(False, "projective trees only")
    single_root: bool = True
    covariance: str = option("exact", choices=COVARIANCES)
    decoding: str = option("projective", _DECODING, choices=DECODINGS)
    variance: float = 10.0
    strength: float = 10.0
    score: str = option("squared", "distance from a target", choices=tuple(PENALTIES))
    complete_weight: float = option(1.0, "of a complete tree there", **_KNOWN)
    partial_weight: float = option(1.0, "of a partial tree there", **_KNOWN)
    brackets: str = option("none", "level at which trees should respect the # markup comments of FILE", choices=LEVELS)
    brackets_weight: float = option(1.0, "of the mean log-probability that they do", **_KNOWN)
    tolerance: float = 1e-5
    max_evaluations: int = 200
