"""Lists of places that are gone through in Annotate in their own order: what is listed is kept as it was opened.

A correction changes what a page lists, so the list itself is kept with the project, and its address is (kind, key).
Where words or sentences are split, merged, inserted or deleted, the list follows (``core/workspace/word_editing.py``).
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NotRequired, TypedDict

from core.errors import WorkbenchError
from core.store import Corpus, DocumentKind, OfCorpus, Store
from core.treebank import Treebank
from core.workspace.sentence_order import stored_order
from core.workspace.wording import around

KIND = "annotation-list"  # of the documents that keep one
MOST = 5_000  # places of a list; pages say how many of all are gone through


class ListValues(TypedDict):
    """A list of places, with the names of sentences from 0, and the address of the page that lists them."""

    title: str
    places: list[list[int]]
    page: str
    query: dict[str, list[str]]
    row_key: str
    first: int | None
    words: NotRequired[str]


STORED = (DocumentKind(KIND, OfCorpus, ListValues),)


@dataclass(frozen=True)
class PlaceList:
    """Places of a text in the order in which a page lists them.

    Attributes
    ----------
    kind : str
        Such as ``"outliers"``.
    title : str
        What stands above it.
    places : tuple of (int, int)
        Index of the sentence, and number of the word from 1; 0 for the whole sentence.
    page, query : str, mapping of str to list of str
        The address of the page that lists them.
    row_key : str
        What the address calls the row that is looked at; "" where it has none.
    first : int or None
        How the address counts rows: from 0 or 1. None where it holds the place too: [row, sentence, word].
    words : str
        Names the words of the text that it was made of; "" for those of the file.
    """

    kind: str
    title: str
    places: tuple[tuple[int, int], ...]
    page: str
    query: Mapping[str, Sequence[str]]
    row_key: str = ""
    first: int | None = None
    words: str = ""

    @property
    def key(self) -> str:
        """What tells it from others of its kind."""
        content = json.dumps([self.title, self.places, self.page, *filter(None, [self.words])])
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def query_at(self, row: int) -> dict[str, list[str]]:
        """The query of the page that lists them, at a row."""
        query = {name: list(values) for name, values in self.query.items()}
        if self.row_key:
            value = [row, *self.places[row]] if self.first is None else row + self.first
            query[self.row_key] = [json.dumps(value, separators=(",", ":"))]
        return query

    def next_row(self, row: int, by: int, done: Collection[int]) -> int:
        """The row after ``row`` (``by`` = 1) or before it (-1); ``row`` itself where there is none.

        Words come one after the other. Of whole sentences those are passed over that are ``done``, by their indices.
        """
        rows = range(row + 1, len(self.places)) if by > 0 else range(row - 1, -1, -1)
        return next((k for k in rows if self.places[k][1] or self.places[k][0] not in done), row)

    def done_count(self, done: Collection[int]) -> int:
        """How many of its places are in sentences that are ``done``."""
        return sum(sentence in done for sentence, _ in self.places)

    def columns(self, treebank: Treebank, done: Collection[int], begin: int, end: int) -> dict[str, list]:
        """Columns of a table over some of its rows: whether done, sentence (from 1), the words around."""
        places = self.places[begin:end]
        sentences = [sentence for sentence, _ in places]
        texts = [around(treebank[sentence].forms, word) for sentence, word in places]
        numbers = [sentence + 1 for sentence in sentences]
        return {"done": ticks(sentences, done), "sentence": numbers, "around": texts}


def ticks(sentences: Iterable[int], done: Collection[int]) -> list[str]:
    """A column of a table: "✓" at the sentences, by their indices, that are ``done``."""
    return ["✓" if int(sentence) in done else "" for sentence in sentences]


def keep_list(store: Store, corpus: Corpus, places: PlaceList) -> None:
    """Keep a PlaceList of a Corpus with its project, without undo. Raises StoreError."""
    values = {name: value for name, value in asdict(places).items() if name != "kind"}
    name = stored_order(store, corpus).name
    values["places"] = [[name(sentence), word] for sentence, word in places.places]
    document = _document(corpus, places.kind, places.key)
    if store.document(corpus.project, KIND, document) != values:
        store.remember(corpus.project, KIND, document, values)


def kept_list(store: Store, corpus: Corpus, kind: str, key: str, treebank: Treebank) -> PlaceList:
    """The PlaceList of an address. Raises WorkbenchError where it is not kept, or is of other sentences."""
    values = store.document(corpus.project, KIND, _document(corpus, kind, key))
    if values is None:
        raise WorkbenchError("the list that this link goes through is not here any more; sentences follow one another")
    place, lengths = stored_order(store, corpus).place, treebank.lengths
    listed = tuple((place(sentence), word) for sentence, word in values["places"])
    places = PlaceList(kind, **values | {"places": listed})
    if any(
        sentence is None or sentence >= len(lengths) or word > lengths[sentence] for sentence, word in places.places
    ):
        raise WorkbenchError("the list that this link goes through is of other sentences; open it anew")
    return places


def _document(corpus, kind, key):
    return f"{corpus.id}/{kind}/{key}"
