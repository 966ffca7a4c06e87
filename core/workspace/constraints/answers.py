"""How the plan of a learner is stored: with its text, but for answers about word order, which are of a language."""

from dataclasses import replace
from typing import TypedDict

from core.store import Command, Corpus, DocumentKind, SharedKey, Store
from core.workspace.constraints.plan import ConstraintPlan, GrammarPlan
from core.workspace.languages import ANSWERED, ANSWERS, CONSTRAINTS, own_value, place, value_of
from core.workspace.plan import with_names
from core.workspace.rules import rules_text


class LanguageAnswers(TypedDict, total=False):
    """``word_order`` and ``kin`` of a GrammarPlan."""

    word_order: str
    kin: list[str]


STORED = (DocumentKind(ANSWERS, SharedKey, LanguageAnswers),)


def with_answers(store: Store, corpus: Corpus, plan: GrammarPlan) -> GrammarPlan:
    """A plan of a Corpus with the answers that serve the text, and its rules as they are now where it keeps them."""
    answers = value_of(store, corpus, ANSWERS) or {}
    word_order, kin = answers.get("word_order", ""), tuple(answers.get("kin", ()))
    rules = rules_text(store, corpus) if plan.rules else ""
    same = (plan.word_order, plan.kin, plan.rules) == (word_order, kin, rules)
    return plan if same else replace(plan, word_order=word_order, kin=kin, rules=rules)


def plan_commands(
    store: Store, corpus: Corpus, before: ConstraintPlan, now: ConstraintPlan, document: str
) -> list[Command]:
    """The commands that store a plan of a learner, under its kind of ``document``, in place of the one before.

    Answers are stored by themselves, for all texts of the language. A text that changes its tag set takes the
    constraints of its language along, as its own.
    """
    commands, plain = [], now
    if isinstance(now, GrammarPlan) and isinstance(before, GrammarPlan):
        commands, plain = _answer_commands(store, corpus, before, now), replace(now, word_order="", kin=())
    was, values = store.document(corpus.project, document, str(corpus.id)), with_names(store, corpus, plain.as_dict())
    if was is not None or not commands or plain != replace(before, word_order="", kin=()):
        commands.append(Command(document, str(corpus.id), was, values))
    lines = value_of(store, corpus, CONSTRAINTS)
    if now.tags != before.tags and lines is not None and place(store, corpus, CONSTRAINTS) != str(corpus.id):
        commands.append(Command(CONSTRAINTS, str(corpus.id), None, lines))
    return commands


def _answer_commands(store, corpus, before, now):
    """The commands that store the answers of a plan; none where they are as ``before``, and stand by themselves."""
    key = place(store, corpus, ANSWERS)
    stored = store.document(corpus.project, ANSWERS, key)
    in_plan = stored is None and own_value(store, corpus, ANSWERS) is not None  # as up to version 0.2.0
    if not in_plan and (before.word_order, before.kin) == (now.word_order, now.kin):
        return []
    return [Command(ANSWERS, key, stored, {name: value for name, value in now.as_dict().items() if name in ANSWERED})]
