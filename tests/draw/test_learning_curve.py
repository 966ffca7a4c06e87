"""The picture of a learning curve: what is measured, fitted and extrapolated is told apart, and in words."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from core.draw.learning_curve import curve_words, learning_curve_svg
from core.errors import WorkbenchError
from core.evaluation import AccuracyCurve, fit_curve

SIZES = np.array([10.0, 25, 50, 100, 250])
CURVE = AccuracyCurve(SIZES, (90 - 60 * SIZES**-0.4)[:, None] + np.array([-0.6, 0.1, 0.5]))


def drawn(curve, **how):
    return ElementTree.fromstring(learning_curve_svg(curve, fit_curve(curve), "A parser & its <curve>", **how))


def parts(svg, tag):
    return svg.findall(f".//{{http://www.w3.org/2000/svg}}{tag}")


def places(path):
    return [tuple(float(number) for number in pair.split(",")) for pair in re.findall(r"[\d.]+,[\d.]+", path.get("d"))]


def test_points_stand_at_their_means_between_lowest_and_highest():
    svg = drawn(CURVE)
    points = parts(svg, "circle")[1:]  # the first is the legend's
    assert len(points) == 5
    xs, ys = ([float(point.get(name)) for point in points] for name in ("cx", "cy"))
    assert np.diff(xs) / np.diff(np.log(SIZES)) == pytest.approx((xs[4] - xs[0]) / np.log(25), rel=0.01)
    assert np.diff(ys) / np.diff(CURVE.means()) == pytest.approx((ys[4] - ys[0]) / np.ptp(CURVE.means()), rel=0.05)
    for x, y in zip(xs, ys, strict=True):
        assert any(
            abs(a - x) < 0.2 and abs(c - x) < 0.2 and low > y > high
            for (a, low), (c, high) in (places(path) for path in parts(svg, "path") if len(places(path)) == 2)
        )


def test_what_is_extrapolated_is_dashed_in_a_band_and_begins_at_the_last_point():
    svg = drawn(CURVE)
    last = float(parts(svg, "circle")[-1].get("cx"))
    courses = [path for path in parts(svg, "path") if len(places(path)) == 60]
    solid, dashed = sorted(courses, key=lambda path: places(path)[0][0])
    assert solid.get("stroke-dasharray") is None and dashed.get("stroke-dasharray") == "7 4"
    assert places(solid)[-1][0] == pytest.approx(last, abs=0.2) == places(dashed)[0][0]
    (band,) = (path for path in parts(svg, "path") if len(places(path)) == 120)
    upper, lower = places(band)[:60], places(band)[60:][::-1]
    for (_, high), (_, low), (_, middle) in zip(upper, lower, places(dashed), strict=True):
        assert high <= middle <= low


def test_where_nothing_is_known_beyond_the_reason_stands_there():
    two = AccuracyCurve(SIZES[:2], CURVE.accuracies[:2])
    svg = drawn(two)
    texts = [text.text for text in parts(svg, "text")]
    assert any("needs 3 sizes" in text for text in texts) and "fitted" not in texts
    assert not [path for path in parts(svg, "path") if path.get("stroke-dasharray")]
    assert float(svg.get("height")) > float(drawn(CURVE).get("height"))


@pytest.mark.parametrize("rows", [[[50.0]], [[50.0, 50.0]], [[0.0]], [[100.0]]])
def test_one_size_is_a_picture_too(rows):
    svg = drawn(AccuracyCurve(np.array([25.0]), np.array(rows)))
    (_, point) = parts(svg, "circle")
    assert 58 < float(point.get("cx")) < 614 and 92 <= float(point.get("cy")) <= 314


def test_all_is_said_in_words_and_names_are_escaped():
    found = fit_curve(CURVE)
    words = curve_words(CURVE, found)
    assert words.startswith("66.1% of heads right at 10 trees, ") and "% at 1,000 trees" in words
    svg = drawn(CURVE)
    assert svg.find("{http://www.w3.org/2000/svg}desc").text == words
    assert svg.find("{http://www.w3.org/2000/svg}title").text == "A parser & its <curve>"
    assert "10,000" not in words and "script" not in words


def test_it_is_drawn_for_dark_paper_and_an_unknown_one_is_refused():
    assert "#16181c" in learning_curve_svg(CURVE, fit_curve(CURVE), "curve", theme="dark")
    with pytest.raises(WorkbenchError, match="unknown theme 'pink'"):
        learning_curve_svg(CURVE, fit_curve(CURVE), "curve", theme="pink")
