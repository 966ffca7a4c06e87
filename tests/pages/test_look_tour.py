"""The tour: offered once where nothing was done yet, walked through, left, taken up again, called back."""

import pytest

from core.errors import StoreError
from pages.shared.tour import CLOSED, STEPS
from tests.pages.reading import pressed


def offered(app):
    """What the tour's buttons do."""
    found = {button.key.removeprefix("tour_") for button in app.button if (button.key or "").startswith("tour_")}
    return found - {"again"}


@pytest.fixture
def place(workbench, project):
    """place() -> what is remembered of the tour; place(number) remembers."""

    def place(*number):
        if number:
            workbench.store.remember(project, "view", "tour", *number)
        return workbench.store.document(project, "view", "tour")

    return place


def test_the_whole_way(open_page, place):
    app = open_page()
    assert any(text.value.startswith("**New here?**") for text in app.markdown)
    assert offered(app) == {"next", "close"}
    for number, step in enumerate(STEPS):
        pressed(app, "tour_next")
        assert place() == number and app.header[0].value == step.title
        assert step.text in next(text.value for text in app.markdown if f"{number + 1} of {len(STEPS)}." in text.value)
    assert offered(app) == {"back", "close"}
    assert pressed(app, "tour_back").header[0].value == STEPS[-2].title
    assert not offered(pressed(app, "tour_close")) and place() == CLOSED


def test_dismissed_for_good_and_called_back_from_the_bar(open_page, workbench, project):
    app = pressed(open_page(), "tour_close")
    assert app.button(key="shared_undo").disabled and workbench.store.next_undo(project) is None  # it blocks no undo
    app = open_page()
    assert not offered(app)
    assert pressed(app, "tour_again").header[0].value == "Constraints" and offered(app) == {"next", "close"}


def test_it_goes_on_where_it_was_left_and_leads_back_to_its_page(open_page, place):
    place(4)
    app = open_page()
    assert offered(app) == {"open", "back", "next", "close"} and app.button(key="tour_open").label == "Open Compare"
    assert pressed(app, "tour_open").header[0].value == "Compare" and "open" not in offered(app)
    place(99)  # none: forgotten
    assert offered(open_page()) == {"next", "close"}


def test_nobody_who_has_begun_is_asked(open_page, save):
    save("DET <- NOUN = 0.5\n")
    assert not offered(open_page())


def test_what_is_not_remembered_is_said_and_the_tour_goes_on(open_page, workbench, monkeypatch):
    app = open_page()

    def refuse(*_args, **_named):
        raise StoreError("The disk is full; make room and try again")

    monkeypatch.setattr(type(workbench.store), "remember", refuse)
    assert pressed(app, "tour_next").toast[0].value == "The disk is full; make room and try again"
    assert app.header[0].value == "Constraints" and "next" in offered(app)
