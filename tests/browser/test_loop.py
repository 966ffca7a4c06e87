"""The loop of lines in a real browser: pasted text without trees, six questions, training, twenty corrected sentences,
two proposed lines, and an accuracy that rises, with its interval."""

import re

import pytest
from playwright.sync_api import expect

from core.annotation.rosters import RELATIONS, keys_for
from tests.browser.waiting import wait_for

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SENTENCES = 24
# A text in Esperanto, put together here. What no line says at first: a determiner never belongs to an adjective.
SUBJECTS = ("la/DET knabino/NOUN", "la/DET maljuna/ADJ viro/NOUN", "mia/DET frato/NOUN", "nia/DET instruisto/NOUN")
VERBS = ("vidis/VERB", "trovas/VERB", "portos/VERB", "amas/VERB", "vendos/VERB")
OBJECTS = ("la/DET libron/NOUN", "grandan/ADJ domon/NOUN", "la/DET bonan/ADJ panon/NOUN")
PLACES = ("en/ADP la/DET urbo/NOUN", "sur/ADP mia/DET tablo/NOUN", "apud/ADP malgranda/ADJ arbo/NOUN")
ANSWERS = {
    "adposition": "before",
    "adjective": "before",
    "object": "after",
    "genitive": "after",
    "determiner": "before",
}


def text():
    """SENTENCES sentences of tagged words, one a line."""
    return "\n".join(
        " ".join((SUBJECTS[i % 4], VERBS[i % 5], OBJECTS[i // 5 % 3], *([PLACES[i // 15 % 3]] if i % 3 else [])))
        for i in range(SENTENCES)
    )


def tree(tags):
    """(head, relation) of each word of a sentence of this text."""
    verb, nouns = tags.index("VERB") + 1, [place for place, tag in enumerate(tags, 1) if tag == "NOUN"]
    nominal = dict(zip(nouns, ((verb, "nsubj"), (verb, "obj"), (verb, "obl")), strict=False))
    relations = {"DET": "det", "ADJ": "amod", "ADP": "case"}
    found = []
    for place, tag in enumerate(tags, 1):
        after = next((noun for noun in nouns if noun > place), 0)
        found.append((after, relations[tag]) if tag in relations else nominal.get(place, (0, "root")))
    return found


def train(page):
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_test_id("stProgress").first).to_be_visible()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled(timeout=PATIENCE)


def place(page):
    """The number of the sentence that is open, from 0."""
    found = page.get_by_text(re.compile(f"^Sentence \\d+ of {SENTENCES}")).first.inner_text()
    return int(found.split()[1]) - 1


def correct_twenty(page, pick):
    """Draw twenty sentences, and correct them by keyboard from bare words."""
    keys = keys_for([name for name in RELATIONS if name != "root"])
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.get_by_text(f"20 of {SENTENCES} sentences, seed", exact=False)).to_be_visible()
    expect(page.locator("tr").filter(has_text="new")).to_have_count(20)
    drawn = {
        int(row) for row in page.locator("tr").filter(has_text="new").locator("td:first-child").all_text_contents()
    }
    page.get_by_role("radio", name="Trees").click()
    page.locator("g.word").first.click()
    for number in range(1, min(set(range(1, SENTENCES + 1)) - drawn)):  # from one that is not drawn all follow
        page.keyboard.press("n")
        wait_for(lambda number=number: place(page) == number)
    page.get_by_role("button", name="Options").click()
    pick(page, "ann_order", "drawn for Check 20, not done")
    page.keyboard.press("Escape")
    page.locator("g.word").first.click()
    here, words = [place(page)], text().splitlines()
    page.keyboard.press("n")
    page.keyboard.press("g")
    for _ in range(20):
        wait_for(lambda: place(page) != here[-1])
        here.append(place(page))
        tags = [word.rpartition("/")[2] for word in words[here[-1]].split()]
        expect(page.locator("g.word")).to_have_count(len(tags))
        for head, relation in tree(tags):
            page.keyboard.press(LETTERS[head - 1] if head else "0")
            if head:
                page.keyboard.press(keys[relation])
        expect(page.locator(".annotate .prompt")).to_contain_text("Every word has a head")
        page.keyboard.press("Enter")


def accuracies(page, pick, parsers):
    """[heads right in per cent, low and high end of its interval] of each parser, as Check 20 has them."""
    for name in parsers:
        pick(page, "ann_check_parsers", name)
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name=f"Accuracy of parsers ({1 + len(parsers)})")).to_be_visible()
    found = []
    for name in parsers:
        row = page.locator("tr").filter(has_text=name)  # of the table that a screen reader has of the canvas
        expect(row).to_be_attached()
        cells = row.locator("td").all_text_contents()
        found.append([float(number) for number in re.findall(r"\d+\.\d", cells[1])])
    return found


def test_from_pasted_text_to_an_accuracy_that_rises(open_app, start_app, pick, settle):
    page = open_app("app.py")
    page.set_default_timeout(PATIENCE)
    page.locator(".st-key-shared_add_text").get_by_role("button").click()
    page.get_by_role("textbox", name="Or paste text").click()
    page.keyboard.insert_text(text())
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(f"{SENTENCES} sentences").first).to_be_visible()
    page.locator(".st-key-upload_add").get_by_role("button", name="Add").click()
    expect(page.get_by_text(f"{SENTENCES} sentences").first).to_be_visible()
    page.get_by_test_id("stTopNavSection").filter(has_text="Knowledge").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Constraints").click()
    for name, answer in ANSWERS.items():
        page.locator(f".st-key-ge_begin_order_{name}").get_by_role("radio", name=answer, exact=True).click()
        settle(page)
    page.locator(".st-key-ge_begin_add").get_by_role("button").click()
    expect(page.locator(".st-key-ge_begin")).to_have_count(0)
    train(page)
    page.get_by_role("radio", name="Errors").click()
    page.get_by_role("button", name="Correct twenty sentences").click()
    correct_twenty(page, pick)
    page.get_by_test_id("stTopNavSection").filter(has_text="Knowledge").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Constraints").click()
    page.get_by_role("radio", name="Errors").click()
    page.get_by_role("radio", name="Proposed lines").click()
    for _ in range(2):
        page.locator(".st-key-ge_proposal_take").get_by_role("button").click()
        expect(page.get_by_text("train to see the effect")).to_be_visible()
        settle(page)
    train(page)
    page.get_by_test_id("stTopNavSection").filter(has_text="Text").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Annotate").click()
    page.get_by_role("radio", name="Check 20").click()
    before, after = accuracies(page, pick, ("run 1, grammar", "run 2, grammar"))
    assert before[1] < before[0] < before[2] and after[1] <= after[0] <= after[2]
    assert after[0] > before[0]
