"""The DomainAdaptation page: nothing to choose before the first run, what a run shows, bad input in one sentence."""

from dataclasses import replace

import pytest

from core.treebank import load_sample
from core.workspace.adaptation.system import DomainAdaptation
from core.workspace.adaptation.tables import verdict, verdict_counts
from core.workspace.groups import by_sentences, by_words, groups, save_group
from core.workspace.runs.examples import Examples
from tests.advising import finished
from tests.pages.conftest import add_to
from tests.pages.reading import keep_group, keys, pressed, said, shown, table, waited

QUICK = {"epochs": 1, "few": 2, "edges": 2000, "scale": 3.0, "rounds": 0}


def prepared(workspace):
    """Two short texts, a plan that adapts one to the other in a moment, and its run."""
    system = DomainAdaptation(workspace)
    source = add_to(workspace, "source.conllu", load_sample().limit(30))
    target = add_to(workspace, "target.conllu", load_sample("questions").limit(10))
    system.save(source, "choosing", target=target.id, **QUICK)
    finished(workspace, start(system, source))


def start(system, source):
    return system.start(system.inputs(source, system.plan(source)), system.plan(source))


@pytest.fixture
def system(workbench):
    return DomainAdaptation(workbench)


@pytest.fixture
def source(workbench, project):
    return workbench.store.corpora(project)[1]


@pytest.fixture
def outcome(system, source):
    return system.load(system.runs(source.project)[0])


def test_the_sample_and_its_questions_wait_for_one_click(open_page):
    app = open_page("adaptation", corpus="sample")
    assert app.selectbox(key="scl_target").options[0] == "sample: questions"
    assert "299 of 332 sentences teach, every tenth (33) is scored" in said(app.caption)
    assert "sample: questions: 68 sentences parsed and scored" in said(app.caption)
    assert not app.button(key="scl_start").disabled


def test_the_button_makes_a_run_with_what_was_chosen(open_page, system, source, workbench):
    app = open_page("adaptation", corpus=source.name)
    app.number_input(key="scl_scale").set_value(1.5).run()
    app.selectbox(key="scl_language").set_value("xx").run()
    assert "upos:ADP" in app.text_area[0].value
    app.text_area[0].set_value("determiner = the\nbroken").run()
    assert "Pivots not changed" in said(app.toast) and not system.plan(source).pivots
    assert app.text_area[0].value == "determiner = the\nbroken", "what was refused stays, to be mended"
    made = waited(pressed(app, "scl_start"), workbench, "scl")
    assert (made.settings["scale"], made.settings["language"]) == (1.5, "xx")
    assert "with adaptation" in said(app.markdown)
    pressed(app, "shared_undo")
    assert system.plan(source).language == "en" and "Settings have changed since run" in said(app.caption)


def test_every_view_of_a_run_is_drawn_and_opened_by_a_link(open_page, source, outcome):
    app = open_page("adaptation", corpus=source.name)
    last = outcome.scores["scl"]["target"][-1]
    assert verdict(outcome) in said(app.markdown)
    assert f"{last.both:,} of {last.words:,}" in table(app, "LAS")["LAS"].iloc[-1]
    for view, column in (("Pivots", "pivot"), ("Directions", "modifier"), ("Changed edges", "after")):  # a former name
        app = open_page("adaptation", corpus=source.name, adaptation=view)
        assert len(table(app, column))
    kind = next(iter(verdict_counts(outcome)))
    shown(app, changed=kind)
    assert set(app.dataframe[0].value["verdict"]) == {kind}
    assert "scl_changed_tree" in keys(app.get("bidi_component"))


def test_bad_texts_are_said_without_a_traceback(open_page, system, source, add):
    bare = add("bare.txt", "what is it ?\nwho was there ?\n")
    system.save(source, "choosing", target=bare.id)
    app = open_page("adaptation", corpus=source.name)
    assert "bare.txt has no tags; tag the text first, on the Corpus page" in said(app.error)
    assert app.button(key="scl_start").disabled


def test_changed_edges_of_a_group_are_listed_and_kept_as_one(open_page, workbench, source, outcome):
    target = outcome.inputs.target
    first = min(edge["sentence"] for edge in outcome.findings["changed"])
    numbers = (outcome.inputs.test.picks[[first]] + 1).tolist()
    save_group(workbench, target, "one", by_sentences(numbers))
    app = shown(open_page("adaptation", corpus=source.name), adaptation="changes")
    app.selectbox(key="group").select("one").run()
    assert set(table(app, "verdict")["sentence"]) == set(numbers)
    keep_group(app, "scl_group")
    kept = groups(workbench.store, target)[-1]
    words = [edge["word"] for edge in outcome.findings["changed"] if edge["sentence"] == first]
    assert (kept.name, kept.definition) == ("kept", by_words(outcome.inputs.test, [first] * len(words), words))


def test_without_a_run_the_page_shows_an_example_that_is_no_run_of_the_project(open_page, outcome, monkeypatch):
    example = replace(outcome, inputs=replace(outcome.inputs, corpus=None))
    monkeypatch.setattr(Examples, "outcome", lambda self, kind: example if kind == "scl" else None)
    app = open_page("adaptation", corpus="sample")
    assert "Example" in said(app.markdown) and "LAS **" in said(app.markdown)
    for view in ("pivots", "directions", "changes"):
        shown(app, adaptation=view)


def test_one_switch_sets_the_papers_settings(open_page, system, source):
    before, app = system.plan(source), open_page("adaptation", corpus=source.name)
    assert app.segmented_control(key="scl_preset").value is None  # a scale of three, and one iteration, are our own
    assert "**Scale**: 3; paper: 1 (the paper saw its induced features overfit)" in said(app.markdown)
    shown(app, scl_preset="paper")
    plan = system.plan(source)
    assert (plan.decide, plan.settings.scale, plan.settings.standardize, plan.epochs) == ("words", 1.0, False, 4)
    assert plan.settings.edges == before.settings.edges and not plan.departures()
    assert "1 difference from the paper" in [each.label for each in app.expander]
    shown(app, scl_preset="best")
    assert system.plan(source) == before.with_values(scale=0.3, epochs=4)
