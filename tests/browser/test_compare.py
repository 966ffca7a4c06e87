"""Numbers open their sentences in a real browser: a confusion cell on Compare, a count of the search on Corpus."""

import json
import re
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from core.constraints.ge.baselines import attach_right
from core.search import clusters, parse_request, search
from core.treebank import conllu_text, load_sample
from core.workspace import Workspace
from core.workspace.corpus.search import SUBJECTS
from core.workspace.parses import add_parse
from tests.filled import filled

pytestmark = pytest.mark.browser
COUNT = re.compile(r"^([\d,]+) words in ([\d,]+) of")
COVERED = """() => {
  const box = (element) => element.getBoundingClientRect();
  const within = (one, other, low, high) => one[low] < other[high] && other[low] < one[high];
  const meet = (one, other) => within(one, other, "left", "right") && within(one, other, "top", "bottom");
  const inside = '[data-testid="stElementToolbar"]';
  const seen = [...document.querySelectorAll(inside)].filter((each) => getComputedStyle(each).opacity > 0);
  const bars = seen.map(box).filter((each) => each.width > 0);
  return [...document.querySelectorAll("button, [role=radio], input")]
    .filter((each) => !each.closest(inside) && box(each).width > 0 && bars.some((bar) => meet(bar, box(each))))
    .map((each) => each.textContent || each.ariaLabel || each.tagName);
}"""  # controls that lie under a table's own toolbar
RESTS = "() => document.getAnimations().every((each) => each.playState !== 'running')"  # a toolbar rises when it comes


def click_cell(page, table, across, row):
    """Click a cell of a table: so many pixels from its left, so many rows of 28 below its header of 30."""
    grid = page.locator(f"[class*='st-key-{table}'] [data-testid='stDataFrame']").first
    grid.click(position={"x": across, "y": 30 + 28 * row + 14})


def two_parses(folder):
    """A store whose text has two parses: one takes subjects for objects, one hangs each word on the next."""
    workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite")
    corpus, bank = workspace.store.corpora(workspace.store.default_project())[0], load_sample()
    relations = np.array(bank.deprel.values, object)[bank.deprel.ids]
    confused = bank.with_heads(bank.heads, np.where(relations == "nsubj", "obj", relations).tolist())
    for name, parse in (("confused.conllu", confused), ("next.conllu", attach_right(bank))):
        add_parse(workspace, corpus, name, conllu_text(parse).encode())
    workspace.store.close()


def test_the_worst_confusions_open_their_words(open_app, start_app, settle):
    start_app("app.py", two_parses)
    subjects = sum(relation == "nsubj" for sentence in load_sample() for relation in sentence.deprels)
    page = open_app("app.py")
    page.get_by_test_id("stTopNavSection").filter(has_text="Evaluate").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Compare").click()  # the list is there after two clicks
    expect(page.get_by_text("Click a number to see its words")).to_be_visible()
    settle(page)
    click_cell(page, "cmp_ranked", 350, 0)
    expect(page.get_by_text("nsubj taken for obj in confused.conllu")).to_be_visible()
    expect(page.get_by_text(re.compile(f"^{subjects} words in "))).to_be_visible()
    expect(page.locator(".st-key-cmp_tree [data-role='bar']").first).to_be_visible()
    settle(page)
    for table in filled(page.locator("[data-testid='stDataFrame']").all()):
        table.hover()
        expect(table.locator("[data-testid='stElementToolbar']")).to_be_visible()
        page.wait_for_function(RESTS)
        assert page.evaluate(COVERED) == []


def test_a_cell_and_a_point_open_their_words(open_app, settle):
    page = open_app("app.py", path="/compare?cmp_table=Confusion")  # a link of former times
    expect(page.get_by_text("Click a number to see its words")).to_be_visible()
    settle(page)
    click_cell(page, "cmp_cells", 190, 1)  # the second row's second column
    expect(page.get_by_text(re.compile("^Words whose head tag is .* in own trees, .* in"))).to_be_visible()
    settle(page)
    page.locator(".st-key-cmp_table").get_by_role("radio", name="Accuracy").click()
    point = page.locator(".st-key-cmp_chart_distance .scatterlayer .point").last
    expect(point).to_be_visible()
    settle(page)
    box = point.bounding_box()  # what Plotly drags lies over it
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text("Roots that next.conllu gets wrong")).to_be_visible()
    assert int(COUNT.match(page.get_by_text(COUNT).inner_text())[1].replace(",", "")) > 0


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


def test_a_word_of_a_confusion_that_is_corrected_stays_in_its_list(open_app, start_app, settle):
    start_app("app.py", two_parses)
    opening = json.dumps(["confused", "relation", "confused.conllu", "nsubj", "obj"])
    page = open_app("app.py", path=f"/compare?{urlencode({'cmp_open': opening})}")
    expect(page.get_by_text("nsubj taken for obj in confused.conllu")).to_be_visible()
    settle(page)
    words = COUNT.match(page.get_by_text(COUNT).inner_text())[1]
    page.locator(".st-key-cmp_annotate button").click()
    expect(page.locator("g.word:focus")).to_have_attribute("aria-label", re.compile("nsubj"))
    page.keyboard.press("r")
    page.locator(".choice").filter(has_text=re.compile(r"^\S\s*obj$")).first.click()
    expect(page.locator('g.word[aria-label*="obj, corrected"]')).to_have_count(1)
    page.keyboard.press("d")
    expect(page.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("done")
    settle(page)
    page.locator(".st-key-ann_list_back button").click()
    listed = re.compile(f"^{words} words in .*; 1 of them corrected since, so not counted any more")
    expect(page.get_by_text(listed)).to_be_visible()
