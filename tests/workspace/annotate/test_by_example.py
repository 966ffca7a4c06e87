"""Rules by example from the store: which corrections are taken, what stands beside requests, a text as it was."""

import numpy as np
import pytest

from core.annotation import SentenceAnnotation
from core.constraints import parse_constraints
from core.errors import WorkbenchError
from core.rules.reading import parse_rules
from core.treebank import Treebank, load_sample
from core.workspace.annotate.by_example import (
    as_before,
    by_example,
    corrected_sentences,
    from_corrections,
    last_alike,
)
from core.workspace.annotations import Annotations


@pytest.fixture
def layer(workspace, sample):
    """The project’s annotations of the sample."""
    return Annotations(workspace, sample)


def correct(layer, index, old, new):
    """Give a relation of a sentence another name; whether there is one."""
    annotation, was = layer.get(index)
    relations = tuple(new if relation == old else relation for relation in annotation.deprels)
    layer.write(index, annotation.under(annotation.heads, relations), was, f"{index}-{new}", "relabelling")
    return old in annotation.deprels


def having(relation, count):
    treebank = load_sample()
    return [index for index, sentence in enumerate(treebank) if relation in sentence.deprels][:count]


def standing(layer):
    return layer.workspace.of_version(layer.layer).standing(layer.corpus).treebank


def test_the_last_corrections_that_have_a_change_in_common_are_taken(layer):
    (one, two), (other,) = having("nmod:poss", 2), having("iobj", 1)
    for index, (old, new) in (
        (one, ("nmod:poss", "det:poss")),
        (other, ("iobj", "obl")),
        (two, ("nmod:poss", "det:poss")),
    ):
        assert correct(layer, index, old, new)
    assert sorted(corrected_sentences(layer)) == sorted([one, two, other])
    assert last_alike(layer, [two, other, one]) == [two, one] and last_alike(layer, [other, two]) == [other]
    before = as_before(standing(layer), layer.source, [one, two])
    assert before[one].deprels == layer.source[one].deprels and before[other].deprels == layer.get(other)[0].deprels
    best = from_corrections(layer, standing(layer), [one, two]).proposals[0]
    assert "W.deprel = det:poss" in best.request and "deprel=nmod:poss" in best.request
    of_both = sum(sentence.deprels.count("nmod:poss") for sentence in (before[one], before[two]))
    assert best.hits == sum(sentence.deprels.count("nmod:poss") for sentence in layer.source) - of_both


def test_sentences_that_are_done_are_not_changed(layer):
    (one, two) = having("nmod:poss", 2)
    assert correct(layer, one, "nmod:poss", "det:poss")
    free = from_corrections(layer, standing(layer), [one]).proposals[0]
    layer.set_status(two, "done")
    told = from_corrections(layer, standing(layer), [one]).proposals[0]
    assert two in {index for index, _ in free.places} and two not in {index for index, _ in told.places}


def test_nothing_is_taken_that_had_no_tree(workspace, add):
    layer = Annotations(workspace, add("bare.txt", "the/DET cat/NOUN sleeps/VERB\n"))
    annotation, was = layer.get(0)
    layer.write(0, annotation.under((-1, 2, 3, 0), ("", "det", "nsubj", "root")), was, "c", "drawing")
    assert corrected_sentences(layer) == []
    with pytest.raises(WorkbenchError, match="choose one to three"):
        from_corrections(layer, standing(layer), [])


@pytest.fixture
def cats():
    """Three sentences whose verb has two subjects, the last by mistake not corrected, and one with one."""
    words = {"forms": ["cats", "dogs", "sleep"], "upos": ["NOUN", "NOUN", "VERB"], "heads": [3, 3, 0]}
    twice = words | {"deprels": ["nsubj", "nsubj", "root"]}
    return Treebank.from_sentences([twice, twice, twice, *[words | {"deprels": ["obj", "nsubj", "root"]}] * 6])


def attached(treebank, index):
    return SentenceAnnotation.of(treebank[index]).under((-1, 2, 3, 0), ("", "nmod", "nsubj", "root"))


def test_a_rule_and_a_constraint_stand_beside(cats):
    result = by_example(cats, {0: attached(cats, 0), 1: attached(cats, 1)})
    assert result.rules == (("VERB has at most 1 nsubj", 1),) and len(parse_rules(result.rules[0][0])) == 1
    assert not result.constraints and result.kinds == 1 and result.proposals[0].hits == 1


def test_a_constraint_stands_beside_an_attachment():
    words = {"forms": ["a", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"], "deprels": ["det", "nsubj", "root"]}
    text = Treebank.from_sentences([words | {"heads": [3, 3, 0]}] * 3)
    after = SentenceAnnotation.of(text[0]).under((-1, 2, 3, 0), ("", "det", "nsubj", "root"))
    result = by_example(text, {0: after, 1: after})
    assert result.constraints == ("DET <- NOUN per modifier = 0.34..1.00",)
    assert len(parse_constraints(result.constraints[0])) == 1


def test_what_the_text_often_has_is_no_ban(cats):
    often = cats.select(np.array([0, 1, 2, 3]))
    assert not by_example(often, {0: attached(often, 0)}).rules
