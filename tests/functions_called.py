"""How many functions of the library two walks call: ``python -m tests.functions_called [--list]``.

From a constraint to a grammar trained on the sample, and from a web page to a verdict on each of its brackets, both by
the command line in one process, which has gone them before: what imports and compilation call is not counted.
"""

import contextlib
import io
import os
import sys
import tempfile
import threading
from pathlib import Path

from core.__main__ import main as run_command

ROOT = Path(__file__).resolve().parents[1]
CORE = f"{ROOT}/core/"
WALKS = {
    "from a constraint to a trained grammar": [
        ["corpus", "convert", "{sample}", "--out", "{home}/sample.conllu"],
        ["grammar", "train", "{home}/sample.conllu", "--constraints", "{home}/constraints.txt"],
    ],
    "from a page to a verdict": [
        ["markup", "extract", "{home}/page.html", "--out", "{home}/page.conllu"],
        ["markup", "agree", "{home}/page.conllu"],
    ],
}
CONSTRAINTS = "DET <- NOUN dist 1 = 0.9..1.0\nupos:ADJ <- upos:NOUN = 0.8\nROOT -> VERB = 0.6 per modifier\n"
PAGE = """<html><body><p>The council met <a href="x">in the old town hall</a> on Tuesday evening, and
<i>the mayor of the town</i> spoke for an hour about the new bridge across the river.</p>
<p>Most of the people who came <b>had read the report</b> and asked questions about its costs.</p></body></html>"""


def functions_called(commands, names) -> set[tuple[str, str]]:
    """(module, function) of ``core`` called by the commands, in any thread; neither modules nor comprehensions."""
    called = set()
    for command in commands:
        _run(command, names)

    def count(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(CORE) and not code.co_name.startswith("<"):
            called.add((code.co_filename.removeprefix(CORE), code.co_qualname))

    for command in commands:
        threading.setprofile(count)
        sys.setprofile(count)
        try:
            _run(command, names)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return called


def _run(command, names):
    with contextlib.redirect_stdout(io.StringIO()):
        code = run_command([part.format(**names) for part in command])
    assert code == 0, command


def main(listed: bool) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["WORKBENCH_HOME"] = home
        (Path(home) / "constraints.txt").write_text(CONSTRAINTS, encoding="utf-8")
        (Path(home) / "page.html").write_text(PAGE, encoding="utf-8")
        names = {"home": home, "sample": ROOT / "assets" / "sample" / "sample.conllu"}
        for walk, commands in WALKS.items():
            called = functions_called(commands, names)
            print(f"{len(called):5}  {walk}")
            for module, function in sorted(called) if listed else ():
                print(f"       {module} {function}")


if __name__ == "__main__":
    main("--list" in sys.argv[1:])
