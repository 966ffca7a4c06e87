"""The Teach page: steps, questions, scores by hand, lessons, and what is too long."""

from dataclasses import replace

import numpy as np
import pytest

from core.store import Command
from core.teach.algorithms import ALGORITHMS
from core.teach.lessons import MOST_STOPS, Lesson, Stop, format_lesson, parse_lesson, shipped_lessons
from core.workspace.languages import change_language
from core.workspace.teach.choice import Choice, as_keys, choice_of
from core.workspace.teach.lessons import LESSON, LessonRoom
from core.workspace.teach.room import TeachRoom
from tests.pages.reading import keys, pressed, said, shown

SCORES = "1 8 0 2; - 1 0 0; 7 - 2 6; 0 1 - 1; 1 2 6 -"
SENTENCE = "she saw her duck"
TYPED = {"teach_source": "typed", "teach_typed": SENTENCE, "teach_scores": "own", "teach_own": SCORES}
OWN = Choice("eisner", "typed", typed=SENTENCE, scores="own", own=SCORES, read="english")
CATS = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def room(workbench):
    return TeachRoom(workbench)


@pytest.fixture
def shelf(workbench):
    return LessonRoom(workbench)


def step(app):
    return app.select_slider(key="teach_step")


def algorithm(app, key):
    return app.selectbox(key="teach_algorithm").set_value(key).run()


def test_one_steps_forward_and_back_and_the_question_is_about_the_next_step(open_page):
    app = open_page("teach", TYPED)
    assert "6 spans of two or more words" in said(app.markdown)
    pressed(app, "teach_do_step")
    assert step(app).value == 2 and "saw (2) → she (1) adds 7 and makes 7 nats" in said(app.markdown)
    step(app).set_value(19).run()
    guess = app.pills(key="teach_guess_eisner_19")
    assert guess.label == "Which word should attach to the root?" and len(guess.options) == 4
    guess.set_value("duck (4)").run()
    assert "No: saw (2)" in said(app.warning) and "0 of 1 first guesses" in said(app.caption)
    app.pills(key="teach_guess_eisner_19").set_value("saw (2)").run()
    assert "Correct: saw (2)" in said(app.success) and "0 of 1 first guesses" in said(app.caption)
    assert step(pressed(app, "teach_do_back")).value == 18
    assert step(pressed(app, "teach_do_reset")).value == 1
    assert "each will take its best one" in said(algorithm(app, "spanning-tree").markdown)
    assert "teach_present" not in keys(app.get("bidi_component"))  # over the window
    assert "teach_present" in keys(pressed(app, "teach_do_present").get("bidi_component"))


def test_another_algorithm_lesson_text_or_sentence_begins_where_it_begins(open_page, add):
    mine = add("mine.conllu", CATS * 2)
    app = open_page("teach", TYPED, teach_step="5")
    assert step(app).value == 5
    assert step(algorithm(app, "spanning-tree")).value == 1 and "teach_step" not in app.query_params
    assert step(app).set_value(3).run().query_params["teach_step"] == "3"
    app.selectbox(key="teach_lesson").set_value("tour").run()
    assert step(app).value == 1 and "teach_step" not in app.query_params
    app.session_state["teach_stop"] = 2
    step(app).set_value(4).run()
    app.selectbox(key="teach_lesson").set_value(None).run()
    assert step(app.selectbox(key="teach_lesson").set_value("tour").run()).value == 1
    app = open_page("teach", {"teach_scores": "dice"}, teach_step="3", corpus="sample")
    assert step(app).value == 3
    assert step(app.selectbox(key="corpus").select(mine.id).run()).value == 1
    step(app).set_value(2).run()
    assert step(app.selectbox(key="teach_sentence").select(2).run()).value == 1


def test_an_address_with_an_impossible_step_shows_one_there_is(open_page):
    for number in ("0", "-3", "x", "²", "9999999"):
        assert step(open_page("teach", TYPED, teach_step=number)).value in (1, 21)


