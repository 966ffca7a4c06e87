"""What is trained on here: sentences of the sample and lines that hold in them; sentences in shards."""

import pytest

from core.constraints import parse_constraints
from core.treebank import load_sample
from tests.constraints.banks import LINES
from tests.shards.corpora import in_memory, tagged_shards


@pytest.fixture(scope="session")
def sample():
    return load_sample("function-heads").max_length(9).limit(40)


@pytest.fixture(scope="session")
def lines():
    return parse_constraints(LINES)


@pytest.fixture(scope="session")
def shards(tmp_path_factory):
    """Some tagged shards."""
    return tagged_shards(tmp_path_factory.mktemp("shards"))


@pytest.fixture(scope="session")
def whole(shards):
    """The same sentences in memory."""
    return in_memory(shards)
