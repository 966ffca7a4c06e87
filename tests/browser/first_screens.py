"""Words and controls on the first screen of every page, over a store in which the sample was trained on; run by hand:

    python -m tests.browser.first_screens            # all pages, at three widths
    python -m tests.browser.first_screens compare    # some
    python -m tests.browser.first_screens --shots DIR --dark    # pictures too, in the dark theme

Counted is what the viewport shows outside the bar, drawings and tables: words of text; buttons, fields, menus, links.
``test_every_page.py`` asserts the same of the pages as a newcomer finds them, and of those with results.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from pages.shared.navigation import MENU
from tests.browser.axe import stand_still
from tests.browser.conftest import server, settle
from tests.browser.pictures import LULL, train_sample
from tests.conftest import FLAGS
from tests.patience import WAIT

SCREENS = ((1440, 900), (1280, 800), (820, 1180))
MOST = {"constraints": (120, 22), "markup": (150, 22), "compare": (140, 22), "annotate": (120, 26), "teach": (120, 22)}
USUAL = (120, 20)  # words and controls of the other pages; the guide has as many as it needs
COUNT = """() => {
  const beside = [".st-key-shared_bar", ".st-key-tour", "header", "svg", "canvas", "table", ".js-plotly-plot",
    "[data-testid=stDataFrame]", "[data-testid=stImage]", "[data-testid=stToast]",
    "[data-testid=stBidiComponent]"].join();
  const main = document.querySelector("[data-testid=stMain]");
  const inSight = (box) => box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0
    && box.left < innerWidth;
  const seen = { opacityProperty: true, visibilityProperty: true };
  const shown = (element) => !element.closest(beside) && element.checkVisibility(seen);
  const nodes = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  let words = 0;
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const icon = node.parentElement.closest("[data-testid=stIconMaterial]");
    if (!icon && shown(node.parentElement) && [...range.getClientRects()].some(inSight)) {
      words += node.data.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length;
    }
  }
  const kinds = "button, input, select, textarea, a[href], summary, [role=button], [role=slider], [role=radio]";
  const controls = [...main.querySelectorAll(kinds)].filter(
    (each) => shown(each) && inSight(each.getBoundingClientRect()) && !each.parentElement.closest(kinds)
      && !(each.matches("button") && each.closest("[data-testid=stSelectbox], [data-testid=stMultiSelect]")));
  const name = (each) => each.getAttribute("aria-label") || each.textContent || each.tagName;
  return [words, controls.length, controls.map(name)];
}"""


def counts(page):
    """(width, words, controls, what these are called) of a settled page at each of SCREENS, the size of its window."""
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        expect(page.locator('[data-testid="stSkeleton"], [data-testid="stProgress"]')).to_have_count(0)
        stand_still(page)  # a table that is yet to be drawn has no height, and what is below it would be in sight
        yield width, *page.evaluate(COUNT)


def is_above(name, words, controls):
    """Whether so much is more than is allowed on the page of that name."""
    most = MOST.get(name, USUAL)
    return words > most[0] or controls > most[1]


def main(names, shots=None, theme="light", listing=False):
    """Print the counts of these pages, or of all; returns how many are above what is allowed."""
    above = 0
    with tempfile.TemporaryDirectory() as folder, server("app.py") as running, sync_playwright() as playwright:
        train_sample(Path(folder))
        running.work_in(folder)
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in names or [name for pages in MENU.values() for name in pages if name != "guide"]:
            page = chromium.new_page(color_scheme=theme)
            page.set_default_timeout(WAIT)
            page.goto(f"{running.address}/{name}")
            settle(page)
            expect(page.get_by_text("Compiling, once")).to_have_count(0)
            for width, words, controls, listed in counts(page):
                if shots:
                    page.wait_for_timeout(LULL)
                    page.screenshot(path=f"{shots}/{name}_{width}_{theme}.png")
                mark = "  above {} and {}".format(*MOST.get(name, USUAL)) if is_above(name, words, controls) else ""
                above += bool(mark)
                print(f"{name:14} {width:5} {words:5} words {controls:4} controls{mark}", flush=True)
                if listing:
                    print("   ", " | ".join(listed))
            page.close()
    return above


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("names", nargs="*")
    given.add_argument("--shots")
    given.add_argument("--dark", dest="theme", action="store_const", const="dark", default="light")
    given.add_argument("--listing", action="store_true", help="name the controls")
    sys.exit(main(**vars(given.parse_args())) > 0)
