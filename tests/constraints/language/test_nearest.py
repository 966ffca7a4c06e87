"""The nearest spelling is difflib's."""

import random
from difflib import get_close_matches

import pytest

from core.constraints.language.nearest import Spellings


@pytest.mark.parametrize("least", [0, 0.5, 0.6, 0.9])
def test_it_is_that_of_difflib(least):
    chance = random.Random(1)
    for _ in range(200):
        values = list(
            {"".join(chance.choices("abcdé漢", k=chance.randrange(1, 7))) for _ in range(chance.randrange(9))}
        )
        spellings, word = Spellings(values), "".join(chance.choices("abcdef漢", k=chance.randrange(1, 8)))
        assert [spellings.nearest(word, least)] == (get_close_matches(word, values, 1, least) or [None])


def test_values_that_share_too_few_letters_are_not_compared(monkeypatch):
    compared = []
    monkeypatch.setattr(
        "core.constraints.language.nearest.SequenceMatcher.ratio", lambda self: compared.append(self.a) or 0.65
    )
    assert Spellings(["abc", "xyz", "abd"]).nearest("abc", 0.6) == "abd"
    assert sorted(compared) == ["abc", "abd"]
