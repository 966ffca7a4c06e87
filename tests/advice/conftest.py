"""A small text with trees, lines, and settings that take a moment."""

import numpy as np
import pytest

from core.advice import TrainingState
from core.constraints import GrammarSettings, parse_constraints
from core.parsers.self_training import concatenate
from tests.advising import SET, longer_sentences, short_sentences

SETTINGS = GrammarSettings(tags="upos", words="no", lengths=(12,), iterations=(2,), epochs=2)


@pytest.fixture(scope="session")
def gold():
    """Forty short sentences of the sample."""
    return concatenate(short_sentences())


@pytest.fixture(scope="session")
def others():
    """Others."""
    return concatenate(longer_sentences())


@pytest.fixture(scope="session")
def state(gold):
    """state(trees, lines=SET) -> the TrainingState in which the first trees are known."""

    def state(trees, lines=SET, **others):
        heads = np.where(np.arange(len(gold.heads)) < gold.offsets[trees], gold.heads, -1)
        return TrainingState.of(gold, parse_constraints(lines) if lines else [], heads, SETTINGS, **others)

    return state
