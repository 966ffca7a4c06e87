"""A shard: the sentences of one part of a corpus, as one Arrow file whose columns are read where they lie.

A row is a sentence. Its columns are ``page``, ``source``, ``block`` (the mark of the block of text that it comes from,
0 for a short one) and ``language``, which older shards lack. Lists over words are ``form`` and ``start`` (characters of
the page's text). Lists over brackets, which count words from 1, are ``first``, ``last`` and ``mark``. Once they are
known, there are ``lemma``, ``upos``, ``xpos``, ``feats``, ``deprel`` and ``head``. Text is interned. The file's facts
about itself are JSON under ``workbench`` in the schema's metadata, with a checksum of it all. The same sentences give
the same bytes.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, repeat
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.errors import FormatError, WorkbenchError
from core.files.unpacking import as_format_error
from core.files.whole_files import written_whole
from core.languages.names import LANGUAGE
from core.markup.comments import format_brackets
from core.markup.extract import word_lines
from core.markup.reader import spaces_after
from core.offsets import offsets_of, with_roots
from core.treebank import Treebank
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.punctuation import PunctuationRule
from core.treebank.source import Column, ScannedText
from core.trees.brackets import Bracket, PackedBrackets

FORMAT = 1
KEY = b"workbench"
TEXTS = ("lemma", "upos", "xpos", "feats", "deprel")
BAD = "this is no shard, or a damaged one; delete it and run the same command again"


@dataclass
class Interned:
    """Texts, each once, and the number of the text at each place."""

    values: list[str] = field(default_factory=list)
    ids: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    def __getitem__(self, places: np.ndarray) -> "Interned":
        return Interned(self.values, self.ids[places])

    def texts(self, empty: str = "") -> Iterator[str]:
        """The text at each place, or what stands for one that is empty."""
        return (self.values[value] or empty for value in self.ids.tolist())

    def array(self) -> pa.DictionaryArray:
        """As Arrow has it."""
        return pa.DictionaryArray.from_arrays(pa.array(self.ids, pa.int32()), pa.array(self.values, pa.string()))


def joined(parts: Sequence[Interned]) -> Interned:
    """Texts back to back."""
    numbers: dict[str, int] = {}
    of_part = [[numbers.setdefault(value, len(numbers)) for value in part.values] for part in parts]
    ids = [np.array(of, np.int32)[part.ids] for of, part in zip(of_part, parts, strict=True)]
    return Interned(list(numbers), np.concatenate(ids))


@dataclass
class Columns:
    """The sentences of a shard, S of them with N words and K brackets.

    Attributes
    ----------
    pages, sources, forms, marks : Interned
        Of the sentences, sentences, words and brackets.
    blocks : ndarray of shape (S,), dtype uint64
    lengths, bracket_counts : ndarrays of shape (S,), dtype int32
    starts : ndarray of shape (N,), dtype int32
    firsts, lasts : ndarrays of shape (K,), dtype int32
    others : dict of str to Interned (N,)
        Of ``TEXTS``, those that are known.
    heads : ndarray of shape (N,), dtype int32, or None
    languages : Interned or None
        Of the sentences, "" where a page's is unknown; None where nobody asked.
    """

    pages: Interned
    sources: Interned
    blocks: np.ndarray
    lengths: np.ndarray
    forms: Interned
    starts: np.ndarray
    bracket_counts: np.ndarray
    firsts: np.ndarray
    lasts: np.ndarray
    marks: Interned
    others: dict[str, Interned] = field(default_factory=dict)
    heads: np.ndarray | None = None
    languages: Interned | None = None

    def select(self, chosen: np.ndarray) -> "Columns":
        """Some sentences; bool (S,)."""
        words, brackets = np.repeat(chosen, self.lengths), np.repeat(chosen, self.bracket_counts)
        rows: dict[str, np.ndarray] = dict.fromkeys(("pages", "sources", "blocks", "lengths", "bracket_counts"), chosen)
        rows |= dict.fromkeys(("forms", "starts"), words) | dict.fromkeys(("firsts", "lasts", "marks"), brackets)
        others = {name: column[words] for name, column in self.others.items()}
        if self.languages is not None:
            rows["languages"] = chosen
        heads = None if self.heads is None else self.heads[words]
        return replace(self, **{name: getattr(self, name)[of] for name, of in rows.items()}, others=others, heads=heads)

    @cached_property
    def offsets(self) -> np.ndarray:
        """int64 (S + 1,): rows of a treebank of these sentences."""
        return offsets_of(self.lengths.astype(np.int64) + 1)

    def brackets(self) -> PackedBrackets:
        """The brackets of each sentence that are shorter than it."""
        return PackedBrackets(self.firsts, self.lasts + 1, offsets_of(self.bracket_counts))

    def bare_treebank(self, name: str = "", rule: PunctuationRule | None = None) -> Treebank:
        """The sentences as a Treebank of columns and heads alone, in no time: it has no text to be written out.

        ``rule`` says what is punctuation in all shards together.
        """
        rows, named = int(self.offsets[-1]), {"form": self.forms, **self.others}
        columns = {key: self._column(one) for key, one in named.items()}
        empty = Column(np.zeros(rows, np.int32), ("",))
        heads = np.full(rows, -1, np.int32) if self.heads is None else with_roots(self.heads, self.offsets, -1)
        source = ScannedText(
            b"", SEVERAL_ROOTS_CONLLU, "utf-8", None, np.empty(0, np.int64), self.offsets, np.empty(0, np.int64), heads,
            np.zeros(rows, np.int32), {key: columns.get(key, empty) for key in ("form", *TEXTS)},
        )  # fmt: skip
        return Treebank(source, name=name, punctuation_rule=rule)

    def _column(self, interned):
        """An interned column over rows of a treebank."""
        values = [value for value in interned.values if value]
        numbers = {value: number for number, value in enumerate(values, start=1)}
        of_value = np.array([numbers.get(value, 0) for value in interned.values], np.int32)
        return Column(with_roots(of_value[interned.ids], self.offsets), ("", *values))

    def treebank(self, name: str = "") -> Treebank:
        """The sentences as a Treebank, as ``markup.extract_sentences`` writes them. O(N)."""
        text = "".join(_conllu(self))
        return Treebank(ScannedText.scanned(text.encode(), SEVERAL_ROOTS_CONLLU), name=name)


def write_shard(path: Path, columns: Columns, facts: Mapping[str, object]) -> None:
    """Write a shard whole or not at all. WorkbenchError where the disk is full, or nothing may be written."""
    batch = sealed(_batch(columns), {"format": FORMAT, **facts})
    try:
        with written_whole(path) as file, pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)
    except OSError as error:
        raise WorkbenchError(
            f"cannot write {path}: {error.strerror or error}; make room or choose another place, and run it again"
        ) from error


class Shard:
    """A shard's file, opened and found whole. Its words are read as they are asked for.

    Attributes
    ----------
    path : Path
    facts : dict
        What it says of itself.

    Raises FormatError for a file that is no shard, cut short, damaged or of another version.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        with as_format_error(BAD, path):
            self._batch, self.facts = unsealed(self.path)
            if self.facts["format"] != FORMAT:
                raise FormatError(f"this shard has format {self.facts['format']}, not {FORMAT}; write it anew")

    def __len__(self):
        return self._batch.num_rows

    def columns(self) -> Columns:
        """All of its sentences, in place: arrays that must not be written to."""
        with as_format_error(BAD, self.path):
            return Columns(
                self._interned("page"),
                self._interned("source"),
                self._batch["block"].to_numpy(),
                self._lengths("form"),
                self._interned("form"),
                self._batch["start"].flatten().to_numpy(),
                self._lengths("first"),
                self._batch["first"].flatten().to_numpy(),
                self._batch["last"].flatten().to_numpy(),
                self._interned("mark"),
                {name: self._interned(name) for name in TEXTS if name in self._batch.schema.names},
                self._batch["head"].flatten().to_numpy() if "head" in self._batch.schema.names else None,
                self._interned("language") if "language" in self._batch.schema.names else None,
            )

    def _interned(self, name):
        column = self._batch[name]
        column = column if isinstance(column, pa.DictionaryArray) else column.flatten()
        return Interned(column.dictionary.to_pylist(), column.indices.to_numpy())

    def _lengths(self, name):
        return np.diff(self._batch[name].offsets.to_numpy())


