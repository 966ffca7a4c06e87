"""Workbenches as a server runs them: two processes on one PostgreSQL database, behind the nginx of ``.deploy``."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.deploy.proxy import plain, proxy, require
from tests.patience import wait_for
from tests.postgresql import empty_place, server

ROOT = Path(__file__).resolve().parents[2]


class Process:
    """A workbench in a process of its own."""

    def __init__(self, home, port, surroundings, options, program=("streamlit", "run")):
        command = [sys.executable, "-m", *program, "app.py", "--server.headless=true"]
        command += [f"--server.port={port}", "--server.baseUrlPath=workbench", *options]
        self.port, self.lines = port, home / f"{port}.jsonl"
        surroundings = os.environ | surroundings | {"HOME": str(home), "WORKBENCH_LOG": str(self.lines)}
        with (home / f"{port}.log").open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=log, stderr=log)

    def await_health(self):
        """Until /healthz says that all is well."""

        def is_well():
            if self.process.poll() is not None:
                pytest.fail(self.lines.with_suffix(".log").read_text(errors="replace")[-2000:])
            address = f"http://127.0.0.1:{self.port}/healthz"
            with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=10) as answer:
                return json.load(answer) == {"database": True, "workers": True}

        wait_for(is_well)

    def metrics(self):
        """Metric -> value."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as answer:
            rows = [line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in rows}

    def log(self):
        """The objects of its log."""
        return [json.loads(line) for line in self.lines.read_text(encoding="utf-8").splitlines()]

    def kill(self):
        """As a power cut would."""
        self.process.kill()
        self.process.wait(20)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def behind_nginx(home, port, options, programs=2 * [("streamlit", "run")]):
    """Processes, one a program, that answer together at ``http://127.0.0.1:<port>/workbench``; ``options`` are
    Streamlit's."""
    require("nginx", "nginx-light")
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(empty_place(stack.enter_context(server())))
        surroundings = {"WORKBENCH_HOME": str(home), "WORKBENCH_DATABASE": url}
        processes = [Process(home, free_port(), surroundings, options, program) for program in programs]
        for each in processes:
            stack.callback(each.kill)
        stack.enter_context(nginx(home, port, [each.port for each in processes]))
        for each in processes:
            each.await_health()
        yield processes


@contextlib.contextmanager
def nginx(home, port, upstream):
    """nginx with the files of ``.deploy``, on a port and before processes of the test's own."""
    servers = "".join(f"    server 127.0.0.1:{each} max_fails=1 fail_timeout=5s;\n" for each in upstream)
    with proxy(home, f"upstream workbenches {{\n    hash $place consistent;\n{servers}}}\n{plain(port)}"):
        yield
