"""Shards with tags or trees: every shard annotated by itself, with a model that each worker loads once."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import FormatError
from core.parsers import load_parser
from core.parsers.english import NAME, English
from core.parsers.tagger.tagger import Tagger
from core.shards.engine import Engine, Here
from core.shards.folder import Piece, Shards, begin, counts_of, finish
from core.shards.shard import TEXTS, Columns, Interned, Shard, write_shard
from core.treebank import Treebank
from core.version import code_version

TAG, PARSE = "tag", "parse"


@dataclass(frozen=True)
class Annotation:
    """What is done to a text: ``tag`` or ``parse``, with the model at a path (the same on all workers), or english."""

    action: str
    model: str
    column: str | None = None
    limit: int | None = None

    def apply(self, treebank: Treebank) -> Treebank:
        """The treebank with tags or trees."""
        if self.action == PARSE:
            return _parser(self.model).parse(treebank)
        tagger = _tagger(self.model)
        if isinstance(tagger, English):
            return tagger.tag(treebank)
        return tagger.tag(treebank, column=self.column, limit=self.limit)


def annotate_shards(
    shards: Shards, folder: str | Path, annotation: Annotation, *, engine: Engine | None = None,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Shards:  # fmt: skip
    """The same sentences with tags or trees, in another folder.

    Parameters
    ----------
    shards : Shards
    folder : path
        New, empty, or begun with the same: shards that are there are kept.
    annotation : Annotation
    engine : Engine, optional
        Where to work; here by default.
    progress : callable, optional
        Told how many shards are done, and of how many.
    cancel : callable, optional

    Returns
    -------
    Shards
        Sentences that an earlier shard has are left out for good.

    Raises
    ------
    WorkbenchError : a model that cannot be read, a folder of something else, a full disk. Cancelled.
    """
    folder, engine = Path(folder), engine or Here()
    (_parser if annotation.action == PARSE else _tagger)(annotation.model)  # complains here, not on every worker
    said = {"shards": [row["file"] for row in shards.rows], **asdict(annotation), "code": code_version()}
    said["model"] = _digest(annotation.model)
    begin(folder, said)
    done = dict(engine.each(_annotated, shards.pieces, str(folder), annotation, said["model"],
                            progress=progress, cancel=cancel))  # fmt: skip
    rows = [done[number] for number in range(len(shards))]
    return finish(folder, said, rows, [np.empty(0, np.int32)] * len(rows))


def _annotated(piece: Piece, folder: str, annotation: Annotation, model: str) -> dict:
    """A shard's row in the list of the other folder."""
    said = json.dumps([piece.file, asdict(annotation), model, code_version()], sort_keys=True)
    name = hashlib.blake2b(said.encode(), digest_size=16).hexdigest() + ".arrow"
    path = Path(folder, name)
    if path.is_file():
        try:
            return {"file": name, **counts_of(Shard(path).columns())}
        except FormatError:
            path.unlink(missing_ok=True)  # cut short or damaged since: it is written anew
    columns = piece.columns()
    found = annotated(columns, annotation.apply(columns.treebank(piece.file))) if len(columns.lengths) else columns
    write_shard(path, found, {"of": piece.file})
    return {"file": name, **counts_of(found)}


def annotated(columns: Columns, treebank: Treebank) -> Columns:
    """A shard's columns with the tags, lemmas, features and trees of a treebank of the same sentences."""
    is_word = np.ones(len(treebank.heads), bool)
    is_word[treebank.offsets[:-1]] = False
    others = {name: getattr(treebank, name) for name in TEXTS}
    known = {name: Interned(list(one.values), one.ids[is_word]) for name, one in others.items() if one.filled}
    heads = treebank.heads[is_word]
    return replace(columns, others=known, heads=heads if (heads >= 0).any() else None)


@cache
def _parser(model: str) -> Any:
    return load_parser(model)


@cache
def _tagger(model: str) -> English | Tagger:
    return English.load() if model == NAME else Tagger.load(model)


def _digest(model):
    """Of a model's file."""
    return model if model == NAME else hashlib.blake2b(Path(model).read_bytes(), digest_size=16).hexdigest()