def test_the_stops_of_a_lesson_are_listed_opened_moved_and_removed(open_page, workbench, project, room, shelf):
    for place, sentence in enumerate(("she saw", "saw her", "her duck"), start=1):
        shelf.add_stop(project, "mine", Stop("spanning-tree", sentence, f"stop {place}", place))
    app = open_page("teach")
    assert app.selectbox(key="teach_kept").value == "mine"
    assert list(app.dataframe[-1].value["title"]) == ["stop 1", "stop 2", "stop 3"]
    pressed(app, "teach_kept_move_down")  # the first is selected from the start
    assert list(app.dataframe[-1].value["title"]) == ["stop 2", "stop 1", "stop 3"]
    assert pressed(app, "teach_kept_open").text_input(key="teach_typed").value == "she saw"
    pressed(app, "teach_kept_remove")
    assert len(shelf.own_lessons(project)["mine"].stops) == 2
    for _ in range(2):  # removed meanwhile in another tab: said, and nothing else happens
        shelf.remove_stop(project, "mine", 0)
    assert "has no stop 1 any more" in pressed(app, "teach_kept_open").toast[0].value
    for _ in range(2):
        workbench.store.undo(project)
    pressed(app.run(), "teach_kept_remove")
    assert len(shelf.own_lessons(project)["mine"].stops) == 1
    pressed(app, "teach_kept_remove")
    assert shelf.own_lessons(project) == {}
    workbench.store.undo(project)
    assert len(shelf.own_lessons(project)["mine"].stops) == 1
    with pytest.raises(ValueError, match="the lesson mine has no stop 4 any more"):
        shelf.move_stop(project, "mine", 3, 0)


def test_every_algorithm_opens_at_its_last_step(open_page, room, corpus):
    app = open_page("teach", TYPED)
    for key, found in ALGORITHMS.items():
        algorithm(app, key)
        scored = {"scores": "own", "own": SCORES} if "scores" in found.wants else {"scores": "equal"}
        trace = room.trace(corpus, Choice(key, "typed", typed=SENTENCE, **scored))
        app.select_slider(key="teach_step").set_value(len(trace)).run()
        assert f"{found.name} · step {len(trace)} of {len(trace)}" in said(app.caption) and not app.error
        assert trace.steps[-1].caption.split("(")[0].split("“")[0][:40] in said(app.markdown)


def test_a_bracket_is_typed(open_page):
    app = open_page("teach", TYPED | {"teach_algorithm": "brackets"})
    assert "chosen since its levels cost most differently" in said(app.markdown)
    app.text_input(key="teach_constraint").set_value("2-3").run()
    assert "the bracket holds words 2 to 3, and the tree" in said(app.markdown)
    app.text_input(key="teach_constraint").set_value("2-9").run()
    assert "'2-9' is no bracket over 4 words; write the numbers of its first and last word" in said(app.error)
    assert not algorithm(app, "mira").error  # a bracket is no tree
    assert app.text_input(key="teach_constraint").value == ""
    assert algorithm(app, "brackets").text_input(key="teach_constraint").value == "2-9"


def test_the_weight_of_a_shared_subtree_is_typed(open_page):
    app = open_page("teach", TYPED | {"teach_algorithm": "joint"})
    app.text_input(key="teach_constraint").set_value("0").run()
    app.select_slider(key="teach_step").set_value(3).run()
    assert "With 0 nats times its share" in said(app.markdown) and "keeps its best tree" in said(app.markdown)
    app.text_input(key="teach_constraint").set_value("heavy").run()
    assert "'heavy' is no weight; write a number of nats from 0 to 10" in said(app.error)


def test_the_wanted_tree_is_the_text_s_or_typed(open_page, room, corpus):
    places, _ = room.fitting(corpus, ALGORITHMS["mira"])
    choice = Choice("mira", sentence=places[0])
    heads = room.workspace.treebank(corpus)[places[0] - 1].heads[1:].tolist()
    assert room.heads_line(corpus, choice) == " ".join(map(str, heads))
    app = open_page("teach", {"teach_algorithm": "mira"})
    assert "here the second best" not in said(app.markdown) and "The wanted tree is worth" in said(app.markdown)
    app = open_page("teach", TYPED | {"teach_algorithm": "mira"})
    assert "here the second best" in said(app.markdown)
    app.text_input(key="teach_constraint").set_value("2 0 4 2").run()
    assert "here the second best" not in said(app.markdown) and not app.error
    app.text_input(key="teach_constraint").set_value("2 0 4").run()
    assert "The wanted tree of 4 words needs 4 numbers" in said(app.error)


