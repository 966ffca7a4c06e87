r"""Bonuses of consistency learnt together with the parser, by a structured perceptron on held-out folds.

Rush et al. 2012 tune $\delta_1$ to $\delta_3$ once, for a parser that was trained alone, and leave learning both
together to future work (section 10). Of trees Y and consensus labels z the joint value is linear in both,

    F(Y; w) + delta1 c1(Y, z) + delta2 c2(Y, z) + delta3 c3(Y, z),

where c counts the edges between words and consensus labels that pay each bonus. So both can be learnt by one
perceptron. What it predicts are the best Y and z for new text: a parser parses a fold of its training text that it has
not learnt from, consistently with the contexts of the others. Gold trees have the consensus labels that are best for
them (a latent variable; Yu & Joachims 2009). Then, in turn, epoch by epoch:

1. The deltas move by c(gold) - c(predicted), and back to the nearest point with delta1 >= delta2 >= delta3 >= 0.
2. The parsers learn one epoch more. A sentence's predicted tree is the best under the scores and what the consensus on
   its held-out fold pays. The step is the parser's own, of MIRA or of the perceptron.

What is kept are averages over all steps, of deltas as of weights (Collins 2002). Contexts and consensus of a fold are
of parsers that did not learn from it, but these parsers saw one another's folds.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.consistency.contexts import ContextIndex
from core.consistency.mrf import Deltas
from core.consistency.parsing import parse_consistently
from core.consistency.settings import ConsistencySettings
from core.errors import Cancelled, WorkbenchError
from core.offsets import selected_rows
from core.parsers.mst.corpus import learnable
from core.parsers.mst.parser import MSTParser
from core.parsers.mst.training import train_trees
from core.settings import option
from core.treebank import Treebank
from core.trees import PackedScores

LEARNING = "learning of deltas"  # of options
TIE = 1e-9  # per unit of the bonus, as for the consensus MRF: values so near count as equal


@dataclass(frozen=True)
class LearningSettings:
    """How the deltas are learnt.

    Attributes
    ----------
    folds : int, default=5
        Each is parsed by a parser that learnt from the others; sentence i is of fold i % folds.
    rate : float, default=0.1
        The deltas move by it times the difference in edges, divided by the words of the fold that stand in a context.
    epochs : int, default=10
        Passes over the text, and steps of the deltas on each fold.
    seed : int, default=0
        Of the order of sentences.
    """

    folds: int = option(5, "parts of TRAIN that are parsed by parsers of the others", least=2, group=LEARNING)
    rate: float = option(0.1, "what deltas move by, times the difference in edges a word", group=LEARNING)
    epochs: int = 10
    seed: int = 0

    def __post_init__(self):
        if self.folds < 2:
            raise WorkbenchError(f"learning deltas takes at least 2 folds, got {self.folds}")
        if not 0 <= self.rate < np.inf:
            raise WorkbenchError(f"the rate of learning must be 0 or more, got {self.rate}")
        if self.epochs < 1:
            raise WorkbenchError(f"training needs at least one epoch, got {self.epochs}")


@dataclass(frozen=True)
class DeltaEpoch:
    """One epoch of learning.

    Attributes
    ----------
    epoch : int
        Counts from 1.
    deltas : tuple of float
        After it, in the settings' unit, not averaged.
    gold, predicted : tuple of int
        Edges of the same label, of a close one and under NULL, of all held-out folds, observed words included.
    edges : int
        All edges of these folds.
    words : int
        Words of these folds that stand in a context.
    right_alone, right : int
        Of all words, those with the right head by the parsers alone, and with consistency.
    """

    epoch: int
    deltas: tuple[float, float, float]
    gold: tuple[int, int, int]
    predicted: tuple[int, int, int]
    edges: int
    words: int
    right_alone: int
    right: int


@dataclass(frozen=True, eq=False)
class LearntDeltas:
    """What was learnt: the settings with averaged deltas, the parser for them, and how it went, epoch by epoch."""

    settings: ConsistencySettings
    parser: MSTParser
    epochs: tuple[DeltaEpoch, ...]


def learn_deltas(
    parser: MSTParser, train: Treebank, settings: ConsistencySettings | None = None,
    learning: LearningSettings | None = None, *, tags: str | None = None,
    progress: Callable[[DeltaEpoch], object] | None = None, cancel: Cancel | None = None,
) -> LearntDeltas:  # fmt: skip
    """Train a parser and the deltas of consistency together.

    Parameters
    ----------
    parser : MSTParser
        Untrained; it is trained here, from the whole text.
    train : Treebank
        Only sentences that the parser can learn from count.
    settings : ConsistencySettings, optional
        Its deltas are where learning begins; the rest says how folds are parsed.
    learning : LearningSettings, optional
    tags
        Of contexts, as for ``shared_labels``.
    progress : callable, optional
        Called with a DeltaEpoch after each.
    cancel : callable, optional
        Asked often; when it returns True, Cancelled is raised.

    Returns
    -------
    LearntDeltas
        ``settings`` and ``parser`` are what ``parse_consistently`` takes.

    Raises
    ------
    WorkbenchError : fewer sentences than folds, no context in a fold, and what ``MSTParser.fit`` refuses.
    Cancelled : ``cancel`` returned True.

    Notes
    -----
    ``folds`` times as long as training the parser, and ``folds * epochs`` times parsing a fold consistently. Deltas
    that have become equal turn every consensus off. They part again once gold trees agree in more contexts than the
    parser's.
    """
    learning = learning or LearningSettings()
    text = train.select(learnable(train, parser.projective, parser.labels == "joint" and train.deprel.filled)[0])
    if len(text) < learning.folds:
        raise WorkbenchError(f"{len(text)} sentences to learn from make no {learning.folds} folds; give more text")
    return _Learner(parser, text, settings or ConsistencySettings(), learning, tags, cancel).run(progress)


class _Learner:
    """Parsers of the folds' complements and of the whole text in training, and the deltas as they stand."""

    def __init__(self, parser, text, settings, learning, tags, cancel):
        self.settings, self.learning, self.cancel = settings, learning, cancel
        fold_of = np.arange(len(text)) % learning.folds
        self.folds = [np.flatnonzero(fold_of == fold) for fold in range(learning.folds)]
        self.others = [np.flatnonzero(fold_of != fold) for fold in range(learning.folds)]
        self.indices = [
            ContextIndex(text.select(others), text.select(fold), tags=tags)
            for others, fold in zip(self.others, self.folds, strict=True)
        ]
        self.deltas = np.array([settings.delta1, settings.delta2, settings.delta3])
        self.bonus = PackedScores.empty(text.lengths)
        self.bonus.values[:] = 0.0
        self.whole = _Training(parser, text, np.arange(len(text)), learning, cancel)
        below = copy(parser)
        below.labels = parser.labels == "joint" and parser.labels  # no relations of folds are needed
        self.held = [_Training(copy(below), text.select(others), others, learning, cancel) for others in self.others]

    def run(self, progress):
        """The LearntDeltas after all epochs."""
        reports, total = [], np.zeros(3)
        for epoch in range(1, self.learning.epochs + 1):
            for training in (*self.held, self.whole):
                training.learn(self.bonus)
            steps = [self._step(fold) for fold in range(len(self.folds))]
            total += sum(deltas for deltas, _ in steps)
            counts = sum(counts for _, counts in steps)
            reports.append(_report(epoch, self.deltas, counts))
            if progress is not None:
                progress(reports[-1])
        mean = total / (self.learning.epochs * len(self.folds))
        return LearntDeltas(self._with(mean), self.whole.parser, tuple(reports))

    def _step(self, fold):
        """(the deltas after a step on one fold, what was counted there); keeps what its consensus pays."""
        parser, index, text = self.held[fold].parser, self.indices[fold], self.indices[fold].test
        settings = self._with(self.deltas)
        parses = parse_consistently(parser, index.train, text, settings, index=index, cancel=self.cancel)
        if parses.status == "cancelled":
            raise Cancelled
        contexts, classes, rewards = parses.contexts, index.labels.classes, settings.deltas()
        observed = contexts.observed if settings.observed == "chosen" else contexts.observed_wherever
        edges = observed.sum(axis=1) + contexts.test_sizes
        gold, predicted = (
            consensus_counts(observed + contexts.votes(heads) - contexts.observed, edges, classes, rewards)
            for heads in (text.heads, parses.heads.values)
        )
        words = int(contexts.test_sizes.sum())
        self.deltas = in_order(self.deltas + self.learning.rate * (gold - predicted) / words)
        theta = settings.deltas(parses.unit).table(classes)
        consensus = np.where(contexts.test_contexts < 0, -1, parses.labels[contexts.test_contexts])
        for at, sentence in enumerate(self.folds[fold].tolist()):
            rows = slice(*text.offsets[at : at + 2])
            self.bonus[sentence][:] = theta[index.test_labels[rows]][:, consensus[rows]]
        right = [
            int((heads == text.heads)[text.is_word].sum()) for heads in (parses.base_heads.values, parses.heads.values)
        ]
        return self.deltas, np.array([*gold, *predicted, edges.sum(), words, *right])

    def _with(self, deltas):
        """The settings with other deltas."""
        one, two, three = deltas.tolist()
        return replace(self.settings, delta1=one, delta2=two, delta3=three)


