"""Check twenty: sentences drawn at random, corrected by hand, and any parser's accuracy on the text from them."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NotRequired, TypedDict

from core.annotation import SentenceAnnotation
from core.annotation.sample_check import draw_sample, right_words
from core.errors import WorkbenchError
from core.evaluation.estimates import estimate
from core.files.tables import columns_of
from core.languages.direction import bidi_isolate
from core.store import Command, Corpus, CorpusId, DocumentKind, Entry, Store
from core.workspace.annotations import Annotations, states_by_layer
from core.workspace.registry import Systems

KIND = "annotation-check"  # kind of the document that holds the sample
SIZE = 20
NOTHING: Mapping[str, Collection[int]] = MappingProxyType({})


class DrawnSentences(TypedDict):
    """Sentences drawn to be checked, of how many."""

    seed: int
    sentences: list[int]
    of: NotRequired[int]


STORED = (DocumentKind(KIND, CorpusId, DrawnSentences),)


def drawn(store: Store, corpus: Corpus) -> dict | None:
    """The sample kept with a Corpus: {"seed", "sentences": indices in the order drawn, "of": how many}, or None."""
    return store.document(corpus.project, KIND, str(corpus.id))


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
    before, new = drawn(store, corpus), sorted(set(range(count)).difference(known))
    pool = new if len(new) >= size else range(count)
    chosen = [pool[position] for position in draw_sample(len(pool), size, seed)]
    value = {"seed": seed, "sentences": chosen, "of": len(pool)}
    return store.execute(
        corpus.project, Command(KIND, str(corpus.id), before, value), label=f"drawing {size} sentences to check"
    )


def population(sample: dict, count: int) -> int:
    """The number of sentences that a sample was drawn from, in a text of ``count``."""
    return sample.get("of", count)  # samples of older versions are of all


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


def checked(annotations: Annotations, sample: dict) -> dict[int, SentenceAnnotation]:
    """The corrected sentences of a sample, those marked done: dict of index to SentenceAnnotation."""
    done = annotations.done()
    return {index: done[index] for index in sample["sentences"] if index in done}


def began_from(annotations: Annotations, gold: dict[int, SentenceAnnotation]) -> Counter[str]:
    """How many of the corrected sentences began from each parser's proposal: Counter by the parser's key."""
    taken = annotations.proposals()
    return Counter(key for index in gold for key in taken.get(index, ()))


def accuracies(
    gold: dict[int, SentenceAnnotation], parsers: Mapping[str, Callable], population: int,
    learnt: Mapping[str, Collection[int]] = NOTHING, related: Mapping[str, Collection[int]] = NOTHING,
) -> list[tuple]:  # fmt: skip
    """(name, Estimate of heads, Estimate of heads and relations or None, note) of each parser.

    Parameters
    ----------
    gold : dict of int to SentenceAnnotation
        From ``checked``.
    parsers : dict of str to callable
        ``parser(index)`` returns a sentence's SentenceAnnotation or None, or raises WorkbenchError.
    population : int
        Sentences that they were drawn from.
    learnt : dict of str to indices, optional
        The sentences that a parser learnt from, on which it is not scored.
    related : dict of str to indices, optional
        Those that its relations were learnt from; without relations it is scored on them all the same.
    """
    rows = []
    for name, parser in parsers.items():
        try:
            rows.append((name, *_accuracy(gold, name, parser, population, learnt.get(name, ()), related.get(name, ()))))
        except WorkbenchError as error:
            rows.append((name, None, None, str(error)))
    return rows


def _accuracy(gold, name, parser, population, learnt, related):
    """(Estimate of heads, Estimate of both or None, note) of one parser."""
    scored = [index for index in gold if index not in learnt]
    left_out = len(gold) - len(scored)
    if left_out and len(scored) < 2:
        raise WorkbenchError(f"no score: it was trained on {left_out} of the {len(gold)} sentences; pick others")
    parsed = {index: parser(index) for index in scored}
    if None in parsed.values():
        raise WorkbenchError(f"{name} has no tree for some of the sentences drawn")
    counts = ([right_words(gold[index], parsed[index], labels) for index in scored] for labels in (False, True))
    heads, both = (estimate(*zip(*pairs, strict=True), population=population - left_out) for pairs in counts)
    taught = sum(index in related for index in scored)
    labelled = not taught and any(set(annotation.deprels) - {"", "root", "dep"} for annotation in parsed.values())
    notes = [f"on {len(scored)} of the {len(gold)} sentences: it was trained on the others"] if left_out else []
    notes += [f"no LAS: its relations were trained on {taught} of them"] if taught else []
    return heads, both if labelled else None, "; ".join(notes)


def accuracy_table(rows: Sequence[tuple]) -> dict[str, list[str]]:
    """Columns of a table over the rows of ``accuracies``."""
    texts = [(name, _estimate_text(heads), _estimate_text(both), note) for name, heads, both, note in rows]
    return columns_of(("parser", "UAS", "LAS", "note"), texts)


def _estimate_text(score):
    if score is None:
        return ""
    return f"{score.share:.1f}% ({score.low:.1f} to {score.high:.1f}) · {score.right:,} of {score.words:,}"
