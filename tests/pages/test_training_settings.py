"""Settings on the page: saved at once, marked as changed, reset, undone; trees to learn from; what a run leaves."""

from dataclasses import replace

import pytest

from core.errors import WorkbenchError
from core.workspace import add_corpus
from core.workspace.constraints.documents import save_text
from core.workspace.constraints.learner import choose_learner
from core.workspace.constraints.record import repeat_record, run_record
from core.workspace.constraints.settings import TrainingSettings
from tests.pages.reading import said

TREES = b"1\tthe\t_\tDET\t_\t_\t2\t_\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\tsleeps\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"


def test_a_setting_is_saved_marked_explained_and_undone(open_page, workbench, ge, corpus):
    app = open_page("constraints")
    assert "●" not in app.number_input(key="ge_set_strength").label
    app.number_input(key="ge_set_strength").set_value(3.0).run()
    assert ge.plan(corpus).strength == 3.0
    widget = app.number_input(key="ge_set_strength")
    assert "●" in widget.label
    assert "Druck et al. 2009" in widget.help
    assert "Default: 10.0" in widget.help
    app.button(key="shared_undo").click().run()
    assert app.number_input(key="ge_set_strength_1").value == 10.0
    assert ge.plan(corpus).strength == 10.0
    assert not app.exception


def test_a_kept_number_outside_its_widget_is_shown_at_the_limit(open_page, ge, corpus):
    ge.save(corpus, "setting the weight", strength=5000.0)
    app = open_page("constraints")
    assert app.number_input(key="ge_set_strength").value == 1000.0
    assert ge.plan(corpus).strength == 5000.0 and not app.exception


def test_mark_up_of_the_text_can_be_respected(open_page, workbench, ge, corpus):
    app = open_page("constraints")
    app.segmented_control(key="ge_set_brackets").set_value("loose").run()
    app.number_input(key="ge_set_brackets_weight").set_value(2.0).run()
    assert not app.exception
    settings = ge.plan(corpus)
    assert (settings.brackets, settings.brackets_weight) == ("loose", 2.0)
    text = ge.text(corpus, replace(settings, max_length=9))
    marked = sum(map(bool, ge.brackets(text)))
    assert 0 < marked < len(text.treebank) and "sentences have mark-up" in said(app.caption)
    run = ge.train(text, "ROOT -> VERB = 0.7")
    figures = workbench.jobs.wait(run, 100).figures
    assert sum(figures["bracket_levels"].values()) == marked
    result, _ = repeat_record(run_record(ge, workbench.store.run(run)))
    assert result.expectations == pytest.approx(figures["expectations"], abs=1e-6)
    assert result.bracket_levels == figures["bracket_levels"]


def test_a_text_without_mark_up_has_no_such_setting(open_page, workbench, ge):
    data = TREES.replace(b"\tsleeps", b"\tsat")
    add_corpus(workbench.store, workbench.store.default_project(), "plain.conllu", data)
    app = open_page("constraints", corpus="plain.conllu")
    with pytest.raises(KeyError):
        app.segmented_control(key="ge_set_brackets")
    plain = workbench.store.corpora(workbench.store.default_project())[-1]
    text = ge.text(plain, TrainingSettings("upos", brackets="tear"))
    with pytest.raises(WorkbenchError, match="no mark-up to respect; in Settings, Trees, choose None"):
        ge.train(text, "DET <- NOUN = 0.9")
    with pytest.raises(WorkbenchError, match="there is no level of brackets 'firm'"):
        TrainingSettings("upos", brackets="firm")
    with pytest.raises(WorkbenchError, match="the weight of brackets must be at least 0"):
        TrainingSettings("upos", brackets_weight=-1)


def test_presets_and_reset(open_page, workbench, ge, corpus):
    app = open_page("constraints")
    assert app.segmented_control(key="ge_preset").value == "best"
    app.segmented_control(key="ge_preset").set_value("paper").run()
    assert ge.plan(corpus) == TrainingSettings("upos").with_preset("paper")
    assert app.segmented_control(key="ge_preset").value == "paper"
    app.segmented_control(key="ge_set_score").set_value("kl").run()
    assert app.segmented_control(key="ge_preset").value is None
    app.button(key="ge_settings_reset").click().run()
    assert ge.plan(corpus) == TrainingSettings("upos")
    assert app.button(key="ge_settings_reset").disabled
    assert not app.exception


