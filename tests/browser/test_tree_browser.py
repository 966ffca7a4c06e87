"""The tree component in Chromium: keys, pointing, choosing, gliding, table, downloads, both themes, both languages."""

import json
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.browser
APP = "tests/browser/tree_app.py"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def page(open_app):
    page = open_app(APP)
    page.wait_for_selector(".st-key-one g.word")
    return page


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


def test_arrows_walk_over_words_heads_and_dependents(page):
    first = page.locator(".st-key-one g.word").first
    assert first.get_attribute("tabindex") == "0"
    first.focus()
    walk = [("ArrowRight", "2 old"), ("ArrowUp", "3 teacher"), ("ArrowUp", "5 drew"), ("ArrowUp", "5 drew")]
    walk += [("ArrowDown", "3 teacher"), ("ArrowDown", "1 The"), ("ArrowLeft", "1 The")]
    walk += [("End", "10 blackboard"), ("Home", "1 The")]
    for key, expected in walk:
        page.keyboard.press(key)
        assert focused_name(page).startswith(expected), key
    assert page.locator('.st-key-one g.word[tabindex="0"]').count() == 1  # one stop for Tab


def test_a_click_beside_the_words_and_a_key_draw_no_frame(page):
    drawing = page.locator(".st-key-one svg:has(g.word)")
    drawing.click(position={"x": 3, "y": 3})
    page.keyboard.press("Escape")
    assert drawing.evaluate("svg => getComputedStyle(svg).outlineStyle") == "none"


def test_enter_chooses_and_escape_clears(page):
    page.locator(".st-key-one g.word").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect_text(page, "chosen: 2 None")
    assert focused_name(page).startswith("2 old")  # the rerun does not take the focus away
    page.keyboard.press("Shift+Enter")
    expect_text(page, "chosen: 2 (3, 2)")
    page.keyboard.press("Escape")
    expect_text(page, "chosen: None None")


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


def test_an_arc_that_changes_is_marked_and_announced(page):
    arc = page.locator('.st-key-one g.arcs g.arc[data-arc="9"]')
    handle = arc.element_handle()
    before = arc.locator("path.line").get_attribute("d")
    page.get_by_text("Move an arc").click()
    page.wait_for_selector('.st-key-one g.arcs g.arc[data-kind="changed"]')
    assert handle.get_attribute("data-kind") == "changed"  # the same element, so that it can glide
    assert arc.locator("path.line").get_attribute("stroke-dasharray") == "7 4"
    page.wait_for_function("""([root, before]) => {
        const line = document.querySelector(root).querySelector("[data-testid=stBidiComponentIsolated]").shadowRoot
          .querySelector('g.arcs g.arc[data-arc="9"] path.line');
        return line.getAttribute("d") !== before;
    }""", arg=[".st-key-one", before])  # fmt: skip
    spoken = page.locator(".st-key-one [aria-live]").inner_text()
    assert spoken == "1 arc changed: 10 blackboard, head 7 branches"
    assert page.locator(".st-key-one .legend").inner_text().split("\n") == ["predicted", "changed"]


def test_motion_is_left_out_where_it_is_unwelcome(open_app):
    page = open_app(APP, reduced_motion="reduce")
    page.wait_for_selector(".st-key-one g.word")
    page.get_by_text("Move an arc").click()
    page.wait_for_selector('.st-key-one g.arcs g.arc[data-kind="changed"]')
    line = page.locator('.st-key-one g.arcs g.arc[data-arc="9"] path.line')
    at_once = line.get_attribute("d")
    page.wait_for_timeout(300)
    assert line.get_attribute("d") == at_once


def test_the_table_says_what_the_drawing_shows(page):
    page.locator(".st-key-two").get_by_role("button", name="Table").click()
    rows = page.locator(".st-key-two table tbody tr")
    assert rows.count() == 10
    cells = rows.nth(9).locator("td").all_inner_texts()
    assert cells == [
        "10",
        "blackboard",
        "NOUN",
        "5 drew",
        "obl",
        "",
        "7 branches",
        "",
        "",
        "heads differ",
    ]


