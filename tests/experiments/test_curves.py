"""The points of learning curves: what is learnt from and scored on, nested draws, stopping and going on."""

import math

import numpy as np
import pytest

from core.constraints import parse_constraints
from core.errors import Cancelled, WorkbenchError
from core.evaluation import AccuracyCurve, NotKnown, attachment_scores, fit_curve
from core.experiments.curves import LEARNERS, UNITS, CurveLearner, default_sizes, learner_named, measure, prepare
from core.experiments.curves.reporting import curve_csv, fit_sentence, gain_sentence, needed_sentence, rows_of
from core.treebank import Treebank, load_sample

LINES = parse_constraints(
    "DET <- NOUN = 0.95\nROOT -> VERB = 0.7\nADJ <- NOUN = 0.9\nADP <- NOUN = 0.9\nNOUN <- VERB = 0.5"
)


@pytest.fixture(scope="module")
def text():
    return load_sample()


def copier(seen, by="trees", **needs):
    """A learner that keeps its Portions and has the first ``size`` of ten heads right, whatever the words."""

    def parse(portion):
        seen.append(portion)
        heads = portion.test.heads.copy()
        wrong = np.flatnonzero(heads >= 0)[len(portion.trees) :]
        heads[wrong] = -1
        return portion.test.with_heads(heads)

    return CurveLearner("copier", by, "copier", parse, **needs)


def flat(count, heads=True):
    """Sentences of three words, each a chain."""
    known = [0, 1, 2] if heads else [-1, -1, -1]
    return Treebank.from_sentences(
        {"forms": [f"w{number}", "x", "y"], "upos": ["VERB", "NOUN", "ADV"], "heads": known} for number in range(count)
    )


def words_of(treebank):
    return {sentence.forms[1] for sentence in treebank}


def test_every_fifth_tree_is_held_out_and_not_learnt_from():
    material = prepare(flat(22), copier([]))
    assert words_of(material.test) == {"w4", "w9", "w14", "w19"} and material.held_out
    assert len(material.trees) == 18 and not words_of(material.trees) & words_of(material.test)
    assert words_of(material.text) == words_of(material.trees)


def test_sentences_without_trees_are_text_alone():
    mixed = Treebank.from_sentences(each.as_dict() for bank in (flat(12), flat(3, False)) for each in bank)
    material = prepare(mixed, copier([]))
    assert (len(material.trees), len(material.text), len(material.test)) == (10, 13, 2)


def test_another_text_is_scored_on_and_all_is_learnt_from():
    material = prepare(flat(3), copier([]), test=flat(2))
    assert (len(material.trees), len(material.test), material.held_out) == (3, 2, False)


def test_draws_are_nested_and_differ():
    seen = []
    material = prepare(flat(50), copier(seen))
    found = measure(material, (2, 10, 30), 3, seed=1)
    assert [len(portion.trees) for portion in seen] == [2, 10, 30] * 3
    for first in (0, 3, 6):
        small, middle, large = (words_of(portion.trees) for portion in seen[first : first + 3])
        assert small < middle < large
    assert len({frozenset(words_of(seen[index].trees)) for index in (1, 4, 7)}) == 3
    scored = len(material.test) * 3
    assert found.words == scored and found.complete
    assert found.curve.means() == pytest.approx([100 * min(size, scored) / scored for size in (2, 10, 30)])


def test_words_are_counted_by_whole_sentences_and_lines_keep_their_order(text):
    seen = []
    measure(prepare(text, copier(seen, "words")), (100, 1000), 2)
    for portion, size in zip(seen, (100, 1000, 100, 1000), strict=True):
        assert size <= portion.text.token_count < size + portion.text.lengths.max()
    assert words_of(seen[0].text) <= words_of(seen[1].text)
    seen.clear()
    material = prepare(text, copier(seen, "lines", lines=True), lines=LINES, tags="upos")
    measure(material, (2, 4, 5), 2)
    assert [len(portion.lines) for portion in seen] == [2, 4, 5, 2, 4]  # all five are the same in every draw
    for portion in seen:
        assert [line for line in material.lines if line in portion.lines] == list(portion.lines)
    assert set(seen[0].lines) < set(seen[1].lines)


