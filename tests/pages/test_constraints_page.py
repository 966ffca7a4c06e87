"""The Constraints page: the shipped set, the form, problems at their line, training, what changed."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.constraints import match_counts, parse_constraints
from core.constraints.notation import NOTATION, notation_table
from core.errors import StoreError
from core.treebank import load_sample
from core.workspace import add_corpus
from core.workspace.annotations import Annotations
from core.workspace.constraints.documents import save_text
from core.workspace.constraints.form import Fields
from core.workspace.constraints.learner import choose_learner
from pages.shared.constraints.training import training_words
from tests.pages.reading import said


def bold(app):
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("**Of"))


def count(line):
    """The denominator of a constraint in the sample."""
    return match_counts(parse_constraints(line), load_sample(), tags="upos")[0].denominator


def train(app, workbench):
    app.button(key="ge_train").click().run()
    run = workbench.store.runs(workbench.store.default_project())[0]
    workbench.jobs.wait(run.id, timeout=600)
    app.run()
    assert not app.exception
    return workbench.store.run(run.id)


def test_the_sample_comes_with_constraints_and_untrained_trees(open_page):
    app = open_page("constraints")
    assert len(app.dataframe[0].value) == 15
    assert "untrained" in said(app.markdown)
    assert app.get("bidi_component")
    assert not app.error


def test_the_form_asks_in_words_with_its_denominator(open_page):
    app = open_page("constraints")
    determiners = count("DET <- NOUN per modifier = 1")
    assert bold(app) == f"**Of {determiners} determiners followed by a noun, how many attach to one?**"
    app.selectbox(key="ge_form_modifier").set_value("ADJ").run()
    app.selectbox(key="ge_form_distance").set_value("1").run()
    adjectives = count("ADJ <- NOUN dist 1 per modifier = 1")
    assert bold(app) == f"**Of {adjectives} adjectives directly followed by a noun, how many attach to one?**"
    examples = [markdown.value for markdown in app.markdown if ":blue[" in markdown.value]
    assert len(examples) == 3
    assert all(":orange[" in example for example in examples)


def test_add_writes_a_line_to_the_store_and_the_line_can_be_undone(open_page, workbench, corpus):
    app = open_page("constraints")
    app.selectbox(key="ge_form_head").set_value("VERB").run()
    app.selectbox(key="ge_form_modifier").set_value("ADV").run()
    app.button(key="ge_add").click().run()
    assert not app.exception
    text = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert text.splitlines()[-1] == "ADV <- VERB per modifier = 0.9"
    assert len(app.dataframe[0].value) == 16
    app.button(key="shared_undo").click().run()
    assert len(app.dataframe[0].value) == 15


def test_a_tag_that_no_sentence_has_is_refused_with_the_nearest(open_page):
    app = open_page("constraints", state={"ge_fields": Fields(head="NUON")})
    assert "did you mean NOUN" in app.error[0].value
    assert app.button(key="ge_add").disabled
    assert not app.exception


def test_what_is_no_constraint_at_all_is_said_in_the_form(open_page):
    app = open_page("constraints", state={"ge_fields": Fields(head="{NOUN")})
    assert "never closed" in app.error[0].value
    assert app.button(key="ge_add").disabled


def test_errors_stand_at_line_and_column_and_refuse_to_train(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "DET <- NOUN = 0.9\nDET <- NUON = 0.9\nADJ <- NOUN = 90\n", "typing")
    app = open_page("constraints")
    errors = [error.value for error in app.error]
    assert any(w.value.startswith("Line 2: no word here is tagged NUON; did you mean NOUN?") for w in app.warning)
    assert any(error.startswith("Line 3, column 15: ") and "0.9" in error for error in errors)
    app.button(key="ge_train").click().run()
    assert "line 3" in said(app.error)
    assert not workbench.store.runs(corpus.project, "ge")
    assert not app.exception


def test_unreachable_targets_warn_with_what_trees_can_reach(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "ROOT -> VERB = 1.0\n", "typing")
    app = open_page("constraints")
    assert "the most possible here" in said(app.warning)
    assert not app.error


def test_no_constraints_is_an_empty_state_with_a_way_on(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "", "clearing")
    app = open_page("constraints")
    assert "No constraints yet" in app.info[0].value
    app.button(key="ge_train").click().run()
    assert "at least one" in said(app.error)
    assert not app.exception


def test_training_on_the_sample_attaches_half_of_the_words_right(open_page, workbench, ge, corpus):
    app = open_page("constraints")
    run = train(app, workbench)
    assert run.status == "done"
    change = ge.change(ge.text(corpus), run)
    assert change.scored > 5000
    assert change.right_after > 0.45 * change.scored
    assert f"({change.right_after:,} of {change.scored:,} words)" in said(app.markdown)
    app.segmented_control(key="ge_results").set_value("targets").run()
    assert app.get("plotly_chart")
    app.segmented_control(key="ge_results").set_value("objective").run()
    assert app.get("plotly_chart")
    assert not app.exception


@pytest.mark.parametrize("learner", ["grammar", "ge"])
def test_an_edit_after_training_is_said_to_be_newer(open_page, workbench, corpus, learner):
    choose_learner(workbench.store, corpus, learner)
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9\n", "typing")
    app = open_page("constraints")
    train(app, workbench)
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.8\n", "typing")
    app.run()
    assert "has changed since this run" in said(app.caption)


def test_text_without_tags_sends_to_the_corpus_page(open_page, workbench):
    add_corpus(workbench.store, workbench.store.default_project(), "plain.txt", b"the cats sleep\n")
    app = open_page(corpus="plain.txt")
    app.switch_page("pages/constraints.py").run()
    assert "no tags yet" in app.error[0].value
    assert not app.exception


def test_a_text_without_trees_trains_and_scores_nothing(open_page, workbench, ge):
    project = workbench.store.default_project()
    add_corpus(workbench.store, project, "tagged.txt", b"the/DET cat/NOUN sleeps/VERB\na/DET dog/NOUN barks/VERB\n")
    corpus = workbench.store.corpora(project)[-1]
    choose_learner(workbench.store, corpus, "ge")
    save_text(workbench.store, corpus, "DET <- NOUN = 1.0\nNOUN <- VERB = 1.0\n", "typing")
    app = open_page("constraints", corpus="tagged.txt")
    run = train(app, workbench)
    change = ge.change(ge.text(corpus), run)
    assert change.scored == 0
    assert change.after.heads.tolist() == [-1, 2, 3, 0, -1, 2, 3, 0]
    assert "heads right" not in said(app.markdown)


def test_a_first_training_marks_no_arc_as_changed_and_the_second_does(open_page, workbench, ge, corpus):
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9\n", "typing")
    app = open_page("constraints")
    first = ge.change(ge.text(corpus), train(app, workbench))
    assert first.is_first
    assert first.order.tolist() == list(range(len(first.order)))
    assert "first training: all arcs are new" in said(app.caption)
    assert "all arcs are new" in said(app.markdown)
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.1\n", "typing")
    app.run()
    second = ge.change(ge.text(corpus), train(app, workbench))
    assert not second.is_first
    assert "arcs moved" in said(app.markdown)


def test_the_form_changes_the_line_that_says_it_already(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "# ours\nDET <- NOUN per modifier = 0.9\nADJ <- NOUN = 0.8\n", "typing")
    app = open_page("constraints")
    assert app.dataframe[0].value["line"].tolist() == [2, 3]
    assert app.button(key="ge_add").label == "Line 2 says this" and app.button(key="ge_add").disabled
    app.slider(key="ge_form_target").set_value(0.5).run()
    assert app.button(key="ge_add").label == "Change line 2"
    app.button(key="ge_add").click().run()
    assert not app.exception
    text = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert text == "# ours\nDET <- NOUN per modifier = 0.5\nADJ <- NOUN = 0.8\n"
    assert "already" not in said(app.warning)


def test_a_head_with_more_than_one_modifier_fits_form_and_chart(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "VERB -> * per head = 1.5\n", "typing")
    fields = Fields(head="VERB", modifier="*", side="->", per="head", low=1.5, high=1.5)
    app = open_page("constraints", state={"ge_line": 1, "ge_fields": fields})
    target = app.slider(key="ge_form_target")
    assert (target.value, target.max) == (1.5, 2.0) and app.button(key="ge_add").label == "Line 1 says this"
    target.set_value(1.2).run()
    app.button(key="ge_add").click().run()
    assert not app.exception
    text = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert text == "VERB -> * per head = 1.2\n"


def test_a_line_that_comes_to_say_what_another_says_goes(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9\nADJ <- NOUN per modifier = 0.8\n", "typing")
    fields = Fields(modifier="DET", low=0.6, high=0.6)
    app = open_page("constraints", state={"ge_line": 2, "ge_fields": fields})
    assert app.button(key="ge_add").label == "Change line 1 and remove line 2"
    app.button(key="ge_add").click().run()
    text = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert text == "DET <- NOUN per modifier = 0.6\n"


def test_warnings_name_their_line(open_page, workbench, corpus):
    save_text(workbench.store, corpus, "ROOT -> VERB = 1.0\nDET <- NOUN = 0.5\nDET <- NOUN = 0.9\n", "typing")
    app = open_page("constraints")
    warnings = [warning.value for warning in app.warning]
    assert any(each.startswith("Line 1: the target 1.0 is above") for each in warnings)
    assert any(each.startswith("Line 3: line 2 says DET") for each in warnings)
    assert any("warnings; you can still train" in expander.label for expander in app.expander)


def test_beside_the_score_stands_which_sentences_it_is_of_and_a_button_uses_all(open_page, workbench, ge, corpus):
    settings = ge.plan(corpus)
    ge.save_settings(corpus, settings.with_choice("max_length", 10))
    few, every = len(ge.text(corpus).treebank), len(workbench.treebank(corpus))
    app = open_page("constraints")
    words = f"{few} of {every} sentences (at most 10 words)"
    assert words in said(app.caption)
    assert words in app.button(key="ge_train").help
    app.button(key="ge_use_all").click().run()
    assert not app.exception
    assert len(ge.text(corpus).treebank) == every
    assert words not in said(app.caption)
    app.button(key="shared_undo").click().run()
    assert words in said(app.caption)


def test_the_notation_stands_beside_the_text(open_page):
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("text").run()
    assert {notation_table(title) for title in NOTATION} <= {markdown.value for markdown in app.markdown}


@pytest.mark.parametrize("learner, having", [("grammar", "have a tag on every word"), ("ge", "have tags")])
def test_a_text_tagged_by_hand_alone_trains_on_the_sentences_with_tags(open_page, workbench, learner, having):
    project = workbench.store.default_project()
    words = b"1\til" + b"\t_" * 8 + b"\n2\tgatto" + b"\t_" * 8 + b"\n\n"
    corpus = workbench.store.corpus(add_corpus(workbench.store, project, "italian.conllu", words * 3)[0])
    layer = Annotations(workbench, corpus)
    annotation, revision = layer.get(0)
    layer.write(0, replace(annotation, upos=("", "DET", "NOUN")), revision, "c", "tagging")
    layer.set_status(0, "done")
    save_text(workbench.store, corpus, "DET <- NOUN = 1.0\n", "typing")
    choose_learner(workbench.store, corpus, learner)
    app = open_page("constraints", corpus="italian.conllu")
    assert not app.error
    assert f"1 of 3 sentences {having}; training leaves the others out" in said(app.caption)
    assert train(app, workbench).status == "done"


def test_train_right_after_the_last_letter_trains_on_what_was_typed(open_page, workbench, corpus):
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("text").run()
    # the editor and the button in one message, the button's callback before the editor's
    app.session_state["ge_editor"] = {"edit": {"id": "typed-1", "text": "DET <- NOUN = 0.5\n"}}
    app.button(key="ge_train").click().run()
    assert not app.exception
    run = workbench.store.runs(corpus.project)[0]
    workbench.jobs.wait(run.id, timeout=600)
    assert workbench.store.run(run.id).constraint_text == "DET <- NOUN = 0.5\n"


@pytest.mark.parametrize("button", ["ge_train", "advice_start"])
def test_nothing_is_trained_where_what_was_typed_cannot_be_saved(open_page, workbench, corpus, monkeypatch, button):
    app = open_page("constraints", state={"advice_open": True})
    app.segmented_control(key="ge_view").set_value("text").run()
    app.session_state["ge_editor"] = {"edit": {"id": "typed-1", "text": "DET <- NOUN = 0.5\n"}}

    def refused(*_, **__):
        raise StoreError("no room is left on the disk")

    with monkeypatch.context() as patch:
        patch.setattr(workbench.store, "execute", refused)
        app.button(key=button).click().run()
    assert "no room is left on the disk" in [each.value for each in app.error] and not app.exception
    assert not workbench.store.runs(corpus.project)


def test_a_resumed_run_says_what_it_does_before_its_first_figures():
    assert training_words(SimpleNamespace(iteration=7, figures={})) == "Reading the text"
