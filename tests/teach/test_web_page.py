"""A lesson as one web page: what it holds, that words stay words, how large it is, and its colours."""

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core.draw.palette import COLORS, WRITTEN
from core.teach.algorithms import ALGORITHMS
from core.teach.deck import TracedStop
from core.teach.lessons import Lesson, Stop, split_words
from core.teach.scores import dice_scores
from core.teach.slides import figure, tallest
from core.teach.step import Example
from core.teach.web_page import lesson_page, trace_html
from tests.filled import filled
from tests.teach.problems import traced_stops

TWELVE = (
    "the/DET old/ADJ man/NOUN saw/VERB her/PRON duck/NOUN in/ADP the/DET park/NOUN near/ADP the/DET river/NOUN"
)  # fmt: skip
BAD = "</script><b>"
SCORES = "1 8 0; - 0 0; 7 - 2; 0 1 -"
EVIL = Lesson(
    BAD, f"{BAD}{{{{script}}}}", (Stop("eisner", f'{BAD} "x"onload= &amp;', BAD, 2, BAD, SCORES),)
)  # fmt: skip


class Reading(HTMLParser):
    """Tags, attributes and text of a page as a browser reads it."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


def unpacked(page):
    packed = re.findall(r'<script type="text/plain" id="run\d+">(.*?)<', page)
    return [zlib.decompress(b64decode(one)).decode() for one in packed]


def unpacked_data(page):
    """What an exercise's page holds, as JSON values."""
    packed = re.search(r'id="data">(.*?)<', page)[1]
    return json.loads(zlib.decompress(b64decode(packed)))


def stop_of(key, most=12):
    """A stop of as many words as an algorithm shows, twelve at most, whose scores are drawn."""
    count = min(most, ALGORITHMS[key].longest)
    sentence = " ".join(TWELVE.split()[:count])
    words, tags = split_words(sentence)
    one = Example(words, tags, dice_scores(count, 1), True, "VERB has at most 1 obj" if key == "rules" else "")
    return TracedStop(Stop(key, sentence), one, ALGORITHMS[key].steps(one))


def test_words_cannot_break_out_of_the_page():
    page = lesson_page(EVIL, traced_stops(EVIL)).decode()
    (run,) = unpacked(page)
    frame = Reading(page)
    assert frame.tags.count("script") == 2 and "b" not in frame.tags
    assert "".join(frame.text).count(BAD) == 5  # title, heading, about, stop, notes
    for text in (page, run):
        read = Reading(text)
        assert not [name for name, _ in read.attributes if name.startswith("on")]
        assert not {"src", "href", "style"} & {name for name, _ in read.attributes}
    inner = Reading(run)
    assert {*inner.tags} <= {
        "p",
        "span",
        "bdi",
        "svg",
        "g",
        "rect",
        "path",
        "text",
        "circle",
        "ol",
        "li",
        "div",
        "button",
    }
    assert any(BAD in text for text in inner.text) and "{{" not in page.replace("{{script}}", "")


@pytest.mark.parametrize("key", list(ALGORITHMS))
def test_a_stop_of_twelve_words_is_small(key):
    """Eight of the largest are less than two megabytes then."""
    one = stop_of(key)
    assert len(lesson_page(Lesson("T", "", (one.stop,)), [one])) < 200_000


def test_each_step_is_the_drawing_caption_and_question_of_its_trace():
    (one,) = traced_stops(Lesson("T", "", (Stop("arc-eager", "she saw him", scores=SCORES),)))
    (run,) = unpacked(lesson_page(Lesson("T", "", (one.stop,)), [one]).decode())
    assert run == trace_html(one.trace)
    steps = re.findall(r'<li data-title="(.*?)"><p>(.*?)</p>(.*?)</li>', run)
    assert [(title, said) for title, said, _ in steps] == [(step.title, step.caption) for step in one.trace.steps]
    groups = re.findall(r'<g data-at="([^"]*)">(.*?)</g>', run)
    for index, (step, (_, _, asked)) in enumerate(zip(one.trace.steps, steps, strict=True)):
        options = re.findall(r'<button type="button" data-right="([01])">(.*?)</button>', asked)
        question = step.question
        assert options == ([] if question is None else [
            (str(int(question.is_right(option))), option) for option in question.options
        ])  # fmt: skip
        parts = [[[int(end) for end in part.split("-")] for part in at.split()] for at, _ in groups]
        drawn = "".join(
            marks for at, (_, marks) in zip(parts, groups, strict=True) if any(a <= index <= b for a, b in at)
        )  # fmt: skip
        marks = figure(one.trace, index, "light", tallest(one.trace)).marks()
        assert drawn == "".join(mark for _, mark in marks)


def test_stops_of_one_trace_share_its_drawing():
    stop = Stop("eisner", "she saw him", scores=SCORES)
    lesson = Lesson("T", "", (stop, replace(stop, step=4), replace(stop, single_root=False)))
    page = lesson_page(lesson, traced_stops(lesson)).decode()
    assert len(unpacked(page)) == 2
    assert re.findall(r'data-run="(\d)" data-first="(\d+)" data-last="(\d+)"', page)[:2] == [
        ("0", "0", "2"), ("0", "3", str(len(traced_stops(lesson)[0].trace) - 1)),
    ]  # fmt: skip


@pytest.mark.parametrize("key", list(ALGORITHMS))
def test_the_dark_page_has_the_colours_of_the_dark_drawing(key):
    """The page has rules for colours alone: nothing else may depend on the theme, and no colour mean two things."""
    colors = {*COLORS.values(), *WRITTEN.values()}
    dark = {light: dark for light, dark, _ in colors}
    assert len(colors) == len(dark)
    trace = stop_of(key, 5).trace
    for step in filled(trace.steps):
        turned = re.sub(r'="(#\w{6})"', lambda found: f'="{dark[found[1]]}"', step.picture.scene("light").inner())
        assert turned == step.picture.scene("dark").inner()
