"""The universal parser for a text of a project, conditioned on the answers that are stored with the text."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from core.constraints.authoring.word_order import parse_order
from core.parsers.prior import NEAREST, NONE
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.source_languages import EXPECTED, NAMED, is_far
from core.store import Corpus
from core.treebank import Treebank
from core.treebank.language import stated_language
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.plan import GrammarPlan
from core.workspace.corpora import language_of
from core.workspace.workspace import Workspace

UNIVERSAL = "universal"  # the cache of the parser that ships with the workbench


def loaded(workspace: Workspace) -> UniversalParser:
    """The universal parser that ships with the workbench."""
    return workspace.cache.get(UNIVERSAL, "", UniversalParser.load)


def source_language_names(workspace: Workspace) -> list[str]:
    """The languages that the parser learnt from, which can answer open questions."""
    sources = loaded(workspace).sources
    return [] if sources is None else list(sources.names)


def stored_plan(workspace: Workspace, corpus: Corpus) -> GrammarPlan | None:
    """The grammar plan stored with a Corpus, which holds its answers; None where there is none."""
    saved = workspace.store.document(corpus.project, GrammarPlan.document, str(corpus.id))
    return None if saved is None else GrammarPlan.from_dict(saved)


def known_language(corpus: Corpus, text: Treebank) -> str | None:
    """The code of a Corpus's language, as it may have been corrected; None where its ``text`` has no ``# lang``."""
    return None if stated_language(text) is None else language_of(corpus)


def conditioned_parser(
    workspace: Workspace, corpus: Corpus, key: str, text: Treebank, plan: GrammarPlan | None
) -> UniversalParser:
    """The parser that knows the language of a text of a Corpus and follows the answers of a plan.

    Open questions are answered by the languages of ``plan.kin``. Where it has none, the text's own language answers if
    it is known and a source, else the nearest. None does where the prior of the plan is the parser alone. ``key`` names
    the text. Raises WorkbenchError for a text whose tags it cannot read.
    """
    plan = plan or GrammarPlan("upos", prior=NEAREST)
    languages, language = () if plan.prior == UNIVERSAL else plan.kin or None, known_language(corpus, text)

    def make():
        return loaded(workspace).with_sources(languages).for_text(text, language)

    return workspace.cache.get("steered", (key, languages, language), make).with_answers(parse_order(plan.word_order))


def begins_with_prior(text: ConstraintInputs) -> bool:
    """Whether training on a text begins with the universal parser as prior."""
    return isinstance(text.settings, GrammarPlan) and text.settings.prior != NONE


def prior_of(workspace: Workspace, text: ConstraintInputs, known: Treebank | None = None) -> UniversalParser | None:
    """The prior of a grammar over a text, corrected by known trees; None where its plan has none."""
    if not begins_with_prior(text):
        return None
    parser = conditioned_parser(workspace, text.corpus, text.key, text.sentences, cast(GrammarPlan, text.settings))
    return parser if known is None else parser.adapted(known)


@dataclass(frozen=True, eq=False)
class FirstTree:
    """The tree of a sentence under the prior, before training on its text.

    Attributes
    ----------
    heads : ndarray of shape (n + 1,)
    relations : list of str
    probabilities : ndarray of shape (n + 1, n + 1)
        The probability of every arc.
    """

    heads: np.ndarray
    relations: list[str]
    probabilities: np.ndarray

    def moved_from(self, former: "FirstTree") -> int:
        """How many words have another head than in ``former``."""
        return int(np.count_nonzero(self.heads != former.heads))


def first_tree(workspace: Workspace, text: ConstraintInputs, index: int, order: str | None = None) -> FirstTree:
    """The tree of a sentence under the prior of its text, with other answers ``order`` if given. O(n^3).

    The process caches it, so that after an answer the former tree is known and the networks read a sentence once.
    """
    plan = cast(GrammarPlan, text.settings)
    plan = plan if order is None else replace(plan, word_order=order)

    def make():
        parser = conditioned_parser(workspace, text.corpus, text.key, text.sentences, plan)
        sentence = text.treebank.select(np.array([index]))
        parsed, marginals = parser.parse_with_marginals(sentence)
        return FirstTree(parsed.heads, parsed.deprel.strings().tolist(), marginals[0])

    language = known_language(text.corpus, text.sentences)
    key = text.key, language, plan.prior, plan.kin, plan.word_order, index
    return workspace.cache.get("first trees", key, make)


def nearest_words(workspace: Workspace, text: ConstraintInputs) -> str:
    """The languages that answer open questions, in words: the text's own, the nearest, or that none is near.

    "" where no language is asked.
    """
    plan = cast(GrammarPlan, text.settings)
    if plan.prior == UNIVERSAL:
        return ""
    parser = loaded(workspace).with_sources(plan.kin or None)
    same_language = parser.own_sources(known_language(text.corpus, text.sentences))
    if same_language:
        return f"{same_language[0]} is among the sources: its own word order answers what you leave open."
    near = workspace.cache.get("kin", (text.key, plan.kin), lambda: parser.nearest(text.sentences))
    names = ", ".join(language.name for language in near[:NAMED])
    if not near:
        return ""
    if is_far(near, text.treebank.token_count):
        expected = f"No language that it learned from is near: expect about {EXPECTED}% of heads."
        return f"{expected} The nearest, which answer what you leave open, are {names}."
    return f"Most like {names}; these answer what you leave open."
