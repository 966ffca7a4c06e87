"""Check twenty: sentences drawn at random, corrected by hand, and any parser's accuracy on the text from them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.annotation.sample_check import draw_sample
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.languages.direction import bidi_isolate
from core.parsers.labels import has_relations
from core.store import Command, Corpus, Entry, Store
from core.workspace.annotations import Annotations, states_by_layer
from core.workspace.applied import AvailableParse, is_unknown
from core.workspace.parses import is_predicted, learnt_from, load_parse, relations_learnt_from
from core.workspace.random_sample import KIND, population
from core.workspace.registry import Systems
from core.workspace.relations import chosen_relations
from core.workspace.scored_text import scored_text
from core.workspace.scoring import UNREAD, Score
from core.workspace.sentence_order import stored_order

SIZE = 20


def known_sentences(systems: Systems, corpus: Corpus) -> set[int]:
    """Indices of the sentences that somebody has annotated, in any version, or marked to learn from."""
    layers = states_by_layer(systems.workspace.store, corpus).values()
    annotated = {index for states in layers for index, state in states.items() if state.status != "new"}
    try:
        marked = systems.learner(corpus).plan(corpus).marked
    except WorkbenchError:  # nothing is tagged, so nothing is learnt from
        marked = ()
    return annotated | {number - 1 for number in marked}


def draw(
    store: Store, corpus: Corpus, count: int, size: int = SIZE, seed: int = 0, known: Collection[int] = ()
) -> Entry | None:
    """Draw ``size`` of the ``count`` sentences of a Corpus and keep which, undoably. Raises WorkbenchError.

    They are drawn from the sentences that are not ``known``, which no parser has learnt from; from all, if these are
    too few.
    """
    before, new = store.document(corpus.project, KIND, str(corpus.id)), sorted(set(range(count)).difference(known))
    pool = new if len(new) >= size else range(count)
    name = stored_order(store, corpus).name
    chosen = [name(pool[position]) for position in draw_sample(len(pool), size, seed)]
    value = {"seed": seed, "sentences": chosen, "of": len(pool)}
    return store.execute(
        corpus.project, Command(KIND, str(corpus.id), before, value), label=f"drawing {size} sentences to check"
    )


def sample_words(sample: dict, count: int) -> str:
    """The size of a sample and of what it was drawn from, in words."""
    size, of = len(sample["sentences"]), population(sample, count)
    return f"{size} of {of:,} sentences" + (" that nobody had annotated" if of < count else "")


def sample_table(annotations: Annotations, sample: dict) -> dict[str, list]:
    """Columns of a table over a sample: sentence (from 1), status, words, text."""
    states, rows = annotations.states(), []
    for index in sample["sentences"]:
        sentence, status = annotations.source[index], states[index].status if index in states else "new"
        rows.append((index + 1, status, len(sentence), bidi_isolate(sentence.text)))
    return columns_of(("sentence", "status", "words", "text"), rows)


def sample_places(sample: dict) -> list[tuple[int, int]]:
    """The sentences of a sample as whole places of a PlaceList."""
    return [(index, 0) for index in sample["sentences"]]


def checked(annotations: Annotations, sample: dict) -> list[int]:
    """The sentences of a sample whose corrected trees count, in the order drawn: done, or by choice begun."""
    counted = set(annotations.workspace.of_version(annotations.layer).settled(annotations.corpus).by_hand.tolist())
    return [index for index in sample["sentences"] if index in counted]


@dataclass(frozen=True, eq=False)
class ParserAccuracy:
    """The accuracy of a parser: Scores of heads, and of heads and relations; each None where there is no such score.

    ``problem`` says why there is none at all.
    """

    name: str
    heads: Score | None = None
    both: Score | None = None
    problem: str = ""


def accuracies(
    systems: Systems, corpus: Corpus, parsers: Sequence[AvailableParse], layer: str = ""
) -> list[ParserAccuracy]:
    """The accuracy of each parser on the sentences drawn that are done, in the project's version or a person's."""
    workspace, rows = systems.workspace, []
    text = workspace.corpus_key(corpus), workspace.store.last_saved(corpus.project), layer
    relations = chosen_relations(workspace, corpus).key
    for parser in parsers:
        make = partial(_accuracy, systems, corpus, parser, layer)
        try:
            rows.append(workspace.cache.get("accuracies", (*text, relations, parser), make))
        except WorkbenchError as error:
            rows.append(ParserAccuracy(parser.name, problem=str(error)))
    return rows


def _accuracy(systems, corpus, parser, layer):
    known, key = scored_text(systems.workspace, corpus, layer), parser.key
    done = np.intersect1d((known.sample or {"sentences": []})["sentences"], known.settled.by_hand)
    parse, learnt = load_parse(systems, corpus, key), np.intersect1d(learnt_from(systems, corpus, key), done)
    if len(learnt) and len(done) - len(learnt) < 2:
        raise WorkbenchError(f"no score: it was trained on {len(learnt)} of the {len(done)} sentences; pick others")
    parse = parse.select(np.isin(parse.picks, done))
    if len(parse) < 2:
        raise WorkbenchError(f"no score: it has parsed {len(parse)} of the {len(done)} sentences; pick others")
    gold = known.settled.treebank.select(parse.picks)
    related = np.intersect1d(np.setdiff1d(parse.picks, learnt), relations_learnt_from(systems, corpus, key))
    told = {"unparsed": len(done) - len(parse), "is_unknown": is_unknown(systems, key), "related": len(related)}
    told |= {} if is_predicted(key) else UNREAD
    told |= {"against": f"trees corrected by {layer}"} if layer else {}
    scores = [known.score(gold, parse, parser=key, learnt=learnt, labels=labels, **told) for labels in (False, True)]
    is_labelled = not len(related) and has_relations(gold) and has_relations(parse)
    return ParserAccuracy(parser.name, scores[0], scores[1] if is_labelled else None)


def accuracy_table(rows: Sequence[ParserAccuracy]) -> dict[str, list[str]]:
    """Columns of a table over the rows of ``accuracies``; a note says what is scored where that differs, or why not."""
    shared = shared_basis(rows)
    texts = [(row.name, _estimate_text(row.heads), _estimate_text(row.both), _note(row, shared)) for row in rows]
    return columns_of(("parser", "UAS", "LAS", "note"), texts)


def shared_basis(rows: Sequence[ParserAccuracy]) -> str:
    """What all parsers are scored on, in words; "" where that differs, or nothing is scored."""
    bases = {row.heads.conditions.basis for row in rows if row.heads is not None}
    return bases.pop() if len(bases) == 1 else ""


def doubts(rows: Sequence[ParserAccuracy]) -> list[str]:
    """What else each parser's score depends on, a line for each that has any."""
    scored = [row for row in rows if row.heads is not None and row.heads.conditions.doubts]
    return [f"{row.name}: {'; '.join(row.heads.conditions.doubts)}" for row in scored if row.heads is not None]


def _note(row, shared):
    return row.problem if row.heads is None or shared else row.heads.conditions.basis


def _estimate_text(score):
    if score is None or score.estimate is None:
        return ""
    found = score.estimate
    return f"{found.share:.1f}% ({found.low:.1f} to {found.high:.1f}) · {found.right:,} of {found.words:,}"
