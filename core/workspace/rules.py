"""The rules of a text or its language: laws over relations and several arcs, by which its trees are checked.

What is being written is kept too, as a draft of its text, while a line of it cannot be read: rules in use can be.
"""

from typing import TypedDict

from core.constraints.language.reading import Problem
from core.rules.checking import lacking_tags, require_tags
from core.rules.reading import known_relations, parse_rules, read_rules, unknown_relations
from core.rules.rule import Rule
from core.store import Command, Corpus, CorpusId, DocumentKind, Entry, SharedKey, Store
from core.treebank import Treebank
from core.workspace.languages import RULES as KIND
from core.workspace.languages import change, merged_text, value_of

DRAFT = "rules-draft"


class RulesDraft(TypedDict):
    """Rules that are being written, and those that were in use when that began."""

    text: str
    base: str


STORED = (DocumentKind(KIND, SharedKey, str), DocumentKind(DRAFT, CorpusId, RulesDraft))


def rules_text(store: Store, corpus: Corpus) -> str:
    """The rules that serve a text, as they were written; "" for none."""
    return value_of(store, corpus, KIND) or ""


def rules_of(store: Store, corpus: Corpus) -> tuple[Rule, ...]:
    """The rules that serve a text. O(characters)."""
    return parse_rules(rules_text(store, corpus))


def written_rules(store: Store, corpus: Corpus) -> str:
    """The rules of a text as they are being written: its draft, else those that serve it."""
    draft = _draft(store, corpus)
    return rules_text(store, corpus) if draft is None else draft["text"]


def has_draft(store: Store, corpus: Corpus) -> bool:
    """Whether what is being written is not in use."""
    return _draft(store, corpus) is not None


def read_written(text: str, treebank: Treebank) -> tuple[list[Rule], list[Problem]]:
    """(the rules of a text that can be used, the errors of its other lines, by line); for who is typing.

    Errors are lines that cannot be read, relations that neither UD nor the Treebank has, and tags that it lacks.
    """
    rules, problems = read_rules(text)
    found = [*problems, *unknown_relations(rules, treebank.deprel.values)]
    found += [
        Problem(rule.line or 0, 1, "error", message, "no tags") for rule, message in lacking_tags(rules, treebank)
    ]
    wrong = {problem.line for problem in found}
    return [rule for rule in rules if rule.line not in wrong], sorted(found, key=lambda problem: problem.line)


def save_rules(
    store: Store, corpus: Corpus, text: str, treebank: Treebank, base: str | None = None, *also: Command
) -> Entry | None:
    """Make ``text`` the rules of a text or its language, undoably, with other commands; None if that changes nothing.

    Lines that somebody else has changed since they were ``base`` stay changed. Nothing is stored where it raises:
    ConstraintError for a line that cannot be read and for a relation that neither UD nor the Treebank has,
    WorkbenchError for tags that it lacks, StoreError.
    """
    rules = parse_rules(text)
    known_relations(rules, treebank.deprel.values)
    require_tags(rules, treebank)
    edited = rules_text(store, corpus) if base is None else base

    def changed(now: str | None) -> str:
        return text if now is None else merged_text(edited, now, text)

    return change(store, corpus, KIND, changed, _label(corpus), *also)


def write_rules(store: Store, corpus: Corpus, text: str, treebank: Treebank) -> Entry | None:
    """Keep rules as they were typed, undoably: as those in use, or as a draft while ``save_rules`` refuses a line.

    Raises StoreError.
    """
    draft, key = _draft(store, corpus), str(corpus.id)
    base = rules_text(store, corpus) if draft is None else draft["base"]
    if read_written(text, treebank)[1]:
        begun = Command(DRAFT, key, draft, {"text": text, "base": base})
        return store.execute(corpus.project, begun, label=_label(corpus))
    over = [] if draft is None else [Command(DRAFT, key, draft, None)]
    return save_rules(store, corpus, text, treebank, base, *over)


def _draft(store, corpus):
    return store.document(corpus.project, DRAFT, str(corpus.id))


def _label(corpus):
    return f"editing the rules of {corpus.name}"
