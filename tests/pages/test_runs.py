"""The Runs page: an empty one says where runs come from; one in full, two side by side, one as JSON."""

import json

import numpy as np
import pytest

from core.treebank import conllu_text, load_sample
from core.version import code_version
from core.workspace import add_corpus
from core.workspace.runs.list import facts_table, main_figure, run_json, run_table
from tests.pages.reading import pressed, said
from tests.patience import ended

OLD, NEW = "DET <- NOUN = 0.9\nADJ <- NOUN = 0.8\n", "DET <- NOUN = 0.9\nADV <- VERB = 0.7\n"


@pytest.fixture
def runs(workbench, project, sample):
    """Two finished runs of the sample: older, newer."""
    store, made = workbench.store, []
    settings = {"corpus": sample.id, "tags": "upos", "variance": 10.0}
    for text, objective in ((OLD, -1.5), (NEW, -1.25)):
        run = store.create_run(project, "ge", settings, constraint_text=text, data_hash="ab" * 32)
        store.start_run(run)
        store.append_trace(run, [{"iteration": 1, "seconds": 0.1, "objective": objective}])
        store.finish_run(run, "done", {"objective": objective, "iterations": 1, "code": code_version()})
        made.append(store.run(run))
    return made


def test_without_runs_the_page_says_where_they_come_from(open_page):
    assert "There are no runs in this project" in open_page("runs", run="99").info[0].value


def test_the_newest_run_is_shown_in_full_and_told_for_a_paper(open_page, workbench, project, runs):
    app = open_page("runs")
    assert app.session_state["run"] == str(runs[1].id)
    listed, facts = (frame.value for frame in app.dataframe)
    assert listed["code"].tolist() == [code_version()] * 2 and f"run {runs[1].id}" in facts.columns
    assert app.code[0].value == NEW.strip()
    pressed(app, "run_again")  # on other sentences: nothing begins
    assert "has changed since; start a new run on it" in said(app.toast) and len(workbench.store.runs(project)) == 2
    app = open_page("runs", state={"run_view": "methods"})
    paragraph, table = (code.value for code in app.code)
    assert "Druck et al., 2009" in paragraph and "objective -1.25" in paragraph and code_version() in paragraph
    assert table.startswith("| Run | Method | Text | objective | iterations |") and not app.error


def test_two_runs_are_set_side_by_side_what_differs_first_and_json_holds_all(open_page, workbench, runs):
    (old, new), store = runs, workbench.store
    app = open_page("runs", run_beside=f"Run {old.id}, constraints")
    assert "1 the same" in said(app.markdown)
    assert [code.value for code in app.code] == ["ADV <- VERB = 0.7", "ADJ <- NOUN = 0.8"]
    table = facts_table(store, new, old)
    assert table["differs"] == sorted(table["differs"], reverse=True)
    place = table["what"].index("figure: objective")
    assert (table[f"run {new.id}"][place], table[f"run {old.id}"][place]) == ("-1.25", "-1.5")
    record = json.loads(run_json(store, new))
    assert (record["constraints"]["text"], record["code"]) == (NEW, code_version())
    assert record["trace"][0]["objective"] == -1.25
    assert len(set(run_table(store, runs)["constraints"])) == 2
    assert main_figure(new) == "objective -1.25 after 1 iteration"


def test_a_run_made_again_has_the_same_lines_and_figures(open_page, workbench, ge):
    rows = np.flatnonzero(load_sample().lengths <= 6)[:10]
    text = conllu_text(load_sample().select(rows).to_conllu()).encode()
    project = workbench.store.default_project()
    corpus = workbench.store.corpus(add_corpus(workbench.store, project, "short.conllu", text)[0])
    first = ge.train(ge.text(corpus), OLD)
    ended(workbench, first)
    app = open_page("runs", corpus="short.conllu")
    pressed(app, "run_again")
    newest = workbench.store.runs(project)[0].id
    assert [toast.value for toast in app.toast] == [f"Run {newest} has begun"]
    ended(workbench, newest)
    app = open_page("runs", corpus="short.conllu", run_beside=f"Run {first}, constraints")
    assert f"Constraints from run {first} to run {newest}: 2 the same" in said(app.markdown)
    app.segmented_control(key="run_view").set_value("methods").run()
    rows = [line.split("|")[3:] for line in app.code[1].value.splitlines() if line.startswith(("| 1", "| 2"))]
    assert len(rows) == 2 and rows[0] == rows[1]


def asked(open_page, run, which=None):
    """The page with what stands behind *Delete* of a run, after the choice of which runs."""
    app = open_page("runs", run=f"Run {run}", state={f"run_delete_{run}": True})
    return app if which is None else app.segmented_control(key="run_delete_which").set_value(which).run()


def test_a_run_is_deleted_after_it_was_said_what_goes(open_page, workbench, project, runs):
    app = asked(open_page, runs[0].id)
    assert "**1 run, 0.0 MB**: settings, figures, trees and parsers will be deleted" in said(app.markdown)
    pressed(app, "run_delete_now")
    assert said(app.toast) == "Deleted 1 run, 0.0 MB" and not app.error
    assert [run.id for run in workbench.store.runs(project)] == [runs[1].id]
    assert f"There is no run 'Run {runs[0].id}' here" in said(open_page("runs", run=f"Run {runs[0].id}").toast)


def test_all_but_the_newest_are_deleted_and_what_stays_is_said(open_page, workbench, project, runs, sample):
    store = workbench.store
    third = store.create_run(project, "ge", {"corpus": sample.id, "start": runs[1].id})
    store.start_run(third)
    store.finish_run(third, "done", {"objective": -1.0, "iterations": 1})
    app = asked(open_page, third, "older")
    assert f"Run {runs[1].id} cannot be deleted: run {third} begins from it" in said(app.caption)
    pressed(app, "run_delete_now")
    assert [run.id for run in store.runs(project)] == [third, runs[1].id]
    app = asked(open_page, runs[1].id)
    assert "Nothing is to be deleted" in said(app.markdown)
    app.checkbox(key="run_delete_later").check().run()
    pressed(app, "run_delete_now")
    assert store.runs(project) == [] and "There are no runs in this project" in app.info[0].value


def test_a_run_that_another_window_deleted_is_missed(open_page, workbench, project, runs):
    app = open_page("runs", run=f"Run {runs[0].id}")
    workbench.store.delete_runs(project, [runs[0].id])
    assert said(app.run().toast) == f"Run {runs[0].id} was deleted; the newest is shown"
    assert app.session_state["run"] == str(runs[1].id) and said(app.run().toast) == ""


def test_old_runs_are_deleted(open_page, workbench, project, runs):
    app = asked(open_page, runs[1].id, "before")
    assert "Nothing is to be deleted" in said(app.markdown)
    app.number_input(key="run_delete_days").set_value(0).run()
    pressed(app, "run_delete_now")
    assert workbench.store.runs(project) == []
