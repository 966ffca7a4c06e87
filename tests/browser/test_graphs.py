"""Enhanced graphs in a real browser: drawn on request, changed by keys and mouse, brought along, undone, kept."""

import random
import re

import pytest
from playwright.sync_api import expect

from core.files.assets import ASSETS
from core.treebank import conllu_text
from core.treebank.graphs import brought_along, deps_field
from core.workspace import Workspace
from core.workspace.annotations import Annotations
from tests.patience import wait_for
from tests.workspace.annotate.test_graph_steps import TEXT

pytestmark = pytest.mark.browser


@pytest.fixture
def graphs(open_app, start_app, request):
    """(a page with TEXT in the editor, a function that reads its sentences' DEPS, or another column, from disk)."""
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store
    name = f"{request.node.name}.conllu"
    corpus = store.add_corpus(store.default_project(), name, TEXT.encode(), format="conllu")
    page = open_app("app.py", path=f"/annotate?corpus={name}")
    expect(page.locator("g.word").first).to_be_focused()

    def stored(column=8):
        text = conllu_text(Annotations(workspace, store.corpus(corpus)).treebank())
        return [line.split("\t")[column] for line in text.splitlines() if "\t" in line]

    yield page, stored
    store.close()


START = ["2:nsubj", "0:root", "4:mark", "2:xcomp", "2:nsubj", "0:root", "2:obj"]


def arcs_below(page):
    return page.locator("g.captions g.arc[data-kind='third'] text.label")


def choice(page, relation):
    """The button of a relation, behind the key for it."""
    return page.locator("button.choice").filter(has_text=re.compile(f"^.{relation}$"))


def test_arcs_are_added_moved_relabelled_and_deleted_by_keys(graphs):
    page, stored = graphs
    prompt = page.locator(".annotate .prompt")
    expect(page.locator("g.word").filter(has_text="[2.1 it]")).to_have_count(0)
    page.keyboard.press("G")
    expect(prompt).to_contain_text("Graph: 1 She, arc 1 of 1: nsubj of 2 wants")
    page.keyboard.press("i")
    expect(prompt).to_contain_text("Head of 1 She?")
    page.keyboard.press("d")  # the fourth word
    expect(prompt).to_contain_text("Enter: nsubj:xsubj")  # as the rules have it
    page.keyboard.press("Enter")
    expect(arcs_below(page)).to_have_text("nsubj:xsubj")
    wait_for(lambda: stored() == ["2:nsubj|4:nsubj:xsubj", *START[1:]])
    page.keyboard.press("h")
    page.keyboard.press("c")
    page.keyboard.press("Enter")  # under its former relation or the likeliest
    wait_for(lambda: re.fullmatch(r"2:nsubj\|3:nsubj:xsubj", stored()[0]))
    page.keyboard.press("r")
    choice(page, "obj").click()
    wait_for(lambda: stored()[0] == "2:nsubj|3:obj")
    page.keyboard.press("v")
    expect(prompt).to_contain_text("nsubj of 2 wants")
    page.keyboard.press("v")
    page.keyboard.press("Delete")
    wait_for(lambda: stored() == START)
    for _ in range(4):
        page.keyboard.press("z")
    wait_for(lambda: stored() == START and "Graph: 1 She, arc 1 of 1" in prompt.inner_text())
    page.keyboard.press("A")
    wait_for(lambda: stored() == ["2:nsubj|4:nsubj:xsubj", *START[1:]])
    page.keyboard.press("X")
    wait_for(lambda: stored() == ["_"] * 4 + START[4:])
    page.keyboard.press("z")
    wait_for(lambda: stored() == ["2:nsubj|4:nsubj:xsubj", *START[1:]])
    page.keyboard.press("n")
    expect(page.locator("g.word").filter(has_text="[2.1 it]")).to_be_visible()
    page.keyboard.press("End")
    expect(prompt).to_contain_text("Graph: [2.1 it], arc 1 of 1: obj of 2 do")
    page.keyboard.press("h")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    wait_for(lambda: stored()[6] == "1:obj")
    page.keyboard.press("G")
    expect(prompt).to_contain_text("h head")
    expect(page.locator("g.word").filter(has_text="[2.1 it]")).to_be_visible()
    page.get_by_role("button", name="Graph", exact=True).click()
    expect(page.locator("g.word").filter(has_text="[2.1 it]")).to_have_count(0)


