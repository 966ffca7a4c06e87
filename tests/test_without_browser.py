"""On a machine without Chromium the browser tests skip with one line that says how to get one; in CI they fail."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SKIPPED = " skipped: no Chromium: playwright install chromium, or apt-get install chromium, brings one"
TWICE = """
import os, pytest
asked = ["-p", "no:cacheprovider", "--tb=native", "tests/browser/test_tree_browser.py"]
for surroundings in ({}, {"CI": "true"}):
    os.environ.update(surroundings)
    print("ended with", int(pytest.main(asked)), flush=True)
"""


def test_they_skip_with_one_line_and_in_ci_they_fail(tmp_path):
    surroundings = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    surroundings |= {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    found = subprocess.run(
        [sys.executable, "-c", TWICE], cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True
    )
    elsewhere, in_ci, rest = re.split(r"ended with (?=\d)", found.stdout)
    lines = [line for line in elsewhere.splitlines() if " skipped: " in line]
    assert in_ci.startswith("0") and rest.startswith("1"), found.stdout[-2000:]
    assert len(lines) == 1 and lines[0].endswith(SKIPPED) and "passed" not in elsewhere
    assert "Executable doesn't exist" in in_ci and "skipped" not in in_ci
