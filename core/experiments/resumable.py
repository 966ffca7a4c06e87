"""Many runs as one job that can be stopped and taken up again: each result is written down as soon as it is there."""

import json
from collections.abc import Callable, Sequence
from dataclasses import Field, asdict, replace
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.files.whole_files import written_whole
from core.store.locations import workbench_home


class NamedSettings(Protocol):
    """A dataclass of plain values that has a name."""

    __dataclass_fields__: ClassVar[dict[str, Field]]

    @property
    def name(self) -> str: ...


R = TypeVar("R", bound=NamedSettings)


def results_file(name: str, *contents: object) -> Path:
    """The file of an experiment's results under ``workbench_home()``: another file for other contents.

    ``contents`` are what the results depend on beside the settings of a run, such as the hashes of texts; each is told
    from others by its ``str``.
    """
    mark = blake2b(" ".join(map(str, contents)).encode(), digest_size=6).hexdigest()
    folder = workbench_home() / "experiments"
    folder.mkdir(exist_ok=True)
    return folder / f"{name}-{mark}.json"


def run_job(
    runs: Sequence[R], result: Callable[[R], dict], path: str | Path | None = None, *,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> list[dict]:  # fmt: skip
    """Results of runs, those known from a file included.

    Parameters
    ----------
    runs : sequence of dataclass instances of one class
        Settings that are plain values; ``name`` says them in a line.
    result : callable
        Of a run: a dict of plain values, its settings among them, and ``judged``: its accuracy in percent.
    path : path, optional
        A JSON file with a list of results. Runs found in it are not made again; the others are added one by one.
    progress : callable, optional
        Called with one line of text after each run.
    cancel : callable, optional
        Asked before each run; once it returns True the results so far are returned.

    Returns
    -------
    list of dict
        In the order of ``runs``; shorter if cancelled.

    Raises
    ------
    WorkbenchError : the file holds something else.
    """
    known = _read(path)
    by_settings = {tuple(map(record.get, asdict(run))): record for run in runs[:1] for record in known}
    results = []
    for number, run in enumerate(runs, start=1):
        key = tuple(asdict(run).values())
        if key not in by_settings:
            if cancel is not None and cancel():
                break
            by_settings[key] = result(run)
            known.append(by_settings[key])
            if path is not None:
                with written_whole(path) as file:
                    file.write(json.dumps(known, indent=1).encode())
            if progress is not None:
                progress(f"run {number} of {len(runs)}, {run.name}: {by_settings[key]['judged']:.1f}")
        results.append(by_settings[key])
    return results


def run_draws(
    runs: Sequence[R], draws: Sequence[int], result: Callable[[R], dict], path: Path, progress: Progress
) -> dict[R, list[dict]]:
    """Results of each run by its draws, which its field ``draw`` numbers; those known from a file included."""
    every = [replace(run, draw=draw) for run in runs for draw in draws]
    results = iter(run_job(every, result, path, progress=progress))
    return {run: [next(results) for _ in draws] for run in runs}


def _read(path):
    if path is None or not Path(path).is_file():
        return []
    try:
        known = json.loads(Path(path).read_text(encoding="utf-8"))
        if isinstance(known, list) and all(isinstance(record, dict) and "judged" in record for record in known):
            return known
    except ValueError:
        pass
    raise WorkbenchError(f"{path} holds no results of runs; name another file, or remove it")
