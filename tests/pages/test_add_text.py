"""Adding a text: the preview of what is pasted or uploaded, its name, its tags; and tagging it afterwards."""

import gzip

import pytest
from streamlit.testing.v1 import AppTest

from core.workspace.corpora import add_corpus
from core.workspace.corpus.drafts import add_draft, read_draft
from tests.filled import filled
from tests.pages.conftest import TIMEOUT
from tests.pages.reading import pressed, said, waited_for
from tests.treebank.eaf_files import TWO_SPEAKERS, WITH_TAGS

LINES = 'The captain told nobody about the storm\n"No" he said\nThe harbour was empty\n'


@pytest.fixture
def panel(workbench):
    """The dialog's fields after their first run; AppTest closes a dialog with each run, so they stand alone."""

    def script():
        from pages.shared.corpus.upload import import_panel

        import_panel()

    return AppTest.from_function(script, default_timeout=TIMEOUT).run()


@pytest.fixture
def added(workbench, project):
    """added() -> the Corpus that was added last, and its treebank."""

    def added():
        corpus = workbench.store.corpora(project)[-1]
        return corpus, workbench.treebank(corpus)

    return added


def paste(app, text):
    return app.text_area(key="upload_text").set_value(text).run()


def upload(app, name, data):
    return app.file_uploader(key="upload_file").upload(name, data, "application/octet-stream").run()


def field(app, key):
    """The widget whose key begins so."""
    return next(each for each in (*app.text_input, *app.selectbox) if each.key.startswith(key))


def test_pasted_lines_are_previewed_named_tagged_and_added(panel, workbench, project, added):
    for nothing in ("", " \n "):
        assert "Choose a file" in said(pressed(paste(panel, nothing), "upload_add").caption) and not panel.error
    words = said(paste(panel, LINES).markdown)
    assert "Detected: **one sentence per line** · **3 sentences** · **16 words** · no tags · no trees" in words
    assert "1. The\u2002captain\u2002told" in words
    assert field(panel, "upload_name").value == "The captain told nobody about …"
    assert field(panel, "upload_reader").value == "english"
    for name in ("Harbour notes", "Harbour notes (2)"):  # a number where the name is taken
        field(paste(panel, LINES), "upload_name").set_value("Harbour notes").run()
        pressed(panel, "upload_add")
        corpus, treebank = added()
        assert corpus.name == name
        assert treebank[1].text == '"No" he said' and treebank[0].upos[1] == "DET"
    field(panel, "upload_name").set_value(" ").run()
    assert "A text needs a name" in said(pressed(panel, "upload_add").error)
    assert len(workbench.store.corpora(project)) == 3


def test_a_packed_file_is_added_under_the_name_of_what_it_holds(panel, added):
    upload(panel, "harbour.txt.gz", gzip.compress(LINES.encode()))
    assert field(panel, "upload_name").value == "harbour.txt" and "**3 sentences**" in said(panel.markdown)
    pressed(panel, "upload_add")
    assert added()[0].name == "harbour.txt" and len(added()[1]) == 3


def test_long_sentences_are_asked_about_before_a_text_is_added(panel, added):
    paste(panel, LINES)
    assert not [each for each in panel.selectbox if each.key == "upload_long"]
    speech = "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    words = "".join(f"{n}\tso" + "\t_" * 8 + "\n" for n in range(1, 251))
    paste(panel, f"{speech}{words}\n")
    asked = panel.selectbox(key="upload_long")
    assert asked.label == "1 sentence of more than 200 words" and "The longest has 250 words" in asked.help
    for choice, lengths in (("leave out", [1]), ("cut", [1, 125, 125]), ("keep", [1, 250])):
        panel.selectbox(key="upload_long").set_value(choice).run()
        pressed(panel, "upload_add")
        assert added()[1].lengths.tolist() == lengths
    paste(panel, f"{words}\n")
    panel.selectbox(key="upload_long").set_value("leave out").run()
    assert "None of the 1 sentences has at most 200 words" in said(panel.error)


def test_another_language_gets_no_tags_and_another_format_another_cut(panel, added):
    paste(panel, "القطة تنام.\nالكلب ينبح.")  # from right to left: the stops stay in place
    assert "1. \u2068القطة\u2002تنام\u2002.\u2069" in said(panel.markdown)
    paste(panel, "kissa nukkuu. koira haukkuu.\nlinnut laulavat.")
    assert "Detected: **running text** · **3 sentences**" in said(panel.markdown)
    assert field(panel, "upload_reader").value == "nothing"
    panel.selectbox(key="upload_format").set_value("lines").run()
    assert "Read as: **one sentence per line** · **2 sentences**" in said(panel.markdown)
    pressed(panel, "upload_add")
    assert len(added()[1]) == 2 and not added()[1].upos.filled


