"""The tour: offered once where nothing was done yet, walked through, left, taken up again, called back."""

from core.errors import StoreError
from core.workspace.constraints.documents import save_text
from pages.shared.tour import CLOSED, STEPS


def keys(app):
    return {button.key for button in app.button if (button.key or "").startswith("tour_")} - {"tour_again"}


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception, app.exception
    return app


def place(workbench):
    return workbench.store.document(workbench.store.recent_project(), "view", "tour")


def shown(app):
    return next((text.value for text in app.markdown if text.value.startswith("**")), "")


def test_the_whole_way(open_page, workbench):
    app = open_page()
    assert shown(app).startswith("**New here?**")
    assert keys(app) == {"tour_next", "tour_close"}
    for number, step in enumerate(STEPS):
        press(app, "tour_next")
        assert place(workbench) == number
        assert app.header[0].value == step.title
        assert step.text in next(text.value for text in app.markdown if f"{number + 1} of {len(STEPS)}." in text.value)
    assert keys(app) == {"tour_back", "tour_close"}
    press(app, "tour_back")
    assert app.header[0].value == STEPS[-2].title
    press(app, "tour_close")
    assert place(workbench) == CLOSED
    assert not keys(app)


def test_dismissed_for_good_and_called_back_from_the_bar(open_page, workbench):
    press(open_page(), "tour_close")
    app = open_page()
    assert not keys(app)
    press(app, "tour_again")
    assert app.header[0].value == "Constraints"
    assert keys(app) == {"tour_next", "tour_close"}


def test_it_goes_on_where_it_was_left_and_leads_back_to_its_page(open_page, workbench):
    workbench.store.remember(workbench.store.recent_project(), "view", "tour", 4)
    app = open_page()
    assert keys(app) == {"tour_open", "tour_back", "tour_next", "tour_close"}
    assert app.button(key="tour_open").label == "Open Compare"
    press(app, "tour_open")
    assert app.header[0].value == "Compare"
    assert "tour_open" not in keys(app)


def test_nobody_who_has_begun_is_asked(open_page, workbench):
    store = workbench.store
    save_text(store, store.corpora(store.recent_project())[0], "DET <- NOUN = 0.5\n", "writing one line")
    assert not keys(open_page())


def test_it_blocks_no_undo(open_page, workbench):
    app = press(open_page(), "tour_close")
    assert app.button(key="shared_undo").disabled
    assert workbench.store.next_undo(workbench.store.recent_project()) is None


def test_what_is_not_remembered_is_said_and_the_tour_goes_on(open_page, workbench, monkeypatch):
    app = open_page()

    def refuse(*_args, **_named):
        raise StoreError("The disk is full; make room and try again")

    monkeypatch.setattr(type(workbench.store), "remember", refuse)
    press(app, "tour_next")
    assert app.toast[0].value == "The disk is full; make room and try again"
    assert app.header[0].value == "Constraints"
    assert "tour_next" in keys(app)


def test_a_place_that_is_none_is_forgotten(open_page, workbench):
    workbench.store.remember(workbench.store.recent_project(), "view", "tour", 99)
    assert keys(open_page()) == {"tour_next", "tour_close"}
