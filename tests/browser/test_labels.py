"""Features, lemmas, glosses and subtypes on Annotate by keyboard, what is asked, and the letters of tags."""

import re

import pytest
from playwright.sync_api import expect

from core.annotation.label_inventories import UPOS_KEYS
from core.files.assets import ASSETS
from core.workspace import Workspace
from core.workspace.annotations import Annotations
from core.workspace.languages import change_language
from tests.patience import wait_for

pytestmark = pytest.mark.browser
TEXT = """1\tgatos\t_\tNOUN\t_\tGender=Masc|Number=Plur\t2\tnsubj\t_\tGloss=cats
2\tduermen\t_\tVERB\t_\t_\t0\troot\t_\t_
3\tmucho\t_\tADV\t_\t_\t2\tadvmod\t_\tSpaceAfter=No

"""
PRINTED = {"←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown", "Esc": "Escape"}
MORE = "1\tduermen\tdormir\tVERB\t_\tMood=Ind|Number=Plur\t0\troot\t_\tGloss=sleep\n\n"


@pytest.fixture
def opened(open_app, start_app):
    """opened(name) -> (the page with a text of Spanish, a function that reads a sentence from disk, the first)."""
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store

    def open_text(name):
        for each, content in ((f"more-{name}", MORE), (name, TEXT * 2)):
            number = store.add_corpus(store.default_project(), each, content.encode(), format="conllu")
            change_language(store, store.corpus(number), "es")
        page = open_app("app.py", path=f"/annotate?corpus={name}")
        expect(page.locator("g.word").first).to_be_focused()
        return page, lambda index=0: Annotations(workspace, store.corpus(number)).treebank()[index]

    yield open_text
    store.close()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def field(page, name):
    return page.locator(f"input.{name}")


def test_features_are_offered_completed_and_asked_for(opened):
    page, stored = opened("features.conllu")
    feats, note = field(page, "feats"), page.locator(".note")
    press(page, "ArrowRight", "f")
    expect(feats).to_be_focused()
    offers = page.locator(".offers .choice")
    expect(offers.first).to_have_text("Mood=Ind|Number=Plur")  # what the word has in the other text
    page.keyboard.type("pl")
    expect(page.locator(".offers .guess")).to_have_attribute("title", "Number=Plur")
    press(page, "Enter")
    expect(feats).to_have_value("Number=Plur|")
    page.keyboard.type("Mood=Indd")
    press(page, "Enter")
    expect(note).to_contain_text("Mood=Indd: Ind? No list has Mood=Indd for VERB.")
    press(page, "Escape", "f")
    expect(feats).to_have_value("")
    page.keyboard.type("Gendr=Masc")
    press(page, "Enter")
    expect(note).to_contain_text("No list has Gendr=Masc for VERB.")
    press(page, "Escape", "f")
    page.keyboard.type("Mood=Indd")
    press(page, "Enter", "Enter")  # it is asked, and answered
    wait_for(lambda: stored().feats[2] == "Mood=Ind")
    expect(page.locator("g.word").nth(1)).to_be_focused()
    press(page, "f")
    page.keyboard.type("Odd=Yes")
    press(page, "Enter")
    expect(note).to_contain_text("No list has Odd=Yes for VERB.")
    press(page, "Enter")
    wait_for(lambda: stored().feats[2] == "Mood=Ind|Odd=Yes")
    press(page, "f")
    expect(page.locator('.offers .choice[title="Odd=Yes"]')).to_have_attribute("aria-pressed", "true")  # known by now
    page.locator('.offers .choice[title="Odd=Yes"]').click()
    expect(feats).to_be_focused()
    press(page, "Enter")
    wait_for(lambda: stored().feats[2] == "Mood=Ind")


def test_a_malformed_list_stays_in_its_field_until_it_is_mended(opened):
    page, stored = opened("malformed.conllu")
    feats = field(page, "feats")
    press(page, "ArrowRight", "f")
    page.keyboard.type("Case")
    press(page, "Shift+Enter")
    note = page.locator(".note")
    expect(note).to_contain_text("Case is no list of features: write them as")
    expect(feats).to_be_focused()
    page.locator("g.word").first.click()
    expect(feats).to_have_value("Gender=Masc|Number=Plur")
    expect(note).to_be_empty()
    press(page, "Enter")  # done, and on: but not past what is open
    expect(feats).to_be_focused()
    expect(feats).to_have_value("Case")
    expect(note).to_contain_text("Case is no list of features")
    page.keyboard.type("=Nom")
    press(page, "Shift+Enter")  # a verb has no case in any list
    press(page, "Shift+Enter")
    wait_for(lambda: stored().feats[2] == "Case=Nom")
    expect(note).to_be_empty()
    press(page, "Enter")
    expect(page.get_by_text("Sentence 2 of 2", exact=False)).to_be_visible()


def test_lemmas_and_glosses_are_offered_and_glosses_go_from_word_to_word(opened):
    page, stored = opened("glosses.conllu")
    lines = page.locator('text[data-line="gloss"]')
    expect(lines.first).to_have_text("cats")
    press(page, "ArrowRight", "l")
    expect(page.locator(".offers .choice")).to_have_text(["dormir"])
    press(page, "ArrowDown", "Enter")
    wait_for(lambda: stored().lemmas[2] == "dormir")
    press(page, "v")
    expect(field(page, "gloss")).to_be_focused()
    press(page, "ArrowDown", "Enter")  # "sleep", and on to the next word
    expect(page.locator(".fields .form").first).to_have_text(re.compile("3 mucho"))
    page.keyboard.type("much")
    press(page, "Tab")
    page.keyboard.type("mutsho")
    press(page, "Enter")
    wait_for(lambda: stored().misc[1:] == ("Gloss=cats", "Gloss=sleep", "SpaceAfter=No|Gloss=much|Translit=mutsho"))
    expect(lines).to_have_text(["cats", "sleep", "much"])
    lines.first.click()
    expect(field(page, "gloss")).to_be_focused()
    page.keyboard.type("a|b")
    press(page, "Enter")
    expect(page.get_by_role("alert").filter(has_text="holds a bar").first).to_be_visible()
    press(page, "Escape", "ArrowLeft")
    expect(field(page, "gloss")).to_have_value("a|b")  # refused, and still there
    press(page, "v", "Escape")
    expect(field(page, "gloss")).to_have_value("cats")
    page.get_by_role("button", name="Glosses").click()
    expect(lines).to_have_count(0)


