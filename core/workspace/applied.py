"""Parsers that can be run on any text of a project: the English one, those of its runs, and saved ones from files.

Each is an ``AvailableParse`` whose trees are made when they are first asked for, and then cached. A saved parser is
stored with the project (``saved_models``).
"""

import io
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from core.errors import StoreError, WorkbenchError
from core.evaluation.learnt import learnt_sentences
from core.parsers import DMV, English, load_parser
from core.parsers.mst.model import LONGEST
from core.parsers.protocols import Parser
from core.parsers.pruning import is_pruned, pruning_note
from core.parsers.universal.parser import UniversalParser
from core.store import Corpus, Run, Store
from core.treebank import Treebank
from core.workspace.constraints.conditioning import conditioned_parser, known_language, stored_plan
from core.workspace.corpora import language_of
from core.workspace.languages import ANSWERS, language_key
from core.workspace.saved_models import SAVED, store_model
from core.workspace.system import System
from core.workspace.workspace import Workspace

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page has no use for

MOST_ARCS = 500_000  # arcs of the sentences parsed at a time: a bound on memory
BY = "by-"  # begins the key of a parser that is applied; the number of its run follows
ENDING = ".npz"
SAMPLE = 3  # sentences that a new parser is tested on


@dataclass(frozen=True)
class AvailableParse:
    """A parse that can be chosen: ``key`` names it in links, ``name`` says what it is."""

    key: str
    name: str


ENGLISH = AvailableParse("english", "English parser")
UNIVERSAL = AvailableParse("universal", "Universal parser")
BUILT_IN = {ENGLISH.key: English.load, UNIVERSAL.key: UniversalParser.load}


def is_applied(key: str) -> bool:
    """Whether an AvailableParse's key names a parser of this module."""
    return key in BUILT_IN or key.startswith(BY)


def offered_parsers(systems: "Systems", corpus: Corpus) -> list[AvailableParse]:
    """The parsers that could parse a Corpus: built-in ones, saved ones, those of runs on other texts of its project."""
    named = ((run, _parser_name(systems, corpus, run)) for run in systems.workspace.store.runs(corpus.project))
    return [ENGLISH, UNIVERSAL, *(AvailableParse(f"{BY}{run.id}", name) for run, name in named if name)]


def _parser_name(systems, corpus, run):
    """The name of a Run's parser; None where it has no parser, or has parsed the Corpus already."""
    if run.kind == SAVED:
        return run.settings["name"] if run.status == "done" else None
    system = systems.get(run.kind)
    if system is None or systems.parsed_corpus(run) == corpus.id or not system.has_outcome(run):
        return None
    title = system.parts(run).get("")
    if title is None or type(system).parser is System.parser:
        return None
    return f"run {run.id}, {title}, of {text_name(systems.workspace.store, run)}"


def parser_of_language(systems: "Systems", corpus: Corpus) -> str | None:
    """The key of the newest parser that was trained on another text of a Corpus's language, in tags that this one has.

    None where there is none, where a parser was trained on the Corpus itself, and for a large text, which takes long.
    """
    workspace, key = systems.workspace, language_key(corpus.settings, ANSWERS)
    runs = [run for run in workspace.store.runs(corpus.project) if run.kind in systems] if key is not None else []
    if not runs or any(run.corpus == corpus.id for run in runs):
        return None
    texts, text = {each.id: each for each in workspace.store.corpora(corpus.project)}, workspace.treebank(corpus)
    for run in runs if text.token_count <= workspace.large else ():
        of_language = run.corpus in texts and language_key(texts[run.corpus].settings, ANSWERS) == key
        reads_tags = getattr(text, run.settings.get("tags", "upos"), text.upos).filled
        if of_language and reads_tags and _parser_name(systems, corpus, run):
            return f"{BY}{run.id}"
    return None


def text_name(store: Store, run: Run) -> str:
    """The name of the text that a Run was made on, or "a removed text"."""
    try:
        return store.corpus(run.settings["corpus"]).name
    except (KeyError, StoreError):
        return "a removed text"


def add_parser(systems: "Systems", corpus: Corpus, name: str, data: bytes) -> str:
    """Store the file of a saved parser in the project of a Corpus; returns its key.

    Raises WorkbenchError, and stores nothing, where the file holds no parser, or one that cannot parse the text.
    """
    name = PurePath(name).name
    try:
        parser = load_parser(io.BytesIO(data))
        text = systems.workspace.treebank(corpus)
        if isinstance(parser, DMV) and not text.tag_column(parser.column).mask(lambda tag: tag in parser.tags).any():
            some = ", ".join(parser.tags[:5])  # a DMV takes all unknown tags for one; other parsers refuse them
            raise WorkbenchError(
                f"it knows none of the {parser.column} tags of this text, only such as {some}; tag it so"
            )
        parser.parse(without_heads(text.limit(SAMPLE)))
    except WorkbenchError as error:
        raise WorkbenchError(f"{name}: {error}") from error
    return f"{BY}{store_model(systems.workspace.store, corpus, SAVED, name, data)}"


def without_heads(treebank: Treebank) -> Treebank:
    """The treebank without any head known."""
    return treebank.with_heads(np.full(len(treebank.heads), -1, np.int32))


