"""Exercises that are given to a class, and what was answered: outside undo, and gone for good with their project.

A backup of a project holds none of them: links are secrets, and answers are of people who were not asked.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import SupportsIndex

from sqlalchemy import Connection, func, select

from core.errors import StoreError
from core.store.database import Database
from core.store.projects import clean_name, readable, require_project
from core.store.query_cache import cached
from core.store.rights import author_of, person_of
from core.store.schema import answers, exercises, inserted_id, now, projects

LINK_BYTES = 16  # 128 bits, which nobody guesses
MOST_STUDENTS = 500  # of an exercise: whoever has a link could fill the disk otherwise
MOST_TASKS_SIZE = 4_000_000  # letters of all tasks with their pictures
MOST_ANSWER = 20_000  # letters of an answer
LONGEST_NAME = 80
NO_EXERCISE = "There is no exercise at this link; look at it again, or ask who gave it to you"


@dataclass(frozen=True, slots=True)
class GivenExercise:
    """An exercise without its tasks.

    Attributes
    ----------
    id, project : int
    link : str
        128 bits as letters, which open this exercise and nothing else.
    title : str
    settings : dict
    author : str
    created, ends : datetime
        From ``ends`` on nothing is answered any more.
    """

    id: int
    project: int
    link: str
    title: str
    settings: Mapping
    author: str
    created: datetime
    ends: datetime

    @property
    def has_ended(self) -> bool:
        """Whether nothing is answered any more."""
        return now() >= self.ends


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One try of somebody at a task, from 0. ``name`` is what was typed; ``student`` is one browser, or one file."""

    student: str
    name: str
    task: int
    attempt: int
    answer: Sequence[str]
    share: float
    time: datetime


_LISTED = [column for column in exercises.c if column is not exercises.c.tasks]
_ANSWER = [answers.c[name] for name in GivenAnswer.__slots__]


