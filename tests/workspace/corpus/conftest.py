"""A store, and a project in it for texts of a test."""

import pytest


@pytest.fixture
def store(workspace):
    return workspace.store


@pytest.fixture
def project(store):
    return store.create_project("Texts")