def test_what_is_stopped_goes_on_to_the_same_points(text):
    material = prepare(text, learner_named("trees", "first-order"))
    told = []
    whole = measure(material, (5, 10, 20), 2, progress=told.append)
    assert list(whole.points) == told and len(told) == 6
    some = []
    part = measure(material, (5, 10, 20), 2, progress=some.append, cancel=lambda: len(some) == 2)
    assert part.points == whole.points[:2] and not part.complete
    assert part.curve.counts.tolist() == [1, 1, 0]
    rest = measure(material, (5, 10, 20), 2, known=part.points)
    assert rest.points == whole.points and rest.complete
    np.testing.assert_array_equal(rest.curve.accuracies, whole.curve.accuracies)


def test_a_training_that_is_given_up_is_no_point():
    asked = []

    def parse(portion):
        asked.append(portion)
        return portion.test

    def refuse(portion):
        raise Cancelled

    for function in (parse, refuse):
        asked.clear()
        material = prepare(flat(20), CurveLearner("stops", "trees", "one that stops", function))
        found = measure(material, (2, 3, 4), 1, cancel=lambda: bool(asked))
        assert found.points == () and not found.complete and found.curve.counts.tolist() == [0, 0, 0]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: f"{each.by}-{each.name}")
def test_every_learner_learns(learner, text):
    small = text.limit(60)
    material = prepare(small, learner, lines=LINES, tags="upos")
    sizes = {"trees": (3, 30), "words": (40, material.total), "lines": (1, 5)}[learner.by]
    found = measure(material, sizes, 1)
    assert found.complete and found.curve.counts.tolist() == [1, 1]
    left = material.test.with_heads(np.concatenate([np.arange(-1, n) for n in material.test.lengths]))
    chance = attachment_scores(material.test, left, punctuation=False).uas
    assert found.curve.means()[1] > (chance if learner.name != "dmv" else 10)
    assert measure(material, sizes[:1], 1).points == found.points[:1]


def test_sentences_with_trees_to_begin_with_are_not_text(text):
    material = prepare(text, learner_named("words", "self-training"))
    assert len(material.trees) == 50 and len(material.trees) + len(material.text) + len(material.test) == len(text)
    few = prepare(flat(21), learner_named("words", "self-training"))
    assert len(few.trees) == 8


def test_lines_that_match_nothing_are_left_out_and_named(text):
    more = [*LINES, *parse_constraints("NOTAG <- NOUN = 0.9")]
    material = prepare(text, learner_named("lines"), lines=more, tags="upos")
    assert len(material.lines) == 5 and material.skipped == ("NOTAG <- NOUN",) and material.total == 5


@pytest.mark.parametrize(
    ("by", "total", "sizes"),
    [
        ("trees", 266, (10, 25, 50, 100, 250)),
        ("trees", 400, (10, 25, 50, 100, 250, 400)),
        ("trees", 8, (2, 4, 8)),
        ("trees", 9, (2, 5, 9)),
        ("trees", 3, (1, 2, 3)),
        ("words", 200_000, (2500, 5000, 10_000, 25_000, 50_000, 100_000, 200_000)[-6:]),
        ("lines", 25, (5, 10, 15, 20, 25)),
        ("lines", 4, (1, 2, 3, 4)),
        ("lines", 3, (1, 2, 3)),
    ],
)
def test_sizes_reach_up_to_all_there_is(by, total, sizes):
    assert default_sizes(by, total) == sizes


def test_the_first_learner_that_can_learn_is_taken():
    assert [learner_named(by).name for by in UNITS] == ["second-order", "dmv", "grammar"]
    assert learner_named("words", lines=True).name == "grammar"
    with pytest.raises(WorkbenchError, match="no learner by lines is called 'dmv'; choose grammar, crf"):
        learner_named("lines", "dmv")
    with pytest.raises(WorkbenchError, match="a curve goes by trees, words, lines, not by 'pages'"):
        learner_named("pages")


def refuse(portion):
    raise WorkbenchError("no sentence is short enough")


