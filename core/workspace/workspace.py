"""One process's workbench: the store, its jobs, and the texts that were opened last.

Everything a page needs that is no drawing: pages hold one ``Workspace`` and ask it. All methods may be called from
any thread; texts are cached by their content and settings, so an undone change costs nothing.
"""

import copy
import json
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.constraints import ConstraintDocument, Matcher, parse_constraints
from core.constraints.attribution import Attribution
from core.jobs import Jobs
from core.store import Command, Store
from core.threads import unless_cancelled
from core.treebank import Treebank, statistics
from core.workspace.cache import BoundedCache
from core.workspace.constraints.ask import questions
from core.workspace.constraints.change import compare
from core.workspace.constraints.checks import Checks
from core.workspace.constraints.gradient import gradient_comparison
from core.workspace.constraints.known_trees import known_trees, trees_key
from core.workspace.constraints.mistakes import mistakes
from core.workspace.constraints.settings import TrainingSettings, default_settings
from core.workspace.constraints.survey import conflicts
from core.workspace.constraints.training import latest, load_outcome, new_trainer, untrained
from core.workspace.constraints.worth import load_worth, worth_run
from core.workspace.corpora import (
    marked_sample,
    read_corpus,
    source_key,
    tagged_sentences,
    text_brackets,
    training_text,
)
from core.workspace.word_tags import WordTagsReader, tagged_source

PATIENCE = 0.25  # seconds a page waits for what most often is known by then, rather than be drawn twice
SETTINGS = "training"  # kind of the document that holds the training settings of a corpus


@dataclass(frozen=True, eq=False)
class Text:
    """The sentences that constraints speak of and are trained on: those of a corpus that the settings let in.

    ``key`` names their content and settings, for caches and for the runs made on them.
    """

    corpus: object
    treebank: Treebank
    settings: TrainingSettings
    key: str
    matcher: Matcher

    @cached_property
    def tag_counts(self):
        """How many words have each tag of the column in use: dict of str to int."""
        column = self.treebank.tag_column(self.settings.tags)
        counts = np.bincount(column.ids, minlength=len(column.values)).tolist()
        return {value: count for value, count in zip(column.values, counts, strict=True) if value and count}


