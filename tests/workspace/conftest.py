"""A Workspace over a store of its own, for a test or for all tests of a module."""

from contextlib import contextmanager

import pytest

from core.workspace import Workspace, add_corpus
from core.workspace.registry import Systems
from core.workspace.stored import stored_kinds


@contextmanager
def opened(folder):
    workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite", stored_kinds)
    yield workspace
    workspace.store.close()


def adding(workspace):
    """add(name, text, format="auto") -> the Corpus that was made of it."""

    def add(name, text, format="auto"):
        project = workspace.store.default_project()
        corpus_id, _ = add_corpus(workspace.store, project, name, text.encode(), format)
        return workspace.store.corpus(corpus_id)

    return add


@pytest.fixture
def workspace(tmp_path):
    with opened(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def module_workspace(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("store")) as found:
        yield found


@pytest.fixture
def add(workspace):
    return adding(workspace)


@pytest.fixture(scope="module")
def module_add(module_workspace):
    return adding(module_workspace)


@pytest.fixture
def ge(workspace):
    """The constraints system over it."""
    return Systems(workspace)["ge"]


@pytest.fixture
def sample(workspace):
    """The built-in sample as a Corpus of the store."""
    return workspace.store.corpora(workspace.store.default_project())[0]
