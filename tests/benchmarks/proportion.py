"""Whether every reader takes time in proportion to its text, and whether others can go on meanwhile.

    python -m tests.benchmarks.proportion [--size 100000] [--only WORDS] [--most 60]

reads each of the ``odd_texts`` and ``odd_files`` at half the size and at the whole. Prints the seconds of both, their
ratio, and how long another thread of this process waited at most, the slowest first. A ratio of 2 is in proportion, one
of 4 the square. ``--only`` takes the lines that hold these words. A reading that takes longer than ``--most`` seconds
is given up. Seconds are the processor's, of this process, whatever else the machine does.
"""

import argparse
import gc
import signal
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from core.annotation.validation import validate
from core.constraints.authoring.mallet import parse_mallet
from core.constraints.authoring.spreadsheet import parse_csv
from core.constraints.matching.check import check_constraints, check_together
from core.constraints.matching.matcher import Matcher
from core.errors import WorkbenchError
from core.languages.guessing import guess_language, mixed_languages
from core.markup import Limits, align, extract_sentences, markup_statistics
from core.search import browse
from core.search.match import search
from core.search.reading import parse_request
from core.treebank import load_sample, read_treebank
from core.treebank.detection import guess_format
from core.treebank.plain import has_cut_words, read_text
from core.treebank.statistics import statistics
from core.treebank.tagging import apply_lexicon, parse_lexicon
from core.workspace.corpus.drafts import pasted_name, read_draft
from core.workspace.markup.pages import HTML
from tests.benchmarks.odd_files import CONSTRAINTS, FORMED, LEXICONS, REQUESTS
from tests.benchmarks.odd_texts import RUNNING, Make

SIZE, MOST = 100_000, 60.0
TICK = 0.001


class Case(NamedTuple):
    """What is read, how, and what makes it of a size."""

    reader: str
    text: str
    make: Make
    read: Callable[[str], object]

    @property
    def name(self) -> str:
        """Of its line."""
        return f"{self.reader}: {self.text}"


class Measured(NamedTuple):
    """Seconds at half the size and at the whole, and the longest wait of another thread; whether it was refused."""

    half: float
    whole: float
    wait: float
    refused: bool

    @property
    def ratio(self) -> float:
        """2 where the time is in proportion."""
        return self.whole / max(self.half, 1e-6)


def _bytes(text):
    return text.encode("utf-8", "replace")


@cache
def _matcher():
    return Matcher(load_sample(), "upos")


def _page(text, **options):
    return extract_sentences(text, name="page", limits=Limits(sentence_words=10**9), boilerplate=True, **options)


def _markdown(text):
    from core.markup.markdown import markdown_to_html

    return markdown_to_html(text)


def _statistics(text):
    found = _page(f"<p>{text}", punctuation=("quote", "paren"))
    return markup_statistics(found.treebank, found.brackets), align(found, found.treebank)


def _in_treebank(text):
    """What the pages ask of a text once it was read."""
    treebank = read_treebank(_bytes(text), "conllu")
    statistics(treebank)
    browse.contains(treebank, "a b")
    browse.sentence_table(treebank, range(min(len(treebank), 50)))
    return [(sentence.text, sentence.misc, sentence.sent_id) for sentence in treebank]


RUNNING_READERS = {
    "text": lambda text: read_text(_bytes(text)),
    "English": lambda text: read_text(_bytes(text), language="en"),
    "lines": lambda text: read_text(_bytes(text), split="lines"),
    "page": _page,
    "brackets of a page": _statistics,
    "bytes of a page": lambda text: extract_sentences(_bytes(text), name="page", boilerplate=True),
    "Markdown": _markdown,
    "format": lambda text: guess_format(_bytes(text)),
    "language": lambda text: (guess_language(text), mixed_languages([text])),
    "draft": lambda text: read_draft("a.txt", _bytes(text)),
    "name": lambda text: (pasted_name(text), HTML.search(text), has_cut_words(_bytes(text))),
    "lexicon": parse_lexicon,
    "constraints": check_constraints,
    "MALLET": parse_mallet,
    "CSV": parse_csv,
    "tagged by list": lambda text: apply_lexicon(read_text(_bytes(text), language="en"), parse_lexicon("-ly ADV")),
}
LANGUAGES = ("de", "fr", "zh", "ja", "th", "vi", "ar", "ru", "he", "el", "tr", "unknown")
SPREAD = (
    "one word of letters",
    "brackets and quotes",
    "Arabic ligatures",
    "full stops",
    "Thai",
    "Chinese",
    "addresses",
    "one line of words",
    "combining marks",
    "one word of apostrophes",
    "numbers with separators",
    "dashes",
)


