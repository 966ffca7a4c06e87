"""The parses of one text in a project: those of its runs, texts with the same words, and baselines."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.constraints.ge.baselines import attach_left, attach_right
from core.errors import StoreError, WorkbenchError
from core.evaluation.learnt import has_heads, learnt_sentences
from core.evaluation.other_cut import OtherCut
from core.evaluation.scores import require_same_text, same_strings, sentences_alike
from core.files.packed import plain_name
from core.parsers.labels import has_relations
from core.parsers.universal.learning import BesideParses
from core.store import Corpus, Run, Store
from core.treebank import Treebank
from core.workspace.applied import (
    ENDING,
    AvailableParse,
    add_parser,
    applied,
    is_applied,
    offered_parsers,
    parse_in_parts,
    parser_of_language,
    taught_sentences,
    universal_for,
    with_distinct_names,
    without_heads,
)
from core.workspace.constraints.conditioning import known_language
from core.workspace.corpora import language_of
from core.workspace.corpus.drafts import find_draft
from core.workspace.parse import Parse
from core.workspace.readings import Asker
from core.workspace.relations import chosen_relations
from core.workspace.texts import ONLY_PARSE, PARSE_OF, added_parses, texts_of_same_words
from core.workspace.workspace import Workspace

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page has no use for

WEIGHED = AvailableParse("weighed", "Universal parser beside added parses")
BASELINES = {"left": ("attach left", attach_left), "right": ("attach right", attach_right)}


def offered_parses(systems: "Systems", corpus: Corpus) -> list[AvailableParse]:
    """The AvailableParses of a Corpus: those of runs, newest first, then texts with the same words, then baselines."""
    store, parses = systems.workspace.store, []
    for run in store.runs(corpus.project):
        system = systems.get(run.kind)
        if system is not None and systems.parsed_corpus(run) == corpus.id and system.has_outcome(run):
            parses += [
                AvailableParse(f"run-{run.id}-{part}".rstrip("-"), f"run {run.id}, {name}, {ended(run)}")
                for part, name in system.parts(run).items()
            ]
    parses += offered_texts(store, corpus)
    parses += [AvailableParse(key, name) for key, (name, _) in BASELINES.items()]
    return with_distinct_names(parses)


def available_trees(systems: "Systems", corpus: Corpus) -> list[AvailableParse]:
    """All trees that can be chosen for a Corpus: ``offered_parses``, and parsers that can be run on it.

    The baselines come last.
    """
    parses = offered_parses(systems, corpus)
    split = len(parses) - len(BASELINES)
    weighed = [WEIGHED] * _can_be_weighed(systems.workspace, corpus)
    return with_distinct_names([*parses[:split], *offered_parsers(systems, corpus), *weighed, *parses[split:]])


def newest(parses: Sequence[AvailableParse]) -> str | None:
    """The key of the newest parse of a run on the text or of a file with its words; None without any."""
    return next((parse.key for parse in parses if _is_stored(parse.key)), None)


def shown_parse(systems: "Systems", corpus: Corpus, parses: Sequence[AvailableParse]) -> str | None:
    """The key of the parse that is shown until somebody chooses: ``newest``, else the parser of the text's language."""
    return newest(parses) or parser_of_language(systems, corpus)


def _is_stored(key):
    return key not in (*BASELINES, WEIGHED.key) and not is_applied(key)


def is_predicted(key: str) -> bool:
    """Whether the trees of an AvailableParse's key are a parser's; these get the relations chosen for the text."""
    return key.startswith("run-") or key == WEIGHED.key or is_applied(key)


def ended(run: Run) -> str:
    """The local time at which a Run ended, as in ``14:58``: without a day, since names stand in links and files."""
    return f"{(run.finished or run.created).astimezone():%H:%M}"


def offered_texts(store: Store, corpus: Corpus) -> list[AvailableParse]:
    """The AvailableParses of a Corpus that are texts of its project with the same words."""
    return [AvailableParse(f"corpus-{text.id}", text.name) for text in texts_of_same_words(store, corpus)]


