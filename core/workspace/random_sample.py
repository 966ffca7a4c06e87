"""The sentences of a text that were drawn at random to be corrected, so that scores on them hold for the whole text."""

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from core.store import Corpus, CorpusId, DocumentKind, Store
from core.workspace.sentence_order import stored_order

KIND = "annotation-check"  # kind of the document that holds the sample


class DrawnSentences(TypedDict):
    """Names of the sentences drawn to be checked, of how many."""

    seed: int
    sentences: list[int]
    of: NotRequired[int]


STORED = (DocumentKind(KIND, CorpusId, DrawnSentences),)


def drawn(store: Store, corpus: Corpus) -> dict | None:
    """The sample kept with a Corpus: {"seed", "sentences": indices in the order drawn, "of": how many}, or None."""
    sample = store.document(corpus.project, KIND, str(corpus.id))
    if sample is None:
        return None
    places = map(stored_order(store, corpus).place, sample["sentences"])
    return sample | {"sentences": [place for place in places if place is not None]}


def population(sample: Mapping, count: int) -> int:
    """The number of sentences that a sample was drawn from, in a text of ``count``."""
    return sample.get("of", count)  # samples of older versions are of all
