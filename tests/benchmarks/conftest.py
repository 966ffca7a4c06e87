"""The table of what the workbench promises as a whole, and Chromium: the fixtures of the browser tests."""

import os

import pytest

from core.treebank import conllu_text, load_sample
from tests.benchmarks.acceptance import COUNT, COVERED
from tests.browser.conftest import browser, examples, made, open_app, servers, settle_fixture, start_app

__all__ = ["browser", "examples", "made", "open_app", "servers", "settle_fixture", "start_app"]


@pytest.fixture(scope="session")
def bar():
    """bar(line, budget, measured) adds a row to the table that is printed when all lines were measured."""
    rows = [(line, "", name) for line, names in COVERED.items() for name in names]

    def add(line, budget, measured):
        rows.append((line, budget, f"{measured} · load {os.getloadavg()[0]:.1f}"))

    yield add
    print()
    for row in sorted(rows, key=lambda row: int(row[0].split()[0])):
        print("{:34} {:>8}  {}".format(*row))


@pytest.fixture(scope="session")
def ten():
    """CoNLL-U of 10,000 sentences: those of the sample, over and over."""
    blocks = conllu_text(load_sample()).strip("\n").split("\n\n")
    return "\n\n".join((blocks * (COUNT // len(blocks) + 1))[:COUNT]) + "\n\n"
