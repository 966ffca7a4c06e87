"""Unicode's normal forms, of any number of marks on one letter."""

import random
import unicodedata

import pytest

from core.languages.normal_form import composed, normalized
from tests.steps import MANY

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
SIGNS = "ae\u00e9\u0301\u0323\u0308\u0344\u0345\u1e69\ufb01\ufdfa\u0f71\u0f72\u05b8\u0483\u200d\u1100\u1161"


@pytest.mark.parametrize("form", FORMS)
def test_they_are_those_of_unicodedata(form):
    chance = random.Random(1)
    for _ in range(300):
        marks = "".join(chance.choices(SIGNS[3:], k=chance.randrange(60)))
        text = "".join(chance.choices(SIGNS, k=4)) + marks + "e" + "\u0301\u0323" * chance.randrange(40)
        assert normalized(form, text) == unicodedata.normalize(form, text)


def test_any_number_of_marks_is_put_in_order():
    text = "e" + "\u0301" * MANY + "\u0323" * MANY
    assert composed(text) == "\u1eb9" + "\u0323" * (MANY - 1) + "\u0301" * MANY
