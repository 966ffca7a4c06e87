"""A factorial table of inductions, level by start, as one job that can be stopped and resumed (spitkovsky2010, sec. 6).

The checkpoint is the cells done so far, as JSON; gold heads, where there are any, fill in the scores and nothing else.
"""

import json
from dataclasses import replace

from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import INITS
from core.trees.brackets import LEVELS
from core.workspace.induction.runs import figures, text_of

KIND = "induction-grid"


def start_grid(desk, text, plan):
    """Train every start at every level, else as the plan says; returns the run's id. Raises WorkbenchError."""
    if not text.marked:
        raise WorkbenchError("the table compares levels, and this text has no mark-up; open one that has")
    plan.settings()
    settings = plan.as_dict() | {"corpus": text.corpus.id}
    work = grid_work(desk, text, plan)
    return desk.workspace.jobs.start(text.corpus.project, KIND, settings, work, data_hash=text.hash, replace=True)


def resume_grid(desk, run_id):
    """Go on with a table that stopped half-way. Raises WorkbenchError where its text has changed."""
    text, plan = text_of(desk, desk.store.run(run_id))
    return desk.workspace.jobs.resume(run_id, grid_work(desk, text, plan))


def grid_work(desk, text, plan):
    """``work(job)`` for ``Jobs``: one cell after another."""
    cells = [(init, level) for init in INITS for level in LEVELS]

    def work(job):
        done = json.loads(job.resumed) if job.resumed else []
        for number, (init, level) in enumerate(cells[len(done) :], start=len(done) + 1):
            job.report(number, (number - 1) / len(cells), message=f"{init}, {level}: {number} of {len(cells)}")
            each = replace(plan, init=init, level=level)
            adapt_to = None
            if each.adapt_to:
                adapt_to = desk.text(desk.store.corpus(each.adapt_to), each.punctuation).treebank
            model = DMV(each.settings(), tags=each.tags or None)
            model.fit(text.treebank, list(text.brackets), adapt_to=adapt_to, cancel=job.cancelled)
            if job.cancelled():
                break
            done.append({"init": init, "level": level, **figures(text, model, len(model.history))})
            job.checkpoint(json.dumps(done).encode())
        return {"cells": done}, None

    return work


def latest_grid(desk, text):
    """The newest Run of a table on a text, however it stands, or None."""
    return next((run for run in desk.store.runs(text.corpus.project, KIND) if run.data_hash == text.hash), None)


def grid_table(cells, by):
    """Columns of the table: starts down, levels across; ``by`` is "uas" (per cent) or "bits". None: not done."""
    values = {(cell["init"], cell["level"]): _value(cell, by) for cell in cells}
    return {"start": list(INITS)} | {level: [values.get((init, level)) for init in INITS] for level in LEVELS}


def _value(cell, by):
    return cell["bits"] if by == "bits" else cell.get("accuracy", {}).get("uas")
