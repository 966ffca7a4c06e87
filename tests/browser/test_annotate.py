"""Annotating in a real browser: bare words by keyboard alone, a word dragged, two tabs on one sentence, undo."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.annotation import SentenceAnnotation, attach
from core.annotation.label_inventories import RELATIONS, keys_for
from core.files.assets import ASSETS
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace import Workspace
from core.workspace.annotations import Annotations
from tests.oracles.trees import trees
from tests.patience import wait_for

pytestmark = pytest.mark.browser
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KEYS = keys_for([name for name in RELATIONS if name != "root"])
COUNT = 5  # sentences annotated
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


@pytest.fixture(scope="module")
def sentences():
    """COUNT sentences of the sample whose words and relations have a key each."""
    short = load_sample().max_length(10)
    return [each for each in short if all(name in KEYS or name == "root" for name in each.deprels[1:])][:COUNT]


@pytest.fixture
def bare(open_app, start_app):
    """bare(name, sentences) -> (a page with their words alone, a function that reads their annotations from disk)."""
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store

    def open_bare(name, sentences, **context):
        words = conllu_text(Treebank.from_sentences({"forms": sentence.forms[1:]} for sentence in sentences))
        corpus = store.add_corpus(store.default_project(), name, words.encode(), format="conllu")
        page = open_app("app.py", path=f"/annotate?corpus={name}", **context)
        expect(page.locator("g.word").first).to_be_focused()
        return page, lambda: Annotations(workspace, store.corpus(corpus)).treebank()

    yield open_bare
    store.close()


def test_sentences_by_keyboard_alone_from_bare_words(bare, sentences):
    page, stored = bare("bare.conllu", sentences)
    pressed = 0

    def press(key):
        nonlocal pressed
        pressed += 1
        page.keyboard.press(key)

    press("g")
    for number, sentence in enumerate(sentences):
        expect(page.get_by_text(f"Sentence {number + 1} of {COUNT}", exact=False)).to_be_visible()
        expect(page.locator(".annotate .prompt")).to_contain_text("Head of 1 ")  # the editor has it too
        for word in range(1, len(sentence) + 1):
            head = int(sentence.heads[word])
            press(LETTERS[head - 1] if head else "0")
            if head:
                press(KEYS[sentence.deprels[word]])
        expect(page.locator(".annotate .prompt")).to_contain_text("Every word has a head")
        press("Enter")
    wanted = [(sentence.heads.tolist(), sentence.deprels) for sentence in sentences]
    wait_for(lambda: [(each.heads.tolist(), each.deprels) for each in stored()] == wanted)
    expect(page.get_by_text(f"{COUNT} done", exact=False)).to_be_visible()
    assert pressed <= sum(map(conllueditor_keys, sentences))


def test_the_tree_has_the_focus_and_a_small_screen_shows_it(bare, sentences):
    page, _ = bare("small.conllu", sentences[:2], viewport={"width": 390, "height": 844})
    first = page.locator("g.word").first
    expect(page.locator(".st-key-ann_editor .work")).to_be_attached()
    assert first.evaluate(
        """(word) => {
            const box = word.getBoundingClientRect();
            const seen = word.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return box.bottom <= innerHeight && word.contains(seen);
        }"""
    )
    page.get_by_role("radio", name="Check 20").click()
    expect(page.get_by_role("button", name="Pick at random")).to_be_visible()
    page.get_by_role("radio", name="Trees").click()
    expect(first).to_be_focused()


def test_a_word_is_dragged_onto_its_head_and_another_tab_is_told(bare, sentences):
    one, stored = bare("two.conllu", sentences[:2])
    two = one.context.new_page()
    two.goto(one.url)
    expect(two.locator("g.word").first).to_be_focused()
    one.bring_to_front()
    words = one.locator("g.word")
    begin, end = words.nth(0).bounding_box(), words.nth(2).bounding_box()
    one.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + 10)
    one.mouse.down()
    one.mouse.move(end["x"] + end["width"] / 2, end["y"] + 10, steps=4)
    one.mouse.up()
    expect(words.nth(0)).to_have_attribute("aria-label", re.compile("head 3 "))
    one.locator(".choice").filter(has_text=re.compile("nsubj$")).click()
    expect(words.nth(0)).to_have_attribute("aria-label", re.compile("head 3 .*nsubj"))
    expect(one.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("begun")
    two.bring_to_front()
    for key in ("h", "b", "Enter"):
        two.keyboard.press(key)
    expect(two.get_by_role("alert").filter(has_text="has been changed since")).to_be_visible()
    expect(two.locator("g.word").first).to_have_attribute("aria-label", re.compile("head 3 .*nsubj"))
    assert stored()[0].heads[1] == 3


def test_undo_after_a_reload_takes_back_what_came_with_it(bare, sentences):
    page, stored = bare("undo.conllu", sentences[:2])
    first = page.locator("g.word").nth(0)
    for key in ("0", "ArrowRight", "0"):  # the second word becomes the root, the first hangs from it
        page.keyboard.press(key)
    expect(first).to_have_attribute("aria-label", re.compile("head 2 .*dep"))
    wait_for(lambda: stored()[0].heads[1:3].tolist() == [2, 0])  # what is on its way is lost with the page
    page.reload()
    expect(first).to_have_attribute("aria-label", re.compile("head 2 .*dep"))
    expect(first).to_be_focused()
    page.keyboard.press("Control+z")
    expect(first).to_have_attribute("aria-label", re.compile("head 0 root"))
    wait_for(lambda: stored()[0].heads[1:3].tolist() == [0, -1])
    page.keyboard.press("Control+Shift+z")
    expect(first).to_have_attribute("aria-label", re.compile("head 2 .*dep"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def edits():
    """[columns, word, head, relation] of 300 changes of small trees, and what Python makes of each."""
    random = np.random.default_rng(8)
    for _ in range(300):
        n = int(random.integers(1, 6))
        listed = trees(n)
        heads = [-1 if random.random() < 0.2 else int(head) for head in listed[random.integers(len(listed))]]
        deprels = ["", *("root" if head == 0 else "dep" if head > 0 else "" for head in heads[1:])]
        word = int(random.integers(1, n + 1))
        head = int(random.choice([other for other in range(n + 1) if other != word]))
        relation = [None, "obj"][int(random.integers(2))]
        before = SentenceAnnotation(("", *LETTERS[:n]), tuple(heads), tuple(deprels), *4 * [("",) * (n + 1)])
        after = attach(before, word, head, relation)
        yield [{"heads": heads, "deprels": deprels}, word, head, relation], [list(after.heads), list(after.deprels)]


def test_the_browser_changes_trees_as_python_does(browser):
    """The editor shows a change before Python has made it; here both make the same ones, and must agree."""
    cases, wanted = zip(*edits(), strict=True)
    page = browser.new_page()
    found, filled, keys = page.evaluate(
        """([source, cases]) => {
            const names = "[attachWord, filledTag, applyStep, wordKeys]";
            const [attachWord, filledTag, applyStep, wordKeys] = new Function(`${source}; return ${names};`)();
            const changed = cases.map((one) => attachWord(...one)).map((after) => [after.heads, after.deprels]);
            const columns = { heads: [-1, -1, -1, -1], deprels: ["", "", "", ""], upos: ["", "X", "NOUN", ""] };
            const proposal = { upos: ["", "VERB", "VERB", "ADV"] };
            const upos = [1, 2, 3].map((word) => filledTag(columns, proposal, "upos", word));
            const step = { do: "attach", word: 1, head: 2, relation: "obj", tags: { upos: upos[0] } };
            return [changed, [upos, applyStep(columns, step).upos], [26, 27, 300].map(wordKeys)];
        }""",
        [(ASSETS / "components" / "annotate-model.js").read_text(encoding="utf-8"), cases],
    )
    page.close()
    assert found == list(wanted)
    assert filled == [["VERB", "NOUN", "ADV"], ["", "VERB", "NOUN", ""]]  # what is missing or X
    for n, names in zip((26, 27, 300), keys, strict=True):
        assert len(set(names)) == len(names) == n + 1
        single = {name for name in names if len(name) == 1}
        assert not any(name[0] in single for name in names if len(name) == 2)
