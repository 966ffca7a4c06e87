"""The learning curve on the Compare page: empty, measured, stopped half-way, and what gives none."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.evaluation import Extrapolation, NotKnown
from core.experiments.curves import learner_named, measuring
from core.treebank import conllu_text, load_sample
from core.workspace import add_corpus
from core.workspace.annotations import Annotations
from core.workspace.compare import curves
from core.workspace.compare.curve_tables import (
    curve_chart,
    curve_figure,
    curve_file,
    curve_note,
    curve_table,
    law_note,
    more_sentence,
)
from core.workspace.compare.curves import (
    KIND,
    CurvePlan,
    curve_view,
    material_of,
    newest_curve,
    newest_view,
    resume_curve,
    start_curve,
)
from core.workspace.constraints.documents import save_text
from core.workspace.registry import Systems, kind_name
from core.workspace.runs.list import main_figure

LINES = "upos:DET <- upos:NOUN = 0.95\nROOT -> upos:VERB = 0.7\nupos:ADJ <- upos:NOUN = 0.9\n"
FAST = CurvePlan("trees", "first-order", 2)
OPEN = {"cmp_curve": True, "cmp_curve_learner_trees": "first-order", "cmp_curve_draws": 2}


@pytest.fixture
def small(workbench, sample):
    """The first forty sentences of the sample, as a text of the project."""
    data = conllu_text(load_sample().limit(40)).encode()
    corpus, _ = add_corpus(workbench.store, sample.project, "small.conllu", data)
    return workbench.store.corpus(corpus)


def measured(workbench, corpus, plan=FAST):
    run = start_curve(Systems(workbench), corpus, plan)
    assert workbench.jobs.wait(run, timeout=120).status == "done"
    return workbench.store.run(run)


def said(app):
    return " ".join(str(element.value) for element in (*app.markdown, *app.caption))


def test_closed_it_says_nothing_and_open_it_says_what_it_would_show(open_page):
    assert "How accuracy grows" not in said(open_page("compare"))
    app = open_page("compare", state={"cmp_curve": True})
    assert "How accuracy grows with the trees of this text" in said(app)
    assert app.button(key="cmp_curve_start").label == "Measure"
    app.segmented_control(key="cmp_curve_by").set_value("words").run()
    assert not app.exception and "words of text that are learnt from without trees" in said(app)


def test_a_curve_is_measured_and_shown_with_what_more_would_bring(open_page, workbench, small):
    app = open_page("compare", corpus="small.conllu", state=OPEN)
    app.button(key="cmp_curve_start").click().run()
    (run,) = workbench.store.runs(small.project, KIND)
    assert workbench.jobs.wait(run.id, timeout=120).status == "done"
    app.run()
    assert not app.exception and not app.error
    table = next(frame.value for frame in app.dataframe if "spread" in frame.value.columns)
    assert table["trees"].tolist()[:3] == [8, 16, 32]
    view = curve_view(workbench, workbench.store.run(run.id))
    assert table["mean"].tolist()[:3] == pytest.approx(view.curve.means().tolist())
    held = load_sample().select(np.arange(4, 40, 5))
    words = int(((held.heads >= 0) & ~held.punctuation()).sum())
    assert f"of {words} words of every fifth tree" in said(app)
    assert more_sentence(view, 32) in said(app)


def test_a_run_is_listed_and_its_files_hold_its_points(workbench, small):
    run = measured(workbench, small)
    assert kind_name(run) == "learning curve" and main_figure(run).startswith("accuracy ")
    view = curve_view(workbench, run)
    assert view.points == view.expected == 5 and not view.is_partial
    assert "Partial" not in curve_note(view)
    assert curve_file(view).startswith("trees,extrapolated,draws,mean") and curve_figure(view).startswith("<svg")
    assert len(set(map(len, curve_table(view).values()))) == 1
    chart = curve_chart(view)
    assert len(chart.sizes) == 3 and chart.ticks[:3] == [8, 16, 32]
    assert bool(chart.dashed[0]) == isinstance(view.found, Extrapolation) == bool(law_note(view))


def stopped(workbench, corpus, monkeypatch, after):
    """A run that somebody cancels when it has so many points."""
    train, count = measuring._trained, []

    def trained(material, size, draw, seed, cancel):
        count.append(size)
        if len(count) > after:
            workbench.jobs.cancel(run)
        return train(material, size, draw, seed, cancel)

    with monkeypatch.context() as patch:
        patch.setattr(measuring, "_trained", trained)
        run = start_curve(Systems(workbench), corpus, FAST)
        assert workbench.jobs.wait(run, timeout=120).status == "cancelled"
    return workbench.store.run(run)


def test_what_was_stopped_keeps_its_points_says_so_and_goes_on_to_the_same(open_page, workbench, small, monkeypatch):
    whole = curve_view(workbench, measured(workbench, small))
    run = stopped(workbench, small, monkeypatch, 2)
    view = curve_view(workbench, run)
    assert (view.points, view.expected) == (2, 5) and view.is_partial and isinstance(view.found, NotKnown)
    app = open_page("compare", corpus="small.conllu", state=OPEN)
    assert "Partial: 2 of 5 trainings" in said(app) and "needs 3 sizes, and 2 sizes were measured" in said(app)
    app.button(key="cmp_curve_resume").click().run()
    assert not app.exception and workbench.jobs.wait(run.id, timeout=120).status == "done"
    after = curve_view(workbench, workbench.store.run(run.id))
    np.testing.assert_array_equal(after.curve.accuracies, whole.curve.accuracies)


def test_a_run_stopped_before_its_first_point_shows_the_curve_before_if_there_is_one(
    open_page, workbench, small, monkeypatch
):
    systems, plan = Systems(workbench), ("trees", "first-order")
    first = stopped(workbench, small, monkeypatch, 0)
    assert curve_view(workbench, first) is None and newest_view(systems, small, *plan) is None
    whole = measured(workbench, small)
    again = stopped(workbench, small, monkeypatch, 0)
    assert newest_curve(systems, small, *plan).id == again.id
    assert newest_view(systems, small, *plan).run == whole.id
    app = open_page("compare", corpus="small.conllu", state=OPEN)
    assert "words of every fifth tree" in said(app) and "Partial" not in said(app)
    assert app.button(key="cmp_curve_resume").label == "Resume"
    assert any(f"Run {again.id} was cancelled" in badge.value for badge in app.markdown)


def test_a_curve_belongs_to_the_lines_it_was_made_with(workbench, small):
    systems = Systems(workbench)
    save_text(workbench.store, small, LINES, "lines")
    plan = CurvePlan("lines", "crf", 1)
    run = measured(workbench, small, plan)
    assert newest_curve(systems, small, "lines", "crf").id == run.id
    assert newest_curve(systems, small, "lines", "grammar") is None
    save_text(workbench.store, small, LINES + "upos:ADP <- upos:NOUN = 0.9\n", "lines")
    assert newest_curve(systems, small, "lines", "crf") is None
    with pytest.raises(WorkbenchError, match=r"the text or the lines of run .* have changed since"):
        resume_curve(systems, run)


def test_trees_annotated_by_hand_are_learnt_from(workbench, sample):
    bare = load_sample().limit(30)
    data = conllu_text(bare.with_heads(np.full(len(bare.heads), -1))).encode()
    corpus = workbench.store.corpus(add_corpus(workbench.store, sample.project, "bare.conllu", data)[0])
    systems = Systems(workbench)
    with pytest.raises(WorkbenchError, match=r"has 0 sentences with complete trees, and a curve needs 10"):
        start_curve(systems, corpus, FAST)
    before = curves._hash(systems, corpus, learner_named("trees"))
    annotations = Annotations(workbench, corpus)
    for index in range(12):
        annotation, revision = annotations.get(index)
        heads = tuple(int(head) for head in bare[index].heads)
        annotations.write(index, annotation.with_values({"heads": list(heads[1:])}), revision, f"c{index}", "drawing")
    material = material_of(systems, corpus, FAST)
    assert (len(material.trees), len(material.test), len(material.text)) == (10, 2, 28)
    assert curves._hash(systems, corpus, learner_named("trees")) != before


@pytest.mark.parametrize("draws", [0, 21])
def test_draws_are_bounded(workbench, small, draws):
    with pytest.raises(WorkbenchError, match=f"a curve takes 1 to 20 draws here, got {draws}"):
        start_curve(Systems(workbench), small, CurvePlan(draws=draws))


def test_a_text_without_trees_says_what_it_lacks(open_page, workbench, sample):
    add_corpus(workbench.store, sample.project, "plain.txt", b"the/DET cat/NOUN sleeps/VERB\n")
    app = open_page("compare", corpus="plain.txt", state={"cmp_curve": True})
    app.button(key="cmp_curve_start").click().run()
    assert not app.exception
    assert any("has 0 sentences with complete trees, and a curve needs 10" in error.value for error in app.error)


def test_a_text_without_tags_says_so_where_lines_are_learnt_from(open_page, workbench, sample):
    add_corpus(workbench.store, sample.project, "raw.txt", b"the cat sleeps .\nthe dog runs .\n")
    app = open_page("compare", corpus="raw.txt", state={"cmp_curve": True, "cmp_curve_by": "lines"})
    assert any("raw.txt has no tags yet; tag its words on the Corpus page" in error.value for error in app.error)
    assert app.segmented_control(key="cmp_curve_by").value == "lines"


def test_without_lines_a_curve_by_lines_says_to_write_some(open_page, workbench, small):
    save_text(workbench.store, small, "# none yet\n", "lines")
    app = open_page("compare", corpus="small.conllu", state={"cmp_curve": True, "cmp_curve_by": "lines"})
    app.button(key="cmp_curve_start").click().run()
    assert any("needs lines to learn from; write at least one" in error.value for error in app.error)
