"""A class and two colleagues on one server: people who open pages while one trains and one reads pages from the web.

    .ci/postgresql python -m tests.benchmarks.load --people 40 --seconds 600 --processes 2
    .ci/postgresql python -m tests.benchmarks.load --people 15 --processes 1 --megabytes 0 --after 120
    .ci/postgresql python -m tests.benchmarks.load --people 80 --tabs 100 --trainings 2 --processes 1 --megabytes 0

The workbenches are served as ``.deploy`` has it, by nginx from one PostgreSQL database. The first trains a grammar on
``../shared/data/en-wsj`` again and again, the last reads 100 MB of pages made of ``../shared/data/html``; both as the
pages start it. Prints how long visits took, and as time goes by the memory of each process that serves and of those
that it has started, which train. Once all have left, nobody trains either.
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

import psutil

from tests.benchmarks.visitors import ROOT, load, report, warmed

DATA = ROOT.parent / "shared" / "data"
PATH = "/workbench"
LOOK = 15  # seconds between two looks at the memory


def work(task, number, megabytes, begin):
    """What people do in this process while there is a file of that name; in threads of its jobs."""
    while not begin.exists():
        time.sleep(0.2)
    from core.files.assets import ASSETS
    from core.workspace import add_corpus
    from core.workspace.markup.reading import PageReading
    from core.workspace.registry import Systems
    from pages.shared.session import open_workspace

    workspace = open_workspace()
    store, jobs = workspace.store, workspace.jobs
    project = store.create_project(f"Load {task} {number}")
    if task == "train":
        data = (DATA / "en-wsj" / "wsj-sample.conllu").read_bytes()
        corpus = store.corpus(add_corpus(store, project, "wsj.conllu", data)[0])
        lines = (ASSETS / "constraints" / "penn-manual-25.txt").read_text(encoding="utf-8")
        grammar = Systems(workspace)["grammar"]
    for turn in itertools.count():
        if not begin.exists():
            return
        if task == "train":
            run = grammar.train(grammar.text(corpus), lines)
        else:
            run = PageReading(workspace).start_on(project, pages(turn, megabytes << 20))
        ended = jobs.wait(run)
        print(time.strftime("%H:%M:%S"), task, ended.status, f"{ended.seconds:.1f} s", ended.error, flush=True)


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
    asked.add_argument("--megabytes", type=int, default=100, help="of pages that are read, again and again; 0: none")
    asked.add_argument("--trainings", type=int, default=1, help="at once, by the first process")
    asked.add_argument("--tabs", type=int, help="that a process serves at once")
    asked.add_argument("--after", type=float, default=0, help="seconds to look at the memory once all have left")
    asked.add_argument("--idle", action="store_true", help="nobody trains or reads")
    given = asked.parse_args()
    from tests.browser.served import behind_nginx, free_port

    if given.tabs:
        os.environ["WORKBENCH_TABS"] = str(given.tabs)
    tasks = [[] for _ in range(given.processes)]
    tasks[0] += given.trainings * ["train"]
    tasks[-1] += ["extract"] if given.megabytes else []
    programs = [("tests.benchmarks.load", "--serve", " ".join(each), str(given.megabytes)) for each in tasks]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        home, port, begin = Path(folder), free_port(), Path(folder) / "begin"
        processes = stack.enter_context(behind_nginx(home, port, [], programs))
        for each in processes:
            warmed(each.port, PATH)
        if not given.idle:
            begin.touch()
            time.sleep(LOOK)
        ended = threading.Event()
        watching = threading.Thread(target=watch, args=(processes, ended), daemon=True)
        watching.start()
        report(load(port, given.people, given.seconds, given.every, PATH))
        begin.unlink(missing_ok=True)
        time.sleep(given.after)
        ended.set()
        watching.join()
        for each in processes:
            print(each.lines.with_suffix(".log").read_text(encoding="utf-8", errors="replace")[-1500:])


def watch(processes, ended):
    """Print the memory of processes, and of those that each has started, now and then and at the end."""
    began, most, last = time.monotonic(), 0.0, False
    while not last:
        last = ended.wait(LOOK)
        sizes = [memory(each.process.pid) for each in processes]
        most = max(most, sum(map(sum, sizes)))
        shown = (f"{own:.0f} MB" + "".join(f" + {size:.0f}" for size in apart) for own, *apart in sizes)
        print(f"{time.monotonic() - began:4.0f} s", *shown, f"= {sum(map(sum, sizes)):.0f} MB", flush=True)
    print(f"at most {most:.0f} MB in all")


def memory(number):
    """MB that a process has, and each that it has started."""
    process, sizes = psutil.Process(number), []
    for each in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            sizes.append(each.memory_info().rss / 1e6)
    return sizes


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--serve":
        _, _, tasks, megabytes, *arguments = sys.argv
        begin = Path(os.environ["WORKBENCH_HOME"]) / "begin"
        for number, task in enumerate(tasks.split(), start=1):
            threading.Thread(target=work, args=(task, number, int(megabytes), begin), daemon=True).start()
        sys.argv = ["streamlit", "run", *arguments]
        runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    else:
        main()
