"""A Workspace over a store of its own."""

import pytest

from core.workspace import Workspace, add_corpus
from core.workspace.registry import Systems


@pytest.fixture
def workspace(tmp_path):
    found = Workspace.open(f"sqlite:///{tmp_path}/workbench.sqlite")
    yield found
    found.store.close()


@pytest.fixture
def ge(workspace):
    """The constraints system over it."""
    return Systems(workspace)["ge"]


@pytest.fixture
def sample(workspace):
    """The built-in sample as a Corpus of the store."""
    return workspace.store.corpora(workspace.store.default_project())[0]


@pytest.fixture
def add(workspace):
    """add(name, text, format="auto") -> the Corpus that was made of it."""

    def add(name, text, format="auto"):
        project = workspace.store.default_project()
        corpus_id, _ = add_corpus(workspace.store, project, name, text.encode(), format)
        return workspace.store.corpus(corpus_id)

    return add