def usual_choice(parses: Sequence[AvailableParse], shown: str | None = None) -> list[str]:
    """Keys of the parses that are compared by default: the two newest, or the newest beside the baselines.

    Where there is none, it is ``shown``, the key of ``shown_parse``.
    """
    stored = [parse.key for parse in parses if _is_stored(parse.key)][:2] or ([] if shown is None else [shown])
    return stored if len(stored) > 1 else [*stored, *(parse.key for parse in parses if parse.key in BASELINES)]


def load_parse(systems: "Systems", corpus: Corpus, key: str) -> Treebank:
    """As ``load_bare_parse``; a run's trees without relations get those chosen for the corpus (``relations.py``)."""
    parse = load_bare_parse(systems, corpus, key)
    return chosen_relations(systems.workspace, corpus).applied(parse) if is_predicted(key) else parse


def load_bare_parse(systems: "Systems", corpus: Corpus, key: str) -> Treebank:
    """The Treebank of one AvailableParse's key: sentences of the corpus (``picks`` says which) under its trees.

    Raises WorkbenchError where the parse is gone, or its sentences are not those of the corpus.
    """
    workspace = systems.workspace
    if key in BASELINES:
        return BASELINES[key][1](workspace.treebank(corpus))
    if is_applied(key):
        return applied(systems, corpus, key)
    if key == WEIGHED.key:
        return _weighed(systems, corpus)[0]
    kind, number, part = _key_parts(key)
    if kind == "corpus":
        trees, parsed = _trees_of_text(workspace, corpus, workspace.store.corpus(number))
        return trees if parsed.all() else trees.select(parsed)
    run = workspace.store.run(number)
    if run.project != corpus.project or systems.parsed_corpus(run) != corpus.id:
        raise StoreError(f"Run {number} is of another text; choose a run of this one")
    system = systems.of(run)  # refuses a run of none
    if part not in system.parts(run):
        raise WorkbenchError(f"run {run.id} has no trees called {part!r}; choose one from the list")
    return _of_same_words(workspace, corpus, run, system.load(run).parses[part])


def _of_same_words(workspace, corpus, run, parse):
    """A Run's Treebank on the text as it is: without the sentences that have other words than when it was made."""
    text, name = workspace.treebank(corpus), f"what run {run.id} parsed"
    changed = words_changed_since(workspace, corpus, run)
    places = workspace.places_since(corpus, run, parse.picks)
    if not changed and places is parse.picks:
        _require_words(text.select(np.isin(text.picks, parse.picks)), parse, name)
        return parse
    same = [
        place >= 0 and (place not in changed or parse[index].forms == text[place].forms)
        for index, place in enumerate(places.tolist())
    ]
    if not any(same):
        raise WorkbenchError(f"the words of all sentences that run {run.id} parsed were changed since; run it again")
    parse, here = parse.select(np.flatnonzero(same)), text.select(places[same])
    _require_words(here, parse, name)
    return here.with_heads(parse.heads, parse.deprel)


def words_changed_since(workspace: Workspace, corpus: Corpus, run: Run) -> set[int]:
    """The places of the sentences of a Corpus whose words people have changed since a Run was made on it."""
    now, then = (each.corrections(corpus).words for each in (workspace, workspace.as_of(run)))
    if not now and not then:
        return set()
    changed = {name for name in now.keys() | then.keys() if _block(now, name) != _block(then, name)}
    return set(workspace.corrections(corpus).order.moved(dict.fromkeys(changed)))


def _block(words, name):
    return words[name]["block"] if name in words else ""


def run_of(workspace: Workspace, key: str) -> Run | None:
    """The Run whose parse has an AvailableParse's key; None for baselines, parsers and other texts."""
    if not _is_stored(key):
        return None
    kind, number, _ = _key_parts(key)
    return workspace.store.run(number) if kind == "run" else None


