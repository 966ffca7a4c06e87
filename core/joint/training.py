"""Baselines, their candidates for training text, and joint parsers that learn from them."""

from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np

from core.callbacks import Cancel
from core.errors import Cancelled, WorkbenchError
from core.features.packed import PackedParts
from core.joint.candidates import Candidates, best_temperature
from core.joint.consensus import consensus_features
from core.joint.settings import BASELINE, JointSettings
from core.parsers import MSTParser
from core.parsers.mst.corpus import learnable, reasons
from core.parsers.mst.training import TreeTrainer, train_trees
from core.treebank import Treebank


def new_parser(settings: JointSettings, labels: bool = False) -> MSTParser:
    """An untrained parser of these settings; order 2 has siblings and grandparents, as the paper's dep2."""
    return MSTParser(
        settings.order,
        settings.order == 2,
        learner=settings.learner,
        labels=labels,
        tags=settings.tags,
        bits=settings.table_bits,
    )


def fit_baseline(
    treebank: Treebank, settings: JointSettings, labels: bool = False, cancel: Cancel | None = None
) -> MSTParser:
    """A parser that learns from the treebank alone."""
    return _fitted(new_parser(settings, labels and treebank.deprel.filled), treebank, settings, cancel)


def fit_joint(
    baseline: MSTParser, treebank: Treebank, lists: dict[int, Candidates], settings: JointSettings,
    cancel: Cancel | None = None,
) -> MSTParser:  # fmt: skip
    """A parser that learns from the treebank and from the other parsers' candidates for its sentences.

    ``baseline`` is the one of the same treebank, which says what features read of a word; ``lists`` is a dict of int to
    Candidates: each other parser's, by its number. All weights are learnt together.
    """
    return _fitted(new_parser(settings), treebank, settings, cancel, consensus(baseline, treebank, lists, settings))


def fit_consensus(
    fixed: MSTParser, baseline: MSTParser, treebank: Treebank, lists: dict[int, Candidates], settings: JointSettings,
    cancel: Cancel | None = None,
) -> MSTParser:  # fmt: skip
    """A parser that learns consensus weights alone: those of ``fixed``, which has not seen the text, stay as they are.

    Other arguments as for ``fit_joint``. Raises WorkbenchError where no sentence can be learnt from.
    """
    usable, skipped = learnable(treebank, projective=True)
    if not usable.any():
        raise WorkbenchError(
            f"no consensus can be learnt from the {len(treebank)} sentences that were held out ({reasons(skipped)}); "
            "give more text, or learn it on the training text"
        )
    extra = consensus(baseline, treebank, lists, settings)
    model = fixed.trained().with_extra(np.zeros(extra.count, np.float32))
    text, extra = treebank.select(usable), extra.select(np.flatnonzero(usable))
    trainer = TreeTrainer(model, text, settings.learner, np.inf, extra, first_learnt=model.first_extra)
    parser = new_parser(settings)
    parser.status = train_trees(trainer, settings.epochs, settings.seed, cancel=cancel)
    if parser.status == "cancelled":
        raise Cancelled
    parser.model = trainer.averaged()
    return parser


def with_consensus(baseline: MSTParser, joint: MSTParser, settings: JointSettings) -> MSTParser:
    """A baseline with the consensus weights of a joint parser."""
    parser, learnt = new_parser(settings), joint.trained()
    parser.model, parser.status = baseline.trained().with_extra(learnt.weights[learnt.first_extra :]), joint.status
    return parser


def _fitted(parser, treebank, settings, cancel, extra=None):
    parser.fit(treebank, epochs=settings.epochs, seed=settings.seed, cancel=cancel, extra=extra)
    if parser.status == "cancelled":
        raise Cancelled
    return parser


def consensus(
    baseline: MSTParser, treebank: Treebank, lists: dict[int, Candidates], settings: JointSettings
) -> PackedParts:
    """The consensus features of a text for one parser, from the candidates of the others."""
    features = baseline.trained()
    templates = features.templates if settings.conjoined == BASELINE else None
    return consensus_features(lists, features.fields(treebank), settings.kinds, settings.bits, templates)


def candidates(
    parser: MSTParser, treebank: Treebank, settings: JointSettings, temperature: float = 1.0,
    extra: PackedParts | None = None,
) -> Candidates:  # fmt: skip
    """A parser's list for each sentence of a text; a sentence without any tree is left without candidates."""
    trees = parser.kbest(treebank, settings.candidates, extra, errors="mark")
    return Candidates(treebank.lengths, trees, temperature)


