"""Settings on the page: saved at once, marked as changed, reset, undone; trees to learn from; what a run leaves."""

import pytest

from core.errors import WorkbenchError
from core.workspace.constraints.plan import TrainingSettings, choose_learner
from core.workspace.constraints.record import repeat_record, run_record
from core.workspace.corpus import drafts
from core.workspace.relations import chosen_relations
from tests.advising import finished
from tests.pages.reading import keys, pressed, said, shown, waited, waited_for

TREES = "1\tthe\t_\tDET\t_\t_\t2\t_\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\tsleeps\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
TAGGED = "the/DET cat/NOUN sleeps/VERB\n"
FILES = {"The text with its trees, CoNLL-U", "Parser, weights", "Parser, spaCy pipeline", "Run record"}


def number(app, name):
    return app.number_input(key=f"ge_set_{name}")


def test_a_setting_is_saved_marked_explained_and_undone(open_page, ge, corpus):
    app = open_page("constraints")
    assert "●" not in number(app, "strength").label
    widget = number(number(app, "strength").set_value(3.0).run(), "strength")
    assert ge.plan(corpus).settings.strength == 3.0 and "●" in widget.label
    assert "Druck et al. 2009" in widget.help and "Default: 10.0" in widget.help
    assert number(pressed(app, "shared_undo"), "strength_1").value == 10.0 == ge.plan(corpus).settings.strength
    ge.save(corpus, "setting the weight", strength=5000.0)  # outside its widget: shown at the limit
    assert number(open_page("constraints"), "strength").value == 1000.0 and ge.plan(corpus).settings.strength == 5000.0


def test_presets_reset_and_a_warning_of_long_sentences(open_page, ge, corpus):
    app = open_page("constraints")
    assert app.segmented_control(key="ge_preset").value == "best"
    assert "**Weight of the constraints**: 10; paper: 1 (constraints should outweigh the prior)" in said(app.markdown)
    shown(app, ge_preset="paper")
    assert ge.plan(corpus) == TrainingSettings("upos").with_preset("paper")
    assert app.segmented_control(key="ge_preset").value == "paper"
    assert "1 difference from the paper" in [each.label for each in app.expander]
    assert shown(app, ge_set_score="kl").segmented_control(key="ge_preset").value is None
    assert "grows with its fifth power" in said(shown(app, ge_set_covariance="pairwise").warning)
    assert "fifth power" not in said(number(app, "max_length").set_value(8).run().warning)
    pressed(app, "ge_settings_reset")
    assert ge.plan(corpus) == TrainingSettings("upos") and app.button(key="ge_settings_reset").disabled


def test_mark_up_of_the_text_can_be_respected(open_page, workbench, ge, corpus):
    app = shown(open_page("constraints"), ge_set_brackets="loose")
    number(app, "brackets_weight").set_value(2.0).run()
    settings = ge.plan(corpus)
    assert (settings.brackets, settings.settings.brackets_weight) == ("loose", 2.0)
    text = ge.text(corpus, settings.with_values(max_length=9))
    marked = sum(map(bool, ge.brackets(text)))
    assert 0 < marked < len(text.treebank) and "sentences have mark-up" in said(app.caption)
    run = finished(workbench, ge.train(text, "ROOT -> VERB = 0.7"))
    result, _ = repeat_record(run_record(ge, run))
    assert result.expectations == pytest.approx(run.figures["expectations"], abs=1e-6)
    assert result.bracket_levels == run.figures["bracket_levels"] and sum(result.bracket_levels.values()) == marked


def test_a_text_without_mark_up_has_no_such_setting(open_page, add, ge):
    plain = add("plain.conllu", TREES)
    assert "ge_set_brackets" not in keys(open_page("constraints", corpus="plain.conllu").segmented_control)
    with pytest.raises(WorkbenchError, match="no mark-up to respect; in Settings, Trees, choose None"):
        ge.train(ge.text(plain, TrainingSettings.of(tags="upos", brackets="tear")), "DET <- NOUN = 0.9")
    with pytest.raises(WorkbenchError, match="there is no level of brackets 'firm'"):
        TrainingSettings.of(tags="upos", brackets="firm")
    with pytest.raises(WorkbenchError, match="the weight of brackets must be at least 0"):
        TrainingSettings.of(tags="upos", brackets_weight=-1)


