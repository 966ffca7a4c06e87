"""A store from before a system was a class: every page that shows what its runs left."""

import pytest

from tests.pages.reading import said
from tests.workspace.before import write_store

SHOWN = {  # page -> what it says of the runs that were made then
    "constraints": "16 of 22",
    "consensus": "Run 8 was cancelled",
    "joint": "Run 10 was cancelled",
    "adaptation": "LAS **47.4%** with adaptation",
    "induction": "of heads right (14 of 22)",
    "compare": "points above run 14, induced",
    "runs": "16 runs, newest first",
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    write_store(tmp_path / "workbench.sqlite")
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    return tmp_path


@pytest.mark.parametrize("page", SHOWN)
def test_every_page_shows_what_was_there(open_page, page):
    app = open_page(page, corpus="five.conllu")
    words = said([*app.markdown, *app.caption, *app.metric])
    assert SHOWN[page] in words, words
