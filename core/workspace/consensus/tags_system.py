"""Consistent tagging as a system of the workbench: its texts, its groups of unknown words, its runs."""

import hashlib
import json
from functools import partial
from typing import ClassVar

import numpy as np

from core.consistency.labels import TagCounts, require_known_tags, require_same_tags, shared_columns
from core.consistency.settings import NO_SETTINGS
from core.consistency.unknown import UnknownIndex, UnknownWords, seen_forms
from core.consistency.warming import CONSISTENT_TAGS
from core.errors import WorkbenchError
from core.evaluation.learnt import having_tags, learnt_sentences
from core.offsets import all_of_each
from core.parsers.dmv.symbols import tagged_throughout
from core.store import Corpus, Run
from core.treebank import Treebank
from core.treebank.retag import with_column
from core.treebank.source import Column
from core.workspace.consensus.saved_tagger import saved_tagger, saved_taggers
from core.workspace.consensus.tags_plan import TagsInputs, TagsPlan
from core.workspace.consensus.tags_run import TagsOutcome, read_tags, tag
from core.workspace.consensus.teaching import TaughtSystem, first_sentences
from core.workspace.corpora import language_of, words_digest
from core.workspace.system import Kind, Work
from core.workspace.texts import listed_texts


class ConsistentTagging(TaughtSystem[TagsPlan, TagsInputs, TagsOutcome]):
    """Tags a text so that all occurrences of a word that training did not see have one tag."""

    kind = "consensus-tags"
    warming = CONSISTENT_TAGS
    kinds: ClassVar = {
        kind: Kind("consistent tagging", "Words unknown to a tagger were tagged alike, by dual decomposition")
    }
    document = "consensus-tags"
    measured = ("tags right", "tags right of the tagger alone")
    plan_class = TagsPlan
    beside_settings = NO_SETTINGS

    def usual_plan(self, corpus: Corpus) -> TagsPlan:
        """A plan in which a text teaches itself: the sentences with tags of their own teach, and the others are tagged.

        Where all have some, the first three fifths teach. Where none has, another text of the project in the same
        language teaches.
        """
        treebank = self.workspace.treebank(corpus)
        column = next((name for name in ("xpos", "upos") if getattr(treebank, name).filled), None)
        tagged = 0 if column is None else int(self._tagged_by_itself(corpus, treebank, column).sum())
        if tagged == len(treebank):
            return TagsPlan(first=first_sentences(len(treebank)))
        language, others = language_of(corpus), [] if tagged else listed_texts(self.store, corpus.project)
        same = (other for other in others if other.id != corpus.id and language_of(other) == language)
        return TagsPlan(trees=next((other.id for other in same if self._teaches(other)), None))

    def _teaches(self, other):
        """Whether another Corpus has tags."""
        try:
            treebank = self.workspace.source(other)
        except WorkbenchError:  # a text that cannot be read teaches nothing
            return False
        return treebank.xpos.filled or treebank.upos.filled

    def own_tags(self, corpus: Corpus, treebank: Treebank, column: str) -> np.ndarray:
        """bool (rows,): words of a Corpus whose tag is its file's, or of a sentence that was corrected and is done.

        The others have that of a lexicon or tagger, which is neither taught nor scored by.
        """
        of_file = getattr(self.workspace.source(corpus), column).ids > 0
        counted = list(self.workspace.settled(corpus).corrections.counted)
        by_hand = np.isin(np.arange(len(treebank)), counted)
        return (of_file | np.repeat(by_hand, treebank.lengths + 1)) & (getattr(treebank, column).ids > 0)

    def _tagged_by_itself(self, corpus, treebank, column):
        """bool (S,): the sentences of which every word has a tag of its own."""
        return all_of_each(self.own_tags(corpus, treebank, column) | ~treebank.is_word, treebank.offsets)

    def inputs(self, corpus: Corpus, plan: TagsPlan) -> TagsInputs:
        """The texts of a plan, their unknown words found.

        Raises WorkbenchError for what cannot be tagged so: one sentence alone, no tags, one tag, different tag sets, no
        sentence left to tag.
        """
        treebank = self.workspace.treebank(corpus)
        plan = plan.choosing(corpus, len(treebank))
        other, further = (None if each is None else self.store.corpus(each) for each in (plan.trees, plan.unlabelled))
        given, file = (None, None) if plan.tagger is None else saved_tagger(self.workspace, corpus, plan.tagger)
        chosen = [plan.first if other is None else None, plan.tags, *([] if file is None else [file])]
        texts = [each and self.workspace.corpus_key(each) for each in (corpus, other)]
        looked_up = further and self.workspace.words_key(further)
        content = json.dumps([*texts, looked_up, *chosen])

        def make():
            if given is not None:
                return self._texts_of_given(corpus, treebank, further, given)
            return self._texts(corpus, treebank, other, further, plan)

        tags, made = self.cached("texts", content, make)
        keys = [each and self.workspace.words_key(each) for each in (corpus, other)]
        words = words_digest([*keys, looked_up, *chosen])
        return TagsInputs(corpus=corpus, key=json.dumps([words, tags]), words=words, given=given, **made)

    def _texts(self, corpus, treebank, other, further, plan):
        """(what names the tags that count, what ``inputs`` has of the texts)."""
        name = corpus.name if other is None else other.name
        taught = treebank if other is None else self.workspace.treebank(other)
        column = taught.tag_name(plan.tags or self._shared(corpus, treebank, taught))
        own = self.own_tags(corpus, treebank, column)
        known = _with_known_tags(treebank, column, own)
        if other is None:
            of_itself = all_of_each(own | ~treebank.is_word, treebank.offsets)
            train, test = plan.divided(treebank, of_itself)
            test = known.select(np.isin(known.picks, test.picks))
        else:
            train, test = taught, known
        usable = tagged_throughout(train, column) if len(train) else np.zeros(0, bool)
        _require_taggable(usable, test, name)
        skipped, train = int((~usable).sum()), train.select(usable)
        require_same_tags(train, test, column)
        has_tags = having_tags(column)
        learnt = learnt_sentences(test, train, teaches=has_tags) & has_tags(test)
        without = np.repeat(learnt, test.lengths + 1)
        test = _with_known_tags(test, column, ~without) if learnt.any() else test
        extra = None if further is None else self.workspace.source(further)
        return _digest(train.xpos, train.upos, getattr(test, column)), {
            "train": train, "test": test, "column": column, "learnt": int(learnt.sum()), "skipped": skipped,
            "index": UnknownIndex.of(seen_forms(train), test, extra),
            "marked": self.workspace.settled(corpus).marked(test.picks[has_tags(test)]),
        }  # fmt: skip

    def _texts_of_given(self, corpus, treebank, further, given):
        """As ``_texts``, where a saved tagger tags the whole text."""
        column = given.column
        test = _with_known_tags(treebank, column, self.own_tags(corpus, treebank, column))
        require_known_tags(given.tags, test, column)
        extra = None if further is None else self.workspace.source(further)
        return _digest(getattr(test, column)), {
            "train": treebank.select(np.zeros(len(treebank), bool)), "test": test, "column": column, "learnt": 0,
            "skipped": 0, "index": UnknownIndex.of(given.trained().forms, test, extra),
            "marked": self.workspace.settled(corpus).marked(test.picks[having_tags(column)(test)]),
        }  # fmt: skip

    def saved_taggers(self, corpus: Corpus) -> list[Run]:
        """The runs that hold a tagger of the Corpus's project, newest first."""
        return saved_taggers(self.workspace, corpus)

    def _shared(self, corpus, treebank, taught):
        """The column whose tags both texts have of one tag set; None where there is none."""
        if taught is treebank:
            return None
        columns = [name for name in ("xpos", "upos") if getattr(self.workspace.source(corpus), name).filled]
        shared = shared_columns(TagCounts.of(taught), TagCounts.of(treebank))
        return next((name for name in shared if name in columns), None)

    def selection(self, inputs: TagsInputs, plan: TagsPlan) -> UnknownWords:
        """The groups that a plan selects. Perhaps none: ``require_some`` says why."""
        key = (id(inputs.index), plan.imports, plan.least)  # the groups keep the texts, not the index
        return self.cached("selections", key, lambda: (inputs.index.select(plan.imports, plan.least), inputs.index))[0]

    def prepared(self, inputs: TagsInputs, plan: TagsPlan) -> tuple[TagsInputs, TagsPlan]:
        """Both as given. Raises WorkbenchError where deltas are out of order or no unknown word occurs twice."""
        plan.checked()
        self.selection(inputs, plan).require_some()
        return inputs, plan

    def work(self, inputs: TagsInputs, plan: TagsPlan) -> Work:
        return partial(tag, inputs, plan)

    def read(self, run: Run, inputs: TagsInputs, plan: TagsPlan, data: bytes) -> TagsOutcome:
        return read_tags(run, inputs, plan, self.selection(inputs, plan), data)


def _with_known_tags(treebank: Treebank, column: str, known: np.ndarray) -> Treebank:
    """The treebank with the tags of ``known`` words only, bool (rows,), in a column."""
    tags = getattr(treebank, column)
    known = known | (tags.ids == 0)
    if column not in treebank.source.layout.positions:
        treebank = treebank.to_conllu()
    if known.all():
        return treebank
    return with_column(treebank, column, Column(np.where(known, tags.ids, 0), tags.values))


def _digest(*columns):
    """Names the tags of some columns."""
    return hashlib.sha256(json.dumps([column.strings().tolist() for column in columns]).encode()).hexdigest()


def _require_taggable(usable: np.ndarray, test: Treebank, name: str) -> None:
    """Raise WorkbenchError where a tagger has nothing to learn from, or nothing is to be tagged."""
    others = "choose another training text under Texts"
    if not usable.any():
        raise WorkbenchError(f"none of the sentences of {name} that should teach has a tag on every word; {others}")
    if not len(test):
        raise WorkbenchError(
            f"all sentences of {name} teach, none is left to tag; let its first sentences teach, or {others}"
        )
