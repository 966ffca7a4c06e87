"""Analysis on the Constraints page: what lines are worth, errors, the gradient, versions compared, targets met."""

import numpy as np
import pytest

from core.workspace.constraints.documents import save_text
from core.workspace.constraints.mistakes import mistake_table, words_behind
from core.workspace.constraints.versions import expectation_table, keep_version, kept_versions, model_of
from core.workspace.opened import arcs_of_flips
from tests.pages.reading import said

WORTH = "ge-worth"
INFEASIBLE = "DET <- NOUN per modifier = 0.9\nDET <- VERB per modifier = 0.9\nROOT -> NOUN per modifier = 0.9\n"
LINES = "DET <- NOUN per modifier = 0.9\nDET <- NOUN dist 1..2 per modifier = 0.9\nNOUN <- VERB per modifier = 0.6\n"


def trained(workbench, ge, text, source):
    """Train on a set; returns the Run."""
    save_text(workbench.store, text.corpus, source, "typing")
    workbench.jobs.wait(ge.train(text, source), timeout=120)
    return ge.newest(text)


def show(app, view):
    app.segmented_control(key="ge_results").set_value(view).run()
    assert not app.exception, app.exception
    return app


def waited(app, workbench, kind):
    """The page after the job of that kind has ended."""
    workbench.jobs.wait(workbench.store.runs(workbench.store.default_project(), kind)[0].id, timeout=120)
    app.run()
    assert not app.exception, app.exception
    return app


def test_lines_say_what_they_are_worth_and_open_the_arcs_they_decide(open_page, workbench, ge, text):
    run = trained(workbench, ge, text, LINES)
    app = waited(show(open_page("constraints"), "lines"), workbench, WORTH)
    worth, _ = ge.worth(run)
    assert "could be dropped" in said(app.caption)
    assert worth.own[2] < -0.05  # nothing else says it
    assert 2 not in worth.removable
    assert len(worth.removable) == 1  # the two lines about determiners stand in for each other
    arcs = arcs_of_flips(worth.flips[0])
    heads = ge.outcome(text, run).heads
    assert np.array_equal(heads[text.treebank.offsets[arcs.sentences] + arcs.modifiers], arcs.others)
    assert f"Arcs it decides ({len(arcs):,})" in app.segmented_control(key="ge_worth_view").options
    app.button(key=f"ge_flips_{run.id}_0_open").click().run()
    assert not app.exception
    assert app.segmented_control(key="ge_results").value == "trees"
    assert f"Sentence {arcs.sentences[0] + 1:,}" in said(app.caption)
    assert any(box.label.startswith(f"Head of {arcs.modifiers[0]} ") for box in app.selectbox)


def test_targets_that_no_trees_meet_name_their_lines(open_page, workbench, ge, text):
    run = trained(workbench, ge, text, INFEASIBLE)
    app = waited(show(open_page("constraints"), "lines"), workbench, WORTH)
    worth, _ = ge.worth(run)
    assert worth.culprits
    assert "No trees meet all 3 targets at once" in said(app.caption)
    assert any("at best" in note for note in app.dataframe[1].value["note"])
    assert "nearest possible share" in said(app.caption) or "the most possible" in said(app.caption)


def test_a_cancelled_reading_says_so_and_can_be_started_again(open_page, workbench, ge, text):
    run = trained(workbench, ge, text, LINES)
    job = workbench.jobs.start(text.corpus.project, WORTH, {"of": run.id}, _until_cancelled)
    app = show(open_page("constraints"), "lines")
    app.button(key="ge_worth_cancel").click().run()
    workbench.jobs.wait(job, timeout=20)
    app.run()
    assert "was stopped" in said(app.caption)
    app.button(key="ge_worth_start").click().run()
    waited(app, workbench, WORTH)
    assert "could be dropped" in said(app.caption)


def _until_cancelled(job):
    import time

    while not job.cancelled():
        time.sleep(0.01)


def test_errors_are_counted_by_kind_and_every_count_opens_its_words(open_page, workbench, ge, text):
    run = trained(workbench, ge, text, LINES)
    app = show(open_page("constraints"), "mistakes")
    change = ge.change(text, run)
    found = ge.mistakes(ge.known(text), change.after)
    assert found.tables.words == change.scored
    assert found.tables.correct == change.right_after
    assert f"{change.scored - change.right_after:,} of {change.scored:,} words have a wrong head" in said(app.caption)
    for table in ("head_tags", "modifier_tags", "directions", "distances", "false"):
        rows = mistake_table(found, table)
        for count in [name for name in rows if name != "kind"]:
            assert [len(words_behind(found, table, k, count)) for k in range(len(rows["kind"]))] == rows[count]
        app.segmented_control(key="ge_mistakes_by").set_value(table).run()
        assert not app.exception


