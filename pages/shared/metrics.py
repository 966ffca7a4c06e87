"""What a server counts: sessions, reruns and their seconds, jobs, memory, in Prometheus' text format."""

import logging
import time
from contextlib import contextmanager

import streamlit as st
from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from streamlit import runtime
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY

from core.errors import WorkbenchError
from pages.shared.basics import session
from pages.shared.session import open_workspace

SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)  # upper ends of the histogram's bars

log = logging.getLogger(__name__)


class Metrics:
    """The figures of this process; ``registry`` is what ``prometheus_client`` writes."""

    def __init__(self):
        self.registry = CollectorRegistry()
        self.reruns = Histogram(
            "workbench_rerun_seconds", "Seconds of a whole page's script", ["page"],
            buckets=SECONDS, registry=self.registry,
        )  # fmt: skip
        ProcessCollector(registry=self.registry)  # memory, processor time, open files
        self.registry.register(self)

    def collect(self):
        """Figures that are computed at each request: open tabs, and jobs by status."""
        if runtime.exists():
            yield GaugeMetricFamily("workbench_sessions", "Open tabs", value=open_tabs())
        try:
            jobs = GaugeMetricFamily("workbench_jobs", "Jobs of this process since its start", labels=["status"])
            for status, number in open_workspace().jobs.tally().items():
                jobs.add_metric([status], number)
            yield jobs
        except WorkbenchError as error:
            log.warning("the jobs cannot be counted: %s", error)


def open_tabs():
    """How many tabs of this process are open; 0 where no server runs."""
    if not runtime.exists():
        return 0
    sessions = runtime.get_instance().stats_mgr.get_stats(family_names=[ACTIVE_SESSIONS_FAMILY])
    return sum(getattr(stat, "value", 0) for stat in sessions.get(ACTIVE_SESSIONS_FAMILY, ()))


@st.cache_resource(max_entries=1, show_spinner=False)
def metrics():
    """The Metrics of this process."""
    return Metrics()


@contextmanager
def measured(page):
    """Count and log the seconds of a page's script, whichever way it ends."""
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds = time.perf_counter() - began
        metrics().reruns.labels(page.url_path).observe(seconds)
        who = st.session_state.get("project_id")
        log.info("rerun", extra={"page": page.url_path, "person": _person(), "project": who, "seconds": seconds})


def _person():
    try:
        return session().person
    except WorkbenchError:  # signed out meanwhile
        return None