def test_svg_download_is_real_text_and_stands_alone(page, tmp_path):
    shades = {"shown": "rgb(185, 122, 0)", "light": "#b97a00", "dark": "#e69f00", "grey": "#5c5c5c"}
    for shade, orange in shades.items():
        text = download(page, "Save as SVG", tmp_path, shade).read_text(encoding="utf-8")
        tree = ElementTree.fromstring(text)
        words = {element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")}
        assert {"blackboard", "nsubj", "VERB", "root"} <= words
        for leak in ("var(", "class=", "data-", "--st", "<style", "color-mix"):
            assert leak not in text
        assert f'stroke="{orange}"' in text


def test_png_download_has_twice_the_pixels(page, tmp_path):
    data = download(page, "Save as PNG", tmp_path).read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    svg = page.locator(".st-key-one .stage svg").first
    assert data.startswith(b"\x89PNG")
    assert abs(width - 2 * int(svg.get_attribute("width"))) <= 2
    assert abs(height - 2 * int(svg.get_attribute("height"))) <= 2


def test_tikz_download_is_what_python_wrote(page, tmp_path):
    text = download(page, "Save as TikZ", tmp_path, "grey").read_text(encoding="utf-8")
    assert text.startswith(r"\definecolor{arc-predicted}{HTML}{5C5C5C}")
    assert r"{5}{10}{obl}" in text and text.endswith("\\end{dependency}\n")


def download(page, button, folder, shade="shown"):
    tree = page.locator(".st-key-one")
    tree.locator("summary").click()
    tree.locator("select").select_option(shade)
    with page.expect_download() as waiting:
        tree.get_by_role("button", name=button).click()
    assert waiting.value.suggested_filename.startswith("board-1.")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_a_long_sentence_fits_the_page_in_rows_and_scrolls_on_one_line(open_app):
    page = open_app(APP, path="/?show=long")
    page.wait_for_selector(".st-key-long g.word")
    stage = page.locator(".st-key-long .stage")
    assert stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    sizes = page.locator('.st-key-long [data-role="word"]').evaluate_all(
        "words => words.map(w => +w.getAttribute('font-size'))"
    )
    assert min(sizes) >= 15
    page.locator(".st-key-long").get_by_role("button", name="Rows").click()
    assert stage.evaluate("stage => stage.scrollWidth > stage.clientWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_arcs_and_names_have_contrast(open_app, scheme):
    page = open_app(APP, color_scheme=scheme)
    page.wait_for_selector(".st-key-two g.word")
    page.get_by_text("Move an arc").click()
    page.wait_for_selector('.st-key-one g.arcs g.arc[data-kind="changed"]')
    page.evaluate("Promise.all(document.getAnimations({subtree: true}).map((each) => each.finished))")  # colours fade
    paper = color(page.locator('[data-testid="stApp"]').evaluate("app => getComputedStyle(app).backgroundColor"))
    for part, least in (
        (".arcs .line", 3),
        ('[data-role="word"]', 4.5),
        ('[data-role="tag"]', 4.5),
        (".legend span", 4.5),
    ):
        which = "fill" if part.startswith("[") else "stroke" if "line" in part else "color"
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
    told = json.loads(page.locator('[data-testid="stCode"] code').inner_text())
    script = (ROOT / "assets" / "components" / "tree-layout.js").read_text(encoding="utf-8")
    found = page.evaluate(
        "([script, drawing]) => new Function('drawing', script + `"
        "const measure = (text, role) => [...text].length * COMFORTABLE[role] / 2;"
        "return [null, 700, 480].map((width) => layOut(drawing, COMFORTABLE, width, true, measure));"
        "`)(drawing)",
        [script, told["drawing"]],
    )
    for layout, expected in zip(found, told["layouts"], strict=True):
        assert layout["width"] == pytest.approx(expected["width"])
        assert layout["height"] == pytest.approx(expected["height"])
        assert layout["x"] == pytest.approx(expected["x"])
        assert [[row["start"], row["end"]] for row in layout["rows"]] == [row[:2] for row in expected["rows"]]
        for one, other in zip(layout["segments"], expected["segments"], strict=True):
            names = ("arc", "row", "x1", "x2", "level", "tip", "captionLeft", "captionRight")
            assert [one[name] for name in names] == [pytest.approx(v) if isinstance(v, float) else v for v in other]
