"""What a page must not do."""

import socket

import pytest

from tests.conftest import SHARED


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("a page asked for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def shared_cases():
    """The folder of small inputs beside the checkout; tests that need it skip where it is absent."""
    folder = SHARED.parent / "cases"
    if not folder.is_dir():
        pytest.skip(f"needs the inputs in {folder.parent.name}/{folder.name} beside the checkout")
    return folder
