"""The parser on screen before training: its shares are named, its arcs have reasons, and the answers stay in sight."""

import re

import numpy as np
import pytest

from core.annotation import SentenceAnnotation, change
from core.draw import draw_tree
from core.workspace.annotations import Annotations
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.live import LiveParses
from tests.advising import correct, finished, short_sentences, written_bare
from tests.pages.reading import keys, pressed, said, shown, table, waited

SET = "DET <- NOUN per modifier = 0.9\n"
CATS = "dogs/NOUN the/DET cats/NOUN saw/VERB\n"


@pytest.fixture
def grammar(workbench):
    return GrammarSystem(workbench)


@pytest.fixture
def bare(add):
    """A text without trees, and its set."""
    return lambda lines=SET: add("bare.conllu", written_bare(short_sentences()), lines)


def clicked(app, sentence, word):
    """The page after a click on a word of the tree that is drawn."""
    app.session_state["ge_tree"] = {"sel": {"id": draw_tree(sentence).fingerprint, "word": word, "arc": None}}
    return app.run()


def test_the_share_before_training_is_that_of_the_trees_that_are_drawn(open_page, grammar, bare):
    text = grammar.text(bare())
    app = open_page("constraints", corpus="bare.conllu")
    matches, outcome = text.matcher.match(text.constraint_set.constraints), grammar.outcome(text)
    share = matches.mass(outcome.marginals)[0] / matches.denominators[0]
    assert table(app, "model")["model"].tolist() == [pytest.approx(share)] and share > 0.8
    assert "shares of the universal parser" in said(app.caption)
    assert "untrained" not in said(app.caption) + said(app.markdown)
    assert f"the universal parser: {share:.2f}" in said(app.caption)  # in the form, which asks of the same pairs
    app = shown(app, ge_results="targets")
    assert "Shares of 1 constraint under the universal parser" in said(app.caption)


def test_answers_stay_in_sight_beside_constraints_and_turn_the_trees(open_page, grammar, add):
    corpus = add("cats.txt", CATS * 10, SET)
    grammar.save(corpus, "answering", word_order="adjective=before")
    app = open_page("constraints", state={"ge_order": True}, corpus="cats.txt")
    assert "Word order: adjective before" in said(app.caption)
    question = next(each for each in app.get("segmented_control") if each.key.startswith("ge_begin_order_determiner"))
    before = table(app, "model")["model"].tolist()
    question.set_value("after").run()
    assert "Word order: adjective before, determiner after" in said(app.caption)
    assert "the last answer turned" in said(app.caption) and table(app, "model")["model"].tolist() < before
    assert grammar.plan(corpus).word_order == "adjective=before,determiner=after"


def test_an_arc_of_the_universal_parser_says_which_answer_turned_it(open_page, grammar, add):
    corpus = add("cats.txt", CATS * 10, SET)
    grammar.save(corpus, "answering", word_order="determiner=after")
    app = open_page("constraints", corpus="cats.txt")
    clicked(app, grammar.text(corpus).treebank[0], 2)
    shown(app, ge_arc_view="why")
    assert "Without “A determiner stands … its noun: after” (you) the head would be 3 cats NOUN" in said(app.markdown)
    reasons = table(app, "without")
    assert reasons["source"][0] == "you" and reasons["head"][0] == "3 cats NOUN"
    assert "times as probable" in said(app.caption)


def test_a_constraint_is_made_of_an_arc_of_the_universal_parser(open_page, workbench, grammar, add):
    corpus = add("cats.txt", CATS * 10)
    app = open_page("constraints", corpus="cats.txt")
    clicked(app, grammar.text(corpus).treebank[0], 2)
    pressed(shown(app, ge_arc_answer="never"), "ge_arc_add")
    source = constraint_text(workbench.store, corpus, workbench.treebank(corpus))
    assert source.endswith(" = 0.0..0.03 weight 1\n") and "DET" in source


def test_a_first_training_begins_with_the_most_changed_and_names_what_was_before(open_page, workbench, grammar, bare):
    corpus = bare("NOUN -> DET per modifier = 0.9 weight 20\n")
    correct(workbench, corpus, short_sentences(), range(4))
    app = open_page("constraints", corpus="bare.conllu", place="5")
    run = waited(pressed(app, "ge_train"), workbench, "grammar")
    change = grammar.change(grammar.text(corpus), run)
    assert app.session_state["place"] == 1 and not change.is_first
    first = int(change.order[0])
    assert change.moved[first] > 0
    assert f"{change.moved[first]} of {change.after.inputs.treebank.lengths[first]} arcs moved" in said(app.caption)
    assert "by the universal parser" in said(app.markdown) and f"shares of run {run.id}" in said(app.caption)
    app.session_state["place"] = 3
    app.run()
    assert app.session_state["place"] == 3  # until another run


def test_scores_say_what_began_from_the_trees_of_the_universal_parser(open_page, workbench, grammar, bare):
    corpus, sentence = bare(), short_sentences()[0]
    layer = Annotations(workbench, corpus)
    layer.write(0, SentenceAnnotation.of(sentence), layer.get(0)[1], "c0", "x", proposal="universal")
    layer.set_status(0, "done")
    finished(workbench, grammar.train(grammar.text(corpus), SET))
    shown = said(open_page("constraints", corpus="bare.conllu").markdown)
    began = r"1 sentence began from its own trees, so its score is too high\), [\d.]+% by the universal parser"
    assert re.search(began, shown)  # of the run, which keeps most of them


