"""Exercises for a class: make one of what is shown, and see what was answered."""

from datetime import timedelta
from functools import partial

import streamlit as st

from core.store.exercises import moment
from core.store.schema import now
from core.teach.algorithms import ALGORITHMS
from core.teach.exercise import (
    ANSWER,
    CELL,
    CONSTRAINT,
    MOST_TASKS,
    MOST_TRIES,
    MOVE,
    NONE,
    SHARE,
    TREE,
    WHICH,
    AnswerRules,
)
from core.teach.exercise_page import name_of
from core.workspace.constraints.known_trees import parse_numbers
from core.workspace.teach.choice import CORPUS, Choice
from core.workspace.teach.exercises import LONGEST_DAYS, ExerciseRoom
from pages.shared.basics import callback_errors, escape, flash, report_errors, session
from pages.shared.teach.exercise_server import PATH
from pages.shared.teach.lessons import opened_lesson
from pages.shared.teach.state import show
from pages.shared.teach.view_state import TeachView
from pages.shared.widgets import action_button, choose_from, download, draw_table, share_column

LESSON = "lesson"
KINDS = {
    MOVE: "Predict steps", CELL: "Work out values", TREE: "Annotate", CONSTRAINT: "Mend by a constraint",
    LESSON: "The lesson’s questions",
}  # fmt: skip
SAYS = {
    NONE: "Nothing", SHARE: "How many tasks are right", WHICH: "Which answers are right",
    ANSWER: "The answer, and why",
}  # fmt: skip
CHOSEN, STUDENT = "teach_exercise", "teach_exercise_student"
KIND, TITLE, FEEDBACK, TRIES, DAYS = (f"teach_give_{name}" for name in ("kind", "title", "feedback", "tries", "days"))
ONLY, SENTENCES, CODE = "teach_give_only", "teach_give_sentences", "teach_exercise_code"
GIVING = "teach_exercises"
LOOK = 5  # seconds between two looks at what was answered


def rooms():
    """The ExerciseRoom for who is signed in. Raises StoreError."""
    return session().room(ExerciseRoom)


def take_sentences(corpus):
    """Open the box for those sentences that another page has handed over; before any widget is drawn."""
    handed, TeachView().handed = TeachView().handed, None
    if not handed:
        return
    with report_errors():
        TeachView().asked = numbers = tuple(rooms().with_trees(corpus, handed))
        show(Choice(next(iter(ALGORITHMS)), CORPUS, numbers[0]))
        st.session_state[GIVING], st.session_state[KIND] = True, TREE
        st.session_state.pop(SENTENCES, None)
        flash("The form of the exercise is open below the picture")


def exercise_box(corpus, choice):
    """Draw what gives exercises to a class, and what was answered; off, and then nothing is computed."""
    help_text = "Tasks from what is shown, behind a link that anybody may answer, and what was answered so far"
    if not st.toggle("Exercises for a class", key=GIVING, help=help_text):
        return
    left, right = st.columns([2, 3], gap="large")
    with left, report_errors():
        _give(corpus, choice)
    with right, report_errors():
        _given()


def _give(corpus, choice):
    kinds = [*rooms().offered(corpus, choice), *([LESSON] if opened_lesson() is not None else [])]
    if not kinds:
        st.caption("Nothing here can be asked; choose another algorithm or sentence.")
        return
    st.caption(f"Makes a page of at most {MOST_TASKS} tasks. Whoever has its link may answer, without signing in.")
    if st.session_state.get(KIND) not in kinds:
        st.session_state[KIND] = kinds[0]
    kind = choose_from(st.selectbox, "Tasks", {kind: KINDS[kind] for kind in kinds}, key=KIND)
    if kind == MOVE:
        st.toggle("Only the next step", key=ONLY)
    if kind in (TREE, CONSTRAINT):
        numbers = TeachView().asked if choice.sentence in TeachView().asked else (choice.sentence,)
        value = ", ".join(map(str, numbers))
        st.text_input("Sentences", value, key=SENTENCES, help="Numbers and ranges, such as `3, 8-12`")
    st.text_input("Title", "Exercise", key=TITLE, max_chars=100)
    choose_from(st.selectbox, "After an answer, say", SAYS, index=2, key=FEEDBACK)
    first, second = st.columns(2)
    first.number_input("Tries", 1, MOST_TRIES, 3, key=TRIES)
    second.number_input("Days open", 1, LONGEST_DAYS, 7, key=DAYS)
    action_button("Make a link", "teach_give", "link", _make, corpus, choice, kind, type="primary")


