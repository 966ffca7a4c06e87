"""What every system has: a task whose plan is kept with a text, and whose runs leave parses.

A system is a subclass of ``System`` in a room of its own, listed once in ``registry.py``. It has a name, reads the
texts of a plan (``inputs``), computes (``work``) and reads back what a run left (``read``). The rest follows. Plans can
be undone, runs start, resume and repeat in one way, and their parses are offered wherever trees are compared or
proposed. The list of runs and the methods paragraph know it too.
"""

import copy
import hashlib
import io
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypedDict, TypeVar, cast

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.evaluation.learnt import learnt_sentences
from core.files.unpacking import DAMAGE
from core.parsers.protocols import SavedParser
from core.parsers.weights import array_file, file_array, file_bytes, load_arrays, save_arrays
from core.store import Command, Corpus, CorpusId, DocumentKind, Run, RunKind
from core.treebank import Treebank
from core.workspace.plan import Plan
from core.workspace.relations import chosen_relations
from core.workspace.task import CorpusTask, Task, Work
from core.workspace.workspace import Workspace


class Citation(NamedTuple):
    """A paper as a text cites it, and its reference."""

    cited: str
    reference: str


class Kind(NamedTuple):
    """What runs of a kind are called in a list, and what was done in the words of a methods section."""

    name: str
    method: str


