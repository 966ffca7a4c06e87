"""The parses of one text in a project: those that its runs left, texts with other trees, and baselines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.constraints.ge.baselines import attach_left, attach_right
from core.errors import StoreError, WorkbenchError
from core.evaluation.alignment import OTHER_WORDS, spell_the_same
from core.evaluation.learnt import learnt_sentences
from core.evaluation.scores import require_same_text
from core.parsers.labels import has_relations
from core.store import Corpus, Run, Store
from core.treebank import Treebank
from core.workspace.applied import (
    ENDING,
    AvailableParse,
    add_parser,
    applied,
    is_applied,
    offered_parsers,
    taught_sentences,
    with_distinct_names,
)
from core.workspace.corpus.drafts import find_draft
from core.workspace.readings import Asker
from core.workspace.relations import chosen_relations
from core.workspace.texts import PARSE_OF
from core.workspace.workspace import Workspace

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page has no use for

BASELINES = {"left": ("attach left", attach_left), "right": ("attach right", attach_right)}


def offered_parses(systems: "Systems", corpus: Corpus) -> list[AvailableParse]:
    """The AvailableParses of a Corpus: what runs left, newest first, then texts with other trees, then baselines."""
    store, found = systems.workspace.store, []
    for run in store.runs(corpus.project):
        system = systems.get(run.kind)
        if system is not None and systems.parsed_corpus(run) == corpus.id and system.has_outcome(run):
            found += [
                AvailableParse(f"run-{run.id}-{part}".rstrip("-"), f"run {run.id}, {name}, {ended(run)}")
                for part, name in system.parts(run).items()
            ]
    found += offered_texts(store, corpus)
    found += [AvailableParse(key, name) for key, (name, _) in BASELINES.items()]
    return with_distinct_names(found)


def available_trees(systems: "Systems", corpus: Corpus) -> list[AvailableParse]:
    """All that can be chosen wherever trees of a Corpus are: ``offered_parses``, and parsers that can be run on it.

    The baselines come last.
    """
    found = offered_parses(systems, corpus)
    here = [offer for offer in found if offer.key not in BASELINES]
    return with_distinct_names([*here, *offered_parsers(systems, corpus), *found[len(here) :]])


def newest(offers: Sequence[AvailableParse]) -> str | None:
    """The key of the newest parse that a run of the text or a file with its words left; None without any."""
    return next((offer.key for offer in offers if _is_left(offer.key)), None)


def _is_left(key):
    return key not in BASELINES and not is_applied(key)


def is_predicted(key: str) -> bool:
    """Whether the trees of an AvailableParse's key are a parser's: relations chosen for the text are given to them."""
    return key.startswith("run-") or is_applied(key)


def ended(run: Run) -> str:
    """When a Run ended, here, as in ``14:58``: the same on every day, since names stand in links and files."""
    return f"{(run.finished or run.created).astimezone():%H:%M}"


def offered_texts(store: Store, corpus: Corpus) -> list[AvailableParse]:
    """The AvailableParses of a Corpus that are texts of its project with the same words."""

    def source(each):  # one is made of the other, or both of a third
        return each.settings.get(PARSE_OF, each.id)

    others = [each for each in store.corpora(corpus.project) if each.id != corpus.id and source(each) == source(corpus)]
    return [AvailableParse(f"corpus-{each.id}", each.name) for each in others]


def usual_choice(offers: Sequence[AvailableParse]) -> list[str]:
    """Keys of the parses that are compared by default: the two newest, or the newest beside the baselines."""
    left = [offer.key for offer in offers if _is_left(offer.key)][:2]
    return left if len(left) > 1 else [*left, *(offer.key for offer in offers if offer.key in BASELINES)]


def load_parse(systems: "Systems", corpus: Corpus, key: str) -> Treebank:
    """As ``load_bare_parse``; trees of a run without relations have those chosen for the corpus (``relations.py``)."""
    parse = load_bare_parse(systems, corpus, key)
    return chosen_relations(systems.workspace, corpus).applied(parse) if is_predicted(key) else parse


def load_bare_parse(systems: "Systems", corpus: Corpus, key: str) -> Treebank:
    """The Treebank of one AvailableParse's key: sentences of the corpus (``picks`` says which) under its trees.

    Raises WorkbenchError where the parse is gone, or of other sentences than are here.
    """
    workspace = systems.workspace
    if key in BASELINES:
        return BASELINES[key][1](workspace.treebank(corpus))
    if is_applied(key):
        return applied(systems, corpus, key)
    kind, number, part = _parts(key)
    if kind == "corpus":
        return trees_of_text(workspace, corpus, workspace.store.corpus(number))
    run = workspace.store.run(number)
    if run.project != corpus.project or systems.parsed_corpus(run) != corpus.id:
        raise StoreError(f"Run {number} is of another text; choose a run of this one")
    system = systems.of(run)  # refuses a run of none
    if part not in system.parts(run):
        raise WorkbenchError(f"run {run.id} has no trees called {part!r}; choose one from the list")
    parse, own = system.load(run).parses[part], workspace.treebank(corpus)
    _require_words(own.select(np.isin(own.picks, parse.picks)), parse, f"what run {run.id} parsed")
    return parse


def run_of(workspace: Workspace, key: str) -> Run | None:
    """The Run that left the parse with an AvailableParse's key; None of baselines, parsers and other texts."""
    if not _is_left(key):
        return None
    kind, number, _ = _parts(key)
    return workspace.store.run(number) if kind == "run" else None


