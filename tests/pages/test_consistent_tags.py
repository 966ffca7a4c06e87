"""Tags on the Consensus page: thresholds answer at once, a run says what it changed, its tags become a layer."""

import io

import numpy as np
import pytest

from core.parsers import Tagger
from core.treebank import conllu_text, load_sample
from core.treebank.retag import with_values
from core.workspace.consensus.tag_votes import GroupChanges, GroupWords, group_table, occurrence_table
from core.workspace.consensus.tags_layer import taken_over
from core.workspace.consensus.tags_system import ConsistentTagging
from core.workspace.decomposition import playback
from core.workspace.runs.list import main_figure
from core.workspace.scoring import UNKNOWN_TRAINING
from tests.advising import finished
from tests.pages.reading import keys, pressed, said, shown, table, waited

QUICK = {"epochs": 2, "tags": "xpos"}
TAGS = {"cs_task": "tags"}


def prepared(workspace):
    """A quick run on the sample."""
    tagging, corpus = ConsistentTagging(workspace), workspace.store.corpora(workspace.store.default_project())[0]
    tagging.save(corpus, "choosing", **QUICK)
    plan = tagging.plan(corpus)
    finished(workspace, tagging.start(tagging.inputs(corpus, plan), plan))


@pytest.fixture
def tagging(workbench):
    return ConsistentTagging(workbench)


@pytest.fixture
def outcome(tagging, corpus):
    return tagging.latest(tagging.inputs(corpus, tagging.plan(corpus)))


@pytest.fixture
def app(open_page):
    return open_page("consensus", TAGS, corpus="sample")


def test_groups_follow_the_thresholds_and_undo(app, tagging, corpus, outcome):
    inputs, plan = outcome.inputs, tagging.plan(corpus)
    words = tagging.selection(inputs, plan)
    grouped = int((words.rows < len(inputs.test.heads)).sum())
    assert f"**{len(words):,}** groups hold **{grouped:,}** of {inputs.index.in_test.sum():,} unknown words" in said(
        app.markdown
    )
    listed = table(app, "words")
    assert listed["words"].tolist() == group_table(words, GroupChanges.between(words, words), outcome)["words"]
    assert set(listed["consensus"]) <= {*inputs.tags, "NULL"}
    app.slider(key="ct_least").set_value(4).run()
    fewer = tagging.selection(inputs, tagging.plan(corpus))
    assert 0 < len(fewer) < len(words)
    moved = GroupChanges.between(words, fewer)
    assert f"added 0 groups and removed {moved.count('dropped'):,}" in said(app.caption)
    assert table(app, "change")["change"].tolist().count("dropped") == moved.count("dropped")
    assert "imports" not in " ".join(keys(app.slider))  # without further text there is nothing to import
    pressed(app, "shared_undo")
    assert tagging.plan(corpus).least == 2


def test_occurrences_have_their_tags(app, outcome):
    words = outcome.words
    name = table(app, "words")["words"].iloc[0]
    found = GroupWords.of(words, name)
    expected = occurrence_table(outcome.inputs, words, found, outcome)
    listed = table(app, "consistent")
    for column in ("sentence", "own", "alone", "consistent"):
        assert listed[column].tolist() == expected[column]
    group = words.names.index(name)
    rows = words.rows[words.group == group]
    assert expected["consistent"] == [outcome.inputs.tags[tag] for tag in outcome.tagging[rows]]
    assert f"**{name}** · {len(found):,} occurrences in the text, 0 in further text" in said(app.markdown)


def test_a_run_shows_scores_and_what_changed_word_by_word(open_page, outcome, tagging, corpus):
    app = open_page("consensus", TAGS | {"ct_view": "effects"}, corpus="sample")
    base, model = outcome.run.figures["base"], outcome.run.figures["model"]
    assert f"**{model['accuracy']:.1f}%** of tags right with consistency ({model['right']:,} of" in said(app.markdown)
    assert f"{base['accuracy']:.1f}% for the tagger alone ({base['right']:,})" in said(app.markdown)
    assert main_figure(outcome.run).startswith(f"tags right {model['right'] / model['words']:.1%}")
    assert table(app, "changed")["words"].iloc[0] == outcome.effects[0].name
    first = outcome.effects[0].changes
    assert table(app, "own")["consistent"].tolist() == [change.after for change in first]
    assert "ct_take" not in keys(app.button)  # all words have tags of the file
    tagging.save(corpus, "setting a number", epochs=3)
    app = open_page("consensus", TAGS | {"ct_view": "effects"}, corpus="sample")
    assert f"Settings have changed since run {outcome.run.id}. Tag again" in said(app.caption)


