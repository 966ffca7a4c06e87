"""Questions of word order: of which arcs each speaks, and how trees or a person answer them.

An answer is a number from -1, all such words stand before their heads, to 1, all stand after them; NaN where nothing is
known. ``core.constraints.authoring.word_order`` has the constraints that an answer stands for. That answers choose
among what other languages do is selective sharing (Naseem, Barzilay & Globerson 2012, P12-1066).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.compilation.kernels import kernel
from core.errors import WorkbenchError
from core.parsers.universal.text import TAGS, TaggedWords

BEFORE, AFTER, BOTH = "before", "after", "both"
CLEAR = 0.4  # the least distance from 0 at which trees' answers are before or after, not both
LEAST = 8  # words from which trees answer
SURE = 0.9  # the number of an answer in one word
NOMINAL, NAME = "NOUN PROPN PRON NUM", "NOUN PROPN"
CONTENT, LOOSE = "*content", ("cc", "compound", "conj", "discourse", "fixed", "flat", "goeswith", "list", "appos",
                              "parataxis", "punct", "reparandum", "root", "vocative")  # fmt: skip


@dataclass(frozen=True)
class OrderQuestion:
    """A question about word order: the classes of arcs that it asks about.

    Attributes
    ----------
    name : str
        As ``--order`` has it.
    words : str
        What stands before or after, in a sentence.
    heads, modifiers : str
        Parts of speech.
    relation : str
        "" for all; CONTENT for those of which one end is the head in every language.
    """

    name: str
    words: str
    heads: str
    modifiers: str
    relation: str = ""


QUESTIONS = (
    OrderQuestion("adposition", "adpositions", NOMINAL, "ADP"),
    OrderQuestion("adjective", "adjectives", NAME, "ADJ"),
    OrderQuestion("object", "objects", "VERB", NAME, "obj"),
    OrderQuestion("genitive", "genitives", NAME, NAME, "nmod"),
    OrderQuestion("auxiliary", "auxiliaries", "VERB NOUN PROPN ADJ", "AUX"),
    OrderQuestion("relative", "relative clauses", NAME, "VERB", "acl"),
    OrderQuestion("heads-last", "modifiers", "NOUN PROPN VERB ADJ", "NOUN PROPN PRON VERB ADJ ADV NUM", CONTENT),
    OrderQuestion("determiner", "determiners", NAME, "DET"),
    OrderQuestion("subject", "subjects", "VERB", NOMINAL, "nsubj"),
    OrderQuestion("numeral", "numerals", NAME, "NUM"),
    OrderQuestion("adverb", "adverbs", "VERB", "ADV"),
    OrderQuestion("subordinator", "subordinators", "VERB", "SCONJ"),
    OrderQuestion("oblique", "obliques", "VERB", NOMINAL, "obl"),
)
NAMES = tuple(question.name for question in QUESTIONS)
SIX = NAMES[:6]


def arc_classes() -> np.ndarray:
    """bool (Q, T + 1, T + 1): for each question, which parts of speech of head and modifier it speaks of."""
    classes = np.zeros((len(QUESTIONS), len(TAGS) + 1, len(TAGS) + 1), bool)
    for of_question, question in zip(classes, QUESTIONS, strict=True):
        heads, modifiers = ([TAGS.index(tag) for tag in tags.split()] for tags in (question.heads, question.modifiers))
        of_question[np.ix_(heads, modifiers)] = True
    return classes


def relation_classes(relations: Sequence[str]) -> np.ndarray:
    """bool (Q, R): for each question, which relations it speaks of."""
    return np.array([
        [question.relation in ("", name) or (question.relation == CONTENT and name not in LOOSE) for name in relations]
        for question in QUESTIONS
    ]).reshape(len(QUESTIONS), len(relations))  # fmt: skip


def answers_of_trees(words: TaggedWords, relations: Sequence[str]) -> np.ndarray:
    """float64 (Q,): what trees answer, (after - before) / (after + before); NaN from fewer than eight words. O(rows).

    ``relations`` are the names of ``words.relations``, without subtypes.
    """
    counts = np.zeros((len(QUESTIONS), 2))
    classes = arc_classes(), relation_classes(relations)
    _count_sides(words.tags, words.heads, words.relations, words.offsets, *classes, counts)
    total = counts.sum(axis=1)
    shares = np.full(len(QUESTIONS), np.nan)
    enough = total >= LEAST
    shares[enough] = (counts[enough, 1] - counts[enough, 0]) / total[enough]
    return shares


def in_one_word(answers: np.ndarray) -> np.ndarray:
    """(Q,): answers in degrees as a person gives them: before, after, and nothing where it is both."""
    return np.where(np.abs(answers) > CLEAR, SURE * np.sign(answers), np.nan)


def answer_numbers(answers: Mapping[str, str | float]) -> np.ndarray:
    """float64 (Q,): the numbers of answers by name: before, after, both, yes and no, or the share that stand before.

    Raises
    ------
    WorkbenchError : there is no such question, or no such answer to it.
    """
    numbers = np.full(len(QUESTIONS), np.nan)
    for name, answer in answers.items():
        if name not in NAMES:
            raise WorkbenchError(f"there is no question of word order {name!r}; the questions are {', '.join(NAMES)}")
        numbers[NAMES.index(name)] = _number(name, answer)
    return numbers


def _number(name, answer):
    """The number of one answer. Of heads that come last, "yes" is before and a share is that of modifiers before."""
    words = {"yes": -SURE, "no": SURE} if name == "heads-last" else {BEFORE: -SURE, AFTER: SURE}
    words[BOTH] = 0.0
    if answer in words:
        return words[answer]
    try:
        share = float(answer)
    except ValueError:
        share = np.nan
    if not 0 <= share <= 1:
        raise WorkbenchError(
            f"the answer to {name} is {', '.join(words)}, or the share from 0 to 1 that stand before, not {answer!r}; "
            "leave it out if it is not known"
        )
    return 1 - 2 * share


@kernel
def _count_sides(tags, heads, relations, offsets, classes, speaks, counts):
    """Add up, for each question, the words before and after their heads of which it speaks."""
    for i in range(len(offsets) - 1):
        begin = offsets[i]
        for row in range(begin + 1, offsets[i + 1]):
            head = heads[row]
            if head > 0:
                side = 1 if row - begin > head else 0
                for q in range(len(classes)):
                    if classes[q, tags[begin + head], tags[row]] and speaks[q, relations[row]]:
                        counts[q, side] += 1
