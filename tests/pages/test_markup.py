"""The Mark-up page: verdicts on the sample, levels, tables that open their sentences, pages pasted and uploaded."""

import io
import zipfile
from functools import partial
from types import SimpleNamespace

import pytest

from core.markup import agreement, offending_arcs, sample_markup
from core.workspace import corpora
from core.workspace.applied import applied
from core.workspace.corpora import language_of
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.system import Induction
from core.workspace.markup import reading
from core.workspace.markup.brackets import MarkQuery, MarkupRoom, find_marks, marked_text, verdict_drawing
from core.workspace.markup.pages import add_pages, report_of
from core.workspace.markup.tables import TABLES, agreement_table, statistics_table
from core.workspace.registry import Systems
from tests.pages.reading import pressed, said, shown, waited_for
from tests.workspace.markup.stopping import stopped_at_first_report

HOSTILE = (
    "<p>The <a href='javascript:alert(1)' onclick='alert(2)'>harbour <b>office</b></a> issued <i>a warning</i> today."
    "<script>alert(3)</script><img src=x onerror=alert(4)></p>"
)
COUNT = 1500  # pages of a reading that is stopped
OPEN = {"mk_statistics": True}


@pytest.fixture(scope="module")
def marked():
    """The sample's mark-up."""
    return marked_text(SimpleNamespace(id=1), sample_markup("sample").treebank)


@pytest.fixture
def newest(workbench, project):
    """newest() -> the Corpus that was added last."""
    return lambda: workbench.store.corpora(project)[-1]


def pasted(app, text):
    return pressed(app.text_area(key="mk_pasted_0").set_value(text).run(), "mk_read")


def packed(pages):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in pages.items():
            archive.writestr(name, text)
    return file.getvalue()


def test_the_page_opens_on_verdicts_and_a_level_changes_them(open_page, marked):
    app, expected = open_page("markup", state=OPEN), agreement(marked.treebank, marked.brackets).all
    assert f"{expected.hits['loose']:,} of {expected.brackets:,}" in said(app.markdown)
    kept = marked.kept("loose")
    assert 0 < kept.kept < kept.judged == len(marked.of_sentence) and kept.words in said(app.markdown)
    assert {"Induction", "Constraints"} <= {link.proto.label for link in app.get("page_link")}
    shown(app, level="strict")
    assert f"{expected.hits['strict']:,} of {expected.brackets:,}" in said(app.markdown)
    shown(app, mk_verdict="breaks")
    broken = expected.brackets - expected.hits["strict"]
    assert f"{broken:,} of {expected.brackets:,} brackets" in said(app.caption)
    for view in (*TABLES, "report"):
        shown(app, mk_table=view)
    assert "navigation" in app.dataframe[-2].value["why"].tolist()


def test_brackets_are_judged_by_any_parse_and_its_relations(open_page, workbench, sample, marked):
    app = open_page("markup")
    app.get_by_key("mk_trees").set_value("english").run()
    assert "trees by English parser" in said(app.markdown) and not app.error
    bank = applied(Systems(workbench), sample, "english")
    under = MarkupRoom(workbench).under_parse(sample, "x", "English parser", lambda: bank)
    assert len(under.marks) == len(marked.marks) and under.judged == len(under.marks)
    assert under.treebank[3].heads.tolist() == bank[3].heads.tolist() and under.treebank[3].deprels == bank[3].deprels


def test_filters_and_tables_count_the_same_brackets(marked):
    table = agreement_table(marked)
    for level in ("strict", "loose", "sprawl", "tear"):
        broken = {mark.number for mark in find_marks(marked, MarkQuery(level=level, verdict="breaks"))}
        assert broken == table.behind(0, level)
    links = {mark.number for mark in find_marks(marked, MarkQuery(tag="a"))}
    assert links == table.behind(table.names.index("<a>"), "count")
    for name in TABLES:
        found = statistics_table(marked, name)
        counts = found.columns["brackets" if name in ("sizes", "cutoffs") else "count"]
        assert [len(row) for row in found.rows] == counts


def test_the_arcs_that_break_a_level_are_drawn_as_changed(marked):
    mark = find_marks(marked, MarkQuery(level="loose", verdict="breaks"))[0]
    drawing = verdict_drawing(marked, mark.sentence, "loose", mark.number)
    drawn = {(arc.head, arc.modifier) for arc in drawing.arcs if arc.kind == "changed"}
    assert drawn == set(offending_arcs(marked.treebank[mark.sentence].heads, mark.bracket, "loose"))
    assert ("changed", "7 4", "breaks the level") in drawing.legend


