"""A parser of lines, trees and further texts; and the advice on what would help it most."""

import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from core.advice import LINE, TEXT, TREEBANK, Advice, Estimate, Measured
from core.errors import FormatError, StoreError, WorkbenchError
from core.parsers import load_parser
from core.store import Command, Corpus, Run
from core.treebank import Treebank
from core.workspace.annotations import Annotations
from core.workspace.cache import BoundedCache
from core.workspace.constraints.advised_plan import (
    AdviceInputs,
    AdvicePlan,
    digest,
    other_texts,
    situation_of,
    source_of,
)
from core.workspace.constraints.advised_record import state_of, with_record
from core.workspace.constraints.advised_run import ADVICE, KIND, advice_work, sources, training_work
from core.workspace.constraints.documents import KIND as LINES
from core.workspace.constraints.grammar import LineGrammar
from core.workspace.constraints.takeaway import parser_files
from core.workspace.system import Citation, File, Kind, Outcome, System, Work, unpacked
from core.workspace.wording import accuracy
from core.workspace.workspace import Workspace


@dataclass(frozen=True, eq=False, kw_only=True)
class AdvisedOutcome(Outcome):
    """The sentences under the parser's trees, and the parser's file."""

    tree: Treebank
    model: bytes
    files: tuple[File, ...] = ()

    @property
    def parses(self) -> Mapping[str, Treebank]:
        """The sentences under the parser's trees."""
        return {"": self.tree}