class Workspace:
    """The store, the jobs and bounded caches of one process.

    Parameters
    ----------
    store : Store
    limit : int
        How many jobs run at once.
    """

    def __init__(self, store, limit=2):
        self.store = store
        self.jobs = Jobs(store, limit)  # marks what a dead process left behind as interrupted
        self._treebanks = BoundedCache(6)
        self._marked = BoundedCache(3)
        self._statistics = BoundedCache(16)
        self._word_tags = BoundedCache(16)
        self._as_of = None  # the moment whose tags are looked at, by default now
        self._tagged = BoundedCache(16)
        self._texts = BoundedCache(6)
        self._trainers = BoundedCache(2)
        self._results = BoundedCache(16)
        self._matches = BoundedCache(4)
        self._attributions = BoundedCache(2)
        self._told = BoundedCache(64)
        self._known_trees = BoundedCache(4)
        self._questions = BoundedCache(8)
        self._scores = BoundedCache(1)
        self._read = BoundedCache(8)
        self._checks = Checks()
        self._live = {}  # run -> (iteration, heads), only of runs under way

    @classmethod
    def open(cls, url=None):
        """Open the store of this machine, or of ``url``. Raises StoreError."""
        return cls(Store.open(url))

    def on_behalf_of(self, person):
        """The same workbench for a signed-in person, whose roles its store and jobs look at; itself for None."""
        if person is None:
            return self
        view = copy.copy(self)
        view.store = self.store.on_behalf_of(person)
        view.jobs = self.jobs.on_behalf_of(view.store)
        return view

    def as_of(self, run):
        """The same workbench with the tags that texts had when a Run was made: for what it left, and to resume it."""
        view = copy.copy(self)
        view._as_of = run.created
        return view

    def source(self, corpus):
        """The sentences of a Corpus of the store, as its file has them.

        Raises FormatError or WorkbenchError where the bytes are not what format and encoding say.
        """
        return self._treebanks.get(source_key(corpus), lambda: read_corpus(self.store, corpus))

    def treebank(self, corpus):
        """The sentences of a Corpus with all tags that are known of them, those by hand too. Raises as ``source``."""
        tags = self.word_tags(corpus)
        if tags.tagging is None and not tags.digest:
            return self.source(corpus)
        key = tags.key(source_key(corpus))
        return self._treebanks.get(key, lambda: tags.lay(self._start_of_tags(corpus, tags)))

    def marked(self, corpus, progress=lambda share, doing: None):
        """The sentences of a Corpus with ``# markup`` comments: the built-in sample meets its own pages.

        ``progress(share, what is done)`` is called while there is something to wait for. Raises as ``source``.
        """
        if not corpus.reference:
            return self.treebank(corpus)
        return self._marked.get(corpus.reference, lambda: marked_sample(corpus.reference, progress))

    def treebank_before_hand(self, corpus):
        """The sentences of a Corpus as the tree editor gets them: tagged by its file and the lexicon saved with it."""
        tags = self.word_tags(corpus)
        if tags.tagging is None:
            return self.source(corpus)
        return self._treebanks.get(
            self.key_before_hand(corpus), lambda: tags.lay_lexicon(self._start_of_tags(corpus, tags))
        )

    def _start_of_tags(self, corpus, tags):
        """What lexicon and hand are laid over: the sentences of the file, or what a tagger made of them."""
        return tagged_source(self.store, tags.tagging, self.source(corpus))

    def word_tags(self, corpus):
        """The WordTags of a Corpus."""
        reader = self._word_tags.get(corpus.id, WordTagsReader)
        return (
            reader.read(self.store, corpus)
            if self._as_of is None
            else reader.read_as_of(self.store, corpus, self._as_of)
        )

    def corpus_key(self, corpus):
        """Names the content of a corpus and all that changes how it is read."""
        return self.word_tags(corpus).key(source_key(corpus))

    def key_before_hand(self, corpus):
        """Names the content of ``treebank_before_hand``."""
        return replace(self.word_tags(corpus), digest=0).key(source_key(corpus))

    def statistics(self, corpus):
        """Statistics of a corpus."""
        return self._statistics.get(self.corpus_key(corpus), lambda: statistics(self.treebank(corpus)))

    def settings(self, corpus):
        """The training settings of a corpus: those saved with the project, else what suits it."""
        saved = self.store.document(corpus.project, SETTINGS, str(corpus.id))
        return default_settings(self.treebank(corpus)) if saved is None else TrainingSettings.from_dict(saved)

    def save_settings(self, corpus, settings):
        """Keep training settings with the project; can be undone."""
        before = self.store.document(corpus.project, SETTINGS, str(corpus.id))
        change = Command(SETTINGS, str(corpus.id), before, settings.as_dict())
        return self.store.execute(corpus.project, change, label="changing what is trained on")

    def text(self, corpus, settings=None):
        """The Text of a corpus under settings, by default its own.

        Raises WorkbenchError where no sentence is short enough, or no word has a tag.
        """
        settings = settings or self.settings(corpus)
        untagged = self.untagged_sentences(corpus, settings.tags)
        key = json.dumps([self.corpus_key(corpus), *settings.selection, *([untagged] if untagged else [])])

        def make():
            treebank = training_text(self.treebank(corpus), settings)
            return treebank, Matcher(treebank, settings.tags)

        treebank, matcher = self._texts.get(key, make)
        return Text(corpus, treebank, settings, key, matcher)

    def untagged_sentences(self, corpus, tags):
        """How many sentences of a Corpus have no tag in the column ``tags`` and are left out of training."""

        def make():
            treebank = self.treebank(corpus)
            return len(treebank) - len(tagged_sentences(treebank, tags))

        return self._tagged.get((self.corpus_key(corpus), tags), make)

    def known_trees(self, text):
        """The KnownTrees to learn from beside the constraints, or None. Raises as ``known_trees.known_trees``."""
        key = trees_key(self, text)
        return None if key is None else self._known_trees.get(key, lambda: known_trees(self, text))

    def brackets(self, text):
        """The brackets of each sentence of a Text, as ``text_brackets`` finds them."""
        return self._read.get(("brackets", text.key), lambda: text_brackets(text.treebank, text.corpus.reference))

    def trainer(self, text):
        """The GETrainer of a Text, indexed once. Takes seconds on a large corpus: for jobs, not for pages."""
        return self._trainers.get((text.key, text.settings.ge_settings()), lambda: new_trainer(text))

    def outcome(self, text, run=None):
        """What a finished run made of a Text, or the untrained model: an Outcome."""
        if run is None:
            key = (text.key, text.settings.distribution)
            return self._results.get(key, lambda: untrained(text))
        return self._results.get((text.key, run.id), lambda: load_outcome(self.store, run, text))

    def change(self, text, run, former=None):
        """The Change that a run made, from run ``former`` or else from the run before it or the untrained model;
        without a run, none."""
        if run is None:
            key = ("change", text.key, text.settings.distribution)
            return self._results.get(key, lambda: compare(text, self.outcome(text), self.outcome(text)))
        former = former or latest(self.store, text, before=run.id)
        key = ("change", text.key, run.id, former and former.id)
        return self._results.get(key, lambda: compare(text, self.outcome(text, former), self.outcome(text, run)))

    def attribution(self, text, run):
        """The Attribution of a finished run on a Text. Takes seconds where the text is large and not indexed yet."""

        return self._attributions.get((text.key, run.id), lambda: self.new_attribution(text, run))

    def new_attribution(self, text, run, cancel=None):
        """The Attribution of a finished run on a Text, made anew: for jobs, that want to cancel it."""
        trained = self.text(text.corpus, TrainingSettings.from_dict(run.settings))
        constraints = parse_constraints(run.constraint_text, trained.matcher)
        known = self.known_trees(trained)
        trees = None if known is None else known.treebank
        weights = self.outcome(trained, run).weights
        trainer = unless_cancelled(lambda: self.trainer(trained), cancel)
        return Attribution(trainer, constraints, weights, trees=trees, cancel=cancel)

    def why(self, text, run, sentence, head, modifier, against=None):
        """(constraints, ArcAttribution): what pulled an arc of a Text in or out, in a finished run."""

        def make():
            attribution = self.attribution(text, run)
            return attribution.constraints, attribution.of_arc(sentence, head, modifier, against)

        return self._told.get((text.key, run.id, sentence, head, modifier, against), make)

    def scores(self, text, run):
        """Arc scores of a finished run on a Text, in nats: PackedScores. Seconds where it is not indexed yet."""

        def make():
            trained = self.text(text.corpus, TrainingSettings.from_dict(run.settings))
            return self.trainer(trained).scores(self.outcome(trained, run).weights)

        return self._scores.get((text.key, run.id), make)

    def gradient(self, text, run, constraint_text, sentence, line=None):
        """The CovarianceComparison of a sentence of a Text; as ``gradient_comparison``, kept."""
        key = ("gradient", text.key, run and run.id, constraint_text, sentence, line)
        return self._read.get(key, lambda: gradient_comparison(self, text, run, constraint_text, sentence, line))

    def mistakes(self, text, outcome):
        """The Mistakes of an Outcome of a Text. Raises WorkbenchError where the text has no trees of its own."""
        key = ("mistakes", text.key, outcome.run, text.settings.projective)
        return self._read.get(key, lambda: mistakes(text, outcome.heads))

    def worth(self, text, run):
        """(Worth or None, the newest Run that works or worked it out or None) of a finished run on a Text."""
        job = worth_run(self.store, text, run)
        if job is None or job.status != "done":
            return None, job
        return self._read.get(("worth", job.id), lambda: load_worth(self.store, job)), job

    def questions(self, text, constraint_text, outcome):
        """The Asks that would teach an Outcome most about a Text, in order."""
        key = (text.key, outcome.run, text.settings.distribution, constraint_text)
        return self._questions.get(key, lambda: questions(text, constraint_text, outcome))

    def matches(self, text, constraint_text):
        """The Matches of all constraints of a set that can be read."""

        def make():
            return text.matcher.match(ConstraintDocument.from_text(constraint_text).constraints)

        return self._matches.get((text.key, constraint_text), make)

    def conflicts(self, text, constraint_text):
        """Warnings that take decodings, made in the background: None until they are known."""
        key = (text.key, text.settings.projective, constraint_text)
        return self._checks.ask(key, lambda cancel: conflicts(text, constraint_text, cancel), PATIENCE)

    def show_live(self, run_id, iteration, heads):
        """Keep the trees of a run under way for people to look at; None takes them away."""
        if heads is None:
            self._live.pop(run_id, None)
        else:
            self._live[run_id] = (iteration, heads)

    def live(self, run_id):
        """(iteration, heads) of a run under way, or None."""
        return self._live.get(run_id)