def test_a_hostile_page_becomes_a_parsed_text_with_brackets_and_nothing_else(open_page, workbench, newest):
    app, corpus = pasted(open_page("markup"), HOSTILE), newest()
    assert app.selectbox(key="corpus").value == corpus.id
    treebank = workbench.treebank(corpus)
    assert treebank[0].text == "The harbour office issued a warning today."
    assert (treebank[0].upos[1], treebank[0].comment("markup")) == ("DET", "a 2-3 | b 3-3 | i 5-6")
    assert "trees by the English parser" in said(app.markdown)
    assert (treebank.heads[1:] == -1).all()  # what is kept, and trained on, has no trees that it did not bring
    induction = Induction(workbench).inputs(corpus, InductionPlan())
    assert (induction.gold, induction.marked) == (0, 1)
    assert "script" in report_of(workbench.store, corpus)["dropped"]


def test_pages_tagged_by_word_lists_have_no_verdicts_but_tables(open_page, workbench, newest, add):
    app = open_page("markup", state=OPEN)
    app.segmented_control(key="mk_reader").set_value("lists")
    assert "no trees to judge them by" in said(pasted(app, HOSTILE).markdown)
    assert workbench.treebank(newest())[0].upos[1] == "DET"
    assert "needs trees" in said(shown(app, mk_table="sequences").segmented_control(key="mk_table")
                                 .set_value("productions").run().info)  # fmt: skip
    add("plain.txt", "the/DET cat/NOUN sleeps/VERB\n")
    assert "no mark-up" in said(open_page("markup", corpus="plain.txt").markdown)


def test_the_language_of_pages_is_shown_and_asked_where_it_is_unsure(open_page, workbench, newest):
    app = open_page("markup")
    spanish = "<p>El <a href=x>barco</a> salió del puerto muy temprano y <i>no ha vuelto</i> todavía.</p>"
    app.text_area(key="mk_pasted_0").set_value(spanish).run()
    assert app.selectbox(key="mk_language_0_es").value == "es" and "Which language" not in said(app.caption)
    reader = app.segmented_control(key="mk_reader")
    assert reader.value != "english" and "Spanish word lists, no trees" in reader.options
    pressed(app.selectbox(key="mk_language_0_es").set_value("gl").run(), "mk_read")
    assert workbench.treebank(newest())[0].comment("lang") == language_of(newest()) == "gl"
    app.text_area(key="mk_pasted_1").set_value("<p>Hm, <b>ok</b>!</p>").run()
    assert app.selectbox(key="mk_language_1_und").value == "und" and "Which language is this text in?" in said(
        app.caption
    )
    pressed(app, "mk_read")
    assert workbench.treebank(newest())[0].comment("lang") is None and language_of(newest()) == "und"


def test_contractions_of_pages_are_listed_and_cut_unless_somebody_says_no(open_page, workbench, newest):
    app = open_page("markup")
    page = "<p>Los vecinos <a href=x>del puerto</a> bajaron al muelle para <i>mirarlo</i> todos juntos.</p>"
    app.text_area(key="mk_pasted_0").set_value(page).run()
    assert app.checkbox(key="mk_contractions").label == "Cut contractions of Spanish into their parts"
    assert "3 unusual cuts, each listed once" in said(app.caption)
    pressed(app, "mk_read")
    assert " ".join(workbench.treebank(newest())[0].forms[3:6]) == "de el puerto"
    app.text_area(key="mk_pasted_1").set_value(page).run()
    pressed(app.checkbox(key="mk_contractions").set_value(False).run(), "mk_read")
    assert " ".join(workbench.treebank(newest())[0].forms[3:5]) == "del puerto"


def test_waiting_says_for_what_and_how_far(workbench, project, sample, monkeypatch):
    monkeypatch.setattr(corpora, "sample_markup", sample_markup)
    store, told = workbench.store, []
    corpus, _ = add_pages(store, project, [("page", HOSTILE)], progress=lambda share, doing: told.append(doing))
    assert told == ["0 of 1 sentence tagged by the English tagger"]
    room = MarkupRoom(workbench)

    def read(text):
        told.clear()
        room.text(text, lambda share, doing: told.append((share, doing)))
        return told

    read(store.corpus(corpus))
    assert told[0][1] == "Reading the text" and "Loading the English parser" in told[1][1]
    assert told[-1] == (1.0, "1 of 1 marked sentence parsed by the English parser")
    read(sample)
    assert told[-1][0] == 1.0 and "pages read" in told[-1][1] and len(told) > 5
    assert not read(sample)  # it is kept


def test_an_empty_page_and_one_without_prose_say_so_and_keep_what_was_pasted(open_page, workbench, project):
    app = open_page("markup")
    for text, message in (("  ", "othing to read"), ("<nav><a>Home</a></nav>", "No prose")):
        assert message in said(pasted(app, text).error)
        assert app.text_area(key="mk_pasted_0").value == text
    assert len(workbench.store.corpora(project)) == 1


def test_archives_and_markdown_are_read(workbench, project):
    archive = packed({"one.html": HOSTILE, "../two.html": HOSTILE})
    _, report = add_pages(workbench.store, project, [("pages.bin", archive)])
    assert (report.pages, len(report.skipped)) == (1, 1)
    pasted = "We saw *the old tower* near [the sea](x) today."
    corpus, report = add_pages(workbench.store, project, [("pasted page", pasted)])
    assert report.brackets == 2 and workbench.store.corpus(corpus).name == "pasted page"
    with pytest.raises(ValueError, match="no zip file"):
        add_pages(workbench.store, project, [("bad.zip", b"nothing packed")])