class Advised(System[AdvicePlan, AdviceInputs, AdvisedOutcome]):
    """Advice on what to do next, and the parser trained with the further texts that it names."""

    kind = document = KIND
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
        self._grammar = LineGrammar(workspace)
        self._states, self._sources = BoundedCache(16), BoundedCache(8)

    def over(self, workspace: Workspace) -> Self:
        """As of every system; the grammar's texts too."""
        view = super().over(workspace)
        view._grammar = self._grammar.over(workspace)
        return view

    def usual_plan(self, corpus: Corpus) -> AdvicePlan:
        """The same for every Corpus."""
        return AdvicePlan()

    def inputs(self, corpus: Corpus, plan: AdvicePlan) -> AdviceInputs:
        """The text as the grammar is trained on it, and further texts; those that were removed are left out.

        Raises WorkbenchError where no word has a tag, or no sentence is short enough.
        """
        text = self._grammar.text(corpus)
        there = {each.id: each for each in other_texts(self.workspace, corpus)}
        found = [self._source(there[number], text.settings.max_length) for number in plan.texts if number in there]
        key = [text.key, *(self.workspace.corpus_key(there[n]) for n in plan.texts if n in there)]
        taken = tuple(each for each in found if each is not None)
        source = self._grammar.source(corpus)
        return AdviceInputs(corpus=corpus, key="\n".join(key), text=text, constraint_text=source, taken=taken)

    def _source(self, corpus, longest):
        key = corpus.id, self.workspace.corpus_key(corpus), corpus.name, longest
        return self._sources.get(key, lambda: source_of(self.workspace, corpus, longest))

    def inputs_of(self, run: Run) -> tuple[AdviceInputs, AdvicePlan]:
        """As of every system, with the set that a run was made with."""
        inputs, plan = super().inputs_of(run)
        return replace(inputs, constraint_text=run.constraint_text), plan

    def prepared(self, inputs: AdviceInputs, plan: AdvicePlan) -> tuple[AdviceInputs, AdvicePlan]:
        """What cannot be trained is said before a run is begun."""
        situation = situation_of(self.workspace, inputs)
        for source in inputs.taken:
            situation = situation.with_source(source)
        if not situation.lines and situation.learnt.sum() < 2:
            raise WorkbenchError("there are no lines and no trees to learn from; write a line, or correct sentences")
        return inputs, plan

    def recorded(self, inputs: AdviceInputs, plan: AdvicePlan) -> dict:
        """The plan, the corpus, the tags in use, and what there was to learn from."""
        return super().recorded(inputs, plan) | {"tags": inputs.text.settings.tags, "state": self._state(inputs)}

    def _state(self, inputs):
        """The ``digest`` of what there is to learn from."""
        annotations = Annotations(self.workspace, inputs.corpus)
        marks = sorted((index, each.status) for index, each in annotations.states().items())
        texts = tuple(each.number for each in inputs.taken)
        others = tuple(each.id for each in other_texts(self.workspace, inputs.corpus))
        text = inputs.hash, inputs.constraint_text, inputs.text.settings
        key = *text, annotations.revision(), tuple(marks), texts, others
        return self._states.get(key, lambda: digest(situation_of(self.workspace, inputs), texts, others))

    def work(self, inputs: AdviceInputs, plan: AdvicePlan) -> Work:
        """Training from all that there is."""
        return training_work(self.workspace, inputs, plan)

    def read(self, run: Run, inputs: AdviceInputs, plan: AdvicePlan, data: bytes) -> AdvisedOutcome:
        """The Outcome of a run that trained."""
        _, arrays = unpacked(data, KIND, ("heads", "model"))
        text, heads = inputs.text.sentences, arrays["heads"]
        if heads.shape != text.heads.shape:
            raise FormatError("it was made on other sentences")
        tree, model = text.with_heads(heads), arrays["model"].astype(np.uint8).tobytes()
        files = parser_files(run, partial(self.parser, run))[:1]  # the pipeline of spaCy takes a tree CRF or a grammar
        return AdvisedOutcome(run=run, inputs=inputs, plan=plan, tree=tree, model=model, files=files)

    def parser(self, run: Run) -> Any:
        """The parser that a finished run trained."""
        return load_parser(io.BytesIO(self.load(run).model))

    def learnt_by_hand(self, run: Run) -> bool:
        """All of them: a run that trains learns from every sentence that is done."""
        return True

    def has_outcome(self, run: Run) -> bool:
        """Whether a run trained a parser."""
        return run.kind == KIND and run.status == "done"

    def parts(self, run: Run) -> dict[str, str]:
        """One parse."""
        return {"": "lines, trees and texts"} if self.has_outcome(run) else {}

    def figures(self, run: Run) -> dict[str, str]:
        """Score."""
        return {"UAS, no punctuation": accuracy(run.figures.get("model"))} if run.kind == KIND else {}

    def repeated(self, run: Run) -> tuple[Work, dict[str, Treebank]]:
        """As of every system; of a run that asked for advice, that work."""
        if run.kind != ADVICE:
            return super().repeated(run)
        inputs, plan = self.inputs_of(run)
        return self._advice_work(inputs, plan), inputs.treebanks

    # Advice

    def start_advice(self, inputs: AdviceInputs, plan: AdvicePlan) -> int:
        """Begin to measure what each kind of work would bring; returns the job's run id."""
        return self.workspace.jobs.start(
            inputs.corpus.project, ADVICE, self.recorded(inputs, plan), self._advice_work(inputs, plan),
            constraint_text=inputs.constraint_text, data_hash=inputs.hash, replace=True,
        )  # fmt: skip

    def _advice_work(self, inputs, plan):
        taken = {each.number for each in inputs.taken}
        others = [each.id for each in other_texts(self.workspace, inputs.corpus) if each.id not in taken]
        return advice_work(self.workspace, inputs, plan, lambda: sources(self.workspace, inputs, others))

    def advice(self, corpus: Corpus) -> tuple[Estimate | None, Run | None, Run | None]:
        """(The newest Estimate of a Corpus, the run that left it, the newest run that was to measure it), or None each.

        One that was stopped half-way counts too if it had measured some gain; one that cannot be read does not.
        """
        runs = [run for run in self.store.runs(corpus.project, ADVICE) if run.settings.get("corpus") == corpus.id]
        newest = next(iter(runs), None)
        for run in runs:
            if run.status not in ("done", "cancelled") or "scored" not in run.figures:
                continue
            with suppress(FormatError):  # of an older version
                found = read_estimate(self.store.result_bytes(run.id) or b"")
                if run.status == "done" or any(each.gain is not None for each in found.advice):
                    return found, run, newest
        return None, None, newest

    def is_outdated(self, inputs: AdviceInputs, run: Run) -> bool:
        """Whether there is something else to learn from than when a run was asked for advice."""
        return run.settings.get("state") != self._state(inputs)

    def take(self, corpus: Corpus, advice: Advice) -> None:
        """Record that a piece of work is begun, undoably; a line is added to the set, a text to those learnt from.

        Raises WorkbenchError, and keeps nothing, for a line that the set says already, a changed line that it would
        take the place of, and a text that was removed or cannot be learnt from.
        """
        store, key, inputs = self.store, str(corpus.id), self.inputs(corpus, self.plan(corpus))
        state = state_of(inputs, situation_of(self.workspace, inputs))
        commands = [with_record(store, corpus, advice, state)]
        label = "taking the advice to correct sentences"
        if advice.kind == LINE:
            commands.append(Command(LINES, key, store.document(corpus.project, LINES, key), state.after(advice).lines))
            change = f"changing {advice.replaces} to {advice.what}"
            label = f"adding {advice.what}" if advice.replaces is None else change
        elif advice.kind in (TEXT, TREEBANK):
            commands.append(self._with_text(corpus, advice))
            label = f"learning from {advice.what}"
        store.execute(corpus.project, *commands, label=label)

    def _with_text(self, corpus, advice):
        """The Command that learns from one more text."""
        number = advice.source_corpus
        if (number, advice.what) not in [(each.id, each.name) for each in other_texts(self.workspace, corpus)]:
            raise StoreError(  # also where the project came from a backup: a run's result keeps the ids of before
                f"{advice.what} was removed from the project, or is another text by now; ask for advice again"
            )
        plan = self.plan(corpus)
        plan = replace(plan, texts=(*(each for each in plan.texts if each != number), number))
        self.prepared(self.inputs(corpus, plan), plan)
        was = self.store.document(corpus.project, KIND, str(corpus.id))
        return Command(KIND, str(corpus.id), was, plan.as_dict())


def read_estimate(data: bytes) -> Estimate:
    """The Estimate that a run left. Raises FormatError."""
    values, _ = unpacked(data, ADVICE)
    try:
        accuracy = values["accuracy"]
        return Estimate(
            tuple(Advice.from_dict(each) for each in values["advice"]),
            None if accuracy is None else Measured(**accuracy),
            int(values["scored"]), int(values["learnt"]), tuple(values["notes"]), bool(values["stopped"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError("this advice cannot be read; ask for it again") from error
