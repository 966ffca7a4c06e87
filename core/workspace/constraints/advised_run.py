"""Asking for advice, and training with further texts, as background jobs."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import count

import numpy as np

from core.advice import Measured, Source, came_true, estimate, trained
from core.advice.estimating import shortened, with_taken
from core.constraints import ConstraintDocument
from core.errors import Cancelled, StoreError, WorkbenchError
from core.jobs import Job
from core.workspace.constraints.advised_plan import AdviceInputs, AdvicePlan, other_texts, situation_of, source_of
from core.workspace.constraints.advised_record import keep_came, state_of, unsettled
from core.workspace.constraints.change import right_heads
from core.workspace.system import Work, file_bytes, packed
from core.workspace.workspace import Workspace

KIND, ADVICE = "advised", "advice"  # of the runs that train, and of those that ask
ASKING = 0.8  # share of the time, where it is to be seen what came true as well


def advice_work(
    workspace: Workspace, inputs: AdviceInputs, plan: AdvicePlan, others: Callable[[], Sequence[Source]]
) -> Work:
    """``work(job)`` for ``Jobs``: measures what each kind of work would bring, then what came true of earlier advice.

    Cancelled, it leaves what was measured by then.
    """

    def work(job: Job):
        situation, reports = situation_of(workspace, inputs), count(1)
        waiting = unsettled(workspace.store, inputs.corpus, state_of(inputs, situation))
        share = ASKING if waiting else 1.0

        def progress(done, message):
            job.report(next(reports), share * done, message=message)

        found = estimate(
            situation, others(), plan.sentences, plan.costs, taken=inputs.taken, progress=progress, cancel=job.cancelled
        )
        for k, record in enumerate([] if found.stopped else waiting):
            job.report(next(reports), ASKING + (1 - ASKING) * k / len(waiting), message="What came true")
            came = _came_true(workspace, inputs, situation, record, job)
            if came is not None:
                keep_came(workspace.store, inputs.corpus, record, came)
        values = asdict(found) | {"advice": [each.as_dict() for each in found.advice], "notes": list(found.notes)}
        figures = {"learnt": found.learnt, "scored": found.scored}
        return figures, packed(ADVICE, values)

    return work


def _came_true(workspace, inputs, situation, record, job) -> Measured | str | None:
    """What has come of a Record, by all that there was then without and with its work; why it is not known; None where
    that was stopped."""
    own, _ = shortened(situation)

    def at(state):
        lines = ConstraintDocument.from_text(state.lines).constraints
        matched = [each.constraint for each in inputs.text.matcher.counts(lines) if each.pairs]
        found = replace(own, lines=tuple(matched), learnt=np.isin(own.text.picks, state.learnt) & own.known)
        return with_taken(found, sources(workspace, inputs, state.texts))[0]

    try:
        return came_true(own, at(record.state), at(record.state.after(record.advice)), job.cancelled)
    except Cancelled:
        return None
    except WorkbenchError as error:  # too few known trees, a text that was removed
        return str(error)


def sources(workspace: Workspace, inputs: AdviceInputs, texts: Sequence[int]) -> list[Source]:
    """The Sources of some corpora. Raises StoreError for one that was removed."""
    there = {each.id: each for each in other_texts(workspace, inputs.corpus)}
    if not there.keys() >= set(texts):
        raise StoreError("a text that was learnt from has been removed from the project")
    found = (source_of(workspace, there[number], inputs.text.settings.max_length) for number in texts)
    return [each for each in found if each is not None]


def training_work(workspace: Workspace, inputs: AdviceInputs, plan: AdvicePlan) -> Work:
    """``work(job)`` for ``Jobs``: trains from the lines, the known trees and all further texts."""

    def work(job: Job):
        reports = count(1)
        situation = situation_of(workspace, inputs)
        for source in inputs.taken:
            situation = situation.with_source(source)

        def progress(share, stage):
            job.report(next(reports), share, message=stage)

        model = trained(situation, cancel=job.cancelled, progress=progress)
        text = inputs.text.sentences
        heads = model.parse(text).heads
        right, words = right_heads(text, heads)
        score = {"model": {"right": right, "words": words}} if words else {}
        figures = {"sentences": len(situation.text), "trees": int(situation.learnt.sum())} | score
        return figures, packed(
            KIND, {}, compressed=False, heads=heads, model=np.frombuffer(file_bytes(model), np.uint8)
        )

    return work
