"""About how many bytes a value takes: arrays exactly, each once, and what is long by some of it."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pytest

from core.treebank import load_sample
from core.workspace import sizes
from core.workspace.sizes import size_of


@dataclass
class Parse:
    heads: np.ndarray
    labels: list = field(default_factory=list)


class Slotted:
    __slots__ = ("scores",)

    def __init__(self, scores):
        self.scores = scores


ARRAY = np.zeros(100_000)


@pytest.mark.parametrize(
    "value",
    [
        ARRAY, ARRAY[5:], np.atleast_2d(ARRAY).T, [ARRAY, ARRAY], (ARRAY[:5], ARRAY[5:]), {"a": ARRAY}, Parse(ARRAY),
        Slotted(ARRAY), partial(len, ARRAY), Parse(ARRAY).__eq__, np.frombuffer(ARRAY.tobytes()),
        np.array([ARRAY, None], object), [[[ARRAY]]],
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_an_array_counts_once_wherever_it_is(value):
    assert ARRAY.nbytes <= size_of(value) < ARRAY.nbytes + 3000


def test_of_a_function_counts_what_it_has_from_around_it_and_not_its_module():
    own = np.zeros(1000)
    assert own.nbytes <= size_of(lambda: (own, ARRAY)) < own.nbytes + 3000


def test_what_was_seen_or_is_outside_counts_nothing():
    seen = set()
    assert size_of(Parse(ARRAY), (), seen) >= ARRAY.nbytes
    assert size_of([ARRAY, "a"], (), seen) < 300
    assert size_of([Slotted(ARRAY)], (Slotted,)) < 300


@pytest.mark.parametrize("make", [list, tuple, set, dict.fromkeys, lambda words: {"all": {"of": [*words]}}])
def test_what_is_long_is_estimated_from_some_of_it(make):
    words = [f"word number {number:06}" for number in range(50_000)]
    value = make(words)
    assert 50_000 * 60 < size_of(value) < 50_000 * 250


def test_work_is_bounded(monkeypatch):
    nested = [[[[object() for _ in range(60)] for _ in range(60)] for _ in range(10)] for _ in range(3)]
    monkeypatch.setattr(sizes, "OBJECTS", 100)
    seen = set()
    size_of(nested, (), seen)
    assert len(seen) == 100


def test_a_treebank_is_its_arrays_and_words():
    treebank = load_sample()
    arrays = treebank.heads.nbytes + treebank.offsets.nbytes
    assert arrays < size_of(treebank) < 100 * arrays
    assert size_of(treebank) == size_of(treebank)
