"""Tasks: the background jobs of pages, all started, resumed and found in one way.

A task has a kind, inputs and a plan, and the work on them. ``System`` (``system.py``) is the task whose plan is stored
with a text and whose runs make parses.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, NamedTuple, Protocol, Self, SupportsIndex, TypeVar

from core.compilation.compiling import Warming
from core.errors import WorkbenchError
from core.jobs import Job
from core.store import Corpus, CorpusId, Run, Store
from core.store.shapes import Figures
from core.workspace.run_apart import work_apart
from core.workspace.workspace import Workspace

Work = Callable[[Job], tuple[dict, bytes | None]]  # for ``Jobs.start``


class TaskInputs(Protocol):
    """The inputs of a task."""

    @property
    def project(self) -> SupportsIndex:
        """The project of its runs."""
        ...

    @property
    def hash(self) -> str:
        """Hash of the content: a run is resumed and opened on the content that it started with."""
        ...

    @property
    def constraint_text(self) -> str:
        """The constraints to learn from; "" for tasks without any."""
        ...

    @property
    def word_count(self) -> int:
        """The words of all texts; 0 for tasks that ``run_worker`` cannot carry out."""
        ...


class MadeText(Figures, total=False):
    """Figures of a run that added a text."""

    corpus: CorpusId


class ProjectContent(NamedTuple):
    """The inputs of a task that uses no text of the project."""

    word_count = 0
    project: SupportsIndex
    hash: str = ""
    constraint_text: str = ""


class CorpusContent(NamedTuple):
    """The inputs of a task on one corpus, whose content ``hash`` names."""

    word_count = 0
    corpus: Corpus
    hash: str
    constraint_text: str = ""

    @property
    def project(self) -> int:
        """The id of the project of ``corpus``."""
        return self.corpus.project


PlanT = TypeVar("PlanT")
InputsT = TypeVar("InputsT", bound=TaskInputs)


class Task(ABC, Generic[PlanT, InputsT]):
    """One kind of background job over a Workspace; any thread may ask.

    Attributes
    ----------
    kind : str
        Of its runs in the store.
    warming : Warming or None
        The kernels that its runs call; a run that waits for the compiler shows how many are ready.
    replaces : bool
        Whether a new run cancels the running one of this kind in the project.
    """

    kind: str
    warming: Warming | None = None
    replaces: ClassVar[bool] = True

    def __init__(self, workspace: Workspace):
        self.workspace = workspace

    @property
    def store(self) -> Store:
        """The store of the workspace."""
        return self.workspace.store

    @abstractmethod
    def work(self, inputs: InputsT, plan: PlanT) -> Work:
        """``work(job)`` for ``Jobs``: returns (figures, result bytes or None), and resumes from ``job.resumed``."""

    @abstractmethod
    def recorded(self, inputs: InputsT, plan: PlanT) -> dict:
        """The settings that a run's record holds."""

    @abstractmethod
    def inputs_of(self, run: Run) -> tuple[InputsT, PlanT]:
        """The inputs and the plan of a run. Raises WorkbenchError where the inputs have changed."""

    def prepared(self, inputs: InputsT, plan: PlanT) -> tuple[InputsT, PlanT]:
        """The inputs and the plan that a run starts with. Raises WorkbenchError where it could not be computed."""
        return inputs, plan

    def start(self, inputs: InputsT, plan: PlanT) -> int:
        """Start a run; returns its id. Raises as ``prepared``."""
        inputs, plan = self.prepared(inputs, plan)
        return self.workspace.jobs.start(
            inputs.project, self.kind, self.recorded(inputs, plan), self.carried_out(inputs, plan),
            constraint_text=inputs.constraint_text, data_hash=inputs.hash, replace=self.replaces,
        )  # fmt: skip

    def resume(self, run: Run) -> int:
        """Resume a stopped run from its checkpoint; returns its id. Raises as ``inputs_of``."""
        return self.workspace.jobs.resume(run.id, self.carried_out(*self.inputs_of(run)))

    def carried_out(self, inputs: InputsT, plan: PlanT) -> Work:
        """``work``, by a process of its own where texts are ``large``."""
        is_large = inputs.word_count > self.workspace.large
        work = work_apart(self.workspace) if is_large else self.work(inputs, plan)

        def work_with_kernels(job):
            job.warming = self.warming
            return work(job)

        return work_with_kernels

    def runs(self, project: SupportsIndex, inputs: InputsT | None = None, **settings: object) -> list[Run]:
        """Runs of a project, newest first; if they are given, on these inputs and with these settings."""
        return [
            run
            for run in self.store.runs(project, self.kind)
            if settings.items() <= run.settings.items() and (inputs is None or self.is_on(run, inputs))
        ]

    def is_on(self, run: Run, inputs: InputsT) -> bool:
        """Whether a run is on these inputs, so that what it left is shown beside them; here on the same content."""
        return run.data_hash == inputs.hash

    def latest_run(self, inputs: InputsT, **settings: object) -> Run | None:
        """The newest of the ``runs`` on these inputs, of any status, or None."""
        return next(iter(self.runs(inputs.project, inputs, **settings)), None)


class CorpusTask(Task[PlanT, InputsT]):
    """A task over a corpus, whose runs record its id."""

    changed: ClassVar[str] = "the text of run {run} has changed since; start a new run on it"

    @abstractmethod
    def inputs(self, corpus: Corpus, plan: PlanT) -> InputsT:
        """The texts of a plan. Raises WorkbenchError where one is missing, or they do not fit each other."""

    @abstractmethod
    def plan_of(self, run: Run) -> PlanT:
        """The plan of a run. Raises WorkbenchError for unknown settings."""

    def inputs_of(self, run: Run) -> tuple[InputsT, PlanT]:
        plan = self.plan_of(run)
        inputs = self.as_of(run).inputs(self.store.corpus(run.settings["corpus"]), plan)
        if inputs.hash != run.data_hash:
            raise WorkbenchError(self.changed.format(run=run.id))
        return inputs, plan

    def as_of(self, run: Run) -> Self:
        """The task over the texts as they were when a run was made; here as they are now."""
        return self
