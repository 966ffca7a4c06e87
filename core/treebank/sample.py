"""The sample corpus written for this project: what every page shows before a treebank is chosen."""

from typing import TYPE_CHECKING

from core.errors import WorkbenchError
from core.files.assets import ASSETS
from core.treebank.conllu import read_conllu

if TYPE_CHECKING:
    from core.treebank.treebank import Treebank

FOLDER = ASSETS / "sample"
PARTS = ("sample", "questions", "function-heads")


def load_sample(part: str = "sample") -> "Treebank":
    """A part of the sample corpus.

    ``part`` is "sample", "questions", or "function-heads", the sample's sentences with function words as heads.
    Raises WorkbenchError for another name, or if the installation lacks the file.
    """
    if part not in PARTS:
        raise WorkbenchError(f"the sample has no part {part!r}; use {', '.join(PARTS)}")
    path = FOLDER / f"{part}.conllu"
    if not path.is_file():
        raise WorkbenchError(f"{path} is missing; install the workbench again")
    return read_conllu(path, name=f"sample: {part}")
