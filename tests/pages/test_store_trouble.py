"""A store that refuses is one sentence on every page, and what was saved before stays."""

import re
import sqlite3
from contextlib import closing

from core.store import Command, Store


def sentences(app):
    return " ".join(each.value for each in (*app.error, *app.toast))


def test_a_read_only_file_can_be_looked_at(open_page, home, monkeypatch):
    store = Store.open(f"sqlite:///{home / 'work.sqlite'}")
    store.default_project()
    store.close()
    monkeypatch.setenv("WORKBENCH_DATABASE", f"sqlite:///file:{home / 'work.sqlite'}?mode=ro&uri=true")
    app = open_page("projects")
    app.text_input(key="projects_new_name").set_value("Basque")
    app.button(key="projects_new").click().run()
    assert "is read-only; allow writing to the file and its folder" in sentences(app) and not app.exception


def test_a_full_disk_while_a_page_is_open(open_page, workbench):
    app = open_page("projects")
    with workbench.store.database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    made = 0
    while not sentences(app) or "Created" in sentences(app):
        made += 1
        app.text_input(key="projects_new_name").set_value(f"{made} {'x' * 190}")
        app.button(key="projects_new").click().run()
        assert not app.exception and made < 60
    assert "has no room left on its disk; free some space" in sentences(app)
    assert len(workbench.store.projects()) == made  # the first one, and all but the last


def test_a_locked_store_while_a_page_is_open(open_page, workbench, home, monkeypatch):
    app = open_page("projects")
    with workbench.store.database.write() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 20")  # of the one connection that the page uses
    with closing(sqlite3.connect(home / "workbench.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        app.text_input(key="projects_new_name").set_value("Basque")
        app.button(key="projects_new").click().run()
        assert "is locked by another program; close what else is writing to it" in sentences(app)
        other.execute("ROLLBACK")
    app.button(key="projects_new").click().run()
    assert [each.name for each in workbench.store.projects()] == ["My project", "Basque"] and not app.exception


def test_a_newer_workbench_has_been_here(open_page, home):
    Store.open(f"sqlite:///{home / 'workbench.sqlite'}").close()
    with closing(sqlite3.connect(home / "workbench.sqlite")) as connection:
        connection.execute("UPDATE workbench_schema SET version = 99")
        connection.commit()
    app = open_page()
    assert "has schema version 99" in sentences(app) and "update the workbench" in sentences(app)


def test_a_link_to_a_run_that_is_gone(open_page, workbench):
    project = workbench.store.default_project()
    workbench.store.execute(project, Command("lexicon", "", None, "x"))
    app = open_page("runs", run="99")
    assert not app.exception


def test_an_error_that_nobody_foresaw_is_a_sentence_with_a_number(open_page, home, monkeypatch):
    monkeypatch.delenv("WORKBENCH_TRACEBACKS")
    monkeypatch.setattr("pages.shared.projects.panels.project_table", lambda *_: {}["spam"])
    app = open_page("projects")
    assert not app.exception
    number = re.search(r"errors.log in the workbench's folder has the details under number (\d{8})", sentences(app))[1]
    log = (home / "errors.log").read_text(encoding="utf-8")
    assert "KeyError: 'spam'" in log[log.index(f"failure {number}") :]
