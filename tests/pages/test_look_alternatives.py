"""Every table, chart and picture has a text alternative; every control has a name."""

import ast
from functools import cache

from tests.pages.conftest import ROOT

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


@cache
def all_calls():
    """(place, name called, its Call) of methods of ``st`` or a container, and of ``draw_table``, on all pages."""
    paths = sorted((ROOT / "pages").rglob("*.py"))
    return [
        (f"{path.relative_to(ROOT)}, line {node.lineno}: {_called(node.func)}", _called(node.func), node)
        for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]  # fmt: skip


def _called(function):
    if isinstance(function, ast.Name):
        return function.id if function.id == "draw_table" else None
    of_a_name = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return function.attr if of_a_name else None


def places(names, is_fault):
    """The places where something of these names is called with arguments that are a fault."""
    return [where for where, name, call in all_calls() if name in names and is_fault(call, _named(call))]


def _named(call):
    return {keyword.arg: keyword.value for keyword in call.keywords}


def is_empty(value):
    return value is None or (isinstance(value, ast.Constant) and not str(value.value or "").strip())


def test_what_is_drawn_says_in_words_what_it_shows():
    assert len(places({"draw_table"}, lambda call, named: True)) > 10
    assert places(DRAWN, lambda call, named: is_empty(named.get("alt"))) == []


def test_no_control_is_nameless():
    def nameless(call, named):  # ** holds options made elsewhere
        return None not in named and is_empty(call.args[0] if call.args else named.get("label"))

    assert places(LABELLED, nameless) == []


def test_what_opens_a_window_can_be_read_while_it_is_open():
    """In dark, Streamlit 1.67 draws the name of an open popover without a box in 1.9:1."""
    assert places({"popover"}, lambda call, named: getattr(named.get("type"), "value", None) == "tertiary") == []


def test_code_is_read_without_scrolling():
    """A box that scrolls by itself cannot be reached by keyboard."""
    assert places({"code"}, lambda call, named: "height" in named or is_empty(named.get("wrap_lines"))) == []
