"""The grammar on the Constraints page: the choice of what learns, its settings, what a run shows, bad input."""

import pytest

from core.workspace.constraints.constraint_set import save_text
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.registry import Systems
from tests.advising import finished
from tests.filled import filled
from tests.pages.conftest import add_to
from tests.pages.reading import pressed, said, shown, table, waited

TEXT = (
    "the/DET cat/NOUN sleeps/VERB ./PUNCT\na/DET dog/NOUN ,/PUNCT barks/VERB\nthe/DET dog/NOUN sees/VERB a/DET "
    "cat/NOUN ./PUNCT\n"
)
SET = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.9..1\nNOUN <- GHOST = 0.5\n"


def prepared(workspace):
    """Two tagged texts under a set; on the first a grammar was trained."""
    corpus = add_to(workspace, "trained.txt", TEXT, SET)
    grammar = Systems(workspace)["grammar"]
    finished(workspace, grammar.train(grammar.text(corpus), SET))
    add_to(workspace, "tagged.txt", TEXT, SET)


@pytest.fixture
def corpus(workbench, project):
    return workbench.store.corpora(project)[-1]


@pytest.fixture
def app(open_page):
    """The text without a run."""
    return open_page("constraints", corpus="tagged.txt")


@pytest.fixture
def trained(open_page):
    return open_page("constraints", corpus="trained.txt")


def test_the_grammar_comes_first_and_the_choice_can_be_undone(app, workbench, corpus):
    assert app.segmented_control(key="ge_learner_kind").value == "grammar"
    shown(app, ge_learner_kind="ge")
    assert "Gradient" in app.menu_button(key="ge_more").options
    assert workbench.store.undo(corpus.project).label == "choosing a learner"
    assert "Gradient" not in app.run().menu_button(key="ge_more").options


def test_what_a_run_shows(trained, workbench):
    app, (run,) = trained, workbench.store.runs(workbench.store.default_project(), "grammar")
    for view, words in (
        ("targets", "2 of 2 shares lie within"), ("objective", f"Run {run.id}: from"), ("mistakes", ""),
    ):  # fmt: skip
        shown(app, ge_results=view)
        assert words in said(app.caption) and not app.error
    shown(app, ge_results="lines")
    waited(app, workbench, "grammar-worth")
    assert table(app, "without")["constraint"].tolist()[0] == "DET <- NOUN per modifier" and not app.error
    shown(app, ge_results="trees")
    for learner, untrained in (("ge", True), ("grammar", False)):  # each keeps its runs
        assert ("untrained" in said(shown(app, ge_learner_kind=learner).caption)) == untrained
    save_text(workbench.store, workbench.store.corpora(run.project)[1], SET.replace("0.5", "0.4"), "typing")
    assert "have changed since this run" in said(app.run().caption)


def test_why_an_arc_says_what_it_would_be_without_the_lines(trained, workbench, project):
    from core.draw import draw_tree

    app, corpus = trained, workbench.store.corpora(project)[1]
    sentence = Systems(workbench)["grammar"].text(corpus).treebank[0]
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0..0.1\n", "typing")
    run = waited(pressed(app.run(), "ge_train"), workbench, "grammar")
    app.session_state["ge_tree"] = {"sel": {"id": draw_tree(sentence).fingerprint, "word": 1, "arc": None}}
    shown(app.run(), ge_arc_view="why")
    why = Systems(workbench)["grammar"].why(run, 0, 2, 1)
    assert why.probability < why.alone
    assert f"Probability **{why.probability:.2f}**, without constraints **{why.alone:.2f}**." in said(app.markdown)
    assert table(app, "without")["what"].tolist() == [effect.what for effect in filled(why.effects)]
    app.toggle(key="ge_arc_nats").set_value(True).run()
    assert table(app, "nats")["nats"].tolist() == pytest.approx([nats for _, nats in why.nats])


def test_its_settings_are_saved_marked_and_undone(app, workbench, corpus):
    app.number_input(key="ge_set_trust").set_value(0.3).run()
    app.number_input(key="ge_set_price").set_value(2.5).run()
    assert any("Settings · 2 changed" in each.proto.popover.label for each in app.get("popover"))

    def kept():
        return workbench.store.document(corpus.project, "grammar-training", str(corpus.id))

    assert kept()["trust"] == 0.3 and kept()["price"] == 2.5
    workbench.store.undo(corpus.project)
    assert kept()["price"] == 1.0
    pressed(app.run(), "ge_settings_reset")


def test_lines_that_cannot_be_trained_on_are_one_sentence(app, workbench, corpus, save):
    GrammarSystem(workbench).save(corpus, "beginning from nothing", prior="none")
    runs = workbench.store.runs(corpus.project)
    for lines, words in (
        ("GHOST <- SPOOK = 0.5\n", "no word here is tagged"),
        ("# none\n", "there are no constraints to train on"),
        ("DET <- NOUN = 7\n", "line 1"),
    ):
        save(lines)
        pressed(app.run(), "ge_train")
        assert words in said(app.error).lower()
    assert workbench.store.runs(corpus.project) == runs


def test_lines_that_contradict_each_other_or_fix_every_arc_train_and_are_counted(app, workbench, save):
    for lines in ("DET <- NOUN per modifier = 1\nDET <- VERB per modifier = 1\n", "* -- * per modifier = 0\n"):
        save(lines)
        assert waited(pressed(app.run(), "ge_train"), workbench, "grammar").figures["unmet"]
        assert not app.error and "arc" in said(app.markdown)


def test_one_sentence_and_a_sentence_that_is_too_long(open_page, workbench, add):
    for name, data in (("one.txt", "the/DET cat/NOUN sleeps/VERB\n"), ("long.txt", "the/DET cat/NOUN " * 60 + "\n")):
        add(name, data, "DET <- NOUN per modifier = 0.9..1\n")
        app = open_page("constraints", corpus=name)
        assert not app.error
        waited(pressed(app, "ge_train"), workbench, "grammar")
