"""Model files: arrays and their settings in one ``.npz``, the settings as JSON text. Nothing in them can run."""

import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np
from numpy.typing import DTypeLike

from core.errors import FormatError, WorkbenchError
from core.files.unpacking import as_format_error, read_arrays, require_arrays

ModelFile = str | Path | BinaryIO
SETTINGS = "settings"
FORMAT = 1
MOST_NUMBERS = 1 << 28  # largest size of an array that is stored without its zeros


def save_arrays(
    target: ModelFile, kind: str, settings: Mapping, *, compressed: bool = True, **arrays: np.ndarray
) -> None:
    """Write arrays and JSON settings to a path or binary file; ``kind`` says which parser can read them back."""
    save: Callable = np.savez_compressed if compressed else np.savez
    text = json.dumps({"format": FORMAT, "kind": kind, **settings}, ensure_ascii=False)
    arrays[SETTINGS] = np.frombuffer(text.encode(), dtype=np.uint8)
    if not isinstance(target, str | Path):
        save(target, **arrays)
        return
    try:
        with open(target, "wb") as file:
            save(file, **arrays)
    except OSError as error:
        raise WorkbenchError(f"cannot write the model to {target}: {error.strerror}; choose another place") from error


def read_kind(path: ModelFile) -> str:
    """The ``kind`` that a model file was saved with."""
    return _open(path)[0]["kind"]


def load_arrays(
    path: ModelFile, kind: str, required: Sequence[str] | Mapping[str, str] = ()
) -> tuple[dict, dict[str, np.ndarray]]:
    """(settings without format and kind, dict of arrays). Raises FormatError when the file is something else.

    ``required`` names arrays, or maps each name to its sort as in ``require_arrays``.
    """
    settings, arrays = _open(path)
    if settings["kind"] != kind:
        raise FormatError(f"this is a model of kind {settings['kind'][:40]!r}, not {kind!r}", path=_name(path))
    with as_format_error("the model is damaged", _name(path)):
        sorts = required if isinstance(required, Mapping) else {}
        require_arrays(arrays, {name: sorts.get(name, "") for name in required})
    return {key: value for key, value in settings.items() if key not in ("format", "kind")}, arrays


class Savable(Protocol):
    """An object with ``save``: a model, or the state of a search."""

    @property
    def save(self) -> Callable[..., None]:
        """Write it to a path or binary file."""
        ...


def file_bytes(model: Savable, **extra: object) -> bytes:
    """The bytes that ``model.save(file, **extra)`` writes."""
    file = io.BytesIO()
    model.save(file, **extra)
    return file.getvalue()


def file_array(model: Savable) -> np.ndarray:
    """The bytes of a saved model as an array of uint8, to stand in another file."""
    return np.frombuffer(file_bytes(model), np.uint8)


def array_file(array: np.ndarray) -> io.BytesIO:
    """The file that ``file_array`` made an array of."""
    return io.BytesIO(array.tobytes())


def prefixed(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """The arrays whose names begin with a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def as_model(path: ModelFile) -> AbstractContextManager[None]:
    """Within it, settings and arrays that make no model, for whatever reason, are a FormatError that names the file."""
    return as_format_error("the settings and numbers of this model do not fit each other; save it again", _name(path))


def text_tuple(values: object) -> tuple[str, ...]:
    """A list of texts among a model's settings, as a tuple; TypeError where it is something else."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("a list of texts was expected")
    return tuple(values)


def narrowed(numbers: np.ndarray) -> np.ndarray:
    """Numbers as float32 where that tells them all exactly, in half the bytes; else as they are."""
    narrow = numbers.astype(np.float32)
    return narrow if (narrow == numbers).all() else numbers


def finite(value: object) -> float:
    """A finite number among a model's settings or arrays; TypeError where it is something else."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("a number was expected")
    return float(value)


def delta_decode(gaps: np.ndarray, values: np.ndarray, size: int, name: str, dtype: DTypeLike) -> np.ndarray:
    """(size,): zeros with ``values`` at places that lie ``gaps`` apart. FormatError where they have no room there."""
    if size > MOST_NUMBERS:
        raise FormatError(f"its {name} would be {size:,} numbers, more than {MOST_NUMBERS:,}; save it again")
    inside = ((gaps >= 0) & (gaps < max(size, 1))).all() and gaps.sum(dtype=np.float64) < max(size, 1)
    if len(gaps) != len(values) or not inside:
        raise FormatError(f"the {name} of this model do not fit its settings; save it again")
    array = np.zeros(size, dtype)
    array[np.cumsum(gaps, dtype=np.int64)] = values
    return array


def _name(path):
    return Path(path).name if isinstance(path, str | Path) else "the model"


def _open(path: ModelFile) -> tuple[dict, dict[str, np.ndarray]]:
    """(settings, arrays)."""
    name = _name(path)
    if not isinstance(path, str | Path):
        path.seek(0)  # it may have been read before, for its kind
    elif not Path(path).exists():
        raise WorkbenchError(f"there is no model file {path}; train one and save it first")
    with as_format_error("this is not a model saved by the workbench", name):
        arrays = read_arrays(path)
        settings = json.loads(arrays.pop(SETTINGS).tobytes().decode())
        if settings["format"] > FORMAT:
            raise FormatError("this model was saved by a newer version of the workbench; update it")
        if not isinstance(settings["kind"], str):  # a file without a kind is not ours
            raise TypeError("kind")
        return settings, arrays
