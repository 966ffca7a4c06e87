"""The Induction page: a start without a click, training as a job, runs, the grammar to take away, the table."""

import numpy as np
import pytest

from core.parsers import load_parser
from core.treebank import conllu_text, load_sample
from core.workspace.compare.parsed_text import parsed_text
from core.workspace.induction.grid import grid_table
from core.workspace.induction.plan import InductionPlan, stage_lengths
from core.workspace.induction.system import Induction
from core.workspace.induction.views import best_run, course
from core.workspace.markup.brackets import MarkQuery, MarkupRoom, find_marks
from core.workspace.registry import Systems
from core.workspace.relations import RULES, relations
from tests.advising import finished
from tests.pages.reading import pressed, said, shown, waited

QUICK = {"init": "harmonic", "stages": "8", "max_iterations": 4}


def prepared(workspace):
    """A quick run on the sample, and the plan of it."""
    desk, corpus = Induction(workspace), workspace.store.corpora(workspace.store.default_project())[0]
    desk.save(corpus, "choosing", **QUICK)
    finished(workspace, desk.start(desk.inputs(corpus, InductionPlan()), InductionPlan.of(**QUICK)))


@pytest.fixture
def desk(workbench):
    return Induction(workbench)


@pytest.fixture
def text(desk, corpus):
    return desk.inputs(corpus, InductionPlan())


@pytest.fixture
def run(desk, text):
    return desk.finished(text)[0]


def test_the_page_shows_where_training_begins_and_then_what_it_learnt(open_page, workbench, desk, add):
    marked = conllu_text(load_sample().limit(60).to_conllu()).replace("# sent_id", "# markup = a 1-2\n# sent_id")
    other = add("marked.conllu", marked)
    desk.save(other, "choosing", **QUICK)
    text, app = desk.inputs(other, InductionPlan()), open_page("induction", corpus="marked.conllu")
    assert f"({desk.untrained(text, desk.plan(other)).right:,} of {text.gold:,} words with" in said(app.markdown)
    app.segmented_control(key=f"ind_{other.id}_level").set_value("sprawl").run()
    run = waited(pressed(app, "ind_train"), workbench, "induction")
    assert run.settings["level"] == "sprawl" and app.dataframe[0].value["run"].tolist() == [run.id]
    assert f"({desk.load(run).right:,} of {text.gold:,} words with" in said(app.markdown)
    assert "training never sees them" in said(app.caption)
    app.text_input(key=f"ind_{other.id}_stages").set_value("eight").run()
    assert "Stages are whole numbers" in said(app.error) and desk.plan(other).stages == "8"


def test_a_run_is_a_parser_that_gives_the_same_trees_and_tells_every_iteration(desk, text, run, workbench, tmp_path):
    induced, path = desk.load(run), tmp_path / "grammar.npz"
    path.write_bytes(induced.files[0].data())
    parsed = load_parser(path).parse(text.treebank, brackets=text.brackets, level="loose")
    assert np.array_equal(parsed.heads, induced.heads)
    iterations, bits, accuracies, stages = course(workbench.jobs.trace(run.id))
    assert iterations == list(range(1, run.figures["iterations"] + 2)) and bits[-2] < bits[0]
    assert accuracies[0] == pytest.approx(100 * desk.untrained(text, InductionPlan.of(**QUICK)).right / text.gold)
    assert set(stages[:-1]) == {"up to 8 words"} and stages[-1] == "the whole text"
    assert accuracies[-1] == pytest.approx(100 * induced.right / text.gold)  # as the heading says
    assert bits[-1] == pytest.approx(induced.cross_entropy)
    found = parsed_text(Systems(workbench), text.corpus, f"run-{run.id}")
    assert found.bare == 0 and found.conllu().count("\troot\t") == len(text.treebank)
    assert best_run([run]) == (run, "heads right")


def test_gold_heads_change_scores_and_nothing_else(desk, text, run, add):
    bare = add("bare.conllu", text.treebank.with_heads(np.full(len(text.treebank.heads), -1, np.int32)))
    other = desk.inputs(bare, InductionPlan())
    second = finished(desk.workspace, desk.start(other, InductionPlan.of(**QUICK)))
    assert other.gold == 0 and other.marked == text.marked
    assert np.array_equal(desk.load(run).heads, desk.load(second).heads)
    assert "accuracy" not in second.figures and best_run([second])[1] == "bits per token"


