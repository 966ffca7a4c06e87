"""Empty places on the PostgreSQL server that ``WORKBENCH_TEST_POSTGRESQL`` names."""

import os
import uuid
from contextlib import contextmanager

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

SERVER = "WORKBENCH_TEST_POSTGRESQL"


@contextmanager
def server():
    """An engine on the server; without one the test skips, in CI it fails."""
    address = os.environ.get(SERVER)
    if address is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"no PostgreSQL server is named in {SERVER}")
    engine = create_engine(address)
    yield engine
    engine.dispose()


@contextmanager
def empty_place(engine):
    """The URL of a schema that is there for as long."""
    name = f"workbench_{uuid.uuid4().hex}"
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    address = make_url(os.environ[SERVER]).update_query_dict({"options": f"-csearch_path={name}"})
    yield address.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