class HeldOut:
    """A parser's candidates for texts of which it may have seen a part in training.

    A sentence of the training text is parsed by a parser that was trained without its fold. So lists of training text
    are like lists of new text. Folds are trained when they are first needed: between two corpora without a common
    sentence none is.

    Parameters
    ----------
    parser : MSTParser
    treebank : Treebank
        What it was trained on.
    settings : JointSettings
    fit : callable
        Takes the indices of training sentences, and returns a parser trained like this one on them alone.
    within : bool
        Whether the treebank may be one fold of another HeldOut: its own folds are other ones then.
    """

    def __init__(
        self, parser: MSTParser, treebank: Treebank, settings: JointSettings, fit: Callable[[np.ndarray], MSTParser],
        within: bool = False,
    ):  # fmt: skip
        self.parser, self.treebank, self.settings, self.fit = parser, treebank, settings, fit
        self.within, self.keys = within, sentence_keys(treebank)
        self.fold_of = self._folds_of(self.keys)
        self.folds = {}

    def candidates(self, text: Treebank, extra: PackedParts | None = None) -> Candidates:
        """Candidates at temperature 1, ``extra`` being the consensus features of the text where the parser has some."""
        trees = candidates(self.parser, text, self.settings, extra=extra)
        keys = sentence_keys(text)
        seen = np.isin(keys, self.keys)
        for fold in range(self.settings.folds):
            chosen = np.flatnonzero(seen & (self._folds_of(keys) == fold))
            if len(chosen):
                part = None if extra is None else extra.select(chosen)
                parsed = candidates(self._fold(fold), text.select(chosen), self.settings, extra=part)
                _replace(trees.trees, chosen, parsed.trees)
        return trees

    def temperature(self, extra: PackedParts | None = None) -> float:
        """The best temperature for the sentences of one fold, parsed by a parser that did not see them."""
        parser, text = self.fold()
        part = None if extra is None else extra.select(np.flatnonzero(self.fold_of == self._largest))
        return best_temperature(candidates(parser, text, self.settings, extra=part), text)

    def fold(self, number: int | None = None) -> tuple[MSTParser, Treebank]:
        """(a parser, the sentences of one fold, which it was trained without); by default of the largest."""
        number = self._largest if number is None else number
        return self._fold(number), self.treebank.select(self.fold_of == number)

    def under(self, settings: JointSettings) -> "HeldOut":
        """These parsers, those of folds included, for lists under other settings."""
        other = HeldOut(self.parser, self.treebank, settings, self.fit, self.within)
        if len(other.fold_of) and not np.array_equal(other.fold_of, self.fold_of):
            raise WorkbenchError("parsers of other folds cannot be taken over; keep the number of folds")
        other.folds = self.folds
        return other

    def _folds_of(self, keys):
        folds = self.settings.folds
        return keys // folds % folds if self.within else keys % folds

    @property
    def _largest(self):
        return int(np.argmax(np.bincount(self.fold_of)))

    def _fold(self, fold):
        """The parser trained on all other folds; the parser itself where nothing else is left."""
        if fold not in self.folds:
            others = np.flatnonzero(self.fold_of != fold)
            self.folds[fold] = self.fit(others) if len(others) else self.parser
        return self.folds[fold]


def largest_fold(held: Sequence[HeldOut]) -> int:
    """The fold that is largest where it is smallest: a sentence is of the same fold in each treebank that has it."""
    folds = held[0].settings.folds
    return int(np.argmax(np.min([np.bincount(part.fold_of, minlength=folds) for part in held], axis=0)))


def sentence_keys(treebank: Treebank) -> np.ndarray:
    """int64 (S,): a number for the words of each sentence, the same for the same words."""
    return np.array([crc32("\t".join(sentence.forms[1:]).encode()) for sentence in treebank], dtype=np.int64)


def _replace(trees, chosen, others):
    """Put the lists of ``others`` in the place of those of some sentences."""
    for at, sentence in enumerate(chosen.tolist()):
        span, other = trees.offsets[sentence : sentence + 2], others.offsets[at : at + 2]
        trees.heads[span[0] : span[1]] = others.heads[other[0] : other[1]]
    trees.values[chosen], trees.counts[chosen] = others.values, others.counts
