"""The tree component in Chromium: keys, pointing, choosing, gliding, table, downloads, both themes, both languages."""

import re
import struct
from xml.etree import ElementTree

import pytest

from core.constraints.ge.baselines import attach_left
from core.draw import compare_trees
from core.files.assets import ASSETS
from core.treebank import load_sample
from tests.browser.axe import wear
from tests.browser.conftest import HARMLESS, settle
from tests.draw.tree_layout import Metrics, lay_out
from tests.patience import WAIT

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser, start_app):
    """The page of all these tests, of which each leaves nothing chosen; its console has nothing to say in the end."""
    session, said = browser.new_context(viewport={"width": 1280, "height": 900}), []
    page = session.new_page()
    page.set_default_timeout(WAIT)
    page.on("console", lambda message: said.append(message.text) if message.type in ("warning", "error") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(start_app("tests/browser/tree_app.py"))
    settle(page)
    page.locator(".st-key-long g.word").first.wait_for()
    yield page
    session.close()
    assert not [text for text in said if not text.startswith(HARMLESS)]


def focused_name(page):
    return page.evaluate("""() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element?.getAttribute("aria-label");
    }""")


def expect_text(page, text):
    page.get_by_text(text, exact=True).wait_for()


def test_words_have_names_that_tell_tag_head_and_relation(page):
    word = page.locator(".st-key-one g.word").nth(2)
    assert word.get_attribute("aria-label") == "3 teacher NOUN, head 5 drew, nsubj"
    assert word.get_attribute("role") == "treeitem"
    assert page.locator(".st-key-one g.word").nth(4).get_attribute("aria-label") == "5 drew VERB, head 0 root"
    name = page.locator(".st-key-two g.word").nth(9).get_attribute("aria-label")
    assert name == "10 blackboard NOUN, gold: head 5 drew, obl, predicted: head 7 branches, differs"
    assert page.locator('.st-key-long g.word[aria-selected="true"]').get_attribute("data-word") == "17"  # by Python


def test_arrows_walk_over_words_heads_and_dependents(page):
    page.locator('.st-key-one g.word[tabindex="0"]').focus()  # one stop for Tab
    page.keyboard.press("Home")
    walk = [("ArrowRight", "2 old"), ("ArrowUp", "3 teacher"), ("ArrowUp", "5 drew"), ("ArrowUp", "5 drew")]
    walk += [("ArrowDown", "3 teacher"), ("ArrowDown", "1 The"), ("ArrowLeft", "1 The")]
    walk += [("End", "10 blackboard"), ("Home", "1 The")]
    for key, expected in walk:
        page.keyboard.press(key)
        assert focused_name(page).startswith(expected), key


def test_enter_chooses_and_escape_clears(page):
    page.locator(".st-key-one g.word").nth(1).focus()
    page.keyboard.press("Enter")
    expect_text(page, "chosen: 2 None")
    assert focused_name(page).startswith("2 old")  # the rerun does not take the focus away
    page.keyboard.press("Shift+Enter")
    expect_text(page, "chosen: 2 (3, 2)")
    page.keyboard.press("Escape")
    expect_text(page, "chosen: None None")
    drawing = page.locator(".st-key-one svg:has(g.word)")
    drawing.click(position={"x": 3, "y": 3})  # beside the words: no frame around the drawing
    page.keyboard.press("Escape")
    assert drawing.evaluate("svg => getComputedStyle(svg).outlineStyle") == "none"


def test_pointing_dims_the_rest_and_a_click_chooses(page):
    word = page.locator('.st-key-one g.word[data-word="7"]')
    word.hover()
    assert page.locator(".st-key-one g.arcs g.arc.lit").count() == 2  # its own arc and that of its dependent
    assert "7 branches NOUN, head 5 drew, obj" in page.locator(".st-key-one .status").inner_text()
    word.click()
    expect_text(page, "chosen: 7 None")
    assert word.get_attribute("aria-selected") == "true"
    page.locator('.st-key-one g.captions g.arc text:text-is("obl")').click()
    expect_text(page, "chosen: 10 (5, 10)")
    page.keyboard.press("Escape")
    expect_text(page, "chosen: None None")


def test_an_arc_that_changes_glides_and_is_announced_and_leaps_where_motion_is_unwelcome(page):
    arc = page.locator('.st-key-one g.arcs g.arc[data-arc="9"]')
    line, handle = arc.locator("path.line"), arc.element_handle()
    before = line.get_attribute("d")
    page.get_by_text("Move an arc").click()
    page.locator('.st-key-one g.arcs g.arc[data-kind="changed"]').wait_for()
    assert handle.get_attribute("data-kind") == "changed"  # the same element, so that it can glide
    assert line.get_attribute("stroke-dasharray") == "7 4"
    page.wait_for_function("([line, before]) => line.getAttribute('d') !== before", arg=[line.element_handle(), before])
    spoken = page.locator(".st-key-one [aria-live]").inner_text()
    assert spoken == "1 arc changed: 10 blackboard, head 7 branches"
    assert page.locator(".st-key-one .legend").inner_text().split("\n") == ["predicted", "changed"]
    page.emulate_media(reduced_motion="reduce")
    seen = arc.evaluate_handle(
        """(arc) => {
            const [seen, line] = [[], arc.querySelector("path.line")];
            const note = () => arc.dataset.kind === "changed" || seen.push(line.getAttribute("d"));
            new MutationObserver(note).observe(line, { attributeFilter: ["d"] });
            return seen;
        }"""
    )
    page.get_by_text("Move an arc").click()
    page.locator('.st-key-one g.arcs g.arc[data-arc="9"]:not([data-kind="changed"])').wait_for()
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.evaluate(frames)  # in which a gliding arc would have moved on
    assert set(seen.json_value()) == {before}
    page.emulate_media(reduced_motion="no-preference")


def test_the_table_says_what_the_drawing_shows(page):
    page.locator(".st-key-two").get_by_role("button", name="Table").click()
    rows = page.locator(".st-key-two table tbody tr")
    assert rows.count() == 10
    cells = rows.nth(9).locator("td").all_inner_texts()
    assert cells == ["10", "blackboard", "NOUN", "5 drew", "obl", "", "7 branches", "", "", "heads differ"]


def test_what_is_saved_stands_alone(page, tmp_path):
    shades = {"shown": "rgb(185, 122, 0)", "light": "#b97a00", "dark": "#e69f00", "grey": "#5c5c5c"}
    for shade, orange in shades.items():
        text = saved(page, "Save as SVG", tmp_path, shade).decode()
        words = {element.text for element in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")}
        assert {"blackboard", "nsubj", "VERB", "root"} <= words
        for leak in ("var(", "class=", "data-", "--st", "<style", "color-mix"):
            assert leak not in text
        assert f'stroke="{orange}"' in text
    data = saved(page, "Save as PNG", tmp_path)
    assert data.startswith(b"\x89PNG")
    svg = page.locator(".st-key-one .stage svg").first
    for pixels, side in zip(struct.unpack(">II", data[16:24]), ("width", "height"), strict=True):
        assert abs(pixels - 2 * int(svg.get_attribute(side))) <= 2
    text = saved(page, "Save as TikZ", tmp_path, "grey").decode()  # as Python wrote it
    assert text.startswith(r"\definecolor{arc-predicted}{HTML}{5C5C5C}")
    assert r"{5}{10}{obl}" in text and text.endswith("\\end{dependency}\n")


def saved(page, button, folder, shade="shown"):
    """The bytes of the file that a button gives."""
    tree = page.locator(".st-key-one")
    tree.locator("summary").click()
    tree.locator("select").select_option(shade)
    with page.expect_download() as waiting:
        tree.get_by_role("button", name=button).click()
    assert waiting.value.suggested_filename.startswith("board-1.")
    return waiting.value.path().read_bytes()


def test_a_long_sentence_fits_the_page_in_rows_and_scrolls_on_one_line(page):
    stage = page.locator(".st-key-long .stage")
    assert stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    words = page.locator('.st-key-long [data-role="word"]')
    assert min(words.evaluate_all("words => words.map(w => +w.getAttribute('font-size'))")) >= 15
    page.locator(".st-key-long").get_by_role("button", name="Rows").click()
    assert stage.evaluate("stage => stage.scrollWidth > stage.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_arcs_and_names_have_contrast(page, scheme):
    wear(page, scheme)
    paper = color(page.locator('[data-testid="stApp"]').evaluate("app => getComputedStyle(app).backgroundColor"))
    parts = {(".arcs .line", "stroke"): 3, ('[data-role="word"]', "fill"): 4.5, ('[data-role="tag"]', "fill"): 4.5}
    for (part, which), least in (parts | {(".legend span", "color"): 4.5}).items():
        found = page.locator(f".st-key-one {part}, .st-key-two {part}")
        shades = set(found.evaluate_all("(all, which) => all.map(e => getComputedStyle(e)[which])", which))
        assert shades
        for shade in shades:
            assert contrast(color(shade), paper) >= least, (part, shade)


def color(text):
    """Three numbers 0..1 from what the browser calls a colour."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", text.removeprefix("color(srgb"))]
    return numbers[:3] if text.startswith("color(") else [number / 255 for number in numbers[:3]]


def contrast(first, second):
    def luminance(rgb):
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_browser_places_everything_where_python_does(page):
    """Where every letter is half as wide as it is high."""
    gold = load_sample().limit(8)
    pairs = [compare_trees(one, other.heads) for one, other in zip(gold, attach_left(gold), strict=True)]
    found = page.evaluate(
        """([script, drawings]) => drawings.map(new Function("drawing", script + `
            const measure = (text, role) => [...text].length * COMFORTABLE[role] / 2;
            return [null, 700, 480].map((width) => layOut(drawing, COMFORTABLE, width, true, measure));
        `))""",
        [(ASSETS / "components" / "tree-layout.js").read_text(encoding="utf-8"), [pair.as_data() for pair in pairs]],
    )
    for pair, layouts in zip(pairs, found, strict=True):
        for width, layout in zip((None, 700.0, 480.0), layouts, strict=True):
            same_layout(layout, lay_out(pair, Metrics(), width=width, measure=lambda text, size: len(text) * size / 2))


def same_layout(layout, expected):
    assert [layout["width"], layout["height"]] == pytest.approx([expected.width, expected.height])
    assert layout["x"] == pytest.approx(list(expected.x))
    assert [(row["start"], row["end"]) for row in layout["rows"]] == [(row.start, row.end) for row in expected.rows]
    names = {"arc": "arc", "row": "row", "x1": "x1", "x2": "x2", "level": "level", "tip": "tip"}
    names |= {"captionLeft": "caption_left", "captionRight": "caption_right"}
    for one, other in zip(layout["segments"], expected.segments, strict=True):
        for there, here in names.items():
            assert one[there] == (pytest.approx(value) if isinstance(value := getattr(other, here), float) else value)
