"""The warm-up: what it has loaded is left out of the search for garbage, and what goes wrong is said."""

import gc

import pytest

import core.warm
from core.workspace import Warmup, warmup

PATIENCE = 60  # seconds


@pytest.fixture
def ended(monkeypatch):
    """ended(train) -> a Warmup that has come to its end, with ``train`` in place of the kernels of training."""

    def ended(train):
        monkeypatch.setattr(warmup, "PAUSE", 0)
        monkeypatch.setattr(core.warm, "warm_training", train)
        monkeypatch.setattr(core.warm, "warm_authoring", lambda: None)
        started = Warmup()
        started.start()
        assert started.wait(PATIENCE)
        return started

    yield ended
    gc.unfreeze()


def test_what_is_loaded_is_left_out_of_the_search_for_garbage(ended):
    gc.unfreeze()
    assert not gc.get_freeze_count()
    assert ended(lambda: None).done
    assert gc.get_freeze_count() > 10_000


def test_what_goes_wrong_is_said(ended):
    def broken():
        raise ImportError("no compiler")

    stopped = ended(broken)
    assert stopped.done
    assert "ImportError" in stopped.error
