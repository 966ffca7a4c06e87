"""Every table that a page shows can be taken away as CSV in which no cell is a formula; Streamlit's own way is off."""

import csv
import io
import re
import tomllib

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.navigation import MENU
from tests.pages.conftest import ROOT
from tests.pages.reading import keys

PAGES = [name for pages in MENU.values() for name in pages]
BUTTON = "table_csv_"


def prepared(workspace):
    """A store with two runs of the sample, one of which names a formula."""
    store = workspace.store
    project = store.default_project()
    sample = store.corpora(project)[0].id
    for text in ("DET <- NOUN = 0.9\n", ""):
        run = store.create_run(project, "ge", {"corpus": sample, "note": "=1+1"}, constraint_text=text)
        store.start_run(run)
        store.finish_run(run, "done", {"objective": -1.0, "iterations": 1})


def buttons(app):
    """Keys of those that take tables away."""
    return [key for key in keys(app.get("download_button")) if key and key.startswith(BUTTON)]


@pytest.mark.parametrize("page", PAGES)
def test_each_table_of_a_page_has_its_button(open_page, page):
    app = open_page(page)
    assert len(buttons(app)) == len(app.dataframe)


def test_some_pages_show_tables(open_page):
    assert len(open_page("runs").dataframe) == 2 and len(open_page("projects").dataframe) == 3


def test_tables_are_drawn_in_one_place():
    """What is drawn elsewhere stands in ``tabled``, which draws the button."""
    found = []
    for path in (ROOT / "pages").rglob("*.py"):
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(r"\bst\.(?:dataframe|data_editor|table)\(", line):
                found.append((path.name, "tabled(" in "".join(lines[max(0, number - 3) : number])))
    assert ("widgets.py", True) in found and len(found) == 4 and all(has for _, has in found)


def test_what_is_taken_away_holds_no_formula(monkeypatch):
    taken = {}

    def script():
        from pages.shared.widgets import draw_table

        columns = {"word": ("Word", 50), "n": 40, "course": "Course"}
        rows = {"word": ["=1+1", "@x", "plain"], "n": [1, None, -3], "course": [[0.5, 1.0], [], [2.0]]}
        draw_table(rows, key="odd words", columns=columns, alt="Odd words")

    def download(label, data, name, key, **how):
        taken[name] = data()

    monkeypatch.setattr("pages.shared.widgets.download", download)
    assert not AppTest.from_function(script).run().exception
    rows = list(csv.reader(io.StringIO(taken["odd_words.csv"])))
    assert rows == [["Word", "N", "Course"], ["'=1+1", "1", "0.5 1.0"], ["'@x", "", ""], ["plain", "-3", "2.0"]]


def test_streamlit_offers_no_other_way():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["client"]["disableDataExport"] is True
