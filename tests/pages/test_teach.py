"""The Teach page: steps, questions, scores by hand, lessons, and what is too long."""

import pytest

from core.store import Command
from core.teach.algorithms import ALGORITHMS
from core.teach.lessons import MOST_STOPS, Lesson, Stop, shipped_lessons
from core.workspace import add_corpus
from core.workspace.teach.lessons import LESSON, Choice, TeachRoom, as_keys, choice_of
from tests.pages.reading import said

SCORES = "1 8 0 2; - 1 0 0; 7 - 2 6; 0 1 - 1; 1 2 6 -"
TYPED = {"teach_source": "typed", "teach_typed": "she saw her duck", "teach_scores": "own", "teach_own": SCORES}


@pytest.fixture
def room(workbench):
    return TeachRoom(workbench)


def test_one_steps_forward_and_back_and_the_question_is_about_the_next_step(open_page):
    app = open_page("teach", TYPED)
    assert "6 spans of two or more words" in said(app.markdown)
    app.button(key="teach_do_step").click().run()
    assert app.slider(key="teach_step").value == 2
    assert "saw (2) → she (1) adds 7 and makes 7 nats" in said(app.markdown)
    app.slider(key="teach_step").set_value(19).run()
    guess = app.pills(key="teach_guess_eisner_19")
    assert guess.label == "Which word should attach to the root?" and len(guess.options) == 4
    guess.set_value("duck (4)").run()
    assert "No: saw (2)" in said(app.warning) and "0 of 1 first guesses" in said(app.caption)
    app.pills(key="teach_guess_eisner_19").set_value("saw (2)").run()
    assert "Correct: saw (2)" in said(app.success) and "0 of 1 first guesses" in said(app.caption)
    app.button(key="teach_do_back").click().run()
    assert app.slider(key="teach_step").value == 18
    app.button(key="teach_do_reset").click().run()
    assert app.slider(key="teach_step").value == 1
    app.selectbox(key="teach_algorithm").set_value("spanning-tree").run()
    assert not app.exception and "each will take its best one" in said(app.markdown)


def test_another_algorithm_or_lesson_begins_where_it_begins(open_page):
    app = open_page("teach", TYPED, teach_step="5")
    assert app.slider(key="teach_step").value == 5
    app.selectbox(key="teach_algorithm").set_value("spanning-tree").run()
    assert app.slider(key="teach_step").value == 1 and "teach_step" not in app.query_params
    app.slider(key="teach_step").set_value(3).run()
    assert app.query_params["teach_step"] == "3"
    app.selectbox(key="teach_lesson").set_value("tour").run()
    assert app.slider(key="teach_step").value == 1 and "teach_step" not in app.query_params
    app.session_state["teach_stop"] = 2
    app.slider(key="teach_step").set_value(4).run()
    app.selectbox(key="teach_lesson").set_value(None).run()
    app.selectbox(key="teach_lesson").set_value("tour").run()
    assert app.slider(key="teach_step").value == 1 and not app.exception


def test_another_text_or_sentence_begins_at_its_first_step(open_page, workbench):
    sentence = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    mine, _ = add_corpus(workbench.store, workbench.store.default_project(), "mine.conllu", (sentence * 2).encode())
    app = open_page("teach", {"teach_scores": "dice"}, teach_step="3")
    assert app.slider(key="teach_step").value == 3
    app.selectbox(key="corpus").select(mine).run()
    assert app.slider(key="teach_step").value == 1
    app.slider(key="teach_step").set_value(2).run()
    app.selectbox(key="teach_sentence").select(2).run()
    assert app.slider(key="teach_step").value == 1 and not app.exception


@pytest.mark.parametrize("step", ["0", "-3", "x", "²", "9999999"])
def test_an_address_with_an_impossible_step_shows_one_there_is(open_page, step):
    app = open_page("teach", TYPED, teach_step=step)
    assert app.slider(key="teach_step").value in (1, 21) and not app.exception


def test_a_step_is_presented_over_the_window_and_left_again(open_page):
    app = open_page("teach", TYPED)
    assert "teach_present" not in [component.key for component in app.get("bidi_component")]
    app.button(key="teach_do_present").click().run()
    assert "teach_present" in [component.key for component in app.get("bidi_component")] and not app.exception


