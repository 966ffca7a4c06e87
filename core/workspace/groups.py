"""Named groups of words of a text: stored with the project, undoably, and scored, counted and annotated separately.

A group is defined by a search request (one of its words, or whole sentences), a query of the sentence browser, a
relation, or sentences picked by hand. Its words are searched anew in the current text, by its tags and trees. A group
can also list its words one by one, such as those that a number counts.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from core.errors import StoreError, WorkbenchError
from core.files.tables import columns_of
from core.search import all_hits, parse_request
from core.search.browse import Query, find_sentences
from core.store import Command, Corpus, DocumentKind, SentenceKey, Store
from core.treebank import Treebank
from core.workspace.sentence_order import SentenceOrder, stored_order
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

KIND = "group"  # of the documents; keys are "12/3": the corpus, then a number
LONGEST = 60  # characters of a name


class GroupValues(TypedDict):
    """A stored group; sentences that its definition lists stand there by name."""

    name: str
    definition: dict


STORED = (DocumentKind(KIND, SentenceKey, GroupValues),)


@dataclass(frozen=True)
class WordGroup:
    """A named group, whose ``definition`` one of the functions ``by_request`` to ``by_words`` made."""

    key: str
    name: str
    definition: dict

    @property
    def description(self) -> str:
        """The definition in words."""
        definition = self.definition
        if definition["by"] == "request":
            counted = f"word {definition['word']} of" if definition["word"] else "sentences with"
            return f"{counted} {' '.join(definition['request'].split())}"
        if definition["by"] == "relation":
            return f"relation {definition['relation']}"
        if definition["by"] == "query":
            return _query_text(Query(**definition["query"]))
        noun = {"sentences": "sentence", "words": "word"}[definition["by"]]
        return f"{amount(len(definition[definition['by']]), noun)} picked by hand"


def by_request(request: str, word: str = "") -> dict:
    """Definition: the hits of a request, one of its words or, without, the sentences. Raises WorkbenchError."""
    parsed = parse_request(request)
    if word and word not in parsed.words:
        raise WorkbenchError(f"the request has no word {word}; choose {', '.join(parsed.words) or 'whole sentences'}")
    return {"by": "request", "request": request, "word": word}


def by_query(query: Query) -> dict:
    """Definition: the sentences that a Query of the sentence browser finds."""
    return {"by": "query", "query": asdict(query)}


def by_lengths(shortest: int, longest: int | None = None) -> dict:
    """Definition: sentences by their number of words. Raises WorkbenchError for an empty range."""
    if shortest < 1 or (longest is not None and longest < shortest):
        raise WorkbenchError(f"no sentence has {shortest} to {longest} words; the first number is the smaller one")
    return by_query(Query(shortest=shortest, longest=longest))


def by_relation(relation: str) -> dict:
    """Definition: words of one relation, such as ``nsubj``; with ``:*`` after it its subtypes too."""
    if not relation.strip():
        raise WorkbenchError("a relation is missing; write one, such as nsubj or nsubj:*")
    return {"by": "relation", "relation": relation.strip()}


def by_sentences(numbers: Iterable[int]) -> dict:
    """Definition: sentences picked by hand, numbers from 1. Raises WorkbenchError if there is none."""
    chosen = sorted({int(number) for number in numbers})
    if not chosen or chosen[0] < 1:
        raise WorkbenchError("no sentence is picked; give numbers from 1, such as 3, 8-12")
    return {"by": "sentences", "sentences": chosen}


def by_indices(treebank: Treebank, indices: ArrayLike) -> dict:
    """Definition: sentences of a Treebank that is a part of the text. Raises WorkbenchError if there is none."""
    return by_sentences((treebank.picks[np.asarray(indices, np.int64)] + 1).tolist())


def by_words(treebank: Treebank, sentences: ArrayLike, words: ArrayLike) -> dict:
    """Definition: a list of words.

    ``words[k]``, from 1, stands in sentence ``sentences[k]`` of a Treebank that is a part of the text; the definition
    has their numbers in the text. Raises WorkbenchError if there is none.
    """
    sentences, words = np.asarray(sentences, np.int64), np.asarray(words, np.int64)
    if not len(words):
        raise WorkbenchError("no word is picked; choose a number that counts some")
    picks = treebank.picks[sentences]
    numbers = treebank.rows[treebank.offsets[sentences] + words] - treebank.source.offsets[picks]
    pairs = np.unique(np.stack([picks + 1, numbers], axis=1), axis=0)
    return {"by": "words", "words": pairs.tolist()}


def groups(store: Store, corpus: Corpus) -> list[WordGroup]:
    """The WordGroups of a Corpus, in the order in which they were made."""
    documents = store.documents(corpus.project, KIND, f"{corpus.id}/").items()
    order = stored_order(store, corpus)
    saved = (WordGroup(key, value["name"], _placed(value["definition"], order)) for (_, key), value in documents)
    return sorted(saved, key=_number)


def _placed(definition: dict, order: SentenceOrder) -> dict:
    """A stored definition with the places of sentences, from 1, for their names."""
    return _with_numbers(definition, order, order.place)


def _named(definition: dict, order: SentenceOrder) -> dict:
    """A definition as it is stored."""
    return _with_numbers(definition, order, order.name)


def _with_numbers(definition, order, change):
    by = definition.get("by")
    if not order.groups or by not in ("sentences", "words"):
        return definition
    changed = []
    for listed in definition[by]:
        index = change((listed if by == "sentences" else listed[0]) - 1)
        if index is not None:
            changed.append(index + 1 if by == "sentences" else [index + 1, *listed[1:]])
    return definition | {by: sorted(changed)}


def _number(group):
    return int(group.key.partition("/")[2])


def save_group(workspace: Workspace, corpus: Corpus, name: str, definition: dict) -> WordGroup:
    """Store a group with the project, undoably; returns it. Raises WorkbenchError for a bad name or an empty group."""
    name = name.strip()
    if not name or len(name) > LONGEST or not name.isprintable():
        raise WorkbenchError(f"Give the group a name of 1 to {LONGEST} letters, digits or signs on one line")
    present = groups(workspace.store, corpus)
    if name in (group.name for group in present):
        raise WorkbenchError(f"there is a group {name} of this text already; choose another name")
    number = 1 + max(map(_number, present), default=0)
    group = WordGroup(f"{corpus.id}/{number}", name, definition)
    group_mask(workspace.treebank(corpus), group)
    named = _named(definition, stored_order(workspace.store, corpus))
    change = Command(KIND, group.key, None, {"name": name, "definition": named})
    workspace.store.execute(corpus.project, change, label=f"making the group {name}")
    return group


def remove_group(store: Store, corpus: Corpus, key: str) -> None:
    """Remove a group, undoably. Raises StoreError where it is gone."""
    before = store.document(corpus.project, KIND, key)
    if before is None:
        raise StoreError("This group is gone already; nothing was removed")
    store.execute(corpus.project, Command(KIND, key, before, None), label=f"removing the group {before['name']}")


def group_mask(treebank: Treebank, group: WordGroup) -> np.ndarray:
    """The words of a WordGroup in a corpus's Treebank: bool (rows,), False at roots.

    Raises WorkbenchError where the group is empty, or sentences or columns that it names are not there. O(rows), and
    the search of a request.
    """
    definition = group.definition
    by = definition.get("by")
    if by not in _MASKS:
        raise WorkbenchError(f"group {group.name} is of another version of the workbench; make it anew")
    try:
        mask = _MASKS[by](treebank, definition)
    except WorkbenchError as error:
        raise WorkbenchError(f"group {group.name}: {error}") from error
    mask[treebank.offsets[:-1]] = False
    if not mask.any():
        raise WorkbenchError(
            f"no word of this text is in group {group.name} ({group.description}); change or remove it"
        )
    return mask


def group_masks(workspace: Workspace, corpus: Corpus) -> tuple[dict[str, np.ndarray], list[str]]:
    """(dict of name to bool (rows,), problems in words): all groups of a Corpus over ``workspace.treebank(corpus)``."""
    treebank, masks, problems = workspace.treebank(corpus), {}, []
    for group in groups(workspace.store, corpus):
        try:
            masks[group.name] = group_mask(treebank, group)
        except WorkbenchError as error:
            problems.append(str(error))
    return masks, problems


def group_sentences(treebank: Treebank, group: WordGroup) -> np.ndarray:
    """Indices of the sentences that hold a word of a WordGroup: int64 (k,), ascending. Raises as ``group_mask``."""
    return np.flatnonzero(np.logical_or.reduceat(group_mask(treebank, group), treebank.offsets[:-1]))


def group_sentences_of_part(whole: Treebank, part: Treebank, group: WordGroup) -> np.ndarray:
    """Indices in ``part``, sentences of the Treebank ``whole``, of the sentences that hold a word of a WordGroup.

    int64 (k,), ascending. Raises as ``group_mask``, and where ``part`` has none of them.
    """
    indices = np.flatnonzero(np.isin(part.picks, whole.picks[group_sentences(whole, group)]))
    if not len(indices):
        raise WorkbenchError(
            f"none of these {len(part):,} sentences is in group {group.name} ({group.description}); choose another"
        )
    return indices


def word_count(treebank: Treebank, indices: ArrayLike) -> int:
    """How many words the sentences at ``indices`` have."""
    return int(treebank.lengths[np.asarray(indices, np.int64)].sum())


def restrict_order(order: ArrayLike, indices: ArrayLike) -> np.ndarray:
    """The sentences of ``order`` that are among ``indices``, in the same order."""
    order = np.asarray(order, np.int64)
    return order[np.isin(order, np.asarray(indices, np.int64))]


def group_table(workspace: Workspace, corpus: Corpus) -> dict[str, list]:
    """Columns of a table over the groups of a Corpus: name, description, words and sentences, or the problem."""
    rows, treebank = [], workspace.treebank(corpus)
    for group in groups(workspace.store, corpus):
        try:
            mask = group_mask(treebank, group)
            sentences = np.logical_or.reduceat(mask, treebank.offsets[:-1])
            cells = int(mask.sum()), int(sentences.sum()), ""
        except WorkbenchError as error:
            cells = None, None, str(error)
        rows.append((group.name, group.description, *cells))
    return columns_of(("group", "holds", "words", "sentences", "problem"), rows)


def _of_sentences(treebank, indices):
    mask = np.zeros(len(treebank), bool)
    mask[indices] = True
    return np.repeat(mask, treebank.lengths + 1)


def _by_request(treebank, definition):
    hits = all_hits(treebank, parse_request(definition["request"]))
    if not definition["word"]:
        return _of_sentences(treebank, hits.sentences)
    mask = np.zeros(len(treebank.heads), bool)
    mask[hits.column(definition["word"])] = True
    return mask


def _by_relation(treebank, definition):
    relation = definition["relation"]
    base, prefix = relation.removesuffix(":*"), relation.removesuffix("*")
    return treebank.deprel.mask(lambda value: value == base or (base != relation and value.startswith(prefix)))


def _by_sentences(treebank, definition):
    numbers = np.array(definition["sentences"], np.int64)
    gone = numbers[numbers > len(treebank)].tolist()
    if gone:
        raise WorkbenchError(
            f"sentence {gone[0]:,} is not in this text any more, which has {len(treebank):,}; pick others"
        )
    return _of_sentences(treebank, numbers - 1)


def _by_words(treebank, definition):
    sentences, words = np.array(definition["words"], np.int64).reshape(-1, 2).T
    lengths = np.zeros(max(len(treebank), sentences.max(initial=0)), np.int64)
    lengths[: len(treebank)] = treebank.lengths
    gone = np.flatnonzero(words > lengths[sentences - 1])
    if len(gone):
        raise WorkbenchError(
            f"word {words[gone[0]]:,} of sentence {sentences[gone[0]]:,} is not in this text any more; pick others"
        )
    mask = np.zeros(len(treebank.heads), bool)
    mask[treebank.offsets[sentences - 1] + words] = True
    return mask


_MASKS = {
    "request": _by_request,
    "query": lambda text, definition: _of_sentences(text, find_sentences(text, Query(**definition["query"]))),
    "relation": _by_relation,
    "sentences": _by_sentences,
    "words": _by_words,
}


def _query_text(query):
    parts = []
    if query.longest is not None:
        parts.append(f"{query.shortest} to {query.longest} words")
    elif query.shortest > 1:
        parts.append(f"at least {query.shortest} words")
    if query.kind:
        parts.append(query.kind)
    if query.column and query.value:
        parts.append(f"{query.column} {query.value}")
    if query.text.strip():
        parts.append(f"with “{query.text.strip()}”")
    return f"sentences: {', '.join(parts)}" if parts else "all sentences"
