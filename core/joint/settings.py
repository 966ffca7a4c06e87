"""How joint parsers are trained and how long they talk."""

from dataclasses import asdict, dataclass

from core.errors import WorkbenchError
from core.joint.consensus import BITS, PAPER, checked_kinds
from core.parsers.mst.training import LEARNERS
from core.settings import option

CONJOINED = OURS, BASELINE = "ours", "baseline"
LEARNT_ON = TRAINING, DEVELOPMENT = "training", "development"
NO_SETTINGS = (  # what else differs from zhou2013
    "a candidate counts by exp(score / T), with the temperature T that predicts held-out trees best",
    "temperatures, and consensus weights that are learnt on development text, are learnt from folds of the training "
    "text where none is given",
    "where tag sets differ a tagger of the first treebank tags all texts (paper: one of a third corpus)",
    "the best pair of trees is searched by dual decomposition too, beside the rounds",
)


@dataclass(frozen=True)
class JointSettings:
    r"""Settings of a JointParser.

    Attributes
    ----------
    order : {1, 2}, default=2
        The parts of a tree that are scored, alone ($P_s$) and by the other parser's list ($\Psi$): $F_s(x, y) = P_s(x,
        y) + \sum_{k \ne s} \Psi_k(y, H_k(x))$ (Zhou & Zhao 2013, eq. 2). 1: arcs, the paper's dep1; 2: siblings and
        grandparents too, its dep2 (§3).
    candidates : int, default=16
        Trees in each parser's list $H_k$; 16 in Zhou & Zhao 2013, §3. Each counts by its probability in the list,
        $P(y' \mid d_k) \propto \exp(F_k(y') / T)$ (eq. 4); the temperature $T$ is the one that predicts held-out trees
        best.
    rounds : int, default=4
        How often both parse again with features of the other's list, each time with better lists. (Zhou & Zhao 2013,
        Algorithm 1, steps 2 to 5; four rounds in §3.)
    stages : int, default=2
        Joint parsers of each scheme: one is trained for the first round, another for the later ones, whose lists differ
        from those of the first. The paper trains one (Zhou & Zhao 2013, §2).

        The first learns from the baselines' lists and serves in round 1. The second learns from these and the lists
        after round 1, and serves in round 2. The last serves all later rounds. With 1, as in the paper, later rounds
        meet lists that training did not.
    kinds : tuple of str
        Consensus features, of ``core.joint.KINDS``; by default those of zhou2013. A first-order parser leaves out
        those of larger parts.
    conjoined : {"ours", "baseline"}
        The features of a part that its consensus is conjoined with. **Ours**: some twenty of forms, tags, direction and
        distance. **The baseline's**: all of its own but those of words between (Zhou & Zhao 2013, §2.3).
    learnt_on : {"training", "development"}
        The text that teaches consensus weights. **Training text**: the one of the baseline, and all weights are learnt
        together. **Held-out text**, or development text: one that no parser has seen, and the baseline's weights stay
        (Zhou & Zhao 2013, §2, Parameter Estimation).

        Where there is no development text a fold of the training text stands for it, parsed by parsers of the others.
        What is learnt there is then added to the baseline of the whole text.
    learner : {"perceptron", "mira"}
    epochs : int, default=10
        How often training goes through the trees (averaged perceptron, Zhou & Zhao 2013, §2, Parameter Estimation).
    folds : int, default=5
        Training text is parsed by parsers that were trained on the other folds.
    tags : {"both", "xpos", "upos", None}
        Tag columns to read, as ``MSTParser`` has it.
    table_bits : int, default=20
        A parser's table of weights has 2 ** table_bits numbers.
    bits : int, default=18
        Its table of consensus weights has 2 ** bits numbers.
    labels : bool, default=True
        Learn relations too; they are chosen in the finished trees, and play no part in joint inference.
    seed : int, default=0
    """

    order: int = option(2, "1: dep1, arcs; 2: dep2", choices=(1, 2), label="Order")
    candidates: int = option(16, "trees a list", least=1, label="Candidates", within=(1, 64), paper=16)
    rounds: int = option(4, least=1, label="Rounds", within=(1, 10), paper=4)
    stages: int = option(
        2, "joint parsers a scheme, for round after round", least=1, label="Joint parsers", within=(1, 4), paper=1,
        why="lists of later rounds are then like those that training met",
    )  # fmt: skip
    kinds: tuple = PAPER
    conjoined: str = option(
        OURS, "what consensus features are conjoined with", choices=CONJOINED, label="Consensus conjoined with",
        paper=BASELINE, why="a quarter of the features is as good",
    )  # fmt: skip
    learnt_on: str = option(
        TRAINING, "text that teaches consensus weights", choices=LEARNT_ON, label="Consensus learnt on",
        paper=DEVELOPMENT, why="more sentences teach, and both kinds of weights fit each other",
    )  # fmt: skip
    learner: str = option("perceptron", choices=LEARNERS, paper="perceptron")
    epochs: int = option(10, "passes over the text", least=1, label="Passes", within=(1, 50))
    folds: int = option(5, "parts of a training text that are parsed by parsers of the others", least=1)
    tags: str | None = None
    table_bits: int = option(20, "a parser has a table of 2^N weights", least=1)
    bits: int = option(BITS, "and of 2^N consensus weights", least=1)
    labels: bool = True
    seed: int = option(0, "seed of everything random")

    def __post_init__(self):
        if self.order not in (1, 2):
            raise WorkbenchError(f"order must be 1 or 2, got {self.order!r}")
        for name in ("candidates", "rounds", "stages", "epochs"):
            if getattr(self, name) < 1:
                raise WorkbenchError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.folds < 2:
            raise WorkbenchError(f"cross-validation needs at least 2 folds, got {self.folds}")
        if self.conjoined not in CONJOINED:
            raise WorkbenchError(f'conjoined must be "ours" or "baseline", got {self.conjoined!r}')
        if self.learnt_on not in LEARNT_ON:
            raise WorkbenchError(f'learnt_on must be "training" or "development", got {self.learnt_on!r}')
        if self.learner not in LEARNERS:
            raise WorkbenchError(f"no learner called {self.learner!r}: choose {' or '.join(LEARNERS)}")
        kinds = checked_kinds(self.kinds, self.order)
        if not kinds:
            raise WorkbenchError("joint parsers need at least one consensus feature that their order has parts for")
        object.__setattr__(self, "kinds", kinds)

    def as_dict(self) -> dict:
        """Plain values for JSON."""
        return asdict(self)
