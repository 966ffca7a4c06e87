"""Induction as a system: choices that can be undone, runs that go on to the same bits, trees over the whole text."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers import DMV
from core.treebank import conllu_text, load_sample
from core.workspace.induction.system import GRID, Induction
from core.workspace.induction.views import course
from core.workspace.system import file_bytes

QUICK = {"init": "adhoc", "stages": "5, 8", "max_iterations": 3}


@pytest.fixture
def induction(workspace):
    return Induction(workspace)


@pytest.fixture
def corpus(add):
    return add("small.conllu", conllu_text(load_sample().limit(40).to_conllu()))


def trained(induction, corpus, **changes):
    induction.save(corpus, "choosing", **changes)
    plan = induction.plan(corpus)
    run = induction.start(induction.inputs(corpus, plan), plan)
    assert induction.workspace.jobs.wait(run, timeout=60).status == "done"
    return induction.store.run(run)


def stopped(induction, like, iteration):
    """A run as another one, cancelled in an iteration."""
    inputs, plan = induction.inputs_of(like)

    class Stop:
        def __init__(self, job):
            self.job = job

        def __getattr__(self, name):
            return getattr(self.job, name)

        def cancelled(self):
            if self.job.iteration >= iteration:
                induction.workspace.jobs.cancel(self.job.run)  # as a person would have
            return self.job.cancelled()

    run = induction.workspace.jobs.start(
        inputs.corpus.project, like.kind, like.settings, lambda job: induction.work(inputs, plan)(Stop(job)),
        data_hash=inputs.hash,
    )  # fmt: skip
    assert induction.workspace.jobs.wait(run, timeout=60).status == "cancelled"
    return induction.store.run(run)


def test_a_choice_is_undone_and_what_training_does_not_take_is_not_kept(induction, corpus):
    usual = induction.plan(corpus)
    assert usual.level == "none"  # nothing is marked
    induction.save(corpus, "setting stages", stages="7")
    assert induction.plan(corpus).stages == "7"
    with pytest.raises(WorkbenchError, match="whole numbers separated by commas"):
        induction.save(corpus, "setting stages", stages="seven")
    assert induction.plan(corpus).stages == "7"
    assert induction.store.undo(corpus.project).label == "setting stages"
    assert induction.plan(corpus) == usual


@pytest.mark.parametrize("iteration", [1, 4, 8, 10])
def test_a_run_goes_on_to_the_same_bits(induction, corpus, add, iteration):
    other = add("other.conllu", conllu_text(load_sample("questions").limit(20).to_conllu()))
    whole = trained(induction, corpus, **QUICK, adapt_to=other.id)
    assert whole.figures["iterations"] >= 10
    part = stopped(induction, whole, iteration)
    assert induction.workspace.jobs.wait(induction.resume(part), timeout=60).status == "done"
    part = induction.store.run(part.id)
    assert part.figures == whole.figures
    assert induction.store.result_bytes(part.id) == induction.store.result_bytes(whole.id)
    courses = [course(induction.store.trace(run.id)) for run in (part, whole)]
    assert courses[0] == courses[1]


def test_a_checkpoint_of_before_begins_anew(induction, corpus):
    whole = trained(induction, corpus, **QUICK)
    part = stopped(induction, whole, 4)
    before = file_bytes(DMV().fit(load_sample().limit(5)))  # the grammar alone, as it was kept until then
    induction.store.requeue_run(part.id)
    induction.store.start_run(part.id)
    induction.store.checkpoint(part.id, before, 4)
    induction.store.finish_run(part.id, "cancelled", {})
    induction.workspace.jobs.wait(induction.resume(induction.store.run(part.id)), timeout=60)
    assert induction.store.result_bytes(part.id) == induction.store.result_bytes(whole.id)


def test_the_trees_are_over_the_whole_text_and_the_grammar_is_a_file(induction, corpus):
    run = trained(induction, corpus, **QUICK)
    outcome = induction.load(run)
    whole = induction.workspace.treebank(corpus)
    parse = outcome.parses[""]
    assert induction.parts(run).keys() == outcome.parses.keys()
    assert parse.offsets.tolist() == whole.offsets.tolist()
    has_head = np.isin(np.arange(len(whole.heads)), outcome.inputs.treebank.rows) & (parse.heads >= 0)
    assert has_head.sum() == outcome.inputs.treebank.token_count < whole.token_count
    names = [file.name for file in outcome.files]
    assert names == [f"small-run-{run.id}.npz", f"small-run-{run.id}.conllu"]
    assert outcome.files[0].data() == induction.store.result_bytes(run.id)


def test_a_table_is_made_again_with_the_same_cells_and_leaves_no_trees(induction, add):
    text = conllu_text(load_sample().limit(20).to_conllu()).replace("# sent_id", "# markup = a 1-2\n# sent_id")
    corpus = add("marked.conllu", text)
    assert induction.plan(corpus).level == "loose"
    induction.save(corpus, "choosing", init="harmonic", stages="6", max_iterations=1)
    plan = induction.plan(corpus)
    inputs = induction.inputs(corpus, plan)
    assert inputs.marked == 20 and induction.latest_grid(inputs) is None
    number = induction.start_grid(inputs, plan)
    induction.workspace.jobs.wait(number, timeout=60)
    run = induction.latest_grid(inputs)
    assert (run.id, run.kind, induction.has_outcome(run), induction.parts(run)) == (number, GRID, False, {})
    assert "best of 15 grammars" in induction.figures(run)["UAS"]
    induction.workspace.jobs.wait(induction.again(run), timeout=60)
    assert induction.latest_grid(inputs).figures["cells"] == run.figures["cells"]
    assert induction.finished(inputs) == []


def test_two_texts_of_the_same_content_stay_two(induction, add, corpus):
    twin = add("twin.conllu", conllu_text(load_sample().limit(40).to_conllu()))
    plan = induction.plan(corpus)
    one, other = induction.inputs(corpus, plan), induction.inputs(twin, plan)
    assert one.hash == other.hash and (one.corpus.id, other.corpus.id) == (corpus.id, twin.id)
