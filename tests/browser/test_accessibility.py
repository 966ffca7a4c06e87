"""Every page, light and dark, with the sample open, read by axe: nothing serious against WCAG 2.2 AA.

A page that is added to the menu is covered by itself. What Streamlit draws and leaves nobody to change stands in
``ACCEPTED``, each with its reason; nothing else is let through.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PAGES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("*.py"))
PATIENCE = 120_000  # milliseconds: the first page reads the sample, and machines may be busy
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SEVERE = ("serious", "critical")
BUSY = '[data-testid="stSpinner"], [data-testid="stSkeleton"], [data-stale="true"]'
QUIET = """() => new Promise(done => {
    let timer;
    const watch = new MutationObserver(() => wait());
    const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => { watch.disconnect(); done(); }, 400);
    };
    watch.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
    wait();
})"""


@dataclass(frozen=True)
class Accepted:
    """A finding inside a widget of Streamlit's that no option of it changes."""

    rule: str
    selector: str  # the element is this, or stands in it
    scheme: str  # "light" or "dark"; "" is both
    least: float  # what must hold all the same: contrast as x:1, size in pixels
    streamlit: str  # the version it was met in
    reason: str


ACCEPTED = [
    Accepted(
        "color-contrast", 'button[kind^="primary"], .stMultiSelect [data-tag]', "dark", 3.4, "1.67",
        "the label is always white, and on dark paper the same colour is the text of what is chosen: no colour gives "
        "4.5:1 to both (white asks for a luminance of at most .18, the paper for .22 or more)",
    ),
    Accepted(
        "target-size", '.stMultiSelect button[aria-label="Clear all"]', "", 22, "1.67",
        "1.5 times the font's size whatever the theme; Backspace in the field takes the values away one by one",
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def visit(browser, start_app):
    """visit("corpus") -> the page of the browser with it open and settled, light."""
    session = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = session.new_page()
    page.set_default_timeout(PATIENCE)
    address = start_app("app.py")

    def visit(name):
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}/{name}")
        settle(page)
        return page

    yield visit
    session.close()


def settle(page):
    """Wait until the first result is there: the script at its end, nothing that waits, nothing that moves."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', state="attached")
    expect(page.locator('[data-testid="stHeading"]').first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(BUSY)).to_have_count(0, timeout=PATIENCE)
    page.evaluate(QUIET)


def findings(page, scheme):
    """What axe finds, one line each: how bad, which rule, where, what it says."""
    options = {"runOnly": RULES, "resultTypes": ["violations"]}
    return [
        f"{rule['impact']} {rule['id']} ({scheme}) at {node['target']}: {node['failureSummary']}\n    {node['html']}"
        for rule in Axe().run(page, options=options).response["violations"]
        if rule["impact"] in SEVERE
        for node in rule["nodes"]
        if not any(accepts(known, rule["id"], node, page, scheme) for known in ACCEPTED)
    ]


def accepts(known, rule, node, page, scheme):
    if rule != known.rule or known.scheme not in ("", scheme):
        return False
    measured = next((check["data"] for check in node["any"] if check["id"] == rule), None) or {}
    value = measured.get("contrastRatio") or min(measured.get("width", 0), measured.get("height", 0))
    inside = page.locator(node["target"][-1]).first.evaluate("(e, within) => !!e.closest(within)", known.selector)
    return inside and value >= known.least


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(name, visit):
    page = visit(name)
    found = findings(page, "light")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
    page.evaluate(QUIET)
    found += findings(page, "dark")
    assert not found, f"on the page {name}:\n" + "\n".join(found)


def test_the_menu_offers_the_pages_that_are_read(visit):
    page = visit("corpus")
    assert page.evaluate("document.documentElement.lang") == "en"
    offered = []
    for section in page.locator('[data-testid="stTopNavSection"]').all():
        section.click()
        links = page.locator('[data-testid="stTopNavDropdownLink"]')
        expect(links.first).to_be_visible()
        offered += [link.get_attribute("href").rsplit("/", 1)[-1] or "corpus" for link in links.all()]
        found = findings(page, "light")
        assert not found, "with a menu open:\n" + "\n".join(found)
        page.keyboard.press("Escape")
    assert sorted(offered) == PAGES
