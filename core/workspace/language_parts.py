"""How a text goes by what is said of its language, or has its own: told, changed, and both merged into one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.constraints import ConstraintDocument
from core.constraints.authoring.word_order import format_order, parse_order
from core.errors import FormatError, StoreError
from core.languages import language_name
from core.store import Command, Corpus
from core.treebank.tagging import Lexicon, parse_lexicon
from core.workspace.constraints.files import ConstraintFile, plan_upload
from core.workspace.corpora import TAGS, language_of, tag_set
from core.workspace.languages import (
    ANSWERS,
    CONSTRAINTS,
    EMPTY,
    RELATIONS,
    RULES,
    SHARED,
    TAGGING,
    Value,
    language_key,
    own_value,
    removal,
    value_of,
)
from core.workspace.relations import relation_choices
from core.workspace.texts import listed_texts
from core.workspace.word_tags import Tagging
from core.workspace.workspace import Workspace


@dataclass(frozen=True)
class Sharing:
    """Which document of one kind serves a text.

    Attributes
    ----------
    language : str
        The name of the text's language.
    is_own : bool
        Whether the text has its own, or does not go by its language yet.
    apart : tuple of Corpus
        Other texts of the language that have their own.
    """

    language: str
    is_own: bool
    apart: tuple[Corpus, ...] = ()


class Merged(NamedTuple):
    """A value made of two, of which the newer one wins, and a line on each conflict."""

    value: Value
    conflicts: tuple[str, ...] = ()


def sharing(workspace: Workspace, corpus: Corpus, kind: str) -> Sharing | None:
    """The Sharing of a text; None where no other text could share it. A tagger's tags are those of a text alone."""
    store, language = workspace.store, language_of(corpus)
    listed = listed_texts(store, corpus.project)
    texts = [text for text in listed if language_of(text) == language and not text.reference]
    key = _key(workspace, corpus, kind) if len(texts) > 1 else None
    values = {text.id: own_value(store, text, kind) for text in texts}
    others = [
        text for text in texts
        if text.id != corpus.id and not _is_taggers(kind, values[text.id])
        and (TAGS in text.settings or values[text.id] is not None) and _key(workspace, text, kind) == key
    ]  # fmt: skip
    if key is None or not others or _is_taggers(kind, values[corpus.id]):
        return None
    is_own = values[corpus.id] is not None or TAGS not in corpus.settings
    apart = tuple(text for text in others if values[text.id] is not None)
    return Sharing(language_name(language), is_own, apart)


def _is_taggers(kind, value):
    return kind == TAGGING and value is not None and bool(value.get("reader"))


def _key(workspace, corpus, kind):
    """The key of the document of a text's language. Only constraints need the tag set that older texts do not say."""
    settings = _settings(workspace, corpus) if kind == CONSTRAINTS else {TAGS: "", **corpus.settings}
    return language_key(settings, kind)


def _settings(workspace, corpus):
    """The settings of a text with the tag set of its file, which texts up to version 0.2.0 do not say."""
    known = corpus.settings if TAGS in corpus.settings or corpus.reference is not None else None
    return {**corpus.settings, TAGS: tag_set(workspace.source(corpus))} if known is None else known


def keep_own(workspace: Workspace, corpus: Corpus, kind: str) -> None:
    """Give a text its own, which begins as what it has of its language; undoable."""
    store = workspace.store
    value = value_of(store, corpus, kind)
    command = Command(kind, str(corpus.id), None, EMPTY[kind] if value is None else value)
    store.execute(corpus.project, command, label=f"keeping {SHARED[kind]} for {corpus.name} alone")


