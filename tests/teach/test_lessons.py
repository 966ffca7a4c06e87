"""Lesson files, scores as text, and slides."""

import io
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given

from core.draw.levels import widest
from core.errors import FormatError, WorkbenchError
from core.parsers.english import English
from core.teach.algorithms import ALGORITHMS, algorithm_named
from core.teach.lessons import FORMAT, Lesson, Stop, format_lesson, joined_words, parse_lesson, shipped_lessons
from core.teach.scores import dice_scores, edited_scores, equal_scores, format_scores, parse_scores, score_table
from core.teach.slides import FIGURE, figure, figure_svg, slide_svg, slides_pdf, slides_zip, tallest
from core.teach.spanning_tree import letters
from core.teach.step import Example, QuizQuestion
from core.treebank import Treebank, load_sample
from tests.filled import filled
from tests.teach.problems import example, examples

STOP = {"algorithm": "eisner", "sentence": "she sleeps", "scores": "0 1; - 2; 3 -"}


def lesson(**changes):
    return json.dumps({"format": FORMAT, "title": "T", "stops": [STOP | changes]})


@given(examples())
def test_scores_as_a_line_come_back(one):
    back = parse_scores(format_scores(one.scores), len(one))
    assert np.array_equal(back[0, 1:], one.scores[0, 1:])
    for m in range(1, len(one) + 1):
        assert [back[h, m] for h in range(len(one) + 1) if h != m] == [
            one.scores[h, m] for h in range(len(one) + 1) if h != m
        ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 1; - 2", "need 3 rows"),
        ("0 1; - 2; 3", "row 3 of the scores has 1 numbers; give 2"),
        ("0 1; - 2; a -", "row 3 of the scores, word 1: 'a' is not a score"),
        ("0 1; - 2; nan -", "'nan' is not a score"),
        ("0 1; - 5e9; 1 -", "'5e9' is not a score"),
    ],
)
def test_scores_that_are_none(line, message):
    with pytest.raises(FormatError, match=message):
        parse_scores(line, 2)


def test_edits_of_the_table_change_those_cells_only():
    scores = dice_scores(2, 7)
    assert np.array_equal(scores, dice_scores(2, 7))
    table = score_table(("", "she", "she"), scores)
    assert list(table) == ["head", "1 she", "2 she"] and table["1 she"][1] is None
    changed = edited_scores(scores, {0: {1: 4.5}, 2: {1: None, 2: 8.0}})
    assert changed[0, 1] == 4.5 and changed[2, 1] == -np.inf and changed[2, 2] == scores[2, 2]
    assert changed[0, 2] == scores[0, 2]
    with pytest.raises(WorkbenchError, match="from -1000 to 1000"):
        edited_scores(scores, {0: {1: 1e6}})


def test_a_lesson_comes_back_from_its_file():
    stops = (Stop(**STOP), Stop("spanning-tree", "one two", "Title", 3, "Notes\nof two lines", minutes=1.5))
    whole = Lesson("Nähe “x”", "about", stops)
    assert parse_lesson(format_lesson(whole).encode()) == whole and whole.minutes == 1.5
    assert joined_words(("", "il", "a b")).split(" ") == ["il", "a\u00a0b"]


