"""Model files: arrays and their settings in one ``.npz``, the settings as JSON text. Nothing in them can run."""

import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import FormatError, WorkbenchError

SETTINGS = "settings"
FORMAT = 1


def save_arrays(target: Any, kind: str, settings: Mapping, *, compressed: bool = True, **arrays: Any) -> None:
    """Write arrays and JSON settings to a path or binary file; ``kind`` says which parser can read them back."""
    save: Any = np.savez_compressed if compressed else np.savez
    text = json.dumps({"format": FORMAT, "kind": kind, **settings}, ensure_ascii=False)
    arrays[SETTINGS] = np.frombuffer(text.encode(), dtype=np.uint8)
    if hasattr(target, "write"):
        save(target, **arrays)
        return
    try:
        with open(target, "wb") as file:
            save(file, **arrays)
    except OSError as error:
        raise WorkbenchError(f"cannot write the model to {target}: {error.strerror}; choose another place") from error


def read_kind(path: Any) -> str:
    """The ``kind`` that a model file was saved with."""
    return _open(path)[0]["kind"]


def load_arrays(
    path: Any, kind: str, required: Sequence[str] = (), *, bare: bool = False
) -> tuple[dict, dict[str, np.ndarray]]:
    """(settings without format and kind, dict of arrays). Raises FormatError when the file is something else.

    With ``bare``, a file of arrays alone, as ``numpy.savez`` writes it, is read too: its settings are empty.
    """
    settings, arrays = _open(path, {"format": FORMAT, "kind": kind} if bare else None)
    if settings["kind"] != kind:
        raise FormatError(f"this is a model of kind {settings['kind']!r}, not {kind!r}", path=_name(path))
    missing = [name for name in required if name not in arrays]
    if missing:
        raise FormatError(f"the model lacks {', '.join(missing)}; save it again", path=_name(path))
    return {key: value for key, value in settings.items() if key not in ("format", "kind")}, arrays


def _name(path):
    return "the model" if hasattr(path, "read") else Path(path).name


def _open(path, usual=None):
    """(settings, arrays); the settings are ``usual`` where the file has none and these are given."""
    name = _name(path)
    if hasattr(path, "seek"):
        path.seek(0)  # it may have been read before, for its kind
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        if usual is not None and SETTINGS not in arrays:
            return usual, arrays
        settings = json.loads(arrays.pop(SETTINGS).tobytes().decode())
        if settings["format"] > FORMAT:
            raise FormatError("this model was saved by a newer version of the workbench; update it", path=name)
        settings = {"kind": settings["kind"], **settings}  # a file without a kind is not ours
    except FileNotFoundError as error:
        raise WorkbenchError(f"there is no model file {path}; train one with --out first") from error
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError("this is not a model saved by the workbench", path=name) from error
    return settings, arrays
