"""Ask me: questions in the order of what they teach, five answers, skipping; training that follows every change."""

import pytest

from core.workspace import ANSWERS, constraint_text, follow, is_behind, questions, save_text


@pytest.fixture
def corpus(workbench):
    return workbench.store.corpora(workbench.store.default_project())[0]


@pytest.fixture
def text(workbench, corpus):
    return workbench.text(corpus)


def said(elements):
    return " ".join(element.value for element in elements)


def asked(app):
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("**Of"))


def open_questions(open_page):
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("ask").run()
    assert not app.exception
    return app


def test_questions_are_ordered_by_what_they_teach_and_not_in_the_set(workbench, corpus, text):
    source = constraint_text(workbench.store, corpus, text.treebank)
    found = questions(text, source, workbench.outcome(text))
    assert len(found) == 20
    assert found[0].gain == max(ask.gain for ask in found)
    for ask in found[:3]:
        assert ask.constraint.per == "modifier"
        assert len(ask.examples) == 3
        again = questions(text, f"{source}\n{ask.name} = 0.5\n", workbench.outcome(text))
        assert ask.name not in {other.name for other in again}


def test_one_question_with_its_denominator_examples_and_five_answers(open_page, workbench, corpus, text):
    app = open_questions(open_page)
    first = questions(text, constraint_text(workbench.store, corpus, text.treebank), workbench.outcome(text))[0]
    assert f"**Of {first.coverage.denominator:,} " in asked(app)
    assert len([markdown for markdown in app.markdown if ":blue[" in markdown.value]) == 3
    assert [app.button(key=f"ge_answer_{name}").label for name in ANSWERS] == [name.capitalize() for name in ANSWERS]
    assert "untrained model" in said(app.caption)


def test_an_answer_is_a_constraint_that_can_be_undone_and_the_next_question_comes(open_page, workbench, corpus, text):
    app = open_questions(open_page)
    before = asked(app)
    name = questions(text, constraint_text(workbench.store, corpus, text.treebank), workbench.outcome(text))[0].name
    app.button(key="ge_answer_rarely").click().run()
    assert not app.exception
    stored = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert stored.splitlines()[-1] == f"{name} = 0.1"
    assert asked(app) != before
    assert not workbench.store.runs(corpus.project, "ge")
    app.button(key="shared_undo").click().run()
    assert workbench.store.document(corpus.project, "constraints", str(corpus.id)) is None
    assert asked(app) == before


def test_a_skipped_question_gives_way_to_the_next(open_page):
    app = open_questions(open_page)
    before = asked(app)
    app.button(key="ge_answer_skip").click().run()
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
    app.button(key="ge_answer_half").click().run()
    assert not app.exception
    second = workbench.store.runs(corpus.project, "ge")[0]
    assert second.id > first.id
    assert second.settings["start"] == first.id
    assert second.constraint_text.splitlines()[-1].endswith("= 0.5")
    assert workbench.jobs.wait(second.id, timeout=120).status == "done"


def test_following_trains_once_a_set_and_refuses_what_cannot_be_read(workbench, corpus, text):
    source = "DET <- NOUN per modifier = 0.9\n"
    assert is_behind(workbench.store, text, source)
    run = follow(workbench, text, source)
    workbench.jobs.wait(run, timeout=120)
    assert follow(workbench, text, source) is None
    with pytest.raises(ValueError, match="NUON"):
        follow(workbench, text, "DET <- NUON = 0.9\n")
