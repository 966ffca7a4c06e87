"""A store of its own for each test, on SQLite and on PostgreSQL.

``WORKBENCH_TEST_POSTGRESQL`` is the URL of a server where tests may make and drop schemas. Without one the tests on
PostgreSQL skip; in CI, where ``.ci/run`` starts one, they fail.
"""

import shutil

import pytest

from core.store import DocumentKind, Kinds, Store
from core.workspace.stored import stored_kinds
from tests.patience import PATIENCE
from tests.postgresql import empty_place, server


def kinds():
    """Those of the workbench, and two that only these tests write."""
    known = stored_kinds()
    ours = DocumentKind("lexicon", str), DocumentKind("words", str)
    return Kinds((*known.documents.values(), *known.runs.values(), *ours))


@pytest.fixture(scope="session")
def postgresql():
    """An engine on the test server."""
    with server() as engine:
        yield engine


@pytest.fixture
def postgresql_url(postgresql):
    """The URL of an empty place on the test server."""
    with empty_place(postgresql) as url:
        yield url


@pytest.fixture
def path(tmp_path):
    """Where the SQLite store is."""
    return tmp_path / "work.sqlite"


@pytest.fixture
def sqlite_url(path):
    """The URL of an empty place for a file."""
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request):
    """The URL of an empty place."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def store(url, path, made_store):
    if url.startswith("sqlite"):
        shutil.copy(made_store, path)
    store = Store.open(url, busy_seconds=PATIENCE, kinds=kinds)
    yield store
    store.close()


@pytest.fixture
def project(store):
    return store.default_project()
