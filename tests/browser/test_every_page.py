"""Every page, seen as it opens and as what opens from it: a result in sight, nothing that axe calls serious, links.

A page is opened as a newcomer finds it, and with results if it shows what runs left. Its first result, or the word of
what to do for one, is in sight at once, whatever controls stand before it, and no more words and controls are in sight
than ``first_screens.py`` allows. axe (WCAG 2.2 AA) reads the page and then what each step of
``INSIDE`` changes, its colours in both themes; what was there before a step and after it is the same element, so that
no click on it is lost. At "link" the address is opened in another window, which must come to show the same.

A page that is added to the menu is covered by itself; ``INSIDE`` must say what opens from it. What Streamlit draws and
leaves nobody to change stands in ``axe.ACCEPTED``, each with its reason; nothing else is let through.
"""

import contextlib
import difflib
import re
import shutil
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings, settle
from tests.browser.conftest import SCREEN, pick
from tests.browser.first_screens import counts, is_above
from tests.browser.kept import drawn_anew, mark
from tests.patience import PATIENCE, WAIT

pytestmark = pytest.mark.browser
PAGES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("*.py"))
RESULTS = (
    '[data-testid="stDataFrame"], [data-testid="stPlotlyChart"], [data-testid="stImage"], [data-testid="stAlert"], '
    '[data-testid^="stBidiComponent"], .katex, .st-key-guide_text'
)
LINE = 30  # pixels within which buttons stand beside each other
ENOUGH = 120  # pixels of a result by which one sees what it is
WINDOWS = {"window": '[data-testid="stPopoverBody"]', "dialog": '[data-testid="stDialog"]'}
# What is done on each page, in this order: a choice, a window (closed again), a part that unfolds; for a link also what
# axe reads only together with what follows: a view, a toggle, the next of a list by its key, a button, an option of a
# select box by its key. "more" is what a menu called More has.
INSIDE = {
    "adaptation": ["window Pivots", "choice Pivots", "choice Directions", "choice Changed arcs", "link"],
    "annotate": [
        "next sentence", "window Note", "window Options", "choice Check 20", "choice What next?", "choice Agreement",
        "link",
    ],
    "compare": [
        "window Add a parse", "window Filter", "choice Matrix", "view Direction", "choice Accuracy", "link",
        "toggle Apart", "choice More", "link", "folded Learning curve", "folded Inconsistencies",
    ],
    "consensus": ["window Settings", "choice What changed", "choice Inconsistencies", "choice Tags"],
    "constraints": [
        "next place", "window Settings", "window Save", "more Targets", "more Gradient", "link", "choice Errors",
        "view Distance", "link", "choice Ask me", "choice Text", "window Notation", "button Versions",
    ],
    "corpus": [
        "list corpus_counts Relations", "next sentence", "button with crossing arcs", "link", "window My project",
        "window Export", "dialog Add a text", "choice Search", "window Notation", "choice Validation",
    ],
    "decomposition": ["choice Multipliers"],
    "guide": ["choice Methods", "choice Every page", "link"],
    "induction": ["next place", "choice Every start at every level", "link"],
    "joint": ["window Settings", "next joint_sentence", "choice Rounds", "link"],
    "markup": [
        "view Strict", "window Filter", "next mk_page", "folded Statistics", "view Tag sequences", "link",
        "window Import pages",
    ],
    "papers": ["window How it works", "choice Rush 2012", "choice This text", "link"],
    "projects": ["window Delete this project"],
    "runs": ["choice For a paper", "folded What next?"],
    "teach": ["window Scores", "button Step", "link", "window What it does", "folded Make a lesson"],
}  # fmt: skip
READ = ("choice", "more", "folded", *WINDOWS)
RUNS = ["adaptation", "compare", "consensus", "constraints", "decomposition", "induction", "joint", "runs"]


@contextlib.contextmanager
def window(browser):
    """An empty page in a window of its own."""
    with browser.new_context(viewport=SCREEN, reduced_motion="reduce") as session:
        session.set_default_timeout(WAIT)
        yield session.new_page()


@pytest.fixture(scope="module")
def visit(browser, servers, examples, results, tmp_path_factory):
    """visit("corpus", with_results=False) -> the page with it open and settled, light."""
    server = servers("app.py")
    homes = {kind: tmp_path_factory.mktemp("home") for kind in (False, True)}
    shutil.copy(examples, homes[False])
    shutil.copytree(results, homes[True], dirs_exist_ok=True)

    with window(browser) as page:

        def visit(name, with_results=False):
            server.work_in(homes[with_results])
            page.emulate_media(color_scheme="light")
            page.goto(f"{server.address}/{name}{'?corpus=short.conllu' if with_results else ''}")
            settle(page)
            return page

        yield visit


@pytest.fixture(scope="module")
def again(browser):
    """The window in which addresses are opened again."""
    with window(browser) as page:
        yield page


@pytest.mark.parametrize("name", PAGES)
def test_as_a_newcomer_finds_it(name, visit, again):
    page = visit(name)
    expect(page.get_by_text("Compiling, once")).to_have_count(0)  # it takes room in the bar
    first, last = (page.locator(f".st-key-shared_{each}").bounding_box()["y"] for each in ("project_menu", "redo"))
    assert abs(last - first) < LINE, "the bar stands on more than one line"
    saved = page.locator('.st-key-shared_bar [data-testid="stCaptionContainer"]').first
    assert saved.bounding_box()["height"] < 1.5 * LINE, "what was saved last stands on more than one line"
    if name != "guide":  # which has as many words as it needs
        expect_few_in_sight(name, page)
    read(page, again, [] if name in RUNS else INSIDE[name])


