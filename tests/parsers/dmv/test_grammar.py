"""The DMV as a parser: training never loses ground, what it reports, saves, and refuses."""

import io
import json
from dataclasses import asdict

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers import DMV, DMVSettings, load_parser
from core.parsers.dmv.parameters import log_prior
from core.parsers.dmv.text import best_trees
from core.parsers.dmv.training import DMVProgress
from core.treebank import Treebank
from core.trees.brackets import Bracket
from tests.filled import filled

SENTENCES = [
    ("DT NN VBZ", [2, 3, 0]),
    ("NNS VBP", [2, 0]),
    ("DT JJ NN VBZ DT NN", [3, 3, 4, 0, 6, 4]),
    ("NN", [0]),
    ("NNP VBZ IN DT NN", [2, 0, 2, 5, 3]),
    ("DT NN IN NN VBZ RB", [2, 5, 2, 3, 0, 5]),
    ("VB DT NN", [0, 3, 1]),
    ("NNS VBP RB", [2, 0, 2]),
]


def treebank(rows=SENTENCES, repeat=3):
    made = [{"forms": tags.split(), "xpos": tags.split(), "heads": heads} for tags, heads in rows]
    return Treebank.from_sentences(made * repeat)


def brackets(text):
    return [[Bracket(1, 3, "a")] if len(sentence) > 2 else [] for sentence in text]


@pytest.mark.parametrize("algorithm", ["em", "viterbi"])
@pytest.mark.parametrize("smoothing", [0, 1, 0.25])
@pytest.mark.parametrize("level", ["none", "loose"])
def test_training_never_lowers_its_objective(algorithm, smoothing, level):
    settings = DMVSettings("harmonic", algorithm=algorithm, smoothing=smoothing, tolerance=0, level=level)
    text = treebank()
    model = DMV(settings).fit(text, brackets(text))
    objectives = [state.objective for state in model.history]
    assert len(objectives) > 2 and (np.diff(objectives) > -1e-9).all()
    if algorithm == "em" and level == "none":
        assert model.cross_entropy(text) == pytest.approx(model.history[-1].cross_entropy, abs=1e-3)
        shares = model.cross_entropies(text) * text.lengths
        assert model.cross_entropy(text) == pytest.approx(shares.sum() / text.token_count)


def test_gold_heads_are_for_the_report_only():
    text, told = treebank(), []
    settings = DMVSettings("harmonic", (None,))
    model = DMV(settings).fit(text, watch=text, progress=told.append)
    blind = text.with_heads(np.full(len(text.heads), -1))
    np.testing.assert_array_equal(model.parameters.take, DMV(settings).fit(blind).parameters.take)
    assert told == model.history and [state.iteration for state in told] == list(range(1, len(told) + 1))
    assert told[0].stage == "all lengths" and 0 <= told[-1].accuracy <= 100 and model.status == "converged"
    scores = model.accuracy(text)
    assert scores["lowest"] <= scores["uas"] <= scores["highest"] and scores["words"] == 87 and scores["seeds"] == 5
    assert model.parse(text)[0].deprels[1:].count("root") == 1
    with pytest.raises(WorkbenchError, match="no word of the text to score has a head"):
        model.accuracy(blind)
    with pytest.raises(WorkbenchError, match="no word of the text to watch has a head"):
        DMV().fit(text, watch=blind)


@pytest.mark.parametrize(
    ("settings", "stages"),
    [
        (DMVSettings("adhoc", lengths=(3, 6)), ["adhoc start", "up to 3 words", "up to 6 words"]),
        (DMVSettings(schedule="baby-steps", lengths=(3,)), ["up to 1 word", "up to 2 words", "up to 3 words"]),
        (
            DMVSettings(lengths=(None,), schedule="leapfrog"),
            ["adhoc start", *(f"up to {n} word{'s' * (n > 1)}" for n in (1, 2, 3, 5, 6, 15, 30, 45)), "all lengths"],
        ),
        (DMVSettings("uniform", lengths=(6,), adapt=True), ["up to 6 words", "up to 45 words"]),
    ],
)
def test_schedules_go_from_stage_to_stage(settings, stages):
    model = DMV(settings).fit(treebank(), adapt_to=treebank(SENTENCES[:2]))
    found = list(dict.fromkeys(state.stage for state in model.history))
    assert found == stages
    assert np.isfinite(model.log_likelihood(treebank())).all()


