"""Files, tag mapping, notes at lines and the sentences behind a count, on the Constraints page."""

from pathlib import Path

from core.constraints import match_counts, parse_constraints
from core.workspace.constraints.documents import constraint_text, save_text
from tests.pages.reading import said

PENN = Path(__file__).resolve().parents[2] / "assets" / "constraints" / "druck2009-table1.txt"


def open_text(open_page):
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("text").run()
    assert not app.exception
    return app


def upload(app, name, data):
    app.file_uploader(key="ge_upload_0").upload(name, data, "text/plain").run()
    assert not app.exception


def test_an_upload_is_previewed_taken_in_and_undone(open_page, workbench, corpus):
    app = open_text(open_page)
    before = constraint_text(workbench.store, corpus, workbench.treebank(corpus))
    upload(app, "two.txt", b"DET <- NOUN per modifier = 0.5\nADV -> ADJ = 0.1\n")
    assert "two.txt, constraint file: 1 added, 1 changed · 14 the same" in said(app.caption)
    assert ":green[**+**] `ADV -> ADJ = 0.1`" in said(app.markdown)
    assert "`DET <- NOUN per modifier = 0.9 → 0.5`" in said(app.markdown)
    app.segmented_control(key="ge_upload_how").set_value(True).run()
    assert "14 removed" in said(app.caption)
    app.segmented_control(key="ge_upload_how").set_value(False).run()
    app.button(key="ge_upload_apply").click().run()
    after = constraint_text(workbench.store, corpus, workbench.treebank(corpus))
    assert after.endswith("ADV -> ADJ = 0.1\n")
    assert len(app.dataframe[0].value) == 16
    app.button(key="shared_undo").click().run()
    assert constraint_text(workbench.store, corpus, workbench.treebank(corpus)) == before
    assert not app.exception


def test_what_cannot_be_read_is_named_by_line_and_kept(open_page, workbench, corpus):
    app = open_text(open_page)
    upload(app, "m.txt", b"DET<-NOUN edge:0.9 no:0.1\nDET->NOUN edge:0.9 no:0.9\n")
    assert "1 line cannot be read; nothing is lost" in said(app.warning)
    table = app.dataframe[0].value
    assert table["Line" if "Line" in table else "line"].tolist() == [2]
    app.button(key="ge_upload_apply").click().run()
    text = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert "# line 2 of m.txt cannot be read: DET->NOUN edge:0.9 no:0.9" in text
    assert not app.exception


def test_a_file_that_is_no_text_is_refused_in_a_sentence(open_page):
    app = open_text(open_page)
    upload(app, "tree.png", b"\x89PNG\x00\x01")
    assert "tree.png, line 1: byte 0x89 is not UTF-8" in said(app.error)
    assert {"Text", "CSV", "MALLET"} <= {each.label for each in app.get("download_button")}


def test_another_tag_set_is_offered_a_mapping_that_can_be_undone(open_page, workbench, ge, corpus):
    source = PENN.read_text(encoding="utf-8")
    save_text(workbench.store, corpus, source, "typing")
    app = open_page("constraints")
    assert "These constraints use another tag set" in said(app.info)
    assert app.button(key="ge_map_column").label == "Train on the XPOS tags instead"
    app.button(key="ge_map").click().run()
    assert "`MD -> VB = 1.0` → `AUX -> VERB = 1.0`" in said(app.markdown)
    app.button(key="ge_map_apply").click().run()
    text = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    assert len(parse_constraints(text, ge.text(corpus).matcher)) == 20
    assert "another tag set" not in said(app.info)
    app.button(key="shared_undo").click().run()
    assert workbench.store.document(corpus.project, "constraints", str(corpus.id)) == source
    app.button(key="ge_map_column").click().run()
    assert ge.plan(corpus).tags == "xpos"
    assert not app.info
    assert not app.exception


def test_what_is_odd_stands_at_its_line_with_what_trees_can_reach(open_page, workbench, corpus):
    source = "ROOT -> VERB = 1.0\nDET <- NOUN = 0.3\nDET <- NOUN = 0.3\nDET <- NOUN = 0.1\nDET <- NUON = 0.2\n"
    source += "ADJ <- NOUN = 90\n"  # what refuses to train keeps trees from being asked what they can meet together
    save_text(workbench.store, corpus, source, "typing")
    app = open_page("constraints")
    notes = app.dataframe[0].value.iloc[:, -1].tolist()
    assert notes[0].startswith("⚠ at most 0.")
    assert notes[1] == ""
    assert notes[2:] == ["⚠ as line 2", "⚠ against line 2", "⚠ no NUON"]
    assert [error.value.split(":")[0] for error in app.error] == ["Line 6, column 15"]


def test_targets_that_no_trees_meet_together_stand_at_their_lines_and_train_all_the_same(
    open_page, workbench, ge, corpus
):
    save_text(workbench.store, corpus, "ADJ <- NOUN per modifier = 0.9\nADJ <- VERB per modifier = 0.9\n", "typing")
    text = ge.text(corpus)
    app = open_page("constraints")
    for _ in range(600):
        if ge.conflicts(text, "ADJ <- NOUN per modifier = 0.9\nADJ <- VERB per modifier = 0.9\n") is not None:
            break
        app.run()
    app.run()
    notes = app.dataframe[0].value.iloc[:, -1].tolist()
    assert any("nearest 0." in note or "against line" in note for note in notes), notes
    app.button(key="ge_train").click().run()
    run = workbench.store.runs(corpus.project, "ge")[0]
    assert workbench.jobs.wait(run.id, timeout=120).status == "done"
    assert not app.exception


def test_a_count_opens_its_sentences_with_the_words_marked(open_page, workbench, ge, corpus):
    app = open_page("constraints")
    constraint = parse_constraints("DET <- NOUN per modifier = 0.9")[0]
    count = match_counts([constraint], ge.text(corpus).matcher)[0]
    app.button(key="ge_form_all").click().run()
    assert not app.exception
    assert f"{count.denominator:,} of {count.denominator:,} · " in said(app.caption)
    marked = [each.value for each in app.markdown if each.value.startswith(":gray[") and ":orange[" in each.value]
    assert len(marked) == 12
    app.segmented_control(key="ge_places_kind").set_value("edges").run()
    assert f"{count.edges:,} of {count.denominator:,} · " in said(app.caption)
    assert not app.exception