def learnt_from(systems: "Systems", corpus: Corpus, key: str) -> np.ndarray:
    """int64: the sentences of the text, from 0, whose trees the parser of a key was trained on; not to be scored.

    Empty for parsers of no run of the project.
    """
    if is_applied(key):
        return taught_sentences(systems, corpus, key)
    if key == WEIGHED.key:
        return systems.workspace.settled(corpus).by_hand
    run = run_of(systems.workspace, key) if key.startswith("run-") else None
    return systems[run.kind].learnt(run) if run is not None and run.kind in systems else np.zeros(0, np.int64)


def relations_learnt_from(systems: "Systems", corpus: Corpus, key: str) -> np.ndarray:
    """int64: the sentences, from 0, that the labeller of a run's parse was trained on; LAS is not scored there.

    Empty where the parser gives relations itself.
    """
    taught = chosen_relations(systems.workspace, corpus).taught
    if taught is None or not is_predicted(key) or has_relations(load_bare_parse(systems, corpus, key)):
        return np.zeros(0, np.int64)
    whole = systems.workspace.treebank(corpus)
    return whole.picks[learnt_sentences(whole, taught)]


def offers_of(systems: "Systems", corpus: Corpus, run: Run) -> list[AvailableParse]:
    """The AvailableParses of a Run on a Corpus."""
    return [parse for parse in offered_parses(systems, corpus) if f"{parse.key}-".startswith(f"run-{run.id}-")]


def _key_parts(key):
    """("run" or "corpus", its id, which of its trees) from an AvailableParse's key."""
    kind, _, number = key.partition("-")
    number, _, part = number.partition("-")
    if not number.isdecimal() or kind not in ("run", "corpus"):
        raise WorkbenchError(f"there is no parse {key!r} of this text; choose one from the list")
    return kind, int(number), part


def _can_be_weighed(workspace, corpus):
    """Whether parses were added to a Corpus, and trees checked by which they can be trusted."""
    return bool(added_parses(workspace.store, corpus)) and len(workspace.settled(corpus).by_hand) > 0


def _weighed(systems, corpus):
    """(a Corpus under the universal parser beside the parses added to it, float64 (P, 2): their weights); cached.

    It learns from the trees that were corrected by hand and count.
    """
    workspace, (answers, conditioned) = systems.workspace, universal_for(systems.workspace, corpus)
    others, checked = added_parses(workspace.store, corpus), workspace.settled(corpus).by_hand
    if not _can_be_weighed(workspace, corpus):
        raise WorkbenchError(
            f"{WEIGHED.name} needs an added parse and a tree that is corrected and marked done; add and check some"
        )

    def make():
        text = workspace.treebank(corpus)
        parser = conditioned().for_text(text, known_language(corpus, text))
        parses = [trees_of_text(workspace, corpus, other) for other in others]
        learnt = BesideParses(parser, parses).adapted(text.select(checked))
        assert learnt.others is not None
        return parse_in_parts(learnt, without_heads(text)), learnt.others.both_trusts

    keys = tuple(workspace.corpus_key(each) for each in (corpus, *others))
    return workspace.cache.get("weighed", (keys, language_of(corpus), answers), make)


def weighed_parses(systems: "Systems", corpus: Corpus) -> list[tuple[AvailableParse, list[float]]]:
    """The parses added to a Corpus that WEIGHED counts, each with the weights of its heads and relations, in nats.

    Raises WorkbenchError as ``load_parse`` of WEIGHED does.
    """
    others, weights = added_parses(systems.workspace.store, corpus), _weighed(systems, corpus)[1]
    offers = (AvailableParse(f"corpus-{other.id}", other.name) for other in others)
    return list(zip(offers, weights.tolist(), strict=True))


