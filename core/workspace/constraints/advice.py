"""A parser learnt from constraints, trees and further texts; and the advice on what would help it most."""

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from typing import ClassVar, Self, cast

import numpy as np

from core.advice import (
    KIN,
    LINE,
    TEXT,
    TREEBANK,
    Advice,
    GainEstimates,
    MeasuredGain,
    OtherText,
    TrainingState,
    conditioning_advice,
    estimate,
    expected_advice,
    measured_gain,
    tags_advice,
    trained,
)
from core.advice.estimating import shortened, with_taken
from core.advice.work import in_order
from core.constraints.matching.check import ConstraintSet
from core.constraints.warming import GRAMMAR
from core.errors import Cancelled, FormatError, StoreError, WorkbenchError
from core.evaluation.learnt import learnt_sentences
from core.jobs import Job
from core.parsers import load_parser
from core.parsers.prior import NEAREST
from core.parsers.protocols import SavedParser
from core.store import Command, Corpus, Run
from core.treebank import Treebank
from core.workspace.annotations import Annotations
from core.workspace.constraints.advice_inputs import (
    AdviceInputs,
    advice_state_of,
    digest,
    other_texts,
    source_of,
    sources,
    training_state_of,
)
from core.workspace.constraints.advice_record import save_gain, unsettled, with_record
from core.workspace.constraints.constraint_set import KIND as LINES
from core.workspace.constraints.files import weights_file
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.constraints.interview import not_known
from core.workspace.constraints.plan import AdvicePlan, GrammarPlan
from core.workspace.corpora import words_digest
from core.workspace.languages import place
from core.workspace.parse import Parse
from core.workspace.scored_text import scored_text
from core.workspace.scoring import recorded_accuracy, score_figures
from core.workspace.system import (
    Citation,
    File,
    FurtherTask,
    Kind,
    Outcome,
    System,
    Work,
    file_bytes,
    packed,
    unpacked,
)
from core.workspace.workspace import Workspace

KIND, ADVICE = "advised", "advice"  # kinds of the runs that train, and of those that ask for advice
STEERING = 0.1  # of the progress bar, for answers and languages
ASKING = 0.8  # of the progress bar, before the gains of earlier advice are measured


def advice_work(
    workspace: Workspace, inputs: AdviceInputs, plan: AdvicePlan, others: Callable[[], Sequence[OtherText]]
) -> Work:
    """``work(job)`` for ``Jobs``: measures what each kind of work would bring, then what came true of earlier advice.

    A cancelled job leaves the gains measured by then.
    """

    def work(job: Job):
        training_state, reports = training_state_of(workspace, inputs), count(1)
        waiting = unsettled(workspace.store, inputs.corpus, advice_state_of(inputs, training_state))
        begin, end = 0.0 if training_state.prior is None else STEERING, ASKING if waiting else 1.0

        def progress(done, message):
            job.report(next(reports), begin + (end - begin) * done, message=message)

        steering, notes = [], []
        if training_state.prior is not None:
            job.report(next(reports), 0.0, message="Answers and languages")
            with suppress(Cancelled):  # the remaining estimates are reported as stopped
                steering, notes = conditioning_advice(training_state, plan.costs, job.cancelled)
        gains = estimate(
            training_state, others(), plan.sentences, plan.costs,
            taken=inputs.taken, progress=progress, cancel=job.cancelled,
        )  # fmt: skip
        corrections = workspace.corrections(inputs.corpus).of_done().tags_only()
        is_tagged_here = corrections.tagging is not None or bool(corrections.columns)
        if not gains.stopped and is_tagged_here:  # else the file's tags are taken as right
            former = workspace.treebank_before_hand(inputs.corpus).select(training_state.text.picks)
            looked = np.isin(training_state.text.picks, workspace.settled(inputs.corpus).by_hand)
            tags = tags_advice(training_state, former, looked, plan.costs, job.cancelled)
            gains = replace(gains, advice=in_order([*gains.advice, *filter(None, [tags])]))
        expected = [*gains.advice]
        if not gains.stopped:
            passed = not_known(workspace.store, inputs.corpus)
            with suppress(Cancelled):
                expected = expected_advice(training_state, gains.advice, plan.costs, passed, job.cancelled)
        advice = in_order([*expected, *steering])
        gains = replace(gains, advice=advice, notes=(*gains.notes, *notes))
        for k, record in enumerate([] if gains.stopped else waiting):
            job.report(next(reports), ASKING + (1 - ASKING) * k / len(waiting), message="What came true")
            gain = _came_true(workspace, inputs, training_state, record, job)
            if gain is not None:
                save_gain(workspace.store, inputs.corpus, record, gain)
        values = asdict(gains) | {"advice": [piece.as_dict() for piece in gains.advice], "notes": list(gains.notes)}
        figures = {"learnt": gains.learnt, "scored": gains.scored}
        return figures, packed(ADVICE, values)

    return work


