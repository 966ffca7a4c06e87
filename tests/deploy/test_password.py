"""A database whose password an address would have to encode: it is read from PGPASSWORD, as it is."""

import uuid
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from core.store import Store
from tests.postgresql import server

PASSWORD = "p@ss%w:/#?&$ord"


@pytest.fixture
def role():
    """The URL, without a password, of somebody to whom the server believes nothing without it."""
    name = f"person_{uuid.uuid4().hex}"
    with server() as engine:
        with engine.begin() as connection:
            doubled = PASSWORD.replace("%", "%%")  # the driver's own mark
            connection.exec_driver_sql(f"CREATE ROLE {name} LOGIN PASSWORD '{doubled}'")
            connection.execute(text(f"CREATE SCHEMA {name} AUTHORIZATION {name}"))
            rules = Path(connection.scalar(text("SHOW hba_file")))
            before = rules.read_text(encoding="utf-8")
            rules.write_text(f"local all {name} scram-sha-256\n{before}", encoding="utf-8")
            connection.execute(text("SELECT pg_reload_conf()"))
        yield engine.url.set(username=name).render_as_string()
        rules.write_text(before, encoding="utf-8")
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_reload_conf()"))
            connection.execute(text(f"DROP OWNED BY {name}"))
            connection.execute(text(f"DROP ROLE {name}"))


def test_it_signs_in_with_the_password_of_the_environment(role, monkeypatch):
    assert make_url(role).password is None
    monkeypatch.setenv("PGPASSWORD", "another")
    with pytest.raises(OperationalError, match="password authentication failed"):
        create_engine(role).connect()
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    store = Store.open(role)
    assert store.default_project().name
    store.close()