def sealed(batch: pa.RecordBatch, facts: Mapping[str, object]) -> pa.RecordBatch:
    """A batch that says ``facts`` of itself, with the checksum of all of it."""
    metadata = json.dumps({**facts, "checksum": _checksum(batch, facts)}, sort_keys=True, ensure_ascii=False)
    return batch.replace_schema_metadata({KEY: metadata.encode()})


def unsealed(path: Path) -> tuple[pa.RecordBatch, dict]:
    """The batch of an Arrow file, read where it lies, and its facts. FormatError where it is not what was sealed."""
    if not path.is_file():
        raise FormatError("there is no such file; run the command that wrote the folder again")
    try:
        with pa.memory_map(str(path)) as file:
            reader = pa.ipc.open_file(file)
            facts, batch = json.loads(reader.schema.metadata[KEY]), reader.get_batch(0)
        batch.validate(full=True)
        stated = facts.pop("checksum")
        if reader.num_record_batches != 1 or stated != _checksum(batch, facts):
            raise FormatError(BAD)
    except pa.ArrowException as error:
        raise FormatError(BAD) from error
    return batch, facts


def _checksum(batch, facts):
    head = [facts, batch.schema.names, list(map(str, batch.schema.types))]
    checksum = zlib.crc32(json.dumps(head, sort_keys=True).encode())
    for array in batch.columns:
        for values in _arrays(array):
            checksum = zlib.crc32(values, checksum)
    return checksum


