"""Which sentences teach each parser of joint inference, and which are parsed."""

import numpy as np
import pytest

from core.joint.training import sentence_keys
from core.treebank import load_sample
from core.workspace.corrections import TextCorrections
from core.workspace.joint.plan import EVERY, parts
from core.workspace.joint.run import parts_of
from core.workspace.standing import Standing
from tests.filled import filled


@pytest.fixture(scope="module")
def text():
    return load_sample().limit(60)


def parted(text, *banks):
    settled = Standing(text, TextCorrections("1"), text)
    return parts(settled, banks, [""] * len(banks), 1)


def keys_of(found):
    return [set(sentence_keys(train).tolist()) for train in found["trains"]]


@pytest.mark.parametrize("schemes", [2, 3, 4])
def test_each_sentence_of_one_text_teaches_one_scheme_in_turn(text, schemes):
    found = parted(text, *[text] * schemes)
    assert found["divided"] and len(found["test"]) == len(text) // EVERY
    keys, tested = keys_of(found), set(sentence_keys(found["test"]).tolist())
    assert sum(map(len, keys)) == len(set.union(*keys)) and tested.isdisjoint(set.union(*keys))
    assert set.union(*keys, tested) == set(sentence_keys(text).tolist())
    assert max(map(len, keys)) - min(map(len, keys)) <= 1


def test_sentences_that_one_treebank_alone_has_teach_it(text):
    one, other, third = text.select(np.arange(30)), text.select(np.arange(10, 30)), text.select(np.arange(40, 50))
    parsed = text.select(np.arange(50, 60))
    for banks in filled(((one, other, third), (other, third, one))):  # in whatever order
        found = parted(parsed, *banks)
        sizes = {len(bank): len(train) for bank, train in zip(banks, found["trains"], strict=True)}
        assert found["divided"] and sizes == {30: 20, 20: 10, 10: 10} and len(found["test"]) == len(parsed)
    apart = parted(parsed, one, third)
    assert not apart["divided"] and [len(train) for train in apart["trains"]] == [30, 10]


def test_parses_are_named_in_links_as_they_always_were():
    assert parts_of(2) == {"": (0, -1), "alone": (0, 0), "second": (1, -1), "second-alone": (1, 0)}
    assert parts_of(3).items() - parts_of(2).items() == {("third", (2, -1)), ("third-alone", (2, 0))}