def test_a_stop_of_two_sentences_names_what_it_plays():
    saved = parse_lesson(lesson(algorithm="decomposition")).stops[0]  # before a second one could be named
    assert (saved.sentence, saved.second) == ALGORITHMS["decomposition"].pairing.example and not saved.scores
    typed = parse_lesson(lesson(algorithm="tagging", second="he snores", scores="")).stops[0]
    assert (typed.sentence, typed.second) == ("she sleeps", "he snores")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "mine.json, line 1: this is not JSON"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        ("[" * 100_000, "this is not JSON"),
        ("[]", "this is not a lesson"),
        (json.dumps({"format": FORMAT, "stops": []}), "must be a list of 1 to 200"),
        (json.dumps({"format": FORMAT, "title": 3, "stops": [STOP]}), '"title" must be text, got 3'),
        (json.dumps({"format": FORMAT, "stops": ["x"]}), "stop 1 must be"),
        (lesson(colour="red"), "stop 1 has 'colour', which no stop has"),
        (lesson(algorithm="bubble-sort"), "there is no algorithm 'bubble-sort'; use one of eisner"),
        (lesson(sentence=" "), "there is no word yet"),
        (lesson(sentence="a " * 41, scores=""), "the sentence has 41 words"),
        (lesson(step=0), '"step" must be a whole number from 1, got 0'),
        (lesson(step=True), '"step" must be a whole number'),
        (lesson(minutes=-1), '"minutes" must be a number'),
        (lesson(single_root=1), '"single_root" must be true or false'),
        (lesson(second="he sleeps"), "stop 1: Eisner’s chart shows one sentence; leave out the second one"),
        (lesson(algorithm="tagging", second="a " * 41), "stop 1: Consistent tags: the sentence has 41 words"),
        (lesson(scores="1 2"), "stop 1: scores of 2 words need 3 rows"),
        ('"' + "x" * 1_000_001 + '"', "at most 1,000,000 characters"),
    ],
)
def test_bad_files_give_one_clear_sentence(text, message):
    with pytest.raises(FormatError, match=message):
        parse_lesson(text, "mine.json")


@pytest.mark.parametrize("name", sorted(shipped_lessons()))
def test_every_stop_of_a_shipped_lesson_can_be_shown(name):
    found = shipped_lessons()[name]
    english = English.load()
    assert 5 <= found.minutes <= 10 and len(found.stops) >= 5
    for stop in found.stops:
        words = stop.words
        n = len(words) - 1
        tags = tuple(english.tag(Treebank.from_sentences([{"forms": list(words[1:])}]))[0].upos)
        scores = parse_scores(stop.scores, n) if stop.scores else equal_scores(n)
        one = Example(words, tags, scores, stop.single_root, stop.constraint, moves=stop.moves)
        trace = algorithm_named(stop.algorithm).steps(one)
        assert stop.title and stop.notes and 1 <= stop.step <= len(trace)


def test_lessons_show_every_algorithm():
    lessons = shipped_lessons().values()
    assert {stop.algorithm for found in lessons for stop in found.stops} == set(ALGORITHMS)


LONG = "the tall farmer who lived near the old mill sold her two brown ducks to a man from town"
LINE = [*Stop("eisner", LONG).words[1:], "today"]


def pixels(trace, index, height, wall=(1800, 660)):
    """The smallest text of a step on a wall, where its picture takes so many pixels."""
    whole = min(wall[0] / FIGURE, wall[1] / height)
    sizes = []
    for places, mark in figure(trace, index, "light", height).marks():
        if mark.startswith("<text"):
            scale, kinds = whole, re.findall(r'width="(\S+)" height="(\S+)" viewBox="0 0 (\S+) (\S+)"', places)
            for wide, high, inner, tall in ([float(number) for number in kind] for kind in kinds):
                scale *= min(wide / inner, high / tall)
            sizes.append(scale * float(re.search(r'font-size="(\S+)"', mark)[1]))
    return min(sizes)


