"""Fields of settings that pages offer, and whether values that were stored are what the fields hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NotRequired, TypedDict

import pytest

from core.settings import choice, choices, chosen, descriptions, fits, misfits, option, unchecked


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


@dataclass(frozen=True)
class Chosen:
    r"""How.

    Attributes
    ----------
    width : int
        In words: $r \le 0$. More
        on it.

        This is for Python only.
    depth : int
        Of trees.
    height : int
    """

    width: int = option(4, "in words", label="Widest", within=(1, 4))
    depth: int = option(2, "of trees")
    height: int = choice(1, "Height", step=2)

    def __post_init__(self):
        if self.width > 4:
            raise ValueError("too wide")


def test_a_page_offers_the_fields_with_a_label_and_says_what_the_docstring_says():
    assert list(choices(Chosen)) == ["width", "height"] and chosen(Chosen(depth=3)) == {"width": 4, "height": 1}
    assert descriptions(Chosen) == {"width": r"In words: $r \le 0$. More on it.", "depth": "Of trees."}
    assert "help" not in choices(Chosen)["height"].metadata  # no option of a command


def test_what_does_not_go_together_is_held_until_it_is_used():
    held = unchecked(Chosen(), width=9)
    assert held.width == 9 and held != Chosen() and Chosen().width == 4
    with pytest.raises(ValueError, match="too wide"):
        replace(held, depth=1)
    assert replace(unchecked(held, width=3), depth=1) == Chosen(width=3, depth=1)
