"""The Constraints page: the shipped set, the form, problems at their line, training, what changed."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.annotation import change
from core.constraints import match_counts, parse_constraints
from core.constraints.language.notation import NOTATION, notation_table
from core.errors import StoreError
from core.treebank import load_sample
from core.workspace.annotations import Annotations
from core.workspace.constraints.constraint_set import Fields
from core.workspace.constraints.plan import choose_learner
from core.workspace.registry import Systems
from core.workspace.rules import save_rules
from pages.shared.constraints.training import training_words
from tests.pages.reading import pressed, said, shown, waited
from tests.workspace.running import ended

CATS = "the/DET cat/NOUN sleeps/VERB\na/DET dog/NOUN barks/VERB\n"


def bold(app):
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("**Of"))


def count(line):
    """The denominator of a constraint in the sample."""
    return match_counts(parse_constraints(line), load_sample(), tags="upos")[0].denominator


def test_the_sample_comes_with_lines_untrained_trees_and_a_form_that_asks_in_words(open_page):
    app = open_page("constraints")
    assert len(app.dataframe[0].value) == 15 and not app.error
    assert "untrained" in said(app.markdown) and app.get("bidi_component")
    determiners = count("DET <- NOUN per modifier = 1")
    assert bold(app) == f"**Of {determiners} determiners followed by a noun, how many attach to one?**"
    app.selectbox(key="ge_form_modifier").set_value("ADJ").run()
    app.selectbox(key="ge_form_distance").set_value("1").run()
    adjectives = count("ADJ <- NOUN dist 1 per modifier = 1")
    assert bold(app) == f"**Of {adjectives} adjectives directly followed by a noun, how many attach to one?**"
    examples = [markdown.value for markdown in app.markdown if ":blue[" in markdown.value]
    assert len(examples) == 2 and all(":orange[" in example for example in examples)
    shown(app, ge_view="text")
    assert {notation_table(title) for title in NOTATION} <= {markdown.value for markdown in app.markdown}


def test_the_form_adds_a_line_or_changes_the_one_that_says_it_already(open_page, lines, save):
    app = open_page("constraints")
    app.selectbox(key="ge_form_head").set_value("VERB").run()
    app.selectbox(key="ge_form_modifier").set_value("ADV").run()
    pressed(app, "ge_add")
    assert lines().splitlines()[-1] == "ADV <- VERB per modifier = 0.9" and len(app.dataframe[0].value) == 16
    assert app.dataframe[0].value["constraint"].iloc[0] == "ADV <- VERB per modifier"  # in sight at once
    assert len(pressed(app, "shared_undo").dataframe[0].value) == 15
    save("# ours\nDET <- NOUN per modifier = 0.9\nADJ <- NOUN = 0.8\n")
    app = open_page("constraints")
    assert app.dataframe[0].value["line"].tolist() == [2, 3]
    assert "Already line\u00a02" in said(app.caption) and "ge_add" not in [button.key for button in app.button]
    app.selectbox(key="ge_form_target").set_value("50%").run()
    assert "Changes line 2, which has the target 0.9" in said(app.caption)
    assert "already" not in said(pressed(app, "ge_add").warning)
    assert lines() == "# ours\nDET <- NOUN per modifier = 0.5\nADJ <- NOUN = 0.8\n"


def test_a_head_with_more_than_one_modifier_fits_form_and_chart(open_page, lines, save):
    save("VERB -> * per head = 1.5\n")
    fields = Fields(head="VERB", modifier="*", side="->", per="head", low=1.5, high=1.5)
    app = open_page("constraints", state={"ge_line": 1, "ge_fields": fields})
    target = app.selectbox(key="ge_form_target")
    assert target.value == "1.5" and "Already line\u00a01" in said(app.caption)
    pressed(target.set_value("90% to 100%").run(), "ge_add")
    assert lines() == "VERB -> * per head = 0.9..1.0\n"


def test_a_line_that_comes_to_say_what_another_says_goes(open_page, lines, save):
    save("DET <- NOUN per modifier = 0.9\nADJ <- NOUN per modifier = 0.8\n")
    app = open_page("constraints", state={"ge_line": 2, "ge_fields": Fields(modifier="DET", low=0.6, high=0.6)})
    assert "Changes line 1, which has the target 0.9, and removes line 2" in said(app.caption)
    pressed(app, "ge_add")
    assert lines() == "DET <- NOUN per modifier = 0.6\n"


def test_what_is_no_constraint_is_said_in_the_form(open_page):
    for head, message in (("NUON", "did you mean NOUN"), ("{NOUN", "never closed")):
        app = open_page("constraints", state={"ge_fields": Fields(head=head)})
        assert message in app.error[0].value and app.button(key="ge_add").disabled


def test_errors_stand_at_line_and_column_and_refuse_to_train(open_page, workbench, corpus, save):
    save("DET <- NOUN = 0.9\nDET <- NUON = 0.9\nADJ <- NOUN = 90\n")
    app = open_page("constraints")
    assert any(w.value.startswith("Line 2: no word here is tagged NUON; did you mean NOUN?") for w in app.warning)
    assert any(e.value.startswith("Line 3, column 15: ") and "0.9" in e.value for e in app.error)
    assert "Line 3" in said(pressed(app, "ge_train").error)
    save("")
    assert "No constraints yet" in app.run().info[0].value
    assert "at least one" in said(pressed(app, "ge_train").error)
    assert not workbench.store.runs(corpus.project)


def test_warnings_name_their_line_and_what_trees_can_reach(open_page, save):
    save("ROOT -> VERB = 1.0\nDET <- NOUN = 0.5\nDET <- NOUN = 0.9\n")
    app = open_page("constraints")
    warnings = [warning.value for warning in app.warning]
    assert any(each.startswith("Line 1: the target 1.0 is above") for each in warnings)
    assert any(each.startswith("Line 3: line 2 says DET") for each in warnings)
    assert "the most possible here" in said(app.warning) and not app.error
    assert any("warnings; you can still train" in expander.label for expander in app.expander)


def test_training_gets_half_of_the_sample_right_and_the_next_marks_what_moved(open_page, workbench, ge, text, save):
    app = open_page("constraints")
    first = ge.change(text, waited(pressed(app, "ge_train"), workbench, "ge"))
    assert first.scored > 5000 and first.right_after > 0.45 * first.scored
    assert f"({first.right_after:,} of {first.scored:,} words without punctuation)" in said(app.markdown)
    assert first.is_first and first.order.tolist() == list(range(len(first.order)))
    assert "all arcs are new" in said(app.caption) and "What would help most?" in app.button(key="ge_next").label
    for view in ("targets", "objective"):
        assert shown(app, ge_results=view).get("plotly_chart")
    save("DET <- NOUN per modifier = 0.1\n")
    assert "have changed since this run" in said(shown(app, ge_results="trees").caption)
    second = ge.change(text, waited(pressed(app, "ge_train"), workbench, "ge"))
    assert not second.is_first and "arcs moved" in said(app.markdown)


def test_a_text_without_trees_trains_and_scores_nothing(open_page, workbench, add, ge):
    corpus = add("tagged.txt", CATS, "DET <- NOUN = 1.0\nNOUN <- VERB = 1.0\n")
    choose_learner(workbench.store, corpus, "ge")
    app = open_page("constraints", corpus="tagged.txt")
    change = ge.change(ge.text(corpus), waited(pressed(app, "ge_train"), workbench, "ge"))
    assert change.scored == 0 and "heads right" not in said(app.markdown)
    assert change.after.heads.tolist() == [-1, 2, 3, 0, -1, 2, 3, 0]


def test_beside_the_score_stands_which_sentences_it_is_of_and_a_button_uses_all(open_page, workbench, ge, corpus):
    ge.save_settings(corpus, ge.plan(corpus).with_choice("max_length", 10))
    few, every = len(ge.text(corpus).treebank), len(workbench.treebank(corpus))
    app, words = open_page("constraints"), f"{few} of {every} sentences (at most 10 words)"
    assert words in said(app.caption) and words in app.button(key="ge_train").help
    pressed(app, "ge_use_all")
    assert len(ge.text(corpus).treebank) == every and words not in said(app.caption)
    assert words in said(pressed(app, "shared_undo").caption)


@pytest.mark.parametrize("learner, having", [("grammar", "have a tag on every word"), ("ge", "have tags")])
def test_a_text_tagged_by_hand_alone_trains_on_the_sentences_with_tags(open_page, workbench, add, learner, having):
    words = "1\til" + "\t_" * 8 + "\n2\tgatto" + "\t_" * 8 + "\n\n"
    corpus = add("italian.conllu", words * 3, "DET <- NOUN = 1.0\n")
    layer = Annotations(workbench, corpus)
    annotation, revision = layer.get(0)
    layer.write(0, replace(annotation, upos=("", "DET", "NOUN")), revision, "c", "tagging")
    layer.set_status(0, "done")
    choose_learner(workbench.store, corpus, learner)
    app = open_page("constraints", corpus="italian.conllu")
    assert f"1 of 3 sentences {having}; training leaves the others out" in said(app.caption) and not app.error
    waited(pressed(app, "ge_train"), workbench, learner)


def typing(app):
    """The page with a line typed, of which the message comes with that of the next click, the click's call first."""
    shown(app, ge_view="text").session_state["ge_editor"] = {"edit": {"id": "typed-1", "text": "DET <- NOUN = 0.5\n"}}
    return app


