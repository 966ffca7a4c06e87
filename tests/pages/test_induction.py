"""The Induction page: a start without a click, training as a job, runs, the grammar to take away, the table."""

import numpy as np
import pytest

from core.parsers import load_parser
from core.treebank import conllu_text
from core.workspace import add_corpus
from core.workspace.induction.grid import grid_table
from core.workspace.induction.plan import InductionPlan, stage_lengths
from core.workspace.induction.system import Induction
from core.workspace.induction.views import best_run, course
from core.workspace.markup.brackets import MarkQuery, MarkupRoom, find_marks
from tests.pages.reading import said

QUICK = {"init": "harmonic", "stages": "8", "max_iterations": 4}


@pytest.fixture
def desk(workbench):
    return Induction(workbench)


@pytest.fixture
def text(desk, corpus):
    return desk.inputs(corpus, InductionPlan())


def trained(desk, text, plan):
    desk.workspace.jobs.wait(desk.start(text, plan), timeout=60)
    return desk.finished(text)[0]


def test_the_page_shows_where_training_begins_and_then_what_it_learnt(open_page, workbench, desk, text, corpus):
    desk.save(corpus, "choosing", **QUICK)
    app = open_page("induction")
    start = desk.untrained(text, desk.plan(corpus))
    assert f"({start.right:,} of {text.gold:,})" in said(app.markdown)
    app.segmented_control(key=f"ind_{corpus.id}_level").set_value("sprawl").run()
    app.button(key="ind_train").click().run()
    assert not app.exception
    workbench.jobs.wait(workbench.store.runs(corpus.project, "induction")[0].id, timeout=60)
    app.run()
    assert not app.exception
    run = desk.finished(text)[0]
    induced = desk.load(run)
    assert run.settings["level"] == "sprawl"
    assert f"({induced.right:,} of {text.gold:,})" in said(app.markdown)
    assert "training never sees them" in said(app.caption)
    assert app.dataframe[0].value["run"].tolist() == [run.id]
    app.text_input(key=f"ind_{corpus.id}_stages").set_value("eight").run()
    assert "stages are whole numbers" in said(app.error)
    assert desk.plan(corpus).stages == "8"


def test_a_run_is_a_parser_that_gives_the_same_trees_and_tells_every_iteration(desk, text, workbench, tmp_path):
    run = trained(desk, text, InductionPlan(**QUICK))
    induced = desk.load(run)
    path = tmp_path / "grammar.npz"
    path.write_bytes(induced.files[0].data())
    assert np.array_equal(load_parser(path).parse(text.treebank).heads, induced.heads)
    iterations, bits, accuracies, stages = course(workbench.jobs.trace(run.id))
    assert iterations == list(range(1, run.figures["iterations"] + 1))
    assert bits[-1] < bits[0]
    assert accuracies[0] == pytest.approx(100 * desk.untrained(text, InductionPlan(**QUICK)).right / text.gold)
    assert set(stages) == {"up to 8 words"}
    assert induced.files[1].data().count("\troot\t") == len(text.treebank)
    assert best_run([run]) == (run, "heads right")


def test_gold_heads_change_scores_and_nothing_else(desk, text, workbench, corpus):
    bare = text.treebank.to_conllu().with_heads(np.full(len(text.treebank.heads), -1, np.int32))
    number, _ = add_corpus(workbench.store, corpus.project, "bare.conllu", conllu_text(bare).encode(), "conllu")
    other = desk.inputs(workbench.store.corpus(number), InductionPlan())
    plan = InductionPlan(**QUICK)
    first, second = trained(desk, text, plan), trained(desk, other, plan)
    assert other.gold == 0 and other.marked == text.marked
    assert np.array_equal(desk.load(first).heads, desk.load(second).heads)
    assert "accuracy" not in second.figures and best_run([second])[1] == "bits per token"


def test_mark_up_is_judged_by_induced_trees_too(desk, text, corpus, open_page):
    assert desk.newest(corpus) is None
    run = trained(desk, text, InductionPlan(**QUICK))
    judged = MarkupRoom(desk.workspace).under(corpus, run, desk.newest(corpus).treebank)
    held = judged.agreement.all
    assert held.brackets == held.hits["loose"] + len(find_marks(judged, MarkQuery(level="loose", verdict="breaks")))
    app = open_page("markup")
    app.selectbox(key="mk_trees").set_value("induced").run()
    assert not app.exception
    assert f"trees by run {run.id} under Induction" in said(app.markdown)
    assert f"{held.hits['loose']:,} of {held.brackets:,}" in said(app.markdown)


def test_a_choice_is_undone_on_the_page_too(open_page, workbench, desk, corpus):
    app = open_page("induction")
    app.segmented_control(key=f"ind_{corpus.id}_init").set_value("uniform").run()
    assert desk.plan(corpus).init == "uniform"
    assert workbench.store.undo(corpus.project).label == "setting start"
    app.run()
    assert next(each.value for each in app.segmented_control if each.label == "Start") == "adhoc"


def test_the_table_has_every_start_at_every_level(desk, text, workbench):
    number = desk.start_grid(text, InductionPlan(stages="6", max_iterations=1))
    workbench.jobs.wait(number, timeout=60)
    cells = desk.latest_grid(text).figures["cells"]
    table = grid_table(cells, "uas")
    assert len(cells) == 15
    assert all(value is not None for values in table.values() for value in values)


def test_what_cannot_be_trained_says_so(desk, text, open_page, workbench, corpus):
    assert stage_lengths("") == (None,)
    with pytest.raises(ValueError, match="whole numbers separated by commas"):
        stage_lengths("15; 45")
    with pytest.raises(ValueError, match="shortest sentence has"):
        desk.start(text, InductionPlan(stages="1"))
    add_corpus(workbench.store, corpus.project, "plain.txt", b"the/DET cat/NOUN sleeps/VERB\n")
    add_corpus(workbench.store, corpus.project, "bare.txt", b"the cat sleeps\n")
    app = open_page(corpus="plain.txt")
    app.switch_page("pages/induction.py").run()
    assert not app.exception
    plain = desk.inputs(workbench.store.corpora(corpus.project)[1], InductionPlan())
    with pytest.raises(ValueError, match="this text has none"):
        desk.start(plain, InductionPlan())
    app.selectbox(key="corpus").set_value(workbench.store.corpora(corpus.project)[2].id).run()
    assert not app.exception and app.error


def test_what_is_too_long_to_be_trained_on_is_counted_and_one_click_takes_it_in(open_page, desk, text, corpus):
    desk.save(corpus, "choosing", **QUICK)
    short = int((text.treebank.lengths <= 8).sum())
    app = open_page("induction")
    assert f"Trained on {short} of {len(text.treebank)} sentences (at most 8 words)" in said(app.caption)
    app.button(key="ind_use_all").click().run()
    assert not app.exception
    assert not desk.plan(corpus).stages and "Trained on" not in said(app.caption)
    assert text.scope(desk.plan(corpus)).is_all