def test_training_under_brackets_obeys_them_and_trims():
    text = treebank()
    model = DMV(DMVSettings(level="strict", trim=True)).fit(text, brackets(text))
    assert model.fallbacks == {"strict": 18, "loose": 0, "sprawl": 0, "tear": 0, "none": 0}
    heads = model.best_heads(text, brackets=brackets(text), level="strict")
    assert [(heads[i][1:3] > 2).sum() + (heads[i][1:3] == 0).sum() for i in (0, 2, 4)] == [1, 1, 1]
    totals, marginals = model.marginals(text, brackets=brackets(text), level="strict")
    free = model.marginals(text)[0]
    np.testing.assert_allclose(free, model.log_likelihood(text))
    assert (totals <= free + 1e-9).all() and marginals[2][:, 1:].sum(axis=0) == pytest.approx(np.ones(6))
    assert marginals[2][1, 4] == 0 < marginals[2][3, 4]  # no arc leaves the bracket over words 1 and 2


def test_one_model_begins_where_another_ended():
    first = DMV(DMVSettings("harmonic")).fit(treebank())
    more = treebank([("FW NN VBZ", [2, 3, 0]), *SENTENCES])
    second = DMV(DMVSettings(max_iterations=1)).fit(more, start=first)
    assert set(second.tags) == {*first.tags, "FW"} and second.status == "iteration limit"
    assert first.tags == tuple(sorted({tag for tags, _ in SENTENCES for tag in tags.split()}))
    assert (first.best_heads(more)[0] == 0).sum() == 1 and np.isfinite(first.log_likelihood(more)).all()


