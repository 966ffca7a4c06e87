"""Pages read in a process that can be killed, so that a page that hangs or crashes it does not affect others."""

import json
import select
import signal
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from core.errors import WorkbenchError
from core.markup.partial import SIZE
from core.markup.reader import Extracting, unique_name
from core.markup.report import ExtractionReport
from core.processes.apart import PATIENCE, seconds_worked, start_process
from core.processes.limits import NO_MEMORY
from core.shards.inputs import PageBatch
from core.shards.page_worker import DTYPES, LENGTH
from core.shards.shard import Columns, Interned


@dataclass(frozen=True)
class PageLimits:
    """Limits for reading one page: ``seconds`` of work, ``memory`` in bytes."""

    seconds: float = 60.0
    memory: int = 1 << 30


class PageProcess:
    """Reads parts, page by page, in a process of its own, which lives as long as this object."""

    def __init__(self):
        self.process: Any = None  # a Popen, once it is needed
        self._end: Callable = lambda: None

    def read(self, part: PageBatch, settings: Extracting, limits: PageLimits) -> tuple[Columns, ExtractionReport]:
        """The sentences of a part's pages, and a report on each page.

        If the process ends between two pages, the next process goes on; if it ends there too, the page is skipped.
        Raises WorkbenchError where no process can be started.
        """
        gathered, first, again = _Gathered(), 0, -1
        while True:
            at, source = first, ""
            for head, data in self.messages(part, settings, limits, first, gathered.seen):
                if "end" in head:
                    return gathered.columns(), gathered.report
                if "begin" in head:
                    at, source = head["begin"], head["source"]
                    continue
                if "failed" in head:
                    gathered.report.skip(source, head["failed"])
                else:
                    gathered.add(head, data)
                at += 1
                source = ""
            if not source and at != again:
                self.close()
                gathered.restarted()
                first = again = at
                continue
            gathered.report.skip(source or f"page {at + 1} of {part.inputs[0].name}", self.crash_report(limits))
            gathered.restarted()
            first = at + 1
            if not source and gathered.report.skipped[-2:-1] and gathered.report.skipped[-2].source.startswith("page "):
                raise WorkbenchError(f"{part.inputs[0].path}: its pages cannot be read; leave this file out")

    def close(self) -> None:
        """End the process."""
        self._end()
        self.process = None

    def messages(self, part, settings, limits, first, seen) -> Iterator[tuple[dict, bytes]]:
        """The messages of the process, until it ends."""
        if self.process is None or self.process.poll() is not None:
            self.process = start_process("core.shards.page_worker", "reading pages", buffering=0)
            self._end = weakref.finalize(self, _ended, self.process)
        process = self.process
        inputs = [[one.path, one.name] for one in part.inputs]
        request = {
            "inputs": inputs, "begin": part.begin, "end": part.end, "settings": asdict(settings), "first": first,
            "seen": len(seen), "seconds": limits.seconds, "memory": limits.memory,
        }  # fmt: skip
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n" + b"".join(sorted(seen)))
            process.stdin.flush()
        except BrokenPipeError:
            return
        while True:
            sizes = self._exactly(LENGTH.size, limits)
            if sizes is None:
                return
            of_head, of_arrays = LENGTH.unpack(sizes)
            message = self._exactly(of_head + of_arrays, limits)
            if message is None:
                return
            head = json.loads(message[:of_head])
            yield head, message[of_head:]
            if "end" in head:
                return

    def _exactly(self, size, limits):
        """The next ``size`` bytes of the process's output; None once it has ended, or neither writes nor computes."""
        pieces, output = [], self.process.stdout
        poll = select.poll()  # not select(), which knows no descriptor above 1,023: a server may have more open
        poll.register(output, select.POLLIN)
        while size:
            worked = 0.0
            while not poll.poll(1000 * PATIENCE * limits.seconds):
                before, worked = worked, seconds_worked(self.process)
                if worked - before < limits.seconds / 100:  # otherwise it works, and the machine is busy
                    self.process.kill()
                    break
            piece = output.read(size)
            if not piece:
                return None
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def crash_report(self, limits):
        """The reason why the process ended."""
        status = self.process.wait()
        self.close()
        if status == NO_MEMORY:
            return "it took more memory than a page may; leave it out, or cut it into parts"
        if status in (-getattr(signal, "SIGXCPU", 0), -signal.SIGKILL):
            return f"reading it took more than {limits.seconds:g} seconds or all memory; leave it out"
        return f"reading it ended the process that did ({status}); leave it out"


def _ended(process):
    process.kill()
    process.communicate()


@dataclass
class _Gathered:
    """Sentences, marks and report gathered from pages so far."""

    report: ExtractionReport = field(default_factory=ExtractionReport)
    seen: set[bytes] = field(default_factory=set)
    names: Counter = field(default_factory=Counter)
    words: dict[str, int] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)
    languages: dict[str, int] = field(default_factory=dict)
    pages: list[tuple[str, int, int, int]] = field(default_factory=list)  # name, numbers of source, language; sentences
    arrays: dict[str, list[np.ndarray]] = field(default_factory=lambda: {name: [] for name, _ in DTYPES})
    numbered: dict[str, list[int]] = field(default_factory=lambda: {"forms": [], "marks": []})
    renumbered: int = 0  # pages whose texts have this process' numbers already

    def restarted(self):
        """Translate the numbers of texts: the next process starts its own numbering."""
        for column, numbers in self.numbered.items():
            arrays, translated = self.arrays[column], np.array(numbers, np.int32)
            arrays[self.renumbered :] = [translated[array] for array in arrays[self.renumbered :]]
            numbers.clear()
        self.renumbered = len(self.pages)

    def add(self, head, data):
        """A page's message."""
        self.report.include(ExtractionReport.from_dict(head["report"]))
        seen = bytes.fromhex(head["seen"])
        self.seen.update(seen[start : start + SIZE] for start in range(0, len(seen), SIZE))
        for kind, texts, numbers in (("forms", head["words"], self.words), ("marks", head["mark_names"], self.marks)):
            self.numbered[kind] += [numbers.setdefault(text, len(numbers)) for text in texts]
        if not head["sizes"][0]:
            return
        name = unique_name(self.names, head["source"])
        source = self.sources.setdefault(head["source"], len(self.sources))
        language = self.languages.setdefault(head["language"], len(self.languages))
        self.pages.append((name, source, language, head["sizes"][0]))
        start = 0
        for (column, dtype), size in zip(DTYPES, head["sizes"], strict=True):
            self.arrays[column].append(np.frombuffer(data, dtype, size, start))
            start += size * np.dtype(dtype).itemsize

    def columns(self):
        """All sentences and marks as columns."""
        self.restarted()
        whole: dict = {name: np.concatenate([np.empty(0, dtype), *self.arrays[name]]) for name, dtype in DTYPES}
        whole |= {"forms": Interned(list(self.words), whole["forms"])}
        whole |= {"marks": Interned(list(self.marks), whole["marks"])}
        counts = [count for *_, count in self.pages]
        sources, languages = (np.array([page[k] for page in self.pages], np.int32) for k in (1, 2))
        names = [name for name, *_ in self.pages]
        pages = Interned(names, np.repeat(np.arange(len(counts), dtype=np.int32), counts))
        whole |= {"languages": Interned(list(self.languages), np.repeat(languages, counts))}
        return Columns(pages=pages, sources=Interned(list(self.sources), np.repeat(sources, counts)), **whole)
