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
from core.workspace.corpora import add_corpus
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
    expect(one.locator(".prompt")).to_have_text(re.compile("^3 .* becomes the head of 1 "))
    one.mouse.up()
    expect(words.nth(0)).to_have_attribute("aria-label", re.compile("head 3 "))
    one.locator(".choice").filter(has_text=re.compile("nsubj$")).click()
    expect(words.nth(0)).to_have_attribute("aria-label", re.compile("head 3 .*nsubj"))
    expect(one.locator(".st-key-ann_status [aria-checked='true']")).to_have_text("begun")
    wait_for(lambda: stored()[0].deprels[1] == "nsubj")  # begun it is with its head
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


def test_the_proposal_answers_a_correction_and_a_key_shows_the_next_tree(bare, sentences):
    page, stored = bare("proposed.conllu", [sentences[-1]])
    page.get_by_role("button", name="Options").click()
    page.get_by_role("combobox", name="Proposal").click()
    page.get_by_role("option", name="English parser").click()
    dotted = page.locator('.arcs g.arc[data-kind="candidate"]')
    expect(dotted.first).to_be_attached()
    page.keyboard.press("Escape")
    page.locator("g.word").first.click()
    expect(page.locator("g.arc.turned")).to_have_count(0)
    page.keyboard.press("k")
    expect(page.locator(".legend")).to_contain_text("tree 2 of")
    expect(page.locator("g.arc.turned").first).to_be_attached()
    expect(page.locator(".annotate .prompt")).not_to_contain_text("changing words")  # nobody else has a tree
    before = stored()[0].heads.tolist()
    assert max(before) < 0  # a tree that is looked at is not taken
    page.keyboard.press("a")
    wait_for(lambda: stored()[0].heads[1] >= 0)
    assert (stored()[0].heads[2:] < 0).all()


def test_a_corrected_arc_is_marked_and_one_taken_back_is_as_before(open_app):
    page = open_app("app.py", path="/annotate")  # the sample, whose file has trees
    first = page.locator("g.word").nth(0)
    expect(first).to_be_focused()
    expect(page.locator('g.arc[data-kind="changed"]')).to_have_count(0)
    page.keyboard.press("0")
    expect(first).to_have_attribute("aria-label", re.compile("head 0 root, corrected"))
    expect(page.locator(".legend")).to_have_text(re.compile("corrected"))
    page.keyboard.press("z")
    expect(first).not_to_have_attribute("aria-label", re.compile("corrected"))
    expect(page.locator('g.arc[data-kind="changed"]')).to_have_count(0)


def test_what_is_said_of_a_word_has_the_arc_of_a_proposal(browser):
    page = browser.new_page()
    said = page.evaluate(
        """(source) => {
            const names = "[drawingOf, wordDescription]";
            const [drawingOf, wordDescription] = new Function(`${source}; return ${names};`)();
            const columns = { heads: [-1, 2, 0], deprels: ["", "det", "root"], upos: ["", "DET", "NOUN"], xpos: [] };
            const proposed = { name: "run 7", heads: [-1, 0, 1], deprels: ["", "root", "obj"] };
            const data = {
              words: ["", "the", "dog"], versions: [proposed],
              original: { heads: [-1, 2, 1], deprels: columns.deprels },
            };
            const view = { data, columns, options: {} };
            view.drawing = drawingOf(view);
            return [1, 2].map((word) => wordDescription(view, word));
        }""",
        "\n".join(map(script, ("tree-frame.js", "annotate-model.js", "annotate-labels.js"))),
    )
    page.close()
    assert said == [
        "1 the DET, head 2 dog, det; head 0 root, in run 7",
        "2 dog NOUN, head 0 root, corrected; head 1 the, obj, in run 7",
    ]


def script(name):
    return (ASSETS / "components" / name).read_text(encoding="utf-8")


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
        [script("annotate-model.js"), cases],
    )
    page.close()
    assert found == list(wanted)
    assert filled == [["VERB", "NOUN", "ADV"], ["", "VERB", "NOUN", ""]]  # what is missing or X
    for n, names in zip((26, 27, 300), keys, strict=True):
        assert len(set(names)) == len(names) == n + 1
        single = {name for name in names if len(name) == 1}
        assert not any(name[0] in single for name in names if len(name) == 2)


WRONG = (  # two wrong boundaries in each sentence, and what is right; one of them is one word for three
    ("The dog s bark atnight .", "The dogs bark at night ."),
    ("Sh e ran intothe old house .", "She ran in to the old house ."),
    ("It was verylate when we le ft .", "It was very late when we left ."),
    ("The ri ver is widehere .", "The river is wide here ."),
    ("My sis ter sings wellenough .", "My sister sings well enough ."),
    ("A bir d flew overthe wall .", "A bird flew over the wall ."),
    ("They sol d theirboat .", "They sold their boat ."),
    ("Thelake froze in win ter .", "The lake froze in winter ."),
    ("His broth er livesabroad .", "His brother lives abroad ."),
    ("We wai ted forhours .", "We waited for hours ."),
)


def boundary_edits(wrong, right):
    """[(index of the word as the sentence is then, None for a merge with the next or the parts of a split)]."""
    words, wanted, found, at = wrong.split(), right.split(), [], 0
    while words != wanted:
        if words[at] == wanted[at]:
            at += 1
        elif wanted[at].startswith(words[at]):
            found.append((at, None))
            words[at : at + 2] = ["".join(words[at : at + 2])]
        else:
            parts = next(wanted[at:end] for end in range(at, len(wanted) + 1) if "".join(wanted[at:end]) == words[at])
            found.append((at, parts))
            words[at : at + 1] = parts
    return found


