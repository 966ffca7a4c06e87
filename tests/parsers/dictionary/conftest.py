"""A tagger with random weights, and a small text."""

import numpy as np
import pytest

from core.parsers.dictionary.network import SHAPES, TagNetwork
from core.parsers.dictionary.tagger import DictionaryTagger
from core.treebank.plain import read_text

TEXT = "The old cat sees a bird .\nA bird sings in the old tree .\nThe cat , alas , sleeps 12 hours .\n"


def random_network(seed=0):
    generator = np.random.default_rng(seed)
    weights = {name: generator.normal(0, 0.2, shape).astype(np.float32) for name, shape in SHAPES.items()}
    return TagNetwork(weights | {"spread": np.abs(weights["spread"]) + 0.5})


@pytest.fixture
def tagger():
    return DictionaryTagger([[random_network(0), random_network(1)], [random_network(2)]], 1.3)


@pytest.fixture
def text():
    return read_text(TEXT.encode(), language="en").to_conllu()
