"""The gain of each kind of work: points of accuracy, with an interval, for an hour of a person's time.

A parser of constraints and trees is trained without a fold of the known sentences and scored on it. So is a parser with
each piece of work done (``core.advice.measure``):

- Trees: if the text has known trees that are not learnt from, with some of them. Else accuracy is modelled as
  a + b log k for k trees, with b the slope between training on all and on each half. N more trees beside m then bring
  b log((m + N) / m). This holds for random sentences; the most uncertain ones teach rather more.
- A constraint: the one proposed from the errors in the other folds. The one named is from all known sentences.
- Another text: with its sentences. Another treebank: also with its trees. Sentences that are scored, as in the text's
  gold version, are left out.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from core.advice.measure import FOLDS, LEAST_SCORED, WIDER, GainScorer, MeasuredGain, measured, too_few
from core.advice.similarity import cross_entropy_difference
from core.advice.training_state import TrainingState, next_line, sentences_to_correct, trained
from core.advice.work import LINE, TEXT, TREEBANK, TREES, Advice, Costs, OtherText, in_order
from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError
from core.parsers.protocols import Parser
from core.treebank import Treebank

MOST_SENTENCES = 400  # used of each text, to keep the waiting short
STOPPED = "stopped before it was measured; ask again"
TOO_FEW_LEARNT = (
    f"fewer than {LEAST_SCORED} trees are learnt from, and too few others are known to try so many more; learn from "
    "more of them, or ask for fewer sentences"
)


@dataclass(frozen=True)
class GainEstimates:
    """Advice on what to do next, and the data that it was measured on.

    Attributes
    ----------
    advice : tuple of Advice
        The best first, see ``in_order``.
    accuracy : MeasuredGain or None
        Of the present parser on held-out trees; None where nothing can be scored.
    scored, learnt : int
        Numbers of sentences scored and learnt from.
    notes : tuple of str
        On data that were left out.
    stopped : bool
        Whether it was stopped before all was measured.
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
    """Measure the gain of each kind of work.

    Parameters
    ----------
    state : TrainingState
    sources : sequence of OtherText
        Other texts, each of which may be learnt from.
    count : int
        Sentences that would be corrected.
    costs : Costs, optional
    taken : sequence of OtherText
        Other texts that are already learnt from.
    progress : callable, optional
        ``progress(share, message)`` before each training.
    cancel : callable, optional
        True stops it; what is measured by then is returned.

    Returns
    -------
    GainEstimates

    Raises
    ------
    WorkbenchError : no constraint matches anything, no word has a tag, ``count`` is below 1, or a text of ``taken`` has
        other tags.

    Notes
    -----
    ``FOLDS`` trainings for the present state and for the constraint, one more for a text or a treebank. Trees take six,
    or three if there are spare ones. Each uses at most ``MOST_SENTENCES`` sentences of each text.
    """
    if count < 1:
        raise WorkbenchError(f"at least one sentence must be corrected, got {count}")
    short, notes = shortened(state)
    whole, more = with_taken(short, taken)
    return _Estimation(short, whole, count, costs or Costs(), sources, progress, cancel).estimate([*notes, *more])


def shortened(state: TrainingState) -> tuple[TrainingState, list[str]]:
    """(The state of ``MOST_SENTENCES`` sentences, those with known trees first; notes on it)."""
    total = len(state.text)
    if total <= MOST_SENTENCES:
        return state, []
    first = np.lexsort((np.arange(total), ~state.learnt, ~state.known))[:MOST_SENTENCES]
    chosen = np.sort(first)
    is_chosen = np.zeros(total, bool)
    is_chosen[chosen] = True
    brackets = None if state.brackets is None else [state.brackets[k] for k in chosen.tolist()]
    short = replace(
        state, text=state.text.select(chosen), heads=state.heads[np.repeat(is_chosen, state.text.lengths + 1)],
        learnt=state.learnt[chosen], brackets=brackets,
    )  # fmt: skip
    return short, [f"Measured on {MOST_SENTENCES} of the {total:,} sentences, those with known trees first."]


