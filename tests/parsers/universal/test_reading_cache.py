"""Sentences that were read are known again, by their tags and features, and none is read twice."""

import numpy as np
import pytest

from core.parsers.universal.questions import QUESTIONS
from core.parsers.universal.reading_cache import ReadingCache
from core.parsers.universal.statistics import surface_statistics
from tests.parsers.universal.conftest import random_words, small_network

NO_ANSWER = np.full(len(QUESTIONS), np.nan)


@pytest.fixture
def reader():
    """(words -> what two networks make of them, how many sentences were asked for each time)."""
    networks, asked = [small_network(1), small_network(2)], []

    def read(words):
        asked.append(len(words))
        statistics = surface_statistics(random_words([3, 5], np.random.default_rng(0)))
        return [network.read(words, NO_ANSWER, statistics) for network in networks]

    return read, asked


def test_what_is_kept_is_what_was_read(reader):
    read, asked = reader
    words, cache = random_words([4, 1, 6, 4, 9], np.random.default_rng(1)), ReadingCache()
    part = words.select(np.array([4, 0, 4]))
    cache.read(words.select(np.array([0, 2])), read)
    for text in (part, words, part):
        for found, expected in zip(cache.read(text, read), read(text), strict=True):
            np.testing.assert_allclose(found.arcs.values, expected.arcs.values, atol=1e-5)
            np.testing.assert_array_equal(found.arcs.offsets, expected.arcs.offsets)
            np.testing.assert_allclose(found.heads, expected.heads, atol=1e-5)
            np.testing.assert_allclose(found.modifiers, expected.modifiers, atol=1e-5)
    assert asked == [2, 1, 3, 2, 5, 3]  # by the cache 2, 1 and 2; by this test 3, 5 and 3


def test_features_tell_sentences_apart(reader):
    read, asked = reader
    words, cache = random_words([4], np.random.default_rng(1)), ReadingCache()
    cache.read(words, read)
    words.features[2, 0] ^= True
    cache.read(words, read)
    assert asked == [1, 1]
    assert len(cache.read(words.select(np.arange(0)), read)[0].arcs) == 0
