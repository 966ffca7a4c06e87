"""What a corpus takes: bytes, seconds and memory of each stage, measured here, and what others would take by them.

A stage's cost is linear in the words that it reads, so that of another corpus is

    core-hours = words * seconds a word on one worker / 3600 * rounds,

with the ``rounds`` of a stage that is repeated. Disk and network are as linear; ``ASSUMPTIONS`` says what else is
taken for granted.
"""

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from core.constraints.grammar.model import Grammar
from core.constraints.grammar.settings import GrammarSettings
from core.constraints.grammar.training import train_grammar
from core.constraints.language.constraint import Constraint
from core.constraints.warming import warm_grammar
from core.errors import WorkbenchError
from core.parsers import DMV, DMVSettings
from core.parsers.english import NAME
from core.parsers.sharded import TAG, Annotation, annotate_shards
from core.parsers.warming import warm_induction
from core.shards import Cluster, Shards, extract_shards

PERIOD = 0.1  # seconds between two looks at the workers' memory
LONGEST = 45  # words of the sentences to learn from
ROUNDS = {"extract": 1, "tag": 1, "dmv": 40, "lines": 40}

ASSUMPTIONS = (
    "a core as fast as one of these, and files as near; no worker waits for another",
    "words as long, sentences as long and marked as often as in the text measured",
    f"iterations: {ROUNDS['dmv']} of the DMV, {ROUNDS['lines']} of the grammar with lines, over sentences of at most "
    f"{LONGEST} words",
    "a page gives as many words as here; of a Common Crawl month 46% is English, and the rest is read and left out",
    "network: pages travel to the workers once, packed to 75/433 of their size as the month is; models travel to and "
    "from each of 1,000 workers in every iteration",
)


@dataclass(frozen=True)
class ScaledCorpus:
    """A corpus to think of: ``words`` of text, or bytes of pages, where its words are not known."""

    name: str
    words: int | None = None
    pages: float | None = None  # bytes, unpacked
    wanted: float = 1.0  # the part of its pages that is in the language


# spitkovsky2010, Table 1; the Common Crawl month is that of December 2024: 2.64 billion pages, 394 TiB unpacked.
CORPORA = (
    ScaledCorpus("BLOG", words=1_136_659),
    ScaledCorpus("NEWS", words=32_119_123_561),
    ScaledCorpus("WEB", words=87_269_385_640),
    ScaledCorpus("Common Crawl month", pages=394 * 2**40, wanted=0.46),
)


@dataclass(frozen=True)
class Stage:
    """Time and sizes of one stage, or of one round of it, with a number of workers.

    ``read`` and ``written`` are bytes. ``memory`` is the most that a worker had, with the processes that it began.
    ``model`` is bytes that travel to a worker and back in each round.
    """

    name: str
    workers: int
    seconds: float
    words: int
    read: int
    written: int
    memory: int
    model: int = 0

    @property
    def core_seconds(self) -> float:
        """Seconds of a core for one word."""
        return self.seconds * self.workers / self.words


def measure(
    sources: Sequence[str | Path], constraints: Sequence[Constraint], workers: Sequence[int] = (1, 2, 4), *,
    part_size: int, say: Callable[[str], object] = lambda line: None,
) -> list[Stage]:  # fmt: skip
    """Each stage with each number of workers: ``extract``, ``tag``, an iteration of the ``dmv`` and of ``lines``.

    Raises WorkbenchError where the pages hold no text; dask must be installed.
    """
    stages = []
    with tempfile.TemporaryDirectory() as folder:
        for count in workers:
            target = Path(folder, str(count))
            with Cluster(workers=count) as cluster:
                cluster.everywhere(warm_induction)
                cluster.everywhere(warm_grammar)
                for stage in _stages(sources, constraints, target, cluster, part_size, count):
                    say(f"{stage.name}, {count} worker{'s' if count > 1 else ''}: {stage.seconds:.1f} s")
                    stages.append(stage)
    return stages