def add_file(systems: "Systems", corpus: Corpus, name: str, data: bytes, asker: Asker | None = None) -> str:
    """Store a saved parser, or a file with the words of a Corpus under other trees; returns its key.

    Raises Reading and WorkbenchError as ``add_parser`` and ``add_parse``.
    """
    if name.lower().endswith(ENDING):
        return add_parser(systems, corpus, name, data)
    return add_parse(systems.workspace, corpus, name, data, asker)


def add_parse(workspace: Workspace, corpus: Corpus, name: str, data: bytes, asker: Asker | None = None) -> str:
    """Store a file with a Corpus's text under other trees, beside that text; returns its key.

    It may divide the text into other tokens and sentences: see ``other_cut``. One command. Raises Reading while a large
    file is being read for ``asker``. Raises WorkbenchError, and stores nothing, where it cannot be read or holds
    another text.
    """
    draft = find_draft(workspace, asker, name, data)
    _cut(workspace.treebank(corpus), draft.treebank, name)  # refuses another text
    if not (draft.treebank.heads >= 0).any():
        raise WorkbenchError(f"{name} has the words of this text but no heads; give a file with trees")
    settings = {PARSE_OF: corpus.id, ONLY_PARSE: True}
    name, data = plain_name(name), draft.data
    return f"corpus-{workspace.store.add_corpus(corpus.project, name, data, format=draft.format, settings=settings)}"


def trees_of_text(workspace: Workspace, corpus: Corpus, other: Corpus) -> Treebank:
    """The words and tags of a Corpus under the trees of another that has its text, divided in whatever way.

    Where people have changed words of one of them so that it is another text, the sentences with other words have none.
    """
    return _trees_of_text(workspace, corpus, other)[0]


def _trees_of_text(workspace, corpus, other):
    """(as ``trees_of_text``, bool (S,): the sentences that the other text has some tree of)."""
    text, parse, cut = workspace.treebank(corpus), workspace.treebank(other), _cut_of(workspace, corpus, other)
    if cut is not None:
        return cut.over(text), np.ones(len(text), bool)
    alike = sentences_alike(text, parse)
    if alike.all():
        return text.with_heads(parse.heads, parse.deprel), has_heads(parse)
    trees = replace(Parse.of(parse.select(alike)), sentences=np.flatnonzero(alike))
    return trees.on(text), alike & has_heads(parse)


def other_cut(workspace: Workspace, corpus: Corpus, key: str) -> OtherCut | None:
    """How the parse of an AvailableParse's key divides a Corpus's text, if otherwise than the Corpus; else None."""
    if not key.startswith("corpus-"):
        return None
    return _cut_of(workspace, corpus, workspace.store.corpus(_key_parts(key)[1]))


def _cut_of(workspace, corpus, other):
    text, parse = workspace.treebank(corpus), workspace.treebank(other)
    key = workspace.corpus_key(corpus), workspace.corpus_key(other)

    def make():
        try:
            return _cut(text, parse, other.name)
        except WorkbenchError:
            if len(text) != len(parse) or not any(workspace.corrections(each).words for each in (corpus, other)):
                raise
            return None

    return workspace.cache.get("cuts", key, make)


def _cut(text, parse, name):
    """The OtherCut of a parse, None where it has the words of the text; WorkbenchError where it is of another text."""
    if np.array_equal(text.lengths, parse.lengths) and same_strings(text.form, parse.form).all():
        return None
    try:
        return OtherCut.of(text, parse)
    except WorkbenchError as error:
        message = str(error).replace("gold and system are not of one text: they", "they").partition(";")[0]
        message = message.replace("gold's", "this text's").replace("the system's", "the file's")
        raise WorkbenchError(f"{name} is not a parse of this text: {message}; give a file of the same text") from error


def _require_words(text, parse, name):
    try:
        require_same_text(text, parse)
    except WorkbenchError as error:
        message = str(error).replace("gold and system differ", "it differs").replace("gold has", "this text has")
        message = message.replace(" and system ", " and the file ").partition(";")[0]
        raise WorkbenchError(f"{name} is not a parse of this text: {message}; give the same sentences") from error
