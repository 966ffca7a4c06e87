"""Files, tag mapping, notes at lines and the sentences behind a count, on the Constraints page."""

import re

from core.constraints import match_counts, parse_constraints
from core.constraints.ge.baselines import constraint_baseline
from core.evaluation import attachment_scores
from core.treebank import conllu_text
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.coverage import KINDS
from core.workspace.constraints.ready_sets import baseline_score
from tests.pages.conftest import ROOT
from tests.pages.reading import pressed, said, shown, waited

PENN = ROOT / "assets" / "constraints" / "druck2009-table1.txt"


def open_text(open_page):
    return shown(open_page("constraints"), ge_view="text")


def upload(app, name, data):
    return app.file_uploader(key="ge_upload_0").upload(name, data, "text/plain").run()


def notes(app):
    return app.dataframe[0].value.iloc[:, -1].tolist()


def test_an_upload_is_previewed_taken_in_and_undone(open_page, workbench, corpus):
    def source():
        return constraint_text(workbench.store, corpus, workbench.treebank(corpus))

    app, before = open_text(open_page), source()
    upload(app, "two.txt", b"DET <- NOUN per modifier = 0.5\nADV -> ADJ = 0.1\n")
    assert "two.txt, constraint file: 1 added, 1 changed · 14 the same" in said(app.caption)
    assert ":green[**+**] `ADV -> ADJ = 0.1`" in said(app.markdown)
    assert "`DET <- NOUN per modifier = 0.9 → 0.5`" in said(app.markdown)
    assert "14 removed" in said(shown(app, ge_upload_how=True).caption)
    pressed(shown(app, ge_upload_how=False), "ge_upload_apply")
    assert source().endswith("ADV -> ADJ = 0.1\n") and app.session_state["ge_view"] == "text"
    assert len(shown(app, ge_view="table").dataframe[0].value) == 16
    pressed(app, "shared_undo")
    assert source() == before


def test_what_cannot_be_read_is_named_by_line_and_kept_and_no_text_is_refused(open_page, lines):
    app = upload(open_text(open_page), "m.txt", b"DET<-NOUN edge:0.9 no:0.1\nDET->NOUN edge:0.9 no:0.9\n")
    assert "1 line cannot be read; nothing is lost" in said(app.warning)
    table = app.dataframe[0].value
    assert table["Line" if "Line" in table else "line"].tolist() == [2]
    pressed(app, "ge_upload_apply")
    assert "# line 2 of m.txt cannot be read: DET->NOUN edge:0.9 no:0.9" in lines()
    app = upload(open_text(open_page), "tree.png", b"\x89PNG\x00\x01")
    assert "tree.png: this is a picture" in said(app.error)
    assert {"Text", "CSV", "MALLET"} <= {each.label for each in app.get("download_button")}


def test_another_tag_set_is_offered_a_mapping_that_can_be_undone(open_page, ge, corpus, save, lines):
    source = save(PENN.read_text(encoding="utf-8"))
    app = open_page("constraints")
    assert "These constraints use another tag set" in said(app.info)
    assert app.button(key="ge_map_column").label == "Train on the XPOS tags instead"
    assert "`MD -> VB = 1.0` → `AUX -> VERB = 1.0`" in said(pressed(app, "ge_map").markdown)
    assert "another tag set" not in said(pressed(app, "ge_map_apply").info)
    assert len(parse_constraints(lines(), ge.text(corpus).matcher)) == 20
    pressed(app, "shared_undo")
    assert lines() == source
    assert not pressed(app, "ge_map_column").info and ge.plan(corpus).tags == "xpos"


def test_what_is_odd_stands_at_its_line_with_what_trees_can_reach(open_page, save):
    save(
        "ROOT -> VERB = 1.0\nDET <- NOUN = 0.3\nDET <- NOUN = 0.3\nDET <- NOUN = 0.1\nDET <- NUON = 0.2\n"
        "ADJ <- NOUN = 90\n"  # what refuses to train keeps trees from being asked what they can meet together
    )
    app = open_page("constraints")
    first, *others = notes(app)
    assert first.startswith("⚠ at most 0.") and others == ["", "⚠ as line 2", "⚠ against line 2", "⚠ no NUON"]
    assert [error.value.split(":")[0] for error in app.error] == ["Line 6, column 15"]


def test_targets_that_no_trees_meet_together_are_told_and_train_all_the_same(open_page, workbench, ge, sixty):
    source = "ADJ <- NOUN per modifier = 0.9\nADJ <- VERB per modifier = 0.9\n"
    text = ge.text(sixty(source))
    app = open_page("constraints", corpus="sixty.conllu")
    while ge.conflicts(text, source) is None:
        app.run()
    found = notes(app.run())
    assert any("nearest 0." in note or "against line" in note for note in found), found
    waited(pressed(app, "ge_train"), workbench, "ge")


def test_a_count_opens_its_sentences_with_the_words_marked(open_page, text):
    count = match_counts(parse_constraints("DET <- NOUN per modifier = 0.9"), text.matcher)[0]
    app = pressed(open_page("constraints"), "ge_form_all")
    assert f"{count.denominator:,} of {count.denominator:,} · " in said(app.caption)
    marked = [each.value for each in app.markdown if each.value.startswith(":gray[") and ":orange[" in each.value]
    assert len(marked) == 12
    assert f"own trees {count.edges:,} of {count.denominator:,}" in said(app.caption)
    assert list(app.segmented_control(key="ge_places_kind").options) == list(KINDS.values())


def test_a_set_that_comes_along_or_is_counted_in_the_trees_is_previewed_and_taken(open_page, lines):
    app = open_text(open_page)
    shown(app, ge_ready_0="druck2009-table1")
    assert "druck2009-table1.txt, constraint file: 20 added" in said(app.caption)
    shown(app, ge_ready_0="counted")
    assert "20 counted.txt, constraint file:" in said(app.caption)
    app.number_input(key="ge_ready_0_sequences").set_value(3).run()
    assert "23 counted.txt, constraint file:" in said(app.caption)
    pressed(shown(app, ge_upload_how=True), "ge_upload_apply")
    assert (len(parse_constraints(lines())) == 23 and "between" in lines()) or "before" in lines()
    assert app.selectbox(key="ge_ready_1").value == ""


def test_the_baseline_of_the_constraints_alone_is_scored_where_trees_are_known(open_page, add, workbench, corpus):
    counted = [each for each in open_text(open_page).caption if "Without any training" in each.value]
    right, of = re.search(r"\(([\d,]+) of ([\d,]+), no punctuation", counted[0].value).groups()
    treebank = workbench.treebank(corpus)
    source = constraint_text(workbench.store, corpus, treebank)
    matching = parse_constraints(source)
    scores = attachment_scores(treebank, constraint_baseline(treebank, matching, tags="upos"), punctuation=False)
    assert int(of.replace(",", "")) <= scores.words and int(right.replace(",", "")) > 0
    assert baseline_score(treebank, source, "upos") == (scores.heads, scores.words)
    bare = treebank.with_heads(treebank.heads * 0 - 1)
    assert baseline_score(bare, source, "upos") is None and baseline_score(treebank, "A -> B = 1\n", "upos") is None
    add("bare.conllu", conllu_text(bare.limit(5).to_conllu()))
    app = shown(open_page("constraints", corpus="bare.conllu"), ge_view="text")
    assert "Without any training" not in said(app.caption)
    assert "counted in gold trees, and sentence 1 has a word without a head" in said(
        shown(app, ge_ready_0="counted").error
    )
