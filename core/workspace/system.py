"""What every system has: a task whose plan is kept with a text, and whose runs leave parses.

A system is a subclass of ``System`` in a folder of its own, listed once in ``registry.py``. It has a name, reads the
texts of a plan (``inputs``), computes (``work``) and reads the result of a run (``read``). The rest is inherited.
Plans can be undone; runs start, resume and repeat in one way; their parses are offered wherever trees are compared or
proposed. The list of runs and the methods paragraph include it too.
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
from core.workspace.plan import Plan, saved_values
from core.workspace.relations import chosen_relations
from core.workspace.task import CorpusTask, Task, Work
from core.workspace.workspace import Workspace


class Citation(NamedTuple):
    """A paper as a text cites it, and its reference."""

    cited: str
    reference: str


class Kind(NamedTuple):
    """The name of runs of a kind in a list, and their description in a methods section."""

    name: str
    method: str


class File(NamedTuple):
    """A file of a run: its label, its name, and a function that makes its content."""

    label: str
    name: str
    data: Callable[[], bytes | str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Inputs:
    """The texts of a plan. A subclass adds them.

    Attributes
    ----------
    corpus : Corpus
        The open text; None in an example, which belongs to no project.
    key : str
        Names the content of all texts: words, tags, and trees that count.
    words : str
        Names the words of all texts, and which of them were chosen. What a run left is shown for as long as these are
        the same, whatever tags and trees have been corrected since. "" for the ``key`` in their place.
    """

    corpus: Corpus
    key: str
    words: str = ""

    @property
    def project(self) -> int:
        """The id of the project of ``corpus``."""
        return self.corpus.project

    @property
    def hash(self) -> str:
        """Names the sentences that runs were made on: SHA-256 of ``read_key``, in hexadecimal."""
        return hashlib.sha256(self.read_key.encode()).hexdigest()

    @property
    def read_key(self) -> str:
        """Names what runs read of the texts; here all."""
        return self.key

    @property
    def constraint_text(self) -> str:
        """The constraints to learn from; "" for systems without any."""
        return ""

    @property
    def treebanks(self) -> dict[str, Treebank]:
        """The texts by their role, as a methods section calls them: ``training trees``."""
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
    """The result of a run. A subclass adds what its views need."""

    run: Run
    inputs: Inputs
    plan: Plan

    @property
    def parses(self) -> Mapping[str, Treebank]:
        """The trees by the names of ``System.parts``."""
        return {}

    @property
    def files(self) -> tuple[File, ...]:
        """The files to download."""
        return ()


NONE = np.zeros(0, np.int64)  # no sentences
PlanT = TypeVar("PlanT", bound=Plan)
ValueT = TypeVar("ValueT")
InputsT = TypeVar("InputsT", bound=Inputs)
OutcomeT = TypeVar("OutcomeT", bound=Outcome)


def counting_learnt(run: Run) -> Run:
    """A Run whose scores are marked as including sentences that it learnt from."""
    scores = {name: run.figures[name] | {"among": True} for name in ("model", "base") if run.figures.get(name)}
    return replace(run, figures=run.figures | scores)


class System(CorpusTask[PlanT, InputsT], Generic[PlanT, InputsT, OutcomeT]):
    """One system over a Workspace, with bounded caches; any thread may ask.

    Attributes
    ----------
    kind : str
        Of its runs in the store, and its key in the registry.
    kinds : mapping of str to Kind
        That kind and those of the ``further`` tasks.
    page, document : str
        The page that shows it; the kind of the document that stores a corpus's plan.
    plan_class : type
        A Plan.
    citation : Citation
    beside_settings : tuple of str
        What differs from the paper beside the ``departures`` of its plan, in a few words each.
    invitation : str
        What its page does, shown until something is trained; "" where another system of the page shows its own.
    gives_entropies, counts_punctuation : bool
        Whether its parses come with ``entropies``; whether the scores that its runs record count punctuation.
    """

    kinds: ClassVar[Mapping[str, Kind]]
    page: ClassVar[str]
    document: ClassVar[str]
    plan_class: ClassVar[type[Plan]]
    citation: ClassVar[Citation]
    beside_settings: ClassVar[tuple[str, ...]] = ()
    invitation: ClassVar[str] = ""
    gives_entropies: ClassVar[bool] = False
    counts_punctuation: ClassVar[bool] = False

    def cached(self, kind: str, key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """A result of this kind of system from the process's cache, which ``make()`` makes if it is not there."""
        return self.workspace.cache.get(kind, (self.kind, key), make)

    # What a system defines

    @abstractmethod
    def usual_plan(self, corpus: Corpus) -> PlanT:
        """The plan of a Corpus for which nobody has chosen one."""

    @abstractmethod
    def read(self, run: Run, inputs: InputsT, plan: PlanT, data: bytes) -> OutcomeT:
        """The Outcome of a finished run from the bytes that ``work`` returned."""

    @property
    def further(self) -> tuple[Task[PlanT, InputsT], ...]:
        """Tasks of other kinds on the same texts."""
        return ()

    def recorded(self, inputs: InputsT, plan: PlanT) -> dict:
        """The plan, and its ``extra_fields``."""
        return plan.as_dict() | self.workspace.recorded(inputs.corpus) | {"text_words": inputs.words}

    def figures(self, run: Run) -> dict[str, str]:
        """The main figures of a run for a paper, by name; "" for a missing one."""
        return {}

    def learnt(self, run: Run) -> np.ndarray:
        """int64, ascending: the sentences of the parsed text, from 0, whose trees a run learnt from.

        They are left out wherever a parse is scored. All sentences where they cannot be known any more.
        """
        if "learnt" in run.figures:
            learnt = np.array(run.figures["learnt"], np.int64) - 1
            return self.workspace.still_there(self.parsed_corpus(run), run, learnt)

        def make():
            try:
                return self._learnt_as_recorded(run)
            except WorkbenchError:  # a text has changed or was removed
                parsed = self.parsed_corpus(run)
                return NONE if parsed is None else self.workspace.treebank(self.store.corpus(parsed)).picks

        return self.cached("learnt", (run.id, run.finished), make)

    @staticmethod
    def takes_own_trees(run: Run) -> bool:
        """Whether a run, by its settings, learns trees of the sentences that it is scored on."""
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

        Scores of those versions include sentences that were learnt from, and are marked so here.
        """
        model = run.figures.get("model")
        if not model or "learnt" in model:
            return run
        try:
            scored = next(iter(self.load(run).parses.values())).picks
        except WorkbenchError:  # its text has changed
            return run
        return counting_learnt(run) if np.isin(self.learnt(run), scored).any() else run

    def has_outcome(self, run: Run) -> bool:
        """Whether a run of this kind has a result to show."""
        return run.status == "done"

    def parts(self, run: Run) -> dict[str, str]:
        """The title of each parse of a run, by its name in links and in ``Outcome.parses``; "" is the main one."""
        return {}

    @staticmethod
    def parsed_corpus(run: Run) -> int | None:
        """The id of the corpus whose sentences a run's parses have."""
        return run.corpus

    def parser(self, run: Run) -> SavedParser:
        """The trained parser of a run, for sentences that the run left out.

        Raises WorkbenchError where a system has none.
        """
        raise WorkbenchError(f"a run of {self.kind!r} keeps no parser that could parse other sentences")

    def labelled_parser(self, run: Run) -> SavedParser:
        """The ``parser`` of a run; an unlabelled one with the relations chosen for its text, if any are."""
        return chosen_relations(self.workspace, self.inputs_of(run)[0].corpus).labelled(self.parser(run))

    def relations(self, outcome: OutcomeT, part: Treebank) -> np.ndarray | None:
        """object (rows,): the relations of an Outcome's main trees for the words of ``part``, a part of them.

        They are the parser's, else those chosen for its text; None without either, or where nothing was trained.
        """
        if outcome.run is None:
            return None
        chosen = chosen_relations(self.workspace, outcome.inputs.corpus)
        key = ("relations", outcome.run.id, outcome.run.finished, chosen.key)
        return self.cached("views", key, lambda: chosen.of_rows(outcome.parses[""], part))

    def left_out(self, run: Run, whole: Treebank) -> np.ndarray:
        """bool (S,): the sentences of its text that a run left out and ``parser`` can parse; by default none."""
        return np.zeros(len(whole), bool)

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """(picks, entropy of the trees in nats per word) of the sentences of a run, if ``gives_entropies``.

        Raises WorkbenchError for other systems.
        """
        raise WorkbenchError(f"a run of {self.kind!r} does not say how sure it is of its trees")

    # What every system inherits

    @classmethod
    def stored(cls) -> tuple[DocumentKind | RunKind, ...]:
        """The kinds of documents and runs that it writes; the types of a plan's fields say which are ids."""
        chosen = cls.plan_class.types() | dict(cls.plan_class.former)
        recorded = chosen | dict(cls.plan_class.extra_fields)
        plan = TypedDict(f"{cls.document} plan", chosen, total=False)  # pyright: ignore[reportArgumentType]
        settings = TypedDict(f"{cls.kind} settings", recorded, total=False)  # pyright: ignore[reportArgumentType]
        return DocumentKind(cls.document, CorpusId, plan), *(RunKind(kind, settings) for kind in cls.kinds)

    def plan(self, corpus: Corpus) -> PlanT:
        """The plan stored with a Corpus, else the usual one."""
        saved = saved_values(self.store, corpus, self.document)
        return self.usual_plan(corpus) if saved is None else cast(PlanT, self.plan_class.from_dict(saved))

    def is_planned(self, corpus: Corpus) -> bool:
        """Whether somebody has chosen a plan for a Corpus."""
        return self.store.document(corpus.project, self.document, str(corpus.id)) is not None

    def save(self, corpus: Corpus, label: str, **changes: object) -> PlanT:
        """Store a plan with some values changed, undoably under ``label``. Returns the plan before."""
        before = self.plan(corpus)
        was = self.store.document(corpus.project, self.document, str(corpus.id))
        now = before.with_values(**changes).as_dict()
        self.store.execute(corpus.project, Command(self.document, str(corpus.id), was, now), label=label)
        return before

    def resume(self, run: Run) -> int:
        return self.workspace.jobs.resume(run.id, self._repeating(run))

    def again(self, run: Run) -> int:
        """Start a new run with the settings and texts of another; returns its id. Raises as ``inputs_of``."""
        return self.workspace.jobs.start(
            run.project, run.kind, run.settings, self._repeating(run),
            constraint_text=run.constraint_text, data_hash=run.data_hash,
        )  # fmt: skip

    def _repeating(self, run: Run) -> Work:
        task = self._task_of(run)
        return task.carried_out(*task.inputs_of(run))

    def _task_of(self, run: Run) -> Task[PlanT, InputsT]:
        """The task that made a run: a further one, or this."""
        return next((task for task in self.further if task.kind == run.kind), self)

    def repeated(self, run: Run) -> tuple[Work, dict[str, Treebank]]:
        """(work, texts by role) to repeat a run of one of the ``kinds``. Raises as ``inputs_of``."""
        task = self._task_of(run)
        inputs, plan = task.inputs_of(run)
        return task.work(inputs, plan), inputs.treebanks

    def plan_of(self, run: Run) -> PlanT:
        return cast(PlanT, self.plan_class.from_dict(run.settings))

    def as_of(self, run: Run) -> Self:
        """The same system over texts as they stood when a run was made."""
        return self.over(self.workspace.as_of(run))

    def inputs_of(self, run: Run) -> tuple[InputsT, PlanT]:
        """As of every task; for runs up to version 0.2.0, no corrected tree counts."""
        try:
            return super().inputs_of(run)
        except WorkbenchError:
            if "text_words" in run.settings:
                raise
            return super(System, self.over(self.workspace.without_corrected_trees())).inputs_of(run)

    def over(self, workspace: Workspace) -> Self:
        """The same system and its cache over another view of its workspace."""
        view = copy.copy(self)
        view.workspace = workspace
        return view

    def is_on(self, run: Run, inputs: InputsT) -> bool:
        """Whether a run is on the same content, or on these words with whatever tags and trees its text had then."""
        same_words = inputs.words and run.corpus == inputs.corpus.id and self.words_of(run) == inputs.words
        return bool(same_words) or run.data_hash == inputs.hash

    def words_of(self, run: Run) -> str | None:
        """``Inputs.words`` of a run, worked out for one that did not record them; None where its texts are gone."""

        def make():
            try:
                return self.inputs_of(run)[0].words
            except WorkbenchError:
                return None

        return run.settings["text_words"] if "text_words" in run.settings else self.cached("words", run.id, make)

    def finished(self, inputs: InputsT) -> list[Run]:
        """Runs on these words that left something, newest first."""
        return [run for run in self.runs(inputs.corpus.project, inputs) if self.has_outcome(run)]

    def latest(self, inputs: InputsT) -> OutcomeT | None:
        """The Outcome of the newest run on these words that left something, or None."""
        run = next(iter(self.finished(inputs)), None)
        return None if run is None else self.load(run)

    def load(self, run: Run) -> OutcomeT:
        """The Outcome of a run; cached. Raises WorkbenchError where its texts have changed."""

        def make():
            inputs, plan = self.inputs_of(run)
            try:
                return self.read(run, inputs, plan, self.store.result_bytes(run.id) or b"")
            except FormatError as error:
                raise WorkbenchError(f"what run {run.id} left cannot be read: {error}; run it again") from error
            except WorkbenchError:
                raise
            except DAMAGE as error:  # a backup may hold anything
                raise WorkbenchError(f"what run {run.id} left does not fit together; run it again") from error

        return self.cached("outcomes", (run.id, run.finished), make)


