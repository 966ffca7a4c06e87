"""Trees drawn: one description of what is seen (``Drawing``), as TikZ and for the component on the pages."""

from core.draw.arc import Arc
from core.draw.drawing import KINDS, Drawing, Span
from core.draw.graphs import draw_graph
from core.draw.palette import PALETTES
from core.draw.tikz import tikz_colors, tikz_environment
from core.draw.trees import compare_trees, draw_tree, show_change

__all__ = [
    "KINDS",
    "PALETTES",
    "Arc",
    "Drawing",
    "Span",
    "compare_trees",
    "draw_graph",
    "draw_tree",
    "show_change",
    "tikz_colors",
    "tikz_environment",
]
