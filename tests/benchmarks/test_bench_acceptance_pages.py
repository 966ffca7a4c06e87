"""What the workbench promises of its pages, measured in Chromium; the other lines are in test_bench_acceptance.py."""

import re
import struct
import time
from functools import partial
from itertools import combinations
from xml.etree import ElementTree

from playwright.sync_api import expect

from core.store import Store
from core.treebank import Treebank, load_sample, read_conllu
from core.workspace import Workspace
from tests.benchmarks.acceptance import COUNT, added, seconds, told

PATIENCE = 480_000  # milliseconds
KEYS = ("ArrowRight", "ArrowRight", "a", "ArrowLeft", "b")
SVG = "{http://www.w3.org/2000/svg}"


def sixty_words():
    """Sentences of the sample in a row up to 60 words, each hung from the one before."""
    columns = {name: [] for name in ("forms", "upos", "deprels", "heads")}
    former = 0
    for sentence in load_sample():
        begin = len(columns["forms"])
        room = 60 - begin
        heads = [int(head) for head in sentence.heads[1:]]
        if len(sentence) != room and len(sentence) > room - 10:  # ten words are left for another
            continue
        root = begin + heads.index(0) + 1
        columns["heads"] += [head + begin if head else former for head in heads]
        columns["forms"] += sentence.forms[1:]
        columns["upos"] += sentence.upos[1:]
        columns["deprels"] += ["parataxis" if name == "root" and former else name for name in sentence.deprels[1:]]
        former = root
        if room == len(sentence):
            return Treebank.from_sentences([columns], name="sixty")
    raise AssertionError("the sample has no sentences of 60 words together")


def test_4_sixty_words_and_what_is_taken_away(benchmark, open_app, start_app, bar, most, tmp_path):
    page = open_app("app.py")
    page.locator("g.word").first.wait_for(timeout=PATIENCE)
    with_store(start_app, lambda workspace: added(workspace, "sixty.conllu", sixty_words()))
    page.goto(start_app("app.py") + "/?corpus=sixty.conllu")
    tree = page.locator(".st-key-corpus_tree")
    expect(tree.locator("g.word")).to_have_count(60, timeout=PATIENCE)
    words = tree.locator('[data-role="word"]')
    boxes = words.evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(b => [b.x, b.y, b.right, b.bottom])")
    overlapping = [
        pair
        for pair in combinations(boxes, 2)
        if all(pair[0][k] < pair[1][k + 2] and pair[1][k] < pair[0][k + 2] for k in (0, 1))
    ]
    assert not overlapping
    assert tree.locator(".stage").evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    sizes = tree.locator("svg text").evaluate_all("all => all.map(e => parseFloat(getComputedStyle(e).fontSize))")
    word_sizes = words.evaluate_all("all => all.map(e => parseFloat(getComputedStyle(e).fontSize))")
    bar("4 60 words at 1280 px", "legible", f"words {min(word_sizes):g} px, all text {min(sizes):g} px, 0 overlap")
    tree.locator("g.word").nth(4).click()
    expect(tree.locator("svg.focusing")).to_have_count(1)
    page.wait_for_timeout(500)  # the rest fades
    times = []
    for shade, ink in (("light", "#141619"), ("dark", None), ("grey", None)):
        kinds = (("SVG", is_view), ("PNG", is_doubled), ("TikZ", is_tikz))
        for button, check in kinds if shade == "light" else kinds[: most(3, 1)]:
            path = tmp_path / f"{shade}.{button}"
            times.append(seconds(partial(download, page, tree, button, shade, path)))
            check(path, tree, ink)
    papers = {re.search(r'fill="(#\w+)"', (tmp_path / f"{shade}.SVG").read_text())[1] for shade in ("light", "dark")}
    assert len(papers) == 2
    bar("4 SVG, PNG 2x, TikZ, three looks", "", told(times))
    benchmark.pedantic(lambda: download(page, tree, "SVG", "grey", tmp_path / "last.SVG"), rounds=most(3, 1))


def download(page, tree, button, shade, path):
    tree.locator("summary").click()
    tree.locator("select").select_option(shade)
    with page.expect_download() as waiting:
        tree.get_by_role("button", name=f"Save as {button}").click()
    waiting.value.save_as(path)


