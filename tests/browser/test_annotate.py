"""Annotating in a real browser: ten sentences from bare words by keyboard alone, two tabs on one sentence, undo."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from core.annotation import Annotation, attach
from core.annotation.rosters import RELATIONS, keys_for
from core.store import Store
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace import Workspace
from core.workspace.annotations import Annotations
from tests.browser.waiting import wait_for
from tests.oracles.trees import trees

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MODEL = Path(__file__).resolve().parents[2] / "assets" / "components" / "annotate-model.js"
COUNT = 10  # sentences annotated
# One key in ConlluEditor's own gui/shortcuts.json (Orange-OpenSource/conllueditor), given the word is active.
SHORTCUTS = {
    "amod", "advmod", "case", "det", "fixed", "acl", "nmod", "obj", "punct", "acl:relcl", "parataxis", "nsubj",
    "nummod", "advcl", "xcomp", "aux",
}  # fmt: skip


def conllueditor_keys(sentence):
    """The least that ConlluEditor takes for a sentence's heads and relations, a click counted as a key.

    A head is two clicks, the word and its head (the word twice makes it the root, whose relation is given). Its window
    asks for the relation: typed, with Enter; or left with Enter, the word clicked, one shortcut. We count that last as
    one key only, in its favour. ``+`` goes to the next sentence.
    """
    keys = 1
    for word in range(1, len(sentence) + 1):
        relation = sentence.deprels[word]
        named = 0 if sentence.heads[word] == 0 else 1 if relation in SHORTCUTS else len(relation) + 1
        keys += 2 + named
    return keys


def short_sentences():
    """Ten sentences of the sample whose words and relations have a key each."""
    keys = keys_for([name for name in RELATIONS if name != "root"])
    found = (
        sentence
        for sentence in load_sample()
        if len(sentence) <= 10 and all(name in keys or name == "root" for name in sentence.deprels[1:])
    )
    return [next(found) for _ in range(COUNT)], keys


@pytest.fixture
def bare(open_app, start_app):
    """bare(sentences) -> (a page with their words alone, a function that reads their annotations from disk)."""

    def open_bare(name, sentences):
        page = open_app("app.py", path="/annotate")
        expect(page.locator("g.word").first).to_be_visible(timeout=PATIENCE)
        address = f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite"
        store = Store.open(address)
        words = Treebank.from_sentences({"forms": sentence.forms[1:]} for sentence in sentences)
        corpus = store.add_corpus(store.default_project(), name, conllu_text(words).encode(), format="conllu")
        store.close()

        def stored():
            workspace = Workspace(Store.open(address))
            try:
                return Annotations(workspace, workspace.store.corpus(corpus)).treebank()
            finally:
                workspace.store.close()

        page.goto(start_app("app.py") + f"/annotate?corpus={name}")
        expect(page.get_by_text(f"Sentence 1 of {len(sentences)}", exact=False)).to_be_visible(timeout=PATIENCE)
        expect(page.locator("g.word").first).to_be_focused(timeout=PATIENCE)
        return page, stored

    return open_bare


def prompt(page):
    return page.locator(".annotate .prompt")


def test_ten_sentences_by_keyboard_alone_from_bare_words(bare):
    sentences, relation_keys = short_sentences()
    page, stored = bare("bare.conllu", sentences)
    pressed = 0

    def press(key):
        nonlocal pressed
        pressed += 1
        page.keyboard.press(key)

    press("g")
    for number, sentence in enumerate(sentences):
        expect(page.get_by_text(f"Sentence {number + 1} of {COUNT}", exact=False)).to_be_visible(timeout=PATIENCE)
        for word in range(1, len(sentence) + 1):
            head = int(sentence.heads[word])
            press(LETTERS[head - 1] if head else "0")
            if head:
                press(relation_keys[sentence.deprels[word]])
        expect(prompt(page)).to_contain_text("Every word has a head")
        press("Enter")
    expect(page.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("done", timeout=PATIENCE)
    theirs = sum(map(conllueditor_keys, sentences))
    assert pressed <= theirs
    result = stored()
    for mine, wanted in zip(result, sentences, strict=True):
        assert mine.heads.tolist() == wanted.heads.tolist()
        assert mine.deprels == wanted.deprels
    print(f"{pressed} keys here, {theirs} in ConlluEditor, for {sum(map(len, sentences))} words")


def test_the_tree_has_the_focus_and_a_small_screen_shows_it(bare):
    page, _ = bare("small.conllu", short_sentences()[0][:2])
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    first = page.locator("g.word").first
    expect(first).to_be_focused(timeout=PATIENCE)
    expect(page.locator(".st-key-ann_editor .work")).to_be_attached()
    assert first.evaluate(
        """(word) => {
            const box = word.getBoundingClientRect();
            const seen = word.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return box.bottom <= innerHeight && word.contains(seen);
        }"""
    )
    page.get_by_role("radio", name="Check 20").click()
    expect(page.get_by_role("button", name="Draw", exact=True)).to_be_visible(timeout=PATIENCE)
    page.get_by_role("radio", name="Trees").click()
    expect(page.locator("g.word").first).to_be_focused(timeout=PATIENCE)


def test_two_tabs_on_one_sentence(bare):
    sentences, _ = short_sentences()
    one, stored = bare("two.conllu", sentences[:2])
    two = one.context.new_page()
    two.goto(one.url)
    expect(two.locator("g.word").first).to_be_focused(timeout=PATIENCE)
    expect(two.locator(".st-key-ann_editor")).to_be_visible()
    for key in "hb":
        one.keyboard.press(key)
    one.keyboard.press("Enter")
    expect(one.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("begun", timeout=PATIENCE)
    for key in ("h", "c", "Enter"):
        two.keyboard.press(key)
    expect(two.get_by_role("alert").filter(has_text="has been changed since")).to_be_visible(timeout=PATIENCE)
    expect(two.locator("g.word").first).to_have_attribute("aria-label", re.compile("head 2 "))
    assert stored()[0].heads[1] == 2


def test_undo_after_a_reload_takes_back_what_came_with_it(bare):
    sentences, _ = short_sentences()
    page, stored = bare("undo.conllu", sentences[:2])
    first = page.locator("g.word").nth(0)
    for key in ("0", "ArrowRight", "0"):  # the second word becomes the root, the first hangs from it
        page.keyboard.press(key)
    expect(first).to_have_attribute("aria-label", re.compile("head 2 .*dep"))
    wait_for(lambda: stored()[0].heads[1:3].tolist() == [2, 0])  # what is on its way is lost with the page
    page.reload()
    expect(first).to_have_attribute("aria-label", re.compile("head 2 .*dep"), timeout=PATIENCE)
    expect(first).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("Control+z")
    expect(first).to_have_attribute("aria-label", re.compile("head 0 root"), timeout=PATIENCE)
    wait_for(lambda: stored()[0].heads[1:3].tolist() == [0, -1])
    page.keyboard.press("Control+Shift+z")
    expect(first).to_have_attribute("aria-label", re.compile("head 2 .*dep"), timeout=PATIENCE)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_a_word_is_dragged_onto_its_head(bare):
    sentences, _ = short_sentences()
    page, _ = bare("drag.conllu", sentences[:1])
    words = page.locator("g.word")
    begin, end = words.nth(0).bounding_box(), words.nth(2).bounding_box()
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 10, steps=4)
    page.mouse.up()
    expect(words.nth(0)).to_have_attribute("aria-label", re.compile("head 3 "))
    page.locator(".choice").filter(has_text=re.compile("nsubj$")).click()
    expect(words.nth(0)).to_have_attribute("aria-label", re.compile("head 3 .*nsubj"))
    expect(page.locator(".st-key-shared_undo button").first).to_be_enabled(timeout=PATIENCE)


def test_the_browser_changes_trees_as_python_does(browser):
    """The editor shows a change before Python has made it; here both make the same ones, and must agree."""
    session = browser.new_context()
    page = session.new_page()
    random = np.random.default_rng(8)
    cases, wanted = [], []
    for _ in range(300):
        n = int(random.integers(1, 6))
        listed = trees(n)
        heads = [int(head) for head in listed[random.integers(len(listed))]]
        heads = [-1 if random.random() < 0.2 else head for head in heads]
        deprels = ["", *("root" if head == 0 else "dep" if head > 0 else "" for head in heads[1:])]
        word = int(random.integers(1, n + 1))
        head = int(random.choice([other for other in range(n + 1) if other != word]))
        relation = [None, "obj"][int(random.integers(2))]
        nothing = ("",) * (n + 1)
        before = Annotation(("", *LETTERS[:n]), tuple(heads), tuple(deprels), nothing, nothing, nothing, nothing)
        after = attach(before, word, head, relation)
        cases.append([{"heads": heads, "deprels": deprels}, word, head, relation])
        wanted.append([list(after.heads), list(after.deprels)])
    source = MODEL.read_text(encoding="utf-8")
    found = page.evaluate(
        """([source, cases]) => {
            const attachWord = new Function(`${source}; return attachWord;`)();
            return cases.map((one) => attachWord(...one)).map((after) => [after.heads, after.deprels]);
        }""",
        [source, cases],
    )
    filled = page.evaluate(
        """(source) => {
            const [filledTag, applyStep] = new Function(`${source}; return [filledTag, applyStep];`)();
            const columns = { heads: [-1, -1, -1, -1], deprels: ["", "", "", ""], upos: ["", "X", "NOUN", ""] };
            const proposal = { upos: ["", "VERB", "VERB", "ADV"] };
            const upos = [1, 2, 3].map((word) => filledTag(columns, proposal, "upos", word));
            const step = { do: "attach", word: 1, head: 2, relation: "obj", tags: { upos: upos[0] } };
            return [upos, applyStep(columns, step).upos];
        }""",
        source,
    )
    assert filled == [["VERB", "NOUN", "ADV"], ["", "VERB", "NOUN", ""]]  # what is missing or X
    keys = page.evaluate("(source) => new Function(`${source}; return [26, 27, 300].map(wordKeys);`)()", source)
    session.close()
    assert found == wanted
    for n, names in zip((26, 27, 300), keys, strict=True):
        assert len(set(names)) == len(names) == n + 1
        single = {name for name in names if len(name) == 1}
        assert not any(name[0] in single for name in names if len(name) == 2)