CATALAN = "La Maria va anar al mercat del poble, i els nens van als camps del pare.\nL'home dels diaris parla."


def cuts(app):
    """Written -> (words, count) of the listed cuts."""
    table = next((each.value for each in app.dataframe if "written" in each.value), None)
    if table is None:
        return {}
    rows = zip(table["written"], table["words"], table["count"], strict=True)
    return {written: (words, count) for written, words, count in rows}


def test_contractions_are_listed_once_and_cut_or_left_whole(panel, added):
    paste(panel, CATALAN)
    assert cuts(panel) == {
        "del": ("de + el", 2), "al": ("a + el", 1), "als": ("a + els", 1), "dels": ("de + els", 1),
        "l'…": ("l' + …", 1),
    }  # fmt: skip
    assert "5 unusual cuts, each listed once" in said(panel.caption)
    panel.checkbox(key="upload_contractions").uncheck().run()
    assert cuts(panel)["dels"] == ("d + els", 1)  # as the tokeniser has it
    panel.checkbox(key="upload_contractions").check().run()
    pressed(panel, "upload_add")
    forms = added()[1][0].forms
    assert forms[5:7] == ("a", "el") and added()[1][0].text == CATALAN.splitlines()[0]


def table_field(app):
    return next(each for each in app.text_area if each.key.startswith("upload_table_ca"))


def test_the_table_of_a_language_is_edited_where_a_text_is_added(panel, workbench, project):
    paste(panel, CATALAN)
    assert "{del,dels} = de {el,els}" in table_field(panel).value
    table_field(panel).set_value("al = a el\ndel = de\n").run()
    assert "Line 2: 'del' needs two parts or more" in said(panel.error)
    assert table_field(panel).value == "al = a el\ndel = de\n" and "als" in cuts(panel)  # nothing typed is lost
    table_field(panel).set_value("al = a el\ndel = de el\n").run()
    assert not panel.error and cuts(panel)["del"] == ("de + el", 2) and cuts(panel)["als"] == ("a + ls", 1)
    pressed(panel, "upload_usual")
    assert cuts(panel)["als"] == ("a + els", 1)
    workbench.store.undo(project)
    assert cuts(panel.run())["als"] == ("a + ls", 1)


