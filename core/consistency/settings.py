"""All knobs of inter-sentence consistency in one place, each checked when it is set."""

from dataclasses import asdict, dataclass

import numpy as np

from core.consistency.mrf import Deltas
from core.consistency.windows import WIDEST
from core.decomposition import DualSettings
from core.errors import WorkbenchError
from core.settings import option

UNITS = ("margin", "score")
CONTEXTS, SEARCH = "contexts", "consensus and search"  # groups of options
_DELTA = {"group": SEARCH, "within": (0.0, 100.0), "step": 0.05}


@dataclass(frozen=True)
class ContextSettings:
    """Which contexts are trusted.

    Attributes
    ----------
    threshold : float, default=1.0
        Least share of a context's training words whose head has the majority tag (the paper's 1.0).
    minimum_count : int, default=1
        Least number of training words in the context.
    width : int, default=4
        Longest template, in words.
    prefer_inside : bool, default=True
        Of several contexts of a word, favour those whose majority head stands within them; then longer ones, then
        those more frequent in training.
    """

    threshold: float = 1.0
    minimum_count: int = 1
    width: int = WIDEST
    prefer_inside: bool = True

    def __post_init__(self):
        if not 0 <= self.threshold <= 1:
            raise WorkbenchError(f"the threshold is a share from 0 to 1, got {self.threshold}")
        if self.minimum_count < 1:
            raise WorkbenchError(f"the minimum count must be 1 or more, got {self.minimum_count}")
        if not 1 <= self.width <= WIDEST:
            raise WorkbenchError(f"templates are 1 to {WIDEST} words wide, got {self.width}")