def merged(workspace: Workspace, corpus: Corpus, kind: str) -> Merged:
    """What the language would have if a text's own were merged into it."""
    store, key = workspace.store, _key(workspace, corpus, kind)
    own, of_language = own_value(store, corpus, kind), key and store.document(corpus.project, kind, key)
    if own is None or key is None or of_language is None:
        return Merged(own if of_language is None else of_language)
    own_number, number = (store.last_change(corpus.project, kind, each) for each in (str(corpus.id), key))
    older, newer = (of_language, own) if own_number > number else (own, of_language)
    if kind == RELATIONS:
        names = relation_choices(workspace, corpus)
        differ = older != newer
        return Merged(newer, (f"{names.get(newer, newer)}, before {names.get(older, older)}",) if differ else ())
    merge = {TAGGING: _merged_lists, CONSTRAINTS: _merged_sets, ANSWERS: _merged_answers, RULES: _merged_rules}
    return merge[kind](older, newer)


def join(workspace: Workspace, corpus: Corpus, kind: str) -> None:
    """Merge a text's own into what its language has, by which it goes from now on; one step, which can be undone.

    Raises StoreError, and changes nothing, where its language is not known.
    """
    store, settings = workspace.store, _settings(workspace, corpus)
    key = language_key(settings, kind)
    if key is None:
        raise StoreError(f"{corpus.name} shares no {SHARED[kind]} with other texts; say its language first")
    before, after = store.document(corpus.project, kind, key), merged(workspace, corpus, kind).value
    commands = [*removal(store, corpus, kind), Command(kind, key, before, after)]
    if settings != corpus.settings:
        was = {"name": corpus.name, "format": corpus.format, "encoding": corpus.encoding, "settings": corpus.settings}
        commands.append(Command("corpus", str(corpus.id), was, was | {"settings": settings}))
    language = language_name(language_of(corpus))
    store.execute(corpus.project, *commands, label=f"sharing {SHARED[kind]} among texts in {language}")


def _merged_lists(older: dict, newer: dict) -> Merged:
    """Word lists: each line of the newer one, then those of the older one about other words, endings and shapes."""
    one, other = (Tagging.from_dict(value) for value in (older, newer))
    known: dict[str, tuple] = {}
    for line in other.text.splitlines():
        known = _entries(line) | known  # the first line counts
    lines, conflicts = other.text.splitlines(), {}
    for line in one.text.splitlines():
        entries = _entries(line)
        for name, tags in entries.items():
            if known.get(name, tags) != tags:
                conflicts.setdefault(name, f"{name}: {' '.join(known[name])}, before {' '.join(tags)}")
        if line not in lines and not any(name in known for name in entries):
            lines.append(line)
    lists = tuple(dict.fromkeys([*other.lists, *one.lists]))
    value = replace(other, text="".join(f"{line}\n" for line in lines), lists=lists)
    return Merged(value.as_dict(), tuple(conflicts.values()))


def _entries(line):
    """What a line of a word list says: dict of a word, ``-ending`` or ``@shape`` to its tags; {} for a bad line."""
    try:
        lexicon = parse_lexicon(line)
    except FormatError:
        return {}
    endings = {f"-{ending}": tags for ending, tags in lexicon.suffixes.items()}
    changed = {shape: (tag,) for shape, tag in lexicon.shapes.items() if tag != Lexicon().shapes[shape]}
    return lexicon.entries | endings | changed


def _merged_sets(older: str, newer: str) -> Merged:
    """Constraint sets: the older one with the targets of the newer one, then its further lines."""
    plan = plan_upload(older, ConstraintFile("", "ours", ConstraintDocument.from_text(newer), ()))
    return Merged(plan.text, plan.changed)


def _merged_rules(older: str, newer: str) -> Merged:
    """Rules: those of the newer text, then the further lines of the older one."""
    lines = newer.splitlines()
    return Merged(
        "".join(f"{line}\n" for line in (*lines, *(line for line in older.splitlines() if line not in lines)))
    )


def _merged_answers(older: Mapping, newer: Mapping) -> Merged:
    """Answers: those of the newer one, and of the older one to other questions."""
    one, other = (parse_order(value.get("word_order", "")) for value in (older, newer))
    conflicts = [
        f"{name}: {other[name]}, before {answer}" for name, answer in one.items() if other.get(name, answer) != answer
    ]
    kin = newer.get("kin") or older.get("kin") or []
    return Merged({"word_order": format_order(one | other), "kin": kin}, tuple(conflicts))