def _came_true(workspace, inputs, training_state, record, job) -> MeasuredGain | str | None:
    """The MeasuredGain of a piece of recorded work, without and with it, on what there was to learn from then.

    The reason in words where it cannot be measured; None where the job is cancelled.
    """
    short, _ = shortened(training_state)

    def at(state):
        lines = tuple(ConstraintSet(state.lines, inputs.text.matcher).usable)
        earlier = replace(short, lines=lines, learnt=np.isin(short.text.picks, state.learnt) & short.known)
        return with_taken(earlier, sources(workspace, inputs, state.texts))[0]

    try:
        return measured_gain(short, at(record.state), at(record.state.after(record.advice)), job.cancelled)
    except Cancelled:
        return None
    except WorkbenchError as error:  # too few known trees, a text that was removed
        return str(error)


def training_work(workspace: Workspace, inputs: AdviceInputs, plan: AdvicePlan) -> Work:
    """``work(job)`` for ``Jobs``: trains from the constraints, the known trees and all further texts."""

    def work(job: Job):
        reports = count(1)
        training_state = training_state_of(workspace, inputs)
        for source in inputs.taken:
            training_state = training_state.with_source(source)

        def progress(share, stage):
            job.report(next(reports), share, message=stage)

        model = cast(SavedParser, trained(training_state, cancel=job.cancelled, progress=progress))
        text = inputs.text.sentences
        heads, learnt = model.parse(text).heads, learnt_by(workspace, inputs, training_state)
        figures = {"sentences": len(training_state.text), "trees": int(training_state.learnt.sum())}
        scored = scored_text(workspace, inputs.corpus).score(text, text.with_heads(heads), learnt=learnt)
        figures |= score_figures(scored, learnt)
        return figures, packed(KIND, {}, **Parse(heads).to_arrays(), model=np.frombuffer(file_bytes(model), np.uint8))

    return work


def learnt_by(workspace: Workspace, inputs: AdviceInputs, training_state: TrainingState) -> np.ndarray:
    """int64, ascending: the sentences of the text, from 0, that are learnt from, in it or in the texts taken."""
    whole = workspace.treebank(inputs.corpus)
    in_text = training_state.text.picks[training_state.learnt & training_state.known]
    return np.union1d(in_text, whole.picks[learnt_sentences(whole, *(source.treebank for source in inputs.taken))])


@dataclass(frozen=True, eq=False, kw_only=True)
class AdviceOutcome(Outcome):
    """The sentences under the parser's trees, and the parser's file."""

    tree: Treebank
    model: bytes
    files: tuple[File, ...] = ()

    @property
    def parses(self) -> Mapping[str, Treebank]:
        return {"": self.tree}


