"""The exercises of a project: made from what Teach shows, judged as answers come in, and what a class has answered."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import SupportsIndex

import numpy as np

from core.errors import WorkbenchError
from core.files.tables import columns_of, separated
from core.store import Corpus
from core.store.exercises import GivenAnswer, GivenExercise, moment, student_of
from core.store.schema import now, stored
from core.teach.answer_code import read_code
from core.teach.exercise import (
    CELL,
    CONSTRAINT,
    MOST_TASKS,
    MOVE,
    SHARE,
    TREE,
    AnswerRules,
    ClassTask,
    cell_tasks,
    constraint_task,
    has_cells,
    judge,
    move_tasks,
    share_of,
    solution,
    tree_task,
    verdict,
)
from core.teach.exercise_page import exercise_page, name_of
from core.teach.lessons import Lesson
from core.teach.step import numbered
from core.trees import maximum_spanning_tree
from core.workspace.teach.choice import CORPUS, PARSER, Choice
from core.workspace.teach.room import TeachRoom
from core.workspace.workspace import Workspace

LONGEST_DAYS = 365
SHORT_KEY = 4  # letters that tell two students of one name apart


@dataclass(frozen=True)
class ClassResults:
    """What a class has answered, as columns of tables.

    Attributes
    ----------
    students : dict
        A row for each student: "student", "tasks right", "answered", then each task's share of the last try.
    errors : dict
        The most frequent wrong answers first: "task", "answer", "students", "right".
    keys : list of str
        The student of each row of ``students``.
    """

    students: dict[str, list]
    errors: dict[str, list]
    keys: list[str]


class ExerciseRoom:
    """Exercises of projects. What students do needs a link alone; who asks for all else is the workspace's person."""

    def __init__(self, workspace: Workspace):
        self.workspace, self.store, self._kept = workspace, workspace.store, workspace.cache.get
        self.teach = TeachRoom(workspace)

    def offered(self, corpus: Corpus, choice: Choice) -> tuple[str, ...]:
        """Which kinds of tasks can be made of what is shown. Raises WorkbenchError as its trace does."""
        trace, example = self.teach.trace(corpus, choice), self.teach.example(corpus, choice)
        has_tree = choice.source == CORPUS and example.second is None and self.teach.has_tree(corpus, choice)
        possible = {
            MOVE: any(step.question is not None for step in trace.steps),
            CELL: has_cells(trace),
            TREE: has_tree,
            CONSTRAINT: has_tree and self.teach.has_trees(corpus) and any(example.tags),
        }
        return tuple(kind for kind, is_possible in possible.items() if is_possible)

    def tasks(
        self, corpus: Corpus, choice: Choice, kind: str, numbers: Iterable[int] = (), only: int | None = None
    ) -> list[ClassTask]:  # fmt: skip
        """The tasks of a kind: of the trace of a Choice, or of sentences, from 1, with trees; else of its own sentence.

        ``only`` is the step, from 0, that answers the one question that is asked. Raises WorkbenchError where there is
        none, with what to do.
        """
        if kind in (MOVE, CELL):
            traced = self.teach.trace(corpus, choice), self.teach.example(corpus, choice)
            tasks = move_tasks(*traced, only=only) if kind == MOVE else cell_tasks(*traced)
        else:
            make = self._tree if kind == TREE else self._mending
            sentences = (replace(choice, source=CORPUS, sentence=number) for number in numbers or [choice.sentence])
            tasks = [task for sentence in sentences for task in make(corpus, sentence)]
        if not tasks:
            raise WorkbenchError(
                "the parser has made no error here; choose other sentences" if kind == CONSTRAINT else
                "nothing here can be asked; choose another algorithm or sentence"
            )  # fmt: skip
        if len(tasks) > MOST_TASKS:
            raise WorkbenchError(
                f"an exercise has at most {MOST_TASKS} tasks, and these are {len(tasks)}; choose fewer"
            )
        return tasks

    def with_trees(self, corpus: Corpus, numbers: Iterable[int]) -> list[int]:
        """Those of the sentences, numbers from 1, that have whole trees, ``MOST_TASKS`` at most. Raises WorkbenchError
        where none has."""
        bank = self.workspace.treebank(corpus)
        whole = [number for number in dict.fromkeys(numbers) if (bank[number - 1].heads[1:] >= 0).all()]
        if not whole:
            raise WorkbenchError("no sentence that was handed over has a whole tree; annotate one first")
        return whole[:MOST_TASKS]

    def of_lesson(self, corpus: Corpus, lesson: Lesson) -> list[ClassTask]:
        """The questions of a Lesson's stops, as many of each as fit. Raises WorkbenchError."""
        stops = self.teach.traced(corpus, lesson)
        seen = {one.shown: one for one in stops}.values()
        most = max(1, MOST_TASKS // len(seen))
        return [task for one in seen for task in move_tasks(one.trace, one.example, most)][:MOST_TASKS]

    def _tree(self, corpus, choice):
        self._require_tree(corpus, choice)
        bank = self.teach.sentence(corpus, choice)
        known = self.workspace.treebank(corpus).deprel
        used = sorted({known.values[k] for k in np.unique(known.ids)} - {"", "_"})
        return [tree_task(bank, used if all(bank[0].deprels[1:]) else ())]

    def _require_tree(self, corpus, choice):
        if not self.teach.has_tree(corpus, choice):
            raise WorkbenchError(f"sentence {choice.sentence} has no whole tree; annotate it first")

    def _mending(self, corpus, choice):
        """A task for each word of a sentence that the parser attaches to a wrong head."""
        self._require_tree(corpus, choice)
        bank = self.teach.sentence(corpus, choice)
        scores = self.teach.scores_of(corpus, replace(choice, scores=PARSER), bank)
        heads, parsed, marks = bank[0].heads, maximum_spanning_tree(scores), bank.punctuation()
        words, tags = bank[0].forms, getattr(bank[0], bank.coarse_name)
        wrong = [m for m in range(1, len(heads)) if heads[m] != parsed[m] and not marks[m]]
        return [constraint_task(words, tags, (int(heads[m]), m), int(parsed[m])) for m in wrong]

    def give(
        self, project: SupportsIndex, title: str, tasks: Sequence[ClassTask], rules: AnswerRules, days: float
    ) -> GivenExercise:  # fmt: skip
        """Keep tasks under a link that is open for so many days. Raises StoreError, and WorkbenchError for bad days."""
        if not 0 < days <= LONGEST_DAYS:
            raise WorkbenchError(f"an exercise is open for at most {LONGEST_DAYS} days, got {days:g}")
        values = [asdict(task) for task in tasks]
        return self.store.give_exercise(project, title, asdict(rules), values, now() + timedelta(days=days))

    def tasks_of(self, exercise: GivenExercise) -> list[ClassTask]:
        """The Tasks that were given, which never change."""
        return self._kept(
            "exercise tasks", exercise.id, lambda: list(map(read_task, self.store.tasks_given(exercise.id)))
        )

    def page(self, exercise: GivenExercise, as_file: bool = False) -> tuple[bytes, str]:
        """(the web page, what it may do); ``as_file`` needs no server, and answers come back as codes."""
        name = name_of(exercise.link) if as_file else ""
        ends = "" if as_file else f"Open until {moment(exercise.ends)}"
        key = exercise.id, name, ends
        rules = rules_of(exercise)
        return self._kept(
            "exercise pages", key, lambda: exercise_page(exercise.title, self.tasks_of(exercise), rules, ends, name)
        )

    def answer(self, exercise: GivenExercise, key: str, name: str, task: object, answer: object) -> dict:
        """Judge and keep a try; returns ``state``. Raises WorkbenchError where it is no answer, and StoreError."""
        tasks, rules = self.tasks_of(exercise), rules_of(exercise)
        if type(task) is not int or not 0 <= task < len(tasks) or not isinstance(answer, list):
            raise WorkbenchError("this is no answer to a task of this exercise; load the page again")
        share = share_of(judge(tasks[task], answer))
        tries = self.store.answer_exercise(exercise, key, name, task, answer, share, rules.tries)
        return _state(tasks, rules, tries)

    def state(self, exercise: GivenExercise, key: str) -> dict:
        """What the page of one student shows, as JSON values: her "name", "tries" by task, and the "total" right."""
        return _state(self.tasks_of(exercise), rules_of(exercise), self.store.tries_of(exercise, key))

    def take_code(self, exercise: GivenExercise, code: str) -> tuple[str, int]:
        """(name, tries that were new) of a code that a student has sent.

        Raises WorkbenchError where it is none of this exercise.
        """
        sent, tasks, rules = read_code(code), self.tasks_of(exercise), rules_of(exercise)
        if sent.exercise != name_of(exercise.link):
            raise WorkbenchError("this code is of another exercise; paste it where that one is chosen")
        tries = self.store.tries_of(exercise, sent.key)
        known, fresh = Counter(one.task for one in tries), 0
        for task, answer in sent.tries:
            known[task] -= 1
            if known[task] >= 0 or not 0 <= task < len(tasks):
                continue
            share = share_of(judge(tasks[task], answer))
            self.store.answer_exercise(exercise, sent.key, sent.name, task, answer, share, rules.tries)
            fresh += 1
        return sent.name or student_of(sent.key)[:SHORT_KEY], fresh

    def results(self, exercise: GivenExercise) -> ClassResults:
        """What the class has answered so far. O(tries)."""
        given, tasks = self.store.answers_given(exercise.id), self.tasks_of(exercise)
        by_student: dict[str, dict[int, GivenAnswer]] = defaultdict(dict)
        for one in given:
            by_student[one.student][one.task] = one  # the last try
        names = [f"task {k + 1}" for k in range(len(tasks))]
        rows = [
            (said_name(last), sum(one.share == 1 for one in last.values()), len(last),
             *(last[k].share if k in last else None for k in range(len(tasks))))
            for last in by_student.values()
        ]  # fmt: skip
        students = columns_of(("student", "tasks right", "answered", *names), rows)
        return ClassResults(students, _errors(tasks, given), list(by_student))

    def tries(self, exercise: GivenExercise, student: str) -> dict[str, list]:
        """All tries of a student as columns: "task", "try", "answer", "share right", "time"."""
        tasks = self.tasks_of(exercise)
        rows = [
            (one.task + 1, one.attempt, said_answer(tasks[one.task], one.answer), one.share, moment(one.time))
            for one in self.store.answers_given(exercise.id)
            if one.student == student
        ]
        return columns_of(("task", "try", "answer", "share right", "time"), rows)

    def csv(self, exercise: GivenExercise) -> str:
        """All tries of all students, as the text of a table."""
        tasks = self.tasks_of(exercise)
        head = ("student", "name", "task", "kind", "asks", "try", "answer", "right answer", "share right", "time")
        rows = [
            (one.student[:12], one.name, one.task + 1, task.kind, task.asks, one.attempt,
             said_answer(task, one.answer), solution(task), one.share, one.time.isoformat(timespec="seconds"))
            for one in self.store.answers_given(exercise.id)
            for task in (tasks[one.task],)
        ]  # fmt: skip
        return separated(head, rows)


def read_task(values: Mapping) -> ClassTask:
    """The ClassTask of stored values. Raises StoreError where they are none."""
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return stored(ClassTask, {**values, **lists, "table": tuple(map(tuple, values.get("table", ())))})


def rules_of(exercise: GivenExercise) -> AnswerRules:
    """How an exercise is answered."""
    return stored(AnswerRules, exercise.settings)


def said_name(last: Mapping[int, GivenAnswer]) -> str:
    """A student's name as typed last, and a few letters of her own: two may have one name."""
    newest = max(last.values(), key=lambda one: one.time)
    return f"{newest.name or 'no name'} · {newest.student[:SHORT_KEY]}"


def said_answer(task: ClassTask, answer: Sequence[str]) -> str:
    """An answer in words; of a tree its words that are wrong."""
    if task.kind != TREE:
        return answer[0]
    wrong = [
        f"{numbered(task.words, m)} ← {given or '?'}"
        for m, (given, right) in enumerate(zip(answer, task.right, strict=True), start=1)
        if right and given != right
    ]
    return "; ".join(wrong) or "all right"


def _state(tasks, rules, tries):
    of_tasks: list[list[dict]] = [[] for _ in tasks]
    for one in tries:
        last = one.attempt >= rules.tries
        said = verdict(tasks[one.task], one.answer, rules, last)
        of_tasks[one.task].append({"answer": one.answer, "verdict": said})
    shares = {one.task: one.share for one in tries}
    total = None
    if rules.feedback == SHARE and len(shares) == len(tasks):
        total = [sum(share == 1 for share in shares.values()), len(tasks)]
    return {"name": tries[-1].name if tries else "", "tries": of_tasks, "total": total}


def _errors(tasks, given):
    """The wrong parts of all last answers, the most frequent first: each student counts once."""
    last = {(one.student, one.task): one for one in given}
    counts: Counter = Counter()
    for (_, k), one in last.items():
        counts.update((k, *wrong) for wrong in _wrong(tasks[k], one.answer, one.share))
    rows = [(k + 1, answer, count, right) for (k, answer, right), count in counts.most_common()]
    return columns_of(("task", "answer", "students", "right"), rows)


def _wrong(task, answer, share):
    """(wrong part of an answer, what is right) in words."""
    if task.kind != TREE:
        return [(answer[0], solution(task))] if share < 1 else []
    return [
        (f"{numbered(task.words, m)} ← {given or '?'}", right)
        for m, (given, right) in enumerate(zip(answer, task.right, strict=True), start=1)
        if right and given != right
    ]
