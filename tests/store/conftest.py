"""A store of its own for each test, on SQLite and on PostgreSQL.

``WORKBENCH_TEST_POSTGRESQL`` is the URL of a server where tests may make and drop schemas. Without one the tests on
PostgreSQL skip; in CI, where ``.ci/run`` starts one, they fail.
"""

import os
import uuid

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from core.store import Store

SERVER = "WORKBENCH_TEST_POSTGRESQL"


@pytest.fixture(scope="session")
def postgresql():
    """An engine on the test server."""
    address = os.environ.get(SERVER)
    if address is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no PostgreSQL server is named in {SERVER}")
    engine = create_engine(address)
    yield engine
    engine.dispose()


@pytest.fixture
def postgresql_url(postgresql):
    """The URL of an empty place on the test server."""
    name = f"workbench_{uuid.uuid4().hex}"
    with postgresql.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    address = make_url(os.environ[SERVER]).update_query_dict({"options": f"-csearch_path={name}"})
    yield address.render_as_string(hide_password=False)
    with postgresql.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))


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
