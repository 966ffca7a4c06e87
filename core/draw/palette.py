"""One meaning, one colour: the signs of the workbench, for light and dark paper and for print without colour.

The hues are those of Okabe & Ito (2008), which colour-blind eyes distinguish. Where a hue has less than 3:1
contrast on its paper it is darkened (orange on white) or lightened (blue on black), keeping the hue. The same
values stand in .streamlit/config.toml, so badges, charts and trees agree; a test compares the two.
"""

from types import MappingProxyType

LIGHT = MappingProxyType(
    {
        "paper": "#ffffff",
        "ink": "#141619",
        "quiet": "#62666d",
        "gold": "#0072b2",
        "predicted": "#b97a00",
        "changed": "#d55e00",
        "supported": "#008a64",
        "plain": "#4a4f57",
        "candidate": "#7a7f87",
        "former": "#7a7f87",
    }
)
DARK = MappingProxyType(
    {
        "paper": "#16181c",
        "ink": "#e8e6e1",
        "quiet": "#9da1a8",
        "gold": "#4ba3dc",
        "predicted": "#e69f00",
        "changed": "#f07f33",
        "supported": "#2bb78d",
        "plain": "#b4b8bf",
        "candidate": "#8b9098",
        "former": "#8b9098",
    }
)
GREY = MappingProxyType(
    {
        "paper": "#ffffff",
        "ink": "#000000",
        "quiet": "#595959",
        "gold": "#000000",
        "predicted": "#5c5c5c",
        "changed": "#000000",
        "supported": "#2e2e2e",
        "plain": "#3d3d3d",
        "candidate": "#808080",
        "former": "#808080",
    }
)
PALETTES = MappingProxyType({"light": LIGHT, "dark": DARK, "grey": GREY})

# kind of an arc -> dash pattern, in pixels; "" is a solid line. Dashes mean that two analyses disagree.
DASHES = MappingProxyType({"changed": "7 4", "candidate": "1 4", "former": "2 4"})
DISAGREEMENT = "7 4"
WEAKEST = 0.12  # opacity of the band of an arc of posterior 0; its hairline is always drawn in full

# What each kind is called in the legend, the table and the words read aloud.
MEANINGS = MappingProxyType(
    {
        "gold": "gold",
        "predicted": "predicted",
        "changed": "changed",
        "supported": "supported by a constraint",
        "plain": "both",
        "candidate": "another candidate",
        "former": "before the change",
    }
)


def strength(posterior: float) -> float:
    """Opacity of the band of an arc."""
    return WEAKEST + (1 - WEAKEST) * min(max(posterior, 0.0), 1.0)
