"""A class that answers an exercise beside the teacher's page of results, and a server that is killed at the end.

    .ci/postgresql python -m tests.benchmarks.classroom [--students 40] [--minutes 5] [--pause 5]

On SQLite, and on PostgreSQL where WORKBENCH_TEST_POSTGRESQL names a server. Each student opens the page of the link,
then answers after pauses of so many seconds on average; the teacher has the results open in a browser. Prints how long
a student waits for an answer to be kept, and how many acknowledged answers are lost once the server was killed.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from core.store.exercises import student_of
from core.teach.exercise import AnswerRules
from core.workspace import Workspace
from core.workspace.stored import stored_kinds
from core.workspace.teach.choice import AS_ENGLISH, TYPED, Choice
from core.workspace.teach.exercises import ExerciseRoom
from tests.benchmarks.store_kills import served
from tests.postgresql import SERVER, empty_place, server

SENTENCE = "the old man saw her duck"


class Student:
    """Somebody with a link: ``acknowledged`` answers, and the seconds that each ``waited``."""

    def __init__(self, address: str, link: str, number: int):
        parts = urlsplit(address)
        self._server, self._path = (parts.hostname, parts.port), f"/exercise/{link}"
        self._random, self.key = random.Random(number), f"{number:022d}"
        self.acknowledged, self.waited, self.opened = 0, [], 0.0

    def work(self, tasks: list, pause: float) -> None:
        """Open the page, then answer each task again and again, until the server is gone."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            self._work(tasks, pause)

    def _work(self, tasks, pause):
        start = time.perf_counter()
        self._ask("GET")
        self.opened = time.perf_counter() - start
        time.sleep(self._random.uniform(0, pause))
        turn = 0
        while True:
            task = turn % len(tasks)
            sent = {"key": self.key, "name": f"student {self.key[-2:]}", "task": task,
                    "answer": [self._random.choice(tasks[task].options)]}  # fmt: skip
            start = time.perf_counter()
            status = self._ask("POST", json.dumps(sent))
            self.waited.append(time.perf_counter() - start)
            self.acknowledged += status == 200
            turn += 1
            time.sleep(self._random.expovariate(1 / pause))

    def _ask(self, method, body=None):
        connection = http.client.HTTPConnection(*self._server, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, self._path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status


@contextlib.contextmanager
def teaching(address):
    """A teacher's tab with the results in sight, which look again by themselves; at the end they show some."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/teach")
        page.get_by_text("Make a lesson, or an exercise").click()
        page.get_by_text("Exercises for a class").click()
        page.get_by_text("Nobody has answered yet").wait_for()
        yield
        page.get_by_role("button", name="All tries, CSV").wait_for()


def lesson(url: str, students: int, minutes: float, pause: float, home: Path, watch=teaching) -> dict:
    """The figures of one class, as printed."""
    workspace = Workspace.open(url, stored_kinds)
    project = workspace.store.default_project()
    room = ExerciseRoom(workspace)
    choice = Choice("eisner", TYPED, typed=SENTENCE, read=AS_ENGLISH)
    tasks = room.tasks(workspace.store.corpora(project)[0], choice, "move")
    exercise = room.give(project, "A class", tasks, AnswerRules("which", 20), 1)
    with served(url, home) as (process, port):
        address = f"http://127.0.0.1:{port}"
        people = [Student(address, exercise.link, number) for number in range(students)]
        with watch(address):
            threads = [threading.Thread(target=one.work, args=(tasks, pause)) for one in people]
            for thread in threads:
                thread.start()
            time.sleep(60 * minutes)
        process.kill()  # while they write
        for thread in threads:
            thread.join()
    kept = {student_of(one.key): 0 for one in people}
    for answer in workspace.store.answers_given(exercise.id):
        kept[answer.student] += 1
    waited = sorted(second for one in people for second in one.waited)
    lost = sum(max(0, one.acknowledged - kept[student_of(one.key)]) for one in people)
    workspace.store.close()
    answered = sum(one.acknowledged for one in people)
    return {
        "answers": answered, "refused": len(waited) - answered,
        "median": statistics.median(waited), "95th": waited[int(0.95 * (len(waited) - 1))], "longest": waited[-1],
        "page opened, median": statistics.median(one.opened for one in people), "lost": lost,
    }  # fmt: skip


def main() -> None:
    """Hold a class on each database, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two answers of a student")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        urls = {"SQLite": f"sqlite:///{folder}/class.sqlite"}
        if os.environ.get(SERVER):
            urls["PostgreSQL"] = stack.enter_context(empty_place(stack.enter_context(server())))
        for name, url in urls.items():
            figures = lesson(url, options.students, options.minutes, options.pause, Path(folder))
            shown = ", ".join(f"{what} {value:.3f}" if isinstance(value, float) else f"{what} {value:,}"
                              for what, value in figures.items())  # fmt: skip
            print(f"{options.students} students on {name}: {shown}", flush=True)


if __name__ == "__main__":
    main()