def test_a_greedy_parser_takes_the_moves(open_page, room, corpus):
    app = open_page("teach", TYPED | {"teach_algorithm": "arc-hybrid"})
    assert "Moves build the best tree" in said(app.markdown)
    app.segmented_control(key="teach_mover").set_value("greedy").run()
    assert "A greedy parser takes the move that it scores highest" in said(app.markdown) and not app.error
    trace = room.trace(corpus, replace(OWN, algorithm="arc-hybrid", constraint="greedy"))
    app.select_slider(key="teach_step").set_value(len(trace)).run()
    assert "get the right head from it" in said(app.markdown)
    algorithm(app, "gradient")  # whose constraint is not the word that stands for the parser
    assert not app.error
    choice = choice_of(room.stop(corpus, replace(OWN, algorithm="arc-hybrid", constraint="greedy"), 2))
    assert as_keys(choice, 2)["teach_mover"] == "greedy" and as_keys(choice, 2)["teach_constraint"] == ""
    assert as_keys(OWN, 2)["teach_mover"] == "oracle"


def test_another_move_can_be_taken(open_page):
    app = open_page("teach", TYPED | {"teach_algorithm": "arc-standard", "teach_step": 3})
    before = app.select_slider(key="teach_step").options
    pills = next(each for each in app.get("pills") if each.key.startswith("teach_guess_arc-standard"))
    pills.set_value("Right-Arc").run()
    assert "No: " in said(app.warning) and len(before) > 8
    pressed(app, "teach_do_take right-arc")
    assert "It costs" in said(app.markdown) and "can no longer be built" in said(app.markdown)
    assert app.query_params["teach_moves"] == '"SSR"' and step(app).value == 4
    pressed(app, "teach_do_step")
    assert app.query_params["teach_moves"] == '"SSR"' and step(app).value == 5
    app.text_input(key="teach_typed").set_value("a dog barked today").run()
    assert "teach_moves" not in app.query_params and step(app).value == 1


def test_moves_of_a_link_that_cannot_be_taken_are_refused(open_page):
    app = open_page("teach", TYPED | {"teach_algorithm": "arc-standard", "teach_moves": "LLL"})
    assert "Left-Arc cannot be taken as move 1 of Arc-standard on this sentence" in said(app.error)


GERMAN = (
    "1\tdie\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tKatze\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    "3\tschläft\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)


def test_a_typed_sentence_is_read_like_the_text(open_page, room, workbench, add):
    mine = change_language(workbench.store, add("mine.conllu", GERMAN * 3), "de")
    typed = Choice("spanning-tree", "typed", typed="die Katze schläft")
    assert room.example(mine, typed).tags == ("", "DET", "NOUN", "VERB")
    assert "trees of mine" in room.scored_by(mine, typed)
    scores = room.example(mine, typed).scores
    assert (
        scores[2, 1] > 0 > scores[1, 2]
        and not (scores == room.example(mine, replace(typed, read="english")).scores).all()
    )
    stop = room.stop(mine, typed, 1)
    assert stop.sentence == "die/DET Katze/NOUN schläft/VERB" and stop.words == ("", "die", "Katze", "schläft")
    again = choice_of(stop)
    assert room.example(mine, again).tags == room.example(mine, typed).tags
    app = open_page("teach", {"teach_source": "typed", "teach_typed": "die Katze schläft"})
    app.selectbox(key="corpus").select(mine.id).run()
    assert app.segmented_control(key="teach_read").options == ["German", "English"]
    assert not app.error


def test_typed_tags_count_and_the_universal_parser_scores_where_there_are_no_trees(room, workbench, add):
    bare = GERMAN.replace("2\tdet", "_\t_").replace("3\tnsubj", "_\t_").replace("0\troot", "_\t_")
    mine = change_language(workbench.store, add("mine.conllu", bare * 3), "de")
    typed = Choice("spanning-tree", "typed", typed="der/DET Zaun/NOUN fällt/VERB")
    one = room.example(mine, typed)
    assert one.words == ("", "der", "Zaun", "fällt") and one.tags == ("", "DET", "NOUN", "VERB")
    assert "the universal parser, since mine" in room.scored_by(mine, typed)
    assert room.trace(mine, typed).result["heads"].tolist() == [-1, 2, 3, 0]


