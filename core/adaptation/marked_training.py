"""Self-training on sentences with mark-up: a parser's own trees of them, each the best that respects its brackets.

spitkovsky2010 ends with the hope that mark-up will help other parsers than the DMV. A supervised one can read it as a
partial annotation of new text: it is taught first on trees, parses marked text under the constraints that the mark-up
puts on it, and learns again from both.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.errors import WorkbenchError
from core.markup.marked import marked_sentences
from core.parsers import MSTParser
from core.parsers.self_training import SelfTrained, concatenate
from core.treebank import Treebank


@dataclass(frozen=True)
class MarkedTrained(SelfTrained):
    """As SelfTrained; ``treebank`` and ``teacher_treebank`` hold the marked sentences alone, under their brackets.

    ``fallbacks`` says how many of them the teacher held at which level, ``changed`` how many of its trees the brackets
    changed.
    """

    fallbacks: dict = field(default_factory=dict)
    changed: int = 0


def self_train_on_marked(
    train_parser: Callable, train: Treebank, text: Treebank, *, level: str = "loose", weight: float = 1.0,
    teacher: MSTParser | None = None, rounds: int = 1,
) -> MarkedTrained:  # fmt: skip
    """Parse marked sentences under their brackets, train again on the training text and on these trees.

    Parameters
    ----------
    train_parser : callable
        ``train_parser(treebank, weights)`` returns a trained MSTParser; ``weights`` is one number a sentence, such as
        ``lambda treebank, weights: MSTParser(2).fit(treebank, sentence_weights=weights)``.
    train : Treebank
        With right trees.
    text : Treebank
        With ``# markup`` comments and the same tags; its trees are not looked at, its sentences without brackets are
        left out.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        At which brackets must hold; "none" is plain self-training on the same sentences.
    weight : float, default=1
        What a marked sentence counts beside one of the training text.
    teacher : MSTParser, optional
        The parser trained on ``train``, where there is one already.
    rounds : int, default=1
        How often; in each round the parser of the one before is the teacher.

    Returns
    -------
    MarkedTrained

    Raises
    ------
    WorkbenchError : no sentence with mark-up, no round, an unknown level, a negative weight, other tags.
    """
    brackets = marked_sentences(text)
    marked = np.flatnonzero([len(spans) > 0 for spans in brackets])
    if not len(marked):
        raise WorkbenchError("self-training needs sentences with mark-up; give a text with # markup comments")
    if rounds < 1:
        raise WorkbenchError(f"self-training needs at least one round, got {rounds}")
    text, brackets = text.select(marked), [brackets[i] for i in marked.tolist()]
    weights = np.concatenate((np.ones(len(train)), np.full(len(text), float(weight))))
    parser = teacher = train_parser(train, weights[: len(train)]) if teacher is None else teacher
    parsed = first = teacher.parse_bracketed(text, brackets, level)
    for _ in range(rounds):
        parser = train_parser(concatenate(train, parsed.treebank), weights)
        parsed = parser.parse_bracketed(text, brackets, level)
    return MarkedTrained(parser, teacher, parsed.treebank, first.treebank, first.fallbacks, first.changed)
