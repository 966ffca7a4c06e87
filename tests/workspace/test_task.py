"""A task starts, is found again by its settings, and resumes on the content that it began with and on no other."""

from dataclasses import replace

import pytest

from core.errors import Cancelled, WorkbenchError
from core.workspace.task import CorpusContent, CorpusTask


class Counting(CorpusTask):
    """Counts to the plan; the first attempt stops at 3."""

    kind = "counting"

    def inputs(self, corpus, plan):
        return CorpusContent(corpus, self.workspace.corpus_key(corpus))

    def plan_of(self, run):
        return run.settings["to"]

    def recorded(self, inputs, plan):
        return {"corpus": inputs.corpus.id, "to": plan}

    def work(self, inputs, plan):
        def work(job):
            begin = int(job.resumed or 0)
            for number in range(begin + 1, plan + 1):
                job.report(number, number / plan)
                job.checkpoint(b"%d" % number)
                if number == 3 and job.resumed is None:
                    raise Cancelled
            return {"from": begin, "to": plan}, None

        return work


def test_a_task_is_started_resumed_and_found(workspace, sample):
    task, store = Counting(workspace), workspace.store
    inputs = task.inputs(sample, 5)
    assert task.latest_run(inputs) is None
    number = task.start(inputs, 5)
    assert workspace.jobs.wait(number, 30).status == "cancelled"
    assert task.resume(store.run(number)) == number
    assert workspace.jobs.wait(number, 30).status == "done"
    run = task.latest_run(inputs, to=5)
    assert run.id == number and (run.figures["from"], run.figures["to"]) == (3, 5)
    assert task.latest_run(inputs, to=6) is None and task.runs(sample.project, corpus=sample.id) == [run]
    assert task.inputs_of(run) == (inputs, 5)
    with pytest.raises(WorkbenchError, match=f"the text of run {number} has changed since"):
        task.inputs_of(replace(run, data_hash="another"))
