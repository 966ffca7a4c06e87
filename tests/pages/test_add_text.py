"""Adding a text: the preview of what is pasted or uploaded, its name, its tags; and tagging it afterwards."""

import io
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from core.workspace.corpus.drafts import add_draft, read_draft
from tests.pages.conftest import TIMEOUT
from tests.pages.reading import said

LINES = 'The captain told nobody about the storm\n"No" he said\nThe harbour was empty\n'


@pytest.fixture
def panel(workbench):
    """The dialog's fields after their first run; AppTest closes a dialog with each run, so they stand alone."""

    def script():
        from pages.shared.corpus.upload import import_panel

        import_panel()

    app = AppTest.from_function(script, default_timeout=TIMEOUT).run()
    assert not app.exception
    return app


def paste(app, text):
    app.text_area(key="upload_text").set_value(text).run()
    assert not app.exception, app.exception
    return app


def field(app, key):
    """The widget whose key begins so."""
    return next(each for each in (*app.text_input, *app.selectbox) if each.key.startswith(key))


def test_nothing_is_added_before_something_is_pasted(panel):
    assert panel.button(key="upload_add").disabled
    assert paste(panel, " \n ").button(key="upload_add").disabled
    assert not panel.error


def test_pasted_lines_are_previewed_named_tagged_and_added(panel, workbench, project):
    paste(panel, LINES)
    assert "Detected: **one sentence per line** · **3 sentences** · **16 words** · no tags · no trees" in said(
        panel.markdown
    )
    assert "1. The\u2002captain\u2002told" in said(panel.markdown)
    assert field(panel, "upload_name").value == "The captain told nobody about …"
    assert field(panel, "upload_reader").value == "english"
    field(panel, "upload_name").set_value("Harbour notes").run()
    panel.button(key="upload_add").click().run()
    assert not panel.exception
    corpus = workbench.store.corpora(project)[-1]
    assert corpus.name == "Harbour notes"
    assert [sentence.text for sentence in workbench.treebank(corpus)][1] == '"No" he said'
    assert workbench.treebank(corpus)[0].upos[1] == "DET"


def test_another_language_gets_no_tags_and_another_format_another_cut(panel, workbench, project):
    paste(panel, "kissa nukkuu. koira haukkuu.\nlinnut laulavat.")
    assert "Detected: **running text** · **3 sentences**" in said(panel.markdown)
    assert field(panel, "upload_reader").value == "nothing"
    panel.selectbox(key="upload_format").set_value("lines").run()
    assert "Read as: **one sentence per line** · **2 sentences**" in said(panel.markdown)
    panel.button(key="upload_add").click().run()
    corpus = workbench.store.corpora(project)[-1]
    assert len(workbench.treebank(corpus)) == 2 and not workbench.treebank(corpus).upos.filled


def test_right_to_left_lines_keep_their_stops_in_place(panel):
    paste(panel, "القطة تنام.\nالكلب ينبح.")
    assert "**2 sentences**" in said(panel.markdown)
    assert "1. \u2068القطة\u2002تنام\u2002.\u2069" in said(panel.markdown)


def test_a_treebank_is_drawn_and_asked_for_no_tagger(panel):
    paste(panel, "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    assert "**CoNLL-U** · **1 sentence** · **2 words** · 2 tags · 1 tree" in said(panel.markdown)
    assert panel.get("bidi_component") and len(panel.selectbox) == 2
    assert field(panel, "upload_name").value == "pasted text"


def test_a_file_is_read_once_and_goes_before_pasted_text(panel, monkeypatch):
    reads = []
    from core.workspace.corpus import drafts as module

    read = module.read_draft
    monkeypatch.setattr(module, "read_draft", lambda *given: reads.append(given[0]) or read(*given))
    paste(panel, LINES)
    panel.file_uploader(key="upload_file").upload("notes.txt", b"Birds sing\nDogs bark\n", "text/plain").run()
    assert "**2 sentences**" in said(panel.markdown) and "The file is imported" in said(panel.caption)
    assert field(panel, "upload_name").value == "notes.txt"
    panel.button(key="upload_add").click().run()
    assert reads == ["pasted text", "notes.txt"]


def packed(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "text")
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("story.docx", packed("word/document.xml"), "story.docx: this is a Word document; save it as plain text"),
        ("story.pdf", b"%PDF-1.7", "story.pdf: this is a PDF; copy its text"),
        ("words.xlsx", packed("xl/workbook.xml"), "words.xlsx: this is an Excel spreadsheet; copy the sentences"),
        ("texts.zip", packed("one.txt"), "texts.zip: this is a zip file; unpack it"),
        ("words.csv", b"id,text\n1,hello there\n", "words.csv: this is a table, with commas"),
        ("copied.txt", b"1 The _ DET _ _ 2 det _ _\n", "copied.txt, line 1, sentence 1: the columns are separated by"),
        (
            "latin.txt",
            "café".encode("latin-1"),
            "latin.txt, line 1: byte 0xe9 at position 3 is not utf-8; save the file as UTF-8, or say",
        ),
        ("empty.txt", b"", "empty.txt: this file is empty"),
    ],
)
def test_what_cannot_be_read_says_so_in_place_of_the_preview(panel, workbench, project, name, data, message):
    panel.file_uploader(key="upload_file").upload(name, data, "application/octet-stream").run()
    assert not panel.exception and len(panel.error) == 1
    assert message in panel.error[0].value.replace("\\", "")
    assert panel.button(key="upload_add").disabled
    assert len(workbench.store.corpora(project)) == 1


def test_a_name_that_is_taken_gets_a_number_and_a_text_needs_one(panel, workbench, project):
    for _ in range(2):
        paste(panel, LINES)
        panel.button(key="upload_add").click().run()
    names = [corpus.name for corpus in workbench.store.corpora(project)]
    assert names[2] == f"{names[1]} (2)"
    field(panel, "upload_name").set_value(" ").run()
    panel.button(key="upload_add").click().run()
    assert "a text needs a name" in said(panel.error) and len(workbench.store.corpora(project)) == 3


def test_tag_the_words_by_the_english_tagger_and_undo(open_page, workbench, project):
    corpus_id = add_draft(workbench.store, project, read_draft("notes.txt", LINES.encode()), "notes")
    corpus = workbench.store.corpus(corpus_id)
    app = open_page(state={"shared_open_corpus": corpus_id})
    assert app.button(key="corpus_tag_all").label == "Tag with the English tagger"
    app.button(key="corpus_tag_all").click().run()
    assert not app.exception
    assert "16 words** tagged by the English tagger" in said(app.markdown)
    assert workbench.treebank(corpus)[0].upos[1:4] == ("DET", "NOUN", "VERB")
    app.button(key="shared_undo").click().run()
    assert not workbench.treebank(corpus).upos.filled
    app.button(key="shared_redo").click().run()
    app.button(key="corpus_untag").click().run()
    assert not app.exception and app.button(key="corpus_tag_all")
    assert workbench.store.document(project, "tagging", str(corpus_id)) == {"text": "", "lists": []}