MARKS = Treebank.from_sentences([{"forms": ["."], "upos": ["PUNCT"], "heads": [0]}])
REFUSING = CurveLearner("refuses", "trees", "one that refuses", refuse)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: prepare(flat(2), copier([])), "has 2 sentences with complete trees, and a curve needs 10"),
        (lambda: prepare(flat(20), copier([]), test=flat(2, False)), "no word of the text to score on has a head"),
        (lambda: prepare(flat(2), copier([]), test=flat(2)), "needs at least 3 of them to learn from, and there are 2"),
        (lambda: prepare(flat(20), learner_named("lines")), "a grammar from lines needs lines to learn from"),
        (
            lambda: prepare(flat(20), learner_named("lines"), lines=parse_constraints("DET <- AUX = 0.5")),
            "no line matches two words of this text",
        ),
        (
            lambda: prepare(flat(20), copier([], "lines", lines=True, longest=2), lines=LINES),
            "a copier learns from sentences of at most 2 words, and there are none; give some",
        ),
        (
            lambda: prepare(flat(4, False), learner_named("words", "self-training"), test=flat(2)),
            "needs trees to begin with",
        ),
        (lambda: measure(prepare(flat(20), copier([]), test=MARKS), (2, 4)), "has heads of punctuation alone"),
        (lambda: measure(prepare(flat(20), REFUSING), (2, 4)), "2 trees, draw 1: no sentence is short enough"),
        (lambda: measure(prepare(flat(20), copier([])), (3, 2)), "sizes must be whole numbers of at least 1 that rise"),
        (lambda: measure(prepare(flat(20), copier([])), ()), "sizes must be whole numbers of at least 1 that rise"),
        (lambda: measure(prepare(flat(20), copier([])), (0, 2)), "sizes must be whole numbers of at least 1 that rise"),
        (lambda: measure(prepare(flat(20), copier([])), (2, 40)), "40 trees are asked for and there are 16 to learn"),
        (lambda: measure(prepare(flat(20), copier([])), (2, 4), 0), "a curve needs at least one draw, got 0"),
    ],
)
def test_what_gives_no_curve_is_refused(make, said):
    with pytest.raises(WorkbenchError, match=said):
        make()


CURVE = AccuracyCurve(
    np.array([10.0, 20, 40, 80]),
    90 - 60 * np.array([10.0, 20, 40, 80])[:, None] ** -0.5 + np.array([[-0.5, 0.5, math.nan]]),
)


def test_rows_tell_what_was_measured_from_what_is_extrapolated():
    found = fit_curve(CURVE)
    rows = rows_of(CURVE, found)
    assert [row["size"] for row in rows] == [10, 20, 40, 80, 160, 320]
    assert [row["extrapolated"] for row in rows] == [False] * 4 + [True] * 2
    assert rows[0]["mean"] == pytest.approx(90 - 60 / 10**0.5) and rows[0]["draws"] == 2
    assert rows[0]["spread"] == pytest.approx(0.5 * 2**0.5) and len(rows[0]["accuracies"]) == 2
    assert rows[4]["mean"] is None and rows[4]["low"] < rows[4]["fitted"] < rows[4]["high"]
    header, *body = curve_csv(CURVE, found, 90).splitlines()
    assert header == "trees,extrapolated,draws,mean,spread,fitted,low,high,draw_1,draw_2,conditions"
    assert body[0].endswith(",heads right in percent of 90 words without punctuation")
    assert len(body) == 6 and body[0].startswith("10,no,2,71.02") and body[4].startswith("160,yes,0,,,")
    assert {line.count(",") for line in body} == {header.count(",")}


def test_sentences_say_what_more_would_bring_and_what_is_not_known():
    found = fit_curve(CURVE)
    assert gain_sentence(found, 80).startswith("80 trees more than the 80 would bring about 2.0 points (95%: ")
    assert "lie too far from the 80 measured" in gain_sentence(found, 10**6)
    assert needed_sentence(found, 86).startswith("86% takes about 220 trees (95%: ")
    assert "levels off at" in needed_sentence(found, 99)
    assert "intervals by bootstrap of residuals, 2 draws, on 1,000 words" in fit_sentence(found, 1000)
    unknown = NotKnown("The course beyond is not known.")
    assert {gain_sentence(unknown, 1), needed_sentence(unknown, 9), fit_sentence(unknown, 9)} == {unknown.reason}
    assert [row["fitted"] for row in rows_of(CURVE, unknown)] == [None] * 4


def test_a_law_that_misses_the_points_is_said_to():
    close = CURVE.means()[:, None] + np.array([[-0.1, 0.0, 0.1]])
    bent = AccuracyCurve(CURVE.sizes, close + np.array([[-1.0], [1], [-1], [1]]))
    assert "The law misses the points by" in fit_sentence(fit_curve(bent), 9)
