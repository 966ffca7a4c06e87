"""Self-training: a parser learns from its own trees of new text, with others or in folds of the text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from core.errors import WorkbenchError
from core.parsers.protocols import Parser
from core.threads import run_ranges
from core.treebank import Treebank

P = TypeVar("P", bound=Parser)


@dataclass(frozen=True)
class SelfTrained(Generic[P]):
    """A parser trained on its teacher's trees too, and the new text as both parse it.

    Attributes
    ----------
    parser, teacher
        The last parser, and the first.
    treebank, teacher_treebank : Treebank
        The new text under their trees.
    """

    parser: P
    teacher: Parser
    treebank: Treebank
    teacher_treebank: Treebank


def self_train(
    train_parser: Callable[[Treebank], P],
    train: Treebank | None,
    text: Treebank,
    *,
    teacher: Parser | None = None,
    rounds: int = 1,
    folds: int = 1,
) -> SelfTrained[P]:
    """Parse a text, train again on the training text and these trees, and parse it again.

    Parameters
    ----------
    train_parser : callable
        Takes a Treebank and returns a trained object with ``parse(treebank)``, such as
        ``lambda treebank: MSTParser(order=2).fit(treebank)``.
    train : Treebank or None
        With right trees; None where there are none, and the teacher's are all there is to learn from.
    text : Treebank
        With the same tags; its trees are not looked at.
    teacher : optional
        The parser trained on ``train``, where there is one already; any object with ``parse``.
    rounds : int, default=1
        How often; in each round the parser of the one before is the teacher.
    folds : int, default=1
        In how many parts the text is parsed again, each by a parser that learnt the others (``cross_parse``): it
        corrects what its teacher got wrong here and right elsewhere, where one that learnt a sentence repeats it.

    Returns
    -------
    SelfTrained

    Raises
    ------
    WorkbenchError : no text, no round, no teacher, fewer sentences than folds.

    Notes
    -----
    With one round and one fold as rush2012 section 8 after Reichart & Rappoport (2007). A round trains one parser, and
    with several folds one more for each.
    """
    if not len(text):
        raise WorkbenchError("self-training needs text to parse; give at least one sentence")
    if rounds < 1:
        raise WorkbenchError(f"self-training needs at least one round, got {rounds}")
    if teacher is None:
        if train is None:
            raise WorkbenchError("self-training needs a teacher or trees to train one on; give either")
        teacher = train_parser(train)
    parsed, parsers = teacher.parse(text), []
    first = parsed
    for _ in range(rounds):
        parsers = [train_parser(parsed if train is None else concatenate(train, parsed))]
        parsed = parsers[0].parse(text) if folds == 1 else cross_parse(train_parser, parsed, folds, train=train)
    return SelfTrained(parsers[0], teacher, parsed, first)


def cross_parse(
    train_parser: Callable[[Treebank], P],
    treebank: Treebank,
    folds: int = 2,
    *,
    train: Treebank | None = None,
    threads: int | None = None,
) -> Treebank:
    """A treebank with every ``folds``-th sentence parsed by a parser that learnt the trees of the others.

    Parameters, errors and the order of sentences are those of ``cross_train``.
    """
    return parse_folds(cross_train(train_parser, treebank, folds, train=train, threads=threads), treebank)


def cross_train(
    train_parser: Callable[[Treebank], P],
    treebank: Treebank,
    folds: int = 2,
    *,
    train: Treebank | None = None,
    threads: int | None = None,
) -> tuple[P, ...]:
    """A parser for each fold of a treebank, which learnt the trees of the others; sentence i is of fold i % folds.

    Parameters
    ----------
    train_parser : callable
        As ``self_train`` takes it; called ``folds`` times, from several threads at once.
    treebank : Treebank
        With trees to learn from.
    folds : int, default=2
    train : Treebank, optional
        Trees that each parser learns too.
    threads : int, optional

    Returns
    -------
    tuple of parsers

    Raises
    ------
    WorkbenchError : fewer than two folds, or fewer sentences than folds.
    """
    if not 2 <= folds <= len(treebank):
        raise WorkbenchError(f"{len(treebank)} sentences cannot be parsed in {folds} folds; take 2 or more, up to that")
    fold, parsers = np.arange(len(treebank)) % folds, {}

    def learn(begin, end):
        for number in range(begin, end):
            others = treebank.select(np.flatnonzero(fold != number))
            parsers[number] = train_parser(others if train is None else concatenate(train, others))

    run_ranges(learn, np.ones(folds), threads)
    return tuple(parsers[number] for number in range(folds))


def parse_folds(parsers: Sequence[Parser], treebank: Treebank) -> Treebank:
    """The treebank that ``cross_train`` was given, each sentence under the tree of the parser that did not learn it."""
    fold = np.arange(len(treebank)) % len(parsers)
    heads, relations = np.full(len(treebank.heads), -1, np.int32), np.full(len(treebank.heads), "", object)
    for number, parser in enumerate(parsers):
        parsed = parser.parse(treebank.select(np.flatnonzero(fold == number)))
        rows = np.flatnonzero(np.repeat(fold == number, treebank.lengths + 1))
        heads[rows] = parsed.heads
        relations[rows] = parsed.deprel.strings()
    return treebank.with_heads(heads, relations.tolist())


def concatenate(*treebanks: Treebank) -> Treebank:
    """One treebank of the sentences of several, named as the first."""
    sentences = (sentence.as_dict() for treebank in treebanks for sentence in treebank)
    return Treebank.from_sentences(sentences, name=treebanks[0].name)
