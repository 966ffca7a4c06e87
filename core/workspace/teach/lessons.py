"""The lessons of a project: those that come along and its own, kept as documents."""

import json
from dataclasses import replace
from itertools import count
from typing import SupportsIndex

from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.languages.direction import bidi_isolate
from core.store import Command, DocumentKind
from core.teach.algorithms import algorithm_named
from core.teach.lessons import MOST_STOPS, Lesson, Stop, format_lesson, parse_lesson, shipped_lessons
from core.workspace.workspace import Workspace

LESSON = "lesson"  # kind of the documents that hold lessons
STORED = (DocumentKind(LESSON, str, dict),)


class LessonRoom:
    """The lessons of projects."""

    def __init__(self, workspace: Workspace):
        self.store, self._kept = workspace.store, workspace.cache.get

    def lessons(self, project: SupportsIndex) -> tuple[dict[str, Lesson], list[str]]:
        """(name -> Lesson: those shipped, then the project's own; what is wrong with any that cannot be read)."""
        lessons, problems = dict(self._shipped()), []
        for (_, name), value in self.store.documents(project, LESSON).items():
            try:
                lessons[name] = replace(parse_lesson(json.dumps(value), name), title=name)
            except WorkbenchError as error:
                problems.append(str(error))
        return lessons, problems

    def _shipped(self):
        return self._kept("shipped lessons", "", shipped_lessons)

    def open_lesson(self, project: SupportsIndex, lesson: Lesson) -> str:
        """Keep a lesson from a file with the project, undoably; returns its name: its title, numbered if taken."""
        taken = {*self.lessons(project)[0], *(shipped.title for shipped in self._shipped().values())}
        names = (f"{lesson.title} ({k})" if k > 1 else lesson.title for k in count(1))
        return self.save_lesson(project, next(name for name in names if name not in taken), lesson)

    def save_lesson(self, project: SupportsIndex, name: str, lesson: Lesson) -> str:
        """Keep a lesson with the project under a name, undoably; returns the name.

        Raises StoreError, and WorkbenchError where a lesson that comes with the workbench has that name.
        """
        if name in {*self._shipped(), *(shipped.title for shipped in self._shipped().values())}:
            raise WorkbenchError(f"a lesson that comes with the workbench is called {name!r}; give yours another title")
        before = self.store.document(project, LESSON, name)
        change = Command(LESSON, name, before, json.loads(format_lesson(replace(lesson, title=name))))
        self.store.execute(project, change, label=f"the lesson {name}")
        return name

    def add_stop(self, project: SupportsIndex, name: str, stop: Stop) -> str:
        """Put a stop at the end of a project's lesson, which is begun if there is none of that name.

        Raises as ``save_lesson``, and WorkbenchError where the lesson is as long as one can be.
        """
        lesson = self._own(project, name) or Lesson(name)
        if len(lesson.stops) >= MOST_STOPS:
            raise WorkbenchError(f"the lesson {name} has {MOST_STOPS} stops, the most there can be; begin another one")
        return self.save_lesson(project, name, replace(lesson, stops=(*lesson.stops, stop)))

    def own_lessons(self, project: SupportsIndex) -> dict[str, Lesson]:
        """Name -> Lesson of those that the project keeps and that can be read."""
        names = {name for _, name in self.store.documents(project, LESSON)}
        return {name: lesson for name, lesson in self.lessons(project)[0].items() if name in names}

    def move_stop(self, project: SupportsIndex, name: str, position: int, to: int) -> None:
        """Put stop ``position`` of a project's lesson, from 0, at another place, undoably."""
        lesson = self._with_stop(project, name, position)
        stops = list(lesson.stops)
        stops.insert(to, stops.pop(position))
        self.save_lesson(project, name, replace(lesson, stops=tuple(stops)))

    def remove_stop(self, project: SupportsIndex, name: str, position: int) -> None:
        """Take stop ``position``, from 0, out of a lesson, undoably; with its last stop the lesson goes too."""
        lesson = self._with_stop(project, name, position)
        stops = lesson.stops[:position] + lesson.stops[position + 1 :]
        if stops:
            self.save_lesson(project, name, replace(lesson, stops=stops))
        else:
            gone = Command(LESSON, name, self.store.document(project, LESSON, name), None)
            self.store.execute(project, gone, label=f"removing the lesson {name}")

    def _own(self, project, name):
        """The Lesson that the project keeps under a name, or None."""
        value = self.store.document(project, LESSON, name)
        return parse_lesson(json.dumps(value), name) if value else None

    def own_stops(self, project: SupportsIndex, name: str, position: int) -> tuple[Stop, ...]:
        """The stops of a project's lesson. Raises WorkbenchError if it has none at ``position`` (any more)."""
        return self._with_stop(project, name, position).stops

    def _with_stop(self, project, name, position) -> Lesson:
        lesson = self._own(project, name)
        if lesson is None or not 0 <= position < len(lesson.stops):
            raise WorkbenchError(f"the lesson {name} has no stop {position + 1} any more; look at the list again")
        return lesson


def stop_table(lesson: Lesson) -> dict[str, list]:
    """Columns of a table over the stops of a Lesson."""
    rows = [
        (number, stop.title, algorithm_named(stop.algorithm).name, stop.step, _sentences(stop))
        for number, stop in enumerate(lesson.stops, start=1)
    ]
    return columns_of(("stop", "title", "algorithm", "step", "sentence"), rows)


def _sentences(stop):
    """The sentence of a stop, or both, in words."""
    return " · ".join(bidi_isolate(sentence) for sentence in (stop.sentence, stop.second) if sentence)