def test_moves_build_the_texts_own_tree(open_page, room, corpus):
    app = open_page("teach", {"teach_algorithm": "arc-swap"})
    swap = ALGORITHMS["arc-swap"]
    choice = Choice("arc-swap", "corpus", room.first(corpus, swap, room.fitting(corpus, swap)[0]), scores="tree")
    heads = room.workspace.treebank(corpus)[choice.sentence - 1].heads
    assert list(room.trace(corpus, choice).result["heads"]) == heads.tolist()
    app.select_slider(key="teach_step").set_value(len(room.trace(corpus, choice))).run()
    assert "derivations of" in said(app.markdown) or "The tree is built" in said(app.markdown)
    assert app.segmented_control(key="teach_scores").value == "tree"
    shown(app, teach_source="typed")
    assert app.segmented_control(key="teach_scores").value == "parser" and not app.error


def test_the_slider_is_the_multiplier_of_a_line(open_page):
    app = open_page("teach", {"teach_algorithm": "posterior"})
    line = app.selectbox(key="teach_constraint")  # nothing chosen: the first of the set that matches
    assert line.value == "" and f"for {line.options[1].split(' = ')[0]}," in said(app.markdown).replace("\\", "")
    line = shown(app, teach_source="typed").selectbox(key="teach_constraint")
    assert "DET <- NOUN per modifier = 0.9" in line.options and "PART <- VERB dist 1 = 0.9" not in line.options
    assert app.select_slider(key="teach_step").label == "λ in nats"
    assert "Without the constraint (λ = 0)" in said(app.markdown)
    assert app.button(key="teach_do_reset").disabled and not app.button(key="teach_do_back").disabled
    line.set_value("ADJ <- NOUN dist 1 = 0.9").run()
    slider = app.select_slider(key="teach_step")
    met = next(k for k, mark in enumerate(slider.options, start=1) if mark.endswith("meets the target"))
    slider.set_value(met).run()
    assert "meets its target of 0.9" in said(app.markdown) and app.query_params["teach_step"] == str(met)
    pressed(app, "teach_do_reset")
    assert "Without the constraint (λ = 0)" in said(app.markdown) and "teach_step" not in app.query_params


def test_lines_to_climb_are_typed_or_the_texts_own(open_page):
    app = open_page("teach", {"teach_algorithm": "ascent", "teach_source": "typed"})
    for typed, says in (
        ("DET <- NOUN = 0.9\nPART -> = 0.5", None),
        ("DET <- NOUN = 0.9\nROOT -> VERB per head = 0.8", "of 2 constraints are within"),
        ("", "of 14 constraints (and 1 without a match)"),  # the text's own set
    ):
        if not typed:
            shown(app, teach_source="corpus")
        app.text_area(key="teach_constraint").set_value(typed).run()
        assert "ine 2" in said(app.error) if says is None else says in said(app.markdown) and not app.error
    assert step(app).value == 1


def test_sentences_of_the_corpus_are_scored_by_a_parser_of_its_trees(room, corpus):
    places, count = room.fitting(corpus, ALGORITHMS["eisner"])
    assert len(places) == count > 50
    choice, sentence = Choice("eisner", "corpus", places[0]), room.workspace.treebank(corpus)[places[0] - 1]
    one = room.example(corpus, choice)
    assert one.words == tuple(sentence.forms) and any(one.tags)
    assert (one.scores * 10 % 1 < 1e-6).sum() + (one.scores * 10 % 1 > 1 - 1e-6).sum() == one.scores.size
    assert (room.trace(corpus, choice).result["heads"] == sentence.heads).mean() > 0.8
    assert room.example(corpus, Choice("eisner", "typed")).tags[1:] != ("",) * 6


def test_scores_are_edited_in_the_table(room, corpus):
    key, columns = room.table(corpus, OWN)
    assert columns["head"][:2] == ["root", "1 she"] and columns["4 duck"] == [2, 0, 6, 1, None]
    edited = room.edited(corpus, OWN, {0: {"4 duck": 30.0}})
    assert room.table(corpus, edited)[0] != key and edited.scores == "own"
    assert room.trace(corpus, edited).result["heads"][4] == 0


