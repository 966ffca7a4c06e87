"""The editor of constraints in a real browser: a file goes in and out, words are completed, lines are checked, undo."""

import re

import pytest
from playwright.sync_api import expect

from core.files.assets import ASSETS
from core.treebank import load_sample
from core.workspace import Workspace, add_corpus
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.registry import Systems
from core.workspace.texts import address_of
from tests.advising import written_bare
from tests.patience import WAIT, wait_for

pytestmark = pytest.mark.browser
FILE = "# mine\nROOT -> VERB = 1.0\nDET <- NOUN per modifier = 0.9\n"


@pytest.fixture
def saved(start_app):
    """A function: the text of the set as it stands on disk."""
    start_app("app.py")
    store = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite").store
    yield lambda: next(iter(store.documents(store.default_project(), "constraints").values()), None)
    store.close()


def test_a_file_goes_in_and_out_and_what_is_typed_is_completed_checked_saved_and_undone(open_app, saved, tmp_path):
    (tmp_path / "mine.txt").write_text(FILE, encoding="utf-8")
    page = open_app("app.py", path="/constraints")
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()
    page.locator('[class*="st-key-ge_upload_"] input[type=file]').set_input_files(tmp_path / "mine.txt")
    page.locator(".st-key-ge_upload_how").get_by_text("Replace them").click()
    expect(page.get_by_text("mine.txt, constraint file:", exact=False)).to_contain_text("removed")
    page.locator(".st-key-ge_upload_apply button").first.click()
    expect(page.get_by_text("Imported mine.txt").first).to_be_visible()
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()  # as before: nothing else is chosen by it
    area = page.get_by_role("textbox", name="Constraints as text")
    expect(area).to_have_value(FILE)
    expect(page.locator(".st-key-ge_editor .notes .warning").first).to_contain_text("at most 0.")
    with page.expect_download() as download:
        page.locator(".st-key-ge_export_ours button").first.click()
    assert download.value.path().read_text(encoding="utf-8") == FILE

    area.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("NO")
    option = page.locator(".suggestions [role=option]")
    expect(option).to_have_count(1)
    area.dispatch_event("scroll")  # as it comes late of a key that moves the text
    expect(option).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.keyboard.type(" -> AD")
    expect(option).to_have_count(3)
    option.filter(has_text="ADP").click()
    page.keyboard.type(" dist 1 = 0.3 weight 2")
    page.keyboard.press("Enter")  # nothing is chosen: a new line
    page.keyboard.type("# AD")
    expect(option).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.type("DET <- NUON = 0.9")
    typed = FILE + "NOUN -> ADP dist 1 = 0.3 weight 2\n# AD\nDET <- NUON = 0.9"
    expect(page.get_by_text("Line 6: no word", exact=False)).to_contain_text("did you mean NOUN?")
    assert area.input_value() == typed
    wait_for(lambda: saved() == typed)
    area.press("Control+z")
    expect(page.get_by_text("Undid editing the constraints")).to_be_visible()
    expect(area).not_to_have_value(typed)


OVERTAKEN = """async (script) => {
    const module = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: draw } = await import(module);
    const data = [{ text: "", seen: null, marks: {}, label: "", height: "" }];
    const setStateValue = (name, edit) => { window.sent = edit.text; };
    const [first] = [0, 1].map(() => draw({ data, parentElement: document.body, setStateValue }));
    const area = document.querySelector("textarea");
    area.value = "DET";
    area.dispatchEvent(new InputEvent("input"));
    first?.(); // as Streamlit calls what a drawing returned that a newer one has overtaken
}"""


def test_what_is_typed_is_sent_when_a_newer_drawing_overtakes_one(browser):
    page = browser.new_page()
    files = ("editor-complete.js", "editor.js")
    page.evaluate(OVERTAKEN, "".join((ASSETS / "components" / name).read_text(encoding="utf-8") for name in files))
    assert page.wait_for_function("window.sent", timeout=WAIT).json_value() == "DET"
    page.close()


