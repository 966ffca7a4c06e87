"""A small network with random weights, and texts of random tags."""

import numpy as np
import pytest

from core.parsers.universal.morphology import FEATURES
from core.parsers.universal.network import Network, Shape
from core.parsers.universal.text import ROOT, TAGS, TaggedWords
from core.parsers.universal.training import initial_weights

SHAPE = Shape(tags=6, beside=3, layers=2, hidden=5, arcs=4, relations=3)


def small_network(seed=1):
    """A network of five relations, none of whose weights is 0."""
    generator = np.random.default_rng(seed)
    drawn = initial_weights(SHAPE, 5, generator)
    return Network({k: v + generator.normal(0, 0.2, v.shape).astype(np.float32) for k, v in drawn.items()}, SHAPE)


@pytest.fixture
def network():
    return small_network()


def random_words(lengths, generator):
    """Sentences of random tags and trees, words on a chain from the first."""
    offsets = np.concatenate([[0], np.cumsum(np.array(lengths) + 1)])
    tags = generator.integers(0, len(TAGS), offsets[-1])
    tags[offsets[:-1]] = ROOT
    heads = np.concatenate([np.arange(-1, length) for length in lengths])
    relations = np.where(tags == ROOT, 0, generator.integers(0, 5, offsets[-1]))
    features = generator.random((offsets[-1], len(FEATURES))) < 0.1
    features[offsets[:-1]] = False
    return TaggedWords(tags, offsets, heads, relations, np.arange(offsets[-1]), features)
