"""The Runs page: an empty one says where runs come from; one in full, two side by side, one as JSON."""

import json

import pytest

from core.version import code_version
from core.workspace.runs.list import facts_table, main_figure, run_json, run_table

OLD, NEW = "DET <- NOUN = 0.9\nADJ <- NOUN = 0.8\n", "DET <- NOUN = 0.9\nADV <- VERB = 0.7\n"


@pytest.fixture
def runs(workbench):
    """Two finished runs of the sample: older, newer."""
    store = workbench.store
    project = store.default_project()
    corpus = store.corpora(project)[0].id
    made = []
    for text, objective in ((OLD, -1.5), (NEW, -1.25)):
        settings = {"corpus": corpus, "tags": "upos", "variance": 10.0}
        run = store.create_run(project, "ge", settings, constraint_text=text, data_hash="ab" * 32)
        store.start_run(run)
        store.append_trace(run, [{"iteration": 1, "seconds": 0.1, "objective": objective}])
        store.finish_run(run, "done", {"objective": objective, "iterations": 1, "code": code_version()})
        made.append(store.run(run))
    return made


def test_without_runs_the_page_says_where_they_come_from(open_page):
    app = open_page("runs")
    assert "There are no runs in this project" in app.info[0].value


def test_the_newest_run_is_shown_in_full(open_page, runs):
    app = open_page("runs")
    assert app.session_state["run"] == str(runs[1].id)
    listed, facts = (frame.value for frame in app.dataframe)
    assert listed["code"].tolist() == [code_version()] * 2
    assert f"run {runs[1].id}" in facts.columns
    assert app.code[0].value == NEW.strip()


def test_two_runs_are_set_side_by_side(open_page, runs):
    app = open_page("runs", run_beside=f"Run {runs[0].id}, constraints")
    assert any("1 the same" in markdown.value for markdown in app.markdown)
    assert [code.value for code in app.code] == ["ADV <- VERB = 0.7", "ADJ <- NOUN = 0.8"]


def test_what_differs_comes_first_and_json_holds_all(workbench, runs):
    old, new = runs
    table = facts_table(workbench.store, new, old)
    marks = table["differs"]
    assert marks == sorted(marks, reverse=True)
    place = table["what"].index("figure: objective")
    assert (table[f"run {new.id}"][place], table[f"run {old.id}"][place]) == ("-1.25", "-1.5")
    record = json.loads(run_json(workbench.store, new))
    assert record["constraints"]["text"] == NEW
    assert record["trace"][0]["objective"] == -1.25
    assert record["code"] == code_version()
    assert run_table(workbench.store, runs)["constraints"][0] != run_table(workbench.store, runs)["constraints"][1]
    assert main_figure(new) == "objective -1.25 after 1 iteration"


def test_running_again_on_other_sentences_says_so_and_begins_nothing(open_page, workbench, runs):
    app = open_page("runs")
    app.button(key="run_again").click().run()
    assert not app.exception
    assert any("has changed since; start a new run on it" in toast.value for toast in app.toast)
    assert len(workbench.store.runs(workbench.store.default_project())) == 2


def test_a_run_is_told_for_a_paper(open_page, runs):
    app = open_page("runs", state={"run_view": "methods"})
    assert not app.error
    paragraph, table = (code.value for code in app.code)
    assert "Druck et al., 2009" in paragraph and "objective -1.25" in paragraph and code_version() in paragraph
    assert table.startswith("| Run | Method | Text | objective | iterations |")
