"""What is made of a text's parts: once of one in memory, anew of shards, and added up alike."""

from collections import Counter
from dataclasses import dataclass

import pytest

from core.shards.derived import Derived
from core.shards.engine import LocalEngine
from core.shards.parts import Parts


@dataclass(frozen=True)
class Words:
    """A part of some words."""

    words: tuple[str, ...]
    stays: bool
    number: int = 0


def words_of(part, made):
    for word in part.words:
        made[word] += 1
        yield word


def letters(word, times):
    yield from word * times


def is_kept(pieces):
    return [piece.held for piece in pieces]


@pytest.mark.parametrize("stays", [True, False])
def test_steps_are_taken_once_in_memory_and_at_each_sum_of_shards(stays):
    made = Counter()
    parts = Parts([Words(("ab", "c"), stays), Words(("d",), stays, 1)], LocalEngine())  # pyright: ignore[reportArgumentType]
    derived = Derived.of(parts, words_of, made).then(letters, 2)
    assert is_kept(derived.pieces) == ([tuple("ababcc"), tuple("dd")] if stays else [None, None])
    assert made.total() == (3 if stays else 0)
    for _ in range(2):
        assert derived.sum(str.upper) == "ABABCCDD"
    assert set(made.values()) == ({1} if stays else {2})
    assert derived.each(str.upper) == ["ABABCC", "DD"]
    assert derived.some([False, True]).sum(str.upper) == "DD"


def test_the_one_value_of_a_text_in_memory_is_at_hand():
    derived = Derived.of(Parts([Words(("ab",), True)], LocalEngine()), words_of, Counter())  # pyright: ignore[reportArgumentType]
    assert derived.only == "ab" and derived.then(letters, 1).sum(str.upper) == "AB"
