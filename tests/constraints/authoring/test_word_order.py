"""Word order in a few answers: which arcs their lines speak of, how they are written, what edges of sentences show."""

import pytest

from core.constraints import match_counts
from core.constraints.authoring.word_order import (
    NAMES,
    QUESTIONS,
    doubtful_answers,
    order_constraints,
    parse_order,
    suggest_order,
)
from core.errors import WorkbenchError
from core.treebank import Treebank
from tests.constraints.banks import tagged

# a head and a modifier in each order, and a verb where the line asks for one: (head's tag, modifier's tag)
PAIRS = {
    "adposition": ("NOUN", "ADP"),
    "adjective": ("NOUN", "ADJ"),
    "object": ("VERB", "NOUN"),
    "genitive": ("NOUN", "NOUN"),
    "auxiliary": ("VERB", "AUX"),
    "relative": ("NOUN", "VERB"),
    "heads-last": ("VERB", "VERB"),
    "determiner": ("NOUN", "DET"),
    "subject": ("VERB", "NOUN"),
    "numeral": ("NOUN", "NUM"),
    "adverb": ("VERB", "ADV"),
    "subordinator": ("VERB", "SCONJ"),
}


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name in PAIRS for answer in NAMES[name].answers])
def test_an_answer_says_how_often_a_modifier_stands_on_either_side(name, answer):
    head, modifier = PAIRS[name]
    lines = order_constraints({name: answer})
    text = Treebank.from_sentences(
        [
            {"forms": ["a", "b"], "upos": [modifier, head], "heads": [2, 0]},
            {"forms": ["a", "b"], "upos": [head, modifier], "heads": [0, 1]},
        ]
    )
    wanted = {"before": 0, "yes": 0, "after": 1, "no": 1}[answer]
    edges = [[each.edges for each in match_counts(lines, text.select([k]))] for k in (wanted, 1 - wanted)]
    often = [line.low > 0 for line in lines]
    assert next(count for count, is_often in zip(edges[0], often, strict=True) if is_often) == 1
    for here, there, is_often in zip(*edges, often, strict=True):
        assert is_often or (here, there) == (0, 1)  # what is said to be rare is the other order


def test_answers_add_their_lines_in_the_order_of_the_questions():
    assert order_constraints({}) == []
    both = order_constraints({"object": "after", "adposition": "before"})
    assert both == [*order_constraints({"adposition": "before"}), *order_constraints({"object": "after"})]
    assert [question.name for question in QUESTIONS] == [*PAIRS, "oblique"]
    assert order_constraints({"oblique": "before"}) == []  # tags do not tell it from an object


def test_answers_are_written_in_one_argument():
    assert parse_order("adposition=before, heads-last = no,") == {"adposition": "before", "heads-last": "no"}
    assert parse_order("") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("adposition", "such as adposition=before; got 'adposition'"),
        ("verb=last", "no question of word order 'verb'; the questions are adposition, adjective"),
        (
            "object=first",
            "object is before, after, both, or the share from 0 to 1 that stand before, not 'first'",
        ),
        ("object=after,object=after", "object is answered twice"),
    ],
)
def test_what_is_no_answer_is_said(text, message):
    with pytest.raises(WorkbenchError, match=message):
        parse_order(text)


def suggested(*sentences, count):
    rows = [{"forms": ["w"] * len(tags), "upos": tags} for tags in sentences]
    return {each.name: each for each in suggest_order(Treebank.from_sentences(rows * count))}


def answers(*sentences, count):
    return {name: each.answer for name, each in suggested(*sentences, count=count).items()}


def test_edges_of_sentences_suggest_answers_with_their_counts():
    english = ["ADP", "DET", "NOUN", "NOUN", "VERB", "NOUN"], ["DET", "NOUN", "AUX", "VERB", "ADV"]
    found = suggested(*english, count=10)
    assert {name: each.answer for name, each in found.items()} == {
        "adposition": "before", "determiner": "before", "auxiliary": None, "object": "after", "heads-last": "no",
    }  # fmt: skip
    assert (found["adposition"].first, found["adposition"].last, found["adposition"].sentences) == (10, 0, 20)


def test_where_sentences_end_in_verbs_what_never_begins_one_stands_after():
    japanese = answers(["NOUN", "ADP", "NOUN", "ADP", "VERB"], ["PRON", "ADP", "VERB", "AUX"], count=20)
    assert japanese == {
        "adposition": "after", "determiner": None, "auxiliary": "after", "object": "before", "heads-last": "yes",
    }  # fmt: skip
    verb_first = answers(["VERB", "ADP", "NOUN", "DET", "NOUN"], count=60)
    assert (verb_first["adposition"], verb_first["determiner"]) == ("before", "before")


def test_answers_that_the_text_or_others_contradict_are_told():
    sentences = [["ADP", "DET", "NOUN", "NOUN", "VERB", "NOUN"], ["DET", "NOUN", "AUX", "VERB", "ADV"]] * 10
    text = Treebank.from_sentences([{"forms": ["w"] * len(tags), "upos": tags} for tags in sentences])
    assert doubtful_answers(text, {}) == {} == doubtful_answers(text, {"adposition": "before", "genitive": "after"})
    told = doubtful_answers(text, {"adposition": "after", "determiner": "0.2", "object": "both"})
    assert set(told) == {"adposition", "determiner"}
    assert told["adposition"] == (
        "adposition=after, but of 20 sentences 10 begin with such a word and 0 end with one, as where the answer is "
        "before"
    )
    bare = Treebank.from_sentences([{"forms": ["a"], "upos": ["X"]}])
    each_other = doubtful_answers(bare, {"heads-last": "yes", "object": "after", "adposition": "before"})
    assert each_other == {"heads-last": "heads-last=yes contradicts object=after and adposition=before"}
    assert not doubtful_answers(bare, {"heads-last": "yes", "object": "before", "adposition": "after"})


def test_thin_evidence_tells_nothing():
    assert set(answers(["ADP", "DET", "NOUN", "AUX", "VERB"], count=9).values()) == {None}
    assert set(answers(["ADP", "NOUN"], count=50).values()) == {None}  # too short to have two edges
    mixed = answers(["ADP", "NOUN", "VERB", "X"], ["NOUN", "VERB", "NOUN", "ADP"], count=20)
    assert mixed["adposition"] is None


def test_tags_of_another_tag_set_and_none():
    penn = tagged(*[["IN", "NN", "VBD", "NN"]] * 12)
    assert {each.name: each.answer for each in suggest_order(penn)}["adposition"] == "before"
    with pytest.raises(WorkbenchError, match="no word has a tag"):
        suggest_order(Treebank.from_sentences([{"forms": ["a", "b", "c"]}]))
