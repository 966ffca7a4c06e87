"""What each kind of work would bring: points of accuracy, with an interval, for an hour of a person's time.

A parser of lines and trees is trained without a fold of the known sentences and scored on it. So is one with each piece
of work done (``core.advice.measure``):

- trees: where the text has trees that are not learnt from, with so many more of them. Else accuracy is taken
  for a + b log k, k the number of trees, and b for the slope between learning all and each half. N more trees beside m
  then bring b log((m + N) / m). They are trees of random sentences; the most doubtful ones teach rather more.
- a line: with the line that the errors in the other folds propose. The line named is that of all known sentences.
- another text: with its sentences. Another treebank: with its trees too. What is also scored on, as in a text's gold
  version, is left out.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from core.advice.likeness import cross_entropy_difference
from core.advice.measure import FOLDS, LEAST_SCORED, WIDER, GainScorer, MeasuredGain, measured, too_few
from core.advice.training_state import TrainingState, next_line, sentences_to_correct, trained
from core.advice.work import LINE, TEXT, TREEBANK, TREES, Advice, Costs, OtherText, in_order
from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError
from core.parsers.protocols import Parser
from core.treebank import Treebank

MOST_SENTENCES = 400  # sentences of a text, and of another one: training on more takes too long to wait for
STOPPED = "stopped before it was measured; ask again"
TOO_FEW_LEARNT = (
    f"fewer than {LEAST_SCORED} trees are learnt from, and too few others are known to try so many more; learn from "
    "more of them, or ask for fewer sentences"
)


@dataclass(frozen=True)
class GainEstimates:
    """Advice on what to do next, and what it was measured on.

    Attributes
    ----------
    advice : tuple of Advice
        What brings most for an hour first.
    accuracy : MeasuredGain or None
        Of the parser of all that there is, on the trees that it has not seen; None where nothing can be scored.
    scored, learnt : int
        Sentences that accuracy is of, and that are learnt from.
    notes : tuple of str
        What was left out to keep it short.
    stopped : bool
        Whether it was stopped, and some advice is missing.
    """

    advice: tuple[Advice, ...]
    accuracy: MeasuredGain | None
    scored: int
    learnt: int
    notes: tuple[str, ...] = ()
    stopped: bool = False


def estimate(
    state: TrainingState, sources: Sequence[OtherText] = (), count: int = 20, costs: Costs | None = None, *,
    taken: Sequence[OtherText] = (), progress: Progress | None = None, cancel: Cancel | None = None,
) -> GainEstimates:  # fmt: skip
    """Measure what each kind of work would bring.

    Parameters
    ----------
    state : TrainingState
    sources : sequence of OtherText
        Other texts, each of which may be learnt from.
    count : int
        Sentences that would be corrected.
    costs : Costs, optional
    taken : sequence of OtherText
        Other texts that are learnt from already.
    progress : callable, optional
        ``progress(share, message)`` before each training.
    cancel : callable, optional
        True ends it with what has been measured by then.

    Returns
    -------
    Estimate

    Raises
    ------
    WorkbenchError : no line matches anything, no word has a tag, no sentences are asked for, or a text that is
        learnt from already has other tags.

    Notes
    -----
    ``FOLDS`` trainings for what there is and for the line, one more for a text or a treebank. Trees take six, or three
    where spare ones are known. Each is of at most ``MOST_SENTENCES`` sentences of each text.
    """
    if count < 1:
        raise WorkbenchError(f"at least one sentence must be corrected, got {count}")
    short, notes = shortened(state)
    whole, more = with_taken(short, taken)
    return _Asked(short, whole, count, costs or Costs(), sources, progress, cancel).estimate([*notes, *more])


def shortened(state: TrainingState) -> tuple[TrainingState, list[str]]:
    """(The first ``MOST_SENTENCES`` sentences, those with known trees before all others and in order; notes on it)."""
    total = len(state.text)
    if total <= MOST_SENTENCES:
        return state, []
    first = np.lexsort((np.arange(total), ~state.learnt, ~state.known))[:MOST_SENTENCES]
    kept = np.sort(first)
    rows = np.zeros(total, bool)
    rows[kept] = True
    brackets = None if state.brackets is None else [state.brackets[k] for k in kept.tolist()]
    short = replace(
        state, text=state.text.select(kept), heads=state.heads[np.repeat(rows, state.text.lengths + 1)],
        learnt=state.learnt[kept], brackets=brackets,
    )  # fmt: skip
    return short, [f"Measured on {MOST_SENTENCES} of the {total:,} sentences, those with known trees first."]


def with_taken(base: TrainingState, taken: Sequence[OtherText]) -> tuple[TrainingState, list[str]]:
    """(The state with other texts behind it, as ``resolve_source`` cuts them; notes). Raises as ``with_source``."""
    state, notes, scored = base, [], scored_words(base)
    for text in taken:
        source, more = resolve_source(scored, text)
        notes += more
        state = state.with_source(source) if len(source.treebank) else state
    return state, notes


def scored_words(state: TrainingState) -> set[tuple[str, ...]]:
    """The words of each sentence with a known head. O(words)."""
    return {words for words, known in zip(_words(state.text), state.known.tolist(), strict=True) if known}


def resolve_source(scored: Collection[tuple[str, ...]], source: OtherText) -> tuple[OtherText, list[str]]:
    """(The first ``MOST_SENTENCES`` sentences of an OtherText that are not scored on; notes on what was left out).

    ``scored`` are the words of those that are, as ``scored_words`` gives them. O(words).
    """
    left = [k for k, words in enumerate(_words(source.treebank)) if words not in scored]
    total, kept, notes = len(source.treebank), left[:MOST_SENTENCES], []
    if len(left) < total:
        of = f"{total - len(left):,} of the {total:,} sentences of {source.name}"
        notes.append(f"Left out: {of}, which are in this text too, with known trees.")
    if len(kept) < len(left):
        notes.append(f"Measured with {len(kept)} of the {total:,} sentences of {source.name}; training takes them all.")
    brackets = None if source.brackets is None else [source.brackets[k] for k in kept]
    return replace(source, treebank=source.treebank.select(kept), brackets=brackets), notes


def _words(text: Treebank):
    """The words of each sentence, a tuple."""
    words, offsets = [text.form.values[k] for k in text.form.ids.tolist()], text.offsets.tolist()
    return [tuple(words[begin + 1 : end]) for begin, end in pairwise(offsets)]


class _Asked:
    """One estimate under way: of ``state``, scored on the sentences of ``present``, with which its text begins."""

    def __init__(self, present, state, count, costs, sources, progress, cancel):
        self.present, self.state, self.count, self.costs, self.sources = present, state, count, costs, sources
        self.progress, self.cancel = progress, cancel
        self.scored = scored_words(present)
        self.done, self.total = 0, 1 + FOLDS * (4 + len(sources)) + len(sources)
        self.reason = too_few(present)
        self.message, self.notes = "", []

    def estimate(self, notes) -> GainEstimates:
        """The GainEstimates of all choices, with some more notes."""
        state, estimates, accuracy, base, score = self.state, [], None, None, None
        stopped = False
        try:
            self.message = "What there is"
            plain = self._trained(state.learning(np.zeros(len(state.text), bool)), None)
            if not self.reason:
                score = GainScorer(self.present)
                base = score.right(lambda fold: self._trained(score.without(state, fold), plain))
                accuracy = score.accuracy(base)
            for measure in (self._trees, self._line, *(partial(self._source, text) for text in self.sources)):
                estimates.append(measure(plain, score, base))
        except Cancelled:
            stopped = True
        if stopped:
            kinds = [(TREES, "", 0), (LINE, "", 0), *((text.kind, text.name, text.number) for text in self.sources)]
            for kind, name, number in kinds[len(estimates) :]:
                estimates.append(Advice(kind, name, self._minutes(kind), reason=STOPPED, source_corpus=number))
        scored = 0 if score is None else len(score.sentences)
        if score is not None and scored < self.present.known.sum():
            notes.append(f"Scored on {scored} of the {int(self.present.known.sum()):,} sentences with known trees.")
        learnt = int(self.present.learnt.sum())
        return GainEstimates(in_order(estimates), accuracy, scored, learnt, (*notes, *self.notes), stopped)

    def _minutes(self, kind):
        costs, text = self.costs, self.present.text
        if kind == TREES:
            return costs.word * self.count * text.token_count / max(len(text), 1)
        return {LINE: costs.line, TEXT: costs.text, TREEBANK: costs.treebank}[kind]

    def _trained(self, state, start) -> Parser:
        if self.progress is not None:
            self.progress(self.done / self.total, self.message)
        self.done += 1
        if self.cancel is not None and self.cancel():
            raise Cancelled
        return trained(state, start, self.cancel)

    # Trees

    def _trees(self, plain, score, base) -> Advice:
        self.message = "More trees"
        state = self.state
        model = plain if state.lines else self._trained(state, plain)
        sentences = sentences_to_correct(state, model, self.count, len(self.present.text))
        words = int(self.present.text.lengths[sentences].sum())
        picks = tuple(self.present.text.picks[sentences].tolist())
        if not len(sentences):
            return Advice(TREES, "", self._minutes(TREES), reason="every sentence looked at is learnt from already")
        advice = Advice(TREES, "", self.costs.word * words, sentences=picks)
        if self.reason:
            return replace(advice, reason=self.reason)
        spare = self.present.known & ~self.present.learnt
        if all((spare & score.others(fold)).sum() >= len(sentences) for fold in range(FOLDS)):
            self.total -= FOLDS  # the other way takes twice as many
            return _with(advice, score.gain(base, self._with_more(plain, score, np.flatnonzero(spare), len(sentences))))
        if self.present.learnt.sum() < LEAST_SCORED:
            return replace(advice, reason=TOO_FEW_LEARNT)
        return _with(advice, self._extrapolated(plain, score, base, len(sentences)))

    def _with_more(self, plain, score, spare, count):
        """Right heads with so many more of the known trees learnt from, which are drawn at random."""
        order = np.random.default_rng(0).permutation(spare)

        def train(fold):
            now = score.without(self.state, fold)
            more = now.learnt.copy()
            more[order[score.others(fold)[order]][:count]] = True
            return self._trained(now.learning(more), plain)

        return score.right(train)

    def _extrapolated(self, plain, score, base, count) -> MeasuredGain:
        """Points that so many more trees bring beside those that there are, by the slope between halves and all."""
        half, sizes = np.zeros(len(base)), []
        for part in (0, 1):

            def train(fold, part=part):
                now = score.without(self.state, fold)
                chosen = np.flatnonzero(now.learnt[: len(self.present.text)])
                some = now.learnt.copy()
                some[chosen[1 - part :: 2]] = False
                sizes.append((len(chosen), len(chosen[part::2])))
                return self._trained(now.learning(some), plain)

            half += score.right(train) / 2
        whole, part = np.mean(sizes, axis=0)
        known = int(self.present.learnt.sum())
        less, more = score.resampled(half, base)
        return measured((more - less) / math.log(whole / part) * math.log((known + count) / known), WIDER)

    # Lines

    def _line(self, plain, score, base) -> Advice:
        self.message = "A line"
        proposal = next_line(self.state, plain, self._of_base(self.present.known))
        if proposal is None:
            none = "no line that would mend an error was found"
            return Advice(LINE, "", self.costs.line, reason=none if self.present.known.any() else too_few(self.present))
        replaces = None if proposal.line is None else proposal.line.text
        advice = Advice(LINE, proposal.constraint.text, self.costs.line, replaces=replaces)
        if self.reason:
            return replace(advice, reason=self.reason)

        parts = [next_line(self.state, plain, self._of_base(score.others(fold))) for fold in range(FOLDS)]
        if not any(parts):
            tried = "no line could be tried on sentences it was not drawn from"
            return replace(advice, reason=f"too few known trees: {tried}")

        def train(fold):
            now, mended = score.without(self.state, fold), parts[fold]
            return self._trained(now if mended is None else now.with_line(mended), plain)

        return _with(advice, score.gain(base, score.right(train)))

    def _of_base(self, sentences):
        """bool of all sentences that are learnt from: these of the own text, and none of others."""
        return np.concatenate((sentences, np.zeros(len(self.state.text) - len(sentences), bool)))

    # Texts and treebanks

    def _source(self, source, plain, score, base) -> Advice:
        self.message = source.name
        advice = Advice(source.kind, source.name, self._minutes(source.kind), source_corpus=source.number)
        source, notes = resolve_source(self.scored, source)
        if not len(source.treebank):
            return replace(advice, reason="all its sentences are in this text too, with known trees")
        if source.kind == TEXT and not self.state.lines and self.state.prior is None:
            return replace(advice, reason="without lines a text that has no trees teaches nothing; write a line first")
        try:
            more = self.state.with_source(source)
        except WorkbenchError as error:
            return replace(advice, reason=str(error))
        if self.reason:
            return self._unscored(advice, source)
        self.notes += notes
        start = self._trained(more.learning(np.zeros(len(more.text), bool)), None)
        right = score.right(lambda fold: self._trained(score.without(more, fold), start))
        return _with(advice, score.gain(base, right))

    def _unscored(self, advice, source):
        """Advice on a treebank that cannot be tried: likely to help if its tags follow one another as in the text."""
        apart = cross_entropy_difference(self.present.text, source.treebank) if source.kind == TREEBANK else None
        if apart is None:
            return replace(advice, reason=self.reason)
        advice = replace(advice, apart=apart)
        order, known = "otherwise than", "trees of such texts often did harm"
        if advice.likely:
            order = "much as"
            known = "trees of texts so near mostly brought more in an hour than correcting sentences did"
        hint = f"Its tags follow one another {order} in this text ({apart:.2f} nats a tag apart): in trials {known}"
        return replace(advice, reason=f"{self.reason}. {hint}")


def _with(advice: Advice, measured: MeasuredGain) -> Advice:
    return replace(advice, gain=measured.value, low=measured.low, high=measured.high)
