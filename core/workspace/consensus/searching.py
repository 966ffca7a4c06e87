"""What runs of consistent parsing and of consistent tagging share: their progress, and how they go on."""

import io
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from core.decomposition import DualState
from core.errors import FormatError
from core.jobs import Job
from core.workspace.system import array_file

FIGURES = ("dual", "primal", "best_dual", "best_primal", "disagreements", "step", "round")
ModelT = TypeVar("ModelT")


def reporter(job: Job, begin: float, first_pass: float = 0.0) -> Callable[..., None]:
    """A callback for a consistent search: how far it is, and each iteration's figures.

    Training took ``begin`` of the progress bar, and the first pass takes ``first_pass``; the search has the rest.
    """
    first = None

    def progress(stage, state):
        nonlocal first
        if stage == "first pass":
            job.report(job.iteration, begin + first_pass * state, message="Parsing every sentence separately")
            return
        first = first or max(state.disagreements, 1)
        done = 1 - min(state.disagreements / first, 1)
        figures = {name: getattr(state, name) for name in FIGURES} | {"sentences": len(state.second_blocks)}
        words = f"Iteration {state.iteration}: {state.disagreements:,} words disagree, gap {state.gap:.3g}"
        share = begin + first_pass + (1 - begin - first_pass) * done
        job.report(state.iteration, share, figures, words)

    return progress


def resumed(
    data: bytes | None, load: Callable[[io.BytesIO], ModelT]
) -> tuple[ModelT | None, tuple[DualState, dict[str, np.ndarray]] | None]:
    """(model, (state of the search, other arrays)) of a checkpoint, None for what it does not hold.

    ``load`` reads a model, which is all there is before the search, and ``parser`` among the arrays in it.
    """
    if data is None:
        return None, None
    try:
        state, arrays = DualState.load(io.BytesIO(data))
    except FormatError:  # cancelled or killed before the search
        return load(io.BytesIO(data)), None
    return load(array_file(arrays["parser"])) if "parser" in arrays else None, (state, arrays)
