"""How a structural correspondence is learnt."""

from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.settings import option

PREDICTORS = ("sgd", "logistic")
MOST_DIMENSIONS = 25  # by default; Blitzer et al. (2006) settle on 25 too
INDUCED = f"induced features (default: all, {MOST_DIMENSIONS} at most)"
GROUP = "correspondence"  # the group of options


@dataclass(frozen=True)
class CorrespondenceSettings:
    """Settings by which a StructuralCorrespondence is learnt.

    Attributes
    ----------
    between : int
        Further pivots: so many frequent words, each "stands between the two".
    frequent : int
        Further pivots: so many features of Table 2 that are frequent in both texts (Blitzer et al. 2006).
    dimensions : int or None
        K; None takes as many as there are pivots, 25 at most.
    tags, distance : bool
        Predictors read tags too, and direction and distance. The paper's read words alone.
    lowercase : bool
        Words in lower case.
    minimum_count : int
        Words that occur less often, in both texts together, have no feature.
    predictor : {"sgd", "logistic"}
    penalty : float
        Of the predictors.
    edges : int
        Candidate edges drawn, half of them from each text.
    standardize : bool
        Every induced feature has mean 0 and deviation 1 over the drawn edges, before ``scale``. The paper's have not.
    scale : float
        Times the induced features; 0 switches them off.
    directed : bool
        Edges to the left and to the right have features, and so weights in the parser, of their own: 2 K of them. The
        paper's have one set.
    seed : int
    """

    between: int = option(0, "further pivots: N frequent words between", least=0, metavar="N", group=GROUP)
    frequent: int = option(0, "further pivots: N frequent features", least=0, metavar="N", group=GROUP)
    dimensions: int | None = option(None, INDUCED, least=1, metavar="K", group=GROUP)
    tags: bool = option(False, "predictors read tags too", name="read-tags", group=GROUP)
    distance: bool = option(False, "predictors read direction and distance too", group=GROUP)
    lowercase: bool = option(False, "predictors read words in lower case", group=GROUP)
    minimum_count: int = option(1, "of words that have features", least=1, group=GROUP)
    predictor: str = option("sgd", choices=PREDICTORS, group=GROUP)
    penalty: float = option(1e-4, "of predictors' weights", group=GROUP)
    edges: int = option(200_000, "candidate edges drawn", least=1, group=GROUP)
    standardize: bool = option(True, "induced features as they are, not standardized", name="raw", group=GROUP)
    scale: float = 0.3
    directed: bool = option(False, "induced features apart for modifiers before and after heads", group=GROUP)
    seed: int = option(0, "seed of everything random")

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
