"""Lessons: open one and go from stop to stop, put the state on the page into one, take it along as a file."""

import streamlit as st

from core.errors import WorkbenchError
from core.teach.lessons import LARGEST, format_lesson, parse_lesson
from core.workspace import escape
from core.workspace.teach import choice_of
from pages.shared.links import say_gone
from pages.shared.state import flash, project, refuse
from pages.shared.teach_state import STEP, desk, show

LESSON, STOP = "teach_lesson", "teach_stop"
MEGABYTES = max(1, LARGEST // 1_000_000)


def arrive():
    """A link that names a stop of a lesson shows it, but for what else the link says; before any widget is drawn."""
    if "teach_begun" in st.session_state:
        return
    st.session_state["teach_begun"] = True
    title = st.query_params.get(LESSON)  # what the list shows
    lesson = next((each for each in desk().lessons(project())[0].values() if each.title == title), None)
    if lesson is None:
        return
    place = st.query_params.get(STOP, "1")
    place = int(place) if place.isdecimal() and 1 <= int(place) <= len(lesson.stops) else 1
    stop = lesson.stops[place - 1]
    show(choice_of(stop), stop.step, but=st.query_params)


def lesson_bar():
    """Draw the choice of a lesson and, where one is open, its stops and the notes of the one that is shown."""
    lessons, problems = desk().lessons(project())
    for problem in problems:
        st.warning(escape(f"A lesson of this project is left out: {problem}"), icon=":material/error:")
    if st.session_state.get(LESSON) not in (None, *lessons):
        st.session_state[LESSON] = None  # taken back; a value that only went would go on standing in the box
    titles = (lesson.title for lesson in lessons.values())
    say_gone(LESSON, titles, "lesson", "choose one, or open its file")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = st.selectbox(
            "Lesson", list(lessons), index=None, key=LESSON, bind="query-params", placeholder="Open a lesson",
            format_func=lambda name: lessons[name].title, label_visibility="collapsed", width=330, on_change=_open,
            icon=":material/school:",
        )  # fmt: skip
        if name is not None:
            lesson = lessons[name]
            if st.session_state.get(STOP, 1) > len(lesson.stops):
                st.session_state[STOP] = len(lesson.stops)  # stops were taken back
            place = st.pagination(
                len(lesson.stops), key=STOP, bind="query-params", max_visible_pages=7, on_change=_to_stop
            )
            minutes = f" · {lesson.minutes:g} minutes in all" if lesson.minutes else ""
            st.caption(f"Stop {place} of {len(lesson.stops)}{minutes}", width="content")
    if name is not None:
        stop = lesson.stops[place - 1]
        with st.container(border=True):
            st.markdown(f"**{escape(stop.title)}**  \n{escape(stop.notes)}")


def _open():
    if st.session_state[LESSON] is not None:
        st.session_state[STOP] = 1
        _to_stop()


def _to_stop():
    lesson = desk().lessons(project())[0].get(st.session_state[LESSON])
    if lesson is None:  # taken back meanwhile
        return
    stop = lesson.stops[min(st.session_state[STOP], len(lesson.stops)) - 1]
    show(choice_of(stop), stop.step)


def lesson_box(corpus, choice):
    """Draw what makes lessons: open a file, add this state, take a lesson along."""
    with st.expander("Make a lesson, or open one from a file", icon=":material/edit_note:"):
        left, right = st.columns(2, gap="large")
        with left:
            _add(corpus, choice)
        with right:
            _file()


def _add(corpus, choice):
    st.caption("The sentence, its scores and the step on the page become the last stop of the lesson.")
    with st.form("teach_add", border=False):
        name = st.text_input("Lesson", st.session_state.get("teach_mine", "My lesson"), max_chars=100)
        title = st.text_input("Title of the stop", max_chars=200)
        notes = st.text_area("Notes", max_chars=5000, height=90)
        if st.form_submit_button("Add this state", icon=":material/add:"):
            try:
                stop = desk().stop(corpus, choice, st.session_state.get(STEP, 1), title, notes)
                desk().add_stop(project(), name.strip() or "My lesson", stop)
            except WorkbenchError as error:
                refuse(error)
                return
            st.session_state["teach_mine"] = name
            flash("Added to the lesson")
            st.rerun()


def _file():
    upload = st.file_uploader(
        "A lesson file", type=["json"], max_upload_size=MEGABYTES, key="teach_upload",
        help=f"JSON as it is saved here, at most {MEGABYTES} MB",
    )  # fmt: skip
    if upload is not None and st.button("Open it", icon=":material/folder_open:", key="teach_open"):
        try:
            desk().open_lesson(project(), parse_lesson(upload.getvalue(), upload.name))
        except WorkbenchError as error:
            refuse(error)
            return
        flash("The lesson is in the list above")
        st.rerun()
    name = st.session_state.get(LESSON)
    if name is not None:
        lesson = desk().lessons(project())[0][name]
        st.download_button(
            f"Save “{lesson.title}”", format_lesson(lesson), f"{name}.json", "application/json",
            key="teach_save_lesson", icon=":material/download:", on_click="ignore", type="tertiary",
        )  # fmt: skip
