"""Exercises in the store: a link opens one of them until it ends, and every try is kept once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from core.errors import StoreError
from core.store import exercises as module
from core.store.exercises import NO_EXERCISE, student_of
from core.store.schema import answers, exercises, now
from tests.filled import filled

TASKS = [{"kind": "move"}, {"kind": "cell"}]
SOON = timedelta(days=1)


def given(store, project, title="Trees"):
    return store.give_exercise(project, title, {"tries": 2}, TASKS, now() + SOON)


def rows(store, table):
    with store.database.read() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def test_a_link_opens_one_exercise_with_its_tasks(store):
    project = store.default_project()
    first, second = given(store, project), given(store, project, "More")
    assert len({first.link, second.link}) == 2 and len(first.link) >= 22  # 128 bits, six a letter
    assert store.exercise_at(first.link) == first and store.tasks_given(first.id) == TASKS
    assert [one.id for one in store.exercises(project)] == [second.id, first.id]
    for link in (first.link[:-1], first.link + "x", "", str(first.id)):
        with pytest.raises(StoreError, match="no exercise at this link"):
            store.exercise_at(link)


def test_tries_are_counted_by_student_and_task(store):
    one = given(store, store.default_project())
    for key, task in (("a", 0), ("a", 1), ("b", 0), ("a", 0)):
        store.answer_exercise(one, key, " Ana\n B ", task, ["x"], 0.5, 2)
    assert [(answer.task, answer.attempt) for answer in store.tries_of(one, "a")] == [(0, 1), (1, 1), (0, 2)]
    with pytest.raises(StoreError, match="used up"):
        store.answer_exercise(one, "a", "Ana", 0, ["x"], 0.5, 2)
    known = store.answers_given(one.id)
    assert len(known) == 4 and {answer.name for answer in known} == {"Ana B"}
    assert {answer.student for answer in known} == {student_of("a"), student_of("b")}  # two of one name


def test_nothing_is_kept_that_is_too_late_or_too_long(store, monkeypatch):
    one = given(store, store.default_project())
    with pytest.raises(StoreError, match="too long"):
        store.answer_exercise(one, "a", "", 0, ["x" * 30_000], 0, 2)
    monkeypatch.setattr(module, "MOST_STUDENTS", 1)
    store.answer_exercise(one, "a", "", 0, ["x"], 0, 2)
    with pytest.raises(StoreError, match="as many as it takes"):
        store.answer_exercise(one, "b", "", 0, ["x"], 0, 2)
    store.end_exercise(one.id)
    with pytest.raises(StoreError, match="ended on"):
        store.answer_exercise(one, "a", "", 0, ["x"], 0, 2)
    assert len(store.answers_given(one.id)) == 1 and store.exercise_at(one.link).has_ended
    store.end_exercise(one.id, now() + SOON)
    store.answer_exercise(one, "a", "", 0, ["x"], 0, 2)
    store.delete_exercise(one.id)
    assert rows(store, answers) == rows(store, exercises) == 0
    for refused in filled(
        [lambda: store.answer_exercise(one, "a", "", 1, ["x"], 0, 2), lambda: store.exercise_at(one.link)]
    ):
        with pytest.raises(StoreError, match=NO_EXERCISE[:30]):
            refused()


def test_a_class_that_answers_at_once_loses_nothing_and_gets_no_try_more(store):
    one = given(store, store.default_project())

    def answer(number):
        try:
            store.answer_exercise(one, f"key {number % 10}", "", 0, [str(number)], 0, 2)
        except StoreError:
            return 1
        return 0

    with ThreadPoolExecutor(8) as pool:
        refused = sum(pool.map(answer, range(30)))
    assert refused == 10 and len(store.answers_given(one.id)) == 20


def test_they_go_with_their_project_and_are_not_open_from_the_trash(store):
    project = store.create_project("Class")
    one = given(store, project)
    store.answer_exercise(one, "a", "", 0, ["x"], 0, 2)
    assert store.usage(project).exercises > 0
    store.delete_project(project)
    with pytest.raises(StoreError, match="no exercise at this link"):
        store.exercise_at(one.link)
    store.purge_project(project)
    assert rows(store, answers) == rows(store, exercises) == 0


def test_who_may_only_read_gives_none_and_sees_no_names(store):
    project = store.create_project("Class")
    store.set_role(project, "ona@example.org", "annotator")
    store.set_role(project, "rea@example.org", "reader")
    one = given(store.on_behalf_of("ona@example.org"), project)
    assert one.author == "ona@example.org"
    reader, stranger = store.on_behalf_of("rea@example.org"), store.on_behalf_of("eve@example.org")
    assert reader.exercises(project) == [one]
    for refused in filled([
        lambda: given(reader, project), lambda: reader.answers_given(one.id), lambda: reader.delete_exercise(one.id),
        lambda: stranger.exercises(project), lambda: stranger.tasks_given(one.id),
    ]):  # fmt: skip
        with pytest.raises(StoreError):
            refused()