def test_empty_nodes_are_added_named_and_deleted_by_keys_and_mouse(graphs):
    page, stored = graphs
    prompt, nodes = page.locator(".annotate .prompt"), page.locator("g.word").filter(has_text="[")
    for key in ("G", "ArrowRight", "N", *"they", "Enter", "u"):  # keys wait for the new node
        page.keyboard.press(key)
    expect(prompt).to_contain_text("UPOS of [2.1 they]?")
    choice(page, "PRON").click()
    expect(nodes).to_have_text([re.compile(r"\[2.1 they\]PRON")])
    expect(prompt).to_contain_text("Graph: [2.1 they], arc 1 of 1: dep of 2 wants")
    for key in ("N", "Enter"):
        page.keyboard.press(key)
    expect(prompt).to_contain_text("Graph: [2.2], arc 1 of 1: dep of 2 wants")
    wait_for(lambda: stored()[2:4] == ["2:dep", "2:dep"])
    page.get_by_text("Change words", exact=True).click()
    page.get_by_role("button", name="s Split", exact=True).click()
    expect(prompt).to_have_text("This is an empty node; choose a word to change words")
    page.get_by_text("Change words", exact=True).click()
    page.get_by_role("button", name="Form of node").click()
    page.keyboard.type("who")
    page.keyboard.press("Enter")
    expect(prompt).to_contain_text("Graph: [2.2 who]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+Delete")
    expect(nodes).to_have_text(["[2.1 who]"])
    expect(prompt).to_contain_text("Graph: 2 wants")
    wait_for(lambda: stored() == [*START[:2], "2:dep", *START[2:]])
    for _ in range(5):
        page.keyboard.press("z")
    expect(nodes).to_have_count(0)
    wait_for(lambda: stored() == START)


def test_lemma_tags_and_features_of_an_empty_node_are_written_by_keys_and_undone(graphs):
    page, stored = graphs

    def node():
        return [stored(column)[2] for column in range(1, 6)]

    prompt, field = page.locator(".annotate .prompt"), page.get_by_label("Forms")
    for key in ("G", "ArrowRight", "l"):
        page.keyboard.press(key)
    expect(prompt).to_have_text("This is a word; choose an empty node, or press G for the tree")
    for key in ("N", *"they", "Enter", "l", *"them", "Enter", "x", *"PRP", "Enter", "f"):  # the first keys wait for it
        page.keyboard.press(key)
    expect(prompt).to_contain_text("Features of [2.1 they], such as Case=Nom|Number=Sing?")
    page.keyboard.type("Number")
    page.keyboard.press("Enter")
    expect(prompt).to_contain_text("Number is no list of features: write them as Case=Nom|Number=Sing")
    expect(field).to_have_value("Number")
    page.keyboard.type("=Plur|Case=Nom")
    page.keyboard.press("Enter")
    expect(prompt).to_contain_text("l lemma · u UPOS · f features")
    page.keyboard.press("l")
    expect(field).to_have_value("them")
    page.keyboard.type("they")
    page.keyboard.press("Enter")
    page.keyboard.press("f")
    expect(field).to_have_value("Case=Nom|Number=Plur|")  # as they are stored; another one is typed behind them
    page.keyboard.press("Escape")
    page.get_by_text("Change words", exact=True).click()
    page.get_by_role("button", name="Lemma of node").click()
    expect(field).to_have_value("they")
    page.keyboard.press("Escape")
    wait_for(
        lambda: [stored(column)[2] for column in range(1, 6)] == ["they", "they", "_", "PRP", "Case=Nom|Number=Plur"]
    )
    for _ in range(2):
        page.keyboard.press("z")
    wait_for(lambda: node() == ["they", "them", "_", "PRP", "_"])


