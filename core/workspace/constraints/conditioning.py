"""The universal parser for a text of a project, conditioned on the answers that serve the text."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from core.constraints.authoring.word_order import parse_order
from core.errors import WorkbenchError
from core.languages import language_name
from core.parsers.prior import NEAREST, NONE
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.source_languages import ENOUGH, EXPECTED, NAMED, Relative, is_far
from core.parsers.universal.source_languages import NEAREST as ANSWERING
from core.store import Corpus
from core.treebank import Treebank
from core.treebank.language import stated_language
from core.treebank.unpunctuated import heads_between_words
from core.trees import PackedScores
from core.workspace.constraints.answers import with_answers
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.plan import GrammarPlan
from core.workspace.corpora import language_of
from core.workspace.languages import ANSWERS, texts_sharing, value_of
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

UNIVERSAL = "universal"  # the cache of the parser that ships with the workbench
MOST_CACHED = 20_000  # words of a text of which a process keeps what the networks made of them, some kilobytes a word


def loaded(workspace: Workspace) -> UniversalParser:
    """The universal parser that ships with the workbench."""
    return workspace.cache.get(UNIVERSAL, "", UniversalParser.load)


def source_language_names(workspace: Workspace) -> list[str]:
    """The languages that the parser learnt from, which can answer open questions."""
    sources = loaded(workspace).sources
    return [] if sources is None else list(sources.names)


def stored_plan(workspace: Workspace, corpus: Corpus) -> GrammarPlan | None:
    """The grammar plan stored with a Corpus, with the answers that serve it; None where neither is stored."""
    saved = workspace.store.document(corpus.project, GrammarPlan.document, str(corpus.id))
    if saved is None and value_of(workspace.store, corpus, ANSWERS) is None:
        return None
    plan = GrammarPlan("upos", prior=NEAREST) if saved is None else GrammarPlan.from_dict(saved)
    return with_answers(workspace.store, corpus, plan)


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
    language, unanswered = known_language(corpus, text), replace(plan, word_order="")
    parser = workspace.cache.get(
        "steered", (key, _sources(plan), language), lambda: conditioned(loaded(workspace), text, language, unanswered)
    )
    return parser.with_answers(parse_order(plan.word_order))


def conditioned(parser: UniversalParser, text: Treebank, language: str | None, plan: GrammarPlan) -> UniversalParser:
    """The parser for a text in a language, by its code, under the answers of a plan. As ``conditioned_parser``."""
    return parser.with_sources(_sources(plan)).for_text(text, language).with_answers(parse_order(plan.word_order))


def _sources(plan):
    """The languages that answer what a plan leaves open: a tuple, or None for the nearest."""
    return () if plan.prior == UNIVERSAL else plan.kin or None


def begins_with_prior(text: ConstraintInputs) -> bool:
    """Whether training on a text begins with the universal parser as prior."""
    return isinstance(text.settings, GrammarPlan) and text.settings.prior != NONE


def prior_of(workspace: Workspace, text: ConstraintInputs) -> UniversalParser | None:
    """The prior of a grammar over a text; None where its plan has none."""
    if not begins_with_prior(text):
        return None
    plan = cast(GrammarPlan, text.settings)

    def make():
        parser = conditioned_parser(workspace, text.corpus, text.key, text.sentences, plan)
        return parser.with_cache() if text.sentences.token_count <= MOST_CACHED else parser

    key = text.key, known_language(text.corpus, text.sentences), plan.prior, plan.kin, plan.word_order
    return workspace.cache.get("read by networks", key, make)  # once, however often the constraints change


def parsed_words(
    parser: UniversalParser, text: ConstraintInputs, sentences: np.ndarray
) -> tuple[Treebank, PackedScores]:
    """(some sentences as the learner reads them under the parser's trees, the probability of each arc).

    The parser reads them with their punctuation, as it does on other pages: arcs pay for the marks that they pass.
    """
    whole, words = text.sentences.select(sentences), text.treebank.select(sentences)
    parsed, marginals = parser.parse_with_marginals(whole)
    return (parsed if text.whole is None else between_words(parsed, words)), marginals


def between_words(parsed: Treebank, words: Treebank) -> Treebank:
    """Some words of a parsed text under its trees and relations."""
    return words.with_heads(heads_between_words(parsed, words), parsed.deprel.take(np.isin(parsed.rows, words.rows)))


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
        parsed, marginals = parsed_words(parser, text, np.array([index]))
        return FirstTree(parsed.heads, parsed.deprel.strings().tolist(), marginals[0])

    language = known_language(text.corpus, text.sentences)
    key = text.key, language, plan.prior, plan.kin, plan.word_order, index
    return workspace.cache.get("first trees", key, make)


def nearest_sources(workspace: Workspace, text: ConstraintInputs) -> list[Relative]:
    """The sources nearest to a text, or those chosen for it; none where no language is asked."""
    plan = cast(GrammarPlan, text.settings)
    if plan.prior == UNIVERSAL:
        return []
    parser = loaded(workspace).with_sources(plan.kin or None)
    return workspace.cache.get("kin", (text.key, plan.kin), lambda: parser.nearest(text.sentences))


def _language_sources(workspace: Workspace, text: ConstraintInputs) -> list[Relative]:
    """The sources nearest to all texts together that share their answers with a text; none where it has no others."""
    sharing = texts_sharing(workspace.store, text.corpus, ANSWERS)
    others = [corpus for corpus in sharing if corpus.id != text.corpus.id]

    def nearest():
        banks = []
        for corpus in others:
            with suppress(WorkbenchError):  # one that cannot be read tells nothing
                banks += [bank for bank in (workspace.treebank(corpus),) if bank.upos.filled]
        return loaded(workspace).nearest(text.sentences, *banks) if banks else []

    return workspace.cache.get("kin", (text.key, *map(workspace.read_key, others)), nearest)


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
    near = nearest_sources(workspace, text)
    if near and not plan.kin and text.treebank.token_count < ENOUGH:
        together = _language_sources(workspace, text)
        if together:
            language, alike = language_name(language_of(text.corpus)), _named(together)
            few = f"{amount(text.treebank.token_count, 'word')} tell little; all texts of {language} together are"
            own = f"What you leave open is answered here by those like this text: {_named(near)}."
            return f"{few} most like {alike}. {own}"
    others = len(near[NAMED:ANSWERING])
    names = _named(near) + (f" and {others} more" if others else "")
    if not near:
        return ""
    if is_far(near, text.treebank.token_count):
        expected = f"No language that it learned from is near: expect about {EXPECTED}% of heads."
        return f"{expected} The nearest, which answer what you leave open, are {names}."
    return f"Most like {names}; these answer what you leave open."


def _named(near):
    """The first of some Relatives by name."""
    return ", ".join(language.name for language in near[:NAMED])