def test_the_stops_of_a_lesson_are_listed_opened_moved_and_removed(open_page, workbench, room):
    project = workbench.store.default_project()
    for place, sentence in enumerate(("she saw", "saw her", "her duck"), start=1):
        room.add_stop(project, "mine", Stop("spanning-tree", sentence, f"stop {place}", place))
    app = open_page("teach")
    assert app.selectbox(key="teach_kept").value == "mine"
    assert list(app.dataframe[-1].value["title"]) == ["stop 1", "stop 2", "stop 3"]
    app.button(key="teach_kept_move_down").click().run()  # the first is selected from the start
    assert list(app.dataframe[-1].value["title"]) == ["stop 2", "stop 1", "stop 3"]
    app.button(key="teach_kept_open").click().run()
    assert app.text_input(key="teach_typed").value == "she saw" and not app.exception
    for left in (2, 1):
        if left == 1:  # removed meanwhile in another tab: said, and nothing else happens
            room.remove_stop(project, "mine", 0)
            room.remove_stop(project, "mine", 0)
            app.button(key="teach_kept_open").click().run()
            assert "has no stop 1 any more" in app.toast[0].value and not app.exception
            workbench.store.undo(project)
            workbench.store.undo(project)
            app.run()
        app.button(key="teach_kept_remove").click().run()
        assert len(room.own_lessons(project)["mine"].stops) == left
    app.button(key="teach_kept_remove").click().run()
    assert room.own_lessons(project) == {} and not app.exception
    workbench.store.undo(project)
    assert len(room.own_lessons(project)["mine"].stops) == 1
    with pytest.raises(ValueError, match="the lesson mine has no stop 4 any more"):
        room.move_stop(project, "mine", 3, 0)


def test_every_algorithm_opens_at_its_last_step(open_page, room, corpus):
    app = open_page("teach", TYPED)
    for key, algorithm in ALGORITHMS.items():
        app.selectbox(key="teach_algorithm").set_value(key).run()
        scored = {"scores": "own", "own": SCORES} if "scores" in algorithm.wants else {"scores": "equal"}
        trace = room.trace(corpus, Choice(key, "typed", typed="she saw her duck", **scored))
        (app.select_slider if trace.knob else app.slider)(key="teach_step").set_value(len(trace)).run()
        assert not app.exception and not app.error
        assert f"{algorithm.name} · step {len(trace)} of {len(trace)}" in said(app.caption)
        assert trace.steps[-1].caption.split("(")[0].split("“")[0][:40] in said(app.markdown)


def test_the_slider_is_the_multiplier_of_a_line_and_lines_are_the_texts_own_or_typed(open_page):
    app = open_page("teach", {"teach_algorithm": "posterior", "teach_source": "typed"})
    line, slider = app.selectbox(key="teach_constraint"), app.select_slider(key="teach_step")
    assert "DET <- NOUN per modifier = 0.9" in line.options and "PART <- VERB dist 1 = 0.9" not in line.options
    assert slider.label == "λ in nats" and "Without the line (λ = 0)" in said(app.markdown)
    assert app.button(key="teach_do_reset").disabled and not app.button(key="teach_do_back").disabled
    line.set_value("ADJ <- NOUN dist 1 = 0.9").run()
    slider = app.select_slider(key="teach_step")
    met = next(k for k, mark in enumerate(slider.options, start=1) if mark.endswith("meets the target"))
    slider.set_value(met).run()
    assert "meets its target of 0.9" in said(app.markdown) and app.query_params["teach_step"] == str(met)
    app.button(key="teach_do_reset").click().run()
    assert "Without the line (λ = 0)" in said(app.markdown) and "teach_step" not in app.query_params
    app.selectbox(key="teach_algorithm").set_value("ascent").run()
    app.text_area(key="teach_constraint").set_value("DET <- NOUN = 0.9\nPART -> = 0.5").run()
    assert "line 2" in said(app.error) and not app.exception
    app.text_area(key="teach_constraint").set_value("DET <- NOUN = 0.9\nROOT -> VERB per head = 0.8").run()
    assert app.slider(key="teach_step").value == 1 and "of 2 lines are within" in said(app.markdown)
    app.segmented_control(key="teach_source").set_value("corpus").run()
    app.text_area(key="teach_constraint").set_value("").run()
    assert (
        "of 14 lines (and 1 without a match)" in said(app.markdown) and not app.exception and not app.error
    )  # the text's own set
    app = open_page("teach", {"teach_algorithm": "posterior"})
    line = app.selectbox(key="teach_constraint")  # nothing chosen: the first of the set that matches
    assert line.value == "" and f"for {line.options[1].split(' = ')[0]}," in said(app.markdown).replace("\\", "")