def extrapolate(stages: Sequence[Stage], corpus: ScaledCorpus) -> list[dict]:
    """The cost of each stage for another corpus, from what one worker took here.

    Returns a dict a stage: ``stage``, ``core_hours``, ``disk`` (bytes written) and ``network`` (bytes).
    """
    alone = {stage.name: stage for stage in stages if stage.workers == min(stage.workers for stage in stages)}
    per_word = alone["extract"].read / alone["extract"].words  # bytes of pages
    if corpus.words is None:
        assert corpus.pages is not None
        words, of_pages = corpus.wanted * corpus.pages / per_word, corpus.pages
    else:
        words, of_pages = float(corpus.words), corpus.words * per_word
    rows = []
    for name, stage in alone.items():
        is_extraction = name == "extract"
        amount = of_pages / per_word if is_extraction else words
        network = of_pages * 75e12 / (394 * 2**40) if is_extraction else stage.model * 2 * 1000 * ROUNDS[name]
        row = {"stage": name, "core_hours": amount * stage.core_seconds / 3600 * ROUNDS[name]}
        rows.append(row | {"disk": words * stage.written / stage.words, "network": network})
    return rows


def as_dict(stages: Sequence[Stage]) -> dict:
    """For JSON."""
    return {
        "stages": [{**asdict(stage), "core_seconds_a_word": stage.core_seconds} for stage in stages],
        "corpora": {corpus.name: extrapolate(stages, corpus) for corpus in CORPORA},
        "assumptions": list(ASSUMPTIONS),
    }


def _stages(sources, constraints, target, cluster, part_size, count) -> Iterator[Stage]:
    with _watched(cluster) as memory:
        began = time.perf_counter()
        done = extract_shards(sources, target / "plain", part_size=part_size, engine=cluster)
        seconds = time.perf_counter() - began
    plain = done.shards
    if not plain.words:
        raise WorkbenchError("these pages hold no text to measure with; give more of them")
    yield Stage("extract", count, seconds, plain.words, done.report.bytes, _size(plain), memory())
    with _watched(cluster) as memory:
        began = time.perf_counter()
        tagged = annotate_shards(plain, target / "tagged", Annotation(TAG, NAME), engine=cluster)
        seconds = time.perf_counter() - began
    yield Stage("tag", count, seconds, plain.words, _size(plain), _size(tagged), memory())
    for name, train in (("dmv", _dmv), ("lines", _lines)):
        with _watched(cluster) as memory:
            times: list[float] = []
            model = train(tagged, constraints, cluster, lambda state, times=times: times.append(time.perf_counter()))
        if len(times) < 2:
            raise WorkbenchError("these pages teach all they can in one iteration; give more of them")
        yield Stage(name, count, float(np.median(np.diff(times))), plain.words, _size(tagged), 0, memory(), model)


def _dmv(tagged, constraints, cluster, progress):
    model = DMV(DMVSettings(algorithm="em", init="harmonic", lengths=(LONGEST,), max_iterations=6))
    model.fit(tagged, engine=cluster, progress=progress)
    assert model.parameters is not None
    return _bytes([model.parameters])


def _lines(tagged, constraints, cluster, progress):
    settings = GrammarSettings(lengths=(LONGEST,), iterations=(6,), words="no")
    result = train_grammar(tagged, constraints, settings, engine=cluster, progress=progress)
    assert isinstance(result.model, Grammar)  # one, without settings that ask for several that vote
    return _bytes(part.events for part in result.model.parts)


def _bytes(events):
    return sum(array.nbytes for part in events for array in part.arrays)


def _size(shards: Shards) -> int:
    """Bytes of a folder's shards."""
    return sum((shards.folder / row["file"]).stat().st_size for row in shards.rows)


@contextmanager
def _watched(cluster) -> Iterator[Callable[[], int]]:
    """Within, the workers' memory is looked at; afterwards the function says what the most of one was."""
    import psutil  # comes with distributed

    most, over = [0], threading.Event()
    workers = [psutil.Process(number) for number in cluster.everywhere(os.getpid).values()]

    def look():
        while True:  # once at least, however short the work
            for worker in workers:
                most[0] = max(most[0], _memory(worker))
            if over.wait(PERIOD):
                return

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield lambda: most[0]
    finally:
        over.set()
        thread.join()


def _memory(worker):
    """Bytes of a worker and the processes that it began; 0 for one that has ended."""
    import psutil

    total = 0
    try:
        for process in (worker, *worker.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0
    return total
