"""Ask me: questions in the order of what they teach, one slider, hints; training that follows every change."""

import pytest

from core.constraints.authoring.suggest import ANSWERS
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.proposals import questions
from tests.advising import finished
from tests.pages.reading import pressed, said, shown


@pytest.fixture
def source(workbench, corpus, text):
    """The set that ships."""
    return constraint_text(workbench.store, corpus, text.treebank)


@pytest.fixture
def found(text, ge, source):
    """The questions under it."""
    return questions(text.with_set(ge.workspace, source), ge.outcome(text))


@pytest.fixture
def app(open_page):
    return shown(open_page("constraints"), ge_view="ask")


def asked(app):
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("**Of"))


def answer(app, value):
    return app.select_slider(key="ge_answer").set_value(value).run()


def test_questions_are_ordered_by_what_they_teach_and_not_in_the_set(ge, text, source, found):
    assert len(found) == 20 and found[0].gain == max(ask.gain for ask in found)
    for ask in found[:3]:
        assert ask.constraint.per == "modifier" and len(ask.examples) == 3
        again = questions(text.with_set(ge.workspace, f"{source}\n{ask.name} = 0.5\n"), ge.outcome(text))
        assert ask.name not in {other.name for other in again}


def test_a_move_of_the_slider_is_a_constraint(workbench, project, source, found, app, lines):
    before, slider = asked(app), app.select_slider(key="ge_answer")
    assert f"**Of {found[0].coverage.denominator:,} " in before
    assert len([markdown for markdown in app.markdown if ":blue[" in markdown.value]) == 3
    assert [option.split(" ")[0] for option in slider.options[1:]] == list(ANSWERS)
    assert slider.value == "no answer" and "untrained model" in said(app.caption)
    for value, target in (("rarely", "0.1"), ("always", "1.0")):
        assert asked(answer(app, value)) == before
        assert lines().splitlines()[-1] == f"{found[0].name} = {target}"
        assert len(lines().splitlines()) == len(source.splitlines()) + 1
    assert not workbench.store.runs(project, "ge")
    assert pressed(app, "shared_undo").select_slider(key="ge_answer").value == "rarely"
    answer(app, "no answer")
    assert lines() == source
    assert asked(pressed(app, "ge_ask_next")) != before
    assert asked(pressed(app, "ge_ask_back")) == before != asked(pressed(app, "ge_ask_next"))
    assert app.select_slider(key="ge_answer").value == "no answer"


def test_hints_come_from_the_trees_of_a_chosen_text_and_are_marked(app, add, found):
    assert "Hint" not in said(app.markdown)
    app.toggle(key="ge_hints").set_value(True).run()
    edges, known = found[0].coverage.edges, found[0].coverage.known_denominator
    hint = f":violet-badge[Hint] {edges:,} of {known:,} in the trees of sample: {edges / known:.0%}"
    assert hint in said(app.markdown)
    other = add("tagged.txt", "a/DET cat/NOUN\n")
    app.run().selectbox(key="ge_hints_from").set_value(other.id).run()
    assert "has no such words or no trees" in said(app.markdown)


def test_training_follows_every_change_once_where_that_is_chosen(open_page, workbench, project, ge, sixty):
    source = "DET <- NOUN per modifier = 0.9\n"
    text = ge.text(sixty(source))
    assert ge.is_behind(text, source)
    app = shown(open_page("constraints", corpus="sixty.conllu"), ge_view="ask")
    app.toggle(key="ge_follow").set_value(True).run()
    first = finished(workbench, workbench.store.runs(project, "ge")[0].id)
    app.run()
    assert len(workbench.store.runs(project, "ge")) == 1 and ge.follow(text, source) is None
    answer(app, "half")
    second = finished(workbench, workbench.store.runs(project, "ge")[0].id)
    assert second.id > first.id and second.settings["start"] == first.id
    assert second.constraint_text.splitlines()[-1].endswith("= 0.5")
    with pytest.raises(ValueError, match="NUON"):
        ge.follow(text, "DET <- NUON = 0.9\n")
