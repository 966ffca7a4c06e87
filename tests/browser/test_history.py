"""Back and Forward in a real browser: one entry for each act, and each brings back what was there."""

import json
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from core.consistency.outliers import outliers
from core.treebank import conllu_text, load_sample
from core.workspace import Workspace, add_corpus
from tests.browser.test_compare import two_parses

pytestmark = pytest.mark.browser
SECTIONS = {
    "Corpus": "Text", "Annotate": "Text", "Compare": "Evaluate", "Consensus": "Knowledge", "Constraints": "Knowledge",
}  # fmt: skip


def two_texts(folder):
    """A store as that of ``two_parses``, with a text besides."""
    two_parses(folder)
    workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite")
    data = conllu_text(load_sample().limit(90)).encode()
    add_corpus(workspace.store, workspace.store.default_project(), "another.conllu", data)
    workspace.store.close()


def to(title):
    """Opens a page by the menu."""

    def act(page):
        page.get_by_test_id("stTopNavSection").filter(has_text=SECTIONS[title]).click()
        page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()

    return act


def press(key):
    """Presses a button."""
    return lambda page: page.locator(f".st-key-{key} button").first.click()


def open_other_text(page):
    page.locator(".st-key-corpus input").first.click()
    page.get_by_role("option", name="another.conllu").first.click()


# journey -> (page, its address, what is done there, what is in sight again after Back)
JOURNEYS = {
    "filters of sentences": ("corpus", {"find": "the", "sentence": 3, "corpus_counts": "Relations"}, to("Annotate"),
                             "of 332 sentences"),
    "a count": ("corpus", {"sentence": 2}, press("corpus_number_kind_non-projective"), "332 of 332 sentences"),
    "another text": ("annotate", {"sentence": 4}, open_other_text, "Sentence 4 of 332 · news"),
    "a person's version": ("annotate", {"by": '"Ana"', "sentence": 5}, press("shared_leave_version"), "Ana’s version"),
    "a version, by the menu": ("annotate", {"by": '"Ana"', "sentence": 5}, to("Corpus"), "Sentence 5 of 332"),
    "twenty drawn": ("annotate", {"annotate": "Check 20"}, to("Constraints"), "Sentences to pick"),
    "chosen parses": ("compare", {"parses": ["next.conllu", "attach left"], "cmp_table": "Accuracy"}, to("Corpus"),
                      "Click a point to see its errors"),
    "opened words": ("compare", {"cmp_open": ["kind", "tag", "NOUN", "words"], "cmp_filter": [["tag", "NOUN"]],
                                 "cmp_sentence": 2}, press("cmp_close"), "Words of the tag NOUN"),
    "an open panel": ("compare", {"odd_panel": "true", "odd_row": [1]}, to("Corpus"), "words contradict their context"),
    "a row of a list": ("consensus", {"cs_view": "Inconsistencies", "odd_row": [1]}, press("odd_annotate"),
                        "contradict their context"),
    "a mark-up": ("markup", {"mk_open": [4, None]}, to("Corpus"), "Sentence 5"),
}  # fmt: skip
JSON = ("cmp_open", "cmp_filter", "odd_row", "mk_open")


def query(values):
    """The query of an address; what the page keeps as JSON is written so."""
    return urlencode(
        {key: json.dumps(value) if key in JSON else value for key, value in values.items()}, doseq=True
    )  # fmt: skip


def address(page):
    """The address of a page that is settled, once it names project and text: menus write them after they are drawn."""
    named = "() => ['project', 'text'].every((name) => new URLSearchParams(location.search).has(name))"
    page.wait_for_function(named)
    return page.evaluate("location.href")


@pytest.mark.parametrize("journey", JOURNEYS)
def test_back_and_forward_bring_back_what_was_there(open_app, start_app, settle, journey):
    name, values, act, sign = JOURNEYS[journey]
    start_app("app.py", two_texts)
    page = open_app("app.py", path=f"/{name}?{query({'text': 'sample'} | values)}")
    there = page.get_by_text(sign).first
    expect(there).to_be_visible()
    settle(page)
    page.wait_for_function("() => history.pushState.isOneAnAct")  # entries are ours by now
    before, entries = address(page), page.evaluate("history.length")
    act(page)
    expect(there).to_be_hidden()
    settle(page)
    after = address(page)
    assert page.evaluate("history.length") == entries + 1 and after != before
    page.go_back(wait_until="commit")
    expect(there).to_be_visible()
    settle(page)
    expect(page).to_have_url(before)
    page.go_forward(wait_until="commit")
    expect(there).to_be_hidden()
    settle(page)
    expect(page).to_have_url(after)


def test_enter_goes_on_by_the_list_and_the_way_back_leads_to_its_row(open_app, start_app, settle):
    start_app("app.py", two_texts)
    listed = outliers(load_sample())
    page = open_app("app.py", path=f"/consensus?{query({'text': 'sample', 'cs_view': 'Inconsistencies'})}")
    press("odd_annotate")(page)
    for row in (0, 1):
        where = f"{row + 1} of {len(listed)}"
        expect(page.locator(".st-key-ann_list").get_by_text(where, exact=False)).to_be_visible()
        word = page.locator("g.word").nth(listed[row].word - 1)
        expect(word).to_be_focused()
        settle(page)
        if row == 0:
            page.keyboard.press("Enter")
    done = sum(each.sentence == listed[0].sentence for each in listed)
    expect(page.locator(".st-key-ann_list")).to_contain_text(f"{done} done")
    press("ann_list_back")(page)
    expect(page.locator(".st-key-ann_list")).to_have_count(0)  # the sentence is named on the page that is left, too
    expect(page.get_by_text(f"Sentence {listed[1].sentence + 1} ", exact=False).first).to_be_visible()
    settle(page)
    page.go_back(wait_until="commit")
    expect(page.locator(".st-key-ann_list").get_by_text(f"2 of {len(listed)}", exact=False)).to_be_visible()


def test_the_way_back_leads_to_the_list_of_its_own_text(open_app, start_app, settle):
    start_app("app.py", two_texts)
    page = open_app("app.py", path=f"/consensus?{query({'text': 'sample'})}")
    open_other_text(page)
    expect(page).to_have_url(re.compile("text=another"))
    settle(page)
    another = parse_qs(urlsplit(page.url).query)["text"]
    page.locator(".st-key-cs_view").get_by_role("radio", name="Inconsistencies").click()
    settle(page)
    press("odd_annotate")(page)
    expect(page.locator(".st-key-ann_list")).to_be_visible()
    press("ann_list_back")(page)
    expect(page.locator(".st-key-odd_annotate")).to_be_visible()
    settle(page)
    assert parse_qs(urlsplit(page.url).query)["text"] == another
