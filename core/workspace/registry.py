"""The list of the workbench's systems, and lookups in it."""

from collections.abc import Iterable, Iterator, Mapping

from core.errors import WorkbenchError
from core.jobs import Snapshot
from core.store import RESUMABLE, Corpus, Run
from core.workspace.adaptation.system import DomainAdaptation
from core.workspace.consensus.system import Consensus
from core.workspace.consensus.tags_system import ConsistentTagging
from core.workspace.constraints.advice import AdviceSystem
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.constraints.learner import LearningSystem
from core.workspace.constraints.plan import chosen_learner
from core.workspace.constraints.system import TreeCRFSystem
from core.workspace.induction.system import Induction
from core.workspace.joint.system import Joint
from core.workspace.system import System
from core.workspace.workspace import Workspace

SYSTEMS: tuple[type[System], ...] = (
    TreeCRFSystem,
    GrammarSystem,
    AdviceSystem,
    Consensus,
    ConsistentTagging,
    Induction,
    Joint,
    DomainAdaptation,
)
BACKGROUND = {  # jobs of no system
    "fetch": "download of a treebank",
    "markup-trees": "parsing of marked sentences",
    "learning-curve": "learning curve",
    "saved-parser": "saved parser",
    "saved-tagger": "saved tagger",
    "paper": "experiment of a paper",
}


class Systems(Mapping):
    """The systems over a Workspace, by each of the kinds of their runs."""

    def __init__(self, workspace: Workspace, systems: Iterable[System] = ()):
        self.workspace = workspace
        self._systems = tuple(systems) or tuple(system(workspace) for system in SYSTEMS)
        self._by_kind = {kind: system for system in self._systems for kind in system.kinds}

    def on_behalf_of(self, person: str | None) -> "Systems":
        """The same systems and their caches for a signed-in person, whose roles the store checks; self for None."""
        if person is None:
            return self
        workspace = self.workspace.on_behalf_of(person)
        return Systems(workspace, [system.over(workspace) for system in self._systems])

    def __getitem__(self, kind: str) -> System:
        return self._by_kind[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_kind)

    def __len__(self) -> int:
        return len(self._by_kind)

    def learner(self, corpus: Corpus) -> LearningSystem:
        """The system that trains on a Corpus from constraints: the chosen one, else the grammar.

        It is the tree CRF for a text on which that was set or trained before there was a choice.
        """
        crf, kind = self._by_kind[TreeCRFSystem.kind], chosen_learner(self.workspace.store, corpus)
        if kind is None:
            own = (run for run in crf.runs(corpus.project) if run.corpus == corpus.id)
            kind = TreeCRFSystem.kind if crf.is_planned(corpus) or any(own) else GrammarSystem.kind
        found = self._by_kind.get(str(kind))
        if not isinstance(found, LearningSystem):
            raise WorkbenchError(f"there is no learner {kind!r} in this workbench; choose another")
        return found

    def of(self, run: Run) -> System:
        """The system that made a Run. Raises WorkbenchError for a run of none."""
        if run.kind not in self:
            raise WorkbenchError(f"run {run.id} ({kind_name(run)}) was made by no system of this workbench")
        return self[run.kind]

    def with_score(self, run: Run) -> Run:
        """A Run with figures that older versions did not record; the Run itself if there are none."""
        return self[run.kind].with_score(run) if run.kind in self else run

    def parsed_corpus(self, run: Run) -> int | None:
        """``parsed_corpus`` of a Run."""
        return parsed_corpus(run)

    def can_repeat(self, run: Run) -> bool:
        """Whether a Run is computed from texts of the project, and has ended."""
        return run.kind in self and run.status in ("done", *RESUMABLE)


def system_class(kind: str) -> type[System] | None:
    """The class of the system that makes runs of a kind, or None."""
    return next((system for system in SYSTEMS if kind in system.kinds), None)


def kind_name(run: Run | Snapshot) -> str:
    """The name of what a run does; its kind where no system has it."""
    return named_kind(run.kind)


def named_kind(kind: str) -> str:
    """The name of what runs of a kind do; the kind where no system has it."""
    system = system_class(kind)
    return BACKGROUND.get(kind, kind) if system is None else system.kinds[kind].name


def parsed_corpus(run: Run) -> int | None:
    """The id of the corpus whose sentences a Run's parses have, or None."""
    return (system_class(run.kind) or System).parsed_corpus(run)
