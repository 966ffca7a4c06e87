"""How alike the order of tags is: by lists of trigrams, and where it is known to differ or to be too little."""

from math import log

import numpy as np
import pytest

from core.advice.similarity import BEGIN, END, ENOUGH, TagModel, cross_entropy_difference
from core.treebank import Treebank

ORDERS = ["DNV", "DNVDN", "NV", "DNVRD"]


def text(*sentences):
    return Treebank.from_sentences([{"forms": list(tags), "upos": list(tags)} for tags in sentences])


def marked(sentences):
    return [[BEGIN, BEGIN, *tags, END] for tags in sentences]


def test_a_model_gives_what_follows_any_two_tags_a_probability_of_one():
    model = TagModel(marked(ORDERS), 5)
    for context in (("D", "N"), (BEGIN, BEGIN), ("V", "V"), ("X", "N"), (), ("N",)):
        assert sum(model.probability(tag, context) for tag in "DNVR" + END) == pytest.approx(1.0)


def test_probabilities_are_those_worked_out_by_hand():
    model = TagModel(marked(["ab", "a"]), 3)  # after nothing: a 2, b 1, end 2
    alone = (1 + 3 / 3) / (5 + 3)
    after_a = (1 + 2 * alone) / (2 + 2)  # after a: b 1, end 1
    assert model.probability("b", ()) == pytest.approx(alone)
    assert model.probability("b", ("a",)) == pytest.approx(after_a)
    assert model.probability("b", ("b", "a")) == pytest.approx(after_a)  # that context was not seen
    after_begin = (1 + 2 * after_a) / (2 + 2)
    assert model.probability("b", (BEGIN, "a")) == pytest.approx(after_begin)
    assert model.surprise(marked(["a"])) == pytest.approx(
        -log(model.probability("a", (BEGIN, BEGIN))) - log(model.probability(END, (BEGIN, "a")))
    )


def test_it_is_nothing_to_a_text_of_the_same_order_and_much_to_one_turned_round():
    orders = np.random.default_rng(0).choice(ORDERS, 1_000)
    own, like = text(*orders[:500]), text(*orders[500:])
    turned = text(*(tags[::-1] for tags in orders[:500]))
    assert cross_entropy_difference(own, own) < 0.0
    assert abs(cross_entropy_difference(own, like)) < 0.02
    assert cross_entropy_difference(own, turned) > 1.0


def test_a_treebank_ten_times_as_long_is_as_near():
    sentences = ORDERS * 300
    own, other = text(*sentences), text(*(tags[::-1] for tags in sentences))
    longer = text(*(tags[::-1] for tags in sentences * 10))
    assert cross_entropy_difference(own, other) == pytest.approx(cross_entropy_difference(own, longer))


def test_without_universal_tags_or_enough_words_it_is_not_known():
    own, bare = text(*ORDERS * 100), Treebank.from_sentences([{"forms": ["a"] * ENOUGH, "xpos": ["X"] * ENOUGH}])
    short = text(*["AB"] * (ENOUGH // 2 - 1))
    assert all(
        cross_entropy_difference(*pair) is None for pair in ((own, bare), (bare, own), (own, short), (short, own))
    )
    assert cross_entropy_difference(own, text(*["AB"] * (ENOUGH // 2))) is not None
