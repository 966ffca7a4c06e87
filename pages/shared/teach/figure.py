"""The picture of a step on the page: a typed wrapper around the component in assets/components/figure.js."""

from pages.shared.component import component

_FIGURE = component("figure", ["figure.js"], "figure.css")


def figure(svg, alt):
    """Draw an SVG text as wide as its place; where that is narrow it scrolls, and its words stay readable."""
    _FIGURE(data={"figure": svg, "alt": alt}, key="teach_figure")
