"""What one damaged byte a page costs: the words that are kept, and whether any page turns to mojibake.

    python -m tests.benchmarks.damage FOLDER [--times 10] [--seed 1]

reads every page below FOLDER, then each again with one random byte changed, so many times; and the same as records of
a WARC archive, any byte of which may change. Prints the share of all words kept, and each page that keeps less than 99
of a hundred.
"""

import argparse
import io
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from core.markup.partial import Partial
from core.markup.reader import Extracting, PageReader
from core.markup.report import Skipped
from core.markup.sources import Document, Limits, warc_pages

HEAD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://pages.example/{name}\r\nContent-Length: {size}\r\n\r\n"
)
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
MOJIBAKE = re.compile("[Â-ô][\u0080-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")  # characters of UTF-8 read as Windows-1252
LEAST = 0.99


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes, one of them changed."""
    place, change = chance.randrange(len(data)), chance.randrange(1, 256)
    return data[:place] + bytes([data[place] ^ change]) + data[place + 1 :]


def record(name: str, page: bytes) -> bytes:
    """A page as a record of an archive."""
    data = HTTP + page
    return HEAD.format(name=name, size=len(data)).encode() + data + b"\r\n\r\n"


def words(reader: PageReader, document: Document | Skipped | None) -> tuple[Counter, int]:
    """The words of a page's sentences, and how many pieces of mojibake its text has."""
    if document is None:
        return Counter(), 0
    page = reader.read(document, lambda: False)
    found = Counter(form for sentence in page.sentences for form in sentence.forms)
    return found, len(MOJIBAKE.findall(page.text))


def of_archive(names: list[str], found: list[bytes]) -> Iterator[Document | None]:
    """For each of some records, one after the other in an archive, its page; None where it was lost."""
    pages = warc_pages(io.BytesIO(b"".join(found)), "archive", Limits())
    read = {page.name.rpartition("/")[2]: page for page in pages if isinstance(page, Document)}
    begins = {page.data[:200]: page for page in read.values()}  # where its name is what is damaged
    for name, one in zip(names, found, strict=True):
        yield read.get(name) or begins.get(one.partition(HTTP)[2][:200])


def measure(pages: dict[str, bytes], times: int, seed: int, as_archive: bool) -> tuple[float, int, list[tuple]]:
    """(share of all words kept, pages turned to mojibake, rows (name, turn, share kept) below ``LEAST``)."""
    reader = PageReader(Extracting(repeats=True), Partial())
    whole = {name: words(reader, Document(name, data)) for name, data in pages.items()}
    names, chance = list(pages), random.Random(seed)
    kept = total = wrong = 0
    poor = []
    for turn in range(times):
        if as_archive:
            found = of_archive(names, [damaged(record(name, pages[name]), chance) for name in names])
        else:
            found = (Document(name, damaged(pages[name], chance)) for name in names)
        for name, document in zip(names, found, strict=True):
            before, odd = whole[name]
            after, odder = words(reader, document)
            same = (before & after).total()
            kept, total, wrong = kept + same, total + before.total(), wrong + (odder > odd)
            if same < LEAST * before.total():
                poor.append((name, turn, same / before.total()))
    return kept / total, wrong, poor


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=10, help="each page (default: 10)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    paths = sorted(options.folder.rglob("*.html"))
    pages = {path.relative_to(options.folder).as_posix().replace("/", "-"): path.read_bytes() for path in paths}
    pages = {name: data for name, data in pages.items() if data}
    for as_archive in (False, True):
        share, wrong, poor = measure(pages, options.times, options.seed, as_archive)
        what = f"{len(pages):,} {'records' if as_archive else 'pages'}, {options.times} times"
        print(
            f"{what}: {share:.2%} of all words kept, {wrong} turned to mojibake, {len(poor)} keep less than {LEAST:.0%}"
        )
        for name, turn, kept in sorted(poor, key=lambda row: row[2]):
            print(f"  {kept:7.2%}  {name} ({turn + 1})")


if __name__ == "__main__":
    main()
