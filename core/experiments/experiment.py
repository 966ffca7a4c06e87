"""What an experiment is given and what it gives back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from core.errors import WorkbenchError
from core.experiments.at_hand import TextAtHand
from core.experiments.corpora import DataSet


@dataclass(frozen=True)
class DataUse:
    """A corpus that an experiment reads.

    Attributes
    ----------
    role : str
        What it is to the experiment.
    corpus : DataSet
    of : tuple of str
        Those of its files that are read; all of them where it is empty.
    quick : bool
        Whether a quick run reads it too.
    """

    role: str
    corpus: DataSet
    of: tuple[str, ...] = ()
    quick: bool = True

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are read."""
        return self.of or self.corpus.files


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, and the function that runs it again.

    ``function`` is ``module:name`` of a callable that takes an Environment and returns Results; imported when needed.
    ``materials`` are the corpora that it reads; with ``at_hand`` it can do with a TextAtHand in place of them.
    ``takes_pages`` says whether it can be given other pages than those of the data.
    ``has_picture`` says whether these have one.
    """

    name: str
    title: str
    reference: str
    function: str
    materials: tuple[DataUse, ...] = ()
    at_hand: bool = False
    takes_pages: bool = False
    has_picture: bool = False

    def load(self) -> Callable:
        """The function itself."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(module), name)

    def missing(
        self, data: Path | None, quick: bool = False, own_pages: bool = False
    ) -> list[tuple[DataUse, list[str]]]:
        """The materials that a run reads and a folder lacks, each with its missing files; all for no folder.

        With ``own_pages`` no pages are read from the folder.
        """
        found = []
        for material in self.materials if not quick else filter(lambda each: each.quick, self.materials):
            files = [file for file in material.files if not (own_pages and file.endswith("/"))]
            files = [file for file in files if data is None or not (data / file).exists()]
            found += [(material, files)] if files else []
        return found


@dataclass(frozen=True)
class Environment:
    """The folder of the data or a text in place of it, how much to run, and where progress is reported.

    Attributes
    ----------
    data : Path or None
        A folder of treebanks laid out as the experiments expect; each says which files it misses.
    quick : bool
        Fewer sizes and splits: to see that it runs, and roughly what comes out.
    say : callable
        Called with one line of text at each step.
    pages : Path, optional
        Pages in place of those in ``data``: a page, a folder, a zip file or an archive of them, or a folder of shards.
    text : TextAtHand, optional
        What experiments are run on where there is no folder.
    """

    data: Path | None
    quick: bool = False
    say: Callable[[str], None] = lambda text: None
    pages: Path | None = None
    text: TextAtHand | None = None

    def file(self, name: str) -> Path:
        """The path of a file under ``data``; WorkbenchError if there is none."""
        if self.data is None:
            raise WorkbenchError(f"this experiment reads {name}, which does not come along; give its folder as --data")
        path = self.data / name
        if not path.is_file():
            raise WorkbenchError(
                f"this experiment reads {name}, which is not in {self.data}; give its folder as --data"
            )
        return path

    def notes(self, of_data: Sequence[str], *others: str) -> list[str]:
        """``others`` behind ``of_data``, notes on the corpora in the folder, or behind what is said of the text."""
        return [*(of_data if self.text is None else self.text.notes), *others]


@dataclass(frozen=True)
class Results:
    """Rows, tables and notes of an experiment.

    Attributes
    ----------
    rows : list of dict
        One line of the table each: ``name``, ``ours``, ``paper`` (None where the paper gives no number), and more.
        ``why`` says of a row without ``ours`` why it has none.
    notes : list of str
        How the data and the method differ from the paper's, one sentence each.
    tables : dict of str to list of dict
        Further tables, by title.
    picture : callable or None
        The name of a theme -> SVG text, where there is something to see.
    """

    rows: list
    notes: list
    tables: dict = field(default_factory=dict)
    picture: Callable[[str], str] | None = None


def unanswered(name: str, why: str, **paper: object) -> dict:
    """A row of what cannot be measured on a text at hand: the paper's figures, and why ours are missing."""
    return {"name": name, "ours": None, "paper": None, **paper, "why": why}
