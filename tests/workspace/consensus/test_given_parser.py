"""Consistent parsing with the parser of a run of Constraints: what was said there is in its scores."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.trees import Bracket, satisfies
from core.workspace.constraints.constraint_set import save_text
from core.workspace.decomposition.playback import flips
from core.workspace.registry import Systems
from tests.advising import correct, short_sentences, written, written_bare
from tests.workspace.running import Recording, carried_out, ended

LINES = "DET <- NOUN per modifier = 0.9..1 weight 2\nADP -> NOUN per modifier = 0.75..1\n"
CHECKED, MARKED = range(20), 21  # of the forty; from 0


@pytest.fixture(scope="module")
def gold():
    return short_sentences()


@pytest.fixture(scope="module")
def systems(module_workspace):
    return Systems(module_workspace)


@pytest.fixture(scope="module")
def corpus(module_workspace, module_add, gold):
    """A text of which twenty trees are checked; one of the other sentences is marked."""
    blocks = written_bare(gold).split("\n\n")
    blocks[MARKED] = "# markup = a 2-3\n" + blocks[MARKED]
    made = module_add("text.conllu", "\n\n".join(blocks))
    correct(module_workspace, made, gold, CHECKED)
    save_text(module_workspace.store, made, LINES, "writing")
    return made


@pytest.fixture(scope="module")
def trained(systems, corpus):
    grammar = systems["grammar"]
    grammar.save(corpus, "choosing", prior="universal", word_order="adposition=before", corrections=True,
                 brackets="strict")  # fmt: skip
    return ended(grammar, grammar.start(grammar.text(corpus), grammar.plan(corpus)))


@pytest.fixture(scope="module")
def run(systems, corpus, trained):
    consensus = systems["consensus"]
    plan = consensus.plan(corpus).with_values(parser=trained.id, minimum_count=1, delta1=3.0)
    return carried_out(consensus, corpus, plan)


def test_the_parser_alone_is_that_of_the_run_and_consistency_turns_words(systems, trained, run, gold):
    consensus, grammar = systems["consensus"], systems["grammar"]
    found, of_run = consensus.load(run), grammar.load(trained)
    assert len(found.inputs.train) == len(CHECKED) and len(found.inputs.test) == 20
    theirs = of_run.inputs.treebank.with_heads(of_run.parse.heads)
    for number, sentence in enumerate(found.parses["alone"].without_punctuation()):
        assert sentence.heads.tolist() == theirs[int(found.inputs.test.picks[number])].heads.tolist()
    assert (found.parse.heads != found.base.heads).any() and "dep" not in found.parses[""].deprel.values
    assert run.settings["parser"] == trained.id and "bits" not in run.figures
    assert found.certified.any()
    place = int(np.flatnonzero(found.inputs.test.picks == MARKED)[0])
    assert all(satisfies(bank[place].heads, Bracket(2, 4), "strict") for bank in found.parses.values())


def test_marks_move_with_words_alone(systems, run):
    found = systems["consensus"].load(run)
    test, marks = found.inputs.test, found.inputs.test.punctuation()
    assert marks.any() and len(found.trace) > 0
    for iteration in range(1, len(found.trace) + 1):
        listed = flips(found, iteration)
        is_mark = marks[test.offsets[listed.sentences] + listed.modifiers]
        assert set(listed.sentences[is_mark].tolist()) <= set(listed.sentences[~is_mark].tolist())


def test_a_cancelled_search_goes_on_with_the_same_parser(systems, corpus, trained, run):
    consensus = systems["consensus"]
    plan = consensus.plan(corpus).with_values(parser=trained.id, minimum_count=1, delta1=3.0)
    whole, job = consensus.load(run), Recording(stop_at=1)
    inputs = consensus.inputs(corpus, plan)
    figures, _ = consensus.work(inputs, plan)(job)
    assert figures["status"] == "cancelled"
    again = Recording()
    again.resumed = job.checkpoints[-1]
    figures, data = consensus.work(inputs, plan)(again)
    found = consensus.read(run, inputs, plan, data)
    assert found.parse.heads.tolist() == whole.parse.heads.tolist() and len(found.trace) == len(whole.trace)


def test_sentences_that_the_run_learnt_from_are_not_scored(systems, module_workspace, module_add, gold):
    """All trees are the file's: the first sentences teach contexts, the run learns from some of the others."""
    grammar, consensus = systems["grammar"], systems["consensus"]
    corpus = module_add("gold.conllu", written(gold))
    save_text(module_workspace.store, corpus, LINES, "writing")
    grammar.save(corpus, "choosing", prior="universal", marked=(31, 32, 33))
    trained = ended(grammar, grammar.start(grammar.text(corpus), grammar.plan(corpus)))
    plan = consensus.plan(corpus).with_values(minimum_count=1)
    assert plan.first == 24 and consensus.inputs(corpus, plan).learnt == 0
    inputs = consensus.inputs(corpus, plan.with_values(parser=trained.id))
    assert inputs.learnt == 3
    test = inputs.test
    assert [int(pick) for pick in test.picks if test[int(np.flatnonzero(test.picks == pick)[0])].heads[1] < 0] == [
        30, 31, 32,
    ]  # fmt: skip


def test_runs_of_this_text_are_offered_and_one_that_is_gone_is_said(systems, corpus, trained, sample_of):
    consensus = systems["consensus"]
    assert [run.id for run in consensus.parser_runs(corpus)] == [trained.id]
    assert consensus.parser_runs(sample_of) == []
    for other in (trained.id + 1000, trained.id):
        with pytest.raises(WorkbenchError, match="the run whose parser was chosen is gone; choose another parser"):
            consensus.inputs(sample_of, consensus.plan(sample_of).with_values(parser=other))


@pytest.fixture(scope="module")
def sample_of(module_workspace):
    return module_workspace.store.corpora(module_workspace.store.default_project())[0]