def test_a_run_plays_on_decomposition(open_page, outcome):
    app = pressed(open_page("consensus", TAGS | {"ct_view": "effects"}, corpus="sample"), "ct_converged")
    assert "the tags are proved the best" in said(app.markdown).replace("\n", " ")
    first = playback.flips(outcome, 1)
    assert f"**{len(first):,}** of {outcome.test.token_count:,} tags change in iteration 1" in said(app.markdown)
    app = open_page("decomposition", {"dd_problem_view": "tags"}, corpus="sample")
    later = playback.next_flip(outcome, 1)
    app.slider(key="dd_iteration").set_value(later).run()
    rows = playback.flip_table(outcome, playback.flips(outcome, later))
    assert table(app, "before")["before"].tolist() == rows["before"] and set(rows["after"]) <= set(outcome.inputs.tags)
    assert "changed tags are marked" in said(app.caption)
    shown(app, dd_view="multipliers")
    group = next(iter(playback.disputed(outcome)))
    assert f"Consensus after iteration {later}: **{playback.consensus_at(outcome, group, later)}**" in said(
        app.markdown
    )
    assert table(app, "pushed")["head"].tolist() == playback.multiplier_table(outcome, group, later)["head"]


def test_tags_of_a_text_without_any_are_taken_over_and_removed(open_page, add, workbench, tagging, corpus):
    bank = load_sample().limit(60)
    bare = add("bare.conllu", conllu_text(with_values(bank.to_conllu(), "xpos", np.full(len(bank.heads), ""))))
    teaching = add("teaching.conllu", conllu_text(load_sample().select(range(60, 332)).to_conllu()))
    app = open_page("consensus", TAGS, corpus="bare.conllu")
    app.selectbox(key="ct_trees").set_value(teaching.id).run()
    app.segmented_control(key="ct_tags").set_value("xpos").run()
    app.selectbox(key="ct_unlabelled").set_value(corpus.id).run()
    assert "ct_imports" in keys(app.slider) and "sentences looked up" in said(app.markdown)
    run = waited(pressed(app, "ct_start"), workbench, tagging.kind)
    assert (run.settings["trees"], run.settings["unlabelled"]) == (teaching.id, corpus.id)
    shown(app, ct_view="effects")
    assert "no score: the text has no tags of its own" in said(app.markdown)
    app = pressed(app, "ct_take")
    assert taken_over(workbench, bare) and f"The text has the tags of run {run.id}." in said(app.caption)
    assert workbench.treebank(bare).xpos.filled
    assert "ct_take" not in keys(app.button)
    app = pressed(app, "ct_untag")
    assert not workbench.treebank(bare).xpos.filled and "ct_take" in keys(app.button)


def test_texts_that_do_not_go_together_are_one_sentence(open_page, add, corpus):
    add("other.conllu", "1\ta\t_\tF\tF\t_\t_\t_\t_\t_\n2\tb\t_\tG\tG\t_\t_\t_\t_\t_\n\n" * 2)
    app = open_page("consensus", TAGS, corpus="other.conllu")
    assert "No word that training did not see occurs twice" in said(app.error)
    app.selectbox(key="ct_trees").set_value(corpus.id).run()
    assert "are in different tag sets" in said(app.error)


def test_a_saved_tagger_tags_the_text_and_says_what_is_not_known(app, tagging, corpus, workbench):
    file = io.BytesIO()
    Tagger().fit(load_sample().limit(100), tags="upos", epochs=1).save(file)
    assert "ct_trees" in keys(app.selectbox) and "ct_tagger" not in keys(app.selectbox)  # no choice yet
    app.file_uploader(key="ct_tagger_file").upload("broken.npz", file.getvalue()[:900]).run()
    assert "broken.npz is no tagger, or not whole" in said(app.error) and not tagging.saved_taggers(corpus)
    app.file_uploader(key="ct_tagger_file").upload("mine.npz", file.getvalue()).run()
    assert not app.error and "mine.npz tags this text" in said(app.toast)
    (held,) = tagging.saved_taggers(corpus)
    assert app.selectbox(key="ct_tagger").value == held.id == tagging.plan(corpus).tagger
    assert "ct_trees" not in keys(app.selectbox)  # nothing teaches
    assert "All 332 sentences" in said(app.caption) and "What the tagger learnt from is not known" in said(app.caption)
    assert "A saved tagger" in said(app.caption)
    run = waited(pressed(app, "ct_start"), workbench, "consensus-tags")
    assert run.figures["model"]["is_unknown"] and len(tagging.load(run).test) == 332
    assert UNKNOWN_TRAINING in said(shown(app, ct_view="effects").markdown)
    app.selectbox(key="ct_tagger").set_value(0).run()
    assert tagging.plan(corpus).tagger is None and "ct_trees" in keys(app.selectbox)