def test_a_treebank_is_drawn_and_asked_for_no_tagger(panel):
    paste(panel, "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    assert "**CoNLL-U** · **1 sentence** · **2 words** · 2 tags · 1 tree" in said(panel.markdown)
    assert panel.get("bidi_component") and len(panel.selectbox) == 3
    assert field(panel, "upload_name").value == "pasted text"


def test_a_file_is_read_once_and_goes_before_pasted_text(panel, monkeypatch):
    from core.workspace.corpus import drafts as module

    reads, read = [], module.read_draft
    monkeypatch.setattr(module, "read_draft", lambda *given: reads.append(given[0]) or read(*given))
    upload(paste(panel, LINES), "notes.txt", b"Birds sing\nDogs bark\n")
    assert "**2 sentences**" in said(panel.markdown) and "The file is imported" in said(panel.caption)
    assert field(panel, "upload_name").value == "notes.txt"
    pressed(panel, "upload_add")
    assert reads == ["pasted text", "notes.txt"]


LONG = LINES.encode() * 1000


def test_a_large_file_is_read_apart_then_shown_and_added(panel, added, monkeypatch):
    from core.workspace.corpus import drafts as module

    monkeypatch.setattr(module, "read_draft", pytest.fail)  # not by this process
    upload(panel, "long.txt", LONG)
    assert panel.button(key="upload_stop") and panel.button(key="upload_add").disabled
    words = said(waited_for(panel).markdown)
    assert "Detected: **one sentence per line** · **3,000 sentences** · **16,000 words**" in words
    panel.selectbox(key="upload_reader_english").set_value("nothing").run()
    pressed(panel, "upload_add")
    assert (len(added()[1]), added()[0].name) == (3000, "long.txt")


def test_a_large_file_that_is_stopped_can_be_read_after_all(panel, workbench):
    upload(panel, "long.txt", LONG)
    pressed(panel, "upload_stop")
    assert "Reading long.txt was stopped" in said(panel.error)
    pressed(panel, "upload_read")
    assert "**3,000 sentences**" in said(waited_for(panel).markdown)
    upload(panel, "longer.txt", LONG + LINES.encode())
    panel.file_uploader(key="upload_file").clear().run()
    assert "Choose a file" in said(pressed(panel, "upload_add").caption) and not panel.error
    assert not workbench.readings.look(("test session id", "upload"))


def test_a_large_file_that_cannot_be_read_says_so_and_where(panel):
    upload(panel, "wrong.mrg", b"( (S (NN dog)) )\n" * 5000 + b"( (S (NN dog)\n")
    (error,) = waited_for(panel).error
    assert "wrong.mrg, line 500" in error.value and panel.button(key="upload_add").disabled


def test_what_cannot_be_read_says_so_in_place_of_the_preview(panel, workbench, project):
    bytes_told = "latin.txt, line 1: byte 0xe9 at position 3 is not utf-8; save the file as UTF-8, or name its encoding"
    for name, data, message in (
        ("story.pdf", b"%PDF-1.7", "story.pdf: this is a PDF; copy its text"),
        ("words.csv", b"id,text\n1,hello there\n", "words.csv: this is a table, with commas"),
        ("copied.txt", b"1 The _ DET _ _ 2 det _ _\n", "copied.txt, line 1, sentence 1: the columns are separated by"),
        ("latin.txt", "café".encode("latin-1"), bytes_told),
        ("empty.txt", b"", "empty.txt: this file is empty"),
    ):
        (error,) = upload(panel, name, data).error
        assert message in error.value.replace("\\", "") and panel.button(key="upload_add").disabled
    assert len(workbench.store.corpora(project)) == 1


def test_tag_the_words_by_the_english_tagger_and_undo(open_page, workbench, project):
    corpus_id = add_draft(workbench.store, project, read_draft("notes.txt", LINES.encode()), "notes")
    corpus, app = workbench.store.corpus(corpus_id), open_page(state={"shared_open_corpus": corpus_id})
    assert app.button(key="corpus_tag_all").label == "Tag with the English tagger"
    assert "16 words** tagged by the English tagger" in said(pressed(app, "corpus_tag_all").markdown)
    assert workbench.treebank(corpus)[0].upos[1:4] == ("DET", "NOUN", "VERB")
    pressed(app, "shared_undo")
    assert not workbench.treebank(corpus).upos.filled
    assert pressed(pressed(app, "shared_redo"), "corpus_untag").button(key="corpus_tag_all")
    assert workbench.store.document(project, "tagging", str(corpus_id)) == {"text": "", "lists": []}


def test_words_cut_at_line_ends_are_joined_unless_one_says_no(panel):
    paste(panel, "The captain saw the har-\nbour. It was full of small boats that day.\n\nHe left.")
    assert "har- bour as harbour" in said(panel.caption)
    assert "harbour" in said(panel.markdown)
    panel.checkbox(key="upload_join").uncheck().run()
    assert "har-\u2002bour" in said(panel.markdown) and not panel.exception
    panel.checkbox(key="upload_join").check().run()
    assert "harbour" in said(panel.markdown)


@pytest.mark.parametrize("name", ["a.conllu", "a.txt"])
def test_a_file_of_another_kind_is_refused_by_its_name_and_nothing_is_lost(panel, name):
    upload(panel, name, b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert f"{name}: this is a Git LFS pointer" in said(panel.error) and not panel.exception
    paste(panel, LINES)
    assert not panel.exception


def test_the_language_is_shown_kept_and_chosen_where_it_is_unsure(panel, added):
    paste(panel, "Båten kom klockan fem på morgonen. Ingen i hamnen visste varför den var så sen.")
    assert field(panel, "upload_language").value == "sv"
    assert not any("Which language" in caption.value for caption in panel.caption)
    pressed(panel, "upload_add")
    assert added()[0].settings["language"] == "sv" and added()[1][0].comment("lang") == "sv"
    paste(panel, "Hej du. I'm here.")
    assert field(panel, "upload_language").value == "und" and "Which language" in said(panel.caption)
    field(panel, "upload_language").set_value("en").run()
    assert "Which language" not in said(panel.caption)
    pressed(panel, "upload_add")
    assert added()[0].settings["language"] == "en" and "'m" in added()[1][1].forms


def test_a_text_of_elan_goes_back_into_its_file_from_where_conllu_is_saved(open_page, workbench, project):
    how = ("auto", "utf-8", None)
    add_corpus(workbench.store, project, "a.eaf", WITH_TAGS, *how)
    for page, field in filled((("corpus", "corpus_into"), ("annotate", "ann_into"))):
        app = open_page(page, corpus="a.eaf")
        assert not app.exception
        wrong = app.file_uploader(key=field).upload("b.eaf", TWO_SPEAKERS, "application/xml").run()
        assert "here is no tier tx; this file has B" in said(wrong.error)
        app = open_page(page, corpus="a.eaf")
        right = app.file_uploader(key=field).upload("a.eaf", WITH_TAGS, "application/xml").run()
        assert "ELAN with these trees" in [each.proto.label for each in right.get("download_button")]