def test_pairwise_covariance_warns_of_long_sentences(open_page, ge):
    app = open_page("constraints")
    app.segmented_control(key="ge_set_covariance").set_value("pairwise").run()
    assert "grows with its fifth power" in said(app.warning)
    app.number_input(key="ge_set_max_length").set_value(8).run()
    assert "fifth power" not in said(app.warning)
    assert not app.exception


def test_a_length_that_leaves_nothing_is_refused_and_nothing_is_saved(open_page, workbench, ge):
    project = workbench.store.default_project()
    add_corpus(workbench.store, project, "tagged.txt", b"the/DET cat/NOUN sleeps/VERB\n")
    app = open_page(corpus="tagged.txt")
    app.switch_page("pages/constraints.py").run()
    before = ge.plan(workbench.store.corpora(project)[-1])
    app.number_input(key="ge_set_max_length").set_value(1).run()
    assert ge.plan(workbench.store.corpora(project)[-1]) == before and before.max_length != 1
    assert any("at most 1 words" in toast.value for toast in app.toast)
    assert not app.exception


def test_trees_to_learn_from_are_marked_by_number_or_taken_from_another_text(open_page, workbench, ge, corpus):
    other, _ = add_corpus(workbench.store, corpus.project, "partial.conllu", TREES)
    app = open_page("constraints")
    app.text_input(key="ge_set_marked").set_value("1-3, 7").run()
    assert ge.plan(corpus).marked == (1, 2, 3, 7)
    assert "Trees learned: 4 whole, 0 partial" in said(app.caption)
    app.selectbox(key="ge_set_trees").set_value(other).run()
    assert "Trees learned: 4 whole, 1 partial" in said(app.caption)
    app.text_input(key="ge_set_marked").set_value("seven").run()
    assert any("'seven' is not a sentence number" in toast.value for toast in app.toast)
    assert ge.plan(corpus).marked == (1, 2, 3, 7)
    workbench.store.remove_corpus(other)
    app.run()
    assert "not in" in said(app.error) or "no corpus" in said(app.error)
    app.button(key="ge_train").click().run()
    assert not workbench.store.runs(corpus.project, "ge")
    assert not app.exception


def test_an_uploaded_partial_tree_with_a_cycle_is_refused_in_a_sentence(open_page, workbench, ge, corpus):
    app = open_page("constraints")
    cycle = TREES.replace(b"2\tcat\t_\tNOUN\t_\t_\t_", b"2\tcat\t_\tNOUN\t_\t_\t1")
    app.file_uploader(key="ge_trees_file").upload("cycle.conllu", cycle, "text/plain").run()
    app.button(key="ge_trees_add").click().run()
    assert "line 1, sentence 1, word 1: following the heads from this word leads back to it" in said(app.error)
    assert ge.plan(corpus).trees is None
    app.file_uploader(key="ge_trees_file").upload("partial.conllu", TREES, "text/plain").run()
    app.button(key="ge_trees_add").click().run()
    assert ge.plan(corpus).trees == workbench.store.corpora(corpus.project)[-1].id
    assert not app.exception


def test_a_run_can_be_taken_away_and_says_when_its_settings_are_old(open_page, workbench):
    project = workbench.store.default_project()
    corpus_id, _ = add_corpus(workbench.store, project, "tagged.txt", b"the/DET cat/NOUN sleeps/VERB\n")
    save_text(workbench.store, workbench.store.corpus(corpus_id), "DET <- NOUN = 1.0\n", "typing")
    choose_learner(workbench.store, workbench.store.corpus(corpus_id), "ge")
    app = open_page("constraints", corpus="tagged.txt")
    assert not app.get("download_button") or "Run record" not in [each.label for each in app.get("download_button")]
    app.button(key="ge_train").click().run()
    run = workbench.store.runs(project, "ge")[0]
    workbench.jobs.wait(run.id, timeout=120)
    app.session_state["ge_take_away"] = True  # open
    app.run()
    labels = [each.label for each in app.get("download_button")]
    files = {"The text with its trees, CoNLL-U", "Parser, weights", "Parser, spaCy pipeline", "Run record"}
    assert files <= set(labels)
    assert "Whole text, 1 sentence." in said(app.caption)
    assert f"ge-parser-{run.id}.npz" in said(app.code)
    app.number_input(key="ge_set_variance").set_value(5.0).run()
    assert f"Settings changed since run {run.id} (variance)" in said(app.caption)
    assert not app.exception
