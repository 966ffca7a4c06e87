"""What the server answers besides the pages: health, figures, headers."""

import json
import logging
import sqlite3
from contextlib import closing

from prometheus_client.parser import text_string_to_metric_families

from core.store import Store
from pages.shared import server
from pages.shared.metrics import metrics
from pages.shared.server import answer_health, answer_metrics, content_policy, examination
from tests.asgi import result_of
from tests.patience import wait_for


def figures():
    """Sample -> value, with the labels in its name."""
    found = {}
    for family in text_string_to_metric_families(answer_metrics(None).body.decode()):
        for sample in family.samples:
            found[sample.name, *sample.labels.values()] = sample.value
    return found


def test_a_visit_is_counted_and_logged_without_what_was_looked_at(open_page, workbench, caplog):
    metrics.clear()
    with caplog.at_level(logging.INFO, "pages.shared.metrics"):
        open_page("projects")
    found = figures()
    assert found["workbench_rerun_seconds_count", "projects"] >= 1
    assert found["workbench_jobs", "running"] == 0 and found["process_resident_memory_bytes",] > 1e6
    line = [record for record in caplog.records if record.msg == "rerun"][-1]
    assert line.page == "projects" and line.seconds > 0 and line.project == workbench.store.default_project().id


def test_health(workbench, home):
    answer = result_of(answer_health(None))
    assert answer.status_code == 200 and json.loads(answer.body) == {"database": True, "workers": True}


def test_a_store_of_a_newer_workbench_is_no_health(home):
    store = Store.open(f"sqlite:///{home / 'workbench.sqlite'}")
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE workbench_schema SET version = 99")
    store.close()
    answer = result_of(answer_health(None))
    assert answer.status_code == 503 and json.loads(answer.body) == {"database": False, "workers": False}
    assert ("workbench_jobs", "running") not in figures()


def test_a_store_that_gives_no_answer_is_no_health_for_as_long(workbench, home, monkeypatch):
    """Another program holds the file, and the store waits for it."""
    monkeypatch.setattr(server, "SECONDS", 0.2)
    examination.clear()
    workbench.store.close()
    with closing(sqlite3.connect(home / "workbench.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        answer = result_of(answer_health(None))
        assert answer.status_code == 503 and json.loads(answer.body) == {"database": False, "workers": False}
        other.execute("ROLLBACK")
    assert wait_for(lambda: result_of(answer_health(None)).status_code == 200)


def test_only_streamlits_own_scripts_may_stand_in_a_page():
    policy = dict(part.split(" ", 1) for part in content_policy().split("; "))
    assert "'unsafe-inline'" not in policy["script-src"] and policy["script-src"].count("'sha256-") >= 1
    assert policy["frame-ancestors"] == policy["base-uri"] == "'self'" and policy["object-src"] == "'none'"
