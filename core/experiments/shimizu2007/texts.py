"""Domains: genres of the English Web Treebank, its questions, and flight requests."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.experiments.at_hand import TextAtHand
from core.experiments.corpora import ATIS, EWT
from core.experiments.experiment import Environment
from core.experiments.files import question_ids
from core.treebank import Treebank, read_conllu

SOURCE_GENRES, TARGET_GENRES = ("weblog", "newsgroup"), ("reviews", "answers", "email")
QUICK, QUICK_TEST = 200, 60  # sentences to train on and to test where only a glance is wanted
PARTS = ("train", "dev", "test")
FEW = 50  # target trees of the last baseline


@dataclass(frozen=True, eq=False)
class Domain:
    """A target: text without trees, a text to test on, a few trees."""

    name: str
    unlabelled: Treebank
    test: Treebank
    few: Treebank
    note: str = ""


def genres(treebank: Treebank, names: Sequence[str], sentences: Set[str] | None = None) -> Treebank:
    """The sentences of EWT whose ids begin with one of these genres; or those of ``sentences``, a set of ids."""
    ids = [sentence.sent_id or "" for sentence in treebank]
    wanted = [sent_id.startswith(tuple(f"{name}-" for name in names)) for sent_id in ids]
    if sentences is not None:
        wanted = [chosen and name in sentences for chosen, name in zip(wanted, ids, strict=True)]
    if not any(wanted):
        raise WorkbenchError(f"{treebank.name} has no sentence of {', '.join(names)}; genres begin its sent_ids")
    return treebank.select(np.array(wanted))


def read_ewt(env: Environment, part: str) -> Treebank:
    """A part of the English Web Treebank: train, dev or test."""
    return read_conllu(env.file(EWT.files[PARTS.index(part)]))


def source_texts(env: Environment, train: Treebank, test: Treebank) -> tuple[Treebank, Treebank]:
    """(source to train on, source to test on)."""
    chosen = genres(train, SOURCE_GENRES), genres(test, SOURCE_GENRES)
    return (chosen[0].limit(QUICK), chosen[1].limit(QUICK_TEST)) if env.quick else chosen


def genre_domain(env: Environment, train: Treebank, test: Treebank, genre: str) -> Domain:
    """One genre of EWT as a target."""
    return _domain(env, genre, genres(train, [genre]), genres(test, [genre]))


def question_domain(env: Environment, train: Treebank, test: Treebank) -> Domain:
    """EWT's questions: those of the target genres' training text as text without trees, all of the test text."""
    ids, every = question_ids(env), (*SOURCE_GENRES, *TARGET_GENRES)
    return _domain(env, "questions", genres(train, TARGET_GENRES, ids), genres(test, every, ids))


def flight_domain(env: Environment) -> Domain:
    """Flight requests: ATIS, which has universal tags only."""
    train, test = (read_conllu(env.file(name)) for name in ATIS.files)
    return _domain(env, "flight requests", train, test)


def texts_at_hand(env: Environment, text: TextAtHand) -> tuple[Treebank, Treebank, list[Domain]]:
    """(source to train on, source to test on, targets): the first kind of the text at hand, and the others.

    Of each kind the first 60% are trained on, the rest tests.
    """
    cut = [(name, *_halves(treebank)) for name, treebank in text.kinds().items()]
    (_, train, test), *targets = cut
    return train, test, [_domain(env, *target) for target in targets]


def _halves(treebank):
    bound = round(0.6 * len(treebank))
    return treebank.limit(bound), treebank.select(np.arange(bound, len(treebank)))


def _domain(env, name, unlabelled, test):
    count = min(FEW, len(unlabelled) // 2)
    few, unlabelled = unlabelled.limit(count), unlabelled.select(np.arange(count, len(unlabelled)))
    if env.quick:
        unlabelled, test = unlabelled.limit(QUICK), test.limit(QUICK_TEST)
    return Domain(name, unlabelled, test, few)