def test_a_start_may_be_estimated_on_another_text():
    text, other = treebank(), treebank(SENTENCES[4:])
    for init in filled(("harmonic", "adhoc")):
        settings = DMVSettings(init, lengths=(6,))
        own, here, there = (DMV(settings).fit(text, init_from=each) for each in (None, text, other))
        np.testing.assert_array_equal(own.parameters.take, here.parameters.take)
        assert [state.stage for state in there.history] == [state.stage for state in own.history] or init == "adhoc"
        assert there.history[0].cross_entropy != own.history[0].cross_entropy
    start = DMV(DMVSettings("harmonic", lengths=(6,), max_iterations=1)).fit(other, cancel=lambda: True)
    by_hand = DMV(DMVSettings(lengths=(6,))).fit(text, start=start)
    assert by_hand.history[0].stage == "up to 6 words"
    for init, bad, message in (
        ("uniform", other, "a uniform start is estimated on no text"),
        ("adhoc", treebank([("A B", [0, 1])]), "has none of the xpos tags that are trained on"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            DMV(DMVSettings(init)).fit(text, init_from=bad)


def test_training_stops_when_asked():
    model = DMV(DMVSettings("adhoc", lengths=(3, 6))).fit(treebank(), cancel=lambda: True)
    assert model.status == "cancelled" and len(model.history) == 1 and model.parameters is not None


@pytest.mark.parametrize(
    ("more", "init_from"),
    [
        ({"init": "adhoc", "adapt": True}, None),
        ({"schedule": "baby-steps"}, None),
        ({"init": "adhoc", "adapt": True}, SENTENCES[:3]),
    ],
)
def test_training_goes_on_from_any_iteration_to_the_same_bits(more, init_from):
    start = {} if init_from is None else {"init_from": treebank(init_from)}
    settings = DMVSettings(lengths=(3, 6), level="loose", max_iterations=4, **more)
    text, other, kept, model = treebank(), treebank(SENTENCES[2:6]), [], DMV(settings)

    def keep(state):
        model.save(file := io.BytesIO())
        kept.append((file, json.dumps(asdict(state))))

    model.fit(text, brackets(text), adapt_to=other, progress=keep, **start)
    assert len({state.number for state in model.history}) > 3
    for place, (file, state) in enumerate(filled(kept)):
        reached = DMV.load(file), DMVProgress(**json.loads(state))
        found = DMV(settings).fit(text, brackets(text), adapt_to=other, resumed=reached, **start)
        for one, same in zip(found.parameters.arrays, model.parameters.arrays, strict=True):
            np.testing.assert_array_equal(one, same)
        assert (found.status, found.fallbacks) == (model.status, model.fallbacks)
        assert [each.objective for each in found.history] == [each.objective for each in model.history[place:]]
    with pytest.raises(WorkbenchError, match="cannot be resumed half-way"):
        DMV(DMVSettings(schedule="leapfrog")).fit(text, resumed=reached)


def test_a_model_is_saved_and_loaded(tmp_path):
    model = DMV(DMVSettings("harmonic", lengths=(3, None))).fit(treebank())
    model.save(tmp_path / "m.npz")
    loaded = load_parser(tmp_path / "m.npz")
    assert loaded.settings == model.settings and loaded.tags == model.tags and loaded.column == "xpos"
    np.testing.assert_array_equal(loaded.best_heads(treebank()).values, model.best_heads(treebank()).values)


def test_untagged_sentences_are_left_out():
    text = Treebank.from_sentences([{"forms": ["a", "b"], "xpos": ["A", None]}, {"forms": ["a"], "xpos": ["A"]}])
    model = DMV().fit(text)
    assert model.skipped == 1 and model.tags == ("A",) and (model.best_heads(text)[0] == 0).sum() == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"init": "best"}, "init must be one of uniform, harmonic, adhoc, got 'best'"),
        ({"algorithm": "sgd"}, "algorithm must be one of viterbi, em, got 'sgd'"),
        ({"schedule": "fast"}, "schedule must be one of plain, baby-steps, leapfrog, got 'fast'"),
        ({"level": "weak"}, "there is no level 'weak'"),
        ({"smoothing": -1}, "smoothing must be 0 or more, got -1"),
        ({"lengths": (0,)}, r"of at least 1, or None, got \(0,\)"),
        ({"max_iterations": 0}, "at least one iteration, got 0"),
        ({"restarts": 0}, "at least one start, got 0"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(WorkbenchError, match=message):
        DMVSettings(**settings)


@pytest.mark.parametrize(
    ("settings", "brackets", "message"),
    [
        ({"level": "loose"}, None, "need brackets; extract them from mark-up"),
        ({}, [[]], "24 sentences need as many lists of brackets, got 1"),
        ({}, [[Bracket(1, 5)], *[[]] * 23], "sentence 0: the bracket 1-4 does not lie within words 1-3"),
        ({"trim": True}, [[]] * 24, "no sentence is left to train on"),
        ({"adapt": True}, None, "give adapt_to, or leave adapt out"),
    ],
)
def test_what_cannot_be_trained_is_named(settings, brackets, message):
    with pytest.raises(WorkbenchError, match=message):
        DMV(DMVSettings(**settings)).fit(treebank(), brackets)
    for call in (DMV().parse, lambda text: DMV().fit(text, start=DMV())):
        with pytest.raises(WorkbenchError, match="has not been trained yet"):
            call(treebank())


def test_a_treebank_that_was_learnt_from_is_scored_alike_on_any_number_of_threads():
    text, klein = treebank(), DMVSettings("harmonic", algorithm="em", smoothing=0.0)  # as Klein & Manning (2004)
    scores = DMV(klein).fit(text).accuracy(text)
    assert scores["words"] == 87 and scores == DMV(klein).fit(text, threads=1).accuracy(text, threads=1)
    assert scores != DMV(DMVSettings(lengths=(2,))).fit(text).accuracy(text)


def test_of_several_starts_the_one_with_the_highest_objective_counts():
    model = DMV(DMVSettings("uniform", restarts=6, lengths=(5, 6), max_iterations=30)).fit(treebank())
    last = {state.stage: state.objective for state in model.history}
    assert list(last) == [*(f"start {i} of 6" for i in range(1, 7)), "up to 6 words"]
    assert len({round(value, 6) for value in last.values()}) > 2
    alone = DMV(DMVSettings("uniform", restarts=6, lengths=(5,), max_iterations=30)).fit(treebank())
    short = treebank().max_length(5)
    values, _ = best_trees(alone.read_text(short)[0], alone.parameters)
    best = max(value for stage, value in last.items() if stage.startswith("start"))
    assert values.sum() + log_prior(alone.parameters, 1.0) == pytest.approx(best)


@pytest.mark.parametrize("repeated", [1, 2, 3])
def test_an_ad_hoc_start_goes_without_the_sentences_that_a_text_lacks(repeated):
    text = Treebank.from_sentences(
        [{"forms": ["a"] * 7 * repeated, "upos": ["NOUN", "VERB"] * 3 * repeated + ["DET"] * repeated}] * 3
    )
    model, start = DMV(DMVSettings()).fit(text), DMV(DMVSettings("harmonic")).fit(text)
    stages = list(dict.fromkeys(state.stage for state in model.history))
    assert ("adhoc start" in stages) == (repeated < 3) and stages[-1] == "up to 45 words"
    if repeated == 3:  # neither 8 words nor 15
        np.testing.assert_array_equal(model.parameters.take, start.parameters.take)