def with_taken(base: TrainingState, taken: Sequence[OtherText]) -> tuple[TrainingState, list[str]]:
    """(The state with other texts behind it, after ``resolve_source``; notes). Raises as ``with_source``."""
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

    ``scored`` is the result of ``scored_words``. O(words).
    """
    unscored = [k for k, words in enumerate(_words(source.treebank)) if words not in scored]
    total, chosen, notes = len(source.treebank), unscored[:MOST_SENTENCES], []
    if len(unscored) < total:
        of = f"{total - len(unscored):,} of the {total:,} sentences of {source.name}"
        notes.append(f"Left out: {of}, which are in this text too, with known trees.")
    if len(chosen) < len(unscored):
        notes.append(
            f"Measured with {len(chosen)} of the {total:,} sentences of {source.name}; training takes them all."
        )
    brackets = None if source.brackets is None else [source.brackets[k] for k in chosen]
    return replace(source, treebank=source.treebank.select(chosen), brackets=brackets), notes


def _words(text: Treebank):
    """The words of each sentence as a tuple."""
    words, offsets = [text.form.values[k] for k in text.form.ids.tolist()], text.offsets.tolist()
    return [tuple(words[begin + 1 : end]) for begin, end in pairwise(offsets)]


class _Estimation:
    """One call of ``estimate`` for ``state``, whose text begins with that of ``present``, which is scored."""

    def __init__(self, present, state, count, costs, sources, progress, cancel):
        self.present, self.state, self.count, self.costs, self.sources = present, state, count, costs, sources
        self.progress, self.cancel = progress, cancel
        self.scored = scored_words(present)
        self.done, self.total = 0, 1 + FOLDS * (4 + len(sources)) + len(sources)
        self.reason = too_few(present)
        self.message, self.notes = "", []

    def estimate(self, notes) -> GainEstimates:
        """The GainEstimates of all kinds of work, with further notes."""
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
            self.total -= FOLDS  # extrapolation takes twice as many
            return _with(advice, score.gain(base, self._with_more(plain, score, np.flatnonzero(spare), len(sentences))))
        if self.present.learnt.sum() < LEAST_SCORED:
            return replace(advice, reason=TOO_FEW_LEARNT)
        return _with(advice, self._extrapolated(plain, score, base, len(sentences)))

    def _with_more(self, plain, score, spare, count):
        """Right heads with ``count`` random spare trees learnt from, too."""
        order = np.random.default_rng(0).permutation(spare)

        def train(fold):
            state = score.without(self.state, fold)
            more = state.learnt.copy()
            more[order[score.others(fold)[order]][:count]] = True
            return self._trained(state.learning(more), plain)

        return score.right(train)

    def _extrapolated(self, plain, score, base, count) -> MeasuredGain:
        """The gain of ``count`` more trees in points, by the slope between training on halves and on all."""
        half, sizes = np.zeros(len(base)), []
        for part in (0, 1):

            def train(fold, part=part):
                state = score.without(self.state, fold)
                chosen = np.flatnonzero(state.learnt[: len(self.present.text)])
                fewer = state.learnt.copy()
                fewer[chosen[1 - part :: 2]] = False
                sizes.append((len(chosen), len(chosen[part::2])))
                return self._trained(state.learning(fewer), plain)

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
            reason = "too few known trees: no line could be tried on sentences it was not drawn from"
            return replace(advice, reason=reason)

        def train(fold):
            state, proposal = score.without(self.state, fold), parts[fold]
            return self._trained(state if proposal is None else state.with_line(proposal), plain)

        return _with(advice, score.gain(base, score.right(train)))

    def _of_base(self, sentences):
        """bool for all sentences of the state: some of the present text, none of other texts."""
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
        """Advice on a treebank without a measured gain: likely to help if its tag order is similar to the text's."""
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
