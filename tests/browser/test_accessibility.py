"""Every page, light and dark, read by axe: nothing serious against WCAG 2.2 AA, first view and what opens from it.

Its first result, or the word of what to do for one, is in sight at once, whatever controls stand before it.

A page that is added to the menu is covered by itself; ``INSIDE`` must say what opens from it. What Streamlit draws and
leaves nobody to change stands in ``axe.ACCEPTED``, each with its reason; nothing else is let through.
"""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from core.treebank import conllu_text, load_sample
from core.workspace import Workspace, add_corpus
from core.workspace.adaptation.system import Adaptation
from core.workspace.consensus.system import Consensus
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.system import Induction
from core.workspace.joint.system import Joint
from core.workspace.registry import Systems
from tests.browser.axe import COLORS, PATIENCE, RULES, findings, settle, wear

pytestmark = pytest.mark.browser
PAGES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("*.py"))
SCREEN = {"width": 1280, "height": 900}
RESULTS = (
    '[data-testid="stDataFrame"], [data-testid="stPlotlyChart"], [data-testid="stImage"], [data-testid="stAlert"], '
    '[data-testid^="stBidiComponent"], .katex, .st-key-guide_text'
)
LINE = 30  # pixels within which buttons stand beside each other
ENOUGH = 120  # pixels of a result by which one sees what it is
OTHER = {"light": "dark", "dark": "light"}
WINDOWS = {"window": '[data-testid="stPopoverBody"]', "dialog": '[data-testid="stDialog"]'}
# What opens from the first view of each page, in this order: a choice, a window (closed again), a folded part.
INSIDE = {
    "adaptation": ["window Pivots", "choice Pivots", "choice Directions", "choice Changed arcs"],
    "annotate": ["window Note", "window Options", "choice Check 20", "choice Agreement", "choice What next?"],
    "compare": ["window Add a parse", "choice Confusion", "choice Groups", "folded Learning curve"],
    "consensus": ["window Rewards", "choice What changed"],
    "constraints": [
        "window Settings", "window Save", "choice Targets", "choice Errors", "choice Gradient", "choice Text",
        "window Notation", "choice Ask me", "choice Versions",
    ],
    "corpus": ["window My project", "window Take away", "dialog Add a text", "choice Search", "window Notation"],
    "decomposition": ["choice Multipliers"],
    "guide": ["choice Every page", "choice Methods"],
    "induction": ["choice Every start at every level"],
    "joint": ["window Settings", "choice Rounds"],
    "markup": ["window Import pages"],
    "projects": ["window Delete this project"],
    "runs": ["choice For a paper", "folded What next?"],
    "teach": ["window What it does", "folded Make a lesson"],
}  # fmt: skip


@pytest.fixture(scope="module")
def visit(browser, start_app):
    """visit("corpus") -> the page of the browser with it open and settled, light."""
    session = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    page = session.new_page()
    page.set_default_timeout(PATIENCE)
    address = start_app("app.py")

    def visit(name, query=""):
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}/{name}{query}")
        settle(page)
        return page

    yield visit
    session.close()


@pytest.fixture(scope="module")
def short(visit, start_app):
    """A text on which each kind of run was made, quickly: the query that opens it."""
    visit("corpus")  # makes the store
    place = next(start_app.folders["app.py"].rglob("workbench.sqlite"))
    workspace = Workspace.open(f"sqlite:///{place}")
    project = workspace.store.recent_project()
    rows = np.flatnonzero(load_sample().lengths <= 9)[:30]
    banks = {
        "short.conllu": load_sample().select(rows),
        "heads.conllu": load_sample("function-heads").select(rows),
        "questions.conllu": load_sample("questions").limit(10),
    }
    one, other, questions = (
        workspace.store.corpus(add_corpus(workspace.store, project, name, conllu_text(bank.to_conllu()).encode())[0])
        for name, bank in banks.items()
    )
    for number in _runs(workspace, one, other, questions):
        assert workspace.jobs.wait(number, timeout=120).status == "done"
    workspace.store.close()
    return "?corpus=short.conllu"


