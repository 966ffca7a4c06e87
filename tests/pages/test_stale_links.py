"""Links to what is not there, and tabs whose text went: one sentence, and something else is shown."""

import pytest

from core.workspace.annotate.proposals import remember_proposal
from tests.pages.reading import pressed, said

TREE = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def prepared(workspace):
    """Two finished runs of the sample."""
    store = workspace.store
    project = store.default_project()
    for _ in range(2):
        run = store.create_run(project, "ge", {"corpus": store.corpora(project)[0].id}, data_hash="ab" * 32)
        store.start_run(run)
        store.finish_run(run, "done", {"objective": -1.0, "iterations": 1})


@pytest.mark.parametrize(
    "page, query, told",
    [
        ("corpus", {"sentence": "400"}, "There is no sentence 400 here; the first is shown"),
        ("corpus", {"sentence": "0"}, "There is no sentence 0 here; the first is shown"),
        ("corpus", {"sentence": "<b>"}, "There is no sentence '\\<b>' here; the first is shown"),
        ("corpus", {"corpus_view": "Search", "hit": "9999"}, "There is no hit 9999 here; the first is shown"),
        ("corpus", {"corpus": "gone.conllu"}, "There is no text 'gone.conllu' in this project"),
        ("annotate", {"sentence": "4000"}, "There is no sentence 4000 here; the first is shown"),
        ("runs", {"run": "Run 99"}, "There is no run 'Run 99' here; the newest is shown"),
        ("runs", {"run_beside": "Run 99, constraints"}, "There is no run 'Run 99, constraints' here"),
        ("compare", {"parses": ["run 99", "attach left"]}, "There is no parse 'run 99' here"),
        ("teach", {"teach_lesson": "Gone"}, "There is no lesson 'Gone' here"),
        ("corpus", {"sentence": "332"}, None),
        ("runs", {"run": "Run 1", "run_beside": "Run 2, constraints"}, None),
        ("compare", {"parses": ["attach left", "attach right"]}, None),
    ],
)
def test_what_is_gone_is_said_once_and_what_is_there_is_shown_without_a_word(open_page, page, query, told):
    app = open_page(page, **query)
    assert [toast.value.startswith(told or "none") for toast in app.toast] == [True] * (told is not None)
    assert said(app.run().toast) == ""


def test_a_tab_whose_text_another_window_removed_says_so_and_opens_another(open_page, workbench, sample, add):
    corpus = add("mine.conllu", TREE)
    app = open_page(corpus="mine.conllu")
    workbench.store.remove_corpus(corpus.id)
    assert said(app.run().toast) == "The text that was open was removed; this is 'sample'"
    assert app.session_state["corpus_id"] == sample.id and said(app.run().toast) == ""
    other = workbench.store.create_project("Basque")  # opening another project is no loss
    assert said(app.run().selectbox(key="project").select(other.id).run().toast) == ""


def test_a_text_taken_back_while_it_is_open_leaves_another_open(open_page, sample, add):
    corpus = add("mine.conllu", TREE)
    app = open_page(corpus="mine.conllu")
    assert app.session_state["corpus"] == corpus.id
    pressed(app, "shared_undo")
    assert app.session_state["corpus"] == app.session_state["corpus_id"] == sample.id
    assert app.selectbox(key="corpus").options == ["sample"]


def test_a_parse_whose_run_was_deleted_is_missed_where_it_was_chosen(open_page, workbench, project, sample):
    remember_proposal(workbench.store, sample, "run-1")
    workbench.store.delete_runs(project, [1])
    app = open_page("annotate")
    assert "The parse run-1, whose proposals were shown, is not here any more" in said(app.toast)
    assert said(app.run().toast) == ""
    app = open_page("compare", state={"parses": ["run-1", "left"]})
    assert "A parse that was chosen is not here any more; the others are compared" in said(app.toast)
    assert app.session_state["parses"] == ["left"]
