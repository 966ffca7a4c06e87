"""How a structural correspondence is learnt."""

from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.settings import choice, option

PREDICTORS = ("sgd", "logistic")
MOST_DIMENSIONS = 25  # by default; Blitzer et al. (2006) settle on 25 too
INDUCED = f"induced features (default: all, {MOST_DIMENSIONS} at most)"
GROUP = "correspondence"  # of options
_PIVOTS = {"least": 0, "metavar": "N", "group": GROUP, "within": (0, 1000), "paper": 0}
NO_SETTINGS = (  # what else differs from shimizu2007
    "pivots are predicted from word pairs drawn at random, half of them of each text, in place of all",
)


@dataclass(frozen=True)
class CorrespondenceSettings:
    r"""Settings by which a StructuralCorrespondence is learnt.

    Attributes
    ----------
    between : int
        Further pivots beside the paper's three: this many words that are frequent in both texts, each as “stands
        between the two” (Shimizu & Nakagawa 2007, §3).
    frequent : int
        Further pivots: this many features that are frequent in both texts (Blitzer et al. 2006).

        Those of Table 2 of shimizu2007.
    dimensions : int or None
        K, how many columns of $U$ in $W = U \Sigma V$ become features $U^\top f$ of an arc (Shimizu & Nakagawa 2007,
        §3). 0 for as many as there are pivots, 25 at most.

        Here None stands for that.
    tags : bool
        Predictors read tags beside words. The paper's text had none (Shimizu & Nakagawa 2007, §3 and Table 2).
    distance : bool
        Predictors read direction and distance, too. The paper's read words only (Shimizu & Nakagawa 2007, Table 2).
    lowercase : bool
        Predictors read words in lower case.
    minimum_count : int
        Words that are rarer than this in both texts together have no feature.
    predictor : {"sgd", "logistic"}
    penalty : float
        Of the predictors.
    edges : int
        How many pairs of words are drawn to learn the predictors $\mathrm{sign}(w_p\,f)$ from, half of each text
        (Shimizu & Nakagawa 2007, §3).
    standardize : bool
        Every induced feature is $(u_k^\top f - \mu_k) / \sigma_k$, mean 0 and deviation 1, before it is scaled. The
        paper does not standardize.

        Over the drawn edges.
    scale : float
        The factor $\alpha$ of the induced features $\alpha\,U^\top f$; 0 switches them off. The paper takes 1 and saw
        them overfit (Shimizu & Nakagawa 2007, §5): smaller is safer.
    directed : bool
        Separate induced features, and so weights, for modifiers before and after their heads.

        2 K of them; the paper has one set.
    seed : int
        Seed of the drawn word pairs, the predictors and the order of sentences.
    """

    between: int = option(0, "further pivots: N frequent words between", label="Frequent words between", **_PIVOTS)
    frequent: int = option(0, "further pivots: N frequent features", label="Frequent features", **_PIVOTS)
    dimensions: int | None = option(
        None, INDUCED, least=1, metavar="K", group=GROUP, label="Dimensions", within=(0, 1000)
    )
    tags: bool = option(
        False, "predictors read tags too", name="read-tags", group=GROUP, label="Predictors read tags", paper=False
    )
    distance: bool = option(
        False, "predictors read direction and distance too", group=GROUP, label="Predictors read distance", paper=False
    )
    lowercase: bool = option(
        False, "predictors read words in lower case", group=GROUP, label="Words in lower case", paper=False
    )
    minimum_count: int = option(
        1, "of words that have features", least=1, group=GROUP, label="Minimum count of a word", within=(1, 1000)
    )
    predictor: str = option("sgd", choices=PREDICTORS, group=GROUP)
    penalty: float = option(1e-4, "of predictors' weights", group=GROUP)
    edges: int = option(
        200_000, "candidate edges drawn", least=1, group=GROUP, label="Word pairs drawn", within=(2, 5_000_000),
        step=10_000,
    )  # fmt: skip
    standardize: bool = option(
        True, "induced features as they are, not standardized", name="raw", group=GROUP,
        label="Standardize induced features", paper=False,
        why="their size then does not depend on how many features an arc has",
    )  # fmt: skip
    scale: float = choice(
        0.3, "Scale", within=(0.0, 100.0), step=0.1, paper=1.0, why="the paper saw its induced features overfit"
    )
    directed: bool = option(
        False, "induced features apart for modifiers before and after heads", group=GROUP,
        label="Before and after separately", paper=False,
    )  # fmt: skip
    seed: int = option(0, "seed of everything random", label="Seed", within=(0, 2**31 - 1))

    def __post_init__(self):
        if self.dimensions is not None and self.dimensions < 1:
            raise WorkbenchError(f"there must be at least one dimension, got {self.dimensions}")
        if self.edges < 2 or self.minimum_count < 1:
            counts = f"{self.edges}, {self.minimum_count}"
            raise WorkbenchError(f"edges must be 2 or more and minimum_count 1 or more, got {counts}")
        if self.predictor not in PREDICTORS:
            raise WorkbenchError(f"no predictor called {self.predictor!r}: choose {' or '.join(PREDICTORS)}")
        if not np.isfinite(self.scale):
            raise WorkbenchError(f"the scale of induced features must be a number, got {self.scale}")
