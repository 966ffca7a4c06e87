"""Settings of training: what is refused, presets, what differs, and that they come back from the store."""

from dataclasses import replace

import pytest

from core.constraints.ge.training import PRESETS
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.constraints.results import other_settings

BEST = TrainingSettings("upos")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tags": "deprel"}, "tags must be upos or xpos"),
        ({"features": "many"}, "no features 'many'; choose one of restricted, full, lexicalized"),
        ({"score": "hinge"}, "no score 'hinge'; choose one of squared, kl, kl-one-sided"),
        ({"strength": 0.0}, "strength must be positive"),
        ({"variance": -1.0}, "variance of the prior must be positive"),
        ({"minimum_count": 0}, "least count of a feature is 1"),
        ({"partial_weight": -1.0}, "weight of partial trees must be at least 0"),
        ({"max_length": 0}, "at least one word"),
        ({"covariance": "none"}, "no covariance called"),
        ({"decoding": "none"}, "no decoding called"),
        ({"projective": True, "covariance": "pairwise"}, "projective training computes the covariance exactly"),
    ],
)
def test_settings_that_mean_nothing_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        BEST.with_values(**changes)


def test_presets_are_those_of_the_trainer():
    paper = BEST.with_values(max_length=10).with_preset("paper")
    assert (BEST.preset, paper.preset, paper.with_values(score="kl").preset) == ("best", "paper", None)
    assert paper.max_length == 10 and paper.ge_settings() == replace(PRESETS["paper"], tags="upos")


def test_changes_take_along_what_no_longer_fits():
    pairwise = BEST.with_values(covariance="pairwise")
    chosen = [pairwise.with_choice("projective", value).settings for value in (True, False)]
    assert [each.covariance for each in chosen] == ["exact", "pairwise"]
    assert [BEST.with_choice("max_length", length).max_length for length in (0, 8)] == [None, 8]


def test_settings_come_back_from_the_store_and_the_change_can_be_undone(workspace, ge, sample):
    chosen = ge.plan(sample).with_values(score="kl", covariance="approximate", marked=(3, 9))
    ge.save_settings(sample, chosen)
    assert ge.plan(sample) == chosen and chosen.changed_from(BEST) == ["marked", "covariance", "score"]
    workspace.store.undo(sample.project)
    assert ge.plan(sample) == BEST


def test_settings_travel_in_the_run_and_training_follows_their_change(ge, cats, train):
    source, settings = "DET <- NOUN = 1.0\n", TrainingSettings.of(tags="upos", score="kl", decoding="posterior")
    run = train(cats, source, settings)
    assert TrainingSettings.from_dict(run.settings) == settings
    assert not ge.is_behind(ge.text(cats, settings), source)
    other = ge.text(cats, settings.with_values(strength=3.0))
    assert ge.is_behind(other, source) and other_settings(run, other) == ["strength"]


def test_a_score_that_a_line_cannot_have_is_refused_before_a_run_is_begun(workspace, ge, cats, train):
    settings, root = BEST.with_values(score="kl"), "ROOT -> VERB per head = 0.8\n"  # a root heads one word
    with pytest.raises(ValueError, match="line 2: NOUN <- VERB per head is a share of heads, which may pass 1"):
        ge.train(ge.text(cats, settings), root + "NOUN <- VERB per head = 0.8\n")
    assert not workspace.store.runs(cats.project)
    train(cats, root, settings)
