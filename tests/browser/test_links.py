"""Every view has a link that restores it: what was clicked together opens from its address in a new session."""

import difflib
import time

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
NEXT = ".st-key-{} [data-testid='stPaginationNext']"
VIEWS = [
    ("/", [(".st-key-corpus_counts", "Relations"), (NEXT.format("sentence"), None), ("button", "with crossing arcs")]),
    ("/annotate", [(NEXT.format("sentence"), None), (".st-key-annotate", "Agreement")]),
    ("/constraints", [(NEXT.format("place"), None), (".st-key-ge_results", "Gradient")]),
    ("/constraints", [(".st-key-ge_results", "Errors"), (".st-key-ge_mistakes_by", "Distance")]),
    ("/markup", [(".st-key-level", "Strict"), (".st-key-mk_verdict", "That break"), (NEXT.format("mk_page"), None),
                 (".st-key-mk_table", "Tag sequences")]),
    ("/induction", [(NEXT.format("place"), None), (".st-key-ind_view", "Every start")]),
    ("/joint", [(NEXT.format("joint_sentence"), None)]),
    ("/compare", [(".st-key-cmp_table", "Confusion"), (".st-key-cmp_confused", "Direction"),
                  ("button", "words on which they differ"), (".st-key-cmp_apart", "Apart")]),
    ("/guide", [(".st-key-chapter", "Notation")]),
    ("/teach", [(".st-key-teach_scores", "All 0"), ("button", "Step")]),
]  # fmt: skip


def click(page, settle, where, what):
    """Click what says so within a part of the page, or the part itself, and wait for what follows."""
    if what is None:
        target = page.locator(where)
    elif where == "button":
        target = page.get_by_role("button", name=what).last
    else:
        target = page.locator(where).get_by_text(what, exact=False)
    expect(target).to_be_visible(timeout=PATIENCE)
    before = page.url
    target.click()
    page.wait_for_function("before => window.location.href !== before", arg=before, timeout=PATIENCE)
    settle(page)


def shown(page):
    """The text of the page below the bar, and which of its choices are made; read at one moment."""
    return page.evaluate("""() => {
        const bar = document.querySelector(".st-key-shared_bar")?.innerText ?? "";
        const text = document.querySelector("[data-testid='stMain']").innerText.replace(bar, "");
        const made = "[data-testid='stMain'] :is([aria-checked='true'], [aria-pressed='true'], [aria-current='page'])";
        const chosen = [...document.querySelectorAll(made)];
        return [text.split("\\n").filter((line) => line.trim()), chosen.map((each) => each.innerText)];
    }""")


def differences(page, again, settle):
    """What only one of two pages shows, once both show the same or after a while: parts of a page load on their own."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        settle(page)
        settle(again)
        one, other = shown(page), shown(again)
        if (one == other and one[1]) or time.monotonic() > deadline:
            return list(difflib.unified_diff(*([*lines, *choices] for lines, choices in (one, other)), n=0))
        page.wait_for_timeout(500)  # between two looks, not for something


@pytest.mark.parametrize(("path", "clicks"), VIEWS, ids=[f"{path}-{clicks[-1][1]}" for path, clicks in VIEWS])
def test_a_link_restores_the_view(open_app, settle, path, clicks):
    page = open_app("app.py", path=path)
    if clicks[-1][1] == "Gradient":  # the view of another learner than the first one
        page.get_by_role("radio", name="Tree CRF").click()
        expect(page.locator(".st-key-ge_results").get_by_text("Gradient")).to_be_visible(timeout=PATIENCE)
        settle(page)
    for where, what in clicks:
        click(page, settle, where, what)
    again = open_app("app.py", path=page.url.partition("127.0.0.1:")[2].lstrip("0123456789"))
    assert not differences(page, again, settle)