def cases() -> list[Case]:
    """All of them."""
    found = [
        Case(reader, name, make, read) for reader, read in RUNNING_READERS.items() for name, make in RUNNING.items()
    ]
    for language in LANGUAGES:
        found += [
            Case(
                f"language {language}",
                name,
                RUNNING[name],
                lambda text, code=language: read_text(_bytes(text), language=code),
            )
            for name in SPREAD
        ]
    for name, texts in FORMED.items():
        found += [
            Case(name, text, make, lambda text, format=name: read_treebank(_bytes(text), format))
            for text, make in (RUNNING | texts).items()
        ]
        found += [
            Case(f"{name}, found", text, make, lambda text: read_draft("a", _bytes(text)))
            for text, make in texts.items()
        ]
    for text, make in FORMED["conllu"].items():
        found.append(Case("validation", text, make, lambda text: validate(read_treebank(_bytes(text), "conllu"))))
        found.append(Case("pages of a text", text, make, _in_treebank))
    for text, make in CONSTRAINTS.items():
        found.append(
            Case(
                "constraints of a text",
                text,
                make,
                lambda text: check_constraints(text, Matcher(load_sample(), "upos")),
            )
        )
        found.append(Case("constraints together", text, make, _together))
    for text, make in REQUESTS.items():
        short = _shortened(make)
        found += [Case("request", text, short, parse_request), Case("search", text, short, _search)]
    found += [Case("lexicon", text, make, parse_lexicon) for text, make in LEXICONS.items()]
    found += [
        Case("lexicon of a text", text, make, lambda text: apply_lexicon(load_sample(), parse_lexicon(text)))
        for text, make in LEXICONS.items()
    ]
    return found


def _together(text):
    found, _ = check_constraints(text, _matcher())
    return check_together(found, _matcher())


def _search(text):
    return search(load_sample(), parse_request(text))


def _shortened(make):
    """Requests have a tenth of the size: there are none of more than 10,000 characters."""
    return lambda size: make(size // 11)


class _Ticker:
    """A thread that counts time as others would: the longest time between two of its steps."""

    def __init__(self):
        self.longest, self._ended = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        last = time.process_time()
        while not self._ended.is_set():
            time.sleep(TICK)
            now = time.process_time()
            self.longest, last = max(self.longest, now - last), now

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()


class _GivenUp(BaseException):
    """No reader catches it."""


def timed(read: Callable[[str], object], text: str, most: float = MOST) -> tuple[float, float, bool]:
    """(seconds, longest wait of another thread, whether the text was refused) of a reading."""

    def give_up(*_):
        raise _GivenUp

    former = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, most)
    begin, refused = time.process_time(), False
    try:
        with _Ticker() as ticker:
            read(text)
    except WorkbenchError:
        refused = True
    except Exception as error:  # no reader should raise another
        print(f"# {type(error).__name__}: {str(error)[:80]}")
        refused = True
    except _GivenUp:
        return most, most, True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    return time.process_time() - begin, ticker.longest, refused


def measure(case: Case, size: int = SIZE, most: float = MOST) -> Measured:
    """Read a text of half the size and one of the whole."""
    half, _, _ = timed(case.read, case.make(size // 2), most)
    whole, wait, refused = timed(case.read, case.make(size), most)
    return Measured(half, whole, wait, refused)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=float, default=MOST)
    options = parser.parse_args()
    chosen = [case for case in cases() if options.only in case.name]
    for case in {case.reader: case for case in chosen}.values():  # what is loaded once is no time of a text
        timed(case.read, case.make(1000), options.most)
    found = []
    gc.collect()
    gc.freeze()  # what is loaded is not searched for garbage again and again
    for number, case in enumerate(chosen, 1):
        measured = measure(case, options.size, options.most)
        found.append((case, measured))
        if measured.whole > 0.5 or not number % 200:
            print(f"# {number} of {len(chosen)}: {case.name} {measured.half:.2f} {measured.whole:.2f}", flush=True)
    found.sort(key=lambda pair: -pair[1].whole)
    print(
        f"{len(found)} readings of {options.size:,} characters: seconds of half, of all, ratio, longest wait of others"
    )
    for case, (half, whole, wait, refused) in found:
        ratio = whole / max(half, 1e-6)
        print(f"{half:8.3f} {whole:8.3f} {ratio:6.1f} {wait:8.3f}  {case.name}{' (refused)' if refused else ''}")
    slow = sum(measured.whole > 1 for _, measured in found)
    waits = max(measured.wait for _, measured in found)
    print(f"{slow} take longer than a second; the longest wait of others is {waits:.2f} s")


if __name__ == "__main__":
    main()