class Exercises:
    """The part of the store for exercises. What students do needs the link alone, and no person."""

    database: Database

    def give_exercise(
        self, project: SupportsIndex, title: str, settings: Mapping, tasks: Sequence, ends: datetime
    ) -> GivenExercise:
        """Keep an exercise under a new link. For annotators. Raises StoreError, also where it is too large."""
        title = clean_name(title, "exercise")
        if len(str(tasks)) > MOST_TASKS_SIZE:
            raise StoreError("The pictures of these tasks are too large for one page; give fewer steps at once")
        values = {"link": secrets.token_urlsafe(LINK_BYTES), "title": title, "settings": settings, "created": now()}
        with self.database.write() as connection:
            owner = require_project(connection, project, lock=True)
            values |= {"author": author_of(connection), "ends": ends}
            row = connection.execute(exercises.insert().values(project_id=owner.id, tasks=list(tasks), **values))
            return GivenExercise(inserted_id(row), owner.id, **values)

    @cached
    def exercises(self, project: SupportsIndex) -> list[GivenExercise]:
        """The exercises of a project, newest first."""
        with self.database.query() as connection:
            query = select(*_LISTED).where(exercises.c.project_id == readable(connection, project))
            return [GivenExercise(*row) for row in connection.execute(query.order_by(exercises.c.id.desc()))]

    def end_exercise(self, exercise: int, ends: datetime | None = None) -> None:
        """Let it end now, or at another time. For annotators."""
        with self.database.write() as connection:
            _require(connection, exercise, "annotator")
            update = exercises.update().where(exercises.c.id == exercise)
            connection.execute(update.values(ends=ends or now()))

    def delete_exercise(self, exercise: int) -> None:
        """Delete it for good, with all answers. For annotators."""
        with self.database.write() as connection:
            _require(connection, exercise, "annotator")
            connection.execute(answers.delete().where(answers.c.exercise_id == exercise))
            connection.execute(exercises.delete().where(exercises.c.id == exercise))

    @cached
    def tasks_given(self, exercise: int) -> list:
        """Its tasks as they were given."""
        with self.database.query() as connection:
            _require(connection, exercise, "reader")
            return connection.execute(select(exercises.c.tasks).where(exercises.c.id == exercise)).scalar_one()

    @cached
    def answers_given(self, exercise: int) -> list[GivenAnswer]:
        """All tries, in order. For annotators, since they have names."""
        with self.database.query() as connection:
            _require(connection, exercise, "annotator")
            query = select(*_ANSWER).where(answers.c.exercise_id == exercise).order_by(answers.c.id)
            return [GivenAnswer(*row) for row in connection.execute(query)]

    def exercise_at(self, link: str) -> GivenExercise:
        """The exercise of a link. Raises StoreError where there is none."""
        query = select(*_LISTED).join(projects).where(exercises.c.link == link, projects.c.deleted.is_(None))

        def read():
            with self.database.query() as connection:
                return connection.execute(query).first()

        row = self.database.answers.get(("exercise", link), read)
        if row is None:
            raise StoreError(NO_EXERCISE)
        return GivenExercise(*row)

    def tries_of(self, exercise: GivenExercise, key: str) -> list[GivenAnswer]:
        """The tries of one student, by the key that her browser holds, in order."""
        with self.database.query() as connection:
            query = select(*_ANSWER).where(_of_student(exercise.id, key)).order_by(answers.c.id)
            return [GivenAnswer(*row) for row in connection.execute(query)]

    def answer_exercise(
        self, exercise: GivenExercise, key: str, name: str, task: int, answer: Sequence[str], share: float, tries: int
    ) -> list[GivenAnswer]:  # fmt: skip
        """Keep a try, where there is one left; returns the student's tries at all tasks, with this one.

        Raises StoreError, and keeps nothing, where the exercise has ended or is gone, or all ``tries`` are used up. So
        it does where the answer is too long, or too many others have answered.
        """
        name = " ".join(name.split())[:LONGEST_NAME]
        if len(str(answer)) > MOST_ANSWER:
            raise StoreError("This answer is too long to be kept; shorten it")
        with self.database.write() as connection:
            locked = select(exercises.c.ends).where(exercises.c.id == exercise.id).with_for_update()
            ends = connection.execute(locked).scalar()
            if ends is None:
                raise StoreError(NO_EXERCISE)
            if now() >= ends:
                raise StoreError(f"This exercise ended on {moment(ends)}; the answer was not kept")
            earlier = select(*_ANSWER).where(_of_student(exercise.id, key)).order_by(answers.c.id)
            known = [GivenAnswer(*row) for row in connection.execute(earlier)]
            _require_room(connection, exercise.id, known)
            attempt = 1 + sum(one.task == task for one in known)
            if attempt > tries:
                raise StoreError("All tries at this task are used up; the answer was not kept")
            one = GivenAnswer(student_of(key), name, task, attempt, list(answer), share, now())
            values = {field: getattr(one, field) for field in GivenAnswer.__slots__}
            connection.execute(answers.insert().values(exercise_id=exercise.id, **values))
            return [*known, one]


def student_of(key: str) -> str:
    """What the store knows a browser's key by: who reads it there cannot go on in its name."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def moment(time: datetime) -> str:
    """A time as it is said: ``30 November, 14:05 UTC``."""
    return f"{time.day} {time:%B, %H:%M} UTC"


def _of_student(exercise, key):
    return (answers.c.exercise_id == exercise) & (answers.c.student == student_of(key))


def _require_room(connection: Connection, exercise: int, known: Sequence) -> None:
    """Raise StoreError for a new student where there are ``MOST_STUDENTS`` already."""
    students = select(func.count(func.distinct(answers.c.student))).where(answers.c.exercise_id == exercise)
    if not known and connection.execute(students).scalar_one() >= MOST_STUDENTS:
        raise StoreError(f"{MOST_STUDENTS} people have answered this exercise, as many as it takes; tell who gave it")


def _require(connection, exercise, role):
    """Raise StoreError where there is no such exercise, or the person lacks a role in its project."""
    project = connection.execute(select(exercises.c.project_id).where(exercises.c.id == exercise)).scalar()
    if project is None:
        raise StoreError("This exercise was deleted; choose one from the list")
    if person_of(connection) is not None:
        require_project(connection, project, role=role)
