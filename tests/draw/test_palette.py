"""One meaning, one colour: the same in figures and in the app's theme, and seen on its paper."""

import tomllib
from pathlib import Path

import pytest

from core.draw import KINDS, PALETTES
from core.draw.palette import INKS
from tests.filled import filled

CONFIG = tomllib.loads((Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
NAMES = {
    "gold": "blue",
    "predicted": "orange",
    "changed": "red",
    "supported": "green",
    "third": "violet",
    "fourth": "red",
}


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", PALETTES)
def test_every_kind_of_arc_stands_out_from_the_paper(name):
    palette = PALETTES[name]
    for kind in KINDS:
        assert contrast(palette[kind], palette["paper"]) >= 3, kind
    for text, color in filled(INKS[name].items()):
        assert contrast(color, palette["paper"]) >= 4.5 or text == "paper", text


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_theme_has_the_colours_of_the_figures(name):
    theme, palette = CONFIG["theme"][name], PALETTES[name]
    assert theme["backgroundColor"] == palette["paper"] and theme["textColor"] == palette["ink"]
    for kind, color in NAMES.items():
        assert theme[f"{color}Color"] == palette[kind]
        if INKS[name][kind] != palette[kind]:
            assert INKS[name][kind] == theme[f"{color}TextColor"]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_of_the_theme_can_be_read(name):
    theme = CONFIG["theme"][name]
    for surface in (theme["backgroundColor"], theme["secondaryBackgroundColor"], theme["sidebar"]["backgroundColor"]):
        assert contrast(theme["textColor"], surface) >= 7
        assert contrast(theme["linkColor"], surface) >= 4.5
    for color in ("blue", "orange", "red", "green", "yellow", "violet", "gray"):
        for surface in (theme["backgroundColor"], theme[f"{color}BackgroundColor"]):
            assert contrast(theme[f"{color}TextColor"], surface) >= 4.5, color


def mixed(ink, paper, share):
    """The colour of ``ink`` at that opacity on ``paper``."""
    pairs = [(int(ink[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * first + (1 - share) * second):02x}" for first, second in pairs)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_captions_and_what_is_chosen_can_be_read(name):
    theme = CONFIG["theme"][name]
    for surface in (theme["backgroundColor"], theme["secondaryBackgroundColor"], theme["sidebar"]["backgroundColor"]):
        assert contrast(mixed(theme["textColor"], surface, 0.6), surface) >= 4.5  # Streamlit's captions
    paper, primary = theme["backgroundColor"], theme["primaryColor"]
    for tint in (0.1, 0.2) if name == "light" else (0.1,):  # Streamlit's segmented controls, and under the mouse
        assert contrast(primary, mixed(primary, paper, tint)) >= 4.5
    assert contrast("#ffffff", primary) >= (4.5 if name == "light" else 3.4)  # Streamlit's primary buttons


@pytest.mark.parametrize("name", ["light", "dark"])
def test_charts_have_ten_steps(name):
    theme = CONFIG["theme"][name]
    assert len(theme["chartSequentialColors"]) == len(theme["chartDivergingColors"]) == 10
    shades = [luminance(color) for color in theme["chartSequentialColors"]]
    assert shades in (sorted(shades), sorted(shades, reverse=True))
