"""A parser that reads words alone scores whole texts: marks take part in no choice, brackets hold."""

import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.parsers.universal.parser import UniversalParser
from core.parsers.word_scorer import WordScorer, with_marks
from core.treebank import Treebank, load_sample
from core.trees import Bracket, satisfies
from tests.filled import filled
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")
SETTINGS = GrammarSettings(tags="upos", lengths=(None,), iterations=(1,))
LINES = parse_constraints("DET <- NOUN per modifier = 0.9..1.0 weight 2\nADP <- NOUN per modifier = 0.75")
MARKED = (". , a b , , c d .", "a b", ". ,", "a .", "( a b ) c .", "a b c d e f")


def marked(*sentences):
    """A text whose words are letters, and its other tokens marks."""
    rows = []
    for sentence in sentences:
        forms = sentence.split()
        upos = ["NOUN" if form.isalpha() else "PUNCT" for form in forms]
        rows.append({"forms": forms, "upos": upos})
    return Treebank.from_sentences(rows)


@pytest.fixture(scope="module")
def text():
    return load_sample().max_length(12).limit(40)


@pytest.fixture(scope="module")
def below(text):
    return UniversalParser([small_network()], RELATIONS).for_text(text)


@pytest.fixture(scope="module", params=["a parser", "constraints above it", "a grammar"])
def parser(request, text, below):
    if request.param == "a parser":
        return below
    prior = below if request.param == "constraints above it" else None
    return train_grammar(text, LINES, SETTINGS, prior=prior).model


def test_the_best_trees_are_those_of_the_parser(parser, text):
    for each in (text, marked(*MARKED)):
        if each is not text and not hasattr(parser, "parser"):
            continue  # a grammar knows the tags of its own text
        scorer = WordScorer(parser)
        assert with_marks(each, scorer.score(each).decode().values).tolist() == parser.parse(each).heads.tolist()


def test_a_mark_hangs_on_a_neighbour_whatever_words_do(below):
    text = marked(*MARKED)
    scores = WordScorer(below).score(text)
    heads = scores.decode()
    assert [heads[0].tolist()[k] for k in (1, 2, 5, 6, 9)] == [2, 3, 4, 5, 8]
    assert heads[2].tolist() == [-1, 0, 1]
    is_mark = text.punctuation()
    for i, sentence in enumerate(filled(text)):
        living = np.isfinite(scores.arcs[i])
        marks = np.flatnonzero(is_mark[text.offsets[i] : text.offsets[i + 1]])
        assert (living[:, marks].sum(0) == 1).all()
        if len(marks) < len(sentence):  # no word hangs on a mark
            words = np.setdiff1d(np.arange(1, len(sentence) + 1), marks)
            assert not living[np.ix_(marks, words)].any()


@pytest.mark.parametrize("level", ["strict", "loose", "sprawl", "tear"])
def test_trees_keep_brackets_marks_not_counted(below, level):
    text = marked(*MARKED)
    spans = {0: [Bracket(5, 8)], 4: [Bracket(1, 5)], 5: [Bracket(2, 4), Bracket(2, 6)]}
    scorer = WordScorer(below, lambda part: [spans.get(number, []) for number in part.picks.tolist()], level)
    heads, words = scorer.score(text).decode(), text.without_punctuation()
    trees = with_marks(text, heads.values)
    assert satisfies(trees[text.offsets[4] : text.offsets[5]], Bracket(2, 4), level)  # a b, without its marks
    for bracket in spans[5]:
        assert satisfies(heads[5], bracket, level)
    some = np.array([5, 0])  # of a part of the text too, its sentences in another order
    part = scorer.score(text.select(some))
    assert part.decode()[0].tolist() == heads[5].tolist()
    assert part.select(np.array([0])).decode()[0].tolist() == heads[5].tolist()
    assert len(words) == 5 and not WordScorer(below, None, level).score(text).held


def test_brackets_that_no_tree_keeps_are_held_as_far_as_can_be(below):
    text = marked("a b c d e f")
    brackets = [Bracket(1, 4), Bracket(3, 6)]  # they cross
    held = WordScorer(below, lambda part: [brackets], "strict").score(text).held
    assert held[0].level in ("loose", "sprawl", "tear")
