"""Pictures of algorithms: escaped text, room for what is in them, the same in every theme."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, WordCluster, arc_heights
from core.draw.by_size import Series, SizesPicture
from core.draw.chart import COMPLETE_RIGHT, INCOMPLETE_LEFT, ChartPicture
from core.draw.curves import CurvesPicture
from core.draw.levels import text_width, widest
from core.draw.matrix import MatrixPicture, Panels, SmallTree, Titled, TreesPicture
from core.draw.points import NAMED, PointsPicture
from core.draw.scene import Scene, fitted, shortened, stacked, wrapped
from core.draw.tagged import TaggedPicture
from core.draw.targets import ResponsePicture, TargetRow, TargetsPicture, largest
from core.errors import WorkbenchError
from tests.filled import filled

WORDS = ("", "<she>", "saw & heard", "him")
LONG = ("", "we", "misunderstandings", "him")
ARCS = (Arc(0, 2, "8", "gold"), Arc(2, 1, "7", "changed"), Arc(2, 3, "", "candidate", 0.4))
PICTURES = [
    ArcPicture(WORDS, ARCS, (WordCluster("A", (1, 3), "changed", "a note"),), ((1, "supported"),), ("", "x", "", "y")),
    ChartPicture(WORDS, {(INCOMPLETE_LEFT, 1, 2): "−1.5", (COMPLETE_RIGHT, 1, 3): "12"},
                 {(COMPLETE_RIGHT, 1, 3): "now"}, ARCS, (("Head", ""), ("line", "part"))),
    MatrixPicture("M", WORDS[1:], ("a",), (("1",), ("",), ("3",)), ((0.1,), (0.5,), (2.0,)), (((0, 0), "gold"),), "n"),
    TreesPicture(WORDS, (SmallTree((-1, 2, 0, 2), "0.5", "changed"),), 2, 4, "one tree"),
    Panels((Titled("t", ArcPicture(WORDS, ARCS)), CurvesPicture("c", ("a", "b"), ((1.0, 2.0), (None, 1.5)), 1)), True),
    CurvesPicture("c", ("a", "b"), ((1.0, 2.0), (3.0, 4.0)), -1),
    PointsPicture("p", "one", "two", WORDS[1:], ((0.0, 0.0), (1.0, -1.0), (-2.0, 3.0)), ((1, "changed"),)),
    SizesPicture("s", "n", (10, 25), (Series("<a>", (6.0, None), (2.0, None)), Series("b", (1.0, 99.0), (None,) * 2))),
    TaggedPicture(WORDS, ("", "PRON", "<VERB>", "X"), ("", "predicted", "changed", "predicted"), ((1, "supported"),),
                  ((1, ("PRON −0.5", "X +0.5")), (2, ())), 3),
    ResponsePicture("r", (-6.0, 0.0, 1.2, 6.0), (0.1, 0.4, 1.5, 2.2), 3, 1.5, 2.0, 2),
    TargetsPicture("t", (TargetRow("<a>", 0.9, 0.9, (0.2, 0.9), "λ 2"), TargetRow("b", 0.0, 0.3, (1.4,))), 1.5, "more"),
]  # fmt: skip


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: type(picture).__name__)
@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_a_picture_is_one_drawing_with_its_words_as_text_inside_its_bounds(picture, theme):
    scene = picture.scene(theme)
    root = ElementTree.fromstring(scene.svg("a title", "what it shows"))
    names = [child.tag.rpartition("}")[2] for child in root.iter()]
    assert names[1:3] == ["title", "desc"] and set(names) <= {"svg", "title", "desc", "rect", "path", "text", "circle"}
    assert float(root.attrib["width"]) == pytest.approx(scene.width, abs=0.5)
    for child in root:
        if child.tag.endswith("text"):
            assert -1 <= float(child.attrib["y"]) <= scene.height + 1


def test_words_are_escaped_and_control_characters_are_not_written():
    text = ArcPicture(("", "<b>&\x00\x1b\ud800\ufffe\uffff"), ()).scene().svg("<t>", "&")
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert "<b>&" + "\ufffd" * 5 in "".join(root.itertext()) and "\x00" not in text


def test_arcs_that_meet_have_feet_of_their_own():
    arcs = (Arc(0, 1), Arc(0, 2), Arc(0, 3), Arc(3, 2), Arc(3, 1))
    paths = [line for line in ArcPicture(WORDS, arcs).scene().inner().split("\n") if 'fill="none"' in line]
    starts = [line.split('d="M')[1].split(",")[0] for line in paths]
    assert len(set(starts)) == len(starts) == len(arcs)
    assert arc_heights((Arc(0, 1), Arc(1, 2))) == [1, 1]


def place_of(svg, words):
    """(x, y) of words in a drawing."""
    found = next(child for child in ElementTree.fromstring(svg).iter() if child.text == words)
    return float(found.attrib["x"]), float(found.attrib["y"])


@pytest.mark.parametrize("theme", ["light", "dark", "grey"])
def test_a_number_on_an_arc_lies_on_paper_that_covers_the_line(theme):
    scene = ArcPicture(WORDS, (Arc(2, 3, "−1.9", "changed", 0.5),)).scene(theme)
    parts = scene.inner().split("\n")
    at = next(k for k, part in enumerate(parts) if ">−1.9<" in part)
    paper = ElementTree.fromstring(parts[at - 1]).attrib
    assert paper["fill"] == scene.colors["paper"] and paper["stroke"] == "none"
    assert float(paper["width"]) >= widest("−1.9", 14, bold=True) and float(paper["height"]) >= 14
    x, y = place_of(scene.svg("", ""), "−1.9")
    assert float(paper["x"]) < x < float(paper["x"]) + float(paper["width"])
    assert float(paper["y"]) < y - 14 * 0.35 < float(paper["y"]) + float(paper["height"])  # the line's y
    assert not any("<path" in part for part in parts[at:])  # nothing is drawn over it


@pytest.mark.parametrize("picture", [ArcPicture, lambda words: ChartPicture(words, {}, {})], ids=["arcs", "chart"])
def test_words_stand_in_the_direction_in_which_they_are_read(picture):
    for words, onward in ((("", "she", "saw", "him"), 1), (("", "היא", "ראתה", "אותו"), -1)):
        svg = picture(words).scene().svg("", "")
        places = [place_of(svg, word)[0] for word in words[1:]]
        assert places == sorted(places, reverse=onward < 0)


def test_a_chart_of_words_from_right_to_left_is_mirrored():
    values = {(INCOMPLETE_LEFT, 1, 2): "2", (COMPLETE_RIGHT, 1, 2): "7"}
    found = {}
    for words in (("", "a", "b"), ("", "א", "ב")):
        svg = ChartPicture(words, values, {}).scene().svg("", "")
        found[words[1]] = place_of(svg, "2")[0] < place_of(svg, "7")[0]
    assert found == {"a": True, "א": False}


def test_tags_stand_under_their_words_and_room_is_kept_for_prices():
    tags, kinds = ("", "PRON", "VERB", "PRON"), ("predicted",) * 4
    priced = TaggedPicture(LONG, tags, kinds, (), ((2, ("VERB +1", "NOUN −1")),)).scene()
    svg = priced.svg("", "")
    assert place_of(svg, "misunderstandings")[0] == place_of(svg, "VERB")[0] == place_of(svg, "NOUN −1")[0]
    assert place_of(svg, "VERB")[1] < place_of(svg, "VERB +1")[1] < place_of(svg, "NOUN −1")[1] < priced.height
    assert TaggedPicture(LONG, tags, kinds, room=2).scene().height == priced.height
    narrow = TaggedPicture(LONG, tags, kinds).scene(width=180.0)
    sizes = [float(part.attrib["font-size"]) for part in ElementTree.fromstring(narrow.svg("", "")).iter()
             if part.text in tags[1:]]  # fmt: skip
    assert len(sizes) == 3 and len(set(sizes)) == 1 and sizes[0] == 16  # two rows
    pointed = TaggedPicture(LONG, tags, kinds, ((3, "supported"),)).scene(width=180.0).svg("", "")
    assert "misunderstandings" not in pointed and "PRON" in pointed and ">him<" in pointed


def test_a_title_wider_than_its_picture_is_not_cut():
    title = "Weights of all arcs into these two words, head in the row, word in the column"
    whole = [MatrixPicture(title, ("a",), ("b",), (("1",),)), Titled(title, ArcPicture(("", "a"), ())),
             CurvesPicture(title, ("a",), ((1.0, 2.0),), 1)]  # fmt: skip
    for picture in whole:
        scene = picture.scene()
        lines = [part for part in ElementTree.fromstring(scene.svg("", "")).iter() if part.text and part.text in title]
        lines = [line for line in lines if line.attrib.get("font-weight") and len(line.text) > 1]
        assert " ".join(line.text for line in lines) == title
        for line in filled(lines):
            room = scene.width - float(line.attrib["x"])
            assert widest(line.text, float(line.attrib["font-size"]), bold=True) <= room + 1


def test_a_word_longer_than_its_column_is_shortened_and_stays_in_it():
    assert shortened("short", 10, 100) == "short"
    assert shortened("Donaudampfschifffahrt", 10, 60).endswith("…")
    assert widest(shortened("Donaudampfschifffahrt", 10, 60), 10) <= 60


def test_expectations_stand_where_they_are_on_the_axis_of_the_target():
    assert [largest(shares) for shares in ((0.2,), (1.0,), (1.2, 0.1), (2.5,))] == [1.0, 1.0, 1.5, 2.5]
    inner = ElementTree.fromstring(TargetsPicture("t", (TargetRow("a", 0.5, 1.0, (0.0, 0.5)),)).scene().svg("", ""))
    circles = [float(child.attrib["cx"]) for child in inner.iter() if child.tag.endswith("circle")]
    band = [child for child in inner.iter() if child.tag.endswith("rect")][-1]
    assert circles[0] < circles[1] == pytest.approx(float(band.attrib["x"]), abs=0.1)
    response = ElementTree.fromstring(
        ResponsePicture("r", (-1.0, 0.0, 1.0), (0.1, 0.5, 0.8), 1, 0.5, 0.5, 1).scene().svg("", "")
    )
    dot = next(child for child in response.iter() if child.tag.endswith("circle"))
    dashed = next(child for child in response.iter() if "stroke-dasharray" in child.attrib)
    assert f"M{float(dot.attrib['cx']):.1f}," in dashed.attrib["d"]  # met where the curve is marked
    assert any(child.text == "met at λ = 0.00" for child in response.iter())


def test_sizes_and_lines_fit():
    assert fitted("short", 20, 500) == 20 and text_width("a" * 40, fitted("a" * 40, 20, 200)) <= 200.1
    lines = wrapped("one two three four", 20, 90)
    assert " ".join(lines) == "one two three four" and all(text_width(line, 20) <= 90 for line in lines)
    first, second = Scene(100, 50), Scene(200, 30)
    both = stacked([first, second], gap=10)
    assert (both.width, both.height) == (200, 90)


def test_an_unknown_theme_is_refused():
    with pytest.raises(WorkbenchError, match="unknown theme 'blue'; use one of light"):
        Scene(1, 1, "blue")


@pytest.mark.parametrize(
    "picture",
    [
        ArcPicture(LONG),
        ChartPicture(LONG, {}, {}),
    ],
    ids=["arcs", "chart"],
)
def test_all_words_of_a_sentence_have_one_size_and_what_a_legend_says_is_not_cut(picture):
    scene = picture.scene("light", 600.0)
    parts = ElementTree.fromstring(scene.svg("", "")).iter()
    texts = [(part.text or "", float(part.attrib["font-size"]), part) for part in parts if part.tag.endswith("text")]
    words = [
        size for text, size, _ in texts if text.rstrip("…") and any(w.startswith(text.rstrip("…")) for w in LONG[1:])
    ]
    assert len(words) == len(LONG) - 1 and len(set(words)) == 1
    legend = [(text, size, part) for text, size, part in texts if "head" in text or "on top" in text]
    assert len(legend) == 2 * isinstance(picture, ChartPicture)
    for text, size, part in legend:
        assert float(part.attrib["x"]) + widest(text, size) <= scene.width


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=24))
@example([(1, 1)] * 23 + [(-1, 0)])
def test_names_of_points_stand_apart_and_within_the_picture(points):
    names = tuple(f"word{k}" for k in range(len(points)))
    scene = PointsPicture("Words", "one", "two", names, tuple(points), ((0, "changed"),)).scene("dark")
    svg = scene.svg("Words", "points")
    places = {(match["x"], float(match["y"])) for match in re.finditer(
        r'<text x="(?P<x>[\d.-]+)" y="(?P<y>[\d.-]+)"[^>]*>word', svg)}  # fmt: skip
    right = sum(x >= 0 for x, _ in points)
    assert len(places) == min(right, NAMED) + min(len(points) - right, NAMED)
    assert ("more names not drawn" in svg) == (len(places) < len(points))
    for side in {x for x, _ in places}:
        heights = sorted(y for x, y in places if x == side)
        assert heights[0] > 0 and heights[-1] < scene.height
        assert all(after - before > 14 for before, after in pairwise(heights))


def written(picture):
    """The texts of a picture."""
    parts = ElementTree.fromstring(picture.scene().svg("", "")).iter()
    return [part.text for part in parts if part.tag.endswith("text")]


def test_numbers_stand_for_words_that_do_not_fit_under_small_trees_and_the_first_trees_are_folded():
    tree = SmallTree((-1, 2, 0, 2), "0.5")
    assert {"1", "2", "3"} <= {*written(TreesPicture(LONG, (tree,), 4))}
    note = written(TreesPicture(WORDS[:4], (tree,) * 20, 4, note="all"))[-1]
    assert note == "all; the first 12 are not drawn"


def test_what_is_current_stays_in_sight_and_the_rest_is_folded():
    names = tuple(f"w{k}" for k in range(16))
    shades = tuple((k / 16,) for k in range(16))
    listed = MatrixPicture("M", names, ("a",), tuple((f"v{k}",) for k in range(16)), shades, (((0, 0), "gold"),), "n")
    texts = written(listed)
    assert {"w0", "w15", "v0", "v15"} <= {*texts} and "w1" not in texts and "n · 4 more rows are not drawn" in texts
    square = written(MatrixPicture("M", names, names, tuple(names for _ in names)))
    assert "w11" in square and "w12" not in square and "4 more rows and 4 more columns are not drawn" in square
    wide = written(MatrixPicture("M", names, names, tuple(("0.000123456",) * 16 for _ in names)))
    assert "w6" in wide and "w9" not in wide  # no number is written smaller, so fewer columns fit
    words = ("", *(f"w{k}" for k in range(1, 31)))
    chart = written(ChartPicture(words, {(COMPLETE_RIGHT, 3, 27): "5"}, {(COMPLETE_RIGHT, 3, 27): "now"}))
    assert {"w3", "w27", "5", "…", "29–30"} & {*chart} >= {"w3", "w27", "5", "…"} and "w20" not in chart


def test_cells_that_are_enlarged_stay_in_the_picture():
    words = ("", *(f"w{k}" for k in range(1, 21)))
    values = {(kind, *span): "5" for kind in range(4) for span in ((1, 20), (1, 19), (2, 20))}
    marks = {(COMPLETE_RIGHT, 1, 20): "now", (INCOMPLETE_LEFT, 1, 19): "part", (COMPLETE_RIGHT, 2, 20): "part"}
    scene = ChartPicture(words, values, marks).scene()
    boxes = [part for part in ElementTree.fromstring(scene.svg("", "")).iter() if part.tag.endswith("rect")][1:]
    assert len(boxes) > 190 + 3 and min(float(box.attrib["y"]) for box in boxes) >= 0
    scene = ChartPicture(words, {(COMPLETE_RIGHT, 10, 20): "5"}, {(COMPLETE_RIGHT, 10, 20): "now"}).scene()
    parts = [*ElementTree.fromstring(scene.svg("", "")).iter()]
    sign = next(float(part.attrib["x"]) for part in parts if part.attrib.get("height") == "15.0")
    (cell,) = (part.attrib for part in parts if part.attrib.get("height") == "44.0" and part.attrib["stroke"] == "none")
    assert float(cell["x"]) + float(cell["width"]) <= sign or float(cell["y"]) >= 110  # no legend is covered


def test_a_long_sentence_stands_in_rows_and_arcs_between_them_name_the_other_end():
    words = ("", *(f"w{k}" for k in range(1, 31)))
    arcs = (Arc(0, 2), Arc(2, 25, "far", "changed"), Arc(25, 24), Arc(20, 3))
    texts = written(ArcPicture(words, arcs))
    assert {*words[1:]} <= {*texts} and texts.count("root") == 1
    assert texts.count("far") == 1 and texts.count("25") == texts.count("2") == 2  # once under its word
    assert texts.count("20") == texts.count("3") == 2


@pytest.mark.parametrize("letter", ["w", "א"], ids=["left to right", "right to left"])
def test_a_label_at_the_edge_of_a_row_does_not_cover_the_number_there(letter):
    words = ("", *(f"{letter}{k}" for k in range(1, 31)))
    svg = ArcPicture(words, (Arc(12, 16, "−0.25", "changed"),)).scene().svg("", "")
    row = [child for child in ElementTree.fromstring(svg) if child.tag.endswith("}svg")][1]
    label, number = (next(part for part in row.iter() if part.text == text) for text in ("−0.25", "12"))
    assert label.attrib["y"] == number.attrib["y"]
    room = (widest("−0.25", 15, bold=True) + widest("12", 15)) / 2
    assert abs(float(label.attrib["x"]) - float(number.attrib["x"])) >= room


def test_an_arrow_is_seen_under_its_label_however_low_the_levels_are():
    arcs = tuple(Arc(1, m, "7.5" if m == 2 else "") for m in range(2, 20))
    picture = ArcPicture(("", *(f"w{k}" for k in range(1, 20))), arcs, high=300.0)
    for shown in (picture, ArcPicture(picture.words, tuple(Arc(a.head, a.modifier) for a in arcs), high=300.0)):
        scene = shown.scene()
        tips = [part for part in scene.inner().split("\n") if "<path" in part and 'stroke="none"' in part]
        heights = [float(part.split("L")[1].split(",")[1].split("H")[0]) for part in tips]
        assert len(tips) == 18 and len({*heights}) == 1 and scene.height == picture.scene().height  # words stay
    parts = picture.scene().inner().split("\n")
    paper = ElementTree.fromstring(parts[next(k for k, part in enumerate(parts) if ">7.5<" in part) - 1]).attrib
    assert float(paper["y"]) + float(paper["height"]) < heights[0]
