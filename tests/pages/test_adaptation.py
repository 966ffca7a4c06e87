"""The Adaptation page: nothing to choose before the first run, what a run shows, bad input in one sentence."""

import pytest

from core.treebank import conllu_text, load_sample
from core.workspace import add_corpus
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.adaptation.system import Adaptation
from core.workspace.adaptation.tables import verdict, verdict_counts
from core.workspace.groups import by_sentences, by_words, groups, save_group
from core.workspace.runs.examples import Examples
from tests.pages.reading import said

QUICK = {"epochs": 1, "few": 2, "edges": 2000, "scale": 3.0, "rounds": 0}


@pytest.fixture
def add(workbench):
    """add(name, Treebank) -> its Corpus."""

    def add(name, treebank):
        project, data = workbench.store.default_project(), conllu_text(treebank.to_conllu()).encode()
        return workbench.store.corpus(add_corpus(workbench.store, project, name, data)[0])

    return add


@pytest.fixture
def small(workbench, add):
    """(system, source), whose plan is quick and adapts to a few questions."""
    system = Adaptation(workbench)
    source = add("source.conllu", load_sample().limit(30))
    target = add("target.conllu", load_sample("questions").limit(10))
    system.save(source, "choosing", target=target.id, **QUICK)
    return system, source


@pytest.fixture
def outcome(small):
    system, source = small
    number = system.start(system.inputs(source, system.plan(source)), system.plan(source))
    assert system.workspace.jobs.wait(number, timeout=120).status == "done"
    return system.load(system.store.run(number))


def test_the_sample_and_its_questions_wait_for_one_click(open_page):
    app = open_page("adaptation")
    assert app.selectbox(key="scl_target").options == ["sample: questions"]
    assert "299 of 332 sentences teach, every tenth (33) is scored" in said(app.caption)
    assert "sample: questions: 68 sentences parsed and scored" in said(app.caption)
    assert not app.button(key="scl_start").disabled


def test_the_button_makes_a_run_with_what_was_chosen(open_page, small):
    system, source = small
    app = open_page("adaptation", corpus=source.name)
    app.number_input(key="scl_scale").set_value(1.5).run()
    app.selectbox(key="scl_language").set_value("xx").run()
    assert "upos:ADP" in app.text_area(key="scl_pivots_1").value or "upos:ADP" in app.text_area[0].value
    app.text_area[0].set_value("determiner = the\nbroken").run()
    assert "Pivots not changed" in said(app.toast) and not system.plan(source).pivots
    assert app.text_area[0].value == "determiner = the\nbroken", "what was refused stays, to be mended"
    app.button(key="scl_start").click().run()
    assert not app.exception
    made = system.runs(source.project)[0]
    assert system.workspace.jobs.wait(made.id, timeout=120).status == "done"
    assert (made.settings["scale"], made.settings["language"]) == (1.5, "xx")
    app.run()
    assert not app.exception and "with adaptation" in said(app.markdown)
    app.button(key="shared_undo").click().run()
    assert system.plan(source).language == "en" and "Settings have changed since run" in said(app.caption)


def test_every_view_of_a_run_is_drawn(open_page, outcome):
    source = outcome.inputs.corpus.name
    app = open_page("adaptation", corpus=source)
    assert verdict(outcome) in said(app.markdown)
    scores = next(frame.value for frame in app.dataframe if "LAS" in frame.value.columns)
    last = outcome.scores["scl"]["target"][-1]
    assert f"{last.both:,} of {last.words:,}" in scores["LAS"].iloc[-1]
    for view, column in (("Pivots", "pivot"), ("Directions", "modifier"), ("Changed arcs", "after")):
        app = open_page("adaptation", corpus=source, adaptation=view)
        assert any(column in frame.value.columns for frame in app.dataframe), view
    kind = next(iter(verdict_counts(outcome)))
    app.segmented_control(key="changed").set_value(kind).run()
    assert not app.exception and set(app.dataframe[0].value["verdict"]) == {kind}
    assert "scl_changed_tree" in [component.key for component in app.get("bidi_component")]


def test_a_stopped_run_says_so(open_page, small):
    system, source = small
    system.save(source, "choosing", pivots="klingon = qapla")
    number = system.start(system.inputs(source, system.plan(source)), system.plan(source))
    assert system.workspace.jobs.wait(number, timeout=120).status == "failed"
    app = open_page("adaptation", corpus=source.name)
    shown = said(app.markdown)
    assert f"Run {number} failed: none of the 1 pivots can be used: pivot klingon is left out" in shown
    assert app.button(key="scl_resume").label == "Resume"


def test_bad_texts_are_said_without_a_traceback(open_page, small, add, workbench):
    system, source = small
    words = add("words.txt", load_sample("questions").limit(3))
    text = b"what is it ?\nwho was there ?\n"
    bare = workbench.store.corpus(add_corpus(workbench.store, source.project, "bare.txt", text, "text")[0])
    system.save(source, "choosing", target=bare.id)
    app = open_page("adaptation", corpus=source.name)
    assert "bare.txt has no tags; tag the text first, on the Corpus page" in said(app.error)
    assert app.button(key="scl_start").disabled
    system.save(bare, "choosing", target=words.id)
    app = open_page("adaptation", corpus=bare.name)
    assert "bare.txt has no trees to learn from; open a text with trees" in said(app.error)


def test_changed_edges_of_a_group_are_listed_and_kept_as_one(open_page, workbench, outcome):
    target = outcome.inputs.target
    changed = sorted({edge["sentence"] for edge in outcome.findings["changed"]})
    numbers = (outcome.inputs.test.picks[changed[:1]] + 1).tolist()
    save_group(workbench, target, "one", by_sentences(numbers))
    app = open_page("adaptation", corpus=outcome.inputs.corpus.name)
    app.segmented_control(key="adaptation").set_value("changes").run()
    app.selectbox(key="group").select("one").run()
    assert not app.exception
    table = next(frame.value for frame in app.dataframe if "verdict" in frame.value.columns)
    assert set(table["sentence"]) == set(numbers)
    app.text_input(key="scl_group_name").set_value("kept").run()
    app.button(key="scl_group_keep").click().run()
    kept = groups(workbench.store, target)[-1]
    words = [edge["word"] for edge in outcome.findings["changed"] if edge["sentence"] == changed[0]]
    expected = by_words(outcome.inputs.test, [changed[0]] * len(words), words)
    assert (kept.name, kept.definition) == ("kept", expected)


def test_without_a_run_the_page_shows_an_example_that_is_no_run_of_the_project(open_page, workbench, monkeypatch):
    monkeypatch.setattr(Adaptation, "usual_plan", lambda self, corpus: AdaptationPlan(**QUICK))
    made = Examples()
    made.ask("scl")
    assert made.wait("scl", timeout=120).status == "done"
    app = open_page("adaptation")
    assert "Example" in said(app.markdown) and "LAS **" in said(app.markdown)
    for view in ("pivots", "directions", "changes"):
        app.segmented_control(key="adaptation").set_value(view).run()
        assert not app.exception, view
    assert not workbench.store.runs(workbench.store.default_project())
    corpora = workbench.store.corpora(workbench.store.default_project())
    assert [corpus.name for corpus in corpora] == ["sample"]


def test_a_former_name_in_a_link_opens_the_same_view(open_page, outcome):
    app = open_page("adaptation", corpus="source.conllu", adaptation="Changed edges")
    assert app.segmented_control(key="adaptation").value == "changes"