def test_keys_that_are_faster_than_the_next_sentence_are_typed_into_the_field_they_open(opened):
    page, stored = opened("fast.conllu")
    press(page, "n", "l", *"gato", "ArrowLeft", "ArrowLeft", "?", "Enter", "ArrowRight", "x", *"do", "Enter")
    wait_for(lambda: stored(1).xpos[2] == "do")
    assert stored(1).lemmas[1] == "ga?to" and stored().lemmas[1] == ""
    expect(page.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("begun")


def test_what_is_typed_when_another_sentence_comes_is_of_the_one_before(opened):
    page, stored = opened("left.conllu")
    lemma, place = field(page, "lemmas"), "Sentence {} of 2"
    press(page, "n")
    expect(page.get_by_text(place.format(2), exact=False)).to_be_visible()
    press(page, "l")
    page.keyboard.type("gato")
    page.go_back(wait_until="commit")
    expect(page.get_by_text(place.format(1), exact=False)).to_be_visible()
    expect(page.locator("g.word").first).to_be_focused()
    expect(lemma).to_have_value("")
    wait_for(lambda: stored(1).lemmas[1] == "gato")
    assert stored().lemmas[1] == ""


def test_a_field_that_nobody_typed_in_changes_nothing(opened, open_app):
    page, stored = opened("looked.conllu")
    other = open_app("app.py", path="/annotate?corpus=looked.conllu")
    expect(other.locator("g.word").first).to_be_focused()
    press(other, "l")
    other.keyboard.type("gato")
    press(other, "Enter")
    wait_for(lambda: stored().lemmas[1] == "gato")
    press(page, "u", UPOS_KEYS["VERB"], "l")  # refused, for it is another tree by now
    expect(page.get_by_role("alert").filter(has_text="changed").first).to_be_visible()
    expect(field(page, "lemmas")).to_be_focused()
    page.locator("g.word").first.click()
    expect(field(page, "lemmas")).to_have_value("gato")
    press(page, "x", *"nom", "Enter")
    wait_for(lambda: stored().xpos[1] == "nom")
    assert stored().lemmas[1] == "gato"


def test_enter_that_ends_what_an_input_method_composes_takes_nothing(opened):
    page, stored = opened("composed.conllu")
    press(page, "v")
    gloss = field(page, "gloss")
    gloss.fill("ne")
    composing = "{ key: 'Enter', isComposing: true, bubbles: true, cancelable: true, composed: true }"
    gloss.evaluate(f"input => input.dispatchEvent(new KeyboardEvent('keydown', {composing}))")
    expect(gloss).to_be_focused()
    expect(page.locator(".fields .form").first).to_have_text(re.compile("1 gatos"))
    press(page, "Enter")
    wait_for(lambda: stored().misc[1] == "Gloss=ne")


def test_a_subtype_is_chosen_by_keys_that_no_text_has(opened):
    page, stored = opened("subtypes.conllu")
    press(page, ":", "p")
    wait_for(lambda: stored().deprels[1] == "nsubj:pass")
    press(page, "r", ":")
    expect(page.locator(".prompt")).to_contain_text("before its subtype?")
    page.locator(".choice").filter(has_text=re.compile("obl$")).click()
    expect(page.locator(".choice").filter(has_text="obl:tmod")).to_be_visible()
    press(page, ":")
    wait_for(lambda: stored().deprels[1] == "obl")
    press(page, "ArrowRight", "ArrowRight", ":", "e")
    wait_for(lambda: stored().deprels[3] == "advmod:emph")
    press(page, "ArrowLeft", ":")
    expect(page.locator(".prompt")).to_have_text("Choose its head first, with h")


def test_the_list_of_keys_has_each_key_of_the_tree_and_no_other(browser):
    names = (
        "tree-layout", "tree-save", "tree-frame", "tree-draw", "annotate-model", "annotate-labels", "annotate-graph",
        "annotate-words", "annotate-panel", "annotate",
    )  # fmt: skip
    source = "\n".join((ASSETS / "components" / f"{name}.js").read_text(encoding="utf-8") for name in names)
    page = browser.new_page()
    wanted = "[Object.keys({ ...MOVES, ...GRAPH_MOVES }), [...KEY_HELP, ...GRAPH_HELP].map(([key]) => key)]"
    keys, listed = page.evaluate(f"(source) => new Function(`${{source}}; return {wanted};`)()", source)
    page.close()
    shown = {PRINTED.get(key, key) for text in listed for key in re.split("[ ,]+", text)}
    assert shown - {"Ctrl+Z", "Ctrl+Shift+Z", "⇧", "mouse"} == set(keys)


def test_a_tag_has_the_letter_that_stands_on_its_button(opened):
    page, stored = opened("letters.conllu")
    press(page, "u")
    shown = page.locator(".choices:not(.offers) .choice").all_inner_texts()
    letters = {tag: letter for letter, tag in (text.split() for text in shown)}
    assert letters == UPOS_KEYS
    press(page, UPOS_KEYS["PROPN"])
    wait_for(lambda: stored().upos[1] == "PROPN")
