"""A language of a project: what is said of it once serves each of its texts.

That is a word list, answers about word order, constraints, rules, and the choice of relations. Each is a document, of
the language or of one text that has its own. Texts whose language is not known share nothing, nor does the built-in
sample. Constraints are those of one tag set; a word list serves texts whose files have no tags.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from core.errors import StoreError
from core.languages import UNKNOWN, language_code, language_name
from core.store import Command, Corpus, Entry, Store
from core.workspace.corpora import LANGUAGE, TAGS, language_of
from core.workspace.texts import listed_texts

Value: TypeAlias = Any  # a JSON value of a document
TAGGING, CONSTRAINTS = "tagging", "constraints"  # kinds of documents
ANSWERS, RELATIONS, RULES = "word-order", "relations", "rules"
SHARED = {  # their names
    TAGGING: "word list", ANSWERS: "answers about word order", CONSTRAINTS: "constraints", RELATIONS: "relations",
    RULES: "rules",
}  # fmt: skip
EMPTY: Mapping[str, object] = {  # what a text of its own begins with where nothing has been said
    TAGGING: {"text": "", "lists": [], "learnt": True}, ANSWERS: {}, CONSTRAINTS: "", RELATIONS: "none",
    RULES: "",
}  # fmt: skip
FORMER_ANSWERS = "grammar-training"  # kind of the documents that held answers of a text up to version 0.2.0
ANSWERED = ("word_order", "kin")  # in their values, and in those of ANSWERS
AT_MOST = 8  # times that a change is tried again, after others have changed the same document


def language_key(settings: Mapping[str, object], kind: str) -> str | None:
    """The key of the document of a text's language, by the settings of its Corpus; None where it shares none."""
    language, tags = settings.get(LANGUAGE, UNKNOWN), settings.get(TAGS)
    if language == UNKNOWN or tags is None or (kind == TAGGING and tags):
        return None
    return f"language:{language}/{tags or 'upos'}" if kind == CONSTRAINTS else f"language:{language}"


def own_value(store: Store, corpus: Corpus, kind: str) -> Value:
    """The value of a text's own document, or None."""
    value = store.document(corpus.project, kind, str(corpus.id))
    if value is None and kind == ANSWERS:
        plan = store.document(corpus.project, FORMER_ANSWERS, str(corpus.id)) or {}
        return {name: plan[name] for name in ANSWERED if plan.get(name)} or None
    return value


def place(store: Store, corpus: Corpus, kind: str) -> str:
    """The key of the document that serves a text: its own if it has one, else that of its language."""
    shared = language_key(corpus.settings, kind)
    return str(corpus.id) if shared is None or own_value(store, corpus, kind) is not None else shared


def value_of(store: Store, corpus: Corpus, kind: str) -> Value:
    """The value that serves a text, or None."""
    own, shared = own_value(store, corpus, kind), language_key(corpus.settings, kind)
    return own if own is not None or shared is None else store.document(corpus.project, kind, shared)


def change(
    store: Store, corpus: Corpus, kind: str, make: Callable[[Value], Value], label: str, *also: Command
) -> Entry | None:
    """Change what serves a text to ``make(value)``, undoably, with other commands; None if that changes nothing.

    Where somebody else changes it meanwhile, it is made anew from what is there then, so that neither change is lost.
    Raises StoreError.
    """
    for _ in range(AT_MOST):
        key, value = place(store, corpus, kind), value_of(store, corpus, kind)
        before = store.document(corpus.project, kind, key)
        try:
            return store.execute(corpus.project, Command(kind, key, before, make(value)), *also, label=label)
        except StoreError:
            if store.document(corpus.project, kind, key) == before:
                raise
    raise StoreError(f"Cannot save your change: others change the {SHARED[kind]} all the time; try again in a moment")


def merged_text(base: str, now: str, mine: str) -> str:
    """A text with the changes from ``base`` to ``mine``, line by line, where it is ``now`` another one. O(lines)."""
    if now == base:
        return mine
    before, after = Counter(base.splitlines()), Counter(mine.splitlines())
    removed, added, kept = before - after, after - before, []
    for line in now.splitlines():
        if removed[line]:
            removed[line] -= 1
        else:
            kept.append(line)
    kept += [line for line in mine.splitlines() if added[line] and not added.subtract([line])]
    return "".join(f"{line}\n" for line in kept)


def texts_sharing(store: Store, corpus: Corpus, kind: str) -> list[Corpus]:
    """The texts that the same document serves, this one included; only this one where it has its own."""
    key = place(store, corpus, kind)
    texts = listed_texts(store, corpus.project)
    return [text for text in texts if text.id == corpus.id or place(store, text, kind) == key]


def removal(store: Store, corpus: Corpus, kind: str) -> list[Command]:
    """The commands that take a text's own value away."""
    key, commands = str(corpus.id), []
    if (value := store.document(corpus.project, kind, key)) is not None:
        commands.append(Command(kind, key, value, None))
    plan = store.document(corpus.project, FORMER_ANSWERS, key) if kind == ANSWERS else None
    if plan is not None:
        rest = {name: value for name, value in plan.items() if name not in ANSWERED}
        commands.append(Command(FORMER_ANSWERS, key, plan, rest))
    return commands


def change_language(store: Store, corpus: Corpus, language: str) -> Corpus:
    """Set the language of a Corpus, undoably; ``language`` is a code, a name, or "unknown".

    Its words stay as they are, and with them its trees, tags and runs. What was said of a text is not lost: it goes
    along to a language of which nothing is said yet, unless other texts go by it too; else it is the text's own.
    Raises WorkbenchError for an unknown language.
    """
    corpus = store.corpus(corpus.id)
    changed = replace(corpus, settings={**corpus.settings, LANGUAGE: language_code(language)})
    names = "name", "format", "encoding", "settings"
    was, now = ({name: getattr(each, name) for name in names} for each in (corpus, changed))
    commands = [command for kind in SHARED for command in _taken_along(store, corpus, changed, kind)]
    label = f"changing the language of {corpus.name}"
    store.execute(corpus.project, Command("corpus", str(corpus.id), was, now), *commands, label=label)
    return store.corpus(corpus.id)


def _taken_along(store, corpus, changed, kind):
    """The commands that keep what is said of a text of one kind when its language is changed."""
    old, new = (language_key(text.settings, kind) for text in (corpus, changed))
    own = own_value(store, corpus, kind)
    value = value_of(store, corpus, kind)
    if old == new or value is None or (kind == TAGGING and value.get("reader")):
        return []
    taken = [] if new is None else [Command(kind, new, None, value)]
    is_free = new is not None and store.document(corpus.project, kind, new) is None
    if own is not None:  # said before the language was known
        return [*removal(store, corpus, kind), *taken] if old is None and is_free else []
    kept = [Command(kind, str(corpus.id), None, value)]
    if len(texts_sharing(store, corpus, kind)) > 1:
        return kept if new is None else []
    gone = [] if old is None else [Command(kind, old, value, None)]
    return [*gone, *(taken if is_free else kept)]


def parts_of_language(store: Store, corpus: Corpus) -> str:
    """What a text has of its language, in words: ``word list and constraints of Catalan``; "" for nothing."""
    kinds = [
        name for kind, name in SHARED.items()
        if value_of(store, corpus, kind) is not None and place(store, corpus, kind) != str(corpus.id)
    ]  # fmt: skip
    if not kinds:
        return ""
    return f"{listing(kinds)} of {language_name(language_of(corpus))}"


def listing(names: list[str]) -> str:
    """Names in words: ``word list, constraints and relations``."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