def test_suggestions_go_with_their_line_and_close_once_it_is_out_of_sight(open_app):
    page = open_app("app.py", path="/constraints")
    page.locator(".st-key-ge_view").get_by_text("Text", exact=True).click()
    area = page.get_by_role("textbox", name="Constraints as text")
    area.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n" * 40)
    for _ in range(20):  # to the upper edge of what is seen
        page.keyboard.press("ArrowUp")
    page.keyboard.type("NO")
    option = page.locator(".suggestions [role=option]")
    expect(option).to_have_count(1)
    before = option.bounding_box()["y"]
    area.hover()
    page.mouse.wheel(0, -40)
    wait_for(lambda: round(option.bounding_box()["y"] - before) == 40)
    page.mouse.wheel(0, -3000)
    expect(option).to_have_count(0)
    assert area.input_value().endswith("NO" + "\n" * 20)


def test_an_answer_about_word_order_turns_trees_of_the_text_that_is_open(open_app, saved, start_app):
    store = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite").store
    text = "dogs/NOUN in/ADP houses/NOUN slept/VERB\n" * 10
    corpus = store.corpus(add_corpus(store, store.default_project(), "answers.txt", text.encode())[0])
    store.close()
    late = []  # the code of a list comes after the first answer, as over a slow line
    page = open_app("app.py", path="/teach").context.new_page()

    def hold(route):  # Playwright wants a function that can keep an attribute
        late.append(route)

    page.route(re.compile(r"/Selectbox\..*js"), hold)
    page.goto(f"{start_app('app.py')}/constraints?text={address_of(corpus)}")
    tree = page.locator(".st-key-ge_tree")
    asked = page.locator('[class*="st-key-ge_begin_order_adposition"]')
    chosen = page.locator(".st-key-corpus input")
    for side, head in (("after", "1 dogs"), ("before", "3 houses")):
        asked.get_by_text(side, exact=True).click()
        expect(tree.locator("g.word").nth(1)).to_have_attribute(
            "aria-label", re.compile(f"2 in ADP, head {head}, case")
        )
        if side == "after":
            assert chosen.count() == 0
            late.pop().continue_()
        expect(chosen).to_have_value("answers.txt")
    expect(page.get_by_text("the last answer turned 1 arc")).to_be_visible()
    expect(tree.locator('g.arcs g.arc[data-kind="changed"]')).to_have_count(1)


def test_twenty_answers_by_keys_turn_trees(open_app, saved, start_app, settle):
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store = workspace.store
    bare = written_bare(load_sample().max_length(14).limit(60)).encode()
    corpus = store.corpus(add_corpus(store, store.create_project("Asked").id, "bare.conllu", bare)[0])
    page = open_app("app.py", path=f"/constraints?project=Asked&text={address_of(corpus)}")
    page.locator(".st-key-ge_view").get_by_text("Ask me", exact=True).click()
    asked = page.locator("strong").filter(has_text=re.compile("^Of "))
    for number in range(20):
        expect(page.locator(f".st-key-ge_answer_{number}_8 button").first).to_be_visible()  # those of this question
        settle(page)
        words = asked.inner_text()
        page.keyboard.press(str(1 + number % 8))
        expect(page.get_by_text(words, exact=True)).to_have_count(0)
    lines = constraint_text(store, corpus, workspace.treebank(corpus)).splitlines()
    assert len(lines) == 20 and all(line.endswith(" weight 1") for line in lines)
    learner = Systems(workspace).learner(corpus)
    wait_for(lambda: store.runs(corpus.project, "grammar")[0].constraint_text.splitlines() == lines)
    wait_for(lambda: store.runs(corpus.project, "grammar")[0].status == "done")
    text, (last, *_) = learner.text(corpus), store.runs(corpus.project, "grammar")
    # which runs end before the next answer stops them is a matter of time, and the last answer may turn nothing
    assert (learner.outcome(text, last).heads != learner.outcome(text, None).heads).any()
    expect(page.locator(".st-key-ge_tree g.arcs g.arc").first).to_be_visible()
    page.keyboard.press("Control+z")
    wait_for(lambda: len(constraint_text(store, corpus, workspace.treebank(corpus)).splitlines()) == 19)
    store.close()
