"""Fixtures that all tests share."""

import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.patience import heard

# A machine that is busy draws and runs slowly, which is no fault. CI draws the same examples each time: it asks whether
# a change broke something; the runs in between look for what nobody has seen yet.
settings.register_profile("usual", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("usual"), max_examples=25, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "usual")
os.environ["WORKBENCH_TRACEBACKS"] = "1"  # a page that fails fails its test; servers that tests start inherit it
os.environ["WORKBENCH_NICE"] = "0"  # tests wait for jobs, which stand behind all that a busy machine does otherwise
# What was compiled once is read by the processes and runs that follow: modules of Python, and what JAX trains with, as
# Numba's kernels are.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # a page has what another page of its window has compiled
]
MAIN = sys.modules["__main__"]
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


STDERR = pytest.StashKey[int]()


def pytest_configure(config):
    """Before output is captured."""
    config.stash[STDERR] = os.dup(2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test that takes longer than a minute says where it stands, each minute."""
    with heard(item.nodeid, lambda words: os.write(item.config.stash[STDERR], f"\n{words}".encode())):
        return (yield)


@pytest.fixture(autouse=True)
def main_module():
    """AppTest leaves its script in the place of the main module, which processes that are spawned would run."""
    yield
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="session")
def browser():
    """Chromium, one for all tests of a process: the system's where there is one, else Playwright's own."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        if not (found or os.environ.get("CI") or Path(playwright.chromium.executable_path).exists()):
            pytest.skip("no Chromium: playwright install chromium, or apt-get install chromium, brings one")
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared_data():
    """The folder of real treebanks beside the checkout; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the test treebanks in {SHARED.parent.name}/{SHARED.name} beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def made_store(tmp_path_factory):
    """The file of an empty store."""
    from core.store import Store

    path = tmp_path_factory.mktemp("made") / "work.sqlite"
    Store.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="session")
def cluster():
    """Two workers of our own."""
    from core.shards import Cluster

    with Cluster(workers=2) as found:
        yield found


@pytest.fixture
def apart():
    """An engine from which all travels as to a cluster's workers and back."""
    from tests.shards.apart import ApartEngine

    return ApartEngine()


@pytest.fixture(scope="session")
def plain_shards(tmp_path_factory):
    """Shards of the sample's pages, without tags and trees."""
    from tests.shards.corpora import sample_shards

    return sample_shards(tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="session")
def parsed_shards(plain_shards, tmp_path_factory):
    """The same with trees."""
    from tests.shards.corpora import parsed

    return parsed(plain_shards, tmp_path_factory.mktemp("parsed"))


def pytest_terminal_summary(terminalreporter):
    """Why tests were skipped, a line a reason."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count:,} skipped: {reason.removeprefix('Skipped: ')}")
