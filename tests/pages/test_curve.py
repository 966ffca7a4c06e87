"""The learning curve on the Compare page: empty, measured, stopped half-way, and what gives none."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.evaluation import Extrapolation, NotKnown
from core.experiments.curves import measuring
from core.treebank import load_sample
from core.workspace.annotations import Annotations
from core.workspace.compare import curve_tables
from core.workspace.compare.curves import KIND, CurvePlan, LearningCurve, curve_view
from core.workspace.constraints.constraint_set import save_text
from core.workspace.registry import Systems, kind_name
from core.workspace.runs.list import main_figure
from tests.advising import finished
from tests.pages.reading import keys, pressed, said, shown, table, waited
from tests.patience import ended

LINES = "upos:DET <- upos:NOUN = 0.95\nROOT -> upos:VERB = 0.7\nupos:ADJ <- upos:NOUN = 0.9\n"
FAST = CurvePlan("trees", "first-order", 2)
OPEN = {"cmp_curve": True, "cmp_curve_learner_trees": "first-order", "cmp_curve_draws": 2}


@pytest.fixture
def systems(workbench):
    return Systems(workbench)


@pytest.fixture
def small(add):
    """The first forty sentences of the sample, as a text of the project."""
    return add("small.conllu", load_sample().limit(40))


@pytest.fixture
def opened(open_page):
    """opened(corpus, **state) -> the Compare page with the curve open."""
    return lambda corpus, **state: open_page("compare", corpus=corpus, state={"cmp_curve": True} | state)


def words_of(app):
    return said((*app.markdown, *app.caption))


def test_closed_it_says_nothing_and_open_it_says_what_it_would_show(open_page):
    assert "How accuracy grows" not in words_of(open_page("compare"))
    app = open_page("compare", state={"cmp_curve": True})
    assert "How accuracy grows with the trees of this text" in words_of(app)
    assert app.button(key="cmp_curve_start").label == "Measure"
    assert "words of text that are learnt from without trees" in words_of(shown(app, cmp_curve_by="words"))


def test_a_curve_is_measured_shown_and_listed_and_its_files_hold_its_points(opened, workbench, small):
    app = pressed(opened("small.conllu", **OPEN), "cmp_curve_start")
    run = waited(app, workbench, KIND)
    view, found = curve_view(workbench, run), table(app, "spread")
    assert not app.error and found["trees"].tolist()[:3] == [8, 16, 32]
    assert found["mean"].tolist()[:3] == pytest.approx(view.curve.means().tolist())
    held = load_sample().select(np.arange(4, 40, 5))
    words = int(((held.heads >= 0) & ~held.punctuation()).sum())
    for told in (f"of {words} words of every fifth tree", curve_tables.more_sentence(view, 32)):
        assert told in words_of(app)
    assert kind_name(run) == "learning curve" and main_figure(run).startswith("accuracy ")
    assert view.points == view.expected == 5 and "Partial" not in curve_tables.curve_note(view)
    assert curve_tables.curve_file(view).startswith("trees,extrapolated,draws,mean")
    assert curve_tables.curve_figure(view).startswith("<svg")
    assert len(set(map(len, curve_tables.curve_table(view).values()))) == 1
    chart = curve_tables.curve_chart(view)
    assert len(chart.sizes) == 3 and chart.ticks[:3] == [8, 16, 32]
    assert bool(chart.dashed[0]) == isinstance(view.law, Extrapolation) == bool(curve_tables.law_note(view))


def started(systems, corpus, plan):
    """Begin to measure a curve; returns the run's id."""
    curves = LearningCurve(systems)
    return curves.start(curves.inputs(corpus, plan), plan)


def stopped(systems, corpus, monkeypatch, after):
    """A run that somebody cancels when it has so many points."""
    train, count, jobs = measuring.trained_accuracy, [], systems["ge"].workspace.jobs

    def trained(material, size, draw, seed, cancel):
        count.append(size)
        if len(count) > after:
            jobs.cancel(run)
        return train(material, size, draw, seed, cancel)

    with monkeypatch.context() as patch:
        patch.setattr(measuring, "trained_accuracy", trained)
        run = started(systems, corpus, FAST)
        ended(systems["ge"].workspace, run, "cancelled")
    return systems["ge"].store.run(run)