def conllueditor_edits(wrong, right):
    """The least that ConlluEditor takes for the boundaries of a sentence by its commands, a click counted as a key.

    ``join 3`` with Enter, after a click on *modify*. ``split 3`` gives an empty word to its right; a click opens each
    part, whose form is typed with Enter. ``+`` goes to the next sentence.
    """
    keys = 1
    for _, parts in boundary_edits(wrong, right):
        if parts is None:
            keys += 1 + len("join 3") + 1
        else:
            keys += (len(parts) - 1) * (1 + len("split 3") + 1) + sum(1 + len(part) + 1 for part in parts)
    return keys


def test_wrong_boundaries_are_mended_by_keyboard_alone(open_app, start_app):
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store
    text = conllu_text(Treebank.from_sentences({"forms": wrong.split()} for wrong, _ in WRONG))
    corpus = store.corpus(store.add_corpus(store.default_project(), "cut.conllu", text.encode(), format="conllu"))
    page = open_app("app.py", path="/annotate?corpus=cut.conllu")
    expect(page.locator("g.word").first).to_be_focused()
    pressed = 0

    def press(key, times=1):
        nonlocal pressed
        for _ in range(times):
            pressed += 1
            page.keyboard.press(key)

    for number, (wrong, right) in enumerate(WRONG):
        expect(page.get_by_text(f"Sentence {number + 1} of {len(WRONG)}", exact=False)).to_be_visible()
        expect(page.locator("svg[role='tree']")).to_have_attribute("aria-label", re.compile(f": {re.escape(wrong)}$"))
        at = 0
        for index, parts in boundary_edits(wrong, right):
            press("ArrowRight", index - at)
            at = index
            if parts is None:
                press("m")
                continue
            press("s")
            for part in parts[:-1]:
                press("ArrowRight", len(part))
                press(" ")
            press("Enter")
        expect(page.locator("svg[role='tree']")).to_have_attribute("aria-label", re.compile(f": {re.escape(right)}$"))
        press("n")
    wanted = [right.split() for _, right in WRONG]
    wait_for(lambda: [list(each.forms[1:]) for each in workspace.standing(corpus).treebank] == wanted)
    theirs = sum(conllueditor_edits(*pair) for pair in WRONG)
    assert pressed <= theirs / 2, (pressed, theirs)
    for _ in range(2):
        store.undo(corpus.project)
    assert workspace.source(corpus)[9].forms[1:] == tuple(WRONG[9][0].split())
    store.close()


def test_a_contraction_is_split_as_its_language_has_it_unless_other_parts_are_typed(open_app, start_app):
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store
    bank = Treebank.from_sentences([{"forms": ["Vamos", "al", "mercado", "del", "pueblo"]}])
    text = "# lang = es\n" + conllu_text(bank)
    corpus = store.corpus(add_corpus(store, store.default_project(), "al.conllu", text.encode())[0])
    page = open_app("app.py", path="/annotate?corpus=al.conllu")
    words = page.locator("g.word")
    expect(words.first).to_be_focused()

    def stored():
        return list(workspace.source(corpus)[0].forms[1:])

    for key in ("ArrowRight", "s"):
        page.keyboard.press(key)
    expect(page.locator(".annotate .prompt")).to_contain_text("a contraction")
    expect(page.get_by_role("textbox", name="Forms")).to_have_value("a el")
    page.keyboard.press("Enter")
    wait_for(lambda: stored() == ["Vamos", "a", "el", "mercado", "del", "pueblo"])
    expect(page.locator(".annotate")).to_contain_text("╰ al")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "s", *"d el", "Enter"):
        page.keyboard.press(key)
    wait_for(lambda: stored() == ["Vamos", "a", "el", "mercado", "d", "el", "pueblo"])
    page.keyboard.press("z")
    wait_for(lambda: stored()[4:] == ["del", "pueblo"])
    store.close()


def test_words_are_changed_by_mouse_and_a_token_is_made_and_seen(bare, sentences, open_app):
    page, stored = bare("mouse.conllu", sentences[:1])
    words = page.locator("g.word")
    count = words.count()
    page.get_by_text("Change words").click()
    page.get_by_role("button", name="s Split", exact=True).click()
    field = page.get_by_role("textbox", name="Forms")
    expect(field).to_be_focused()
    field.fill("one two")
    page.get_by_role("button", name="Apply").click()
    expect(words).to_have_count(count + 1)
    expect(page.locator(".faults")).to_contain_text("is new, or its head is: check its tags and its head")
    expect(page.locator(".annotate")).to_contain_text("╯")  # the word was written otherwise: a token of two
    page.locator('text[data-line="Token"]').first.click()
    expect(words.first).to_be_focused()
    page.keyboard.press("t")
    expect(page.locator(".annotate")).not_to_contain_text("╯")
    page.keyboard.press("w")
    page.keyboard.type("uno")
    page.keyboard.press("Enter")
    expect(words.first).to_have_attribute("aria-label", re.compile("1 uno"))
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    expect(page.locator(".annotate")).to_contain_text("Type the parts, with a blank between them")
    page.keyboard.press("Escape")
    expect(words.first).to_be_focused()
    for _ in range(3):
        page.keyboard.press("z")
    expect(words).to_have_count(count)
    assert stored()[0].forms == sentences[0].forms
