"""The warm-up: what it has loaded is left out of the search for garbage, and what goes wrong is said."""

import gc

import pytest
from numba.core import event

from core.compilation.compiling import Warming, kernels_of
from core.constraints.warming import EXPECTATION
from core.workspace import Warmup, warmup
from tests.workspace.running import PATIENCE


@pytest.fixture
def ended(monkeypatch):
    """ended(train) -> a Warmup that has come to its end, with ``train`` in place of the kernels of training.

    ``begun`` is given the Warmup before it starts.
    """

    def ended(train, begun=id):
        monkeypatch.setattr(warmup, "PAUSE", 0)
        monkeypatch.setattr(warmup, "first_needed", lambda: Warming((train,), EXPECTATION.modules))
        started = Warmup()
        begun(started)
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


def test_how_far_the_compiler_is(ended):
    seen = []

    def train():
        started = seen.pop()
        assert started.compiling is None
        kernels = kernels_of(EXPECTATION)
        with event.trigger_event("numba:compile", {"dispatcher": kernels[0]}):
            seen.append(started.compiling)
            assert seen[0][1] == len(kernels)

    stopped = ended(train, seen.append)
    assert not stopped.error
    assert 0 <= seen[0][0] <= seen[0][1]
    assert stopped.compiling is None
