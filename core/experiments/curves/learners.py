"""What a curve can be of: a small table of learners, each by the unit that its material grows by.

A learner is a function that trains on a ``Portion`` and parses its test sentences.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.callbacks import Cancel
from core.constraints import PRESETS, Constraint, GETrainer, GrammarSettings, train_grammar
from core.constraints.ge.training import TEXT_LENGTH
from core.errors import WorkbenchError
from core.parsers import DMV, DMVSettings, MSTParser
from core.parsers.crf.tree_crf import trainable
from core.parsers.self_training import concatenate, self_train
from core.treebank import Treebank

UNITS = ("trees", "words", "lines")
INDUCTION_LENGTH = 45  # words of the longest sentences a DMV learns from, spitkovsky2010's limit


@dataclass(frozen=True, eq=False)
class Portion:
    """The part of a text to learn from: as much of the growing unit as the size says, and all of the rest.

    Attributes
    ----------
    trees : Treebank
        Sentences to learn trees from.
    text : Treebank
        Sentences to learn from as text: nobody looks at their heads.
    lines : tuple of Constraint
    test : Treebank
        Sentences to parse.
    tags : {"xpos", "upos", None}
    seed : int
        Of everything random in training.
    cancel : callable
    """

    trees: Treebank
    text: Treebank
    lines: tuple[Constraint, ...]
    test: Treebank
    tags: str | None
    seed: int
    cancel: Cancel


@dataclass(frozen=True)
class CurveLearner:
    """A way to learn.

    Attributes
    ----------
    name, by : str
        Together they name it; ``by`` is one of ``UNITS``.
    title : str
        As a sentence may call it.
    parse : callable
        Trains on a Portion and returns its test sentences under new trees. One that was cancelled may return
        anything: its trees are not looked at.
    trees, lines : bool
        Whether it needs trees, and lines, beside what grows.
    longest : int or None
        Words of the longest sentences in which a line must match something.
    """

    name: str
    by: str
    title: str
    parse: Callable[[Portion], Treebank]
    trees: bool = False
    lines: bool = False
    longest: int | None = None


def learner_named(by: str, name: str | None = None, *, lines: bool = False) -> CurveLearner:
    """The learner of that name, or the first of its unit that needs no lines where there are none.

    Raises WorkbenchError for an unknown unit or name, and where lines are needed and missing.
    """
    if by not in UNITS:
        raise WorkbenchError(f"a curve goes by {', '.join(UNITS)}, not by {by!r}")
    offered = {learner.name: learner for learner in LEARNERS if learner.by == by}
    if name is None:
        every = list(offered.values())
        return next((learner for learner in every if lines or not learner.lines), every[0])
    if name not in offered:
        raise WorkbenchError(f"no learner by {by} is called {name!r}; choose {', '.join(offered)}")
    return offered[name]


def _supervised(order):
    def parse(portion):
        parser = MSTParser(order, labels=False, tags=portion.tags)
        parser.fit(portion.trees, seed=portion.seed, cancel=portion.cancel)
        return parser.parse(portion.test)

    return parse


def _grammar(portion):
    settings = GrammarSettings(tags=portion.tags)
    return train_grammar(portion.text, portion.lines, settings, cancel=portion.cancel).model.parse(portion.test)


def _stacked(portion):
    settings = GrammarSettings(tags=portion.tags, stacked=True)
    text, unknown = concatenate(portion.text, portion.trees), np.full(len(portion.text.heads), -1, np.int32)
    trees = np.concatenate([unknown, portion.trees.heads])
    return train_grammar(text, portion.lines, settings, trees=trees, cancel=portion.cancel).model.parse(portion.test)


def _crf(portion, trees=False):
    trainer = GETrainer(portion.text.max_length(TEXT_LENGTH), replace(PRESETS["text"], tags=portion.tags))
    known = None
    if trees:
        known = portion.trees.select(np.flatnonzero(trainable(portion.trees, trainer.model.distribution))) or None
    return trainer.train(portion.lines, trees=known, cancel=portion.cancel).model.parse(portion.test)


def _induced(portion):
    settings = DMVSettings("harmonic", (INDUCTION_LENGTH,), algorithm="em", seed=portion.seed)
    return DMV(settings, tags=portion.tags).fit(portion.text, cancel=portion.cancel).parse(portion.test)


def _self_trained(portion):
    def train(treebank):
        parser = MSTParser(2, labels=False, tags=portion.tags)
        return parser.fit(treebank, seed=portion.seed, cancel=portion.cancel)

    return self_train(train, portion.trees, portion.text).parser.parse(portion.test)


_OF_LINES = {"lines": True, "longest": TEXT_LENGTH}
LEARNERS = (
    CurveLearner("second-order", "trees", "second-order parser", _supervised(2)),
    CurveLearner("first-order", "trees", "first-order parser", _supervised(1)),
    CurveLearner("stacked", "trees", "second-order parser that reads a grammar from lines", _stacked, lines=True),
    CurveLearner("crf", "trees", "tree CRF from lines and trees", partial(_crf, trees=True), **_OF_LINES),
    CurveLearner("grammar", "words", "grammar from lines", _grammar, lines=True),
    CurveLearner("dmv", "words", "DMV from tags alone", _induced),
    CurveLearner("self-training", "words", "second-order parser with self-training", _self_trained, trees=True),
    CurveLearner("grammar", "lines", "grammar from lines", _grammar, lines=True),
    CurveLearner("crf", "lines", "tree CRF from lines", _crf, **_OF_LINES),
)
