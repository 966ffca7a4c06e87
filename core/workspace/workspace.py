"""The workbench of one process: the store, its jobs, and a cache of texts.

Pages and commands share one ``Workspace``, whose methods may be called from any thread. Texts are cached by their
content and settings, so an undone change needs no computation.
"""

import copy
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np

from core.callbacks import Progress
from core.errors import StoreError
from core.jobs import Jobs
from core.markup import marked_sentences
from core.store import Corpus, Kinds, Run, Store
from core.store.locations import treebank_folder
from core.treebank import Statistics, Treebank, statistics
from core.treebank.downloads import remove_parts
from core.trees import Bracket
from core.workspace.cache import ProcessCache, cache_bytes
from core.workspace.corpora import marked_sample, read_corpus, source_key
from core.workspace.readings import Readings
from core.workspace.word_tags import WordTags, WordTagsReader, tagged_source

LARGE = 30_000  # words of a run's texts; larger runs are carried out by another process


class Workspace:
    """The store, the jobs and the cache of one process.

    Parameters
    ----------
    store : Store
    limit : int
        How many jobs run at once.
    large : int
        Runs whose texts have more words are carried out by a process of their own.
    """

    def __init__(self, store: Store, limit: int = 2, large: int = LARGE):
        self.store, self.large = store, large
        self.jobs = Jobs(store, limit)  # marks runs of dead processes as interrupted
        self.cache = ProcessCache(cache_bytes(os.environ), outside=(Workspace, Store, Jobs))
        self.readings = Readings(self.cache)
        self._as_of = None  # the time whose tags count, or None for now
        self._live = {}  # run -> (iteration, heads), only of runs under way

    @classmethod
    def open(cls, url: str | None = None, kinds: Callable[[], Kinds] = Kinds) -> "Workspace":
        """Open the store of this machine, or of ``url``; removes incomplete downloads of dead processes.

        ``kinds`` are as in ``Store.open``. Raises StoreError.
        """
        with suppress(StoreError):  # there is no folder for treebanks
            remove_parts(treebank_folder())
        return cls(Store.open(url, kinds=kinds))

    def on_behalf_of(self, person: str | None) -> "Workspace":
        """The same workbench for a signed-in person, whose roles its store and jobs check; itself for None."""
        if person is None:
            return self
        view = copy.copy(self)
        view.store = self.store.on_behalf_of(person)
        view.jobs = self.jobs.on_behalf_of(view.store)
        return view

    def as_of(self, run: Run) -> "Workspace":
        """The same workbench with the tags that texts had when a Run was made, to read its result or resume it."""
        view = copy.copy(self)
        view._as_of = run.created
        return view

    def source(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus of the store, as they are in its file.

        Raises FormatError or WorkbenchError where the bytes are not what format and encoding say.
        """
        return self.cache.get("treebanks", source_key(corpus), lambda: read_corpus(self.store, corpus))

    def treebank(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus with all known tags, those by hand included. Raises as ``source``."""
        tags = self.word_tags(corpus)
        if tags.tagging is None and not tags.digest:
            return self.source(corpus)
        key = tags.key(source_key(corpus))
        return self.cache.get("treebanks", key, lambda: tags.apply_tags(self._start_of_tags(corpus, tags)))

    def marked(self, corpus: Corpus, progress: Progress = lambda share, doing: None) -> Treebank:
        """The sentences of a Corpus with ``# markup`` comments, which a built-in sample has from its pages.

        ``progress(share, text)`` is called while the pages are read. Raises as ``source``.
        """
        reference = corpus.reference
        if not reference:
            return self.treebank(corpus)
        return self.cache.get("marked", reference, lambda: marked_sample(reference, progress))

    def brackets(self, corpus: Corpus) -> list[list[Bracket]]:
        """The brackets of each sentence of ``marked(corpus)``; cached. Raises as ``source``."""
        key = corpus.reference or self.corpus_key(corpus)
        return self.cache.get("brackets", key, lambda: marked_sentences(self.marked(corpus)))

    def treebank_before_hand(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus for the tree editor: tagged by its file and the lexicon stored with it."""
        tags = self.word_tags(corpus)
        if tags.tagging is None:
            return self.source(corpus)
        return self.cache.get(
            "treebanks", self.key_before_hand(corpus), lambda: tags.apply_lexicon(self._start_of_tags(corpus, tags))
        )

    def _start_of_tags(self, corpus, tags):
        """The text before lexicon and tags by hand: the sentences of the file, or those that a tagger tagged."""
        return tagged_source(self.store, tags.tagging, self.source(corpus))

    def word_tags(self, corpus: Corpus) -> WordTags:
        """The WordTags of a Corpus."""
        reader = self.cache.get("word tags", corpus.id, WordTagsReader)
        return (
            reader.read(self.store, corpus)
            if self._as_of is None
            else reader.read_as_of(self.store, corpus, self._as_of)
        )

    def corpus_key(self, corpus: Corpus) -> str:
        """A key for the content of a corpus and all that changes how it is read."""
        return self.word_tags(corpus).key(source_key(corpus))

    def key_before_hand(self, corpus: Corpus) -> str:
        """A key for the content of ``treebank_before_hand``."""
        return replace(self.word_tags(corpus), digest=0).key(source_key(corpus))

    def statistics(self, corpus: Corpus) -> Statistics:
        """Statistics of a corpus."""
        return self.cache.get("statistics", self.corpus_key(corpus), lambda: statistics(self.treebank(corpus)))

    def show_live(self, run_id: int, iteration: int | None, heads: np.ndarray | None) -> None:
        """Store the current trees of a running job for people to look at; None removes them."""
        if heads is None:
            self._live.pop(run_id, None)
        else:
            self._live[run_id] = (iteration, heads)

    def live(self, run_id: int) -> tuple[int, np.ndarray] | None:
        """The last (iteration, heads) of a running job, or None."""
        return self._live.get(run_id)
