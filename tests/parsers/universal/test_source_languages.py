"""Nearest languages: the divergence against plain counting, and what they answer."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.parsers.universal.questions import QUESTIONS
from core.parsers.universal.source_languages import Relative, SourceLanguages, is_far, tag_trigrams
from core.parsers.universal.text import ROOT
from tests.parsers.universal.conftest import random_words


def text(seed, tags=4):
    words = random_words([3, 5, 4] * 6, np.random.default_rng(seed))
    return replace(words, tags=np.where(words.tags == ROOT, ROOT, words.tags % tags))


def plain_trigrams(words):
    counts = {}
    for begin, end in zip(words.offsets[:-1], words.offsets[1:], strict=True):
        tags = [ROOT, *words.tags[begin + 1 : end].tolist(), ROOT]
        for three in zip(tags, tags[1:], tags[2:], strict=False):
            counts[three] = counts.get(three, 0) + 1
    return counts


@pytest.fixture
def kin():
    answers = np.full((3, len(QUESTIONS)), np.nan)
    answers[:, 0], answers[1, 1] = [0.8, -0.2, 0.1], -1
    return SourceLanguages(
        ("a", "b", "c"), np.array([tag_trigrams(text(seed)) for seed in (1, 2, 3)], np.uint32), answers
    )


def test_likeness_is_the_divergence_of_trigrams(kin):
    words = text(9)
    own, found = plain_trigrams(words), kin.nearest(words)
    assert [each.divergence for each in found] == sorted(each.divergence for each in found)
    for each in found:
        other = plain_trigrams(text(" abc".index(each.name)))
        total = sum(other.values()) + 0.5 * (18**3 - len(other))
        expected = sum(
            n / sum(own.values()) * np.log(n / sum(own.values()) / (other.get(three, 0.5) / total))
            for three, n in own.items()
        )
        assert each.divergence == pytest.approx(expected)
    assert kin.nearest(text(2))[0].name == "b"


def test_the_nearest_answer_by_likeness(kin):
    answers = kin.answers_of([Relative("b", 1.0), Relative("a", 2.0)])
    assert answers[0] == pytest.approx((-0.2 * 1 + 0.8 * 0.25) / 1.25) and answers[1] == -1
    assert np.isnan(answers[2:]).all() and np.isnan(kin.answers_of([])).all()
    assert np.isnan(kin.answers_of(kin.nearest(text(9), ()))).all()


def test_sources_are_chosen_by_name(kin):
    assert [each.name for each in kin.nearest(text(9), ["c"])] == ["c"]
    with pytest.raises(WorkbenchError, match="there is no source 'd'; the sources are a, b, c"):
        kin.nearest(text(9), ["d"])
    with pytest.raises(FormatError, match="do not fit their names"):
        SourceLanguages(("a",), kin.trigrams, kin.answers)


def test_a_language_is_far_only_where_there_are_words_enough_to_tell():
    far, near = [Relative("x", 1.5)], [Relative("x", 0.5), Relative("y", 1.5)]
    assert is_far(far, 2_000) and not is_far(far, 200) and not is_far(near, 2_000) and not is_far([], 2_000)