def is_view(path, tree, _):
    """The words as text, and what is dimmed on the screen dimmed."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {*tree.locator('[data-role="word"]').all_text_contents()} <= {*texts}
    dimmed = tree.locator("g.word, g.arc").evaluate_all(
        "all => all.filter(e => getComputedStyle(e).opacity < 1).length"
    )
    assert dimmed and sum("opacity" in group.attrib for group in root.iter(f"{SVG}g")) >= dimmed


def is_doubled(path, tree, _):
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    svg = tree.locator(".stage svg").first
    for pixels, side in ((width, "width"), (height, "height")):
        assert abs(pixels - 2 * float(svg.get_attribute(side))) <= 2


def is_tikz(path, _tree, _ink):
    text = path.read_text(encoding="utf-8")
    assert text.count(r"\&") == 2 * 59 or text.count(r"\&") == 59
    assert r"\definecolor" in text and text.endswith("\\end{dependency}\n")


def with_store(start_app, function):
    """``function(workspace)`` over the store that the server has open."""
    place = next(start_app.folders["app.py"].rglob("workbench.sqlite"))
    workspace = Workspace(Store.open(f"sqlite:///{place}"))
    try:
        return function(workspace)
    finally:
        workspace.store.close()


def test_5_and_6_ten_thousand_sentences(benchmark, open_app, start_app, settle, bar, ten, most, tmp_path):
    sentences = f"{most(COUNT, 200):,}"
    page = open_app("app.py")
    page.locator("g.word").first.wait_for(timeout=PATIENCE)
    settle(page)
    file = tmp_path / "ten.conllu"
    file.write_text(ten, encoding="utf-8")
    page.get_by_role("button", name="Add a text").click()
    page.locator('.st-key-upload_file input[type="file"]').set_input_files(str(file))
    add = page.locator(".st-key-upload_add button")
    page.get_by_text("Detected:").wait_for(timeout=PATIENCE)  # the file is read
    settle(page)

    def open_text():
        add.click()
        page.get_by_text(f"{sentences} of {sentences} sentences").wait_for(timeout=PATIENCE)
        page.locator("g.word").first.wait_for()

    bar("5 opened the first time", "3 s", f"{seconds(open_text):.1f} s")
    settle(page)
    numbers = iter(range(2, COUNT))

    def go_on():
        page.locator(".st-key-sentence button").last.click()
        page.get_by_text(f"Sentence {next(numbers)} ·").wait_for()

    times = []
    for _ in range(most(10, 2)):
        times.append(seconds(go_on))
        settle(page)
    bar("5 next sentence", "300 ms", told(times))
    benchmark.pedantic(go_on, rounds=1)
    number = page.get_by_role("button", name=re.compile("with crossing arcs"))
    count = re.search(r"[\d,]+", number.inner_text())[0]

    def open_number():
        number.click()
        page.get_by_text(f"{count} of {sentences} sentences").wait_for()

    bar("6 a number opens its sentences", "", f"{seconds(open_number) * 1e3:.0f} ms")
    address = page.url

    def reopen():
        page.goto(start_app("app.py") + "/?corpus=ten.conllu")
        page.get_by_text(f"{sentences} of {sentences} sentences").wait_for(timeout=PATIENCE)
        page.locator("g.word").first.wait_for()

    assert "text=ten.conllu-" in address
    bar("5 opened again, the page loaded too", "", f"{seconds(reopen) * 1e3:.0f} ms")
    address = start_app("app.py") + "/annotate?corpus=ten.conllu"
    bar("5 keystroke echo", "100 ms", told(echoes(page, address, sentences, KEYS * most(4, 1))))


def echoes(page, address, sentences, keys):
    """Seconds from a key to the next picture of the editor."""
    page.goto(address)
    page.get_by_text(f"Sentence 1 of {sentences}", exact=False).wait_for(timeout=PATIENCE)
    expect(page.locator("g.word").first).to_be_focused(timeout=PATIENCE)
    page.locator(".annotate svg").first.evaluate(
        """svg => {
          window.echoes = [];
          let began = null;
          document.addEventListener("keydown", () => { began = performance.now(); }, true);
          const seen = () => {
            const since = began;
            began = null;
            if (since !== null) requestAnimationFrame(() => window.echoes.push((performance.now() - since) / 1000));
          };
          const watched = { subtree: true, childList: true, attributes: true, characterData: true };
          new MutationObserver(seen).observe(svg.getRootNode(), watched);
        }"""
    )
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    found = page.evaluate("window.echoes")
    assert 2 * len(found) >= len(keys)
    return found


def test_9_a_line_typed_on_the_page(benchmark, open_app, start_app, settle, bar, ten, most):
    """From the last key to what trees cannot meet, the coverage on the screen: typed, saved, checked, drawn."""
    page = open_app("app.py")
    page.locator("g.word").first.wait_for(timeout=PATIENCE)
    with_store(start_app, lambda workspace: added(workspace, "typed.conllu", read_conllu(ten.encode())))
    page.goto(start_app("app.py") + "/constraints?corpus=typed.conllu")
    view = page.locator(".st-key-ge_view")
    view.wait_for(timeout=PATIENCE)
    settle(page)
    view.get_by_text("Text").click()
    editor = page.locator(".st-key-ge_editor textarea")
    times = []
    for share in range(91, most(98, 93)):
        editor.fill(f"DET <- NOUN per modifier = 0.9\nROOT -> VERB per modifier = 0.{share}")
        editor.press("End")
        began = time.perf_counter()
        editor.press("Enter")
        page.get_by_text(f"the target 0.{share} ").first.wait_for(timeout=PATIENCE)
        times.append(time.perf_counter() - began)
        settle(page)
    bar("9 typed to seen, the pause in typing included", "500 ms", told(times))
    benchmark.pedantic(lambda: editor.input_value(), rounds=3)