class AdviceSystem(System[AdvicePlan, AdviceInputs, AdviceOutcome]):
    """Advice on what to do next, and the parser trained with the further texts that it names."""

    kind = document = KIND
    warming = GRAMMAR
    page = "constraints"
    kinds: ClassVar[Mapping[str, Kind]] = {
        KIND: Kind(
            "training with further texts",
            "A dependency parser was learnt from constraints, known trees and further texts together",
        ),
        ADVICE: Kind("advice", "What further work would bring was measured on known trees"),
    }
    plan_class = AdvicePlan
    citation = Citation(
        "Nivre and McDonald, 2008",
        "Joakim Nivre and Ryan McDonald (2008). Integrating Graph-Based and Transition-Based Dependency Parsers. ACL.",
    )

    def __init__(self, workspace: Workspace):
        super().__init__(workspace)
        self._grammar = GrammarSystem(workspace)

    def over(self, workspace: Workspace) -> Self:
        view = super().over(workspace)
        view._grammar = self._grammar.over(workspace)
        return view

    def usual_plan(self, corpus: Corpus) -> AdvicePlan:
        """The usual plan, the same for every Corpus."""
        return AdvicePlan()

    def inputs(self, corpus: Corpus, plan: AdvicePlan) -> AdviceInputs:
        """The text as the grammar is trained on it, and further texts; those that were removed are left out.

        Raises WorkbenchError where no word has a tag, or no sentence is short enough.
        """
        text = self._grammar.text(corpus)
        others = {other.id: other for other in other_texts(self.workspace, corpus)}
        loaded = [self._source(others[number], text.settings.max_length) for number in plan.texts if number in others]
        key = [text.key, *(self.workspace.corpus_key(others[n]) for n in plan.texts if n in others)]
        taken = tuple(source for source in loaded if source is not None)
        words = words_digest([text.words, *(self.workspace.words_key(others[n]) for n in plan.texts if n in others)])
        return AdviceInputs(corpus=corpus, key="\n".join(key), words=words, text=text, taken=taken)

    def _source(self, corpus, longest):
        key = corpus.id, self.workspace.corpus_key(corpus), corpus.name, longest
        return self.cached("sources", key, lambda: source_of(self.workspace, corpus, longest))

    def inputs_of(self, run: Run) -> tuple[AdviceInputs, AdvicePlan]:
        """The inputs of a run, with the constraint set that it was made with."""
        inputs, plan = super().inputs_of(run)
        return replace(inputs, text=inputs.text.with_set(self.workspace, run.constraint_text)), plan

    def prepared(self, inputs: AdviceInputs, plan: AdvicePlan) -> tuple[AdviceInputs, AdvicePlan]:
        """Inputs and plan as they are. Raises WorkbenchError where there is nothing to learn from."""
        training_state = training_state_of(self.workspace, inputs)
        for source in inputs.taken:
            training_state = training_state.with_source(source)
        if not training_state.lines and training_state.prior is None and training_state.learnt.sum() < 2:
            raise WorkbenchError("there are no lines and no trees to learn from; write a line, or correct sentences")
        return inputs, plan

    def recorded(self, inputs: AdviceInputs, plan: AdvicePlan) -> dict:
        return super().recorded(inputs, plan) | {"tags": inputs.text.settings.tags, "state": self._state(inputs)}

    def _state(self, inputs):
        """The ``digest`` of the training state."""
        annotations = Annotations(self.workspace, inputs.corpus)
        marks = sorted((index, sentence.status) for index, sentence in annotations.states().items())
        texts = tuple(source.number for source in inputs.taken)
        others = tuple(other.id for other in other_texts(self.workspace, inputs.corpus))
        text = inputs.hash, inputs.constraint_text, inputs.text.settings
        key = *text, annotations.revision(), tuple(marks), texts, others

        def make():
            plan = cast(GrammarPlan, inputs.text.settings)
            return digest(training_state_of(self.workspace, inputs), plan, texts, others)

        return self.cached("training states", key, make)

    def work(self, inputs: AdviceInputs, plan: AdvicePlan) -> Work:
        return training_work(self.workspace, inputs, plan)

    def read(self, run: Run, inputs: AdviceInputs, plan: AdvicePlan, data: bytes) -> AdviceOutcome:
        _, arrays = unpacked(data, KIND, ("heads", "model"))
        text = inputs.text.sentences
        tree = text.with_heads(Parse.from_arrays(arrays, text.lengths).heads)
        model = arrays["model"].astype(np.uint8).tobytes()
        files = (weights_file(run, partial(self.parser, run)),)
        return AdviceOutcome(run=run, inputs=inputs, plan=plan, tree=tree, model=model, files=files)

    def parser(self, run: Run) -> SavedParser:
        return cast(SavedParser, load_parser(io.BytesIO(self.load(run).model)))

    @staticmethod
    def takes_own_trees(run: Run) -> bool:
        return bool(run.figures.get("trees"))

    def _learnt_as_recorded(self, run: Run) -> np.ndarray:
        """The sentences that would be learnt from now, for a run that did not record them."""
        inputs, _ = self.inputs_of(run)
        return learnt_by(self.workspace, inputs, training_state_of(self.workspace, inputs))

    def has_outcome(self, run: Run) -> bool:
        return run.kind == KIND and run.status == "done"

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "constraints, trees and texts"} if self.has_outcome(run) else {}

    def figures(self, run: Run) -> dict[str, str]:
        return {"UAS, no punctuation": recorded_accuracy(run.figures.get("model"))} if run.kind == KIND else {}

    # Advice

    @property
    def advice(self) -> "AdviceTask":
        """Measures what each kind of work would bring."""
        return AdviceTask(self, ADVICE)

    @property
    def further(self) -> tuple["AdviceTask"]:
        return (self.advice,)

    def is_outdated(self, inputs: AdviceInputs, run: Run) -> bool:
        """Whether the training state has changed since a run was asked for advice."""
        return run.settings.get("state") != self._state(inputs)

    def take(self, corpus: Corpus, advice: Advice) -> None:
        """Record that a piece of work is begun, undoably; a constraint or a further text is also added to what teaches.

        For languages nothing is recorded, since no gain was predicted. Raises WorkbenchError, and stores nothing, for a
        constraint that is in the set already or would replace one that was changed. It does so too for a text that was
        removed or cannot be learnt from.
        """
        if advice.kind == KIN and advice.languages is not None:
            self._grammar.save(corpus, "choosing languages that answer", prior=NEAREST, kin=advice.languages)
            return
        store, key, inputs = self.store, str(corpus.id), self.inputs(corpus, self.plan(corpus))
        state = advice_state_of(inputs, training_state_of(self.workspace, inputs))
        commands = [with_record(store, corpus, advice, state)]
        label = "taking the advice to correct sentences"
        if advice.kind == LINE:
            where = place(store, corpus, LINES)
            before = store.document(corpus.project, LINES, where)
            commands.append(Command(LINES, where, before, state.after(advice).lines))
            change = f"changing {advice.replaces} to {advice.what}"
            label = f"adding {advice.what}" if advice.replaces is None else change
        elif advice.kind in (TEXT, TREEBANK):
            number = advice.source_corpus
            if (number, advice.what) not in [(other.id, other.name) for other in other_texts(self.workspace, corpus)]:
                raise StoreError(  # also where the project came from a backup: a run's result keeps the ids of before
                    f"{advice.what} was removed from the project, or is another text by now; ask for advice again"
                )
            plan = self.plan(corpus)
            plan = replace(plan, texts=(*(text for text in plan.texts if text != number), number))
            self.prepared(self.inputs(corpus, plan), plan)
            commands.append(Command(KIND, key, store.document(corpus.project, KIND, key), plan.as_dict()))
            label = f"learning from {advice.what}"
        store.execute(corpus.project, *commands, label=label)