def test_sentences_of_the_corpus_are_scored_by_a_parser_of_its_trees(room, corpus):
    places, count = room.fitting(corpus, 12)
    assert len(places) == count > 50
    one = room.example(corpus, Choice("eisner", "corpus", places[0]))
    treebank = room.workspace.treebank(corpus)
    assert one.words == tuple(treebank[places[0] - 1].forms) and any(one.tags)
    assert (one.scores * 10 % 1 < 1e-6).sum() + (one.scores * 10 % 1 > 1 - 1e-6).sum() == one.scores.size
    heads = room.trace(corpus, Choice("eisner", "corpus", places[0])).result["heads"]
    assert (heads == treebank[places[0] - 1].heads).mean() > 0.8
    assert room.example(corpus, Choice("eisner", "typed")).tags[1:] != ("",) * 6


def test_scores_are_edited_in_the_table(room, corpus):
    choice = Choice("eisner", "typed", typed="she saw her duck", scores="own", own=SCORES)
    key, columns = room.table(corpus, choice)
    assert columns["head"][:2] == ["root", "1 she"] and columns["4 duck"] == [2, 0, 6, 1, None]
    edited = room.edited(corpus, choice, {0: {"4 duck": 30.0}})
    assert room.table(corpus, edited)[0] != key and edited.scores == "own"
    assert room.trace(corpus, edited).result["heads"][4] == 0


def test_what_cannot_be_shown_is_one_sentence(open_page):
    app = open_page("teach", TYPED | {"teach_own": "1 2; 3"})
    assert "scores of 4 words need 5 rows" in said(app.error) and not app.exception
    app.text_input(key="teach_typed").set_value("a " * 13).run()
    assert "the sentence has 13 words" in said(app.error) and not app.exception
    app.text_input(key="teach_typed").set_value("   ").run()
    assert "type a sentence" in said(app.error) and not app.exception


def test_a_lesson_leads_from_stop_to_stop_and_can_be_made(open_page, workbench, room, corpus):
    tour = shipped_lessons()["tour"]
    app = open_page("teach")
    app.selectbox(key="teach_lesson").set_value("tour").run()
    assert app.slider(key="teach_step").value == tour.stops[0].step and tour.stops[0].title in said(app.markdown)
    app.session_state["teach_stop"] = 2
    app.run()
    assert tour.stops[1].title in said(app.markdown)
    project = workbench.store.default_project()
    choice = Choice("eisner", "typed", typed="she saw her duck", scores="own", own=SCORES)
    stop = room.stop(corpus, choice, 7, "Here", "look")
    assert choice_of(stop) == choice and as_keys(choice, 7)["teach_step"] == 7
    room.add_stop(project, "mine", stop)
    room.add_stop(project, "mine", stop)
    assert len(room.lessons(project)[0]["mine"].stops) == 2
    workbench.store.undo(project)
    assert len(room.lessons(project)[0]["mine"].stops) == 1
    with pytest.raises(ValueError, match="give yours another title"):
        room.add_stop(project, tour.title, stop)
    assert room.open_lesson(project, tour) == f"{tour.title} (2)"
    assert room.open_lesson(project, tour) == f"{tour.title} (3)"
    assert room.lessons(project)[0][f"{tour.title} (3)"].stops == tour.stops
    workbench.store.execute(project, Command(LESSON, "old", None, {"format": "of another version"}))
    assert "old: this is not a lesson" in room.lessons(project)[1][0]
    app.run()
    app.selectbox(key="teach_lesson").set_value("mine").run()
    assert not app.exception and app.slider(key="teach_step").value == 7
    assert "One lesson of this project cannot be opened" in said(app.warning)
    app.session_state["teach_stop"] = 3  # two of three stops were taken back
    app.run()
    assert not app.exception and "Stop 1 of 1" in said(app.caption)


def test_a_lesson_is_never_longer_than_it_can_be_read(workbench, room):
    project, stop = workbench.store.default_project(), Stop("eisner", "she saw")
    room.save_lesson(project, "long", Lesson("long", "", (stop,) * MOST_STOPS))
    with pytest.raises(ValueError, match="has 200 stops, the most there can be; begin another one"):
        room.add_stop(project, "long", stop)
    assert len(room.lessons(project)[0]["long"].stops) == MOST_STOPS