def test_above_the_universal_parser_settings_of_a_grammar_are_not_shown(open_page, add):
    add("tagged.txt", TAGGED * 10)
    app = open_page("constraints", corpus="tagged.txt")
    numbers, toggles = {"ge_set_price", "ge_set_trust"}, {"ge_set_together", "ge_set_second_order"}
    assert numbers <= {*keys(app.number_input)} and "ge_set_bound" not in keys(app.number_input)
    assert not toggles & {*keys(app.toggle)} and "there is no grammar to set" in said(app.caption)
    app.segmented_control(key="ge_set_prior").set_value("none").run()
    assert "ge_set_bound" in keys(app.number_input) and "ge_set_trust" not in keys(app.number_input)
    assert toggles <= {*keys(app.toggle)}


def test_a_length_that_leaves_nothing_is_refused_and_nothing_is_saved(open_page, add, ge):
    corpus = add("tagged.txt", TAGGED)
    app, before = open_page("constraints", corpus="tagged.txt"), ge.plan(corpus)
    number(app, "max_length").set_value(1).run()
    assert ge.plan(corpus) == before and before.max_length != 1 and "at most 1 words" in said(app.toast)


def test_trees_to_learn_from_are_marked_by_number_or_taken_from_another_text(open_page, workbench, add, ge, corpus):
    other = add("partial.conllu", TREES).id
    app = open_page("constraints", corpus="sample")
    app.text_input(key="ge_set_marked").set_value("1-3, 7").run()
    assert ge.plan(corpus).marked == (1, 2, 3, 7) and "Trees learned: 4 whole, 0 partial" in said(app.caption)
    app.selectbox(key="ge_set_trees").set_value(other).run()
    assert "Trees learned: 4 whole, 1 partial" in said(app.caption)
    app.text_input(key="ge_set_marked").set_value("seven").run()
    assert "'seven' is not a sentence number" in said(app.toast) and ge.plan(corpus).marked == (1, 2, 3, 7)
    workbench.store.remove_corpus(other)
    assert "not in" in said(app.run().error) or "no corpus" in said(app.error)
    pressed(app, "ge_train")
    assert not workbench.store.runs(corpus.project)


def test_an_uploaded_partial_tree_with_a_cycle_is_refused_in_a_sentence(open_page, workbench, ge, corpus):
    app, cycle = open_page("constraints"), TREES.replace("2\tcat\t_\tNOUN\t_\t_\t_", "2\tcat\t_\tNOUN\t_\t_\t1")
    for data, told in ((cycle, "line 1, sentence 1, word 1: following the heads from this word leads back to it"),
                       (TREES, "")):  # fmt: skip
        assert ge.plan(corpus).trees is None
        app.file_uploader(key="ge_trees_file").upload("trees.conllu", data.encode(), "text/plain").run()
        assert told in said(pressed(app, "ge_trees_add").error)
    assert ge.plan(corpus).trees == workbench.store.corpora(corpus.project)[-1].id


def test_a_large_treebank_is_read_apart_and_learnt_from(open_page, workbench, ge, corpus, monkeypatch):
    monkeypatch.setattr(drafts, "SMALL", 0)  # every file is large
    monkeypatch.setattr(drafts, "SMALL_TABLE", 0)
    app = open_page("constraints")
    app.file_uploader(key="ge_trees_file").upload("trees.conllu", TREES.encode(), "text/plain").run()
    pressed(waited_for(pressed(app, "ge_trees_add")), "ge_trees_file_take")
    assert ge.plan(corpus).trees == workbench.store.corpora(corpus.project)[-1].id


def test_a_run_can_be_taken_away_and_says_when_its_settings_are_old(open_page, workbench, add):
    text = add("tagged.txt", TAGGED, "DET <- NOUN = 1.0\n")
    choose_learner(workbench.store, text, "ge")
    app = open_page("constraints", corpus="tagged.txt")

    def files():
        return FILES & {each.label for each in app.get("download_button")}

    assert not files()
    run = waited(pressed(app, "ge_train"), workbench, "ge")
    app.session_state["ge_take_away"] = True  # open
    assert "Whole text, 1 sentence." in said(app.run().caption) and files() == FILES
    assert f"ge-parser-{run.id}.npz" in said(app.code)
    assert "Relations are `root` and `dep`" in said(app.caption)
    app.selectbox(key="ge_save_relations_choice").set_value("rules").run()
    assert "Relations are" not in said(app.caption) and chosen_relations(workbench, text).source == "by rules"
    assert pressed(app, "shared_undo").selectbox(key="ge_save_relations_choice_1").value == "none"
    number(app, "variance").set_value(5.0).run()
    assert f"Settings changed since run {run.id} (variance)" in said(app.caption)
