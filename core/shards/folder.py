"""A folder of shards: which there are, in what order, and what of them other shards have already.

``settings.json`` says what the folder was begun with, so that nobody writes anything else into it; ``shards.json``
comes last and lists the shards. A text that stands in several shards counts in the first alone: ``repeats.arrow`` has,
for each shard, the sentences to leave out. No file holds a time, a machine's name or a number of workers.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.errors import FormatError, WorkbenchError
from core.files.unpacking import as_format_error
from core.files.whole_files import written_whole
from core.shards.shard import Columns, Shard, sealed, unsealed
from core.treebank import Treebank
from core.treebank.punctuation import PunctuationRule
from core.trees.brackets import PackedBrackets

SETTINGS, LIST, REPEATS = "settings.json", "shards.json", "repeats.arrow"
FORMAT = 1


@dataclass(frozen=True)
class ShardPart:
    """One shard of a folder, wherever it is worked on: what ``Engine`` hands to its function.

    ``edition`` is that of its folder: in another one the same shard may have other sentences that repeat.
    """

    folder: str
    file: str
    number: int
    edition: str
    heads = threads = None  # none is known to be right; all cores of a worker
    stays = False

    def columns(self, longest: int | None = None) -> Columns:
        """Its sentences of at most ``longest`` words, but for those that a shard before it has. Raises FormatError."""
        columns = Shard(Path(self.folder, self.file)).columns()
        chosen = np.ones(len(columns.lengths), bool) if longest is None else columns.lengths <= longest
        path = Path(self.folder, REPEATS)
        with as_format_error("this list of repeated sentences is damaged; run the command that writes it again", path):
            chosen[unsealed(path)[0]["sentences"][self.number].values.to_numpy()] = False
        return columns if chosen.all() else columns.select(chosen)

    def text(self, longest: int | None = None, rule: PunctuationRule | None = None) -> Treebank:
        """The sentences of at most ``longest`` words as a Treebank of columns and heads alone, in no time.

        With a ``rule`` without what it says is punctuation, which ``longest`` does not count.
        """
        if rule is None:
            return self.columns(longest).bare_treebank()
        text = self.columns().bare_treebank(rule=rule)
        text = text.without_punctuation() if len(text) else text
        return text if longest is None else text.max_length(longest)

    def marked(self, rule: PunctuationRule | None = None) -> tuple[Treebank, PackedBrackets]:
        """(its sentences as ``text`` gives them, with punctuation; the brackets of each)."""
        columns = self.columns()
        return columns.bare_treebank(rule=rule), columns.brackets()

    def treebank(self) -> Treebank:
        """The shard's sentences as a Treebank."""
        return self.columns().treebank(self.file)


