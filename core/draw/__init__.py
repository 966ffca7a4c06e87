"""Trees drawn: one description of what is seen (``Drawing``), as SVG, as TikZ and for the component on the pages."""

from core.draw.drawing import KINDS, Arc, Drawing, Span
from core.draw.layout import Metrics, lay_out
from core.draw.levels import arc_levels, pair_levels
from core.draw.palette import PALETTES
from core.draw.svg import tree_svg
from core.draw.tikz import escape_latex, tree_tikz
from core.draw.trees import compare_trees, draw_tree, show_change

__all__ = [
    "KINDS",
    "PALETTES",
    "Arc",
    "Drawing",
    "Metrics",
    "Span",
    "arc_levels",
    "compare_trees",
    "draw_tree",
    "escape_latex",
    "lay_out",
    "pair_levels",
    "show_change",
    "tree_svg",
    "tree_tikz",
]
