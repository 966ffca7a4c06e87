"""An experiment of a paper as a background job: quickly, on the sample or on the open text."""

import hashlib
import json
from dataclasses import dataclass
from typing import NamedTuple, NotRequired, SupportsIndex, TypedDict

from core import __version__
from core.errors import Cancelled, WorkbenchError
from core.experiments import experiment_named, run_experiment
from core.experiments.at_hand import sample_at_hand, text_at_hand
from core.files.tables import columns_of
from core.jobs import Job
from core.store import Corpus, CorpusId, Run, RunKind
from core.threads import run_cancellable
from core.workspace.corpora import language_of
from core.workspace.task import Task, Work

KIND = "paper"


class ReproductionSettings(TypedDict):
    """The stored settings of a run: the name of its experiment; without a text it is on the sample."""

    corpus: NotRequired[CorpusId]
    begun_trees: NotRequired[bool]
    experiment: str


STORED = (RunKind(KIND, ReproductionSettings),)


class ReproductionInputs(NamedTuple):
    """The inputs of a run: the corpus, None for the sample."""

    word_count = 0
    project: SupportsIndex
    corpus: Corpus | None
    hash: str
    constraint_text: str = ""


@dataclass(frozen=True)
class ReproductionView:
    """What a run found.

    Attributes
    ----------
    data : str
        Whose figures these are.
    rows : dict of str to list
        The table, by column.
    tables : dict of str to dict
        Further tables by title, each by column.
    notes : list of str
    pictures : dict of str to str
        SVG text by theme; empty where there is none.
    seconds : float
    """

    data: str
    rows: dict[str, list]
    tables: dict[str, dict[str, list]]
    notes: list[str]
    pictures: dict[str, str]
    seconds: float


class Reproduction(Task[str, ReproductionInputs]):
    """Runs an experiment, its plan, in its quick form."""

    kind = KIND

    def inputs(self, project: SupportsIndex, corpus: Corpus | None) -> ReproductionInputs:
        """The open text, or the sample of this version where ``corpus`` is None."""
        if corpus is not None:
            return ReproductionInputs(project, corpus, self.workspace.corpus_key(corpus))
        return ReproductionInputs(project, None, hashlib.sha256(f"the sample of {__version__}".encode()).hexdigest())

    def recorded(self, inputs: ReproductionInputs, plan: str) -> dict:
        of_text = {} if inputs.corpus is None else self.workspace.recorded(inputs.corpus)
        return {**of_text, "experiment": plan}

    def inputs_of(self, run: Run) -> tuple[ReproductionInputs, str]:
        corpus = None if run.corpus is None else self.store.corpus(run.corpus)
        inputs = self.inputs(run.project, corpus)
        if inputs.hash != run.data_hash:
            raise WorkbenchError(f"the text of run {run.id} has changed since; start a new run on it")
        return inputs, run.settings["experiment"]

    def prepared(self, inputs: ReproductionInputs, plan: str) -> tuple[ReproductionInputs, str]:
        """WorkbenchError for an experiment that needs its corpora."""
        if not experiment_named(plan).at_hand:
            raise WorkbenchError(f"{plan} needs its corpora; run: python -m core reproduce {plan} --data DIR")
        return inputs, plan

    def work(self, inputs: ReproductionInputs, plan: str) -> Work:
        def work(job: Job):
            said = []

            def say(line):
                if job.cancelled():
                    raise Cancelled  # within the experiment's own thread, which ends here
                said.append(line)
                job.report(len(said), message=line)

            def run():
                return run_experiment(plan, quick=True, say=say, text=self._text(inputs))

            found = run_cancellable(run, job.cancelled)
            return {"seconds": found["seconds"], "rows": len(found["rows"])}, json.dumps(found).encode()

        return work

    def _text(self, inputs):
        if inputs.corpus is None:
            return sample_at_hand()
        treebank = self.workspace.treebank(inputs.corpus)
        return text_at_hand(inputs.corpus.name, treebank, language_of(inputs.corpus))

    def latest(self, inputs: ReproductionInputs, plan: str) -> Run | None:
        """The newest run of an experiment on these inputs, of any status."""
        return self.latest_run(inputs, experiment=plan)

    def view(self, inputs: ReproductionInputs, plan: str) -> ReproductionView | None:
        """What the newest run that is done found, or None."""
        runs = self.runs(inputs.project, inputs, experiment=plan)
        run = next((run for run in runs if run.status == "done"), None)
        data = None if run is None else self.store.result_bytes(run.id)
        return None if data is None else reproduction_view(json.loads(data))


def reproduction_view(found: dict) -> ReproductionView:
    """The ReproductionView of what ``run_experiment`` returned."""
    pictures = {"light": found["picture"], "dark": found["dark_picture"]} if found["picture"] else {}
    tables = {title: by_column(rows) for title, rows in found["tables"].items() if rows}
    return ReproductionView(found["data"], by_column(found["rows"]), tables, found["notes"], pictures, found["seconds"])


def by_column(rows: list[dict]) -> dict[str, list]:
    """Rows as columns, ours and the paper's behind the name; numbers are rounded for reading, words stay."""
    names = list(dict.fromkeys(["name", "ours", "paper", *(key for row in rows for key in row)]))
    kept = [name for name in names if any(row.get(name) is not None for row in rows)]
    return columns_of(
        [name.replace("_", " ") for name in kept], [[_shown(row.get(name)) for name in kept] for row in rows]
    )


def _shown(value):
    if isinstance(value, float):
        return round(value, 3 if abs(value) < 1 else 2)
    return value
