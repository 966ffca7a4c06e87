"""Analysis on the Constraints page: what lines are worth, errors, the gradient, versions compared, targets met."""

import time

import numpy as np
import pytest

from core.annotation import detach
from core.treebank import load_sample
from core.workspace.annotations import Annotations
from core.workspace.arc_lists import arcs_of_changes
from core.workspace.constraints.plan import choose_learner
from core.workspace.constraints.results import mistake_table, words_behind
from core.workspace.constraints.versions import expectation_table, keep_version, kept_versions
from core.workspace.registry import Systems
from tests.advising import finished
from tests.pages.conftest import add_to
from tests.pages.reading import pressed, said, shown, table, waited
from tests.patience import ended

WORTH = "ge-worth"
INFEASIBLE = "DET <- NOUN per modifier = 0.9\nDET <- VERB per modifier = 0.9\nROOT -> NOUN per modifier = 0.9\n"
LINES = "DET <- NOUN per modifier = 0.9\nDET <- NOUN dist 1..2 per modifier = 0.9\nNOUN <- VERB per modifier = 0.6\n"


def prepared(workspace):
    """Sixty sentences, and a run of three lines on them."""
    corpus = add_to(workspace, "sixty.conllu", load_sample().limit(60), LINES)
    choose_learner(workspace.store, corpus, "ge")
    ge = Systems(workspace)["ge"]
    finished(workspace, ge.train(ge.text(corpus), LINES))


@pytest.fixture
def corpus(workbench, project):
    return workbench.store.corpora(project)[-1]


@pytest.fixture
def run(ge, text):
    return ge.newest(text)


@pytest.fixture
def opened(open_page):
    """opened("targets") -> the Constraints page with that view of the run."""

    def opened(view="trees", **query):
        return open_page("constraints", {"ge_results": view}, **{"corpus": "sixty.conllu"} | query)

    return opened


def test_a_reading_that_was_stopped_says_so_and_the_next_says_what_lines_are_worth(opened, workbench, ge, text, run):
    job = workbench.jobs.start(text.corpus.project, WORTH, {"of": run.id}, _until_cancelled)
    app = pressed(opened("lines"), "ge_worth_cancel")
    ended(workbench, job, "cancelled")
    assert "was stopped" in said(app.run().caption)
    waited(pressed(app, "ge_worth_start"), workbench, WORTH)
    worth, _ = ge.ablation.latest(run)
    assert "could be dropped" in said(app.caption)
    assert worth.own[2] < -0.05 and 2 not in worth.removable  # nothing else says it
    assert len(worth.removable) == 1  # the two lines about determiners stand in for each other
    arcs = arcs_of_changes(worth.flips[2])
    app.session_state["ge_worth_row"] = 2
    app.run()
    heads = ge.outcome(text, run).heads
    assert np.array_equal(heads[text.treebank.offsets[arcs.sentences] + arcs.modifiers], arcs.others)
    assert f"Arcs it decides ({len(arcs):,})" in app.segmented_control(key="ge_worth_view").options
    pressed(app, f"ge_flips_{run.id}_2_open")
    assert app.segmented_control(key="ge_results").value == "trees"
    assert f"Sentence {arcs.sentences[0] + 1:,}" in said(app.caption)
    assert any(box.label.startswith(f"Head of {arcs.modifiers[0]} ") for box in app.selectbox)


def _until_cancelled(job):
    while not job.cancelled():
        time.sleep(0.01)


def test_targets_that_no_trees_meet_name_their_lines(opened, workbench, ge, text, save):
    run = finished(workbench, ge.train(text, save(INFEASIBLE)))
    app = opened("lines")
    waited(app, workbench, WORTH)
    assert ge.ablation.latest(run)[0].conflicting and "No trees meet all 3 targets at once" in said(app.caption)
    assert any("beside the others" in note for note in table(app, "without")["note"])
    assert "nearest possible share" in said(app.caption) or "the most possible" in said(app.caption)


