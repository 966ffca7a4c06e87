"""Check twenty: sentences drawn at random, corrected by hand, and any parser's accuracy on the text from them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from core.annotation import SentenceAnnotation
from core.annotation.sample_check import draw_sample, estimate, right_words
from core.direction import bidi_isolate
from core.errors import WorkbenchError
from core.store import Command, Corpus, Entry, Store
from core.workspace.annotate.proposals import ENGLISH
from core.workspace.annotations import Annotations
from core.workspace.parses import run_of
from core.workspace.registry import Systems

KIND = "annotation-check"  # of the document that holds what was drawn
SIZE = 20


def drawn(store: Store, corpus: Corpus) -> dict | None:
    """The sample kept with a Corpus: {"seed", "sentences": indices in the order drawn}, or None."""
    return store.document(corpus.project, KIND, str(corpus.id))


def draw(store: Store, corpus: Corpus, count: int, size: int = SIZE, seed: int = 0) -> Entry | None:
    """Draw ``size`` of the ``count`` sentences of a Corpus and keep which, undoably. Raises WorkbenchError."""
    before = drawn(store, corpus)
    value = {"seed": seed, "sentences": list(draw_sample(count, size, seed))}
    return store.execute(
        corpus.project, Command(KIND, str(corpus.id), before, value), label=f"drawing {size} sentences to check"
    )


def sample_table(annotations: Annotations, sample: dict) -> dict[str, list]:
    """Columns of a table over a sample: sentence (from 1), status, words, text."""
    states = annotations.states()
    sentences = [annotations.source[index] for index in sample["sentences"]]
    return {
        "sentence": [sentence.index + 1 for sentence in sentences],
        "status": [states[each.index].status if each.index in states else "new" for each in sentences],
        "words": [len(sentence) for sentence in sentences],
        "text": [bidi_isolate(sentence.text) for sentence in sentences],
    }


def checked(annotations: Annotations, sample: dict) -> dict[int, SentenceAnnotation]:
    """The corrected sentences of a sample, those marked done: dict of index to SentenceAnnotation."""
    states = annotations.states()
    done = [index for index in sample["sentences"] if index in states and states[index].status == "done"]
    return {index: annotations.get(index)[0] for index in done}


def began_from(annotations: Annotations, gold: dict[int, SentenceAnnotation]) -> Counter[str]:
    """How many of the corrected sentences began from each parser's proposal: Counter by the parser's key."""
    taken = annotations.proposals()
    return Counter(key for index in gold for key in taken.get(index, ()))


def trained_on_manual_trees(systems: Systems, key: str) -> bool:
    """Whether the parser of an AvailableParse's key learnt from sentences of its text that were annotated by hand.

    False of parsers that no run of the project left.
    """
    run = None if key == ENGLISH.key else run_of(systems.workspace, key)
    return run is not None and run.kind in systems and systems[run.kind].trained_on_manual_trees(run)


def accuracies(gold: dict[int, SentenceAnnotation], parsers: Mapping[str, Callable], population: int) -> list[tuple]:
    """(name, Estimate of heads, Estimate of heads and relations or None, problem) of each parser.

    Parameters
    ----------
    gold : dict of int to SentenceAnnotation
        From ``checked``.
    parsers : dict of str to callable
        ``parser(index)`` returns a sentence's SentenceAnnotation or None, or raises WorkbenchError.
    population : int
        Sentences of the text.
    """
    rows = []
    for name, parser in parsers.items():
        try:
            parsed = {index: parser(index) for index in gold}
            if None in parsed.values():
                raise WorkbenchError(f"{name} has no tree for some of the sentences drawn")
            counts = [[right_words(gold[index], parsed[index], labels) for index in gold] for labels in (False, True)]
            heads, both = (
                estimate(right, words, population) for right, words in (zip(*each, strict=True) for each in counts)
            )
            labelled = any(set(each.deprels) - {"", "root", "dep"} for each in parsed.values())
            rows.append((name, heads, both if labelled else None, ""))
        except WorkbenchError as error:
            rows.append((name, None, None, str(error)))
    return rows


def accuracy_table(rows: Sequence[tuple]) -> dict[str, list[str]]:
    """Columns of a table over what ``accuracies`` found."""
    return {
        "parser": [name for name, *_ in rows],
        "UAS": [_estimate_text(heads) for _, heads, _, _ in rows],
        "LAS": [_estimate_text(both) for _, _, both, _ in rows],
        "note": [problem for *_, problem in rows],
    }


def _estimate_text(found):
    if found is None:
        return ""
    return f"{found.share:.1f}% ({found.low:.1f} to {found.high:.1f}) · {found.right:,} of {found.words:,}"
