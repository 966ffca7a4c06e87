"""What leads from page to page in a real browser: the tour, and the way from a run to where it was made."""

import re

import pytest
from playwright.sync_api import expect

from core.store import Store

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


def press(page, key):
    page.locator(f".st-key-{key} button").first.click()


def test_the_tour_by_keyboard_through_its_pages(open_app, settle):
    page = open_app("app.py")
    page.set_default_timeout(PATIENCE)
    page.get_by_role("button", name="Start the tour").press("Enter")
    for verb, address in (("train", "constraints"), ("look", "constraints"), ("correct", "constraints")):
        expect(page).to_have_url(re.compile(f"/{address}"), timeout=PATIENCE)
        page.get_by_role("button", name=f"Next: {verb}").press("Enter")
    expect(page).to_have_url(re.compile("/annotate"), timeout=PATIENCE)
    expect(page.get_by_text("4 of 6")).to_be_visible(timeout=PATIENCE)
    buttons = page.locator(".st-key-tour button")
    expect(buttons).to_have_count(3)
    assert len({round(button.bounding_box()["y"]) for button in buttons.all()}) == 1  # they stand on one line
    page.get_by_role("button", name="End the tour").press("Enter")
    expect(page.locator(".st-key-tour")).to_have_count(0, timeout=PATIENCE)
    settle(page)
    page.reload()
    settle(page)
    expect(page.locator(".st-key-shared_undo")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-tour")).to_have_count(0)


def test_a_run_leads_to_its_page(open_app, start_app, settle):
    page = open_app("app.py")
    page.set_default_timeout(PATIENCE)
    folder = next(start_app.folders["app.py"].rglob("workbench.sqlite"))
    store = Store.open(f"sqlite:///{folder}")
    project = store.recent_project()
    run = store.create_run(project, "ge", {"corpus": store.corpora(project)[0].id}, data_hash="ab" * 32)
    store.start_run(run)
    store.finish_run(run, "done", {"objective": -1.0, "iterations": 1, "end": "converged"})
    store.close()
    page.goto(page.url.split("/?")[0].rstrip("/") + "/runs")
    settle(page)
    press(page, "run_open")
    expect(page).to_have_url(re.compile("/constraints"), timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Constraints")).to_be_visible(timeout=PATIENCE)
    settle(page)
