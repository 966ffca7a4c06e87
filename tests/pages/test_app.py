"""The frame of all pages: menu, corpus, undo and redo, a store that cannot be opened."""

import pytest
from sqlalchemy import Engine, event

from core.workspace.constraints.documents import save_text


def texts(elements):
    return " ".join(element.value for element in elements)


def test_the_app_opens_on_the_sample(open_page):
    app = open_page()
    assert app.header[0].value == "Corpus"
    assert app.selectbox(key="corpus").options == ["sample"]
    assert app.button(key="shared_undo").disabled
    assert app.button(key="shared_redo").disabled


def test_undo_and_redo_say_what_they_do_and_do_it(open_page, workbench):
    app = open_page("constraints")
    project = workbench.store.default_project()
    corpus = workbench.store.corpora(project)[0]
    save_text(workbench.store, corpus, "DET <- NOUN = 0.5\n", "writing one line")
    app.run()
    assert app.button(key="shared_undo").help == "Undo writing one line"
    app.button(key="shared_undo").click().run()
    assert workbench.store.document(project, "constraints", str(corpus.id)) is None
    assert app.button(key="shared_undo").disabled
    app.button(key="shared_redo").click().run()
    assert workbench.store.document(project, "constraints", str(corpus.id)) == "DET <- NOUN = 0.5\n"
    assert not app.exception


def test_a_corpus_that_is_undone_leaves_the_sample_open(open_page, workbench):
    project = workbench.store.default_project()
    added = workbench.store.add_corpus(project, "mine.conllu", b"1\ta\t_\tDET\t_\t_\t0\troot\t_\t_\n\n")
    app = open_page(corpus="mine.conllu")
    assert app.selectbox(key="corpus").value == added
    app.button(key="shared_undo").click().run()
    assert app.selectbox(key="corpus").options == ["sample"]
    assert not app.exception


def test_a_store_that_cannot_be_opened_is_one_sentence(open_page, home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATABASE", f"sqlite:///{home}/missing/work.sqlite")
    app = open_page()
    assert "does not exist" in app.error[0].value
    assert not app.header


@pytest.mark.parametrize("page", ["corpus", "constraints", "annotate", "compare", "teach", "runs"])
def test_a_rerun_asks_the_store_for_nothing_that_it_knows(open_page, home, page):
    sent = []

    def note(connection, _cursor, statement, *_rest):
        if str(home) in str(connection.engine.url):  # a job of an earlier test may still write to its own store
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        app = open_page(page)
        app.run()
        assert sent
        sent.clear()
        app.run()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert not app.exception
    assert not sent
