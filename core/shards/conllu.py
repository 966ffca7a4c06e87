"""A folder of shards as one CoNLL-U file."""

from pathlib import Path

from core.callbacks import Cancel, Progress
from core.errors import Cancelled, WorkbenchError
from core.files.whole_files import written_whole
from core.shards.folder import Shards
from core.treebank import conllu_text


def write_shards(
    shards: Shards, path: str | Path, *, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Write the sentences of a folder, whole or not at all; one shard at a time is in memory.

    ``progress`` is called with the number of shards written and of all. O(words).
    Raises FormatError for a damaged shard, WorkbenchError where the file cannot be written, Cancelled.
    """
    try:
        with written_whole(path) as file:
            for done, piece in enumerate(shards, start=1):
                if cancel and cancel():
                    raise Cancelled
                file.write(conllu_text(piece.treebank()).encode())
                if progress:
                    progress(done, len(shards))
    except OSError as error:
        raise WorkbenchError(
            f"cannot write {path}: {error.strerror or error}; make room or choose another place"
        ) from error
