"""Tagging consistently as a background job, and what such a run leaves: tags, the whole trace, the proof.

A run trains a trigram tagger on the text that teaches, or takes one that was saved, and tags the text sentence by
sentence. Then it searches by dual decomposition. Its checkpoint is the tagger and, in the search, where that stands; so
it goes on from there.
"""

import io
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import PurePath
from typing import ClassVar

import numpy as np

from core.consistency import ConsistentTags, tag_consistently
from core.consistency.effects import WordEffect, word_effects
from core.consistency.tag_scores import tag_scores
from core.consistency.tagging import tagged_by
from core.consistency.tagging_problem import Stops
from core.consistency.unknown import UnknownWords
from core.decomposition import DualState, Trace
from core.draw import Drawing, Span
from core.errors import Cancelled, FormatError
from core.evaluation.learnt import having_tags
from core.jobs import Job
from core.parsers import Tagger
from core.store import Run
from core.treebank import Sentence, Treebank, conllu_text
from core.workspace.consensus.searching import reporter, resumed
from core.workspace.consensus.tags_plan import TagsInputs, TagsPlan
from core.workspace.scoring import recorded_conditions
from core.workspace.system import File, Outcome, file_bytes
from core.workspace.wording import TAG_TERMS, DualTerms

TRAINING = 0.6  # of the progress bar; the search has the rest
LEFT = ("tagging", "base_tagging", "labels", "certified", "released")  # names of the arrays of an outcome


@dataclass(frozen=True, eq=False, kw_only=True)
class TagsOutcome(Outcome):
    """The outcome of a run of consistent tagging, which ``DualOutcome`` plays back.

    Attributes
    ----------
    words : UnknownWords
        The groups that the run used.
    tagging, base_tagging : ndarray of shape (rows,), dtype int32
        Numbers of ``inputs.tags``, with consistency and by the tagger alone; -1 on root rows.
    labels : ndarray of shape (G,), dtype int32
        The consensus of each group; -1 is NULL.
    certified : ndarray of shape (S,), dtype bool
    released : ndarray of int
        Sentences whose constraints had to go.
    trace : Trace
    """

    inputs: TagsInputs
    words: UnknownWords
    tagging: np.ndarray
    base_tagging: np.ndarray
    labels: np.ndarray
    certified: np.ndarray
    released: np.ndarray
    trace: Trace
    terms: ClassVar[DualTerms] = TAG_TERMS
    pruned_exactly: ClassVar[bool] = True

    @property
    def files(self) -> tuple[File, ...]:
        """The tagged sentences."""
        column, test = self.inputs.column, self.inputs.test.to_conllu()
        name = f"{PurePath(self.inputs.corpus.name).stem}-tags-{self.run.id}.conllu"
        tagged = partial(tagged_by, test, column, self.inputs.tags, self.tagging)
        return (File("Tagged sentences, CoNLL-U", name, lambda: conllu_text(tagged())),)

    @cached_property
    def effects(self) -> list[WordEffect]:
        """The changes of each group, the most effective first."""
        inputs = self.inputs
        before, after = self.base_tagging, self.tagging
        return word_effects(self.words, inputs.test, inputs.tags, before, after, self.labels, inputs.gold)

    @property
    def test(self) -> Treebank:
        return self.inputs.test

    @cached_property
    def groups(self) -> np.ndarray:
        """int64 (rows,): the group of each word of the text; -1 for none."""
        return self.words.groups_of(self.test)

    @property
    def found(self) -> np.ndarray:
        return self.tagging

    @property
    def choice_count(self) -> int:
        """How many multipliers there are."""
        return len(self.words.rows) * len(self.inputs.tags)

    @property
    def multiplier_groups(self) -> np.ndarray:
        """int (multipliers,): the group of each."""
        return np.repeat(self.words.group, len(self.inputs.tags))

    def values_at(self, iteration: int) -> np.ndarray:
        """int32 (rows,): the tagger's tags after an iteration; at 0 the tagger's alone."""
        return self.trace.solution(iteration)[: len(self.tagging)] if iteration else self.base_tagging

    def choices_of(self, row: int) -> np.ndarray:
        """int64 (T,): the multipliers of a grouped word's tags."""
        size = len(self.inputs.tags)
        return int(np.searchsorted(self.words.rows, row)) * size + np.arange(size)

    def group_name(self, group: int) -> str:
        return self.words.names[group]

    def label_name(self, label: int) -> str:
        """What a consensus of the trace is called, where 0 is ROOT."""
        return self.inputs.tags[label - 1]

    def word_name(self, sentence: Sentence, word: int) -> str:
        """A word without its tags, which are what is sought."""
        return f"{word} {sentence.forms[word]}"

    def value_name(self, _: Sentence, value: int) -> str:
        return self.inputs.tags[value] if value >= 0 else ""

    def change_of(self, sentence: int, before: np.ndarray, after: np.ndarray) -> Drawing:
        """The Drawing of a sentence with the tags ``after``; words whose tags, int (rows,), differ are marked."""
        rows = slice(*self.test.offsets[sentence : sentence + 2])
        words = self.test[sentence]
        was, now = ([self.value_name(words, value) for value in tags[rows].tolist()] for tags in (before, after))
        pairs = list(zip(was, now, strict=True))
        spans = (Span(k, k + 1, f"{old} → {new}") for k, (old, new) in enumerate(pairs) if old != new)
        return Drawing(words.forms, ("", *now[1:]), spans=tuple(spans), name=words.sent_id or "")


