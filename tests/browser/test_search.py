"""What a search found, used elsewhere, in a real browser: a group on Compare, a rewriting hit by hit, files."""

import io
import json
import re

import pytest
import spacy
from playwright.sync_api import expect
from spacy.tokens import DocBin

from core.search import parse_request, search
from core.treebank import conllu_text, load_sample
from core.workspace.corpus.search import STARTERS, SUBJECTS

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
RENAME = STARTERS["Rename a relation"][0]


@pytest.fixture
def open_search(open_app, settle):
    """A page with the search of the sample, a starter chosen where one is named."""

    def open_search(starter=None):
        page = open_app("app.py", path="/?corpus_view=Search")
        page.set_default_timeout(PATIENCE)
        expect(page.get_by_text(re.compile(r"^\d+ hits in")).first).to_be_visible(timeout=PATIENCE)
        settle(page)
        if starter:
            page.locator(".st-key-search_start").get_by_text(starter, exact=True).click()
        return page

    return open_search


def click_cell(page, table, across, down):
    canvas = page.locator(f"[class*='st-key-{table}'] canvas").first
    expect(canvas).to_be_visible(timeout=PATIENCE)
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + across, box["y"] + down)


def test_a_group_from_a_search_is_scored_by_itself_on_compare(open_search, start_app, settle, pick):
    page = open_search()
    count = len(search(load_sample(), parse_request(SUBJECTS)))
    page.locator(".st-key-search_group button").first.click()
    pick(page, "search_group_word", "word S")
    page.get_by_label("Name of the group").fill("verbal subjects")
    page.get_by_role("button", name="Save group").click()
    expect(page.get_by_text("Group verbal subjects is saved with the project")).to_be_visible(timeout=PATIENCE)
    settle(page)
    page.goto(start_app("app.py") + "/compare")
    expect(page.locator(".st-key-cmp_tree g.word").first).to_be_visible(timeout=PATIENCE)
    settle(page)
    page.locator(".st-key-cmp_table").get_by_text("Groups", exact=True).click()
    expect(page.get_by_role("button", name="1 group")).to_be_visible(timeout=PATIENCE)
    settle(page)
    click_cell(page, "cmp_tally_group", 200, 30 + 14)  # the first row's size
    expect(page.get_by_text("Words of verbal subjects")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(rf"^{count:,} words in"))).to_be_visible(timeout=PATIENCE)


def test_a_rewriting_is_run_dry_accepted_hit_by_hit_and_undone_at_once(open_search, settle):
    page = open_search("Rename a relation")
    count = len(search(load_sample(), parse_request(RENAME)))
    page.locator(".st-key-search_view").get_by_text("Rewrite").click()
    expect(page.get_by_role("button", name=f"Rewrite {count} of {count} hits")).to_be_visible(timeout=PATIENCE)
    settle(page)
    click_cell(page, "search_dry_run", 39, 50)  # the first hit's tick
    expect(page.get_by_role("button", name=f"Rewrite {count - 1} of {count} hits")).to_be_visible(timeout=PATIENCE)
    settle(page)
    page.locator(".st-key-search_rewrite button").first.click()
    expect(page.get_by_text(f"{count - 1} hits rewritten in sample rewritten 1.conllu")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-corpus input").first).to_have_value("sample rewritten 1.conllu", timeout=PATIENCE)
    settle(page)
    page.locator(".st-key-shared_undo button").first.click()
    expect(page.get_by_text("Undid adding sample rewritten 1.conllu")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".st-key-corpus input").first).not_to_have_value("sample rewritten 1.conllu", timeout=PATIENCE)


def test_a_file_comes_out_as_it_went_in_and_in_other_formats(open_app, settle, tmp_path):
    data = conllu_text(load_sample().limit(5)).replace("\n", "\r\n").encode()  # as some editors write it
    (tmp_path / "mine.conllu").write_bytes(data)
    page = open_app("app.py")
    page.set_default_timeout(PATIENCE)
    page.get_by_role("button", name="Add a text").click()
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(tmp_path / "mine.conllu")
    add = page.get_by_role("dialog").get_by_role("button", name="Add", exact=True)
    expect(add).to_be_enabled(timeout=PATIENCE)
    settle(page)
    add.click()
    expect(page.get_by_text("mine.conllu: 5 sentences")).to_be_visible(timeout=PATIENCE)
    settle(page)
    files = {
        name: fetched(page, name) for name in ("CoNLL-U", "spaCy DocBin", "Table of words (CSV)", "displaCy (JSON)")
    }
    words = [form for sentence in load_sample().limit(5) for form in sentence.forms[1:]]
    assert files["CoNLL-U"] == data
    docs = DocBin().from_bytes(files["spaCy DocBin"]).get_docs(spacy.blank("xx").vocab)
    assert [token.text for doc in docs for token in doc] == words
    assert len(files["Table of words (CSV)"].decode().splitlines()) == 1 + len(words)
    assert [word["text"] for one in json.loads(files["displaCy (JSON)"]) for word in one["words"]] == words


def fetched(page, name):
    """The bytes of a download behind "Take away"."""
    button = page.get_by_role("button", name=name, exact=True)
    if not button.is_visible():
        page.locator(".st-key-corpus_take_away button").first.click()
    with page.expect_download() as download:
        button.click()
    return io.FileIO(download.value.path()).readall()