def test_errors_are_counted_by_kind_and_every_count_opens_its_words(opened, ge, text, run, add):
    app = opened("mistakes")
    change = ge.change(text, run)
    found = ge.mistakes(ge.known(text), change.after)
    assert (found.tables.words, found.tables.correct) == (change.scored, change.right_after)
    assert f"{change.scored - change.right_after:,} of {change.scored:,} words have a wrong head" in said(app.caption)
    for by in ("head_tags", "modifier_tags", "directions", "distances", "false"):
        rows = mistake_table(found, by)
        for count in [name for name in rows if name != "kind"]:
            assert [len(words_behind(found, by, k, count)) for k in range(len(rows["kind"]))] == rows[count]
        shown(app, ge_mistakes_by=by)
    add("tagged.txt", "the/DET cat/NOUN sleeps/VERB\n")
    assert "no trees of its own" in said(opened("mistakes", corpus="tagged.txt").info)


def test_the_gradient_is_compared_on_a_sentence_with_its_figures_in_words(opened, ge, text, run):
    app = opened("gradient")
    found, alone = (ge.gradient(text, run, LINES, 0, *line) for line in ((), (3,)))
    assert f"is off by up to {found.largest_error:.0%} of the largest exact gradient" in said(app.markdown)
    assert f"moves {found.wrong_way.sum()} " in said(app.markdown)
    assert found.rounding < 1e-9 and app.get("plotly_chart")
    app.selectbox(key="ge_gradient_line").set_value(3).run()
    assert f"is off by up to {alone.largest_error:.0%}" in said(app.markdown)


def test_the_score_before_has_its_own_conditions(opened, workbench, ge, text, run):
    layer = Annotations(workbench, text.corpus)
    annotation, revision = layer.get(0)
    layer.write(0, detach(annotation, 1), revision, "c0", "x", proposal=f"run-{run.id}")
    layer.set_status(0, "done")
    finished(workbench, ge.train(ge.text(text.corpus), LINES.replace("0.6", "0.5")))
    before = "% before (1 sentence began from its own trees, so its score is too high)"
    assert before in said(opened().markdown)


def test_two_versions_are_compared_by_trees_scores_and_shares(opened, workbench, ge, text, run, save):
    keep_version(workbench.store, text.corpus, text.treebank, "one")
    source = save("DET <- NOUN per modifier = 0.9\n")
    app = pressed(shown(opened(), ge_view="versions"), "ge_version_compare")
    assert "Not trained yet with the current settings: **the current constraints**" in said(app.markdown)
    waited(pressed(app, "ge_version_train"), workbench, "ge-version")
    new = ge.version.model_of(text, source)
    assert ge.newest(text).id == run.id  # what the page shows as trained stays
    assert ge.version.model_of(text, f"# why\n{source.strip()}  # the\n").id == new.id  # comments make no other set
    assert ge.version.model_of(text, "\n".join(reversed(LINES.splitlines()))).id == run.id  # nor does the order
    assert ge.version.model_of(text, source.replace("0.9", "0.8")) is None
    change = ge.change(text, new, run)
    assert f"{int(change.moved.sum()):,} of {text.treebank.token_count:,} arcs moved" in said(app.markdown)
    assert f"{change.right_before / change.scored:.1%} before" in said(app.markdown)
    shown(app, ge_results="targets")
    found = expectation_table(text, LINES, source, change)
    assert (found["old"], found["new"]) == (["0.9", "0.9", "0.6"], ["0.9", "", ""])
    assert app.get("plotly_chart")
    assert "Not trained yet" not in said(pressed(app, "ge_compare_close").markdown)


def test_a_link_opens_a_version_and_the_comparison_with_another(opened, workbench, text, save):
    for target, name in ((0.9, "one"), (0.5, "two")):
        save(f"DET <- NOUN = {target}\n")
        keep_version(workbench.store, text.corpus, text.treebank, name)
    app = opened(version="one", version_to="two")
    two, one = kept_versions(workbench.store, text.corpus)
    assert (app.selectbox(key="version").value, app.selectbox(key="version_to").value) == (one.id, two.id)
    assert "1 changed" in said(app.caption) and "From **one** to **two**" in said(app.markdown)


def test_targets_stand_in_a_table_with_their_course(opened, run):
    app = opened("targets")
    found = table(app, "course")
    assert found["constraint"].tolist()[2] == "NOUN <- VERB per modifier"
    assert found["model"].tolist() == pytest.approx(run.figures["expectations"], abs=1e-6)
    app.session_state["ge_course_row"] = 1
    assert "matches" in said(app.run().markdown)
