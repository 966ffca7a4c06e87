"""The grammar on the Constraints page: the choice of what learns, its settings, what a run shows, bad input."""

import pytest

from core.workspace import add_corpus
from core.workspace.constraints.documents import save_text
from tests.pages.reading import said

TEXT = (
    b"the/DET cat/NOUN sleeps/VERB ./PUNCT\na/DET dog/NOUN ,/PUNCT barks/VERB\nthe/DET dog/NOUN sees/VERB a/DET "
    b"cat/NOUN ./PUNCT\n"
)
SET = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.9..1\nNOUN <- GHOST = 0.5\n"


@pytest.fixture
def corpus(workbench):
    project = workbench.store.default_project()
    found = workbench.store.corpus(add_corpus(workbench.store, project, "tagged.txt", TEXT)[0])
    save_text(workbench.store, found, SET, "typing")
    return found


@pytest.fixture
def app(open_page, corpus):
    return open_page("constraints", corpus="tagged.txt")


def train(app, workbench, corpus):
    app.button(key="ge_train").click().run()
    assert not app.exception and not app.error
    run = workbench.store.runs(corpus.project)[0]
    workbench.jobs.wait(run.id, timeout=600)
    app.run()
    assert not app.exception
    return workbench.store.run(run.id)


def test_the_grammar_comes_first_and_the_choice_can_be_undone(app, workbench, corpus):
    assert app.segmented_control(key="ge_learner_kind").value == "grammar"
    app.segmented_control(key="ge_learner_kind").set_value("ge").run()
    assert "Gradient" in app.segmented_control(key="ge_results").options
    assert workbench.store.undo(corpus.project).label == "choosing a learner"
    app.run()
    assert "Gradient" not in app.segmented_control(key="ge_results").options
    assert not app.exception


def test_each_learner_keeps_its_runs(app, workbench, corpus):
    first = train(app, workbench, corpus)
    assert first.kind == "grammar" and "arc" in said(app.markdown)
    app.segmented_control(key="ge_learner_kind").set_value("ge").run()
    assert "untrained" in said(app.caption)
    app.segmented_control(key="ge_learner_kind").set_value("grammar").run()
    assert "untrained" not in said(app.caption)


def test_what_a_run_shows(app, workbench, corpus):
    run = train(app, workbench, corpus)
    for view, text in (
        ("targets", "2 of 2 shares lie within"), ("objective", f"Run {run.id}: from"), ("mistakes", ""),
    ):  # fmt: skip
        app.segmented_control(key="ge_results").set_value(view).run()
        assert not app.exception and not app.error
        assert text in said(app.caption)
    app.segmented_control(key="ge_results").set_value("lines").run()
    job = next(each for each in workbench.store.runs(corpus.project) if each.kind == "grammar-worth")
    workbench.jobs.wait(job.id, timeout=600)
    app.run()
    assert not app.exception and not app.error
    table = next(frame.value for frame in app.dataframe if "without" in frame.value)
    assert table["constraint"].tolist()[0] == "DET <- NOUN per modifier"


def test_why_an_arc_says_what_the_lines_add_to_the_grammar(app, workbench, corpus):
    from core.draw import draw_tree
    from pages.shared.state import systems

    train(app, workbench, corpus)
    text = systems()["grammar"].text(corpus)
    app.session_state["ge_tree"] = {"sel": {"id": draw_tree(text.treebank[0]).fingerprint, "word": 1, "arc": None}}
    app.run()
    app.segmented_control(key="ge_arc_view").set_value("why").run()
    assert not app.exception and not app.error
    assert "Log-odds against" in said(app.markdown) and "multipliers λ" in said(app.caption)
    table = next(frame.value for frame in app.dataframe if "nats" in frame.value)
    assert "the grammar without any line" in table["constraint"].tolist()


def test_its_settings_are_saved_marked_and_undone(app, workbench, corpus):
    app.toggle(key="ge_set_together").set_value(True).run()
    app.number_input(key="ge_set_price").set_value(2.5).run()
    assert any("Settings · 2 changed" in each.proto.popover.label for each in app.get("popover"))
    kept = workbench.store.document(corpus.project, "grammar-training", str(corpus.id))
    assert kept["together"] is True and kept["price"] == 2.5
    workbench.store.undo(corpus.project)
    assert workbench.store.document(corpus.project, "grammar-training", str(corpus.id))["price"] == 1.0
    app.run()
    app.button(key="ge_settings_reset").click().run()
    assert not app.exception


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("GHOST <- SPOOK = 0.5\n", "no word here is tagged"),
        ("", "there are no constraints to train on"),
        ("DET <- NOUN = 7\n", "line 1"),
    ],
)
def test_lines_that_cannot_be_trained_on_are_one_sentence(app, workbench, corpus, lines, words):
    save_text(workbench.store, corpus, lines or "# none\n", "typing")
    app.run()
    app.button(key="ge_train").click().run()
    assert not app.exception
    assert words in said(app.error).lower()
    assert not workbench.store.runs(corpus.project)


def test_lines_that_contradict_each_other_or_fix_every_arc_train_and_are_counted(app, workbench, corpus):
    for lines in ("DET <- NOUN per modifier = 1\nDET <- VERB per modifier = 1\n", "* -- * per modifier = 0\n"):
        save_text(workbench.store, corpus, lines, "typing")
        app.run()
        run = train(app, workbench, corpus)
        assert run.status == "done", run.error
        assert run.figures["unmet"]


def test_one_sentence_and_a_sentence_that_is_too_long(open_page, workbench):
    project = workbench.store.default_project()
    for name, data in (("one.txt", b"the/DET cat/NOUN sleeps/VERB\n"), ("long.txt", b"the/DET cat/NOUN " * 60 + b"\n")):
        corpus = workbench.store.corpus(add_corpus(workbench.store, project, name, data)[0])
        save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9..1\n", "typing")
        app = open_page("constraints", corpus=name)
        assert not app.error
        assert train(app, workbench, corpus).status == "done"