def parser_of(systems: "Systems", project: SupportsIndex, key: str) -> Parser:
    """The Parser that a key of ``is_applied`` names. Raises WorkbenchError where it is gone or cannot be read."""
    cache, store = systems.workspace.cache, systems.workspace.store
    if key in BUILT_IN:
        return cache.get(key, "", BUILT_IN[key])
    number = key.removeprefix(BY)
    if not number.isdecimal() or (run := store.run(int(number))).project != int(project):
        raise WorkbenchError(f"there is no parser {key!r} in this project; choose one from the list")
    if run.kind == SAVED:
        return cache.get("models", (SAVED, run.id), lambda: load_parser(io.BytesIO(store.result_bytes(run.id) or b"")))
    return systems.of(run).labelled_parser(run)


def applied(systems: "Systems", corpus: Corpus, key: str) -> Treebank:
    """A Corpus under the trees of the parser that a key of ``is_applied`` names; cached.

    Takes seconds on a text of thousands of sentences. Raises WorkbenchError, which names the parser.
    """
    workspace = systems.workspace
    answers = universal_for(workspace, corpus)[0] if key == UNIVERSAL.key else None

    def make():
        name = next((offer.name for offer in offered_parsers(systems, corpus) if offer.key == key), key)
        try:
            return parse_in_parts(fitted_parser(systems, corpus, key), without_heads(workspace.treebank(corpus)))
        except WorkbenchError as error:
            raise WorkbenchError(f"{name} cannot parse {corpus.name}: {error}") from error

    name = workspace.read_key(corpus), corpus.project, key, language_of(corpus), answers
    return workspace.cache.get("applied", name, make)


def fitted_parser(systems: "Systems", corpus: Corpus, key: str) -> Parser:
    """The Parser that a key of ``is_applied`` names, told of a Corpus what it asks. Raises WorkbenchError."""
    if key != UNIVERSAL.key:
        return parser_of(systems, corpus.project, key)
    text = systems.workspace.treebank(corpus)
    return universal_for(systems.workspace, corpus)[1]().for_text(text, known_language(corpus, text))


def pruned_note(
    systems: "Systems", project: SupportsIndex, parse: AvailableParse, text: Treebank, index: int | None = None
) -> str:
    """A sentence on those of a text whose trees the parser of an AvailableParse seeks among their likeliest arcs alone.

    "" where there are none, where the sentence of an ``index`` is none of them, and for trees that no parser of this
    module makes. Raises WorkbenchError where the parser is gone.
    """
    if not is_applied(parse.key) or not (text.lengths > LONGEST).any():  # most texts load no parser for it
        return ""
    parser = parser_of(systems, project, parse.key)
    if index is not None and not is_pruned(parser, text)[index]:
        return ""
    note = pruning_note(parser, text)
    return note and f"{note[0].upper()}{note[1:]} ({parse.name})."


def universal_for(workspace: Workspace, corpus: Corpus) -> tuple[Hashable, Callable[[], UniversalParser]]:
    """(a name of what the universal parser is told of a Corpus, for caches; a function that gives it that parser).

    The function raises WorkbenchError for a text whose tags it cannot read.
    """
    plan = stored_plan(workspace, corpus)

    def conditioned():
        return conditioned_parser(workspace, corpus, workspace.read_key(corpus), workspace.treebank(corpus), plan)

    return plan and (plan.prior, plan.word_order, plan.kin), conditioned


def taught_sentences(systems: "Systems", corpus: Corpus, key: str) -> np.ndarray:
    """int64: the sentences of a Corpus, from 0, whose trees the applied parser of a run was trained on.

    Returns all sentences where the texts of the run are gone or changed; none for a parser from a file (not known).
    """
    number, whole = key.removeprefix(BY), systems.workspace.treebank(corpus)
    run = systems.workspace.store.run(int(number)) if number.isdecimal() else None
    if run is None or run.kind not in systems:
        return np.zeros(0, np.int64)
    try:
        return whole.picks[learnt_sentences(whole, *systems[run.kind].inputs_of(run)[0].taught)]
    except WorkbenchError:
        return whole.picks


def is_unknown(systems: "Systems", key: str) -> bool:
    """Whether the training sentences of a key's parser are unknown, since it came as a file."""
    number = key.removeprefix(BY)
    return key.startswith(BY) and number.isdecimal() and systems.workspace.store.run(int(number)).kind == SAVED


def parse_in_parts(parser: Parser, treebank: Treebank) -> Treebank:
    """``parser.parse`` of a Treebank, in parts of at most MOST_ARCS arcs, or of one longer sentence."""
    arcs = np.cumsum((treebank.lengths.astype(np.int64) + 1) ** 2)
    cuts = np.flatnonzero(np.diff(arcs // MOST_ARCS)) + 1
    parts = [parser.parse(treebank.select(part)) for part in np.split(np.arange(len(treebank)), cuts)]
    heads = np.concatenate([part.heads for part in parts])
    relations = np.concatenate([part.deprel.strings() for part in parts])
    return treebank.with_heads(heads, relations.tolist())


def with_distinct_names(parses: Sequence[AvailableParse]) -> list[AvailableParse]:
    """The same parses; where two share a name, their keys follow it."""
    names = [parse.name for parse in parses]
    return [
        parse if names.count(parse.name) == 1 else AvailableParse(parse.key, f"{parse.name} ({parse.key})")
        for parse in parses
    ]
