"""How many functions of the library an idle rerun of a page calls: ``python -m tests.pages.idle_calls [PAGE ...]``.

A page is opened on the built-in sample in a store of its own; nothing is changed, and the third rerun is counted.
"""

import os
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]
COUNTED = (f"{ROOT}/core/", f"{ROOT}/pages/")
SHOWN = 30  # functions listed
TIMEOUT = 600  # seconds: the first page on a machine compiles


def idle_calls(app: AppTest) -> Counter:
    """(file, line, function) -> calls in one rerun of a page, in the thread of its script."""
    calls = Counter()

    def count(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(COUNTED):
            calls[code.co_filename, code.co_firstlineno, code.co_qualname] += 1

    threading.setprofile(count)  # a rerun has a thread of its own
    try:
        app.run()
    finally:
        threading.setprofile(None)
    return calls


def open_page(name: str) -> AppTest:
    """A page of the sample after its second rerun."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
    app.switch_page(f"pages/{name}.py")
    for _ in range(3):
        app.run()
        assert not app.exception, app.exception
    return app


def main(pages: list[str]) -> None:
    """Print the number of each page, and the functions called most."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["WORKBENCH_HOME"] = home
        os.environ.pop("WORKBENCH_DATABASE", None)
        for page in pages:
            calls = idle_calls(open_page(page))
            print(f"{page}: {calls.total():,} calls of {len(calls)} functions")
            for (file, line, name), number in calls.most_common(SHOWN):
                print(f"{number:8,}  {Path(file).relative_to(ROOT)}:{line} {name}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["constraints", "markup"])
