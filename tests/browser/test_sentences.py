"""Sentences split and merged on Annotate in a real browser, by keyboard alone and by mouse."""

import re

import pytest
from playwright.sync_api import expect

from core.treebank import Treebank, conllu_text
from core.workspace import Workspace
from core.workspace.annotations import Annotations
from tests.patience import wait_for

pytestmark = pytest.mark.browser
CUT = ("It rains . We leave .", "The dog", "sleeps .")
RIGHT = ("It rains .", "We leave .", "The dog sleeps .")


def test_sentences_are_split_and_merged_by_keys_and_by_mouse(open_app, start_app):
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store
    text = conllu_text(Treebank.from_sentences({"forms": sentence.split()} for sentence in CUT))
    corpus = store.corpus(store.add_corpus(store.default_project(), "cut.conllu", text.encode(), format="conllu"))
    Annotations(workspace, corpus, "Ann").set_note(2, "where is the dog?")
    page = open_app("app.py", path="/annotate?corpus=cut.conllu")

    def shows(number, count, words):
        expect(page.get_by_text(f"Sentence {number} of {count}", exact=False)).to_be_visible()
        expect(page.locator("svg[role='tree']")).to_have_attribute("aria-label", re.compile(f": {re.escape(words)}$"))

    expect(page.locator("g.word").first).to_be_focused()
    page.keyboard.press("S")
    expect(page.locator(".annotate")).to_contain_text("A sentence is split before its second word or a later one")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "S"):
        page.keyboard.press(key)
    shows(1, 4, RIGHT[0])
    page.keyboard.press("n")
    shows(2, 4, RIGHT[1])
    page.keyboard.press("n")
    shows(3, 4, CUT[1])
    page.get_by_text("Change words").click()
    page.get_by_role("button", name="Merge sentences").click()
    shows(3, 3, RIGHT[2])
    page.keyboard.press("M")
    expect(page.locator(".problem")).to_contain_text("sentence 3 is the last one of cut.conllu")
    wait_for(lambda: [" ".join(each.forms[1:]) for each in workspace.standing(corpus).treebank] == list(RIGHT))
    assert Annotations(workspace, corpus, "Ann").state(2).note == "where is the dog?"
    page.keyboard.press("z")
    shows(3, 4, CUT[1])
    page.keyboard.press("z")
    shows(1, 3, CUT[0])
    page.keyboard.press("y")
    shows(1, 4, RIGHT[0])
    store.close()
