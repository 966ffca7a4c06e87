"""Self-training: a parser's own trees of new text, added to those it learnt from (one round)."""

from dataclasses import dataclass

from core.errors import WorkbenchError
from core.treebank import Treebank


@dataclass(frozen=True)
class SelfTrained:
    """A parser trained on its teacher's trees too, and the new text as both parse it.

    Attributes
    ----------
    parser, teacher
        The second parser, and the first.
    treebank, teacher_treebank : Treebank
        The new text under their trees.
    """

    parser: object
    teacher: object
    treebank: Treebank
    teacher_treebank: Treebank


def self_train(train_parser, train, text, *, teacher=None):
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

    Returns
    -------
    SelfTrained

    Raises
    ------
    WorkbenchError : no text.

    Notes
    -----
    One round, as rush2012 section 8 after Reichart & Rappoport (2007).
    """
    if not len(text):
        raise WorkbenchError("self-training needs text to parse; give at least one sentence")
    teacher = train_parser(train) if teacher is None else teacher
    parsed = teacher.parse(text)
    together = Treebank.from_sentences(
        (sentence.as_dict() for treebank in (train, parsed) for sentence in treebank), name=train.name
    )
    parser = train_parser(together)
    return SelfTrained(parser, teacher, parser.parse(text), parsed)
