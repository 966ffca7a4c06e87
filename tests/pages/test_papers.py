"""The Papers page: where each paper is, its experiments run on what is at hand, and what they say of their data."""

import json
import threading
import time

import pytest

from core.errors import WorkbenchError
from core.treebank import load_sample
from core.workspace.papers import reproduction
from core.workspace.papers.contents import PAPERS, materials_table, paper_named
from core.workspace.papers.reproduction import KIND, Reproduction, by_column
from pages.shared.navigation import MENU
from tests.filled import filled
from tests.pages.reading import pressed, said, table, waited
from tests.patience import PATIENCE

FIGURE = "Figure 1: Cross-entropy of starts"


@pytest.fixture
def task(workbench):
    return Reproduction(workbench)


def words_of(app):
    return said((*app.markdown, *app.caption, *app.error))


def test_every_experiment_of_a_paper_is_offered_and_every_part_is_a_page():
    names = {name for pages in MENU.values() for name in pages}
    assert {part.page for paper in PAPERS for part in paper.parts} <= names
    assert [len(paper.experiments) for paper in PAPERS] == [6, 13, 9, 2, 1]
    titles = [title for paper in PAPERS for title in paper.titles.values()]
    assert FIGURE in titles and len(set(titles)) == len(titles)
    assert paper_named("zhou2013").experiment("nothing").name == "zhou2013-table1"
    assert materials_table(paper_named("shimizu2007").experiment("table3"))["corpus"][0] == "UD English EWT"


@pytest.mark.parametrize("paper", [paper.short for paper in PAPERS])
def test_a_paper_has_its_parts_and_says_what_it_reads(open_page, paper):
    app = open_page("papers", paper=paper)
    assert not app.error and app.button(key="pp_start").label == "Run"
    chosen = next(each for each in PAPERS if each.short == paper)
    assert [part.what for part in chosen.parts if part.what not in words_of(app)] == []
    assert "Not run on this text yet" in words_of(app)
    assert set(table(app, "corpus")) == {"role", "corpus", "licence"}


def test_a_figure_is_run_and_shown_with_whose_data_these_are(open_page, workbench):
    app = pressed(open_page("papers", paper="Spitkovsky 2010", pp_experiment=FIGURE), "pp_start")
    run = waited(app, workbench, KIND)
    assert not app.error and "Data: the sample" in words_of(app)
    assert "Ours are figures of the sample, 332 sentences and 78 questions" in words_of(app)
    found = table(app, "ours")
    assert found["name"].tolist() == ["WSJ5", "WSJ8", "WSJ15", "WSJ25"] and found["paper"].tolist()[1] == 4.32
    assert len(app.get("image")) == 1
    assert "svg" in json.loads(workbench.store.result_bytes(run.id))["picture"]
    listed = table(open_page("runs"), "figure")
    assert listed["kind"].tolist() == ["experiment of a paper"] and listed["text"].tolist() == [""]


def test_an_open_text_is_run_on_and_one_that_cannot_answer_says_why(open_page, add, task, workbench):
    small = add("small.conllu", load_sample().limit(60))
    app = open_page("papers", corpus="small.conllu", paper="Spitkovsky 2010", pp_experiment=FIGURE, pp_data="This text")
    app = pressed(app, "pp_start")
    waited(app, workbench, KIND)
    assert "Data: small.conllu" in words_of(app)
    inputs = task.inputs(small.project, small)
    run = task.start(inputs, "shimizu2007-table3")
    assert workbench.jobs.wait(run, timeout=100).status == "failed"
    assert "small.conllu is of one kind" in workbench.store.run(run).error
    again, plan = task.inputs_of(workbench.store.run(run))
    assert (again.hash, plan) == (inputs.hash, "shimizu2007-table3")


def test_what_needs_corpora_is_not_begun(task, project):
    with pytest.raises(WorkbenchError, match="beyond-lines needs its corpora; run: python -m core reproduce beyond"):
        task.start(task.inputs(project, None), "beyond-lines")


def test_a_run_is_cancelled_and_its_experiment_ends(task, project, workbench, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def endless(name, *, quick, say, text):
        try:
            while True:
                say("a step")
                begun.set()
                time.sleep(0.01)
        finally:
            ended.set()

    monkeypatch.setattr(reproduction, "run_experiment", endless)
    run = task.start(task.inputs(project, None), "zhou2013-table1")
    assert begun.wait(PATIENCE)
    workbench.jobs.cancel(run)
    assert workbench.jobs.wait(run, timeout=PATIENCE).status == "cancelled" and ended.wait(PATIENCE)


def test_rows_become_columns():
    rows = [{"name": "a", "ours": 0.12345, "x_y": None}, {"name": "b", "why": "no text", "ours": 41.26, "paper": None}]
    found = by_column(rows)
    assert list(found) == ["name", "ours", "why"]
    assert found["ours"] == [0.123, 41.26] and found["why"] == [None, "no text"]
    for column in filled(found.values()):
        assert len(column) == 2