def test_train_right_after_the_last_letter_trains_on_what_was_typed(open_page, workbench, add):
    add("tagged.txt", CATS)
    app = pressed(typing(open_page("constraints", corpus="tagged.txt")), "ge_train")
    assert waited(app, workbench).constraint_text == "DET <- NOUN = 0.5\n"


@pytest.mark.parametrize("button", ["ge_train", "advice_start"])
def test_nothing_is_trained_where_what_was_typed_cannot_be_saved(open_page, workbench, corpus, monkeypatch, button):
    app = typing(open_page("constraints", state={"advice_open": True}))

    def refused(*_, **__):
        raise StoreError("no room is left on the disk")

    with monkeypatch.context() as patch:
        patch.setattr(workbench.store, "execute", refused)
        pressed(app, button)
    assert "No room is left on the disk" in [each.value for each in app.error]
    assert not workbench.store.runs(corpus.project)


def test_a_resumed_run_says_what_it_does_before_its_first_figures():
    assert training_words(SimpleNamespace(iteration=7, figures={})) == "Reading the text"


def test_trees_of_a_run_on_other_words_stay_for_the_other_sentences(open_page, workbench, add):
    corpus, grammar = add("cats.txt", CATS), Systems(workbench)["grammar"]
    grammar.save(corpus, "beginning from nothing", prior="none")
    ended(grammar, grammar.train(grammar.text(corpus), "DET <- NOUN = 0.9\n"))
    version = Annotations(workbench, corpus)
    annotation, was = version.get(0)
    version.write(0, change(annotation, "upos", 1, "PUNCT"), was, "step", "tagging")
    version.set_status(0, "done")
    app = open_page("constraints", corpus="cats.txt")
    assert "a corrected tag made 1 word in 1 sentence punctuation" in said(app.caption)
    assert app.selectbox(key="ge_earlier").value == "earlier" and "Sentence 2" in said(app.caption)
    app.selectbox(key="ge_earlier").set_value("now").run()
    assert "Sentence 1" in said(app.caption) and not app.error


def test_rules_are_targets_once_somebody_says_so(open_page, workbench, add):
    corpus, grammar = add("cats.txt", CATS), Systems(workbench)["grammar"]
    app = open_page("constraints", corpus="cats.txt")
    assert not [toggle for toggle in app.toggle if toggle.label == "Turn to keep the rules"]
    save_rules(workbench.store, corpus, "NOUN has no det\n", workbench.treebank(corpus))
    app = open_page("constraints", corpus="cats.txt")
    (switch,) = (toggle for toggle in app.toggle if toggle.label == "Turn to keep the rules")
    switch.set_value(True).run()
    assert grammar.plan(corpus).rules == "NOUN has no det\n" and not app.error
    pressed(app, "ge_train")
    assert waited(app, workbench).figures["rules"][0]["met"]
    assert "1 rule" in [each.proto.popover.label for each in app.get("popover")]