@pytest.mark.parametrize("key", sorted(ALGORITHMS))
def test_twenty_words_are_written_in_24_pixels_on_a_wall_and_forty_are_shown(key):
    tagged = English.load().tag(Treebank.from_sentences([{"forms": LINE}, {"forms": LINE * 2}]))
    for sentence, least in zip(tagged, (23.9, 0), strict=True):
        n = len(sentence.forms) - 1
        one = Example(tuple(sentence.forms), tuple(sentence.upos), dice_scores(n, 5))
        if ALGORITHMS[key].pairing is not None:
            words = ("", "kestrels", *sentence.forms[2:])
            one = replace(one, words=words, text=load_sample(), second=replace(one, words=(*words[:-1], "again")))
        trace = ALGORITHMS[key].steps(one)
        height = tallest(trace) if least else 400
        for index in filled(range(0, len(trace), 1 + len(trace) // (20 if least else 2))):
            assert pixels(trace, index, height) >= least, trace.steps[index].title


def test_components_have_names_beyond_z():
    assert [letters(number) for number in (0, 25, 26, 51, 52)] == ["A", "Z", "AA", "AZ", "BA"]


def test_too_long_a_sentence_is_refused_with_what_to_do():
    for algorithm in ALGORITHMS.values():
        with pytest.raises(WorkbenchError, match=f"choose one of at most {algorithm.longest} words, or type a part"):
            algorithm.require_length(algorithm.longest + 1)
        algorithm.require_length(algorithm.longest)


def test_slides_are_numbered_drawings_and_one_file_of_pages():
    trace = ALGORITHMS["eisner"].steps(example([[0, 1, 2], [0, 0, 3], [0, 4, 0]]))
    with zipfile.ZipFile(io.BytesIO(slides_zip(trace))) as archive:
        names = archive.namelist()
        assert len(names) == len(trace) and names[0] == "1-empty-chart.svg" and names == sorted(names)
        for place, name in enumerate(names):
            root = ElementTree.fromstring(archive.read(name))
            assert root.attrib["width"] == "1280"
            assert f"step {place + 1} of {len(trace)}" in "".join(root.itertext())
    pdf = slides_pdf(trace)
    assert pdf.startswith(b"%PDF-") and b"pdfuaid" in pdf and b"/Count %d" % len(trace) in pdf
    assert slides_pdf(ALGORITHMS["eisner"].steps(Example(("", "\U00013000"), ("", ""), np.zeros((2, 2))))).startswith(
        b"%PDF-"
    )
    height = tallest(trace)
    sizes = {ElementTree.fromstring(figure_svg(trace, k, "light", height)).attrib["height"] for k in range(len(trace))}
    assert len(sizes) == 1


@pytest.mark.parametrize("sentence", ["she saw her duck", "Donaudampfschiffe überqueren heute Meeresstraßen"])
def test_no_line_of_a_slide_is_wider_than_the_slide(sentence):
    words = ("", *sentence.split())
    scores = np.array([[0, 1, 8, 0, 2], [0, 0, 0, 0, 0], [0, 7, 0, 2, 6], [0, 0, 1, 0, 1], [0, 1, 2, 6, 0.0]])
    one = Example(words, ("", "PRON", "VERB", "DET", "NOUN"), scores, True, "upos:DET <- upos:NOUN = 0.9")
    for algorithm in ALGORITHMS.values():
        written = {"rules": "VERB has at most 1 nsubj", "bracket": "2-3", "tree": "2 0 4 2", "weight": "1"}
        lines = [line for kind, line in written.items() if kind in algorithm.wants]
        trace = algorithm.steps(replace(one, constraint=(lines or [one.constraint])[0]))
        for place in range(len(trace)):
            for line in ElementTree.fromstring(slide_svg(trace, place)).findall("{*}text"):
                wide = widest(line.text, float(line.attrib["font-size"]))
                x = float(line.attrib["x"]) - (wide if line.attrib["text-anchor"] == "end" else 0)
                assert x >= 48 and x + wide <= 1232 + 1, line.text


def test_words_cannot_break_out_of_a_slide():
    one = Example(("", "<script>", "&amp;"), ("", "X", "X"), np.array([[0, 1, 2], [0, 0, 3], [0, 4, 0.0]]))
    for key in ALGORITHMS:
        trace = ALGORITHMS[key].steps(one)
        for place in range(len(trace)):
            root = ElementTree.fromstring(slide_svg(trace, place, "dark"))
            assert not [child for child in root.iter() if child.tag.endswith("script")]


def test_a_question_needs_its_answer_among_different_options():
    for options, answer in ((("a", "b"), "c"), (("a", "a"), "a"), (("a",), "a")):
        with pytest.raises(WorkbenchError, match="at least two different options"):
            QuizQuestion("?", options, answer)
