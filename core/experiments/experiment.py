"""What an experiment is given and what it gives back."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from core.errors import WorkbenchError


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, and the function that runs it again.

    ``function`` is ``module:name`` of a callable that takes an Environment and returns Results; imported when needed.
    ``takes_pages`` says whether it can be given other pages than those of the data.
    ``has_picture`` says whether these have one.
    """

    name: str
    title: str
    reference: str
    function: str
    takes_pages: bool = False
    has_picture: bool = False

    def load(self) -> Callable:
        """The function itself."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)


@dataclass(frozen=True)
class Environment:
    """The folder of the data, how much to run, and where progress is reported.

    Attributes
    ----------
    data : Path
        A folder of treebanks laid out as the experiments expect; each says which file it misses.
    quick : bool
        Fewer sizes and splits: to see that it runs, and roughly what comes out.
    say : callable
        Called with one line of text at each step.
    pages : Path, optional
        Pages in place of those in ``data``: a page, a folder, a zip file or an archive of them, or a folder of shards.
    """

    data: Path
    quick: bool = False
    say: Callable[[str], None] = lambda text: None
    pages: Path | None = None

    def file(self, name: str) -> Path:
        """The path of a file under ``data``; WorkbenchError if there is none."""
        path = self.data / name
        if not path.is_file():
            raise WorkbenchError(
                f"this experiment reads {name}, which is not in {self.data}; give its folder as --data"
            )
        return path


@dataclass(frozen=True)
class Results:
    """Rows, tables and notes of an experiment.

    Attributes
    ----------
    rows : list of dict
        One line of the table each: ``name``, ``ours``, ``paper`` (None where the paper gives no number), and more.
    notes : list of str
        How the data and the method differ from the paper's, one sentence each.
    tables : dict of str to list of dict
        Further tables, by title.
    picture : str or None
        SVG text, where there is something to see.
    """

    rows: list
    notes: list
    tables: dict = field(default_factory=dict)
    picture: str | None = None
