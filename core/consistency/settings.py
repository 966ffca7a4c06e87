"""All knobs of inter-sentence consistency in one place, each checked when it is set."""

from dataclasses import asdict, dataclass

import numpy as np

from core.consistency.mrf import Deltas
from core.consistency.windows import WIDEST
from core.decomposition import DualSettings
from core.decomposition.subgradient import DECAYS
from core.errors import WorkbenchError
from core.settings import option

UNITS = ("margin", "score")
CONTEXTS, SEARCH, TREES = "contexts", "consensus and search", "search for trees"  # groups of options
_DELTA = {"group": SEARCH, "within": (0.0, 100.0), "step": 0.05}
NO_SETTINGS = (  # what else differs from rush2012
    "the sign of the update in Figure 2, a plus with which the dual rises, is a minus",
    "values of δ1 to δ3 and of the first step were tuned anew, as the paper does not print its own",
    "pruning keeps the share of the threshold that is set, as the paper does not print its own",
    "the sentence-level models are our second-order parser and our trigram tagger, in place of MSTParser and the "
    "Stanford tagger",
)


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
    lazy : bool, default=True
        Solve only what changed multipliers touch. The iterates are the same (Rush et al. 2012, §9).
    release : bool, default=True
        After the last iteration drop the constraints of sentences that still disagree, and go on, so that the others
        can be proved. The paper only counts such sentences (Rush et al. 2012, §9).
    release_iterations : int, default=50
        Of each round after that.
    decay : {"decision", "component", "all"}, default="decision"
        What shares a step that shrinks. **Decision**: each word has its own, smaller each time that it swings back.
        **Component**: one for sentences that contexts connect, $\alpha_k = \alpha / (1 + $ times their dual
        rose$)$. **All**: one for the whole text (Koo et al. 2010, as Rush et al. 2012, §8).
    patience : int, default=20
        A round ends early when for so many iterations the words in dispute have not become fewer; 0 never ends one
        early, as in the paper.
    prune : float or None, default=0.3
        Arcs are pruned whose max-marginal lies below this share of the way from mean to best. (Weiss & Taskar 2010, as
        in Rush et al. 2012, §9.)

        None prunes nothing. Parsing only.
    start : float, default=0.3
        Share of the parser's preferences among heads that the first multipliers pass on to the consensus side; 0
        starts them at zero, as the paper does. The answer is the same, the way there shorter.
    presolve : bool, default=True
        Look before the search which sentences no consensus can change, and search over the others. The answer is the
        same; without it all takes place in the iterations, as in the paper. Parsing of projective trees only.
    branches : int, default=1000
        Where both sides do not agree in the end, branch and bound over consensus labels finds the answer: the most
        branches in one part of the problem. 0 leaves it to dual decomposition, as the paper.
    last : bool, default=False
        Return the last iterate, as Figure 2 of the paper does, and not the best solution found. Then only agreement
        proves a sentence, and what pruning could have cost is not checked.
    observed : {"chosen", "all"}, default="chosen"
        Training words that vote in a context: those for which it is the chosen one, as for test words; or all in it.
    """

    threshold: float = option(
        ContextSettings.threshold, "least share of the majority head", group=CONTEXTS,
        label="Share of the majority head", within=(0.5, 1.0), step=0.01, paper=1.0,
    )  # fmt: skip
    minimum_count: int = option(
        ContextSettings.minimum_count, "least training words", least=1, group=CONTEXTS, label="Minimum count",
        within=(1, 20), paper=1,
    )  # fmt: skip
    width: int = option(
        ContextSettings.width, "longest template, 1 to 4 words", least=1, group=CONTEXTS,
        label="Widest context, in words", within=(1, WIDEST), paper=4,
    )  # fmt: skip
    prefer_inside: bool = option(
        ContextSettings.prefer_inside, "favour contexts that hold the majority head", either=True, group=CONTEXTS,
        label="Prefer contexts that contain the head", paper=True,
    )  # fmt: skip
    delta1: float = option(0.1, "bonus for the same label", label="δ1, same", **_DELTA)
    delta2: float = option(0.07, "for a close one", label="δ2, close", **_DELTA)
    delta3: float = option(0.06, "where the consensus is turned off", label="δ3, NULL", **_DELTA)
    step: float = option(0.02, "first step size", group=SEARCH, label="First step", within=(0.0001, 100.0), step=0.05)
    unit: str = option(
        "margin", "of deltas and step", choices=UNITS, group=SEARCH, label="Unit", paper="score",
        why="a margin means the same for every parser",
    )  # fmt: skip
    iterations: int = option(
        200, "K", least=1, group=SEARCH, label="Iterations", within=(1, 10_000), paper=200,
        why="words that many sentences share take longer to settle",
    )  # fmt: skip
    lazy: bool = option(
        True, "solve everything anew in each iteration", name="eager", group=SEARCH, label="Solve only what changed",
        paper=True,
    )  # fmt: skip
    release: bool = option(
        True, "stop at K without releasing", name="no-release", group=SEARCH, label="Release what still disagrees",
        paper=False, why="the other sentences can then be proved",
    )  # fmt: skip
    release_iterations: int = 50
    decay: str = option(
        "decision", "what shares a step that shrinks", choices=DECAYS, group=SEARCH, label="Step shrinks for",
        paper="all", why="a word closes in while others still move",
    )  # fmt: skip
    patience: int = option(
        20, "end a round after so many iterations without progress, 0 never", least=0, group=SEARCH, label="Patience",
        within=(0, 10_000), paper=0, why="what has stopped moving is left to branch and bound",
    )  # fmt: skip
    prune: float | None = option(
        0.3, "arcs below this share of the way from mean to best are pruned", least=0.0, group=TREES, label="Pruning",
        within=(0.0, 0.99), step=0.05,
    )  # fmt: skip
    start: float = option(
        0.3, "share of preferences in the first multipliers", group=SEARCH, label="First multipliers",
        within=(0.0, 1.0), step=0.1, paper=0.0, why="the answer is the same and the way shorter",
    )  # fmt: skip
    presolve: bool = option(
        True, "leave all to the iterations, presolve nothing", name="no-presolving", group=TREES, label="Presolve",
        paper=False, why="the answer is the same, and most sentences need no search",
    )  # fmt: skip
    branches: int = option(
        1000, "of branch and bound in one part, 0 for none", least=0, group=SEARCH, label="Branches",
        within=(0, 1_000_000), paper=0, why="it proves what the iterations leave open",
    )  # fmt: skip
    last: bool = option(
        False, "return the last iterate, not the best solution", group=SEARCH, label="Return the last iterate",
        paper=True, why="the best solution found is worth at least as much",
    )  # fmt: skip
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
        if self.patience < 0:
            raise WorkbenchError(f"patience must be 0, for none, or more, got {self.patience}")
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
            self.patience or None,
            self.last,
        )

    def scale(self, margin: float | None) -> float:
        """The unit of deltas and step, given the mean margin of words."""
        return float(margin) if self.unit == "margin" and margin is not None and 0 < margin < np.inf else 1.0

    def as_dict(self) -> dict:
        """Plain values, for run records."""
        return asdict(self)
