"""What grammars are trained on here: sentences of the sample, and lines that hold in them."""

import pytest

from core.constraints import parse_constraints
from core.treebank import load_sample
from tests.constraints.banks import LINES


@pytest.fixture(scope="session")
def sample():
    return load_sample("function-heads").max_length(9).limit(40)


@pytest.fixture(scope="session")
def lines():
    return parse_constraints(LINES)
