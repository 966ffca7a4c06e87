"""On a machine without Chromium the browser tests skip with one line that says how to get one; in CI they fail."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(tmp_path, **more):
    """The report of a browser test where no browser is."""
    surroundings = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    surroundings |= {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), **more}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/browser/test_tree_browser.py"]
    return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)


def test_they_skip_with_one_line(tmp_path):
    found = run(tmp_path)
    assert found.returncode == 0, found.stdout[-2000:]
    lines = [line for line in found.stdout.splitlines() if " skipped: " in line]
    assert len(lines) == 1
    assert lines[0].endswith(
        " skipped: no Chromium: playwright install chromium, or apt-get install chromium, brings one"
    )
    assert "passed" not in found.stdout


def test_in_ci_they_fail(tmp_path):
    found = run(tmp_path, CI="true")
    assert found.returncode == 1
    assert "Executable doesn't exist" in found.stdout
    assert "skipped" not in found.stdout
