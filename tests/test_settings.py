"""Whether values that were stored are what the fields of a dataclass hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NotRequired, TypedDict

import pytest

from core.settings import fits, misfits


@dataclass
class Settings:
    count: int = 0
    share: float = 0.0
    name: str | None = None
    sizes: tuple[int, ...] = ()
    pair: tuple[int, str] = (0, "")
    way: Literal["up", "down"] = "up"
    more: dict[str, int] = field(default_factory=dict)


def test_misfits_are_named():
    good = {"count": 1, "share": 1, "name": None, "sizes": [1, 2], "pair": [1, "a"], "way": "down", "more": {"a": 1}}
    assert misfits(Settings, good) == misfits(Settings, {}) == misfits(Settings, {"unknown": 1}) == []
    bad = {"count": True, "share": "1", "name": 1, "sizes": [1.5], "pair": [1], "way": ["up"], "more": {"a": "b"}}
    assert misfits(Settings, bad) == list(bad)


class Typed(TypedDict):
    name: str
    size: NotRequired[int]


@pytest.mark.parametrize(
    ("value", "wanted", "does"),
    [
        (1 << 63, int, False),
        (-(1 << 63), int, True),
        (False, bool, True),
        (False, float, False),
        ({"name": "a"}, Typed, True),
        ({"name": "a", "size": "b"}, Typed, False),
        ({"size": 1}, Typed, False),
        ([{"name": 1}], list[Typed], False),
        ({}, Mapping, True),
        ({}, Settings, True),
        ([], Settings, False),
        ([1, "a"], list, True),
        ("a", list, False),
        (["a"], object, True),
    ],
)
def test_values_and_types(value, wanted, does):
    assert fits(value, wanted) == does
