"""A version of the constraints of a text, trained from nothing beside the current ones."""

from dataclasses import replace
from typing import TypeVar, cast

from core.constraints import ConstraintDocument
from core.errors import WorkbenchError
from core.store import Run
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.plan import ConstraintPlan
from core.workspace.constraints.results import other_settings
from core.workspace.system import FurtherTask, Work

PlanT = TypeVar("PlanT", bound=ConstraintPlan)


class TrainedVersion(FurtherTask[PlanT, ConstraintInputs]):
    """Trains a version of the set from nothing."""

    replaces = False

    def prepared(self, inputs: ConstraintInputs, plan: PlanT) -> tuple[ConstraintInputs, PlanT]:
        """The text without a run to begin from. Raises WorkbenchError for a set that refuses to train."""
        if not inputs.constraint_set.required():
            raise WorkbenchError("this version has no constraints to train on; choose another")
        return replace(inputs, start=None), plan

    def work(self, inputs: ConstraintInputs, plan: PlanT) -> Work:
        return self.system.work(inputs, plan)

    def train(self, text: ConstraintInputs, source: str) -> int:
        """Train a model of the set ``source`` on a text; returns the run's id. Raises as ``prepared``."""
        return self.start(text.with_set(self.workspace, source), cast(PlanT, text.settings))

    def model_of(self, text: ConstraintInputs, source: str) -> Run | None:
        """The newest Run on a text that was trained on the set ``source`` under the text's settings, or None.

        Comments, the order of lines, and where the search began do not count.
        """

        def asked(constraint_text):
            return sorted(constraint.text for constraint in ConstraintDocument.from_text(constraint_text).constraints)

        runs = (run for task in (self.system, self) for run in task.runs(text.project, text))
        done = (run for run in runs if run.status == "done" and not other_settings(run, text))
        return next((run for run in done if asked(run.constraint_text) == asked(source)), None)
