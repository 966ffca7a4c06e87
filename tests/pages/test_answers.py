"""The dialog for pasted trees: what was used and changed is said, and the parse is kept under a name."""

import gzip

import pytest
from streamlit.testing.v1 import AppTest

from core.treebank import conllu_text, load_sample
from core.workspace.annotations import Annotations
from core.workspace.answers import keep_answer, prompt_of, prompt_sentences, read_adopted
from core.workspace.parses import WEIGHED
from core.workspace.registry import Systems
from core.workspace.texts import added_parses
from tests.pages.conftest import TIMEOUT
from tests.pages.reading import keys, pressed, said, table


@pytest.fixture
def panel(workbench, sample):
    """The dialog's fields after their first run; AppTest closes a dialog with each run, so they stand alone."""

    def script():
        import streamlit as st

        from pages.shared.answers import answer_panel
        from pages.shared.session import session

        store = session().store
        answer_panel(store.corpora(store.default_project())[0], "cmp", lambda key: st.session_state.update(kept=key))

    return AppTest.from_function(script, default_timeout=TIMEOUT).run()


def answer(app, text):
    return app.text_area(key="cmp_answer").set_value(text).run()


def uploaded(app, name, data):
    return app.file_uploader(key="cmp_answer_file").upload(name, data, "application/octet-stream").run()


def test_an_answer_is_read_its_changes_listed_and_kept(panel, workbench, sample):
    assert "Nothing is sent anywhere" in said(panel.caption)
    assert panel.code[0].value == prompt_of(workbench, sample, prompt_sentences(workbench, sample)).strip()
    few = load_sample().limit(3).to_conllu()
    text = conllu_text(few).replace("\t", " ").replace(" nsubj ", " SUBJECT ")
    app = answer(panel, f"Here are they:\n```\n{text}\n```")
    assert "**3 sentences, 3 used, " in said(app.markdown)
    changes = table(app, "reason")
    assert {*changes["kind"]} == {"relation"}
    assert {*changes["after"]} == {"nsubj"}
    pressed(app, "cmp_answer_keep")
    (kept,) = added_parses(workbench.store, sample)
    assert (kept.name, app.session_state["kept"]) == ("pasted trees", f"corpus-{kept.id}")


def test_an_answer_in_a_packed_file_is_kept_under_its_name(panel, workbench, sample):
    few = conllu_text(load_sample().limit(2).to_conllu())
    app = uploaded(panel, "theirs.txt.gz", gzip.compress(few.encode()))
    assert "**2 sentences, 2 used, 0 changes**" in said(app.markdown)
    pressed(app, "cmp_answer_keep")
    (kept,) = added_parses(workbench.store, sample)
    assert kept.name == "theirs.txt"


def test_a_file_that_is_no_text_is_refused_in_a_sentence(panel):
    app = uploaded(panel, "tree.png", b"\x89PNG\0\1")
    assert "tree.png: this is a picture" in said(app.error)
    assert "cmp_answer_keep" not in keys(app.button)


def test_an_answer_without_trees_is_refused_in_a_sentence(panel):
    app = answer(panel, "I am sorry, I cannot do that.")
    assert "The answer has no word with a head; ask for CoNLL-U" in said(app.error)
    assert "cmp_answer_keep" not in keys(app.button)


def test_a_wrong_number_of_a_sentence_is_said_in_the_prompt(panel):
    app = panel.text_input(key="cmp_answer_numbers").set_value("1-4, x").run()
    assert "'x' is not a sentence number" in said(app.error)


def test_the_dialog_is_opened_where_parses_are_added(open_page):
    app = open_page("compare")
    assert "cmp_paste" in keys(app.button)
    pressed(app, "cmp_paste")
    assert "cmp_answer" in keys(app.text_area)


def test_compare_says_how_much_an_added_parse_counts(open_page, workbench, sample):
    few = conllu_text(load_sample().limit(5).to_conllu())
    keep_answer(workbench, sample, "theirs", read_adopted(Systems(workbench), sample, few))
    layer = Annotations(workbench, sample)
    for index in range(4):
        layer.set_status(index, "done")
    app = open_page("compare", parses=[WEIGHED.name])
    assert "theirs: weight " in said(app.caption)
    assert "in 4 sentences corrected by hand) of its heads are right." in said(app.caption)
    app = open_page("compare", parses=["attach left"])
    assert "theirs: weight " not in said(app.caption)