def test_a_text_without_trees_has_no_errors_to_show(open_page, workbench):
    from core.workspace import add_corpus

    project = workbench.store.default_project()
    add_corpus(workbench.store, project, "tagged.txt", b"the/DET cat/NOUN sleeps/VERB\n")
    app = open_page(corpus="tagged.txt")
    app.switch_page("pages/constraints.py").run()
    show(app, "mistakes")
    assert "no trees of its own" in said(app.info)


def test_the_gradient_is_compared_on_a_sentence_with_its_figures_in_words(open_page, workbench, ge, text):
    save_text(workbench.store, text.corpus, LINES, "typing")
    app = show(open_page("constraints"), "gradient")
    found = ge.gradient(text, None, LINES, 0)
    assert f"is off by up to {found.largest_error:.0%} of the largest exact gradient" in said(app.markdown)
    assert f"moves {found.wrong_way.sum()} " in said(app.markdown)
    assert found.rounding < 1e-9
    assert app.get("plotly_chart")
    app.selectbox(key="ge_gradient_line").set_value(3).run()
    assert not app.exception
    alone = ge.gradient(text, None, LINES, 0, 3)
    assert f"is off by up to {alone.largest_error:.0%}" in said(app.markdown)


def test_two_versions_are_compared_by_trees_scores_and_shares(open_page, workbench, ge, text):
    store = workbench.store
    old = trained(workbench, ge, text, "DET <- NOUN per modifier = 0.9\n")
    keep_version(store, text.corpus, text.treebank, "one")
    save_text(store, text.corpus, LINES, "typing")
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("versions").run()
    app.button(key="ge_version_compare").click().run()
    assert not app.exception
    assert "Not trained yet with the current settings: **the current constraints**" in said(app.markdown)
    app.button(key="ge_version_train").click().run()
    waited(app, workbench, "ge-version")
    new = model_of(ge, text, LINES)
    assert ge.newest(text).id == old.id  # what the page shows as trained stays
    change = ge.change(text, new, old)
    assert f"**{int(change.moved.sum()):,}** of {text.treebank.token_count:,} arcs moved" in said(app.markdown)
    assert f"before {change.right_before / change.scored:.1%} ({change.right_before:,})" in said(app.markdown)
    show(app, "targets")
    table = expectation_table(text, old.constraint_text, LINES, change)
    assert table["old"] == ["0.9", "", ""]
    assert table["new"] == ["0.9", "0.9", "0.6"]
    assert app.get("plotly_chart")
    app.button(key="ge_compare_close").click().run()
    assert not app.exception
    assert "Not trained yet" not in said(app.markdown)


def test_a_link_to_a_version_opens_the_comparison(open_page, workbench, text):
    for line, name in (("DET <- NOUN = 0.9\n", "one"), ("DET <- NOUN = 0.5\n", "two")):
        save_text(workbench.store, text.corpus, line, "typing")
        keep_version(workbench.store, text.corpus, text.treebank, name)
    app = open_page("constraints", version="one", version_to="two")
    assert not app.exception
    assert app.selectbox(key="version_to").value == kept_versions(workbench.store, text.corpus)[0].id
    assert "From **one** to **two**" in said(app.markdown)


def test_comments_and_the_order_of_lines_make_no_other_set(workbench, ge, text):
    run = trained(workbench, ge, text, "DET <- NOUN = 0.9\nADJ <- NOUN = 0.5\n")
    assert model_of(ge, text, "# why\nADJ <- NOUN = 0.5\nDET <- NOUN = 0.9  # the\n").id == run.id
    assert model_of(ge, text, "DET <- NOUN = 0.8\nADJ <- NOUN = 0.5\n") is None


def test_targets_stand_in_a_table_with_their_course(open_page, workbench, ge, text):
    run = trained(workbench, ge, text, LINES)
    app = show(open_page("constraints"), "targets")
    table = next(frame.value for frame in app.dataframe if "course" in frame.value)
    assert table["constraint"].tolist()[2] == "NOUN <- VERB per modifier"
    assert table["model"].tolist() == pytest.approx(run.figures["expectations"], abs=1e-6)
    app.session_state["ge_course_row"] = 1
    app.run()
    assert not app.exception
    assert "matches" in said(app.markdown)
