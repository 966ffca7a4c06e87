"""On a machine without Chromium the browser tests skip with one line that says how to get one; in CI they fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SKIPPED = " skipped: no Chromium: playwright install chromium, or apt-get install chromium, brings one"


@pytest.mark.parametrize("in_ci", [False, True])
def test_they_skip_with_one_line_and_in_ci_they_fail(tmp_path, in_ci):
    surroundings = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    surroundings |= {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)} | (
        {"CI": "true"} if in_ci else {}
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/browser/test_tree_browser.py"]
    found = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)
    lines = [line for line in found.stdout.splitlines() if " skipped: " in line]
    assert found.returncode == in_ci, found.stdout[-2000:]
    if in_ci:
        assert "Executable doesn't exist" in found.stdout and "skipped" not in found.stdout
    else:
        assert len(lines) == 1 and lines[0].endswith(SKIPPED) and "passed" not in found.stdout
