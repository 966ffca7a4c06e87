"""A class and two colleagues on one server: people who open pages while one trains and one reads pages from the web.

    .ci/postgresql python -m tests.benchmarks.load --people 40 --seconds 600 --processes 2

The workbenches are served as ``.deploy`` has it, by nginx from one PostgreSQL database. The first trains a grammar on
``../shared/data/en-wsj`` again and again, the last reads 100 MB of pages made of ``../shared/data/html``; both as the
pages start it, in the processes that serve. Prints how long visits took, and each process's memory as time goes by.
"""

import argparse
import contextlib
import itertools
import os
import runpy
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.benchmarks.visitors import ROOT, load, report, warmed

DATA = ROOT.parent / "shared" / "data"
PATH = "/workbench"
LOOK = 15  # seconds between two looks at the memory


def work(tasks, megabytes, begin):
    """What people do in this process, once there is a file of that name; in threads of its jobs."""
    while not begin.exists():
        time.sleep(0.2)
    from core.assets import ASSETS
    from core.workspace import add_corpus
    from core.workspace.markup.reading import PageReading
    from core.workspace.registry import Systems
    from pages.shared.session import open_workspace

    workspace = open_workspace()
    store, jobs, project = workspace.store, workspace.jobs, workspace.store.create_project(f"Load {tasks}")
    for number in itertools.count():
        if "train" in tasks:
            if not number:
                data = (DATA / "en-wsj" / "wsj-sample.conllu").read_bytes()
                corpus = store.corpus(add_corpus(store, project, "wsj.conllu", data)[0])
                lines = (ASSETS / "constraints" / "penn-manual-25.txt").read_text(encoding="utf-8")
                grammar = Systems(workspace)["grammar"]
            run = grammar.train(grammar.text(corpus), lines)
        else:
            run = PageReading(workspace).start_on(project, pages(number, megabytes << 20))
        ended = jobs.wait(run)
        print(time.strftime("%H:%M:%S"), tasks, ended.status, f"{ended.seconds:.1f} s", ended.error, flush=True)


def pages(salt, size_asked):
    """(name, bytes) of real pages, over and over, each time a little different."""
    found, size = [], 0
    originals = sorted(path for path in (DATA / "html").rglob("*") if path.suffix in (".html", ".htm"))
    for number in itertools.count():
        for path in originals:
            data = path.read_bytes() + f"<p>Copy {salt} {number} of a page.".encode()
            found.append((f"{number}-{path.parent.name}-{path.name}", data))
            size += len(data)
            if size >= size_asked:
                return found


def main():
    asked = argparse.ArgumentParser(description="People who open pages while one trains and one reads pages.")
    asked.add_argument("--people", type=int, default=40)
    asked.add_argument("--seconds", type=float, default=600)
    asked.add_argument("--every", type=float, default=2.5, help="seconds between two pages of one person")
    asked.add_argument("--processes", type=int, default=2)
    asked.add_argument("--megabytes", type=int, default=100, help="of pages that are read, again and again")
    asked.add_argument("--idle", action="store_true", help="nobody trains or reads")
    given = asked.parse_args()
    from tests.browser.served import behind_nginx, free_port

    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        home, port = Path(folder), free_port()
        tasks = ["train", *[""] * (given.processes - 2), "extract"] if given.processes > 1 else ["train extract"]
        programs = [("tests.benchmarks.load", "--serve", task, str(given.megabytes)) for task in tasks]
        processes = stack.enter_context(behind_nginx(home, port, [], programs))
        for each in processes:
            warmed(each.port, PATH)
        if not given.idle:
            (home / "begin").touch()
            time.sleep(LOOK)
        ended = threading.Event()
        threading.Thread(target=watch, args=(processes, ended), daemon=True).start()
        report(load(port, given.people, given.seconds, given.every, PATH))
        ended.set()
        for each in processes:
            print(each.lines.with_suffix(".log").read_text(encoding="utf-8", errors="replace")[-1500:])


def watch(processes, ended):
    """Print the memory of processes, now and then."""
    began = time.monotonic()
    while not ended.wait(LOOK):
        sizes = (f"{each.metrics()['process_resident_memory_bytes'] / 1e6:.0f} MB" for each in processes)
        print(f"{time.monotonic() - began:4.0f} s", *sizes, flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--serve":
        _, _, tasks, megabytes, *arguments = sys.argv
        for task in tasks.split():
            begin = Path(os.environ["WORKBENCH_HOME"]) / "begin"
            threading.Thread(target=work, args=(task, int(megabytes), begin), daemon=True).start()
        sys.argv = ["streamlit", "run", *arguments]
        runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    else:
        main()