def test_two_sentences_of_the_text_are_brought_to_agree(open_page, add, room, corpus):
    bare = add("bare.txt", b"Cats sleep. Dogs sleep.")
    app = open_page("teach", teach_algorithm="Dual decomposition", teach_step="3", corpus="sample")  # a link of before
    assert "→ quiet (2)" in said(app.markdown) and step(app).value == 3 and "teach_second" not in keys(app.selectbox)
    shown(app, teach_pair="corpus")
    second = app.selectbox(key="teach_second")
    assert second.value == 0 and step(app).value == 1 and "in its context" in said(app.markdown)
    first = app.selectbox(key="teach_sentence").value
    choice = Choice("decomposition", "corpus", first)
    found = room.partner(corpus, choice)
    assert room.trace(corpus, choice).words == room.trace(corpus, replace(choice, second=found)).words
    assert step(second.set_value(found).run()).value == 1 and not app.error
    parses = room.trace(corpus, choice).result["parses"]
    assert (parses.heads.values != parses.base_heads.values).any()
    one = room.example(corpus, choice)
    assert np.allclose(one.second.scores * 10, np.round(one.second.scores * 10)) and len(one.text) == 332 - 2
    algorithm(algorithm(app, "eisner"), "decomposition")  # on a sentence of the text; the address says so
    assert app.query_params["teach_pair"] in ("Two sentences of the corpus", ["Two sentences of the corpus"])
    with pytest.raises(ValueError, match="both sentences are the same; choose another"):
        room.trace(corpus, replace(choice, second=first))
    with pytest.raises(ValueError, match="a lesson opens with any text, and these steps are of two sentences"):
        room.stop(corpus, choice, 1)
    app.selectbox(key="corpus").select(bare.id).run()
    assert "bare.txt has no tags, and Dual decomposition needs them" in said(app.info)
    assert "→ quiet (2)" in said(shown(app, teach_pair="typed").markdown) and not app.error


def test_two_sentences_that_share_an_unknown_word_are_tagged_alike(open_page, add, room, corpus):
    once = add("once.conllu", CATS)
    tagging = ALGORITHMS["tagging"]
    app = open_page("teach", teach_algorithm=tagging.name, corpus="sample")
    assert "the tagger takes PRON for kestrels (1)" in said(app.markdown)
    shown(app, teach_pair="corpus")
    places, count = room.fitting(corpus, tagging)
    assert len(app.selectbox(key="teach_sentence").options) == len(places) == count > 2
    first, second = (app.selectbox(key=f"teach_{name}") for name in ("sentence", "second"))
    choice = Choice("tagging", "corpus", first.value)
    result = room.trace(corpus, choice).result["tags"]
    assert (result.tagging != result.base_tagging).any() and len(result.trace) > 1  # something happens there
    assert second.value == 0 and room.partner(corpus, choice) in room.seconds(corpus, choice)
    assert "Training did not see" in said(app.markdown) and not app.error
    alone = next(number for number in range(1, 333) if number not in places)
    with pytest.raises(ValueError, match=f"shares a word with sentence {alone} that no third one has; choose another"):
        room.trace(corpus, replace(choice, sentence=alone))
    app.selectbox(key="corpus").select(once.id).run()
    assert "once.conllu has no two sentences of at most 40 words that share a word that no third one has; choose" in (
        said(app.info))  # fmt: skip
    assert "PRON for kestrels" in said(shown(app, teach_pair="typed").markdown) and not app.error


def test_two_typed_sentences_are_played_and_travel(open_page, room, shelf, project, corpus, workbench, add):
    app = open_page("teach", teach_algorithm="Dual decomposition", teach_pair="Type two sentences", corpus="sample")
    first, second = (app.text_input(key=f"teach_{name}") for name in ("typed", "typed_second"))
    assert "farmer" in second.value and "in its context" in said(app.markdown) and not app.error
    second.set_value("my/PRON duck/NOUN sleeps/VERB under/ADP the/DET old/ADJ table/NOUN").run()
    choice = Choice("decomposition", "both", typed=first.value, typed_second=second.value, read="english")
    one = room.example(corpus, choice)
    assert one.second.words[1:4] == ("my", "duck", "sleeps") and one.second.tags[3] == "VERB" and one.scores.any()
    stop = room.stop(corpus, choice, 2)
    assert stop.second == second.value  # whose tags are not those that the tagger gives
    lesson = parse_lesson(format_lesson(Lesson("both", stops=(stop,)))).stops[0]
    again = choice_of(lesson)
    assert "my" in room.trace(corpus, again).words == room.trace(corpus, choice).words
    shelf.add_stop(project, "mine", stop)
    app.text_input(key="teach_typed_second").set_value("she saw").run()
    app.selectbox(key="teach_lesson").set_value("mine").run()
    assert step(app).value == 2 and app.text_input(key="teach_typed_second").value == stop.second and not app.error
    for typed, message in (
        ("", "The second sentence cannot be shown: there is no word yet; type a sentence"),
        ("a " * 200, "The second sentence cannot be shown: Dual decomposition: the sentence has 200 words"),
        ("oh no", "share no context that the text’s other trees know; choose another second sentence"),
    ):
        assert message in said(app.text_input(key="teach_typed_second").set_value(typed).run().error)
    app.text_input(key="teach_typed").set_value("").run()
    assert "The first sentence cannot be shown: there is no word yet" in said(app.error)
    mine = change_language(workbench.store, add("mine.conllu", GERMAN * 3 + CATS), "de")
    german = Choice("decomposition", "both", typed="die Katze schläft", typed_second="der Hund schläft")
    assert room.example(mine, german).second.tags == ("", "DET", "NOUN", "VERB")
    assert len(room.example(mine, german).text) == 1  # not the sentence itself
    with pytest.raises(ValueError, match="and these steps are learnt from this one"):
        room.stop(mine, german, 1)