class File(NamedTuple):
    """A file that a run left: what it is, its name, and its content, made when somebody takes it."""

    label: str
    name: str
    data: Callable[[], bytes | str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Inputs:
    """The texts of a plan. A subclass adds them.

    Attributes
    ----------
    corpus : Corpus
        The text that is open; None in an example, which belongs to no text of a project.
    key : str
        Names the content of all texts.
    """

    corpus: Corpus
    key: str

    @property
    def project(self) -> int:
        """The id of the project of ``corpus``."""
        return self.corpus.project

    @property
    def hash(self) -> str:
        """Names the sentences that runs were made on: SHA-256 of the key, in hexadecimal."""
        return hashlib.sha256(self.key.encode()).hexdigest()

    @property
    def constraint_text(self) -> str:
        """The constraints to learn from; "" for systems that know none."""
        return ""

    @property
    def treebanks(self) -> dict[str, Treebank]:
        """The texts by what they are there for, as a methods section calls them: ``training trees``."""
        return {}

    @property
    def word_count(self) -> int:
        """The words of all ``treebanks``."""
        return sum(treebank.token_count for treebank in self.treebanks.values())

    @property
    def taught(self) -> tuple[Treebank, ...]:
        """The texts whose trees are learnt from."""
        return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What a run left. A subclass adds what its views need."""

    run: Run
    inputs: Inputs
    plan: Plan

    @property
    def parses(self) -> Mapping[str, Treebank]:
        """The trees by the names of ``System.parts``."""
        return {}

    @property
    def files(self) -> tuple[File, ...]:
        """What can be taken away."""
        return ()


NONE = np.zeros(0, np.int64)  # sentences
PlanT = TypeVar("PlanT", bound=Plan)
ValueT = TypeVar("ValueT")
InputsT = TypeVar("InputsT", bound=Inputs)
OutcomeT = TypeVar("OutcomeT", bound=Outcome)


def counting_learnt(run: Run) -> Run:
    """A Run whose score is marked as one over sentences that it learnt from."""
    scores = {name: run.figures[name] | {"among": True} for name in ("model", "base") if run.figures.get(name)}
    return replace(run, figures=run.figures | scores)


class System(CorpusTask[PlanT, InputsT], Generic[PlanT, InputsT, OutcomeT]):
    """One system over a Workspace, with bounded caches; any thread may ask.

    Attributes
    ----------
    kind : str
        Of its runs in the store, and its name in the registry.
    kinds : mapping of str to Kind
        That kind and those of the ``further`` tasks.
    page : str
        The page that shows it.
    document : str
        Kind of the document that keeps a corpus's plan.
    plan_class : type
        A Plan.
    citation : Citation
    paper : mapping of str to object
        Settings of the paper, of those that can be chosen.
    invitation : str
        What its page does, said where nothing was trained yet; "" where another system of the page says it.
    gives_entropies : bool
        Whether its parses come with ``entropies``.
    """

    kinds: ClassVar[Mapping[str, Kind]]
    page: ClassVar[str]
    document: ClassVar[str]
    plan_class: ClassVar[type[Plan]]
    citation: ClassVar[Citation]
    paper: ClassVar[Mapping[str, object]] = {}
    invitation: ClassVar[str] = ""
    gives_entropies: ClassVar[bool] = False

    def kept(self, sort: str, key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """A result of a sort, which the process keeps for this kind of system; made where it is not there."""
        return self.workspace.cache.get(sort, (self.kind, key), make)

    # What a system says of itself

    @abstractmethod
    def usual_plan(self, corpus: Corpus) -> PlanT:
        """The plan of a Corpus for which nobody has chosen."""

    @abstractmethod
    def read(self, run: Run, inputs: InputsT, plan: PlanT, data: bytes) -> OutcomeT:
        """The Outcome of a finished run from the bytes that ``work`` returned."""

    @property
    def further(self) -> tuple[Task[PlanT, InputsT], ...]:
        """Tasks of other kinds on the same texts."""
        return ()

    def recorded(self, inputs: InputsT, plan: PlanT) -> dict:
        """The plan, and its ``extra_fields``."""
        return plan.as_dict() | {"corpus": inputs.corpus.id}

    def figures(self, run: Run) -> dict[str, str]:
        """The main figures of a run for a paper, by name; "" for one that it does not have."""
        return {}

    def learnt(self, run: Run) -> np.ndarray:
        """int64, ascending: the sentences of the text it parsed, from 0, whose trees a run learnt from.

        They cannot be scored: this is asked wherever a parse is. All sentences where it cannot be known any more.
        """
        if "learnt" in run.figures:
            return np.array(run.figures["learnt"], np.int64) - 1

        def make():
            try:
                return self._learnt_as_recorded(run)
            except WorkbenchError:  # a text has changed or was removed
                parsed = self.parsed_corpus(run)
                return NONE if parsed is None else self.workspace.treebank(self.store.corpus(parsed)).picks

        return self.kept("learnt", (run.id, run.finished), make)

    @staticmethod
    def takes_own_trees(run: Run) -> bool:
        """Whether the settings of a run say that it learns trees of the sentences that it is scored on."""
        return False

    def _learnt_as_recorded(self, run: Run) -> np.ndarray:
        """``learnt`` of a run that did not record it."""
        parsed = self.parsed_corpus(run)
        if parsed is None:
            return NONE
        whole = self.workspace.treebank(self.store.corpus(parsed))
        return whole.picks[learnt_sentences(whole, *self.inputs_of(run)[0].taught)]

    def with_score(self, run: Run) -> Run:
        """A Run with figures that runs of its kind did not record in older versions.

        A score of those versions counts sentences that were learnt from, and says so here.
        """
        model = run.figures.get("model")
        if not model or "learnt" in model:
            return run
        try:
            scored = next(iter(self.load(run).parses.values())).picks
        except WorkbenchError:  # its text has changed; its own sentences never taught there
            return run
        return counting_learnt(run) if np.isin(self.learnt(run), scored).any() else run

    def has_outcome(self, run: Run) -> bool:
        """Whether a run of this kind left something to look at."""
        return run.status == "done"

    def parts(self, run: Run) -> dict[str, str]:
        """A title for each of a run's parses, by its name in links and in ``Outcome.parses``; "" is the main."""
        return {}

    @staticmethod
    def parsed_corpus(run: Run) -> int | None:
        """The id of the corpus whose sentences a run's parses have."""
        return run.corpus

    def parser(self, run: Run) -> SavedParser:
        """The parser of the sentences that a run left out; asked where there are such.

        Raises WorkbenchError where a system has no such parser.
        """
        raise WorkbenchError(f"a run of {self.kind!r} keeps no parser that could parse other sentences")

    def labelled_parser(self, run: Run) -> SavedParser:
        """The ``parser`` of a run that names no relations, with those chosen for its text now, if any are."""
        return chosen_relations(self.workspace, self.inputs_of(run)[0].corpus).beside(self.parser(run))

    def relations(self, outcome: OutcomeT, part: Treebank) -> np.ndarray | None:
        """object (rows,): the relations of an Outcome's main trees, of which ``part`` has some words, or all.

        Those of its parser, else those chosen for its text; None where there are none, or nothing was trained.
        """
        if outcome.run is None:
            return None
        chosen = chosen_relations(self.workspace, outcome.inputs.corpus)
        key = ("relations", outcome.run.id, outcome.run.finished, chosen.key)
        return self.kept("views", key, lambda: chosen.of_rows(outcome.parses[""], part))

    def left_out(self, run: Run, whole: Treebank) -> np.ndarray:
        """bool (S,): the sentences of its text that a run left out and that ``parser`` can parse; by default none."""
        return np.zeros(len(whole), bool)

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """(picks, entropy of the trees in nats per word) of the sentences of a run, if ``gives_entropies``.

        Raises WorkbenchError where a system knows none.
        """
        raise WorkbenchError(f"a run of {self.kind!r} does not say how sure it is of its trees")

    # What every system gets

    @classmethod
    def stored(cls) -> tuple[DocumentKind | RunKind, ...]:
        """The kinds of documents and runs that it writes; fields of a plan say by their types which are ids."""
        types = cls.plan_class.types()
        chosen = types | {name: types[now] for name, now in cls.plan_class.former.items()}
        recorded = chosen | dict(cls.plan_class.extra_fields)
        plan = TypedDict(f"{cls.document} plan", chosen, total=False)  # pyright: ignore[reportArgumentType]
        settings = TypedDict(f"{cls.kind} settings", recorded, total=False)  # pyright: ignore[reportArgumentType]
        return DocumentKind(cls.document, CorpusId, plan), *(RunKind(kind, settings) for kind in cls.kinds)

    def plan(self, corpus: Corpus) -> PlanT:
        """The plan kept with a Corpus, else the usual one."""
        saved = self.store.document(corpus.project, self.document, str(corpus.id))
        return self.usual_plan(corpus) if saved is None else cast(PlanT, self.plan_class.from_dict(saved))

    def is_planned(self, corpus: Corpus) -> bool:
        """Whether somebody has chosen a plan for a Corpus."""
        return self.store.document(corpus.project, self.document, str(corpus.id)) is not None

    def save(self, corpus: Corpus, label: str, **changes: object) -> PlanT:
        """Keep a plan with some values changed, undoably under ``label``. Returns the plan before."""
        before = self.plan(corpus)
        was = self.store.document(corpus.project, self.document, str(corpus.id))
        now = before.with_values(**changes).as_dict()
        self.store.execute(corpus.project, Command(self.document, str(corpus.id), was, now), label=label)
        return before

    def resume(self, run: Run) -> int:
        return self.workspace.jobs.resume(run.id, self._repeating(run))

    def again(self, run: Run) -> int:
        """Begin a new run with the settings and on the texts of another; returns its id. Raises as ``inputs_of``."""
        return self.workspace.jobs.start(
            run.project, run.kind, run.settings, self._repeating(run),
            constraint_text=run.constraint_text, data_hash=run.data_hash,
        )  # fmt: skip

    def _repeating(self, run: Run) -> Work:
        task = self._task_of(run)
        return task.carried_out(*task.inputs_of(run))

    def _task_of(self, run: Run) -> Task[PlanT, InputsT]:
        """This task, or the further one whose kind a run has."""
        return next((task for task in self.further if task.kind == run.kind), self)

    def repeated(self, run: Run) -> tuple[Work, dict[str, Treebank]]:
        """(work, texts by what they are there for) of a run of one of the ``kinds``. Raises as ``inputs_of``."""
        task = self._task_of(run)
        inputs, plan = task.inputs_of(run)
        return task.work(inputs, plan), inputs.treebanks

    def plan_of(self, run: Run) -> PlanT:
        return cast(PlanT, self.plan_class.from_dict(run.settings))

    def as_of(self, run: Run) -> Self:
        """The same system over texts with the tags that they had when a run was made."""
        return self.over(self.workspace.as_of(run))

    def over(self, workspace: Workspace) -> Self:
        """The same system, with what it keeps, over another view of its workspace."""
        view = copy.copy(self)
        view.workspace = workspace
        return view

    def finished(self, inputs: InputsT) -> list[Run]:
        """Runs on these texts that left something, newest first."""
        return [run for run in self.runs(inputs.corpus.project, inputs) if self.has_outcome(run)]

    def latest(self, inputs: InputsT) -> OutcomeT | None:
        """The Outcome of the newest run on these texts that left something, or None."""
        run = next(iter(self.finished(inputs)), None)
        return None if run is None else self.load(run)

    def load(self, run: Run) -> OutcomeT:
        """The Outcome that a run left, kept. Raises WorkbenchError where its texts are others now."""
        return self.kept("outcomes", (run.id, run.finished), lambda: self._read(run))

    def _read(self, run: Run) -> OutcomeT:
        inputs, plan = self.inputs_of(run)
        try:
            return self.read(run, inputs, plan, self.store.result_bytes(run.id) or b"")
        except FormatError as error:
            raise WorkbenchError(f"what run {run.id} left cannot be read: {error}; run it again") from error
        except WorkbenchError:
            raise
        except DAMAGE as error:  # what came with a backup may be anything
            raise WorkbenchError(f"what run {run.id} left does not fit together; run it again") from error


class FurtherTask(Task[PlanT, InputsT]):
    """A task of a system on the same texts with the same plan; its kind is another one.

    Parameters
    ----------
    system : System
    kind : str
    """

    def __init__(self, system: System[PlanT, InputsT, Any], kind: str):
        super().__init__(system.workspace)
        self.system, self.kind, self.warming = system, kind, system.warming

    def recorded(self, inputs: InputsT, plan: PlanT) -> dict:
        return self.system.recorded(inputs, plan)

    def inputs_of(self, run: Run) -> tuple[InputsT, PlanT]:
        return self.system.inputs_of(run)


def packed(kind: str, values: Mapping, compressed: bool = True, /, **arrays: np.ndarray | None) -> bytes:
    """Arrays and JSON values as the bytes of a checkpoint or result; a file in it is an array, see ``file_array``.

    What is None is left out.
    Compressing takes some 40 ms a megabyte, and gains a tenth of random floats.
    """
    file = io.BytesIO()
    save_arrays(file, kind, values, compressed=compressed, **{k: v for k, v in arrays.items() if v is not None})
    return file.getvalue()


def unpacked(data: bytes, kind: str, required: tuple[str, ...] = ()) -> tuple[dict, dict[str, np.ndarray]]:
    """(values, arrays) that ``packed`` wrote. Raises FormatError for what is cut short or of another kind."""
    return load_arrays(io.BytesIO(data), kind, required)


__all__ = [
    "NONE", "Citation", "File", "FurtherTask", "Inputs", "Kind", "Outcome", "Plan", "System", "Work",
    "array_file", "counting_learnt", "file_array", "file_bytes", "packed", "unpacked",
]  # fmt: skip