def test_mark_up_is_judged_by_induced_trees_too(desk, run, corpus, open_page):
    parse = relations(desk.workspace, corpus, RULES).applied(desk.newest(corpus).parses[""])
    judged = MarkupRoom(desk.workspace).under_parse(corpus, "judged", "", lambda: parse)
    assert {"det", "nsubj"} <= {relation for sentence in judged.treebank for relation in sentence.deprels}
    held = judged.agreement.all
    assert held.brackets == held.hits["loose"] + len(find_marks(judged, MarkQuery(level="loose", verdict="breaks")))
    app = open_page("markup")
    app.selectbox(key="mk_trees").set_value("induced").run()
    assert f"trees by run {run.id} under Induction" in said(app.markdown)
    assert f"{held.hits['loose']:,} of {held.brackets:,}" in said(app.markdown)
    kept = judged.kept("loose").words
    assert kept in said(app.markdown) and kept in said(open_page("induction").markdown)


def test_choices_are_undone_and_one_click_takes_in_what_is_too_long(open_page, workbench, desk, text, corpus):
    app = shown(open_page("induction"), **{f"ind_{corpus.id}_init": "uniform"})
    assert desk.plan(corpus).settings.init == "uniform"
    assert workbench.store.undo(corpus.project).label == "setting start"
    assert next(each.value for each in app.run().segmented_control if each.label == "Start") == "harmonic"
    short = int((text.treebank.lengths <= 8).sum())
    assert f"Trains on {short} of {len(text.treebank)} sentences (at most 8 words)" in said(app.caption)
    pressed(app, "ind_use_all")
    assert not desk.plan(corpus).stages and "Trains on" not in said(app.caption)
    assert text.scope(desk.plan(corpus)).is_all


def test_the_table_has_every_start_at_every_level(desk, text):
    finished(desk.workspace, desk.grid.start(text, InductionPlan.of(stages="6", max_iterations=1)))
    cells = desk.grid.latest_run(text).figures["cells"]
    assert len(cells) == 15
    assert all(value is not None for values in grid_table(cells, "uas").values() for value in values)


def test_what_cannot_be_trained_says_so(desk, text, add):
    assert stage_lengths("") == (None,)
    with pytest.raises(ValueError, match="whole numbers separated by commas"):
        stage_lengths("15; 45")
    with pytest.raises(ValueError, match="shortest sentence has"):
        desk.start(text, InductionPlan(stages="1"))
    plain = add("plain.txt", "the/DET cat/NOUN sleeps/VERB\n")
    with pytest.raises(ValueError, match="this text has none"):
        desk.start(desk.inputs(plain, InductionPlan()), InductionPlan())


def test_one_switch_sets_the_papers_best_grammar_and_its_texts_are_chosen_beside_it(open_page, desk, add):
    other = add("plain.conllu", conllu_text(load_sample("questions").limit(20).to_conllu()))
    before, app = desk.plan(other), open_page("induction", corpus="plain.conllu")
    key = f"ind_{other.id}"
    assert app.segmented_control(key=f"{key}_preset").value == "best" and before.settings.level == "none"
    assert "**Only sentences with mark-up of several words**: off; paper: on" in said(app.markdown)
    shown(app, **{f"{key}_preset": "paper"})
    assert desk.plan(other) == before.with_values(level="loose", trim=True)
    assert "**Start estimated on**: the text itself; paper: the WSJ" in said(app.markdown)
    pressed(app, "ind_train")
    assert "need mark-up, and this text has none" in said(app.error)
    sample = next(text for text in desk.store.corpora(other.project) if text.id != other.id)
    app.selectbox(key=f"{key}_init_from").set_value(sample.id).run()
    assert "Start estimated on**" not in said(app.markdown) and desk.plan(other).init_from == sample.id
    shown(app, **{f"{key}_preset": "best"})
    assert desk.plan(other) == before.with_values(init_from=sample.id)
