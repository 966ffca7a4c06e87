"""The labels that are offered for the words of a sentence: those of its text, of its language, and of UD."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from core.annotation import SentenceAnnotation
from core.annotation.known_labels import KnownLabels
from core.annotation.label_inventories import LabelInventories, subtype_keys
from core.annotation.universal_features import FEATURES
from core.errors import WorkbenchError
from core.languages import UNKNOWN
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.corpora import language_of, source_key
from core.workspace.texts import listed_texts
from core.workspace.workspace import Workspace

TEXTS = 4  # other texts of the language that are read at most
VALUES = 6  # values offered for a word at most
OFFERED = ("xpos", "lemmas", "feats", "gloss", "translit")


@dataclass(eq=False)
class HandFeatures:
    """The features that a person gave to words of a text, by tag: once given, they are known.

    Of each sentence they are read once for every change of it; several threads may ask.
    """

    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _read: dict[int, Mapping[str, list]] = field(default_factory=dict)
    _pairs: dict[str, set[str]] = field(default_factory=dict)

    def read(self, treebank: Treebank, columns: Mapping[int, Mapping[str, list]]) -> dict[str, set[str]]:
        """tag -> set of ``Name=Value``, after the ``columns`` of TextCorrections over ``treebank``."""
        with self._lock:
            for index, values in columns.items():
                if self._read.get(index) is not values and index < len(treebank):
                    self._read[index] = values
                    self._add(treebank, index, values)
            return {tag: set(pairs) for tag, pairs in self._pairs.items()}

    def _add(self, treebank, index, values):
        rows = np.arange(int(treebank.offsets[index]) + 1, int(treebank.offsets[index + 1]))
        tags = values.get("upos") or treebank.upos.take(rows).strings().tolist()
        for tag, feats in zip(tags, values.get("feats", ()), strict=False):
            if feats:
                self._pairs.setdefault(tag, set()).update(feats.split("|"))


@dataclass(frozen=True, eq=False)
class OfferedLabels:
    """What is offered: the inventories and known labels of a text, then those of other texts of its language.

    ``by_hand`` are features given by hand, by tag.
    """

    inventories: Sequence[LabelInventories]
    known: Sequence[KnownLabels]
    by_hand: Mapping[str, set[str]] = field(default_factory=dict)

    def as_data(self, annotation: SentenceAnnotation) -> dict[str, object]:
        """Values for the editor of a SentenceAnnotation.

        ``subtypes``: relation -> [subtype, key]. ``features``: tag -> [what text and language have, what UD has
        besides]. ``offered``: column -> for each word, entry 0 the root's, its values.
        """
        words = list(zip(annotation.forms, annotation.upos, strict=True))[1:]
        return {
            "subtypes": subtype_keys(self.inventories),
            "features": {tag: self.features(tag) for tag in set(annotation.upos) - {""}},
            "offered": {column: [[], *(self.of_word(column, *word) for word in words)] for column in OFFERED},
        }

    def features(self, tag: str) -> tuple[list[str], list[str]]:
        """(the features that the texts have under a tag, those that UD has besides), as ``Name=Value``."""
        own = dict.fromkeys(pair for known in self.known for pair in known.features.get(tag, ()))
        own |= dict.fromkeys(sorted(self.by_hand.get(tag, ())))
        more = FEATURES.get(tag, ()) if self.inventories[0].universal else ()
        return list(own), [pair for pair in more if pair not in own]

    def of_word(self, column: str, form: str, tag: str) -> list[str]:
        """At most VALUES values that a word may have; a lemma is guessed by the word's ending where nobody has it."""
        values = [value for known in self.known for value in known.of_word(column, form, tag)]
        if column == "lemmas" and not values:
            guesses = (known.lemmas_by_ending(form, tag) for known in self.known)
            values = [*next(filter(None, guesses), []), form.lower(), form]
        return list(dict.fromkeys(values))[:VALUES]

    @classmethod
    def of(cls, treebank: Treebank) -> "OfferedLabels":
        """Those of a Treebank alone. O(rows log rows)."""
        return cls([LabelInventories.of(treebank)], [KnownLabels.of(treebank)])


def offered_labels(workspace: Workspace, corpus: Corpus) -> OfferedLabels:
    """The OfferedLabels of a Corpus; what is read of each text is cached. O(rows) of up to TEXTS other texts at first.

    A text of the language that cannot be read offers nothing: opening it says why. Raises as ``Workspace.source``.
    """
    cache, corrections = workspace.cache, workspace.corrections(corpus)
    treebank, key = workspace.treebank_before_hand(corpus), workspace.key_before_hand(corpus)
    inventories = [cache.get("rosters", key, lambda: LabelInventories.of(treebank))]
    known = [cache.get("known labels", key, lambda: KnownLabels.of(treebank))]
    for text in _others_of_language(workspace, corpus):
        with suppress(WorkbenchError):
            labels = cache.get("labels of a text", source_key(text), partial(_labels, workspace, text))
            inventories.append(labels[0])
            known.append(labels[1])
    by_hand = cache.get("hand features", (key, corrections.layer), HandFeatures)
    return OfferedLabels(inventories, known, by_hand.read(treebank, corrections.columns))


def _labels(workspace, corpus):
    treebank = workspace.source(corpus)
    return LabelInventories.of(treebank), KnownLabels.of(treebank)


def _others_of_language(workspace, corpus):
    language = language_of(corpus)
    if language == UNKNOWN:
        return []
    texts = listed_texts(workspace.store, corpus.project)
    return [text for text in texts if text.id != corpus.id and language_of(text) == language][:TEXTS]