class Shards:
    """A folder that is whole.

    Attributes
    ----------
    folder : Path
    settings : dict
        What it was made with.
    rows : list of dict
        Of each shard its ``file``, ``sentences``, ``words``, ``brackets`` and ``pages``, repeats not counted.

    Raises FormatError for a folder that is none, or unfinished.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        if not (self.folder / SETTINGS).is_file():
            raise FormatError(f"this is no folder of shards: it has no {SETTINGS}", path=folder)
        if not (self.folder / LIST).is_file():
            raise FormatError("its shards are not all there yet; run the command that writes them again", path=folder)
        with as_format_error("this list of shards is damaged; run the command that writes them again", folder):
            data = (self.folder / LIST).read_bytes()
            listed = json.loads(data)
            if listed["format"] != FORMAT:
                raise FormatError(f"its shards have format {listed['format']}, not {FORMAT}; write them anew")
            self.settings, self.rows = dict(listed["settings"]), [dict(row) for row in listed["shards"]]
            for row in self.rows:
                row["file"], row["sentences"], row["words"] = str(row["file"]), int(row["sentences"]), int(row["words"])
            self._edition = hashlib.blake2b(data, digest_size=16).hexdigest()

    def __len__(self):
        return len(self.rows)

    name = property(lambda self: str(self.folder))
    sentences = property(lambda self: sum(row["sentences"] for row in self.rows))
    words = property(lambda self: sum(row["words"] for row in self.rows))

    def tag_name(self, asked: str | None = None) -> str:
        """xpos or upos: the one asked for, else the filled one, XPOS if both are. WorkbenchError where it is empty."""
        filled = self.columns
        column = next((name for name in ("xpos", "upos") if name in filled and asked in (None, name)), None)
        if column is None:
            where = f" in {asked}" if asked else ""
            raise WorkbenchError(f"{self.folder}: no word has a tag{where}; tag the shards first")
        return column

    @property
    def columns(self) -> frozenset[str]:
        """Which of ``shard.TEXTS``, and ``head``, its words have. Raises FormatError for a damaged shard."""
        if not self.rows:
            return frozenset()
        columns = self.pieces[0].columns()
        return frozenset([*columns.others, *(() if columns.heads is None else ("head",))])

    @property
    def pieces(self) -> list[ShardPart]:
        """The shards as parts, in order."""
        folder = str(self.folder)
        return [ShardPart(folder, row["file"], number, self._edition) for number, row in enumerate(self.rows)]

    def __iter__(self) -> Iterator[ShardPart]:
        return iter(self.pieces)


def is_folder(path: str | Path) -> bool:
    """Whether a path is a folder of shards, finished or not."""
    return Path(path, SETTINGS).is_file()


def begin(folder: Path, settings: Mapping[str, object]) -> None:
    """Make a folder for shards made with these settings, or go on with one.

    Raises WorkbenchError where it holds something else, or cannot be written.
    """
    wanted = _json(settings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = any(not entry.name.startswith(".") for entry in folder.iterdir())  # first: another run may begin now
        if not (folder / SETTINGS).exists():
            if others:
                raise WorkbenchError(f"{folder} holds other files; choose an empty or a new folder")
            with written_whole(folder / SETTINGS) as file:
                file.write(wanted)
        present = (folder / SETTINGS).read_bytes()
    except OSError as error:
        raise WorkbenchError(f"cannot write {folder}: {error.strerror or error}; choose another place") from error
    if present != wanted:
        try:
            before, after = json.loads(present), json.loads(wanted)
            names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
            changed = ", ".join(names)
        except (ValueError, TypeError, AttributeError):
            changed = "they cannot be read"
        raise WorkbenchError(f"{folder} was begun with other settings ({changed}); choose another folder, or delete it")


def finish(folder: Path, settings: Mapping[str, object], rows: list[dict], repeated: list[np.ndarray]) -> Shards:
    """Write down which shards the folder has."""
    try:
        sentences = pa.array([numbers.tolist() for numbers in repeated], pa.list_(pa.int32()))
        batch = sealed(pa.record_batch({"sentences": sentences}), {})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, batch.schema) as writer:
            writer.write_batch(batch)
        data, path = sink.getvalue().to_pybytes(), folder / REPEATS
        if not path.exists() or path.read_bytes() != data:
            (folder / LIST).unlink(missing_ok=True)  # a list of other shards would leave out wrong sentences
            with written_whole(path) as file:
                file.write(data)
        with written_whole(folder / LIST) as file:
            file.write(_json({"format": FORMAT, "settings": settings, "shards": rows}))
    except OSError as error:
        raise WorkbenchError(f"cannot write {folder}: {error.strerror or error}; make room and run it again") from error
    return Shards(folder)


def counts_of(columns: Columns, repeated: Sequence[int] | np.ndarray = ()) -> dict[str, int]:
    """A shard's row in the list of shards, some sentences left out."""
    chosen = np.ones(len(columns.lengths), bool)
    chosen[np.asarray(repeated, np.int64)] = False
    return {
        "sentences": int(chosen.sum()),
        "words": int(columns.lengths[chosen].sum()),
        "brackets": int(columns.bracket_counts[chosen].sum()),
        "pages": len(np.unique(columns.pages.ids[chosen])),
        "repeated": int((~chosen).sum()),
    }


def _json(value):
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False).encode() + b"\n"
