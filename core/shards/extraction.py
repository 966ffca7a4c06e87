"""Pages to a folder of shards: each part of the input becomes a shard, then repeated sentences are found."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import FormatError, WorkbenchError
from core.languages.guessing import known_languages
from core.markup.reader import Extracting
from core.markup.report import ExtractionReport
from core.shards.cache import cached
from core.shards.engine import Engine, LocalEngine
from core.shards.folder import Shards, begin, counts_of, finish
from core.shards.inputs import SIZE, PageBatch, batches_of, cut, find_inputs
from core.shards.page_process import PageLimits, PageProcess
from core.shards.shard import Shard, write_shard
from core.version import code_version

MARKS = 8_000_000  # hashes of blocks of text compared at a time: 64 MB


@dataclass(frozen=True)
class ShardsReport:
    """The result of ``extract_shards``: the folder, a report on the pages, and how many shards existed before."""

    shards: Shards
    report: ExtractionReport
    found: int


def extract_shards(
    sources: Sequence[str | Path], folder: str | Path, settings: Extracting | None = None, *, part_size: int = SIZE,
    engine: Engine | None = None, progress: Progress | None = None, cancel: Cancel | None = None,
) -> ShardsReport:  # fmt: skip
    """Sentences and brackets of pages as a folder of shards, one for each part of the input.

    Parameters
    ----------
    sources : list of str or Path
        Pages, folders, zip files, WARC archives, patterns such as ``crawl/*.warc.gz``, and with the extra ``cluster``
        URLs that fsspec knows, such as ``s3://bucket/crawl.warc.gz``.
    folder : path
        New, empty, or begun with the same settings; existing shards stay.
    settings : Extracting, optional
    part_size : int
        Bytes of pages, unpacked, that make a shard.
    engine : Engine, optional
        Works on the parts; this process by default. All workers see the inputs and the folder under the same paths.
    progress : callable, optional
        Called with the number of parts done and of all.
    cancel : callable, optional

    Returns
    -------
    ShardsReport

    Raises
    ------
    WorkbenchError : an input that is not there, a folder of something else, a full disk. Cancelled.

    Notes
    -----
    The folder depends on the input's bytes and names, the settings and the code alone: begun again after any end, on
    any number of workers, it comes out the same to the byte. A text of five words or more that stands in several
    parts counts in the first, as ``extract_sentences`` has it.
    """
    settings, engine, folder = settings or Extracting(), engine or LocalEngine(), Path(folder)
    limits = PageLimits()
    made_with = {**asdict(settings), "page": asdict(limits), "part_size": part_size, "code": code_version()}
    groups = list(cut(find_inputs(sources), part_size))
    if not groups:
        raise WorkbenchError("there is no page, zip file or archive to read; name one, or a folder that holds some")
    if settings.language is None:
        known_languages()  # complains here, and not in every process
    begin(folder, made_with)
    batches = dict(engine.each(batches_of, groups, part_size, cancel=cancel))
    parts = [part for number in range(len(groups)) for part in batches[number]]
    done = dict(engine.each(extract_batch, parts, str(folder), settings, limits, progress=progress, cancel=cancel))
    rows, report, files = [], ExtractionReport(), set()
    for number in range(len(parts)):
        row = done[number]
        if row["file"] in files:
            report.notes.append(f"part {number + 1} has the same pages as one before; it counts once")
            continue
        files.add(row["file"])
        report.include(ExtractionReport.from_dict(row["report"]))
        rows.append(row)
    repeated = [np.empty(0, np.int32)] * len(rows) if settings.repeats else _repeats(rows, folder, engine, cancel)
    files = [row["file"] for row in rows]
    counted = dict(engine.each(_counted, list(zip(files, repeated, strict=True)), str(folder), cancel=cancel))
    listed = [{"file": file, **counted[number]} for number, file in enumerate(files)]
    shards = finish(folder, made_with, listed, repeated)
    return ShardsReport(shards, report, sum(row["found"] for row in rows))


def extract_batch(part: PageBatch, folder: str, settings: Extracting, limits: PageLimits) -> dict:
    """Write the shard of a part, if it is not there yet.

    Returns
    -------
    dict
        ``file``, ``report`` (as ``ExtractionReport.as_dict`` has it), and ``found``: whether it was there.

    Raises
    ------
    WorkbenchError : the part cannot be read, the shard not written.
    """
    key = {"settings": asdict(settings), "page": asdict(limits), "code": code_version(), "input": part.digest()}
    name = hashlib.blake2b(json.dumps(key, sort_keys=True).encode(), digest_size=16).hexdigest() + ".arrow"
    path = Path(folder, name)
    if path.is_file():
        try:
            return {"file": name, "report": Shard(path).facts["report"], "found": True}
        except FormatError:
            path.unlink(missing_ok=True)  # cut short or damaged since: it is written anew
    idle = cached(PageProcess, "idle", SimpleQueue, lambda _: 0)  # they end with the engine
    try:
        pages = idle.get_nowait()
    except Empty:
        pages = PageProcess()
    try:
        columns, report = pages.read(part, settings, limits)
    except BaseException:
        pages.close()
        raise
    idle.put(pages)
    write_shard(path, columns, {"report": report.as_dict()})
    return {"file": name, "report": report.as_dict(), "found": False}


def _counted(listed, folder):
    """A shard's row in the list of shards, for a (file, sentences to leave out)."""
    file, repeated = listed
    return counts_of(Shard(Path(folder, file)).columns(), repeated)


def _repeats(rows, folder, engine, cancel):
    """For each shard the sentences (int32) whose block of text is in an earlier shard."""
    files = [str(folder / row["file"]) for row in rows]
    ranges = max(1, -(-sum(row["report"]["sentences"] for row in rows) // MARKS))
    repeats = dict(engine.each(_repeats_in, [(number, ranges) for number in range(ranges)], files, cancel=cancel))
    return [np.sort(np.concatenate([repeats[number][shard] for number in range(ranges)])) for shard in range(len(rows))]


def _repeats_in(stretch, files):
    """Repeats among the marks of one of ``ranges`` equal ranges: a list over shards."""
    number, ranges = stretch
    marks, rows = [], []
    for file in files:
        blocks = Shard(file).columns().blocks
        chosen = np.flatnonzero((blocks != 0) & (blocks % np.uint64(ranges) == number))
        marks.append(blocks[chosen])
        rows.append(chosen.astype(np.int32))
    owners = np.repeat(np.arange(len(files), dtype=np.int32), list(map(len, rows)))
    _, first, inverse = np.unique(np.concatenate(marks), return_index=True, return_inverse=True)
    later = np.split(owners > owners[first][inverse], np.cumsum(list(map(len, rows)))[:-1])
    return [of_shard[is_later] for of_shard, is_later in zip(rows, later, strict=True)]
