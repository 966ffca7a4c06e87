"""Hashes of what training gives, to hold two states of the code against each other on one machine.

    python -m tests.trained_bits [NAME ...]

Seven parsers are trained in memory and five learners over shards on two workers, each by the command line on the
sample. Two states of the code that train alike print the same lines; another machine may round otherwise.
"""

import contextlib
import hashlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.__main__ import main
from core.treebank.sample import FOLDER

SAMPLE, PAGES = FOLDER / "sample.conllu", FOLDER / "pages"
SMALL = ("--limit", "60", "--max-length", "20")
WORKERS = ("--workers", "2")
COMMANDS = {  # CONSTRAINTS, MARKED, SHARDS and OUT stand for files
    "tree CRF": ("ge", "train", SAMPLE, "--constraints", "CONSTRAINTS", *SMALL, "--out", "OUT"),
    "tree CRF with brackets": (
        "ge", "train", "MARKED", "--constraints", "CONSTRAINTS", *SMALL, "--brackets", "loose", "--out", "OUT",
    ),
    "MST": ("parser", "train", SAMPLE, *SMALL, "--order", "2", "--epochs", "2", "--out", "OUT"),
    "adapted MST": (
        "scl", SAMPLE, "MARKED", SAMPLE, *SMALL, "--epochs", "1", "--edges", "2000", "--no-baselines", "--save", "OUT",
    ),
    "DMV": ("dmv", "train", "MARKED", *SMALL, "--level", "loose", "--out", "OUT"),
    "grammar": (
        "grammar", "train", SAMPLE, "--constraints", "CONSTRAINTS", *SMALL, "--second-order", "--labels", "rules",
        "--out", "OUT",
    ),
    "grammar beside a CRF": (
        "grammar", "train", SAMPLE, "--constraints", "CONSTRAINTS", *SMALL, "--together", "--out", "OUT",
    ),
    "tree CRF of shards": (
        "ge", "train", "SHARDS", "--constraints", "CONSTRAINTS", "--max-length", "20", *WORKERS, "--out", "OUT",
    ),
    "grammar of shards": (
        "grammar", "train", "SHARDS", "--constraints", "CONSTRAINTS", "--max-length", "20", *WORKERS, "--out", "OUT",
    ),
    "DMV of shards": ("dmv", "train", "SHARDS", "--max-length", "20", "--level", "loose", *WORKERS, "--out", "OUT"),
    "correspondence of shards": (
        "scl", SAMPLE, "SHARDS", SAMPLE, "--epochs", "1", "--edges", "2000", "--no-baselines", *WORKERS,
        "--predictor", "logistic", "--save", "OUT",
    ),
    "contexts of shards": ("consistency", "contexts", "SHARDS", "--minimum-count", "2", *WORKERS, "--json"),
}  # fmt: skip


def run(*arguments: object) -> str:
    """The output of a command, which must succeed."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = main([str(each) for each in arguments])
    if code:
        raise SystemExit(errors.getvalue())
    return output.getvalue()


def digest(path: Path) -> str:
    """Hash of a model file's arrays and settings."""
    total = hashlib.blake2b(digest_size=12)
    with np.load(path) as arrays:
        for name in sorted(arrays):
            array = arrays[name]
            total.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return total.hexdigest()


def hashes(names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, hash) of each configuration named."""
    with tempfile.TemporaryDirectory() as home:
        files = {name: Path(home, name.lower()) for name in ("CONSTRAINTS", "SHARDS", "OUT")}
        files["MARKED"] = Path(home, "marked.conllu")
        files["CONSTRAINTS"].write_text(run("ge", "oracle", SAMPLE, "--count", "10"), encoding="utf-8")
        plain, tagged, pages = Path(home, "plain"), Path(home, "tagged"), Path(home, "pages.conllu")
        run("markup", "extract", PAGES, "--out", pages)
        run("parse", pages, "--model", "english", "--out", files["MARKED"])
        run("markup", "extract", PAGES, "--out", plain, "--workers", "1", "--part-size", "10K")
        run("tag", plain, "--model", "english", "--out", tagged)
        run("parse", tagged, "--model", "english", "--out", files["SHARDS"])
        for name in names:
            output = run(*(files.get(str(each), each) for each in COMMANDS[name]))
            if "--json" in COMMANDS[name]:
                rows = json.dumps(json.loads(output)["rows"], sort_keys=True)
                yield name, hashlib.blake2b(rows.encode(), digest_size=12).hexdigest()
            else:
                yield name, digest(files["OUT"])


if __name__ == "__main__":
    for name, value in hashes(sys.argv[1:] or list(COMMANDS)):
        print(f"{value}  {name}", flush=True)
