"""The runs of spitkovsky2010: settings, brackets between punctuation marks, jobs that go on, the regression."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.experiments import run_experiment
from core.experiments.spitkovsky2010.best import best, candidates, gain_row
from core.experiments.spitkovsky2010.entropy import harmonic_start
from core.experiments.spitkovsky2010.figures import GRIDS, TABLE_2, TABLE_3, TABLE_8
from core.experiments.spitkovsky2010.grids import factorial_runs, indicators, printed_runs
from core.experiments.spitkovsky2010.regression import regression
from core.experiments.spitkovsky2010.runs import InductionBenchmark, InductionRun, grid
from core.experiments.spitkovsky2010.texts import Journal, concatenate, drawn, stretches, to_penn, trimmed
from core.experiments.spitkovsky2010.texts import Marked as MarkedText
from core.treebank import Treebank
from core.trees.brackets import LEVELS, Bracket


def text(*sentences):
    """A treebank of ``form/tag`` words."""
    pairs = [[word.rsplit("/", 1) for word in sentence.split()] for sentence in sentences]
    return Treebank.from_sentences(
        {"forms": [form for form, _ in words], "xpos": [tag for _, tag in words]} for words in pairs
    )


def test_the_papers_amount_combinations():
    whole = factorial_runs(whole=True)
    assert len([run for run in whole if run.level != "tear" and run.init != "harmonic"]) == 294  # section 6
    assert len(set(whole)) == len(whole) == 549
    assert len(factorial_runs()) == 98 and set(factorial_runs()) <= set(whole)


def test_every_printed_accuracy_has_its_run():
    found = {(run.init, run.genre, run.level, run.trim and run.adapt) for run in printed_runs()}
    assert set(GRIDS) <= found
    assert set(printed_runs(quick=True)) <= set(printed_runs())


def test_settings_that_mean_nothing_are_refused():
    for changes, message in (
        ({"trim": True}, "TRIM, ADAPT and with_wsj are for pages"),
        ({"level": "loose"}, "no mark-up but punctuation"),
        ({"genre": "brown"}, "no set of pages 'brown'; choose one of blog, news, web"),
        ({"scope": 3}, "SCOPE 0, 1 or 2, got 'uniform' and 3"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            InductionRun(**changes)
    assert grid(genre=["wsj"], trim=[False, True]) == [InductionRun()]
    assert InductionRun("adhoc", "blog", 2, "loose", True, True).name == "blog adhoc 15-45 loose trim adapt"


def test_stretches_are_numbered_without_punctuation():
    dashes = "a/DT dog/NN -/: b/DT cat/NN -/: runs/VBZ"
    found = stretches(text("Yes/UH ,/, he/PRP said/VBD ./.", "no/DT marks/NNS", "``/`` ''/''", dashes))
    spans = [[(mark.start, mark.end) for mark in marks] for marks in found]
    assert spans == [[(2, 4)], [], [(1, 3), (3, 5)]]  # the third sentence has no word


def test_tags_of_the_web_become_the_journals():
    mapped = to_penn(text("a/DT well/RB -/HYPH known/VBN url/ADD to/IN To/NNP"))
    assert mapped[0].xpos[1:] == ("DT", "RB", ":", "VBN", "NNP", "TO", "TO")


def test_texts_are_trimmed_and_joined():
    one = MarkedText(text("a/DT b/NN c/VB", "a/DT b/NN"), [[Bracket(1, 3)], [Bracket(1, 2)]])
    both = concatenate(trimmed(one), one)
    assert [sentence.xpos[1:] for sentence in both.treebank] == [("DT", "NN", "VB"), ("DT", "NN", "VB"), ("DT", "NN")]
    assert both.brackets == [[Bracket(1, 3)], [Bracket(1, 3)], [Bracket(1, 2)]]


def test_draws_are_by_number():
    whole = MarkedText(text(*["a/DT b/NN"] * 200), [[Bracket(1, 2)]] * 200)
    assert drawn(whole, 0) is whole
    sizes = {len(drawn(whole, number).treebank) for number in range(1, 6)}
    assert len(sizes) > 1 and min(sizes) > 140 and max(sizes) < 200
    one, again = drawn(whole, 3), drawn(whole, 3)
    assert np.array_equal(one.treebank.heads, again.treebank.heads) and len(one.brackets) == len(one.treebank)


@pytest.fixture
def bench():
    """Runs on a few made-up sentences."""
    words = text("a/DT dog/NN barks/VBZ", "dogs/NNS bark/VBP", "the/DT cat/NN sees/VBZ a/DT dog/NN")
    part = MarkedText(words, [[Bracket(1, 3)], [], [Bracket(4, 6)]])
    bench = InductionBenchmark(None, Journal(part, part, part, part))
    pages = text("an/DT old/JJ page/NN loads/VBZ", "it/PRP loads/VBZ")
    for stretched in (False, True):
        bench.made_texts["blog", stretched, False, False] = MarkedText(pages, [[Bracket(2, 4)], []])
    return bench


def test_runs_share_the_models_they_begin_with(bench):
    run = InductionRun("harmonic", "blog", 2, "loose", trim=True, adapt=True, draw=0)
    adapted = bench.train(run)
    assert bench.train(replace(run, parsing="sprawl")) is adapted
    unadapted, short = bench.train(replace(run, adapt=False)), bench.train(replace(run, adapt=False, scope=1))
    assert unadapted is not adapted and len({id(unadapted), id(short), id(adapted)}) == 3
    assert unadapted.fallbacks == {"loose": 1, "sprawl": 0, "tear": 0, "none": 0}  # one sentence is left
    assert adapted.fallbacks == {}  # the WSJ has no mark-up
    assert bench.train(replace(run, punctuation=True)).fallbacks["loose"] == 2  # but punctuation
    assert "JJ" in adapted.tags and "NNS" in adapted.tags
    assert bench.result(run)["judged"] is None  # no word has a head


def test_a_start_knows_the_tags_of_longer_sentences():
    whole = text("a/DT dog/NN", "a/DT dog/NN barks/VBZ")
    model = harmonic_start(whole.max_length(2), whole)
    assert model.tags == ("DT", "NN", "VBZ")
    short, long = model.cross_entropies(whole)
    assert 0 < short < long < 10  # the tag that was not seen is dear, not free


def test_regression_finds_planted_effects():
    runs = [run for run in factorial_runs(whole=True) if run.scope == 0]
    columns = indicators(runs)
    noise = np.random.default_rng(0).normal(0, 0.1, len(runs))
    accuracies = 40 + 10 * np.array(columns["INIT adhoc"]) - 5 * np.array(columns["TRIM"]) + noise
    effects, adjusted = regression(columns, accuracies)
    found = {effect.name: effect for effect in effects}
    assert "SCOPE 15" not in found  # no run has it
    assert found["INIT adhoc"].coefficient == pytest.approx(10, abs=0.1)
    assert found["TRIM"].coefficient == pytest.approx(-5, abs=0.1)
    assert found["intercept"].coefficient == pytest.approx(40, abs=0.1)
    assert found["TRIM"].stars == "***" and adjusted > 0.99
    assert all(effect.p_value <= effect.holm <= 1 for effect in effects[:-1])


def test_regression_by_hand():
    effects, _ = regression({"on": [0, 0, 1, 1]}, [1.0, 3.0, 4.0, 6.0])
    on, intercept = effects
    assert (on.coefficient, intercept.coefficient) == (pytest.approx(3), pytest.approx(2))
    assert on.error == pytest.approx(np.sqrt(2))  # residual variance 4 / 2, times 1 / 2 + 1 / 2
    assert on.holm == on.p_value  # one setting: nothing to correct
    with pytest.raises(WorkbenchError, match="2 runs are too few for 2 coefficients"):
        regression({"on": [0, 1]}, [1.0, 2.0])


def test_the_best_run_is_chosen_by_development_sentences():
    runs = grid(scope=[0, 1, 2])
    results = {run: {"judged": judged, "test": -judged} for run, judged in zip(runs, (1, 3, 2), strict=True)}
    assert best(results, lambda run: True) is runs[1]
    assert best(results, lambda run: run.scope != 1) is runs[2]


def test_pages_are_tried_without_their_brackets_too():
    runs = set(candidates())
    assert {replace(run, level="none", punctuation=False, parsing="none") for run in runs if run.genre != "wsj"} < runs
    assert {replace(run, parsing="none") for run in runs} < runs


def test_gain_over_seeds():
    gold = Treebank.from_sentences({"forms": ["a", "b"], "heads": [0, 1]} for _ in range(50))
    wrong = gold.heads.copy()
    wrong[gold.heads == 1] = 0
    row = gain_row(gold, [wrong, wrong], [wrong, gold.heads], "x", resamples=200)
    assert row["ours"] == row["low"] == row["high"] == pytest.approx(25)  # half the words, every second seed


def test_figures_are_the_papers():
    assert TABLE_8["blog-best"][2] - TABLE_8["WSJ-best"][2] == pytest.approx(2.5)
    assert sum(TABLE_3.values()) == pytest.approx(50, abs=0.2)  # the top half
    assert TABLE_2[1][2] == 7_731 and set(LEVELS) > {key[2] for key in GRIDS}


def test_what_is_marked(shared_data):
    found = run_experiment("spitkovsky2010-table2", shared_data, quick=True)
    rows = {row["name"]: row for row in found["rows"]}
    assert rows["blog, 0 or more"]["ours"] == 300
    assert 0 < rows["news, 2 or more"]["ours"] < rows["news, 1 or more"]["ours"] < 300
    assert rows["web, 2 or more"]["paper"] == 4_934
