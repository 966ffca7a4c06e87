"""The address says what is looked at, also after what stands above it has come or gone, and names its text for good."""

import re

import pytest
from playwright.sync_api import expect

from core.store import Store
from core.workspace import add_corpus

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
CATS = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def add_text(page, settle, text):
    page.get_by_role("button", name="Add a text").click()
    page.get_by_label("Or paste text").fill(text)
    page.keyboard.press("Control+Enter")
    button = page.locator(".st-key-upload_add button")
    expect(button).to_be_enabled(timeout=PATIENCE)
    settle(page)
    button.click()


@pytest.mark.parametrize("path", ["/", "/annotate"])
def test_sentences_enter_the_address_after_a_text_was_added(open_app, settle, path):
    page = open_app("app.py", path=path)
    add_text(page, settle, CATS * 12)
    expect(page.locator(".st-key-sentence button").last).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile("12 of 12 sentences|Sentence 1 of 12"))).to_be_visible(timeout=PATIENCE)
    settle(page)
    for place in (2, 3):
        page.locator(".st-key-sentence button").last.click()
        expect(page).to_have_url(re.compile(rf"[?&]sentence={place}(&|$)"), timeout=PATIENCE)
        settle(page)
    page.locator(".st-key-sentence").get_by_label("Page 1", exact=True).click()
    expect(page).not_to_have_url(re.compile("sentence="), timeout=PATIENCE)  # the first needs no saying


@pytest.fixture
def store(start_app):
    """The store of the server of this module."""
    start_app("app.py")
    folder = start_app.folders["app.py"]
    folder.mkdir(exist_ok=True)
    store = Store.open(f"sqlite:///{folder}/workbench.sqlite")
    yield store
    store.close()


def found(page, count, of):
    expect(page.get_by_text(f"{count} of {of} sentences", exact=True)).to_be_visible(timeout=PATIENCE)


def test_a_text_is_left_and_found_again_renamed_removed_and_taken_back(open_app, start_app, store, settle, pick):
    project = store.default_project()
    for name, count in (("long", 9), ("short", 5)):
        add_corpus(store, project, name, (CATS * count).encode())
    page, text = open_app("app.py"), re.compile(r"[?&]text=long-(\w{10})(&|$)")
    pick(page, "corpus", "long")
    found(page, 9, 9)
    expect(page).to_have_url(text)
    page.locator(".st-key-find input").fill("dogs")
    expect(page.get_by_text("No sentence matches", exact=False)).to_be_visible(timeout=PATIENCE)
    pick(page, "corpus", "short")
    found(page, 5, 5)
    expect(page.locator(".st-key-find input")).to_have_value("")
    pick(page, "corpus", "long")
    expect(page.locator(".st-key-find input")).to_have_value("dogs", timeout=PATIENCE)
    page.locator(".st-key-find input").fill("")
    found(page, 9, 9)
    page.get_by_role("button", name="Rename or remove").click()
    page.get_by_label("Name of the text").fill("cats of mine")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_text("The text has its new name")).to_be_visible(timeout=PATIENCE)
    settle(page)
    link = page.url.replace("cats+of+mine", "long")
    assert text.search(link)
    add_corpus(store, project, "long", CATS.encode())  # another of that name
    page.goto(link)
    found(page, 9, 9)
    store.remove_corpus(next(corpus.id for corpus in store.corpora(project) if corpus.name == "cats of mine"))
    page.locator(".st-key-sentence button").last.click()
    pick(page, "corpus", "short")
    found(page, 5, 5)
    page.goto(link)
    expect(page.get_by_text("There is no text 'long' in this project")).to_be_visible(timeout=PATIENCE)
    store.undo(project)
    page.goto(link)
    found(page, 9, 9)
