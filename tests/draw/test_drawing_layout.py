"""Where words and arcs are placed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.draw import Arc, Drawing
from tests.draw.tree_layout import Metrics, lay_out


@st.composite
def drawings(draw):
    n = draw(st.integers(1, 14))
    words = ("", *draw(st.lists(st.text("abcdefgh", min_size=1, max_size=9), min_size=n, max_size=n)))
    arcs = []
    for m in range(1, n + 1):
        head = draw(st.integers(-1, n))
        if head not in (-1, m):
            arcs.append(Arc(head, m, draw(st.sampled_from(["", "nsubj", "compound:prt"])), below=draw(st.booleans())))
    return Drawing(words, arcs=tuple(arcs))


@given(drawings(), st.sampled_from([None, 300.0, 500.0]))
def test_words_of_a_row_keep_their_distance(drawing, width):
    metrics = Metrics()
    layout = lay_out(drawing, metrics, width=width, measure=lambda text, size: len(text) * size * 0.5)
    for row in layout.rows:
        for m in range(row.start + 1, row.end):
            room = (len(drawing.words[m - 1]) + len(drawing.words[m])) * metrics.word * 0.25 + metrics.gap
            assert layout.x[m] - layout.x[m - 1] >= room - 1e-9


@given(drawings(), st.sampled_from([None, 300.0, 500.0]))
def test_everything_is_inside_the_picture_and_every_arc_is_there(drawing, width):
    layout = lay_out(drawing, width=width)
    assert {segment.arc for segment in layout.segments} == set(range(len(drawing.arcs)))
    for segment in layout.segments:
        row = layout.rows[segment.row]
        assert 0 <= segment.x1 <= segment.x2 <= layout.width
        assert segment.level <= (row.below if segment.below else row.above)
    tips = [segment.arc for segment in layout.segments if segment.tip]
    assert sorted(tips) == list(range(len(drawing.arcs)))  # each arc points once
    for one, next_one in zip(layout.rows, layout.rows[1:], strict=False):
        assert one.bottom < next_one.top


@given(drawings())
def test_feet_at_a_word_do_not_coincide(drawing):
    layout = lay_out(drawing)
    feet = {}
    for segment in layout.segments:
        arc = drawing.arcs[segment.arc]
        left, right = sorted((arc.head, arc.modifier))
        ends = [(arc.modifier, segment.x1)] if arc.head == 0 else [(left, segment.x1), (right, segment.x2)]
        for word, x in ends:
            feet.setdefault((word, segment.below), []).append(x)
    for places in feet.values():
        assert np.diff(sorted(places)).min(initial=1) > 1e-6


def test_a_relation_has_room_between_neighbours():
    near = lay_out(Drawing(("", "a", "b"), arcs=(Arc(1, 2),)))
    far = lay_out(Drawing(("", "a", "b"), arcs=(Arc(1, 2, "a very long relation"),)))
    assert far.x[2] - far.x[1] > near.x[2] - near.x[1]
    hidden = lay_out(Drawing(("", "a", "b"), arcs=(Arc(1, 2, "a very long relation"),)), labels=False)
    assert hidden.x == near.x


def test_an_arc_that_changes_rows_names_the_word_at_its_other_end():
    words = ("", *(f"word{m}" for m in range(1, 13)))
    layout = lay_out(Drawing(words, arcs=(Arc(1, 12, "obj"), Arc(0, 1, "root"))), width=420.0)
    assert len(layout.rows) > 1
    captions = [(s.caption_left, s.caption_right) for s in layout.segments if s.arc == 0]
    assert captions == [("", "obj · word12"), ("obj · word1", "")]
    assert layout.width <= 420.0


def test_right_to_left_is_the_mirror_image():
    arcs = (Arc(0, 1, "root"), Arc(1, 2, "obj"))
    layout = lay_out(Drawing(("", "كتب", "الدرس"), arcs=arcs))
    assert layout.x[1] > layout.x[2]
    assert next(segment.tip for segment in layout.segments if segment.arc == 1) == "left"
