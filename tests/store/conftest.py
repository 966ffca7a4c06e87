"""A store of its own for each test."""

import pytest

from core.store import Store


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'work.sqlite'}"


@pytest.fixture
def store(url):
    store = Store.open(url, busy_seconds=10)
    yield store
    store.close()


@pytest.fixture
def project(store):
    return store.default_project()
