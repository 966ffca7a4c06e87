"""Every table, chart and picture has a text alternative; every control has a name."""

import ast
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).resolve().parents[2] / "pages").rglob("*.py"))
DRAWN = {
    "altair_chart", "area_chart", "bar_chart", "data_editor", "dataframe", "draw_table", "echarts_chart",
    "graphviz_chart", "image", "line_chart", "map", "plotly_chart", "pydeck_chart", "pyplot", "scatter_chart", "table",
    "vega_lite_chart",
}  # fmt: skip
LABELLED = {
    "button", "checkbox", "download_button", "file_uploader", "form_submit_button", "multiselect", "number_input",
    "pills", "popover", "radio", "segmented_control", "select_slider", "selectbox", "slider", "text_area",
    "text_input", "toggle",
}  # fmt: skip


def calls(path, names):
    """Calls of those methods of ``st`` or a container, and of ``draw_table``, in the order of the syntax tree."""
    found = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    return [node for node in found if _called(node.func) in names]


def _called(function):
    if isinstance(function, ast.Name):
        return function.id if function.id == "draw_table" else None
    of_a_name = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return function.attr if of_a_name else None


def test_the_pages_are_found():
    assert sum(1 for path in PAGES for _ in calls(path, {"draw_table"})) > 10


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_is_drawn_says_in_words_what_it_shows(path):
    for call in calls(path, DRAWN):
        alternative = next((keyword.value for keyword in call.keywords if keyword.arg == "alt"), None)
        where = f"{path.name}, line {call.lineno}: {_called(call.func)}"
        assert alternative is not None, f"{where} needs alt="
        assert not (isinstance(alternative, ast.Constant) and not alternative.value), f"{where} has an empty alt="


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_control_is_nameless(path):
    for call in calls(path, LABELLED):
        if any(keyword.arg is None for keyword in call.keywords):
            continue  # options made elsewhere
        label = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "label"), None)
        empty = isinstance(label, ast.Constant) and not (label.value or "").strip()
        assert label is not None and not empty, f"{path.name}, line {call.lineno}: {_called(call.func)} needs a label"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_opens_a_window_can_be_read_while_it_is_open(path):
    """In dark, Streamlit 1.67 draws the name of an open popover without a box in 1.9:1."""
    for call in calls(path, {"popover"}):
        kind = next((keyword.value for keyword in call.keywords if keyword.arg == "type"), None)
        assert kind is None or kind.value != "tertiary", f"{path.name}, line {call.lineno}: a popover without a box"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_code_is_read_without_scrolling(path):
    """A box that scrolls by itself cannot be reached by keyboard."""
    for call in calls(path, {"code"}):
        options = {keyword.arg: keyword.value for keyword in call.keywords}
        assert "height" not in options, f"{path.name}, line {call.lineno}: code with a height of its own"
        wraps = options.get("wrap_lines")
        assert wraps is not None and wraps.value, f"{path.name}, line {call.lineno}: code needs wrap_lines=True"