def test_a_stopped_reading_is_offered_to_be_kept(open_page, workbench, project, newest, monkeypatch):
    pages = packed({f"{number:04}.html": HOSTILE.replace("today", f"on day {number}") for number in range(COUNT)})
    begin = partial(reading.PageReading(workbench).start_on, project, [("pages.zip", pages)], reader="nothing")
    stopped_at_first_report(workbench.jobs, begin, monkeypatch)
    app = open_page("markup")
    assert "Reading **pages.zip** was cancelled after" in said(app.markdown)
    pressed(app, "mk_reading_save")
    assert app.selectbox(key="corpus").value == newest().id and 0 < len(workbench.treebank(newest())) < COUNT
    assert "was cancelled" not in said(app.markdown)


def test_a_large_page_is_read_apart_before_it_can_be_imported(open_page, workbench, newest, project):
    page = "<p>The <a href=x>harbour office</a> number {} issued <i>a warning</i> on Monday.</p>"
    app = open_page("markup")
    app.text_area(key="mk_pasted_0").set_value("".join(map(page.format, range(1500)))).run()
    assert app.button(key="mk_read").disabled and app.button(key="mk_pages_stop")
    app = waited_for(app)
    app.segmented_control(key="mk_reader").set_value("nothing")
    pressed(app, "mk_read")
    (run,) = workbench.store.runs(project, reading.KIND)
    assert workbench.jobs.wait(run.id, 600).status == "done"
    assert len(workbench.treebank(newest())) == 1500


STORY = (
    "<title>Harbour news</title><link rel=canonical href=https://harbour.example/1><nav><a href=/>Home</a></nav>"
    "<article>The <a href=/o>harbour office</a> warned of <span class=term>rogue waves</span> on Monday.</article>"
    "<div class=notes>Nobody <b>was hurt</b> in the town.</div>"
)


def test_selectors_choose_what_is_imported_are_previewed_and_remembered_for_the_site(open_page, workbench, newest):
    app = open_page("markup")
    app.text_area(key="mk_pasted_0").set_value(STORY).run()
    drop = app.text_area(key="mk_drop_0_harbour.example")
    assert drop.value.startswith("footer, menu, nav, search") and drop.value.endswith(".noprint, #noprint")
    assert app.dataframe[0].value["kept"].tolist() == ["✗ head", "✗ navigation", "✓", "✓"]
    drop.set_value(f"{drop.value}, .notes, .absent")
    app.text_input(key="mk_marks_0_harbour.example").set_value("span.term").run()
    assert app.dataframe[0].value["kept"].tolist() == ["✗ head", "✗ navigation", "✓", "✗ left out"]
    assert ".notes: 1 element" in said(app.caption) and ".absent: 0 elements" in said(app.caption)
    assert "Harbour news" in said(app.caption)
    pressed(app, "mk_read")
    assert [sentence.text for sentence in workbench.treebank(newest())] == [
        "The harbour office warned of rogue waves on Monday."
    ]
    assert workbench.treebank(newest())[0].comment("markup") == "a 2-3 | span 6-7"
    assert report_of(workbench.store, newest())["selectors"] == {
        "select": "", "drop": ":--furniture, .notes, .absent", "marks": "span.term",
    }  # fmt: skip
    app.session_state["mk_in_page"] = True
    app.run()
    assert "html > body > article > a" in said(app.markdown) and "span.term" in said(app.markdown)
    assert any(code.value.startswith("<span class=term>rogue waves</span>") for code in app.code)
    app.text_area(key="mk_pasted_1").set_value(STORY).run()
    assert app.text_area(key="mk_drop_1_harbour.example").value.endswith("#noprint, .notes, .absent")
    assert "Pages of harbour.example were read with other selectors" in said(app.caption)


def test_what_is_no_selector_is_a_sentence_and_nothing_is_imported(open_page, workbench, project):
    app = open_page("markup")
    app.text_area(key="mk_pasted_0").set_value(STORY).run()
    app.text_input(key="mk_select_0_harbour.example").set_value("div >").run()
    assert "of select is no CSS selector" in said(app.error) and app.button(key="mk_read").disabled
    app.text_input(key="mk_select_0_harbour.example").set_value(".absent").run()
    assert "'.absent' chooses nothing on it" in said(app.caption)
    assert "'.absent' chooses nothing on it" in said(pressed(app, "mk_read").error)
    assert len(workbench.store.corpora(project)) == 1


def test_a_text_without_places_says_that_it_has_none(open_page):
    app = open_page("markup", state={"mk_in_page": True})
    assert "Where the brackets stand in their pages was not kept" in said(app.caption)
