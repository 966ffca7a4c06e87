"""Ask me: questions in the order of what they teach, one slider, hints; training that follows every change."""

import pytest

from core.constraints.suggest import ANSWERS
from core.workspace import add_corpus
from core.workspace.constraints.ask import questions
from core.workspace.constraints.documents import constraint_text, save_text
from tests.pages.reading import said


def asked(app):
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("**Of"))


def open_questions(open_page):
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("ask").run()
    assert not app.exception
    return app


def test_questions_are_ordered_by_what_they_teach_and_not_in_the_set(workbench, ge, corpus, text):
    source = constraint_text(workbench.store, corpus, text.treebank)
    found = questions(text, source, ge.outcome(text))
    assert len(found) == 20
    assert found[0].gain == max(ask.gain for ask in found)
    for ask in found[:3]:
        assert ask.constraint.per == "modifier"
        assert len(ask.examples) == 3
        again = questions(text, f"{source}\n{ask.name} = 0.5\n", ge.outcome(text))
        assert ask.name not in {other.name for other in again}


def test_one_question_with_its_denominator_examples_and_a_slider_of_five_answers(
    open_page, workbench, ge, corpus, text
):
    app = open_questions(open_page)
    first = questions(text, constraint_text(workbench.store, corpus, text.treebank), ge.outcome(text))[0]
    assert f"**Of {first.coverage.denominator:,} " in asked(app)
    assert len([markdown for markdown in app.markdown if ":blue[" in markdown.value]) == 3
    slider = app.select_slider(key="ge_answer")
    assert [option.split(" ")[0] for option in slider.options[1:]] == list(ANSWERS)
    assert slider.value == "no answer"
    assert "untrained model" in said(app.caption)


def test_a_move_of_the_slider_is_a_constraint_another_move_corrects_it_and_undo_takes_it_back(
    open_page, workbench, ge, corpus, text
):
    app = open_questions(open_page)
    before = asked(app)
    source = constraint_text(workbench.store, corpus, text.treebank)
    name = questions(text, source, ge.outcome(text))[0].name
    for answer, target in (("rarely", "0.1"), ("always", "1.0")):
        app.select_slider(key="ge_answer").set_value(answer).run()
        assert not app.exception
        stored = workbench.store.document(corpus.project, "constraints", str(corpus.id))
        assert stored.splitlines()[-1] == f"{name} = {target}"
        assert len(stored.splitlines()) == len(source.splitlines()) + 1
        assert asked(app) == before
    assert not workbench.store.runs(corpus.project, "ge")
    app.button(key="shared_undo").click().run()
    assert app.select_slider(key="ge_answer").value == "rarely"
    app.button(key="ge_ask_next").click().run()
    assert asked(app) != before
    assert app.select_slider(key="ge_answer").value == "no answer"
    assert not app.exception


def test_a_move_back_takes_the_answer_out_again(open_page, workbench, corpus, text):
    source = constraint_text(workbench.store, corpus, text.treebank)
    app = open_questions(open_page)
    app.select_slider(key="ge_answer").set_value("half").run()
    app.select_slider(key="ge_answer").set_value("no answer").run()
    assert workbench.store.document(corpus.project, "constraints", str(corpus.id)) == source
    assert not app.exception


def test_hints_come_from_the_trees_of_a_chosen_text_and_are_marked(open_page, workbench, ge, corpus, text):
    app = open_questions(open_page)
    assert "Hint" not in said(app.markdown)
    first = questions(text, constraint_text(workbench.store, corpus, text.treebank), ge.outcome(text))[0]
    app.toggle(key="ge_hints").set_value(True).run()
    edges, known = first.coverage.edges, first.coverage.known_denominator
    hint = f":violet-badge[Hint] {edges:,} of {known:,} in the trees of sample: {edges / known:.0%}"
    assert hint in said(app.markdown)
    add_corpus(workbench.store, corpus.project, "tagged.txt", b"a/DET cat/NOUN\n")
    app.run()
    app.selectbox(key="ge_hints_from").set_value(workbench.store.corpora(corpus.project)[-1].id).run()
    assert "has no such words or no trees" in said(app.markdown)
    assert not app.exception


def test_a_skipped_question_gives_way_to_the_next(open_page):
    app = open_questions(open_page)
    before = asked(app)
    app.button(key="ge_ask_next").click().run()
    assert asked(app) != before
    assert not app.exception


def test_training_follows_every_change_where_that_is_chosen(open_page, workbench, corpus, text):
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9\n", "typing")
    app = open_questions(open_page)
    app.toggle(key="ge_follow").set_value(True).run()
    assert not app.exception
    first = workbench.store.runs(corpus.project, "ge")[0]
    workbench.jobs.wait(first.id, timeout=120)
    app.run()
    assert len(workbench.store.runs(corpus.project, "ge")) == 1
    app.select_slider(key="ge_answer").set_value("half").run()
    assert not app.exception
    second = workbench.store.runs(corpus.project, "ge")[0]
    assert second.id > first.id
    assert second.settings["start"] == first.id
    assert second.constraint_text.splitlines()[-1].endswith("= 0.5")
    assert workbench.jobs.wait(second.id, timeout=120).status == "done"


def test_following_trains_once_a_set_and_refuses_what_cannot_be_read(workbench, ge, corpus, text):
    source = "DET <- NOUN per modifier = 0.9\n"
    assert ge.is_behind(text, source)
    run = ge.follow(text, source)
    workbench.jobs.wait(run, timeout=120)
    assert ge.follow(text, source) is None
    with pytest.raises(ValueError, match="NUON"):
        ge.follow(text, "DET <- NUON = 0.9\n")
