"""The systems of the workbench: the one list, and what is asked of all of them."""

from collections.abc import Iterator, Mapping

from core.errors import WorkbenchError
from core.store import RESUMABLE, Run
from core.workspace.adaptation.system import Adaptation
from core.workspace.consensus.system import Consensus
from core.workspace.induction.system import Induction
from core.workspace.joint.system import Joint
from core.workspace.system import System
from core.workspace.workspace import Workspace

SYSTEMS: tuple[type[System], ...] = (Consensus, Induction, Joint, Adaptation)
BACKGROUND = {"fetch": "download of a treebank", "markup-trees": "parsing of marked sentences"}  # jobs of no system


class Systems(Mapping):
    """One of each system over a Workspace, by the kind of its runs, each of its ``kinds``."""

    def __init__(self, workspace: Workspace):
        self.workspace = workspace
        self._systems = tuple(system(workspace) for system in SYSTEMS)
        self._by_kind = {kind: system for system in self._systems for kind in system.kinds}

    def __getitem__(self, kind: str) -> System:
        return self._by_kind[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_kind)

    def __len__(self) -> int:
        return len(self._by_kind)

    def of(self, run: Run) -> System:
        """The system that made a Run. Raises WorkbenchError for a run of none."""
        if run.kind not in self:
            raise WorkbenchError(
                f"run {run.id} ({kind_name(run.kind)}) was made by no system that is installed here; "
                "its record is under Runs"
            )
        return self[run.kind]

    def can_repeat(self, run: Run) -> bool:
        """Whether a Run is computed from texts of the project, and has ended."""
        return run.kind in self and run.status in ("done", *RESUMABLE)


def system_class(kind: str) -> type[System] | None:
    """The class of the system that makes runs of a kind, or None."""
    return next((system for system in SYSTEMS if kind in system.kinds), None)


def kind_name(kind: str) -> str:
    """What runs of a kind do, in words; the kind where no system has it."""
    system = system_class(kind)
    return BACKGROUND.get(kind, kind) if system is None else system.kinds[kind].name
