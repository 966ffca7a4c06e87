"""A page from outside, in the folder of pages and in the menu: it runs, and what is looked at changes with the text."""

import pytest
from streamlit.testing.v1 import AppTest

from core.treebank import conllu_text, load_sample
from core.workspace import registry
from core.workspace.texts import address_of
from pages.shared import navigation
from pages.shared.navigation import MENU, Entry
from tests.pages.conftest import ROOT, TIMEOUT, with_page
from tests.pages.offset_view import OffsetView
from tests.pages.reading import pressed, said, waited
from tests.workspace.offset import Offset


@pytest.fixture
def open_offset(home, monkeypatch, tmp_path):
    """open_offset(**query) -> the page, of an app whose folder of pages has it."""
    folder = tmp_path / "app"
    with_page(folder, "offset", (ROOT / "tests" / "pages" / "offset_page.py").read_text(encoding="utf-8"))
    monkeypatch.setattr(registry, "SYSTEMS", (*registry.SYSTEMS, Offset))
    monkeypatch.setitem(MENU, "Learning", MENU["Learning"] | {"offset": Entry("Offset", OffsetView)})

    def open_offset(**query):
        app = AppTest.from_file(str(folder / "app.py"), default_timeout=TIMEOUT)
        for key, value in query.items():
            app.query_params[key] = value
        return app.switch_page("pages/offset.py").run()

    return open_offset


def test_it_runs_and_what_is_looked_at_changes_with_the_text(open_offset, workbench, add):
    texts = [add(name, conllu_text(load_sample().limit(count).to_conllu())) for name, count in (("a", 9), ("b", 7))]
    app = open_offset(text=address_of(texts[0]))
    assert app.number_input[0].value == 5
    for text in texts:
        app.selectbox(key="corpus").select(text.id).run()
        waited(pressed(app, "offset_start"), workbench, "offset")
        app.run()
    app.selectbox(key="corpus").select(texts[0].id).run()
    app.session_state[OffsetView.shown] = 3
    app.toggle(key=OffsetView.apart).set_value(True).run()
    pressed(app, "offset_look")
    assert app.metric[0].label == "Words of sentence 3" and "Looking at (1, 3)" in said(app.caption)
    assert app.query_params[OffsetView.word] == "[1,3]"
    app.selectbox(key="corpus").select(texts[1].id).run()
    assert app.metric[0].label == "Words of sentence 1" and "Looking at None" in said(app.caption)
    assert OffsetView.word not in app.query_params and app.toggle(key=OffsetView.apart).value
    app.selectbox(key="corpus").select(texts[0].id).run()
    assert app.metric[0].label == "Words of sentence 3" and "Looking at (1, 3)" in said(app.caption)


def test_a_link_restores_it_and_runs_are_said_to_come_from_it(open_offset, add):
    text = add("a", conllu_text(load_sample().limit(9).to_conllu()))
    app = open_offset(text=address_of(text), offset_word="[2,1]")
    assert not app.metric  # nothing was learnt
    runs = app.switch_page("pages/runs.py").run()
    assert Offset.invitation in said(runs.caption)
    assert navigation.script("Offset") == "pages/offset.py"
