"""Numbers open their sentences in a real browser: a confusion cell on Compare, a count of the search on Corpus."""

import re

import pytest
from playwright.sync_api import expect

from core.search import clusters, parse_request, search
from core.treebank import load_sample
from core.workspace.corpus.search import SUBJECTS

pytestmark = pytest.mark.browser
expect.set_options(timeout=480_000)  # milliseconds after which something hangs
COUNT = re.compile(r"^([\d,]+) words in ([\d,]+) of")
COVERED = """() => {
  const box = (element) => element.getBoundingClientRect();
  const within = (one, other, low, high) => one[low] < other[high] && other[low] < one[high];
  const meet = (one, other) => within(one, other, "left", "right") && within(one, other, "top", "bottom");
  const inside = '[data-testid="stElementToolbar"]';
  const bars = [...document.querySelectorAll(inside)].map(box).filter((each) => each.width > 0);
  return [...document.querySelectorAll("button, [role=radio], input")]
    .filter((each) => !each.closest(inside) && box(each).width > 0 && bars.some((bar) => meet(bar, box(each))))
    .map((each) => each.textContent || each.ariaLabel || each.tagName);
}"""  # controls that lie under a table's own toolbar


def click_cell(page, table, across, row):
    """Click a cell of a table: so many pixels from its left, so many rows of 28 below its header of 30."""
    grid = page.locator(f"[class*='st-key-{table}'] [data-testid='stDataFrame']").first
    grid.click(position={"x": across, "y": 30 + 28 * row + 14})


def test_a_cell_opens_its_sentences_with_the_words_marked(open_app, settle):
    page = open_app("app.py", path="/compare?cmp_table=Confusion")
    expect(page.get_by_text("Columns: in attach right")).to_be_visible()
    settle(page)
    click_cell(page, "cmp_cells", 190, 1)  # the second row's second column
    title = page.get_by_text(re.compile("^Words whose head tag is .* in own trees, .* in attach right"))
    expect(title).to_be_visible()
    settle(page)
    said = page.get_by_text(COUNT).inner_text()
    words, sentences = (int(number.replace(",", "")) for number in COUNT.match(said).groups())
    assert words >= sentences > 0
    expect(page.locator(".st-key-cmp_tree [data-role='bar']").first).to_be_visible()
    for table in page.locator("[data-testid='stDataFrame']").all():
        table.hover()
        expect(table.locator("[data-testid='stElementToolbar']")).to_be_visible()
        assert page.evaluate(COVERED) == []


def test_a_search_count_opens_its_sentences(open_app, settle):
    hits = search(load_sample(), parse_request(SUBJECTS))
    first = clusters(hits, ("S.upos", "e.length"))[0]
    page = open_app("app.py", path="/?corpus_view=Search")
    expect(page.get_by_text(f"{len(hits)} hits in")).to_be_visible()
    settle(page)
    click_cell(page, "search_counts", 40, 0)
    expect(page.get_by_role("button", name=f"S.upos {first.values[0]} · e.length {first.values[1]}")).to_be_visible()
    expect(page.get_by_text(f"{first.count} of {len(hits)} hits")).to_be_visible()
    expect(page.locator(".st-key-search_tree [data-role='bar-label']")).to_have_text(["V", "S"])
    page.locator(".editor textarea").fill("pattern {\n  N [upos=NOUN; }")
    expect(page.get_by_text("line 2, column", exact=False)).to_be_visible()
    expect(page.get_by_text(f"of {len(hits)} hits")).to_be_visible()  # of the last that could be read