@callback_errors()
def _make(corpus, choice: Choice, kind):
    state = st.session_state
    lesson = opened_lesson() if kind == LESSON else None
    if lesson is not None:
        tasks = rooms().of_lesson(corpus, lesson)
    else:
        wants_numbers = kind in (TREE, CONSTRAINT)
        count = len(session().workspace.treebank(corpus))
        numbers = parse_numbers(state.get(SENTENCES, ""), count) if wants_numbers else ()
        only = TeachView().step if kind == MOVE and state.get(ONLY) else None
        tasks = rooms().tasks(corpus, choice, kind, numbers, only)
    rules = AnswerRules(state[FEEDBACK], int(state[TRIES]))
    given = rooms().give(session().project, state[TITLE], tasks, rules, float(state[DAYS]))
    state[CHOSEN] = given.id
    flash("The exercise is open; its link is beside this form")


def _given():
    known = {one.id: one for one in session().store.exercises(session().project)}
    if not known:
        st.caption("The project has no exercise yet. Its link, its answers and its results will stand here.")
        return
    if st.session_state.get(CHOSEN) not in known:
        st.session_state[CHOSEN] = next(iter(known))
    names = {key: f"{one.title} · {_until(one)}" for key, one in known.items()}
    exercise = known[choose_from(st.selectbox, "Exercise", names, key=CHOSEN)]
    root = (st.context.url or "").rsplit("/", 1)[0]
    st.code(f"{root}/{PATH}/{exercise.link}", language=None, wrap_lines=True)
    with st.container(horizontal=True, gap="small"):
        if exercise.has_ended:
            action_button("Open for a week", "teach_exercise_open", "lock_open", _end, exercise.id, 7, type="tertiary")
        else:
            action_button("End now", "teach_exercise_end", "lock", _end, exercise.id, 0, type="tertiary")
        download(
            "Web page", partial(_file, exercise), f"{exercise.title}.html", "teach_exercise_file", mime="text/html",
            help="The same exercise as one file, for where no server is reached: it gives each student a code to send "
            "to you. Where it says what is right, the file holds it",
        )  # fmt: skip
        _deletion(exercise)
    st.fragment(_results, run_every=None if exercise.has_ended else LOOK)(exercise)
    _codes(exercise)


def _file(exercise):
    return rooms().page(exercise, as_file=True)[0]


def _until(exercise):
    return f"ended {moment(exercise.ends)}" if exercise.has_ended else f"open until {moment(exercise.ends)}"


def _deletion(exercise):
    with st.popover("Delete", icon=":material/delete:", key=f"teach_exercise_delete_{exercise.id}"):
        st.write("Its link opens nothing any more, and all answers are gone for good. No undo brings them back.")
        action_button("Delete it with all answers", "teach_exercise_deleted", "delete", _delete, exercise.id)


@callback_errors()
def _end(exercise, days):
    session().store.end_exercise(exercise, now() + timedelta(days=days))


@callback_errors()
def _delete(exercise):
    session().store.delete_exercise(exercise)
    st.session_state.pop(CHOSEN, None)
    flash("The exercise and its answers are deleted")


@report_errors()
def _results(exercise):
    results = rooms().results(exercise)
    if not results.keys:
        st.caption("Nobody has answered yet. Answers appear here within seconds.")
        return
    tasks = [name for name in results.students if name.startswith("task ")]
    shown = results.students | {
        name: [None if share is None else 100 * share for share in results.students[name]] for name in tasks
    }
    draw_table(
        shown, key=f"teach_results_{exercise.id}", keep=STUDENT, most=330,
        columns={"student": "Student", "tasks right": "Right", "answered": "Answered"}
        | {name: share_column(80, name.capitalize()) for name in tasks},
        alt=f"{len(results.keys)} students, and what is right in the last try at each task; choose one for all tries",
    )  # fmt: skip
    place = st.session_state.get(STUDENT)
    if place is not None and place < len(results.keys):
        st.markdown(f"**{escape(results.students['student'][place])}**")
        tries = rooms().tries(exercise, results.keys[place])
        draw_table(tries, key="teach_tries", most=260, alt="All tries of this student, in order")
    if results.errors["task"]:
        st.markdown("**Most frequent errors**")
        draw_table(results.errors, key="teach_errors", most=260, alt="Wrong last answers, the most frequent first")
    download(
        "All tries, CSV", lambda: rooms().csv(exercise), f"{exercise.title}.csv", f"teach_exercise_csv_{exercise.id}",
        mime="text/csv",
    )  # fmt: skip


def _codes(exercise):
    with st.popover("Take in codes", icon=":material/content_paste:", key=f"teach_codes_{name_of(exercise.link)}"):
        st.text_area("Codes of students, one under the other", key=CODE, max_chars=1_000_000)
        action_button("Take in", "teach_codes_take", None, _take, exercise, type="primary")


@callback_errors()
def _take(exercise):
    names = []
    for code in st.session_state[CODE].split():
        names.append(rooms().take_code(exercise, code)[0])
        st.session_state[CODE] = st.session_state[CODE].replace(code, "", 1).strip()
    flash(escape(f"Taken in: {', '.join(names) or 'no code'}"))