def learnt_from(systems: "Systems", corpus: Corpus, key: str) -> np.ndarray:
    """int64: the sentences of the text, from 0, that the parser of a key has learnt the trees of; it is not scored on.

    None of parsers that no run of the project left.
    """
    if is_applied(key):
        return taught_sentences(systems, corpus, key)
    run = run_of(systems.workspace, key) if key.startswith("run-") else None
    return systems[run.kind].learnt(run) if run is not None and run.kind in systems else np.zeros(0, np.int64)


def relations_learnt_from(systems: "Systems", corpus: Corpus, key: str) -> np.ndarray:
    """int64: the sentences, from 0, whose relations taught what names those of a run's parse; LAS is not scored there.

    None where the parser names its own.
    """
    given, none = chosen_relations(systems.workspace, corpus), np.zeros(0, np.int64)
    if given.taught is None or not is_predicted(key) or has_relations(load_bare_parse(systems, corpus, key)):
        return none
    whole = systems.workspace.treebank(corpus)
    return whole.picks[learnt_sentences(whole, given.taught)]


def offers_of(systems: "Systems", corpus: Corpus, run: Run) -> list[AvailableParse]:
    """The AvailableParses of a Corpus that a Run left."""
    return [offer for offer in offered_parses(systems, corpus) if f"{offer.key}-".startswith(f"run-{run.id}-")]


def _parts(key):
    """("run" or "corpus", its number, which of its trees) of an AvailableParse's key."""
    kind, _, number = key.partition("-")
    number, _, part = number.partition("-")
    if not number.isdecimal() or kind not in ("run", "corpus"):
        raise WorkbenchError(f"there is no parse {key!r} of this text; choose one from the list")
    return kind, int(number), part


def add_file(systems: "Systems", corpus: Corpus, name: str, data: bytes, asker: Asker | None = None) -> str:
    """Keep a saved parser, or a file with the words of a Corpus under other trees; returns its key.

    Raises Reading and WorkbenchError as ``add_parser`` and ``add_parse``.
    """
    if name.lower().endswith(ENDING):
        return add_parser(systems, corpus, name, data)
    return add_parse(systems.workspace, corpus, name, data, asker)


def add_parse(workspace: Workspace, corpus: Corpus, name: str, data: bytes, asker: Asker | None = None) -> str:
    """Keep a file with the words of a Corpus under other trees, as a text of the project; returns its key.

    One command. Raises Reading while a large file is being read for ``asker``; WorkbenchError, and keeps nothing, where
    it cannot be read or holds other words.
    """
    draft = find_draft(workspace, asker, name, data)
    parse = draft.treebank
    _require_words(workspace.treebank(corpus), parse, name)
    if not (parse.heads >= 0).any():
        raise WorkbenchError(f"{name} has the words of this text but no heads; give a file with trees")
    settings = {PARSE_OF: corpus.id}
    return f"corpus-{workspace.store.add_corpus(corpus.project, name, data, format=draft.format, settings=settings)}"


def trees_of_text(workspace: Workspace, corpus: Corpus, other: Corpus) -> Treebank:
    """The corpus's own words and tags under the trees of another of its texts."""
    own, parse = workspace.treebank(corpus), workspace.treebank(other)
    _require_words(own, parse, other.name)
    return own.with_heads(parse.heads, parse.deprel)


def _require_words(own, parse, name):
    try:
        require_same_text(own, parse)
    except WorkbenchError as error:
        if spell_the_same(own, parse):
            raise WorkbenchError(f"{name} {OTHER_WORDS}") from error
        message = str(error).replace("gold and system differ", "it differs").replace("gold has", "this text has")
        message = message.replace(" and system ", " and the file ").partition(";")[0]
        raise WorkbenchError(f"{name} is not a parse of this text: {message}; give the same sentences") from error