@dataclass(frozen=True)
class ConsistencySettings:
    r"""Settings of contexts, rewards and search.

    The defaults are those that did best on English development text (WSJ and EWT, 50 to 500 training sentences): a
    parser with these features knows its training contexts so well that consensus should decide near ties only.

    Attributes
    ----------
    threshold : float, default=1.0
        A context is trusted if at least this share of its words in the trees have a head of one tag, the majority head:
        $\max_t c(t)/\sum_t c(t)$. Rush et al. 2012, §7, takes 1.0.

        This and the next three are those of ``ContextSettings``; parsing only.
    minimum_count : int, default=1
        A context is trusted if it occurs at least this often in the trees, $\sum_t c(t)$. Rush et al. 2012, Table 1
        (§7), counts contexts from 10 on.
    width : int, default=4
        A template is a window of offsets $r..s$ around the word with $r \le 0 \le s$ and $s - r < 4$ (Rush et al. 2012,
        §7): four words at most.
    prefer_inside : bool, default=True
        Of several contexts of a word, prefer one that contains its majority head. Then the longer one, then the one
        more frequent in the trees (Rush et al. 2012, §7).
    delta1 : float, default=0.1
        What a word adds to the joint value, $\theta = \delta_1$, if its head's tag is the consensus of its context
        (Rush et al. 2012, §4).
    delta2 : float, default=0.07
        What it adds, $\theta = \delta_2$, if the two tags are close (Rush et al. 2012, §4).
    delta3 : float, default=0.06
        What it adds, $\theta = \delta_3$, whatever its head, if the consensus is NULL: the context is then switched
        off. The higher, the sooner that pays (Rush et al. 2012, §4).
    step : float, default=0.02
        The first step $\alpha$ of $u \leftarrow u - \alpha_k (z - Y)$ (Rush et al. 2012, §6). Each word has a step of
        its own, $\alpha_k = \alpha / (1 + r_k)$, where $r_k$ counts how often the word swung back: what was raised for
        it was lowered next. (In Koo et al. 2010 all words share one, and $r_k$ counts how often the dual has risen.)
        Long steps overshoot the optimum, short ones take many iterations.
    unit : {"margin", "score"}, default="margin"
        Deltas and step are multiples of it. The margin is the mean difference between a word's best and second best
        head, by max-marginals; of tags, by local scores. It means the same for any parser. The score is the scores' own
        unit.
    iterations : int, default=200
        K, the maximum of iterations. After it, the constraints of sentences that still disagree are dropped, so that
        the others can be proved (Rush et al. 2012, §6, §9). The paper takes 200.
    lazy, release, release_iterations, decay, patience
        Of ``DualSettings``.
    prune : float or None, default=0.3
        Of ``FirstPass``; parsing only.
    start : float, default=0.3
        Share of the parser's preferences among heads that the first multipliers pass on to the consensus side; 0
        starts them at zero, as the paper does. The answer is the same, the way there shorter.
    close : bool, default=True
        Look before the search which sentences no consensus can change, and search over the others. The answer is the
        same; without it all takes place in the iterations, as in the paper. Parsing of projective trees only.
    branches : int, default=1000
        Where both sides do not agree in the end, branch and bound over consensus labels finds the answer
        (``Branching``): the most branches in one part of the problem. 0 leaves it to dual decomposition, as the paper.
    observed : {"chosen", "all"}, default="chosen"
        Training words that vote in a context: those for which it is the chosen one, as for test words; or all in it.
    """

    threshold: float = option(
        ContextSettings.threshold, "least share of the majority head", group=CONTEXTS,
        label="Share of the majority head", within=(0.5, 1.0), step=0.01,
    )  # fmt: skip
    minimum_count: int = option(
        ContextSettings.minimum_count, "least training words", least=1, group=CONTEXTS, label="Minimum count",
        within=(1, 20),
    )  # fmt: skip
    width: int = option(
        ContextSettings.width, "longest template, 1 to 4 words", least=1, group=CONTEXTS,
        label="Widest context, in words", within=(1, WIDEST),
    )  # fmt: skip
    prefer_inside: bool = option(
        ContextSettings.prefer_inside, "favour contexts that hold the majority head", either=True, group=CONTEXTS,
        label="Prefer contexts that contain the head",
    )  # fmt: skip
    delta1: float = option(0.1, "bonus for the same label", label="δ1, same", **_DELTA)
    delta2: float = option(0.07, "for a close one", label="δ2, close", **_DELTA)
    delta3: float = option(0.06, "where the consensus is turned off", label="δ3, NULL", **_DELTA)
    step: float = option(0.02, "first step size", group=SEARCH, label="First step", within=(0.0001, 100.0), step=0.05)
    unit: str = option("margin", "of deltas and step", choices=UNITS, group=SEARCH)
    iterations: int = option(200, "K", least=1, group=SEARCH, label="Iterations", within=(1, 10_000))
    lazy: bool = True
    release: bool = option(True, "stop at K without releasing", name="no-release", group=SEARCH)
    release_iterations: int = 50
    decay: str = "decision"
    patience: int | None = 20
    prune: float | None = 0.3
    start: float = 0.3
    close: bool = True
    branches: int = 1000
    observed: str = "chosen"

    def __post_init__(self):
        if self.unit not in UNITS:
            raise WorkbenchError(f'the unit of deltas and step must be "margin" or "score", got {self.unit!r}')
        if self.observed not in ("chosen", "all"):
            raise WorkbenchError(f'observed must be "chosen" or "all", got {self.observed!r}')
        if self.prune is not None and not 0 <= self.prune < 1:
            raise WorkbenchError(f"prune must be from 0 to below 1, or None, got {self.prune}")
        if not 0 <= self.start <= 1:
            raise WorkbenchError(f"start must be a share from 0 to 1, got {self.start}")
        if self.branches < 0:
            raise WorkbenchError(f"the number of branches must be 0 or more, got {self.branches}")
        _ = self.deltas(), self.dual(), self.contexts  # each refuses what it cannot take

    @property
    def contexts(self) -> ContextSettings:
        """The part that selects contexts."""
        return ContextSettings(self.threshold, self.minimum_count, self.width, self.prefer_inside)

    def deltas(self, unit: float = 1.0) -> Deltas:
        """The rewards of edges, in units of the scores."""
        return Deltas(self.delta1 * unit, self.delta2 * unit, self.delta3 * unit)

    def dual(self, unit: float = 1.0) -> DualSettings:
        """Settings of the search, the step in units of the scores."""
        return DualSettings(
            self.step * unit,
            self.iterations,
            self.lazy,
            self.release,
            self.release_iterations,
            self.decay,
            self.patience,
        )

    def scale(self, margin: float | None) -> float:
        """The unit of deltas and step, given the mean margin of words."""
        return float(margin) if self.unit == "margin" and margin is not None and 0 < margin < np.inf else 1.0

    def as_dict(self) -> dict:
        """Plain values, for run records."""
        return asdict(self)
