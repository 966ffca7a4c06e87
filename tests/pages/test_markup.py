"""The Mark-up page: verdicts on the sample, levels, tables that open their sentences, pages pasted and uploaded."""

import io
import time
import zipfile
from types import SimpleNamespace

import pytest

from core.markup import agreement, offending_arcs, sample_markup
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.system import Induction
from core.workspace.markup import reading
from core.workspace.markup.brackets import MarkQuery, MarkupRoom, find_marks, marked_text, verdict_drawing
from core.workspace.markup.pages import MEGA, add_pages, report_of
from core.workspace.markup.tables import TABLES, agreement_table, statistics_table
from tests.pages.reading import said

HOSTILE = (
    "<p>The <a href='javascript:alert(1)' onclick='alert(2)'>harbour <b>office</b></a> issued <i>a warning</i> today."
    "<script>alert(3)</script><img src=x onerror=alert(4)></p>"
)


@pytest.fixture(scope="module")
def sample():
    return marked_text(SimpleNamespace(id=1), sample_markup("sample").treebank)


def pasted(app, text):
    app.text_area(key="mk_pasted_0").set_value(text)
    app.button(key="mk_read").click().run()
    assert not app.exception, app.exception
    return app


def test_the_page_opens_on_verdicts_and_a_level_changes_them(open_page, sample):
    app = open_page("markup")
    expected = agreement(sample.treebank, sample.brackets).all
    assert f"{expected.hits['loose']:,} of {expected.brackets:,}" in said(app.markdown)
    app.segmented_control(key="level").set_value("strict").run()
    assert not app.exception
    assert f"{expected.hits['strict']:,} of {expected.brackets:,}" in said(app.markdown)
    app.segmented_control(key="mk_verdict").set_value("breaks").run()
    broken = expected.brackets - expected.hits["strict"]
    assert f"{broken:,} of {expected.brackets:,} brackets" in said(app.caption)
    for view in (*TABLES, "report"):
        app.segmented_control(key="mk_table").set_value(view).run()
        assert not app.exception
    assert "navigation" in app.dataframe[-2].value["why"].tolist()


def test_filters_and_tables_count_the_same_brackets(sample):
    table = agreement_table(sample)
    for level in ("strict", "loose", "sprawl", "tear"):
        broken = {mark.number for mark in find_marks(sample, MarkQuery(level=level, verdict="breaks"))}
        assert broken == table.behind(0, level)
    links = {mark.number for mark in find_marks(sample, MarkQuery(tag="a"))}
    assert links == table.behind(table.names.index("<a>"), "count")
    for name in TABLES:
        found = statistics_table(sample, name)
        counts = found.columns["brackets" if name in ("sizes", "cutoffs") else "count"]
        assert [len(row) for row in found.rows] == counts


def test_the_arcs_that_break_a_level_are_drawn_as_changed(sample):
    mark = find_marks(sample, MarkQuery(level="loose", verdict="breaks"))[0]
    drawing = verdict_drawing(sample, mark.sentence, "loose", mark.number)
    marked = {(arc.head, arc.modifier) for arc in drawing.arcs if arc.kind == "changed"}
    assert marked == set(offending_arcs(sample.treebank[mark.sentence].heads, mark.bracket, "loose"))
    assert ("changed", "7 4", "breaks the level") in drawing.legend


def test_a_hostile_page_becomes_a_parsed_text_with_brackets_and_nothing_else(open_page, workbench):
    app = pasted(open_page("markup"), HOSTILE)
    store = workbench.store
    corpus = store.corpora(store.default_project())[-1]
    assert app.selectbox(key="corpus").value == corpus.id
    treebank = workbench.treebank(corpus)
    assert treebank[0].text == "The harbour office issued a warning today."
    assert treebank[0].upos[1] == "DET"
    assert treebank[0].comment("markup") == "a 2-3 | b 3-3 | i 5-6"
    assert "trees by the English parser" in said(app.markdown)
    assert (treebank.heads[1:] == -1).all()  # what is kept, and trained on, has no trees that it did not bring
    induction = Induction(workbench).inputs(corpus, InductionPlan())
    assert induction.gold == 0 and induction.marked == 1
    assert "script" in report_of(store, corpus)["dropped"]


