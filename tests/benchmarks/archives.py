"""WARC archives of any size, made of Debian's documentation: real English HTML with links and emphasis.

    python -m tests.benchmarks.archives FOLDER --size 1G [--parts 4]

fetches packages with apt-get into FOLDER, unpacks them there without installing anything, and writes pages.warc.gz
(or pages-1.warc.gz and so on), one gzip member a record. Once all pages are used up they come again with a salt in each
paragraph, so that nothing counts as repeated. Nothing of it belongs into the repository.
"""

import argparse
import io
import re
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from core.commandline.values import size

PACKAGES = (
    "anarchism", "postgresql-doc-15", "python3.11-doc", "git-doc", "libreoffice-help-en-us", "debian-handbook",
)  # fmt: skip
OTHERS = ("postgresql-doc-17", "python3.13-doc", "python3-doc")  # where a newer Debian has other versions
OTHER_LANGUAGE = re.compile(r"/(?!en-US/)[a-z]{2}-[A-Z]{2}/")
PARAGRAPH = re.compile(rb"(<p\b[^>]*>)", re.IGNORECASE)
DATE = "2026-01-01T00:00:00Z"


def fetch(folder: Path) -> Path:
    """The folder into which the packages are unpacked; those that there are not are left out."""
    unpacked = folder / "unpacked"
    if unpacked.is_dir():
        return unpacked
    folder.mkdir(parents=True, exist_ok=True)
    for package in (*PACKAGES, *OTHERS):
        subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=False, stderr=subprocess.DEVNULL)
    for path in sorted(folder.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", path, unpacked], check=True)
    return unpacked


def pages(unpacked: Path) -> Iterator[tuple[str, bytes]]:
    """(address, HTML) of every page, again and again, from the second round on with a salt in each paragraph."""
    found = sorted(path for path in unpacked.rglob("*.html") if path.is_file() and not path.is_symlink())
    found = [path for path in found if not OTHER_LANGUAGE.search(path.as_posix())]
    for turn in count():
        for path in found:
            data = path.read_bytes()
            if turn:
                data = PARAGRAPH.sub(rb"\1Copy%d " % turn, data)
            yield f"http://docs.example/{turn}/{path.relative_to(unpacked).as_posix()}", data


def write(path: Path, source: Iterator[tuple[str, bytes]], most: int) -> tuple[int, int]:
    """(pages, bytes of HTML) written to an archive of at least ``most`` bytes of HTML."""
    total = number = 0
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for address, data in source:
            http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            headers = {"WARC-Date": DATE, "WARC-Record-ID": f"<urn:number:{number}>"}
            writer.write_record(
                writer.create_warc_record(
                    address, "response", payload=io.BytesIO(data), http_headers=http, warc_headers_dict=headers
                )
            )
            total, number = total + len(data), number + 1
            if total >= most:
                break
    return number, total


def main() -> None:
    """Write the archives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=size, default=size("100M"), help="bytes of HTML in all (default: 100M)")
    parser.add_argument("--parts", type=int, default=1, help="archives to spread them over (default: 1)")
    options = parser.parse_args()
    source = pages(fetch(options.folder))
    for part in range(options.parts):
        name = "pages.warc.gz" if options.parts == 1 else f"pages-{part + 1}.warc.gz"
        number, total = write(options.folder / name, source, options.size // options.parts)
        print(f"{options.folder / name}: {number:,} pages, {total:,} bytes of HTML")


if __name__ == "__main__":
    main()
