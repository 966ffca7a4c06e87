"""Self-training: a parser's own trees of new text, added to those it learnt from."""

from dataclasses import dataclass
from typing import Any

from core.errors import WorkbenchError
from core.treebank import Treebank


@dataclass(frozen=True)
class SelfTrained:
    """A parser trained on its teacher's trees too, and the new text as both parse it.

    Attributes
    ----------
    parser, teacher
        The last parser, and the first.
    treebank, teacher_treebank : Treebank
        The new text under their trees.
    """

    parser: Any
    teacher: Any
    treebank: Treebank
    teacher_treebank: Treebank


def self_train(train_parser, train, text, *, teacher=None, rounds=1):
    """Parse a text, train again on the training text and these trees, and parse it again.

    Parameters
    ----------
    train_parser : callable
        Takes a Treebank and returns a trained object with ``parse(treebank)``, such as
        ``lambda treebank: MSTParser(order=2).fit(treebank)``.
    train : Treebank
        With right trees.
    text : Treebank
        With the same tags; its trees are not looked at.
    teacher : optional
        The parser trained on ``train``, where there is one already.
    rounds : int, default=1
        How often; in each round the parser of the one before is the teacher.

    Returns
    -------
    SelfTrained

    Raises
    ------
    WorkbenchError : no text, no round.

    Notes
    -----
    With one round as rush2012 section 8 after Reichart & Rappoport (2007).
    """
    if not len(text):
        raise WorkbenchError("self-training needs text to parse; give at least one sentence")
    if rounds < 1:
        raise WorkbenchError(f"self-training needs at least one round, got {rounds}")
    parser = teacher = train_parser(train) if teacher is None else teacher
    parsed = first = teacher.parse(text)
    for _ in range(rounds):
        parser = train_parser(together(train, parsed))
        parsed = parser.parse(text)
    return SelfTrained(parser, teacher, parsed, first)


def together(*treebanks):
    """One treebank of the sentences of several, named as the first."""
    sentences = (sentence.as_dict() for treebank in treebanks for sentence in treebank)
    return Treebank.from_sentences(sentences, name=treebanks[0].name)