class AdviceTask(FurtherTask[AdvicePlan, AdviceInputs]):
    """Measures what each kind of work would bring."""

    def work(self, inputs: AdviceInputs, plan: AdvicePlan) -> Work:
        taken = {source.number for source in inputs.taken}
        others = [other.id for other in other_texts(self.workspace, inputs.corpus) if other.id not in taken]
        return advice_work(self.workspace, inputs, plan, lambda: sources(self.workspace, inputs, others))

    def latest(self, corpus: Corpus) -> tuple[GainEstimates | None, Run | None, Run | None]:
        """(The newest GainEstimates of a Corpus, their run, the newest run that was to measure them), or None each.

        One that was stopped half-way counts too if it had measured some gain; one that cannot be read does not.
        """
        runs = self.runs(corpus.project, corpus=corpus.id)
        newest = next(iter(runs), None)
        for run in runs:
            if run.status not in ("done", "cancelled") or "scored" not in run.figures:
                continue
            with suppress(FormatError):  # of an older version
                estimates = read_estimate(self.store.result_bytes(run.id) or b"")
                if run.status == "done" or any(piece.gain is not None for piece in estimates.advice):
                    return estimates, run, newest
        return None, None, newest


def read_estimate(data: bytes) -> GainEstimates:
    """The GainEstimates that a run left. Raises FormatError."""
    values, _ = unpacked(data, ADVICE)
    try:
        accuracy = values["accuracy"]
        return GainEstimates(
            tuple(Advice.from_dict(piece) for piece in values["advice"]),
            None if accuracy is None else MeasuredGain(**accuracy),
            int(values["scored"]), int(values["learnt"]), tuple(values["notes"]), bool(values["stopped"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError("this advice cannot be read; ask for it again") from error