def test_arcs_moved_say_that_the_universal_parser_reads_changed_tags(open_page, workbench, grammar, bare):
    corpus = bare()
    finished(workbench, grammar.train(grammar.text(corpus), SET))
    since = "arcs moved, counted from the universal parser on the changed tags"
    assert since not in said(open_page("constraints", corpus="bare.conllu").markdown)
    layer = Annotations(workbench, corpus)
    annotation, was = layer.get(0)
    layer.write(0, change(annotation, "upos", 1, "X"), was, "c0", "tagging")
    layer.set_status(0, "done")
    assert since in said(open_page("constraints", corpus="bare.conllu").markdown)


def test_trees_of_the_last_parser_stay_while_a_training_runs(open_page, workbench, grammar, bare, monkeypatch):
    text = grammar.text(bare())
    first = finished(workbench, grammar.train(text, SET))
    app = open_page("constraints", corpus="bare.conllu")
    shots = []

    def looked(watch, iteration, parse):
        if shots:
            return
        workbench.show_live(watch.run, iteration, np.zeros_like(parse()))
        shots.append(None)
        for live in (False, True, False):
            page = app.run().toggle(key="ge_live").set_value(live).run()
            shots.append(said(page.caption))
        app.toggle(key="ge_live").set_value(True).run()

    def remembered(watch, iteration, parse):
        if not shots:
            shots.append(None)  # the page is drawn once
            shots[0] = app.run().toggle(key="ge_live").value

    monkeypatch.setattr(LiveParses, "__call__", looked)
    finished(workbench, grammar.train(text, "DET <- NOUN per modifier = 0.5\n"))
    _, stays, live, again = shots
    assert stays == again and "at iteration" not in stays
    assert f"trees of run {first.id}, until this training has ended" in stays
    assert "at iteration" in live and "until this training" not in live
    assert "ge_live" not in keys(app.run().toggle)
    shots.clear()
    monkeypatch.setattr(LiveParses, "__call__", remembered)
    finished(workbench, grammar.train(text, "DET <- NOUN per modifier = 0.4\n"))
    assert shots == [True]  # the choice was kept


def test_how_much_of_the_text_constraints_are_about(open_page, grammar, add):
    text = grammar.text(add("cats.txt", CATS * 10, "DET <- NOUN per modifier = 0.9\nVERB -> NOUN = 0.1\n"))
    from core.workspace.constraints.coverage import survey

    surveyed = survey(text)
    assert (surveyed.covered, surveyed.words, surveyed.covered_share) == (10, 40, 0.25)
    app = open_page("constraints", corpus="cats.txt")
    assert "2 constraints on 25% of words" in said(app.caption)


def test_after_a_constraint_was_added_the_form_shows_its_line(open_page, add, lines, grammar):
    app = open_page("constraints")
    app.selectbox(key="ge_form_modifier").set_value("ADJ").run()
    pressed(app, "ge_add")
    number = len(lines().splitlines())
    assert f"Already line\u00a0{number}" in said(app.caption)
    assert app.selectbox(key="ge_form_modifier").value == "ADJ" and app.session_state["ge_line"] == number
    app.selectbox(key="ge_form_modifier").set_value("NUM").run()
    pressed(app, "ge_add_new")  # beside Save, which would change the line
    assert [line.split(" ")[0] for line in lines().splitlines()[-2:]] == ["ADJ", "NUM"]
    pressed(app, "ge_leave")
    assert app.session_state["ge_line"] is None


def test_where_all_corrected_trees_were_learnt_no_score_is_promised(open_page, workbench, grammar, bare):
    from core.workspace.annotate import check
    from core.workspace.random_sample import drawn

    corpus = bare()
    check.draw(workbench.store, corpus, 40, 4, 1)
    sample = drawn(workbench.store, corpus)
    assert sample is not None
    correct(workbench, corpus, short_sentences(), sample["sentences"])
    grammar.save(corpus, "learning", corrections=True)
    app = open_page("constraints", corpus="bare.conllu")
    waited(pressed(app, "ge_train"), workbench, "grammar")
    assert app.button(key="ge_next").label.startswith("Pick ")
    assert "All corrected sentences were learnt from; others show how good it is" in said(app.markdown)


def test_while_the_universal_parser_reads_a_text_sentences_are_drawn_and_nothing_else_is_said(
    open_page, grammar, bare, monkeypatch
):
    bare()
    with monkeypatch.context() as patch:
        patch.setattr(GrammarSystem, "has_first", lambda *_: False)
        app = open_page("constraints", corpus="bare.conllu")
        assert "model" not in table(app, "target").columns and app.get("bidi_component")
        assert said(app.caption).count("The universal parser reads the text") == 1
        for view in ("targets", "lines", "mistakes"):
            assert "The universal parser reads the text" in said(shown(app, ge_results=view).caption)
        assert "reads the text" in said(shown(app, ge_view="ask").caption)
    shown(app, ge_view="table", ge_results="trees")
    assert "model" in table(app, "target").columns and "reads the text" not in said(app.caption)
