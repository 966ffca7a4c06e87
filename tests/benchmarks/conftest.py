"""The table of what the workbench promises as a whole, Chromium, and a benchmark that runs once where nothing is
measured: the fixtures of the browser tests.

The usual test run executes every benchmark once on little data, so that none of them rots; ``--benchmark-enable`` as in
the README measures on all of it.
"""

import os
from math import nan
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.treebank import conllu_text, load_sample
from tests.benchmarks.acceptance import COUNT, COVERED
from tests.browser.conftest import examples, made, open_app, servers, settle_fixture, start_app, tabs

__all__ = ["examples", "made", "open_app", "servers", "settle_fixture", "start_app", "tabs"]


def pytest_collection_modifyitems(config, items):
    """The usual run takes the smallest n of each case."""
    if config.getoption("benchmark_enable"):
        return
    cases = {}
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if "n" in params and item.path.parent == Path(__file__).parent:
            case = item.path, item.originalname, tuple((k, repr(v)) for k, v in params.items() if k != "n")
            cases.setdefault(case, []).append((params["n"], item))
    larger = {item for case in cases.values() for _, item in sorted(case, key=lambda pair: pair[0])[1:]}
    config.hook.pytest_deselected(items=list(larger))
    items[:] = [item for item in items if item not in larger]


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
def ten(most):
    """CoNLL-U of 10,000 sentences, 200 in the usual run: those of the sample, over and over."""
    blocks = conllu_text(load_sample()).strip("\n").split("\n\n")
    count = most(COUNT, 200)
    return "\n\n".join((blocks * (count // len(blocks) + 1))[:count]) + "\n\n"


@pytest.fixture
def benchmark(benchmark):
    """pytest-benchmark's own; where it calls once and measures nothing, its statistics are not numbers."""
    if benchmark.disabled:
        benchmark.stats = SimpleNamespace(stats=SimpleNamespace(min=nan, median=nan))
    return benchmark


@pytest.fixture(scope="session")
def most(pytestconfig):
    """most(full, little) is how many to take of something: all that is measured on, or little in the usual run."""
    measuring = pytestconfig.getoption("benchmark_enable")
    return lambda full, little: full if measuring else little