def _runs(workspace, one, other, questions):
    """The numbers of a run of each kind; begun one after another."""
    ge = Systems(workspace)["ge"]
    yield ge.train(ge.text(one), "DET <- NOUN per modifier = 0.9\n")
    induction = Induction(workspace)
    plan = InductionPlan(init="harmonic", level="none", stages="8", max_iterations=4)
    yield induction.start(induction.inputs(one, plan), plan)
    consensus = Consensus(workspace)
    consensus.save(one, "choosing", order=1, epochs=1, tags="upos")
    yield consensus.start(consensus.inputs(one, consensus.plan(one)), consensus.plan(one))
    joint, quick = Joint(workspace), {"order": 1, "epochs": 1, "candidates": 3, "rounds": 1, "stages": 1}
    joint.save(one, "choosing", one=f"corpus-{one.id}", other=f"corpus-{other.id}", **quick)
    yield joint.start(joint.inputs(one, joint.plan(one)), joint.plan(one))
    adaptation = Adaptation(workspace)
    adaptation.save(one, "choosing", target=questions.id, epochs=1, few=2, edges=2000, rounds=0)
    yield adaptation.start(adaptation.inputs(one, adaptation.plan(one)), adaptation.plan(one))


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_on_the_first_screen(name, visit):
    page = visit(name)
    expect(page.get_by_text("Compiling, once")).to_have_count(
        0, timeout=PATIENCE
    )  # it takes room in the bar while it lasts
    first, last = (page.locator(f".st-key-shared_{name}").bounding_box()["y"] for name in ("project_menu", "redo"))
    assert abs(last - first) < LINE, "the bar stands on more than one line"
    saved = page.locator('.st-key-shared_bar [data-testid="stCaptionContainer"]').first
    assert saved.bounding_box()["height"] < 1.5 * LINE, "what was saved last stands on more than one line"
    expect_result_in_sight(page)
    found = findings(page, "light")
    wear(page, "dark")
    found += findings(page, "dark")
    assert not found, f"on the page {name}:\n" + "\n".join(found)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_in_what_opens(name, visit, short):
    """The page with results, then each window and view; the theme changes with every look."""
    page, scheme = visit(name, "" if name == "markup" else short), "light"  # the short text has no mark-up
    expect_result_in_sight(page)
    found = findings(page, scheme)
    for step in INSIDE[name]:
        kind, label = step.split(" ", 1)
        _open(page, kind, label)
        for rules in (RULES, COLORS):
            found += [f"{step}: {each}" for each in findings(page, scheme, rules)]
            if rules is RULES:
                scheme = OTHER[scheme]
                wear(page, scheme)
        if kind in WINDOWS:
            page.keyboard.press("Escape")
            expect(page.locator(WINDOWS[kind])).to_have_count(0, timeout=PATIENCE)
    assert not found, f"on the page {name}:\n" + "\n".join(found)


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
        timeout=PATIENCE,
    )


def _open(page, kind, label):
    """Open what is called so, and take the mouse away from it."""
    within = page.locator('[data-testid="stMain"]')
    if kind == "choice":
        within.get_by_role("radio", name=label, exact=True).first.click()
    elif kind == "window":
        within.locator('[aria-haspopup="dialog"]').filter(has_text=label).first.click()
        expect(page.locator(WINDOWS[kind])).to_be_visible(timeout=PATIENCE)
    elif kind == "dialog":
        within.get_by_role("button", name=label).first.click()
        expect(page.locator(WINDOWS[kind])).to_be_visible(timeout=PATIENCE)
    else:
        within.locator("summary").filter(has_text=label).first.click()
    page.mouse.move(4, 880)
    settle(page)


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


def test_the_bar_stands_on_one_line_in_any_font(visit):
    page = visit("decomposition")  # the longest title
    page.add_style_tag(content=".st-key-shared_bar :not([data-testid=stIconMaterial]) {font-family: monospace}")
    boxes = [page.locator(f".st-key-shared_{name}").bounding_box() for name in ("project_menu", "undo", "redo")]
    assert len({box["y"] for box in boxes}) == 1
    assert page.locator(".st-key-shared_bar").get_by_text("Saved").bounding_box()["height"] < LINE
