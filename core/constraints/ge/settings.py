"""How a tree CRF is trained from generalized-expectation constraints."""

from dataclasses import dataclass

from core.constraints.ge.penalties import PENALTIES
from core.errors import WorkbenchError
from core.parsers.crf.distribution import COVARIANCES, DECODINGS
from core.settings import option
from core.trees.brackets import LEVELS

FEATURE_SETS, LEXICALIZED = ("full", "restricted"), "lexicalized"  # trained beside each other; with words
_DECODING = (
    "which trees: the most probable (best), of those without crossing arcs (projective), or with most right heads "
    "expected (posterior); default: the preset's"
)
NO_SETTINGS = (  # what else differs from druck2009
    "the exact covariance takes one more matrix product, O(n³), with the same result as the paper's O(n⁵)",
)
_KNOWN = {"least": 0, "metavar": "W", "within": (0.0, 1000.0), "step": 0.5}


@dataclass(frozen=True)
class GESettings:
    r"""What a person can choose about a training; the defaults are the preset "best".

    Attributes
    ----------
    features : {"full", "restricted", "lexicalized"}
        By what the model distinguishes arcs. **Restricted**: head tag, modifier tag, direction. **Full**: also tags
        between and around, and distance, as in McDonald et al. 2005 without words (Druck et al. 2009, §5). **With
        words**: also the words themselves.
    tags : {"xpos", "upos", None}
    projective : bool
        Sum over trees without crossing arcs only (inside-outside), instead of over all trees (Matrix-Tree, Druck et al.
        2009, §3.2 and footnote 5).

        This is what training sums over, ``decoding`` what the parser shows: see ``TreeDistribution``.
    single_root : bool
    covariance : {"exact", "approximate", "pairwise"}
        Of a constraint $G$ and a feature $F_j$, $E[GF_j]-E[G]E[F_j]$: the gradient, Druck et al. 2009, eq. 2.
    decoding : {"best", "projective", "posterior"}
        Which tree to show of all that the model gives probability to (Druck et al. 2009: the most probable).
    minimum_count : int
        Features that occur on fewer possible arcs of the text are left out. Druck et al. 2009, §6, footnote 10, drop
        those below 10.
    variance : float
        Weights of features are drawn from a Gaussian of variance $\sigma^2$: $\ln p(\lambda) = -\sum_j \lambda_j^2 /
        2\sigma^2$ (Druck et al. 2009, §3, footnote 3: 10).
    strength : float
        The factor $s$ of all constraints against the prior: $s\sum_g w_g S_g(\lambda) + \ln p(\lambda)$. Druck et al.
        2009, §3, have 1.
    score : str
        How far a share $E$ may be from its target $T$. **Squared** $-(T-E)^2$: Druck et al. 2009, eq. 1. **KL**
        $-T\ln\frac{T}{E}-(1-T)\ln\frac{1-T}{1-E}$. **One-sided** $-T\ln\frac{T}{E}$: its slope is the $T/E$ of the
        paper’s footnote 4; it only pulls shares up. Inside a target that is a range nothing is lost.

        A name of ``penalties.PENALTIES``.
    complete_weight : float
        The weight $c$ of a whole tree $y$ beside the constraints: $c \ln p_\lambda(y|x)$ is added to the objective.
    partial_weight : float
        The weight $c$ of a tree with unknown heads: $c \ln \sum_y p_\lambda(y|x)$ over the trees $y$ that have the
        known heads is added to the objective.
    brackets : {"none", "tear", "sprawl", "loose", "strict"}
        The level at which the trees of the text should respect its mark-up. The mean log-probability that they do is
        added to the objective.
    brackets_weight : float
        The factor of that mean, in nats, beside the constraints.
    tolerance : float
    max_evaluations : int
    """

    features: str = option(
        "full", "lexicalized: words too, with full and restricted beside it", choices=(*FEATURE_SETS, LEXICALIZED),
        label="Features",
    )  # fmt: skip
    tags: str | None = None
    projective: bool = option(False, "projective trees only", label="Only trees without crossing arcs", paper=False)
    single_root: bool = True
    covariance: str = option("exact", choices=COVARIANCES, label="Covariance", paper="exact")
    decoding: str = option(
        "projective", _DECODING, choices=DECODINGS, label="Tree to show", paper="best",
        why="most languages have few crossing arcs",
    )  # fmt: skip
    minimum_count: int = option(
        2, "features on fewer arcs are left out", least=1, label="Least count of a feature", within=(1, 1000), paper=1,
        why="a third of the weights is as good",
    )  # fmt: skip
    variance: float = option(
        10.0, "of the prior", label="Variance of the prior", within=(0.001, 10000.0), step=1.0, paper=10.0
    )
    strength: float = option(
        10.0, "of all constraints against the prior", label="Weight of the constraints", within=(0.01, 1000.0),
        step=1.0, paper=1.0, why="constraints should outweigh the prior",
    )  # fmt: skip
    score: str = option("squared", "distance from a target", choices=tuple(PENALTIES), label="Score", paper="squared")
    complete_weight: float = option(1.0, "of a complete tree there", label="Weight of a whole tree", **_KNOWN)
    partial_weight: float = option(1.0, "of a partial tree there", label="Weight of a partial tree", **_KNOWN)
    brackets: str = option("none", "level at which trees should respect the # markup comments of FILE", choices=LEVELS)
    brackets_weight: float = option(
        1.0, "of the mean log-probability that they do", label="Weight of the brackets", **_KNOWN
    )
    tolerance: float = 1e-5
    max_evaluations: int = 200

    def __post_init__(self):
        for holds, message in (
            (self.strength > 0, f"the strength must be positive, got {self.strength:g}"),
            (self.variance > 0, f"the variance of the prior must be positive, got {self.variance:g}"),
            (self.minimum_count >= 1, f"the least count of a feature is 1, got {self.minimum_count}"),
        ):
            if not holds:
                raise WorkbenchError(message)
        for name, term in (("complete", "complete trees"), ("partial", "partial trees"), ("brackets", "brackets")):
            if not (weight := getattr(self, f"{name}_weight")) >= 0:
                raise WorkbenchError(f"the weight of {term} must be at least 0, got {weight:g}")
