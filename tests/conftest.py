"""Fixtures that all tests share."""

import os
from collections import Counter
from pathlib import Path

import pytest

os.environ["WORKBENCH_TRACEBACKS"] = "1"  # a page that fails fails its test; servers that tests start inherit it
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    """The folder of real treebanks beside the checkout; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the test treebanks in {SHARED.parent.name}/{SHARED.name} beside the checkout")
    return SHARED


def pytest_terminal_summary(terminalreporter):
    """Why tests were skipped, a line a reason."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count:,} skipped: {reason.removeprefix('Skipped: ')}")