def read_tags(run: Run, inputs: TagsInputs, plan: TagsPlan, words: UnknownWords, data: bytes) -> TagsOutcome:
    """The TagsOutcome from the bytes that ``tag`` returned. Raises FormatError for any others."""
    state, arrays = DualState.load(io.BytesIO(data))
    if missing := [name for name in LEFT if name not in arrays]:
        raise FormatError(f"it lacks {', '.join(missing)}")
    left = {name: arrays[name] for name in LEFT}
    return TagsOutcome(run=run, inputs=inputs, plan=plan, words=words, trace=state.trace, **left)


def tag(inputs: TagsInputs, plan: TagsPlan, job: Job) -> tuple[dict, bytes]:
    """Train, tag and search: (figures, bytes for ``read_tags``). The checkpoint holds the state of the search.

    Raises Cancelled before there are tags.
    """
    settings = plan.checked()
    trained, kept = resumed(job.resumed, Tagger.load)
    tagger = trained or inputs.given or _trained(job, inputs, plan)
    model = file_bytes(tagger)
    if kept is None:
        job.checkpoint(model)
    if job.cancelled():
        raise Cancelled
    packed = {"parser": np.frombuffer(model, np.uint8)}
    stops = Stops(
        kept and kept[0], job.cancelled, lambda state: job.checkpoint(lambda: file_bytes(state, **packed))
    )  # fmt: skip
    words = inputs.index.select(plan.imports, plan.least)
    progress = reporter(job, TRAINING)
    result = tag_consistently(
        tagger,
        inputs.test,
        settings,
        words=words,
        train=inputs.train if inputs.taught else None,
        progress=progress,
        stops=stops,
    )
    left = {name: getattr(result, name) for name in LEFT}
    if result.status == "cancelled":
        job.checkpoint(lambda: file_bytes(result.dual.state, **packed, **left))
    return scores(inputs, tagger, result), file_bytes(result.dual.state, **left)


def scores(inputs: TagsInputs, tagger: Tagger, result: ConsistentTags) -> dict:
    """Figures of the tagger alone and consistent, and how the search went."""
    figures = {"model": {}, "base": {}, "single_seconds": result.seconds["single"], **result.statistics()}
    figures |= {"tagged_words": inputs.test.token_count, "column": inputs.column, "decided": "tags"}
    figures["skipped"] = inputs.skipped
    found = tag_scores(tagger, inputs.test, result)
    if found is not None:
        scored = int(having_tags(inputs.column)(inputs.test).sum())
        for name, score in (("base", found.base), ("model", found.model)):
            figures[name] = {"right": score.correct, "words": score.words, "accuracy": score.pos_accuracy}
            figures[name] |= {"unknown_right": score.unknown_correct, "unknown_words": score.unknown_words}
            figures[name] |= recorded_conditions(scored, {**inputs.marked, "is_unknown": inputs.given is not None})
        sign = found.sign
        figures |= {"corrected": sign.only_second, "harmed": sign.only_first, "p_value": sign.p_value}
        figures["error_reduction"] = found.as_dict()["model"]["error_reduction"]
    if inputs.has_gold or inputs.learnt:
        for name in ("base", "model"):
            figures[name]["learnt"] = inputs.learnt
    return figures


def _trained(job, inputs, plan):
    """The tagger of a run, trained on its tags."""
    total = f"{len(inputs.train):,} sentences"

    def progress(state):
        words = f"Training the tagger on {total}: pass {state.epoch} of {plan.epochs}"
        job.report(0, TRAINING * state.fraction, message=words)

    job.report(0, 0.0, message=f"Reading the features of {total}")
    tagger = Tagger().fit(inputs.train, tags=inputs.column, epochs=plan.epochs, progress=progress, cancel=job.cancelled)
    if tagger.status == "cancelled":
        raise Cancelled("stopped while the tagger was trained; there are no tags yet")
    return tagger
