"""Figures of papers: where points lie, what is stated and what is ours, and the figures in words."""

import re
from xml.etree import ElementTree

import pytest

from core.draw.plot import PlotPicture, PlotSeries
from core.errors import WorkbenchError
from tests.filled import filled

OURS = PlotSeries("ours", ((10, 40.0), (20, 50.0), (30, 70.0)))
STATED = PlotSeries("the paper", ((10, 43.5), (30, 67.0)), stated=True)


def picture(*series, levels=()):
    return PlotPicture("a figure", "constraints", "% right", series, levels)


def circles(scene):
    return [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', scene.inner())]


def test_both_axes_are_linear():
    (legend, a, b, c) = circles(picture(OURS).scene())
    assert b[0] - a[0] == pytest.approx(c[0] - b[0], abs=0.2)
    assert 2 * (a[1] - b[1]) == pytest.approx(b[1] - c[1], abs=0.3) and a[1] > b[1] > c[1] > legend[1]


def test_what_a_paper_states_has_no_line_and_a_sign_of_its_own():
    alone, both = picture(OURS).scene().inner(), picture(OURS, STATED).scene().inner()
    assert both.count("Z") - alone.count("Z") == 1 + 2  # diamonds, the legend's too
    assert len(circles(picture(OURS, STATED).scene())) == 4


def test_levels_are_lines_and_named():
    scene = picture(OURS, levels=(("supervised", 74.0, False), ("EM", 43.2, True))).scene()
    assert scene.inner().count('stroke-dasharray="3 3"') == 2
    assert "supervised" in scene.inner() and "EM" in scene.inner()


def test_everything_lies_within_the_picture():
    tried = (picture(PlotSeries("x", ((1, 0.0),))), picture(PlotSeries("x", ((3, 4.0),))), picture(OURS, STATED))
    for each in filled(tried):
        scene = each.scene()
        assert all(0 < x < scene.width and 0 < y < scene.height for x, y in circles(scene))


def test_the_figures_are_said_in_words_and_themes_are_checked():
    svg = picture(OURS, STATED, levels=(("EM", 43.2, True),)).svg("dark")
    (words,) = (part.text for part in ElementTree.fromstring(svg) if part.tag.endswith("desc"))
    assert "the paper 10: 43.5, 30: 67" in words and "EM 43.2" in words
    with pytest.raises(WorkbenchError, match="unknown theme 'pink'"):
        picture(OURS).svg("pink")
