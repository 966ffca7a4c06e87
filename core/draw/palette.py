"""One meaning, one colour: the signs of the workbench, for light and dark paper and for print without colour.

The hues are those of Okabe & Ito (2008), which colour-blind eyes distinguish. Where a hue has less than 3:1
contrast on its paper it is darkened (orange on white) or lightened (blue on black), keeping the hue. The same
values stand in .streamlit/config.toml, so badges, charts and trees agree; a test compares the two.
"""

from types import MappingProxyType

# name of a colour -> the colour on light paper, on dark paper, and in print without colour
COLORS = MappingProxyType(
    {
        "paper": ("#ffffff", "#16181c", "#ffffff"),
        "ink": ("#141619", "#e8e6e1", "#000000"),
        "quiet": ("#62666d", "#9da1a8", "#595959"),
        "gold": ("#0072b2", "#4ba3dc", "#000000"),
        "predicted": ("#b97a00", "#e69f00", "#5c5c5c"),
        "changed": ("#d55e00", "#f07f33", "#000000"),
        "supported": ("#008a64", "#2bb78d", "#2e2e2e"),
        "third": ("#a8528a", "#d68fb8", "#6e6e6e"),
        "fourth": ("#d55e00", "#f07f33", "#000000"),
        "plain": ("#4a4f57", "#b4b8bf", "#3d3d3d"),
        "candidate": ("#7a7f87", "#8b9098", "#808080"),
        "former": ("#7a7f87", "#8b9098", "#808080"),
    }
)
# the same for words and numbers, where the colour of lines has less than 4.5:1 contrast: darker, as the theme's text
WRITTEN = MappingProxyType(
    {
        "predicted": ("#8a5a00", "#e69f00", "#5c5c5c"),
        "changed": ("#a84a00", "#f07f33", "#000000"),
        "supported": ("#006b4e", "#2bb78d", "#2e2e2e"),
        "fourth": ("#a84a00", "#f07f33", "#000000"),
        "candidate": ("#5b6067", "#8b9098", "#6e6e6e"),
        "former": ("#5b6067", "#8b9098", "#6e6e6e"),
    }
)
PALETTES, INKS = (  # of lines and areas, and of words
    MappingProxyType(
        {
            theme: MappingProxyType({name: colors[column] for name, colors in table.items()})
            for column, theme in enumerate(("light", "dark", "grey"))
        }
    )
    for table in (COLORS, {**COLORS, **WRITTEN})
)

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
        "third": "a third parse",
        "fourth": "a fourth parse",
        "plain": "both",
        "candidate": "another candidate",
        "former": "before the change",
    }
)


def strength(posterior: float) -> float:
    """Opacity of the band of an arc."""
    return WEAKEST + (1 - WEAKEST) * min(max(posterior, 0.0), 1.0)
