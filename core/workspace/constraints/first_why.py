"""Why the universal parser draws an arc: what each answer about word order and each near language did to it.

The sentence is parsed again without the answer, or without the language; what differs is the answer's doing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from core.constraints.authoring.word_order import NAMES as ASKS
from core.constraints.authoring.word_order import parse_order
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES
from core.treebank import Sentence
from core.treebank.unpunctuated import heads_between_words
from core.workspace.constraints.conditioning import first_tree, known_language, nearest_sources, parsed_words
from core.workspace.constraints.effects import SingleEffect
from core.workspace.constraints.first_parse import first_parser, prior_key
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.plan import GrammarPlan
from core.workspace.wording import word_name
from core.workspace.workspace import Workspace

YOU = "you"
UNMOVED = "No answer about word order moves this arc: it comes from the tags and the words around it."


@dataclass(frozen=True, eq=False)
class FirstWhy:
    """Why the universal parser draws an arc, or does not.

    Attributes
    ----------
    probability : float
        The arc's.
    heads : ndarray of shape (n + 1,), dtype int32
        The tree that is drawn.
    head : int
        The head of the arc's modifier in it.
    effects : tuple of SingleEffect
        Those without which the word has another head come first, then by how far the probability moves.
    next_heads : ndarray of shape (n + 1,), dtype int32, or None
        The next best tree; None where there is no other.
    next_odds : float
        How many times as probable the best tree is.
    """

    probability: float
    heads: np.ndarray
    head: int
    effects: tuple[SingleEffect, ...]
    next_heads: np.ndarray | None
    next_odds: float


def first_why(workspace: Workspace, text: ConstraintInputs, index: int, head: int, modifier: int) -> FirstWhy:
    """The FirstWhy of an arc of a sentence. The networks read the sentence some twenty times."""

    def make():
        parser, sentence = first_parser(workspace, text), np.array([index])
        tree = first_tree(workspace, text, index)

        def effect(other, what, source):
            parsed, arcs = parsed_words(other, text, sentence)
            return SingleEffect(what, source, float(arcs[0][head, modifier]), int(parsed.heads[modifier]))

        probability = float(tree.probabilities[head, modifier])
        drawn = int(tree.heads[modifier])
        effects = [effect(*other) for other in _others(workspace, text, parser)]
        effects.sort(key=lambda effect: (effect.head == drawn, -abs(effect.without - probability)))
        return FirstWhy(probability, tree.heads, drawn, tuple(effects), *_next_best(parser, text, sentence))

    return workspace.cache.get("first reasons", (prior_key(text), index, head, modifier), make)


def _others(workspace, text, parser: UniversalParser):
    """(parser without an answer or a language, what that is, who answers) for each that the text has."""
    plan, language = cast(GrammarPlan, text.settings), known_language(text.corpus, text.sentences)
    given, numbers = parse_order(plan.word_order), parser.answers_in_use
    near = nearest_sources(workspace, text)
    own, asked = parser.own_sources(language), set()
    for question, name in enumerate(NAMES):
        if np.isnan(numbers[question]):
            continue
        languages = ()
        if name not in given and parser.sources is not None:
            languages = parser.sources.answering(question, near, own)
            asked.update(languages)
        answer = f"{ASKS[name].asks}: {given.get(name) or _in_words(name, float(numbers[question]))}"
        yield parser.leaving_open(name), answer, _listed(languages) or YOU
    for relative in near:
        if relative.name in asked and len(asked) > 1:
            yield parser.without_source(relative.name, near, language), relative.name, "all its answers"


def _in_words(name, number):
    """An answer of languages: the side of most such words, and their share."""
    before, after = ("yes", "no") if name == "heads-last" else ("before", "after")
    return f"{before if number < 0 else after} ({(1 + abs(number)) / 2:.0%})"


def _listed(languages: Sequence[str]) -> str:
    others = len(languages) - 1
    return languages[0] + (f" and {others} more" if others else "") if languages else ""


def _next_best(parser, text, sentence):
    """(heads of the second best tree or None, how many times as probable the best is)."""
    whole, words = text.sentences.select(sentence), text.treebank.select(sentence)
    trees, values = parser.kbest(whole, 2)[0]
    if len(trees) < 2:
        return None, np.inf
    heads = trees[1]
    if text.whole is not None:
        heads = heads_between_words(whole.with_heads(heads), words)
    return heads, float(np.exp(values[0] - values[1]))


def next_words(explained: FirstWhy, sentence: Sentence) -> str:
    """The next best tree, by what differs from the one that is drawn, in a sentence."""
    if explained.next_heads is None:
        return "There is no other tree."
    words = np.flatnonzero(explained.next_heads != explained.heads)
    changes = ", ".join(
        f"{sentence.forms[word]} under {word_name(sentence, int(explained.next_heads[word]))}"
        for word in words.tolist()
    )
    return f"The next best tree has {changes}; this one is {explained.next_odds:.2g} times as probable."