def test_what_a_key_cannot_do_in_the_graph_is_seen(graphs):
    page, stored = graphs
    prompt = page.locator(".annotate .prompt")
    for key in ("G", "ArrowRight", "r"):
        page.keyboard.press(key)
    expect(prompt).to_have_text("The arc from the root is always root")
    for key in ("ArrowLeft", "i", "b"):
        page.keyboard.press(key)
    expect(prompt).to_contain_text("Enter: nsubj")
    page.keyboard.press("Enter")
    expect(prompt).to_contain_text("nsubj from 2 wants is there already")
    page.keyboard.press("h")
    expect(prompt).to_contain_text("Head of 1 She?")
    assert stored() == START


def test_a_change_of_the_tree_brings_the_graph_along_and_marks_what_disagrees(graphs):
    page, stored = graphs
    prompt = page.locator(".annotate .prompt")
    for key in ("G", "A", "G", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(arcs_below(page)).to_have_text("nsubj:xsubj")
    expect(page.locator("g.arcs g.arc[data-kind='third'] .line")).not_to_have_attribute("stroke-dasharray", "7 4")
    expect(prompt).to_contain_text("h head")
    page.keyboard.press("r")
    choice(page, "ccomp").click()
    wait_for(lambda: stored()[:4] == ["2:nsubj|4:nsubj:xsubj", "0:root", "4:mark", "2:ccomp"])
    expect(page.locator("g.arcs g.arc[data-kind='third'] .line")).to_have_attribute("stroke-dasharray", "7 4")
    expect(page.get_by_text("enhanced, not by rule")).to_be_visible()
    assert stored()[4:] == START[4:]


def test_an_enhanced_arc_is_drawn_and_chosen_by_mouse(graphs):
    page, stored = graphs
    page.keyboard.press("G")
    words = page.locator("g.word")
    begin, end = words.nth(0).bounding_box(), words.nth(3).bounding_box()
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 10, steps=8)
    page.mouse.up()
    expect(page.locator(".annotate .prompt")).to_contain_text("1 She under 4 sing: its relation? Enter: nsubj:xsubj")
    page.keyboard.press("Enter")
    wait_for(lambda: stored()[0] == "2:nsubj|4:nsubj:xsubj")
    page.get_by_label("Relation").last.fill("nsubj:extra")
    page.get_by_label("Relation").last.press("Enter")
    wait_for(lambda: stored()[0] == "2:nsubj|4:nsubj:extra")
    page.get_by_role("button", name="Table", exact=True).click()
    expect(page.get_by_role("row", name=re.compile("She.*nsubj"))).to_contain_text("4 sing")
    page.get_by_label("Relation").last.fill("x y")
    page.get_by_label("Relation").last.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="holds a space")).to_be_visible()
    assert stored()[0] == "2:nsubj|4:nsubj:extra"


def test_the_browser_brings_a_graph_along_as_python_does(browser):
    generator, cases = random.Random(3), []
    relations = ["obl", "nmod", "obl:in", "nmod:in", "acl", "advcl:if", "root", "dep"]
    for _ in range(2000):
        arcs = [
            (generator.choice(["0", "1", "2", "10", "2.1", "2.10", "2.9"]), generator.choice(relations))
            for _ in range(3)
        ]
        old, new = (
            (generator.choice([-1, 0, 1, 2, 10]), generator.choice(["", *relations]).split(":")[0]) for _ in range(2)
        )
        cases.append((deps_field(arcs[: generator.randint(0, 3)]), old, new))
    scripts = [(ASSETS / "components" / name).read_text() for name in ("tree-layout.js", "annotate-graph.js")]
    page = browser.new_page()
    page.add_script_tag(content="\n".join(scripts))
    answers = page.evaluate("cases => cases.map(([field, old, now]) => broughtAlong(field, old, now))", cases)
    page.close()
    assert answers == [brought_along(*case) for case in cases]
    assert sum(answer != field for answer, (field, *_) in zip(answers, cases, strict=True)) > 100