@pytest.mark.parametrize("name", RUNS)
def test_with_results(name, visit, again):
    page = visit(name, with_results=True)
    expect_result_in_sight(page)
    expect_few_in_sight(name, page)
    read(page, again, INSIDE[name])


def read(page, again, steps):
    """A result is in sight; axe finds nothing in the page and after each step, and no control is drawn anew by one;
    links restore what is shown."""
    expect_result_in_sight(page)
    found = findings(page)
    for step in steps:
        kind, _, label = step.partition(" ")
        if kind == "link":
            expect_the_same(page, again)
            continue
        mark(page)
        take(page, kind, label)
        found += [f"{step}: drawn anew is {each}" for each in drawn_anew(page)]
        if kind in READ:
            found += [f"{step}: {each}" for each in findings(page)]
        if kind in WINDOWS:
            page.keyboard.press("Escape")
            expect(page.locator(WINDOWS[kind])).to_have_count(0)
    assert not found, "\n".join(found)


def expect_result_in_sight(page):
    """Wait until a table, chart, tree, picture, formula or word of what to do begins on the first screen.

    An example may still be in the making, and a chart that is being drawn has no height yet.
    """
    page.wait_for_function(
        """([results, lowest]) => [...document.querySelectorAll(results)].some(result => {
            const box = result.getBoundingClientRect();
            return result.closest('[data-testid="stMain"]') && box.height > 1 && box.y <= lowest;
        })""",
        arg=[RESULTS, SCREEN["height"] - ENOUGH],
    )


def expect_few_in_sight(name, page):
    """The first screen has no more words and controls than are allowed, at any width."""
    above = [f"{width} px: {rest}" for width, *rest in counts(page) if is_above(name, *rest[:2])]
    page.set_viewport_size(SCREEN)
    assert not above, "\n".join(above)


def take(page, kind, label):
    """Do what a step says, wait for what follows, and take the mouse away."""
    within = page.locator('[data-testid="stMain"]')
    if kind == "list":
        pick(page, *label.split(" ", 1))
        return
    if kind in ("choice", "view"):
        target = within.get_by_role("radio", name=re.compile(rf"^{re.escape(label)}( \(?[\d,]+\)?)?$")).first
    elif kind == "window":
        target = within.locator('[aria-haspopup="dialog"]').filter(has_text=label).first
    elif kind == "folded":
        target = within.locator("summary").filter(has_text=label).first
    elif kind == "toggle":
        target = within.get_by_text(label, exact=True)
    elif kind == "more":
        within.get_by_role("button", name="More").last.click()
        target = page.get_by_text(label, exact=True).last
    elif kind == "next":
        target = within.locator(f".st-key-{label} [data-testid='stPaginationNext']")
    else:
        target = within.get_by_role("button", name=label).last
    target.click()
    if kind in ("choice", "view"):
        expect(target).to_be_checked()
    if kind in WINDOWS:
        expect(page.locator(WINDOWS[kind])).to_be_visible()
    page.mouse.move(4, 880)
    settle(page)


def expect_the_same(page, again):
    """Wait until the address of a page, in another window, shows what the page does: parts load on their own."""
    opened, deadline = None, time.monotonic() + PATIENCE
    while True:
        if opened != page.url:  # which follows a click in its own time
            opened = page.url
            again.goto(opened)
        settle(again)
        one, other = shown(page), shown(again)
        if one == other and one[1]:
            break
        differences = difflib.unified_diff(*([*lines, *choices] for lines, choices in (one, other)), n=0)
        assert time.monotonic() < deadline, "\n".join(differences)
    again.goto("about:blank")


def shown(page):
    """The text of the page below the bar, and which of its choices are made; read at one moment."""
    return page.evaluate("""() => {
        const bar = document.querySelector(".st-key-shared_bar")?.innerText ?? "";
        const text = document.querySelector("[data-testid='stMain']").innerText.replace(bar, "");
        const made = "[data-testid='stMain'] :is([aria-checked='true'], [aria-pressed='true'], [aria-current='page'])";
        const chosen = [...document.querySelectorAll(made)];
        return [text.split("\\n").filter((line) => line.trim()), chosen.map((each) => each.innerText)];
    }""")


def test_the_menu_offers_the_pages_that_are_read(visit):
    page = visit("corpus")
    assert page.evaluate("document.documentElement.lang") == "en"
    offered, found = [], findings(page)
    for section in page.locator('[data-testid="stTopNavSection"]').all():
        section.click()
        links = page.locator('[data-testid="stTopNavDropdownLink"]')
        expect(links.first).to_be_visible()
        offered += [link.get_attribute("href").rsplit("/", 1)[-1] or "corpus" for link in links.all()]
        found += findings(page)
        page.keyboard.press("Escape")
    assert not found, "with a menu open:\n" + "\n".join(found)
    assert sorted(offered) == PAGES


def test_the_bar_stands_on_one_line_in_any_font(visit):
    page = visit("decomposition")  # the longest title
    page.add_style_tag(content=".st-key-shared_bar :not([data-testid=stIconMaterial]) {font-family: monospace}")
    boxes = [page.locator(f".st-key-shared_{name}").bounding_box() for name in ("project_menu", "undo", "redo")]
    assert len({box["y"] for box in boxes}) == 1
    assert page.locator(".st-key-shared_bar").get_by_text("Saved").bounding_box()["height"] < LINE
