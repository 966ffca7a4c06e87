"""One process's workbench: the store, its jobs, and the texts that were opened last.

Everything a page needs that is no drawing: pages hold one ``Workspace`` and ask it. All methods may be called from
any thread; texts are cached by their content and settings, so an undone change costs nothing.
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
from core.store.places import treebank_folder
from core.treebank import Statistics, Treebank, statistics
from core.treebank.downloads import remove_parts
from core.trees import Bracket
from core.workspace.cache import ProcessCache, cache_bytes
from core.workspace.corpora import marked_sample, read_corpus, source_key
from core.workspace.readings import Readings
from core.workspace.word_tags import WordTags, WordTagsReader, tagged_source

LARGE = 30_000  # words of a run's texts, from which on another process carries it out


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
        self.jobs = Jobs(store, limit)  # marks what a dead process left behind as interrupted
        self.cache = ProcessCache(cache_bytes(os.environ), outside=(Workspace, Store, Jobs))
        self.readings = Readings(self.cache)
        self._as_of = None  # the moment whose tags are looked at, by default now
        self._live = {}  # run -> (iteration, heads), only of runs under way

    @classmethod
    def open(cls, url: str | None = None, kinds: Callable[[], Kinds] = Kinds) -> "Workspace":
        """Open the store of this machine, or of ``url``; what was being fetched when a process died is removed.

        ``kinds`` are as in ``Store.open``. Raises StoreError.
        """
        with suppress(StoreError):  # without a folder nothing was fetched
            remove_parts(treebank_folder())
        return cls(Store.open(url, kinds=kinds))

    def on_behalf_of(self, person: str | None) -> "Workspace":
        """The same workbench for a signed-in person, whose roles its store and jobs look at; itself for None."""
        if person is None:
            return self
        view = copy.copy(self)
        view.store = self.store.on_behalf_of(person)
        view.jobs = self.jobs.on_behalf_of(view.store)
        return view

    def as_of(self, run: Run) -> "Workspace":
        """The same workbench with the tags that texts had when a Run was made: for what it left, and to resume it."""
        view = copy.copy(self)
        view._as_of = run.created
        return view

    def source(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus of the store, as its file has them.

        Raises FormatError or WorkbenchError where the bytes are not what format and encoding say.
        """
        return self.cache.get("treebanks", source_key(corpus), lambda: read_corpus(self.store, corpus))

    def treebank(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus with all tags that are known of them, those by hand too. Raises as ``source``."""
        tags = self.word_tags(corpus)
        if tags.tagging is None and not tags.digest:
            return self.source(corpus)
        key = tags.key(source_key(corpus))
        return self.cache.get("treebanks", key, lambda: tags.apply_tags(self._start_of_tags(corpus, tags)))

    def marked(self, corpus: Corpus, progress: Progress = lambda share, doing: None) -> Treebank:
        """The sentences of a Corpus with ``# markup`` comments: the built-in sample meets its own pages.

        ``progress(share, what is done)`` is called while there is something to wait for. Raises as ``source``.
        """
        reference = corpus.reference
        if not reference:
            return self.treebank(corpus)
        return self.cache.get("marked", reference, lambda: marked_sample(reference, progress))

    def brackets(self, corpus: Corpus) -> list[list[Bracket]]:
        """The brackets of each sentence of ``marked(corpus)``, read once. Raises as ``source``."""
        key = corpus.reference or self.corpus_key(corpus)
        return self.cache.get("brackets", key, lambda: marked_sentences(self.marked(corpus)))

    def treebank_before_hand(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus as the tree editor gets them: tagged by its file and the lexicon saved with it."""
        tags = self.word_tags(corpus)
        if tags.tagging is None:
            return self.source(corpus)
        return self.cache.get(
            "treebanks", self.key_before_hand(corpus), lambda: tags.apply_lexicon(self._start_of_tags(corpus, tags))
        )

    def _start_of_tags(self, corpus, tags):
        """What lexicon and hand are laid over: the sentences of the file, or what a tagger made of them."""
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
        """Names the content of a corpus and all that changes how it is read."""
        return self.word_tags(corpus).key(source_key(corpus))

    def key_before_hand(self, corpus: Corpus) -> str:
        """Names the content of ``treebank_before_hand``."""
        return replace(self.word_tags(corpus), digest=0).key(source_key(corpus))

    def statistics(self, corpus: Corpus) -> Statistics:
        """Statistics of a corpus."""
        return self.cache.get("statistics", self.corpus_key(corpus), lambda: statistics(self.treebank(corpus)))

    def show_live(self, run_id: int, iteration: int | None, heads: np.ndarray | None) -> None:
        """Keep the trees of a run under way for people to look at; None takes them away."""
        if heads is None:
            self._live.pop(run_id, None)
        else:
            self._live[run_id] = (iteration, heads)

    def live(self, run_id: int) -> tuple[int, np.ndarray] | None:
        """(iteration, heads) of a run under way, or None."""
        return self._live.get(run_id)