def test_pages_tagged_by_word_lists_have_no_verdicts_but_tables(open_page, workbench):
    app = open_page("markup")
    app.segmented_control(key="mk_reader").set_value("lists")
    pasted(app, HOSTILE)
    assert "no trees to judge them by" in said(app.markdown)
    corpus = workbench.store.corpora(workbench.store.default_project())[-1]
    assert workbench.treebank(corpus)[0].upos[1] == "DET"
    app.segmented_control(key="mk_table").set_value("sequences").run()
    assert not app.exception
    app.segmented_control(key="mk_table").set_value("productions").run()
    assert "needs trees" in said(app.info)


def test_waiting_says_for_what_and_how_far(workbench):
    store, told = workbench.store, []
    corpus_id, _ = add_pages(
        store, store.default_project(), [("page", HOSTILE)], progress=lambda share, doing: told.append(doing)
    )
    assert told == ["0 of 1 sentence tagged by the English tagger"]
    room, told = MarkupRoom(workbench), []
    room.text(store.corpus(corpus_id), lambda share, doing: told.append((share, doing)))
    assert told[0][1] == "Reading the text" and "Loading the English parser" in told[1][1]
    assert told[-1] == (1.0, "1 of 1 marked sentence parsed by the English parser")
    told.clear()
    sample = store.corpora(store.default_project())[0]
    room.text(sample, lambda share, doing: told.append((share, doing)))
    assert told[-1][0] == 1.0 and "pages read" in told[-1][1] and len(told) > 5
    told.clear()
    room.text(sample, lambda share, doing: told.append((share, doing)))
    assert not told  # it is kept


@pytest.mark.parametrize(("text", "message"), [("  ", "nothing to read"), ("<nav><a>Home</a></nav>", "no prose")])
def test_an_empty_page_and_one_without_prose_say_so_and_keep_what_was_pasted(open_page, workbench, text, message):
    app = pasted(open_page("markup"), text)
    assert message in said(app.error)
    assert app.text_area(key="mk_pasted_0").value == text
    assert len(workbench.store.corpora(workbench.store.default_project())) == 1


def test_archives_and_markdown_are_read_and_sizes_are_named(workbench):
    store = workbench.store
    project = store.default_project()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.html", HOSTILE)
        archive.writestr("../two.html", HOSTILE)
    _, report = add_pages(store, project, [("pages.bin", packed.getvalue())])
    assert (report.pages, len(report.skipped)) == (1, 1)
    corpus_id, report = add_pages(store, project, [("pasted page", "We saw *the old tower* near [the sea](x) today.")])
    assert report.brackets == 2
    assert store.corpus(corpus_id).name == "pasted page"
    with pytest.raises(ValueError, match="5 MB here"):
        add_pages(store, project, [("big.html", b"<p>" + b"a" * (5 * MEGA))])
    with pytest.raises(ValueError, match="no zip file"):
        add_pages(store, project, [("bad.zip", b"nothing packed")])


def test_a_reading_that_was_stopped_is_offered_and_what_it_read_is_kept(open_page, workbench, monkeypatch):
    project, report = workbench.store.default_project(), reading._Reporter.report

    def held(self, partial, message=""):
        report(self, partial, message)
        while partial.documents >= 3 and not self.job.cancelled():
            time.sleep(0.005)

    monkeypatch.setattr(reading, "REPORT_SECONDS", 0)
    monkeypatch.setattr(reading._Reporter, "report", held)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(40):
            archive.writestr(f"{number:02}.html", HOSTILE.replace("today", f"on day {number}"))
    run = reading.start_reading(workbench, project, [("pages.zip", packed.getvalue())], reader="nothing")
    while workbench.jobs.snapshot(run).iteration < 3:
        time.sleep(0.01)
    workbench.jobs.cancel(run)
    assert workbench.jobs.wait(run, 60).status == "cancelled"
    app = open_page("markup")
    assert "Reading **pages.zip** was cancelled after" in said(app.markdown)
    app.button(key="mk_reading_save").click().run()
    assert not app.exception
    corpus = workbench.store.corpora(project)[-1]
    assert app.selectbox(key="corpus").value == corpus.id and 3 <= len(workbench.treebank(corpus)) < 40
    assert "was cancelled" not in said(app.markdown)


def test_a_text_without_mark_up_says_what_to_do(open_page, workbench):
    from core.workspace import add_corpus

    add_corpus(workbench.store, workbench.store.default_project(), "plain.txt", b"the/DET cat/NOUN sleeps/VERB\n")
    app = open_page(corpus="plain.txt")
    app.switch_page("pages/markup.py").run()
    assert not app.exception
    assert "no mark-up" in said(app.markdown)
