"""Basic word order in a few answers: the constraints of each answer, and answers from the edges of sentences.

The constraints are in universal tags for the trees of Universal Dependencies. Their targets come from grammars of such
languages, not from counts. Each answer has a constraint for the usual side of such words and one that keeps the other
side rare.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.constraints.language.constraint import Constraint
from core.constraints.matching.check import parse_constraints
from core.errors import WorkbenchError
from core.parsers.universal.questions import answer_numbers, in_one_word
from core.treebank.tag_sets import parts_of_speech
from core.treebank.treebank import Treebank

SHORTEST = 3  # words of the shortest sentences that count
LEAST = 10  # sentences that an answer needs
TIMES = 3  # how much commoner one edge must be than the other
RARE = 10  # so many times rarer than by chance is as good as never
MOST, FEW = 0.6, 0.25  # shares of sentences that end in a verb where heads come last, and where they do not


@dataclass(frozen=True)
class Question:
    """One question of word order.

    Attributes
    ----------
    name : str
        As ``--order`` has it.
    asks : str
    answers : dict of str to tuple of str
        Answer -> constraints, as they are written.
    """

    name: str
    asks: str
    answers: Mapping[str, tuple[str, ...]]


QUESTIONS = (
    Question("adposition", "An adposition stands … its noun", {
        "before": ("ADP <- {NOUN PROPN PRON NUM} per modifier = 0.8..1.0",
                   "{NOUN PROPN PRON NUM} -> ADP per modifier = 0.0..0.05"),
        "after": ("{NOUN PROPN PRON NUM} -> ADP per modifier = 0.8..1.0",
                  "ADP <- {NOUN PROPN PRON NUM} per modifier = 0.0..0.05"),
    }),
    Question("adjective", "An adjective stands … its noun", {
        "before": ("ADJ <- NOUN dist 1..2 per modifier = 0.8..1.0",
                   "NOUN -> ADJ per modifier = 0.0..0.1"),
        "after": ("NOUN -> ADJ dist 1..2 per modifier = 0.8..1.0",
                  "ADJ <- NOUN per modifier = 0.0..0.3"),  # where they follow, some may precede
    }),
    Question("object", "An object stands … its verb", {
        "before": ("NOUN <- VERB per modifier = 0.4..0.9",
                   "VERB -> {NOUN PROPN PRON} per modifier = 0.0..0.08"),
        "after": ("VERB -> {NOUN PROPN} dist 1..4 between none {NOUN PROPN PRON VERB} per modifier = 0.6..1.0",
                  "{NOUN PROPN PRON} <- VERB per head = 0.2..1.0"),  # the subject
    }),
    Question("genitive", "A genitive stands … its noun", {
        "before": ("{NOUN PROPN} <- NOUN dist 1..3 per modifier = 0.3..0.9",
                   "NOUN -> {NOUN PROPN} per modifier = 0.0..0.15"),
        "after": ("NOUN -> {NOUN PROPN} dist 1..4 between none VERB per modifier = 0.4..0.9",
                  "{NOUN PROPN} <- NOUN per modifier = 0.0..0.1"),
    }),
    Question("auxiliary", "An auxiliary stands … its verb", {
        "before": ("AUX <- VERB per modifier = 0.6..1.0",
                   "VERB -> AUX per modifier = 0.0..0.05"),
        "after": ("VERB -> AUX dist 1..3 per modifier = 0.8..1.0",
                  "AUX <- VERB per modifier = 0.0..0.05"),
    }),
    Question("relative", "A relative clause stands … its noun", {
        "before": ("VERB <- {NOUN PROPN} per modifier = 0.1..0.5",
                   "{NOUN PROPN PRON} -> VERB per modifier = 0.0..0.05"),
        "after": ("{NOUN PROPN PRON} -> VERB per modifier = 0.1..0.4",
                  "VERB <- {NOUN PROPN PRON} per modifier = 0.0..0.05"),
    }),
    Question("heads-last", "Heads come last in general", {
        "yes": ("{NOUN PROPN VERB ADJ} -> {NOUN PROPN PRON VERB ADJ ADV NUM} per modifier = 0.0..0.12",  # conjuncts
                "VERB <- VERB per modifier = 0.5..1.0"),
        "no": ("VERB -> VERB per modifier = 0.4..1.0",
               "VERB <- VERB per modifier = 0.0..0.35"),
    }),
    Question("determiner", "A determiner stands … its noun", {
        "before": ("DET <- {NOUN PROPN} per modifier = 0.85..1.0",
                   "{NOUN PROPN} -> DET per modifier = 0.0..0.05"),
        "after": ("{NOUN PROPN} -> DET per modifier = 0.85..1.0",
                  "DET <- {NOUN PROPN} per modifier = 0.0..0.05"),
    }),
    Question("subject", "A subject stands … its verb", {
        "before": ("{NOUN PROPN PRON} <- VERB per head = 0.2..1.0",),  # the rest may be objects
        "after": ("VERB -> {NOUN PROPN PRON} per head = 0.3..1.0",
                  "{NOUN PROPN PRON} <- VERB per modifier = 0.0..0.3"),
    }),
    Question("numeral", "A numeral stands … its noun", {
        "before": ("NUM <- {NOUN PROPN} dist 1..3 per modifier = 0.5..1.0",
                   "{NOUN PROPN} -> NUM per modifier = 0.0..0.3"),  # years and numbers of chapters
        "after": ("{NOUN PROPN} -> NUM dist 1..3 per modifier = 0.5..1.0",
                  "NUM <- {NOUN PROPN} per modifier = 0.0..0.3"),
    }),
    Question("adverb", "An adverb stands … its verb", {
        "before": ("ADV <- VERB per modifier = 0.4..0.9",
                   "VERB -> ADV per modifier = 0.0..0.3"),
        "after": ("VERB -> ADV per modifier = 0.4..0.9",
                  "ADV <- VERB per modifier = 0.0..0.3"),
    }),
    Question("subordinator", "A subordinator stands … its verb", {
        "before": ("SCONJ <- VERB per modifier = 0.6..1.0",
                   "VERB -> SCONJ per modifier = 0.0..0.1"),
        "after": ("VERB -> SCONJ per modifier = 0.6..1.0",
                  "SCONJ <- VERB per modifier = 0.0..0.1"),
    }),
    # tags do not tell an oblique from an object: the parser of other languages alone reads this answer
    Question("oblique", "An oblique stands … its verb", {"before": (), "after": ()}),
)  # fmt: skip
NAMES = {question.name: question for question in QUESTIONS}
INDEX = {name: index for index, name in enumerate(NAMES)}


@dataclass(frozen=True)
class OrderSuggestion:
    """The answer to one question from the edges of sentences.

    Attributes
    ----------
    name : str
        The name of the question.
    answer : str or None
        None if the edges do not show it.
    first, last : int
        How many sentences begin, and end, with such a word; for the object and for heads that come last, with a verb
        or an auxiliary.
    sentences : int
        How many sentences of at least three words there are.
    """

    name: str
    answer: str | None
    first: int
    last: int
    sentences: int


def order_constraints(answers: Mapping[str, str]) -> list[Constraint]:
    """The constraints of some answers, in universal tags, in the order of the questions.

    Parameters
    ----------
    answers : mapping of str to str
        Name of a question -> answer, as ``answer_numbers`` takes them. A share stands for the order of most; what is
        both adds nothing, nor do questions that are not in it.

    Raises
    ------
    WorkbenchError : there is no such question, or no such answer to it.
    """
    sides = dict(zip(NAMES, in_one_word(answer_numbers(answers)).tolist(), strict=True))
    lines = []
    for name, question in NAMES.items():
        before, after = question.answers.values()
        lines += before if sides[name] < 0 else after if sides[name] > 0 else ()
    return parse_constraints("".join(f"{line}\n" for line in lines))


def parse_order(text: str) -> dict[str, str]:
    """Answers as they are written in one argument: ``adposition=before,object=after,adjective=0.8,heads-last=no``.

    Raises WorkbenchError for what is no answer, and for a question that is answered twice.
    """
    answers: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, answer = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise WorkbenchError(f"an answer is a question, = and what it is, such as adposition=before; got {part!r}")
        if name in answers:
            raise WorkbenchError(f"{name} is answered twice; keep one answer")
        answers[name] = answer
    answer_numbers(answers)
    return answers


def format_order(answers: Mapping[str, str]) -> str:
    """Answers as ``parse_order`` reads them."""
    return ",".join(f"{name}={answer}" for name, answer in answers.items())


def suggest_order(treebank: Treebank, tags: str | None = None) -> list[OrderSuggestion]:
    """Answers read off the first and last words of sentences, without looking at a tree.

    A word that stands before what it belongs to can begin a sentence and hardly ends one: an adposition, a determiner
    or an auxiliary that is first ``TIMES`` as often as last stands before. Where most sentences end in a verb, the last
    place is taken. Then a word that is never first, as often as the text has it, stands after. Where most begin with a
    verb the reverse holds. Sentences that mostly end in a verb have objects before it and heads last.

    Parameters
    ----------
    treebank : Treebank
    tags : None, "xpos" or "upos"
        The tag column, whose tags are taken for the parts of speech that they stand for.

    Returns
    -------
    list of OrderSuggestion
        For adposition, determiner, auxiliary, object and heads-last; the edges show nothing of the other questions.

    Raises
    ------
    WorkbenchError : no word has a tag.

    Notes
    -----
    O(rows).
    """
    words = treebank.without_punctuation()
    words = words.select(np.flatnonzero(words.lengths >= SHORTEST))
    column = (words if len(words) else treebank).tag_column(tags)
    parts = np.array([(parts_of_speech(value) or ("",))[0] for value in column.values])
    edges = {
        name: _Edges.of(words, np.isin(parts, wanted)[column.ids] if len(words) else np.empty(0, bool))
        for name, wanted in (
            ("adposition", ["ADP"]), ("determiner", ["DET"]), ("auxiliary", ["AUX"]), ("verb", ["VERB", "AUX"]),
        )
    }  # fmt: skip
    verbs = edges.pop("verb")
    suggestions = [
        OrderSuggestion(name, _side(kind, verbs), kind.first, kind.last, len(words)) for name, kind in edges.items()
    ]
    final = None
    if verbs.having >= LEAST:
        final = "yes" if verbs.last >= MOST * verbs.having else "no" if verbs.last <= FEW * verbs.having else None
    objects = {"yes": "before", "no": "after", None: None}[final]
    for name, answer in (("object", objects), ("heads-last", final)):
        suggestions.append(OrderSuggestion(name, answer, verbs.first, verbs.last, len(words)))
    return suggestions


def doubtful_answers(treebank: Treebank, answers: Mapping[str, str], tags: str | None = None) -> dict[str, str]:
    """Evidence against answers, by question: from the edges of a text's sentences, or from other answers.

    O(rows). Raises WorkbenchError for a text without tags, and for what is no answer.
    """
    sides = dict(zip(NAMES, in_one_word(answer_numbers(answers)).tolist(), strict=True))
    doubts = {}
    if sides["heads-last"] * sides["object"] < 0 and sides["heads-last"] * sides["adposition"] > 0:
        doubts["heads-last"] = (
            f"heads-last={answers['heads-last']} contradicts object={answers['object']} and "
            f"adposition={answers['adposition']}"
        )
    for suggestion in suggest_order(treebank, tags) if answers else ():
        name, answer = suggestion.name, suggestion.answer
        shown = None if answer is None else answer_numbers({name: answer})[INDEX[name]]
        if shown is not None and sides[name] * shown < 0:
            doubts[name] = (
                f"{name}={answers[name]}, but of {suggestion.sentences:,} sentences {suggestion.first:,} begin with "
                f"such a word and {suggestion.last:,} end with one, as where the answer is {answer}"
            )
    return doubts


@dataclass(frozen=True)
class _Edges:
    """How many sentences begin and end with words of a kind, how many would by chance, and how many have one."""

    first: int
    last: int
    chance: float
    having: int

    @classmethod
    def of(cls, words, is_kind):
        """Of a text's rows that are of the kind."""
        if not len(words):
            return cls(0, 0, 0.0, 0)
        counts = np.add.reduceat(is_kind.astype(np.int64), words.offsets[:-1])
        first, last = is_kind[words.offsets[:-1] + 1], is_kind[words.offsets[1:] - 1]
        return cls(int(first.sum()), int(last.sum()), float((counts / words.lengths).sum()), int((counts > 0).sum()))


def _side(edges, verbs):
    """ "before", "after" or None."""
    for often, seldom, answer in ((edges.first, edges.last, "before"), (edges.last, edges.first, "after")):
        if often >= LEAST and often >= TIMES * seldom:
            return answer
    if edges.chance >= LEAST and verbs.having >= LEAST:
        if verbs.last >= MOST * verbs.having and RARE * edges.first <= edges.chance:
            return "after"
        if verbs.first >= MOST * verbs.having and RARE * edges.last <= edges.chance:
            return "before"
    return None
