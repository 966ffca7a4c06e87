"""Accuracy by size: where points lie, what is left out, and the figures in words."""

import re
from xml.etree import ElementTree

import pytest

from core.draw.by_size import Series, SizesPicture, sizes_svg
from core.errors import WorkbenchError


def picture(*series, sizes=(10, 100, 1000)):
    return SizesPicture("a treebank", "trees", sizes, series)


def circles(scene):
    return [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', scene.inner())]


def test_sizes_are_on_a_logarithmic_axis_and_accuracies_on_a_linear_one():
    dashed, points = Series("other", (60.0, 70.0, 80.0), (None,) * 3), Series("x", (60.0, 70.0, 80.0), (None,) * 3)
    (legend, *found) = circles(picture(dashed, points).scene())
    (a, low), (b, middle), (c, high) = found
    assert (
        b - a == pytest.approx(c - b, abs=0.2) and low - middle == pytest.approx(middle - high, abs=0.2) and low > high
    )
    assert legend[1] < high


def test_a_gap_is_no_point_and_an_interval_is_a_line():
    blank = Series("other", (60.0, None, 80.0), (None,) * 3)
    with_interval, without = (
        Series("x", (60.0, None, 80.0), (3.0, None, 1.0)),
        Series("x", (60.0, None, 80.0), (None,) * 3),
    )
    for series, bars in ((with_interval, 2), (without, 0)):
        scene = picture(blank, series).scene()
        assert len(circles(scene)) == 1 + 2  # the legend's
        ends = re.findall(r'd="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)"', scene.inner())
        assert sum(left == right for left, _, right, _ in ends) == bars


def test_one_size_and_one_value_have_room():
    scene = picture(Series("x", (60.0,), (None,)), sizes=(10,)).scene()
    numbers = {text for text in re.findall(r">(\d+)</text>", scene.inner())}
    assert numbers == {"10", "60", "61"}


def test_figures_are_told_in_words():
    svg = sizes_svg([picture(Series("lines & trees", (60.04, None, 80.0), (None,) * 3))] * 2, "By trees")
    description = ElementTree.fromstring(svg).find("{http://www.w3.org/2000/svg}desc").text
    assert description == "; ".join(["a treebank, by trees: lines & trees 10: 60.0, 1,000: 80.0"] * 2)
    with pytest.raises(WorkbenchError, match="unknown theme 'pink'"):
        sizes_svg([picture(Series("x", (1.0,) * 3, (None,) * 3))], "t", theme="pink")