class _Training:
    """A parser in training on some sentences of a text."""

    def __init__(self, parser, text, sentences, learning, cancel):
        self.parser, self.sentences, self.cancel = parser, sentences, cancel
        self.trainer = parser.begin(text, learning.epochs, learning.seed, cancel=cancel)
        self.random = np.random.default_rng(learning.seed)
        self._check()

    def learn(self, bonus):
        """One epoch more, in which arcs of the whole text are worth ``bonus`` (PackedScores) beside their scores."""
        self.trainer.bonus = bonus.values[selected_rows(bonus.offsets, self.sentences)[0]]
        self.parser.status = train_trees(self.trainer, 1, self.random, cancel=self.cancel)
        self._check()
        self.parser.model = self.trainer.averaged()

    def _check(self):
        if self.parser.status == "cancelled":
            raise Cancelled


def _report(epoch, deltas, counts):
    gold, predicted, (edges, words, right_alone, right) = (part.tolist() for part in np.split(counts, (3, 6)))
    return DeltaEpoch(epoch, tuple(deltas.tolist()), tuple(gold), tuple(predicted), edges, words, right_alone, right)


def consensus_counts(votes: np.ndarray, edges: np.ndarray, classes: np.ndarray, deltas: Deltas) -> np.ndarray:
    """The edges of each kind, summed over contexts, each with the consensus label that is best for its words.

    Parameters
    ----------
    votes : ndarray of shape (C, L), dtype int
        Words of each context by the label of their heads, observed ones included.
    edges : ndarray of shape (C,), dtype int
        Words of each context, those whose head has no label included.
    classes : ndarray of shape (L,), dtype int32
        Labels of one class are close.
    deltas : Deltas

    Returns
    -------
    ndarray of shape (3,), dtype int64
        Edges of the same label, of a close one, and under NULL: ``deltas @ counts`` is the value of the consensus MRF.

    Notes
    -----
    O(C L^2). Of consensus labels that are equally good the one comes first that most words have, and NULL last: else
    learning would have nothing to go by where all deltas are equal. Source: rush2012 section 4.
    """
    close = votes @ ((classes[:, None] == classes[None, :]) & ~np.eye(len(classes), dtype=bool))
    values, tie = deltas.same * votes + deltas.close * close, TIE * (1 + deltas.same)
    best = np.where(values >= values.max(axis=1, keepdims=True) - tie, votes, -1).argmax(axis=1)
    rows = np.arange(len(votes))
    active = values.max(axis=1) >= deltas.null * edges - tie
    return np.array([votes[rows, best][active].sum(), close[rows, best][active].sum(), edges[~active].sum()])


def in_order(values: np.ndarray) -> np.ndarray:
    """The nearest vector with v[0] >= v[1] >= ... >= 0, by Euclidean distance: float64 like ``values``.

    Pool adjacent violators, then 0 for what is below it (Ayer et al. 1955); O(n).
    """
    blocks: list[tuple[float, int]] = []  # sums and lengths, means not rising
    for value in np.asarray(values, dtype=np.float64).tolist():
        total, count = value, 1
        while blocks and blocks[-1][0] / blocks[-1][1] < total / count:  # as they will be returned, so exact
            before = blocks.pop()
            total, count = total + before[0], count + before[1]
        blocks.append((total, count))
    return np.concatenate([np.full(count, max(total / count, 0.0)) for total, count in blocks])