def test_what_was_stopped_says_so_and_goes_on_to_the_same(opened, workbench, systems, small, monkeypatch):
    plan = "trees", "first-order"
    first = stopped(systems, small, monkeypatch, 0)
    assert curve_view(workbench, first) is None and LearningCurve(systems).latest(small, *plan) is None
    run = stopped(systems, small, monkeypatch, 2)
    view = curve_view(workbench, run)
    assert (view.points, view.expected) == (2, 5) and isinstance(view.law, NotKnown)
    app = opened("small.conllu", **OPEN)
    assert "Partial: 2 of 5 trainings" in words_of(app)
    assert "needs 3 sizes, and 2 sizes were measured" in words_of(app)
    pressed(app, "cmp_curve_resume")
    resumed = curve_view(workbench, finished(workbench, run.id))
    whole = finished(workbench, started(systems, small, FAST))
    np.testing.assert_array_equal(resumed.curve.accuracies, curve_view(workbench, whole).curve.accuracies)
    again = stopped(systems, small, monkeypatch, 0)  # before its first point: the curve before stands
    assert LearningCurve(systems).of(small, *plan)[0].id == again.id
    assert LearningCurve(systems).latest(small, *plan).run == whole.id
    app = opened("small.conllu", **OPEN)
    assert "words of every fifth tree" in words_of(app) and "Partial" not in words_of(app)
    assert app.button(key="cmp_curve_resume").label == "Resume"
    assert any(f"Run {again.id} was cancelled" in badge.value for badge in app.markdown)


def test_a_curve_belongs_to_the_lines_it_was_made_with(workbench, systems, small):
    save_text(workbench.store, small, LINES, "lines")
    run = finished(workbench, started(systems, small, CurvePlan("lines", "crf", 1)))
    assert LearningCurve(systems).of(small, "lines", "crf")[0].id == run.id
    assert not LearningCurve(systems).of(small, "lines", "grammar")
    save_text(workbench.store, small, LINES + "upos:ADP <- upos:NOUN = 0.9\n", "lines")
    assert not LearningCurve(systems).of(small, "lines", "crf")
    with pytest.raises(WorkbenchError, match=r"the text or the lines of run .* have changed since"):
        LearningCurve(systems).resume(run)


def test_trees_annotated_by_hand_are_learnt_from(workbench, systems, add):
    bare = load_sample().limit(30)
    corpus = add("bare.conllu", bare.with_heads(np.full(len(bare.heads), -1)))
    with pytest.raises(WorkbenchError, match=r"has 0 sentences with complete trees, and a curve needs 10"):
        started(systems, corpus, FAST)
    before = LearningCurve(systems).inputs(corpus, FAST).hash
    annotations = Annotations(workbench, corpus)
    for index in range(12):
        annotation, revision = annotations.get(index)
        heads = [int(head) for head in bare[index].heads[1:]]
        annotations.write(index, annotation.with_values({"heads": heads}), revision, f"c{index}", "drawing")
        annotations.set_status(index, "done")
    material = LearningCurve(systems).inputs(corpus, FAST).material
    assert (len(material.trees), len(material.test), len(material.text)) == (10, 2, 28)
    assert LearningCurve(systems).inputs(corpus, FAST).hash != before


def test_draws_are_bounded(systems, small):
    for draws in (0, 21):
        with pytest.raises(WorkbenchError, match=f"a curve takes 1 to 20 draws here, got {draws}"):
            started(systems, small, CurvePlan(draws=draws))


@pytest.mark.parametrize(
    ("by", "data", "lines", "message"),
    [
        ("trees", "the/DET cat/NOUN sleeps/VERB\n", None, "has 0 sentences with complete trees, and a curve needs 10"),
        ("lines", "the cat sleeps .\n", None, "t.txt has no tags yet; tag its words on the Corpus page"),
        ("lines", None, "# none yet\n", "needs lines to learn from; write at least one"),
    ],
)
def test_a_text_says_what_it_lacks(opened, add, by, data, lines, message):
    add("t.txt", data or load_sample().limit(40), lines)
    app = opened("t.txt", cmp_curve_by=by)
    if "cmp_curve_start" in keys(app.button):
        pressed(app, "cmp_curve_start")
    assert any(message in error.value for error in app.error)
    assert app.segmented_control(key="cmp_curve_by").value == by
