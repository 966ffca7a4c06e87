"""The dependency tree on a page: a typed wrapper around the component in assets/components/."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.draw import PALETTES, Drawing
from core.draw.tikz import tikz_colors, tikz_environment
from pages.shared.component import component

_SCRIPTS = ("tree-layout.js", "tree-save.js", "tree-frame.js", "tree-draw.js", "tree.js")
_TREE = component("tree", _SCRIPTS, "tree.css")


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user chose: a word, or an arc.

    ``word`` is 1..n, the modifier where an arc is chosen; ``arc`` is (head, modifier) or None; ``below`` tells
    whether the arc belongs to the analysis under the words.
    """

    word: int
    arc: tuple | None = None
    below: bool = False


def dependency_tree(
    drawing: Drawing,
    key: str,
    height: int | None = None,
    on_select=None,
    *,
    selected: int | None = None,
    lines: Sequence[dict] = (),
) -> Selection | None:
    """Draw a sentence and its trees; words and arcs can be pointed at, walked over by keys, and chosen.

    Parameters
    ----------
    drawing : Drawing
        From ``core.draw.draw_tree``, ``compare_trees`` or ``show_change``. With the same ``key`` and the same words as
        before, arcs that changed glide to their new places.
    key : str
        Unique in the app, and the same from run to run.
    height : int, optional
        Scroll beyond this many pixels; as high as the drawing by default.
    on_select : callable, optional
        Called without arguments before the rerun that a choice causes.
    selected : int, optional
        Word to choose, e.g. from a link.
    lines : sequence of dict
        What stands under the words and tags, as ``core.workspace.annotate.view.lines_below`` gives it.

    Returns
    -------
    Selection or None
        None also when the choice was made on another sentence under the same key.
    """
    data = drawing.as_data() | {
        "options": {"labels": True, "rows": True, "table": False, "height": height},  # how the switches stand at first
        "selected": selected,
        "lines": lines,
        "palettes": {name: dict(palette) for name, palette in PALETTES.items()},
        "tikz": {
            "body": tikz_environment(drawing),
            "colors": {theme: tikz_colors(drawing, theme) for theme in PALETTES},
        },
    }
    # without a callback Streamlit drops what the component sends
    result = _TREE(data=data, key=key, on_sel_change=on_select or (lambda: None))
    return selection_from(result.get("sel"), drawing)


def selection_from(sel, drawing):
    """A ``Selection`` from what the browser sent, which is checked like everything from outside; else None."""
    if not isinstance(sel, dict) or sel.get("id") != drawing.fingerprint:
        return None
    word, arc = sel.get("word"), sel.get("arc")
    if type(word) is not int or not 1 <= word <= len(drawing):  # True is an int, too
        return None
    if not isinstance(arc, dict):
        return Selection(word)
    for one in drawing.arcs:
        if (one.head, one.modifier, one.below) == (arc.get("head"), arc.get("modifier"), arc.get("below")):
            return Selection(word, (one.head, one.modifier), one.below)
    return None
