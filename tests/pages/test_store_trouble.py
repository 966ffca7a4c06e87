"""A store that refuses is one sentence on every page, and what was saved before stays."""

import re
import sqlite3
from contextlib import closing

import pytest

from core.errors import StoreError
from core.store import Store
from tests.pages.reading import pressed, said


def sentences(app):
    return said((*app.error, *app.toast))


def make_project(app):
    app.text_input(key="projects_new_name").set_value("Basque")
    return sentences(pressed(app, "projects_new"))


def test_a_read_only_file_can_be_looked_at(open_page, home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATABASE", f"sqlite:///file:{home / 'workbench.sqlite'}?mode=ro&uri=true")
    told = make_project(open_page("projects"))
    assert "is read-only; allow writing to the file and its folder" in told


def test_a_full_disk_while_a_page_is_open(open_page, workbench):
    app, store = open_page("projects"), workbench.store
    with store.database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    for size in (190, 1):  # until there is no room for a short name either
        with pytest.raises(StoreError, match="no room left on its disk"):
            for number in range(1000):
                store.create_project(f"{number} {'x' * size}")
    count = len(store.projects())
    assert "has no room left on its disk; free some space" in make_project(app)
    assert len(store.projects()) == count


def test_a_locked_store_while_a_page_is_open(open_page, workbench, home):
    app = open_page("projects")
    with workbench.store.database.write() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 20")  # of the one connection that the page uses
    with closing(sqlite3.connect(home / "workbench.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "is locked by another program; close what else is writing to it" in make_project(app)
        other.execute("ROLLBACK")
    pressed(app, "projects_new")
    assert [each.name for each in workbench.store.projects()] == ["My project", "Basque"]


def test_a_store_that_cannot_be_opened_is_one_sentence(open_page, home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATABASE", f"sqlite:///{home}/missing/work.sqlite")
    app = open_page()
    assert "does not exist" in app.error[0].value and not app.header


def test_a_newer_workbench_has_been_here(open_page, home):
    Store.open(f"sqlite:///{home / 'workbench.sqlite'}").close()
    with closing(sqlite3.connect(home / "workbench.sqlite")) as connection:
        connection.execute("UPDATE workbench_schema SET version = 99")
        connection.commit()
    told = sentences(open_page())
    assert "has schema version 99" in told and "update the workbench" in told


def test_an_error_that_nobody_foresaw_is_a_sentence_with_a_number(open_page, home, monkeypatch):
    monkeypatch.delenv("WORKBENCH_TRACEBACKS")
    monkeypatch.setattr("pages.shared.projects.panels.project_table", lambda *_: {}["spam"])
    told = sentences(open_page("projects"))
    number = re.search(r"errors.log in the workbench's folder has the details under number (\d{8})", told)[1]
    log = (home / "errors.log").read_text(encoding="utf-8")
    assert "KeyError: 'spam'" in log[log.index(f"failure {number}") :]
