"""A small text with trees, lines, and settings that take a moment."""

import numpy as np
import pytest

from core.advice import Situation
from core.constraints import GrammarSettings, parse_constraints
from core.parsers.self_training import together
from core.treebank import load_sample

SETTINGS = GrammarSettings(tags="upos", words="no", lengths=(12,), iterations=(2,), epochs=2)
LINES = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.8..1\n"


@pytest.fixture(scope="session")
def gold():
    """Forty short sentences of the sample."""
    bank = load_sample()
    return together(bank.select(np.flatnonzero((bank.lengths >= 3) & (bank.lengths <= 9))[:40]))


@pytest.fixture(scope="session")
def situation(gold):
    """situation(trees, lines=LINES) -> the Situation in which the first trees are known."""

    def situation(trees, lines=LINES, **others):
        heads = np.where(np.arange(len(gold.heads)) < gold.offsets[trees], gold.heads, -1)
        return Situation.of(gold, parse_constraints(lines) if lines else [], heads, SETTINGS, **others)

    return situation
