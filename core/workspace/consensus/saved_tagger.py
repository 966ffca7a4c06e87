"""Taggers that were saved to files, as the tagger of consistent tagging."""

import hashlib
import io
from pathlib import PurePath

from core.consistency.labels import require_known_tags
from core.errors import FormatError, StoreError, WorkbenchError
from core.parsers import Tagger
from core.store import Corpus, Run
from core.workspace.saved_models import SAVED_TAGGER, store_model
from core.workspace.workspace import Workspace

LARGEST = 100 << 20  # bytes of a file, as of every file that a page takes
GONE = "the tagger that was chosen is gone; choose another one under Texts"


def saved_taggers(workspace: Workspace, corpus: Corpus) -> list[Run]:
    """The runs that hold the taggers of a Corpus's project, newest first."""
    return [run for run in workspace.store.runs(corpus.project, SAVED_TAGGER) if run.status == "done"]


def add_tagger(workspace: Workspace, corpus: Corpus, name: str, data: bytes) -> int:
    """Store the file of a tagger in the project of a Corpus; returns the id of the run that holds it.

    Raises WorkbenchError, and stores nothing, for a file that is too large or no whole tagger, or one of other tags
    than the text has.
    """
    name = PurePath(name).name
    if len(data) > LARGEST:
        raise WorkbenchError(
            f"{name} has {len(data):,} bytes, and the file of a tagger may have {LARGEST:,} here; save it with --half, "
            "or train it on a smaller text"
        )
    try:
        tagger = Tagger.load(io.BytesIO(data))
    except FormatError as error:
        raise WorkbenchError(f"{name} is no tagger, or not whole; choose a file that tagger train has saved") from error
    try:
        require_known_tags(tagger.tags, workspace.treebank(corpus), tagger.column)
    except WorkbenchError as error:
        raise WorkbenchError(f"{name}: {error}") from error
    return store_model(workspace.store, corpus, SAVED_TAGGER, name, data)


def saved_tagger(workspace: Workspace, corpus: Corpus, number: int) -> tuple[Tagger, str]:
    """(the Tagger that a run holds, what names its file whatever the run is called), cached.

    Raises WorkbenchError where the run is gone.
    """
    try:
        run = workspace.store.run(number)
    except StoreError as error:
        raise WorkbenchError(GONE) from error
    if run.project != corpus.project or run.kind != SAVED_TAGGER or run.status != "done":
        raise WorkbenchError(GONE)

    def make():
        data = workspace.store.result_bytes(run.id) or b""
        return Tagger.load(io.BytesIO(data)), hashlib.sha256(data).hexdigest()

    return workspace.cache.get("models", (SAVED_TAGGER, run.id), make)
