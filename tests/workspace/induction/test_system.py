"""Induction as a system: choices that can be undone, runs that go on to the same bits, trees over the whole text."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers import DMV
from core.treebank import conllu_text, load_sample
from core.workspace.induction.system import GRID, Induction
from core.workspace.induction.views import course
from core.workspace.system import file_bytes
from tests.workspace.running import carried_out, ended

QUICK = {"init": "adhoc", "stages": "5, 8", "max_iterations": 3}


@pytest.fixture(scope="module")
def induction(module_workspace):
    return Induction(module_workspace)


@pytest.fixture(scope="module")
def corpus(module_add):
    return module_add("small.conllu", conllu_text(load_sample().limit(40).to_conllu()))


@pytest.fixture(scope="module")
def whole(induction, corpus):
    """A run that nobody stopped."""
    return carried_out(induction, corpus, induction.plan(corpus).with_values(**QUICK))


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
    return ended(induction, run, "cancelled")


def test_what_training_does_not_take_is_not_kept(induction, corpus):
    usual = induction.plan(corpus)
    assert usual.settings.level == "none"  # nothing is marked
    with pytest.raises(WorkbenchError, match="whole numbers separated by commas"):
        induction.save(corpus, "setting stages", stages="seven")
    assert induction.plan(corpus) == usual


def same_bits(induction, one, other):
    assert one.figures == other.figures
    assert induction.store.result_bytes(one.id) == induction.store.result_bytes(other.id)


def test_a_run_goes_on_to_the_same_bits(induction, corpus, module_add):
    other = module_add("other.conllu", conllu_text(load_sample("questions").limit(20).to_conllu()))
    whole = carried_out(induction, corpus, induction.plan(corpus).with_values(**QUICK, adapt_to=other.id))
    assert whole.figures["iterations"] >= 10
    for iteration in (1, 4, 8, 10):
        part = ended(induction, induction.resume(stopped(induction, whole, iteration)))
        same_bits(induction, part, whole)
        assert course(induction.store.trace(part.id)) == course(induction.store.trace(whole.id))


def test_a_checkpoint_that_is_none_is_one_sentence(induction, whole):
    part = stopped(induction, whole, 4)
    before = file_bytes(DMV().fit(load_sample().limit(5)))  # the grammar alone
    induction.store.requeue_run(part.id)
    induction.store.start_run(part.id)
    induction.store.checkpoint(part.id, before, 4)
    induction.store.finish_run(part.id, "cancelled", {})
    run = ended(induction, induction.resume(induction.store.run(part.id)), "failed")
    assert "this is a model of kind 'dmv', not 'induction-checkpoint'" in run.error


def test_the_trees_are_over_the_whole_text_and_the_grammar_is_a_file(induction, corpus, whole):
    outcome, text = induction.load(whole), induction.workspace.treebank(corpus)
    parse = outcome.parses[""]
    assert parse.offsets.tolist() == text.offsets.tolist()
    has_head = np.isin(np.arange(len(text.heads)), outcome.inputs.treebank.rows) & (parse.heads >= 0)
    assert has_head.sum() == outcome.inputs.treebank.token_count < text.token_count
    assert [file.name for file in outcome.files] == [f"small-run-{whole.id}.npz"]
    assert outcome.files[0].data() == induction.store.result_bytes(whole.id)


def test_a_table_is_made_again_with_the_same_cells_and_leaves_no_trees(induction, module_add):
    text = conllu_text(load_sample().limit(20).to_conllu()).replace("# sent_id", "# markup = a 1-2\n# sent_id")
    corpus = module_add("marked.conllu", text)
    usual = induction.plan(corpus)
    assert usual.settings.level == "loose"
    plan = usual.with_values(init="harmonic", stages="6", max_iterations=1)
    inputs = induction.inputs(corpus, plan)
    assert inputs.marked == 20 and induction.grid.latest_run(inputs) is None
    run = ended(induction, induction.grid.start(inputs, plan))
    assert induction.grid.latest_run(inputs).id == run.id
    assert (run.kind, induction.has_outcome(run), induction.parts(run)) == (GRID, False, {})
    assert "best of 15 grammars" in induction.figures(run)["UAS"]
    again = ended(induction, induction.again(run))
    assert induction.grid.latest_run(inputs).figures["cells"] == again.figures["cells"] == run.figures["cells"]
    assert induction.finished(inputs) == []


def test_two_texts_of_the_same_content_stay_two(induction, module_add, corpus):
    twin = module_add("twin.conllu", conllu_text(load_sample().limit(40).to_conllu()))
    plan = induction.plan(corpus)
    one, other = induction.inputs(corpus, plan), induction.inputs(twin, plan)
    assert one.hash == other.hash and (one.corpus.id, other.corpus.id) == (corpus.id, twin.id)
