"""A store of its own for each test, on SQLite and on PostgreSQL.

``WORKBENCH_TEST_POSTGRESQL`` is the URL of a server where tests may make and drop schemas. Without one the tests on
PostgreSQL skip; in CI, where ``.ci/run`` starts one, they fail.
"""

import pytest

from core.store import Store
from tests.postgresql import empty_place, server


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
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path / 'work.sqlite'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request):
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def store(url):
    store = Store.open(url, busy_seconds=10)
    yield store
    store.close()


@pytest.fixture
def project(store):
    return store.default_project()