class FurtherTask(Task[PlanT, InputsT]):
    """A task of a system on the same texts with the same plan, under a kind of its own.

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

    def is_on(self, run: Run, inputs: InputsT) -> bool:
        return self.system.is_on(run, inputs)


def packed(kind: str, values: Mapping, compressed: bool = True, /, **arrays: np.ndarray | None) -> bytes:
    """Arrays and JSON values as the bytes of a checkpoint or result; arrays that are None are left out.

    A file in it is an array, see ``file_array``. Compression takes about 40 ms a megabyte, and saves a tenth of random
    floats.
    """
    file = io.BytesIO()
    save_arrays(file, kind, values, compressed=compressed, **{k: v for k, v in arrays.items() if v is not None})
    return file.getvalue()


def unpacked(data: bytes, kind: str, required: tuple[str, ...] = ()) -> tuple[dict, dict[str, np.ndarray]]:
    """(values, arrays) that ``packed`` wrote. Raises FormatError for damaged data or another kind."""
    return load_arrays(io.BytesIO(data), kind, required)


__all__ = [
    "NONE", "Citation", "File", "FurtherTask", "Inputs", "Kind", "Outcome", "Plan", "System", "Work",
    "array_file", "counting_learnt", "file_array", "file_bytes", "packed", "unpacked",
]  # fmt: skip