def _arrays(array):
    """The arrays of a column."""
    if array.null_count:
        raise FormatError(BAD)
    if isinstance(array, pa.ListArray):
        yield array.offsets.to_numpy()
        yield from _arrays(array.values)
    elif isinstance(array, pa.DictionaryArray):
        yield array.indices.to_numpy()
        yield from _arrays(array.dictionary)
    elif isinstance(array, pa.StringArray):
        lengths = pc.binary_length(array).to_numpy()  # pyright: ignore[reportAttributeAccessIssue]
        yield lengths
        yield (array.buffers()[2] or b"")[: int(lengths.sum())]
    else:
        yield array.to_numpy()


def _batch(columns):
    of_words = offsets_of(columns.lengths)
    of_brackets = offsets_of(columns.bracket_counts)

    def lists(values, offsets=of_words):
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)

    arrays = {
        "page": columns.pages.array(),
        "source": columns.sources.array(),
        "block": pa.array(columns.blocks, pa.uint64()),
        "form": lists(columns.forms.array()),
        "start": lists(pa.array(columns.starts, pa.int32())),
        "first": lists(pa.array(columns.firsts, pa.int32()), of_brackets),
        "last": lists(pa.array(columns.lasts, pa.int32()), of_brackets),
        "mark": lists(columns.marks.array(), of_brackets),
    }
    arrays |= {name: lists(columns.others[name].array()) for name in TEXTS if name in columns.others}
    if columns.languages is not None:
        arrays["language"] = columns.languages.array()
    if columns.heads is not None:
        arrays["head"] = lists(pa.array(columns.heads, pa.int32()))
    return pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))


def _conllu(columns):
    """CoNLL-U of each sentence."""
    blank = repeat("_")
    heads = blank if columns.heads is None else (str(head) if head >= 0 else "_" for head in columns.heads.tolist())
    texts = [columns.others[name].texts("_") if name in columns.others else blank for name in TEXTS]
    fields = map("\t".join, zip(*texts[:4], heads, texts[4], strict=False))  # LEMMA to DEPREL of each word
    marks, languages = (
        iter(bracket_list(columns)),
        repeat("") if columns.languages is None else columns.languages.texts(),
    )
    page, number, word = None, 0, 0
    for sentence, length in enumerate(columns.lengths.tolist()):
        forms = [columns.forms.values[value] for value in columns.forms.ids[word : word + length].tolist()]
        starts = columns.starts[word : word + length].tolist()
        name, word, number = columns.pages.values[columns.pages.ids[sentence]], word + length, number + 1
        lines = []
        if name != page:
            page, number = name, 1
            lines.append(f"# newdoc id = {name}")
        brackets = next(marks)
        text = "".join(form + " " * space for form, space in zip(forms, spaces_after(forms, starts), strict=True))
        lines += [f"# sent_id = {name}-{number:03d}", f"# text = {text[:-1]}"]
        lines.append(f"# source = {columns.sources.values[columns.sources.ids[sentence]]}")
        if language := next(languages):
            lines.append(f"# {LANGUAGE} = {language}")
        marked = format_brackets(brackets)
        if marked is not None:
            lines.append(marked)
        yield "\n".join([*lines, *word_lines(forms, starts, brackets, islice(fields, length)), "\n"])


def bracket_list(columns: Columns) -> list[list[Bracket]]:
    """The brackets of each sentence, with their tags."""
    ends = np.cumsum(columns.bracket_counts)
    triples = zip(columns.firsts.tolist(), columns.lasts.tolist(), columns.marks.ids.tolist(), strict=True)
    every = [Bracket(first, last + 1, columns.marks.values[mark] or None) for first, last, mark in triples]
    return [every[end - count : end] for end, count in zip(ends.tolist(), columns.bracket_counts.tolist(), strict=True)]
