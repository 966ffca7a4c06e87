"""What hangs on answers and on languages, against arcs counted one by one in parses made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.advice import ANSWER, KIN, Costs, TrainingState, conditioning, conditioning_advice
from core.errors import Cancelled
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES
from core.parsers.universal.source_languages import SourceLanguages, tag_trigrams
from core.parsers.universal.text import TaggedWords
from tests.advice.conftest import SETTINGS
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")
OPEN = ("adposition", "determiner", "adverb")
CLASSES = {
    "adposition": ("NOUN PROPN PRON NUM", "ADP"), "determiner": ("NOUN PROPN", "DET"), "adverb": ("VERB", "ADV"),
}  # fmt: skip
ANSWERED = {name: "0.5" for name in NAMES if name not in OPEN}


@pytest.fixture(scope="module")
def parser(gold):
    """A parser with two languages, whose second was turned round, and two open questions."""
    words = TaggedWords.of(gold.without_punctuation())
    other = replace(words, tags=words.tags[::-1].copy())
    answers = np.full((2, len(NAMES)), np.nan)
    answers[0], answers[1] = -1, 1
    kin = SourceLanguages(
        ("near", "far"), np.array([tag_trigrams(each) for each in (words, other)], np.uint32), answers
    )
    return UniversalParser([small_network(10)], RELATIONS, sources=kin).with_answers(ANSWERED)


def state_of(gold, parser, known=0):
    heads = np.where(np.arange(len(gold.heads)) < gold.offsets[known], gold.heads, -1)
    return TrainingState.of(gold, [], heads, SETTINGS, prior=parser.for_text(gold).with_cache())


def heads_of(parser, text):
    return [sentence.heads.tolist() for sentence in parser.parse(text)]


def counted(text, now, others, shares):
    """(arcs, sentences, expected) of words that are no marks, one by one."""
    arcs, sentences, expected = 0, set(), 0.0
    for i, sentence in enumerate(text):
        for m in range(1, len(sentence) + 1):
            if sentence.upos[m] == "PUNCT":
                continue
            moved = [other[i][m] != now[i][m] for other in others]
            expected += sum(share for share, is_moved in zip(shares, moved, strict=True) if is_moved)
            if any(moved):
                arcs += 1
                sentences.add(i)
    return arcs, len(sentences), pytest.approx(expected)


def sides_of(parsed, name):
    """Of each word of which a question speaks, in trees, whether it stands before its head."""
    heads, modifier = CLASSES[name]
    return [
        bool(m < each.heads[m])
        for each in parsed for m in range(1, len(each) + 1)
        if each.upos[m] == modifier and each.heads[m] > 0 and each.upos[each.heads[m]] in heads.split()
    ]  # fmt: skip


def test_what_hangs_on_an_answer_is_counted(gold, parser):
    found, notes = conditioning_advice(state_of(gold, parser), Costs())
    assert [each.what for each in found if each.kind == ANSWER] == [*OPEN] and notes == []
    now, present = heads_of(parser, gold), parser.parse(gold)
    for each in found:
        both = [heads_of(parser.with_answers(ANSWERED | {each.what: side}), gold) for side in ("before", "after")]
        sides = sides_of(present, each.what)
        assert len(sides) >= 8
        before = sum(sides) / len(sides)
        turned = each.turned
        assert (turned.arcs, turned.sentences, turned.expected) == counted(gold, now, both, (before, 1 - before))
        assert turned.arcs > 0 and turned.all_sentences == 40
        assert turned.all_arcs == gold.without_punctuation().token_count
        assert turned.points == pytest.approx(100 * turned.expected / turned.all_arcs)


def test_trees_with_few_such_words_leave_it_to_languages(gold, parser):
    few = parser.parse(gold.limit(1))
    known = parser.with_sources(["far"]).for_text(gold)
    np.testing.assert_array_equal(conditioning.shares_before(known, few), np.zeros(len(NAMES)))
    np.testing.assert_array_equal(conditioning.shares_before(parser.with_sources(()), few), np.full(len(NAMES), 0.5))


def test_a_question_on_which_nothing_hangs_is_left_out(gold, parser, monkeypatch):
    monkeypatch.setattr(UniversalParser, "with_answer", lambda same, *_: same)
    assert conditioning_advice(state_of(gold, parser), Costs()) == ([], [])


def test_known_trees_correct_the_parser_that_is_asked(gold, parser):
    found, _ = conditioning_advice(state_of(gold, parser, 12), Costs())
    bare = gold.with_heads(gold.heads, [""] * len(gold.heads)).limit(12)
    corrected = parser.for_text(gold).adapted(bare)
    now = heads_of(corrected, gold)
    both = [heads_of(corrected.with_answers(ANSWERED | {OPEN[0]: side}), gold) for side in ("before", "after")]
    first = next(each for each in found if each.what == OPEN[0])
    assert (first.turned.arcs, first.turned.sentences) == counted(gold, now, both, (0, 0))[:2]


def test_languages_chosen_by_hand_are_beside_the_nearest_and_one_more(gold, parser):
    chosen = parser.with_sources(["far"])
    now = heads_of(chosen, gold)
    found, _ = conditioning_advice(state_of(gold, chosen), Costs())
    nearest, more = (each for each in found if each.kind == KIN)
    assert (nearest.what, nearest.languages) == ("near, far", ()) and (more.what, more.languages) == (
        "near",
        ("far", "near"),
    )
    for each, languages in ((nearest, None), (more, ["far", "near"])):
        expected = counted(gold, now, [heads_of(parser.with_sources(languages), gold)], (1.0,))
        assert (each.turned.arcs, each.turned.sentences, each.turned.expected) == expected
    refused, _ = conditioning_advice(state_of(gold, parser.with_sources(())), Costs())
    assert [each.languages for each in refused if each.kind == KIN] == [()]


def test_where_no_language_is_near_each_of_the_nearest_is_tried_alone(gold, parser, monkeypatch):
    assert not any(each.kind == KIN for each in conditioning_advice(state_of(gold, parser), Costs())[0])
    monkeypatch.setattr(conditioning, "is_far", lambda *_: True)
    found, notes = conditioning_advice(state_of(gold, parser), Costs())
    (kin,) = (each for each in found if each.kind == KIN)
    alone = [heads_of(parser.with_sources([name]), gold) for name in ("near", "far")]
    expected = counted(gold, heads_of(parser, gold), alone, (0.5, 0.5))
    assert (kin.turned.arcs, kin.turned.sentences, kin.turned.expected) == expected
    assert (kin.what, kin.languages, notes) == ("near, far", None, [conditioning.NONE_NEAR])


def test_of_a_long_text_some_sentences_are_parsed(gold, parser, monkeypatch):
    monkeypatch.setattr(conditioning, "MOST_SENTENCES", 5)
    found, notes = conditioning_advice(state_of(gold, parser), Costs())
    assert {each.turned.all_sentences for each in found} == {5}
    assert notes == ["Answers and languages: measured on 5 of the 40 sentences."]


def test_it_stops_and_says_nothing_without_a_prior(gold, parser):
    with pytest.raises(Cancelled):
        conditioning_advice(state_of(gold, parser), Costs(), lambda: True)
    assert conditioning_advice(replace(state_of(gold, parser), prior=None), Costs()) == ([], [])
