"""The workbench of one process: the store, its jobs, and a cache of texts.

Pages and commands share one ``Workspace``, whose methods may be called from any thread. Texts are cached by their
content and settings, so an undone change needs no computation.
"""

import copy
import os
from collections.abc import Callable
from contextlib import suppress

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
from core.workspace.changed_words import SplicedReader, SplicedText, over_tagged, spliced
from core.workspace.corpora import marked_sample, read_corpus, source_key
from core.workspace.corrections import TextCorrections
from core.workspace.readings import Readings
from core.workspace.standing import Standing, StandingReader, compose
from core.workspace.word_tags import Tagging, tagged_source

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
        self._as_of = None  # the moment as of which texts are looked at, by default now
        self._layer, self._counts_trees = "", True
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
        """The same workbench with texts as they stood when a Run was made: for what it left, and to resume it."""
        view = copy.copy(self)
        view._as_of = run.created
        return view

    def of_version(self, layer: str) -> "Workspace":
        """The same workbench with a person's version of texts in place of the project's, ``""``."""
        view = copy.copy(self)
        view._layer = layer
        return view

    def without_corrected_trees(self) -> "Workspace":
        """The same workbench, for which corrected trees do not count: as runs up to version 0.2.0 saw texts."""
        view = copy.copy(self)
        view._counts_trees = False
        return view

    def file(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus of the store, as they are in its file.

        Raises FormatError or WorkbenchError where the bytes are not what format and encoding say.
        """
        return self.cache.get("treebanks", source_key(corpus), lambda: read_corpus(self.store, corpus))

    def source(self, corpus: Corpus) -> Treebank:
        """As ``file``, with the sentences in place whose words people have changed."""
        return self._source(corpus, self.corrections(corpus))

    def _source(self, corpus, corrections):
        """Made of the corrections that its key names: others may come meanwhile, and go again."""
        words = corrections.words
        if not words:
            return self.file(corpus)
        reader, key = self.cache.get("spliced", corpus.id, SplicedReader), corrections.words_key(source_key(corpus))
        return self.cache.get("treebanks", key, lambda: reader.read(self.file(corpus), words))

    def words_key(self, corpus: Corpus) -> str:
        """Names the content of ``source``."""
        return self.corrections(corpus).words_key(source_key(corpus))

    def standing(self, corpus: Corpus) -> Standing:
        """The sentences of a Corpus as people see them: under all corrections, begun or done. Raises as ``file``."""
        corrections = self.corrections(corpus)
        return self._standing(corpus, corrections, corrections.shown_key(source_key(corpus)), done=False)

    def shown_key(self, corpus: Corpus) -> str:
        """Names the content of ``standing``."""
        return self.corrections(corpus).shown_key(source_key(corpus))

    def settled(self, corpus: Corpus) -> Standing:
        """What is learnt from a Corpus, and scored by: as ``standing``, of the corrections those that are done."""
        return self._settled(corpus, self.corrections(corpus))

    def _settled(self, corpus, corrections):
        return self._standing(corpus, corrections, corrections.key(source_key(corpus)), done=True)

    def treebank(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus as ``settled``. Raises as ``source``."""
        return self.settled(corpus).treebank

    def _standing(self, corpus, corrections, key, done):
        def make():
            base = self._before_hand(corpus, corrections)
            return self._reader(corpus).compose(base, corrections.of_done() if done else corrections, done)

        return self.cache.get("standing", (key, done), make)

    def marked(self, corpus: Corpus, progress: Progress = lambda share, doing: None) -> Treebank:
        """The ``treebank`` of a Corpus with ``# markup`` comments: the built-in sample meets its own pages.

        ``progress(share, text)`` is called while the pages are read. Raises as ``source``.
        """
        return self._marked(corpus, self.corrections(corpus), progress)

    def _marked(self, corpus, corrections, progress=lambda share, doing: None):
        reference = corpus.reference
        if not reference:
            return self._settled(corpus, corrections).treebank
        base = self.cache.get("marked", reference, lambda: marked_sample(reference, progress))
        return compose(spliced(base, corrections.words), corrections.of_done()).treebank

    def brackets(self, corpus: Corpus) -> list[list[Bracket]]:
        """The brackets of each sentence of ``marked(corpus)``, read once. Raises as ``source``."""
        corrections = self.corrections(corpus)
        key = corrections.words_key(source_key(corpus))
        return self.cache.get("brackets", key, lambda: marked_sentences(self._marked(corpus, corrections)))

    def treebank_before_hand(self, corpus: Corpus) -> Treebank:
        """The sentences of a Corpus as the tree editor gets them: tagged by its file and the lexicon saved with it."""
        return self._before_hand(corpus, self.corrections(corpus))

    def _before_hand(self, corpus, corrections):
        tagging = corrections.tagging
        if tagging is None:
            return self._source(corpus, corrections)

        def make():
            return Tagging.from_dict(tagging).apply(self._tagged(corpus, tagging, corrections))

        return self.cache.get("treebanks", _key_before_hand(corpus, corrections), make)

    def _tagged(self, corpus, tagging, corrections):
        """The sentences of a Corpus with the tags of a tagger, if one tagged it."""
        source, words = self._source(corpus, corrections), corrections.words
        tagged = tagged_source(self.store, tagging, source)
        if tagged is source:
            return source
        then = self.as_of(self.store.run(tagging["run"])).corrections(corpus).words
        if not words and not then:
            return tagged
        return over_tagged(SplicedText(tagged, then, tagged), source, words, len(self.file(corpus)))

    def corrections(self, corpus: Corpus) -> TextCorrections:
        """The TextCorrections of a Corpus."""
        reader = self._reader(corpus).corrections
        found = reader.read(self.store, corpus)
        if self._as_of is not None:
            found = reader.read_as_of(self.store, corpus, self._as_of)
        return found if self._counts_trees else found.tags_only()

    def places_since(self, corpus: Corpus, run: Run, places: np.ndarray) -> np.ndarray:
        """int64: where the sentences of a Corpus stand that stood at ``places`` when a Run was made; -1 for none."""
        now, then = (each.corrections(corpus).order for each in (self, self.as_of(run)))
        if now == then:
            return places
        moved = (now.place(then.name(place)) for place in places.tolist())
        return np.array([-1 if place is None else place for place in moved], np.int64)

    def still_there(self, corpus: int | None, run: Run, places: np.ndarray) -> np.ndarray:
        """As ``places_since``, of those that still stand in the text with the id ``corpus``, if there is one."""
        try:
            moved = places if corpus is None else self.places_since(self.store.corpus(corpus), run, places)
        except StoreError:  # the text was removed
            return places
        return moved[moved >= 0]

    def recorded(self, corpus: Corpus) -> dict[str, int | bool]:
        """What runs on a Corpus record of it: its id, and ``begun_trees`` where these count."""
        begun = {"begun_trees": True} if self.corrections(corpus).counts.begun else {}
        return {"corpus": corpus.id} | begun

    def _reader(self, corpus):
        return self.cache.get("corrections", (corpus.id, self._layer), lambda: StandingReader(self._layer))

    def corpus_key(self, corpus: Corpus) -> str:
        """Names the content of ``treebank``."""
        return self.corrections(corpus).key(source_key(corpus))

    def read_key(self, corpus: Corpus) -> str:
        """Names what a parser reads of ``treebank``: words and tags, no trees."""
        return self.corrections(corpus).read_key(source_key(corpus))

    def key_before_hand(self, corpus: Corpus) -> str:
        """Names the content of ``treebank_before_hand``."""
        return _key_before_hand(corpus, self.corrections(corpus))

    def statistics(self, corpus: Corpus) -> Statistics:
        """Statistics of a corpus as it stands."""
        corrections = self.corrections(corpus)
        key = corrections.shown_key(source_key(corpus))
        shown = self._standing(corpus, corrections, key, done=False)
        return self.cache.get("statistics", key, lambda: statistics(shown.treebank))

    def show_live(self, run_id: int, iteration: int | None, heads: np.ndarray | None) -> None:
        """Store the current trees of a running job for people to look at; None removes them."""
        if heads is None:
            self._live.pop(run_id, None)
        else:
            self._live[run_id] = (iteration, heads)

    def live(self, run_id: int) -> tuple[int, np.ndarray] | None:
        """The last (iteration, heads) of a running job, or None."""
        return self._live.get(run_id)


def _key_before_hand(corpus, now):
    return TextCorrections(str(corpus.id), tagging=now.tagging, words=now.words).key(source_key(corpus))
