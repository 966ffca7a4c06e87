"""A factorial table of inductions, level by start, as one job that can be stopped and resumed (spitkovsky2010, sec. 6).

The checkpoint is the cells done so far, as JSON; gold heads, where there are any, fill in the scores and nothing else.
"""

import json
from collections.abc import Callable
from dataclasses import replace

from core.jobs import Job
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import INITS
from core.trees.brackets import LEVELS
from core.workspace.induction.plan import InductionInputs, InductionPlan, OtherTexts
from core.workspace.induction.run import grammar_figures
from core.workspace.system import Work

CELLS = [(init, level) for init in INITS for level in LEVELS]


def grid_work(inputs: InductionInputs, plan: InductionPlan, others: Callable[[], OtherTexts]) -> Work:
    """``work(job)`` for ``Jobs``: one cell after another. ``others`` as in ``induction_work``."""

    def work(job: Job) -> tuple[dict, None]:
        done = json.loads(job.resumed) if job.resumed else []
        for number, (init, level) in enumerate(CELLS[len(done) :], start=len(done) + 1):
            job.report(number, (number - 1) / len(CELLS), message=f"{init}, {level}: {number} of {len(CELLS)}")
            model = DMV(replace(plan.dmv_settings(), init=init, level=level), tags=plan.tags or None)
            texts = others()
            if init == "uniform":
                texts.pop("init_from", None)
            model.fit(inputs.treebank, list(inputs.brackets), cancel=job.cancelled, **texts)
            if job.cancelled():
                break
            done.append({"init": init, "level": level, **grammar_figures(inputs, model, len(model.history))})
            job.checkpoint(json.dumps(done).encode())
        return {"cells": done}, None

    return work


def grid_table(cells: list[dict], by: str) -> dict[str, list]:
    """Columns of the table: starts down, levels across; ``by`` is "uas" (per cent) or "bits". None: not done."""
    values = {
        (cell["init"], cell["level"]): cell["bits"] if by == "bits" else cell.get("accuracy", {}).get("uas")
        for cell in cells
    }
    return {"start": list(INITS)} | {level: [values.get((init, level)) for init in INITS] for level in LEVELS}
