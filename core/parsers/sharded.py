"""Shards with tags or trees: every shard annotated by itself, with a model that each worker loads once."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import FormatError, WorkbenchError
from core.parsers import ENGLISH, UNIVERSAL, load_parser
from core.parsers.constrained_completion import complete
from core.parsers.english import English
from core.parsers.protocols import Parser, RelationScorer
from core.parsers.tagger.tagger import Tagger
from core.rules.parsing import RuledParse, parse_under_rules
from core.rules.reading import parse_rules
from core.rules.reporting import searched_rows
from core.shards.cache import cached
from core.shards.engine import Engine, LocalEngine
from core.shards.folder import ShardPart, Shards, begin, counts_of, finish
from core.shards.shard import TEXTS, Columns, Interned, Shard, joined, write_shard
from core.treebank import Treebank
from core.version import code_version

TAG, PARSE = "tag", "parse"
AT_ONCE = 100_000  # words that are tagged or parsed at a time
UNPACKED = 4  # times the size of a model's file
OURS = (ENGLISH, UNIVERSAL)
OUR_SIZE = 50 << 20  # bytes


@dataclass(frozen=True)
class Annotation:
    """The annotation of a text: ``tag`` or ``parse``, with the model at a path, or english, universal.

    ``rules`` is the text of a file of rules that trees keep.
    """

    action: str
    model: str
    column: str | None = None
    limit: int | None = None
    rules: str | None = None

    @property
    def by_content(self) -> "Annotation":
        """This annotation with a digest of the model in place of its path. WorkbenchError where it cannot be read."""
        if self.model in OURS:
            return self
        try:
            content = Path(self.model).read_bytes()
        except OSError as error:
            raise WorkbenchError(f"cannot read {self.model}: {error.strerror}; every worker must see it") from error
        return replace(self, model=hashlib.blake2b(content, digest_size=16).hexdigest())

    def apply(self, treebank: Treebank) -> Treebank:
        """The treebank with tags or trees."""
        model = self._model()
        if isinstance(model, Tagger):
            return model.tag(treebank, column=self.column, limit=self.limit)
        if self.action == TAG and isinstance(model, English):
            return model.tag(treebank)
        return complete(model, treebank).treebank

    def ruled(self, treebank: Treebank) -> RuledParse:
        """The treebank with trees that keep the rules. Raises WorkbenchError as ``parse_under_rules``."""
        model = self._model()
        if not isinstance(model, RelationScorer):
            raise WorkbenchError(f"{self.model} does not score the relations of each arc, as rules need")
        return parse_under_rules(model, treebank, parse_rules(self.rules or ""))

    def _model(self):
        def size(model):  # about the bytes that it takes in memory
            return OUR_SIZE if self.model in OURS else UNPACKED * Path(self.model).stat().st_size

        return cached(Annotation, replace(self.by_content, rules=None), self.load, size)

    def load(self) -> Parser | Tagger:
        """The parser or tagger. WorkbenchError for a file that is none."""
        if self.action == PARSE:
            return load_parser(self.model)
        return English.load() if self.model == ENGLISH else Tagger.load(self.model)


def annotate_shards(
    shards: Shards, folder: str | Path, annotation: Annotation, *, engine: Engine | None = None,
    progress: Progress | None = None, cancel: Cancel | None = None,
) -> Shards:  # fmt: skip
    """Tag or parse the sentences of shards, into another folder.

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
    folder, engine = Path(folder), engine or LocalEngine()
    annotation.load()  # complains here, not on every worker
    wanted = annotation.by_content
    made_with = {"shards": [row["file"] for row in shards.rows], **asdict(wanted), "code": code_version()}
    begin(folder, made_with)
    done = dict(engine.each(_annotated, shards.pieces, str(folder), annotation, wanted,
                            progress=progress, cancel=cancel))  # fmt: skip
    rows = [done[number] for number in range(len(shards))]
    return finish(folder, made_with, rows, [np.empty(0, np.int32)] * len(rows))


def _annotated(piece: ShardPart, folder: str, annotation: Annotation, wanted: Annotation) -> dict:
    """A shard's row in the list of the other folder."""
    if annotation.by_content != wanted:
        raise WorkbenchError(f"{annotation.model} changed, or is another file on a worker; run the same once more")
    key = json.dumps([piece.file, asdict(wanted), code_version()], sort_keys=True)
    name = hashlib.blake2b(key.encode(), digest_size=16).hexdigest() + ".arrow"
    path = Path(folder, name)
    if path.is_file():
        try:
            shard = Shard(path)
            return {"file": name, **counts_of(shard.columns()), **_said(annotation, shard.facts.get("rules"))}
        except FormatError:
            path.unlink(missing_ok=True)  # cut short or damaged since: it is written anew
    columns = piece.columns()
    tagged, rows = annotated(columns, annotation, piece.file)
    write_shard(path, tagged, {"of": piece.file, **_said(annotation, rows)})
    return {"file": name, **counts_of(tagged), **_said(annotation, rows)}


def _said(annotation, rows):
    return {} if annotation.rules is None else {"rules": rows}


def annotated(columns: Columns, annotation: Annotation, name: str) -> tuple[Columns, list[dict]]:
    """(a shard's columns with tags, lemmas, features and trees, ``searched_rows`` of rules); ``AT_ONCE`` words each."""
    rows: list[dict] = []
    if not len(columns.lengths):
        return columns, rows
    group = (np.cumsum(columns.lengths, dtype=np.int64) - columns.lengths) // AT_ONCE
    parts, heads = {column: [] for column in TEXTS}, []
    for number in np.unique(group):
        treebank = columns.select(group == number).treebank(name)
        if annotation.rules is None:
            treebank = annotation.apply(treebank)
        else:
            parsed = annotation.ruled(treebank)
            rows += searched_rows(parsed, int(np.flatnonzero(group == number)[0]))
            treebank = parsed.treebank
        heads.append(treebank.heads[treebank.is_word])
        for column, texts in parts.items():
            values = getattr(treebank, column)
            texts.append(Interned(list(values.values), values.ids[treebank.is_word]))
    others, heads = {column: joined(texts) for column, texts in parts.items()}, np.concatenate(heads)
    known = {column: texts for column, texts in others.items() if any(texts.values)}
    return replace(columns, others=known, heads=heads if (heads >= 0).any() else None), rows
