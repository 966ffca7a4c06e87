"""Trees written back into the file of fieldwork that their text was read from: which writer, and files on disk."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from core.errors import FormatError, WorkbenchError
from core.treebank.detection import detect_format
from core.treebank.elan import ANNOTATION
from core.treebank.elan_writing import written_into_elan
from core.treebank.flextext import PHRASE
from core.treebank.flextext_writing import written_into_flextext
from core.treebank.source import load_bytes
from core.treebank.treebank import Treebank


class BackWriter(NamedTuple):
    """``suffix`` of its files, what people call it, a ``comment`` that only sentences read from them have, and
    ``write(data, treebank, path)`` -> (bytes, notes)."""

    suffix: str
    title: str
    comment: str
    write: Callable[..., tuple[bytes, list[str]]]


BACK_WRITERS = {  # by the name of the format
    "elan": BackWriter(".eaf", "ELAN", ANNOTATION, written_into_elan),
    "flextext": BackWriter(".flextext", "FLEx", PHRASE, written_into_flextext),
}


def written_into(original: str | Path | bytes, treebank: Treebank, name: str | None = None) -> tuple[bytes, list[str]]:
    """(the bytes of a file with the trees of a text that was read from it, notes on what is not in them).

    ``original`` is a path, or bytes whose file has a ``name``. Raises FormatError where it is in none of the formats
    of ``BACK_WRITERS``, or as its writer says.
    """
    data, name, path = load_bytes(original, name)
    format = detect_format(data, name)
    if format not in BACK_WRITERS:
        titles = " or ".join(f"{writer.title} ({writer.suffix})" for writer in BACK_WRITERS.values())
        raise FormatError(f"trees are written into files of {titles}; choose the one that the text is from", path=path)
    return BACK_WRITERS[format].write(data, treebank, path)


def back_writer(treebank: Treebank) -> BackWriter | None:
    """What writes into the file that a text was read from; None where it was no such file. By the first sentence."""
    first = treebank[0] if len(treebank) else None
    of_comment = (writer for writer in BACK_WRITERS.values() if first and first.comment(writer.comment))
    return next(of_comment, None)


def write_into(original: str | Path, treebank: Treebank, out: str | Path) -> list[str]:
    """Write ``written_into`` to another file; returns the notes. Raises WorkbenchError where it cannot be written."""
    out = Path(out)
    if out.exists() and out.samefile(original):
        raise WorkbenchError(f"{out} is the file that stays as it is; name another file to write")
    written, notes = written_into(original, treebank)
    try:
        out.write_bytes(written)
    except OSError as error:
        raise WorkbenchError(f"{out} cannot be written ({error.strerror}); name another file") from error
    return notes
