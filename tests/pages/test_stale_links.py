"""Links to what is not there, and tabs whose text went: one sentence, and something else is shown."""

import pytest

from core.workspace import add_corpus

TREE = b"1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def runs(workbench):
    """Two finished runs of the sample."""
    store, made = workbench.store, []
    project = store.default_project()
    for _ in range(2):
        run = store.create_run(project, "ge", {"corpus": store.corpora(project)[0].id}, data_hash="ab" * 32)
        store.start_run(run)
        store.finish_run(run, "done", {"objective": -1.0, "iterations": 1})
        made.append(store.run(run))
    return made


def said(app):
    return [toast.value for toast in app.toast]


@pytest.mark.parametrize(
    "page, query, told",
    [
        (None, {"sentence": "400"}, "There is no sentence 400 here; the first is shown"),
        (None, {"sentence": "0"}, "There is no sentence 0 here; the first is shown"),
        (None, {"sentence": "<b>"}, "There is no sentence '\\<b>' here; the first is shown"),
        (None, {"corpus_view": "Search", "hit": "9999"}, "There is no hit 9999 here; the first is shown"),
        (None, {"corpus": "gone.conllu"}, "There is no text 'gone.conllu' in this project"),
        ("runs", {"run": "Run 99"}, "There is no run 'Run 99' here; the newest is shown"),
        ("runs", {"run_beside": "Run 99, constraints"}, "There is no run 'Run 99, constraints' here"),
        ("compare", {"parses": ["run 99", "attach left"]}, "There is no parse 'run 99' here"),
        ("teach", {"teach_lesson": "Gone"}, "There is no lesson 'Gone' here"),
    ],
)
def test_what_is_gone_is_said_once(open_page, runs, page, query, told):
    app = open_page(page, **query)
    (message,) = said(app)
    assert message.startswith(told)
    assert said(app.run()) == []


@pytest.mark.parametrize(
    "page, query",
    [
        (None, {"sentence": "332"}),
        ("runs", {"run": "Run 1", "run_beside": "Run 2, constraints"}),
        ("compare", {"parses": ["attach left", "attach right"]}),
    ],
)
def test_what_is_there_is_shown_without_a_word(open_page, runs, page, query):
    assert said(open_page(page, **query)) == []


def test_a_tab_whose_text_another_window_removed_says_so_and_opens_another(open_page, workbench):
    project = workbench.store.default_project()
    corpus, _ = add_corpus(workbench.store, project, "mine.conllu", TREE)
    app = open_page(corpus="mine.conllu")
    workbench.store.remove_corpus(corpus)
    app.run()
    assert not app.exception and said(app) == ["The text that was open was removed; this is 'sample'"]
    assert app.session_state["corpus_id"] == workbench.store.corpora(project)[0].id
    assert said(app.run()) == []
    other = workbench.store.create_project("Basque")  # opening another project is no loss
    app.run()
    app.selectbox(key="project").select(other.id).run()
    assert not app.exception and said(app) == []


def test_a_text_taken_back_while_it_is_open_leaves_another_open(open_page, workbench):
    project = workbench.store.default_project()
    corpus, _ = add_corpus(workbench.store, project, "mine.conllu", TREE)
    app = open_page(corpus="mine.conllu")
    assert app.session_state["corpus"] == corpus
    app.button(key="shared_undo").click().run()
    assert not app.exception
    assert app.session_state["corpus"] == app.session_state["corpus_id"] == workbench.store.corpora(project)[0].id