def test_typed_sentences_follow_the_algorithm_until_somebody_types(open_page, room, corpus):
    app = open_page("teach", teach_algorithm="Dual decomposition", teach_pair="Type two sentences", corpus="sample")
    algorithm(app, "tagging")
    assert app.text_input(key="teach_typed").value.startswith("the kestrel") and not app.error
    assert "kestrel (2)" in said(app.markdown)
    app.text_input(key="teach_typed").set_value("no kestrels here").run()
    algorithm(app, "decomposition")
    assert app.text_input(key="teach_typed").value == "no kestrels here"
    for key in ("decomposition", "tagging"):
        found = ALGORITHMS[key].pairing
        built_in = Choice(key, "typed", scores="equal", read="english")
        stop = room.stop(corpus, built_in, 1)
        assert (stop.sentence, stop.second) == found.example and choice_of(stop) == built_in
        assert found.example[1].split()[0] in room.trace(corpus, built_in).words


def test_what_cannot_be_shown_is_one_sentence(open_page):
    app = open_page("teach", TYPED | {"teach_own": "1 2; 3"})
    assert "Scores of 4 words need 5 rows" in said(app.error)
    for typed, message in (("a " * 200, "the sentence has 200 words"), ("   ", "type a sentence")):
        assert message in said(app.text_input(key="teach_typed").set_value(typed).run().error)


def test_a_lesson_leads_from_stop_to_stop_and_can_be_made(open_page, workbench, project, room, corpus, shelf):
    tour, store = shipped_lessons()["tour"], workbench.store
    app = open_page("teach")
    app.selectbox(key="teach_lesson").set_value("tour").run()
    assert step(app).value == tour.stops[0].step and tour.stops[0].title in said(app.markdown)
    app.session_state["teach_stop"] = 2
    assert tour.stops[1].title in said(app.run().markdown)
    stop = room.stop(corpus, OWN, 7, "Here", "look")
    assert choice_of(stop) == OWN and as_keys(OWN, 7)["teach_step"] == 7
    for _ in range(2):
        shelf.add_stop(project, "mine", stop)
    store.undo(project)
    assert len(shelf.lessons(project)[0]["mine"].stops) == 1
    with pytest.raises(ValueError, match="give yours another title"):
        shelf.add_stop(project, tour.title, stop)
    assert [shelf.open_lesson(project, tour) for _ in range(2)] == [f"{tour.title} (2)", f"{tour.title} (3)"]
    assert shelf.lessons(project)[0][f"{tour.title} (3)"].stops == tour.stops
    store.execute(project, Command(LESSON, "old", None, {"format": "of another version"}))
    assert "old: this is not a lesson" in shelf.lessons(project)[1][0]
    app.run().selectbox(key="teach_lesson").set_value("mine").run()
    assert step(app).value == 7 and "One lesson of this project cannot be opened" in said(app.warning)
    app.session_state["teach_stop"] = 3  # there is one
    assert "Stop 1 of 1" in said(app.run().caption)


def test_a_lesson_is_never_longer_than_it_can_be_read(project, room, shelf):
    stop = Stop("eisner", "she saw")
    shelf.save_lesson(project, "long", Lesson("long", "", (stop,) * MOST_STOPS))
    with pytest.raises(ValueError, match="has 200 stops, the most there can be; begin another one"):
        shelf.add_stop(project, "long", stop)
    assert len(shelf.lessons(project)[0]["long"].stops) == MOST_STOPS
