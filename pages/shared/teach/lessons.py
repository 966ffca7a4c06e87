"""Lessons: open one, go from stop to stop, add the page's state to one, reorder it, save it as a file."""

from functools import partial

import streamlit as st

from core.teach.lessons import LARGEST, format_lesson, parse_lesson
from core.workspace.teach.choice import choice_of
from core.workspace.teach.lessons import stop_table
from pages.shared.address import warn_gone
from pages.shared.basics import callback_errors, escape, flash, report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.teach.state import room, shelf, show
from pages.shared.teach.take_away import take_away
from pages.shared.teach.view_state import TeachView
from pages.shared.widgets import download, draw_table

OWN_LESSON, ROW, TURN = "teach_kept", "teach_kept_row", "teach_kept_turn"
MEGABYTES = max(1, LARGEST // 1_000_000)


def arrive():
    """Show the stop of a lesson that a link names, with what else the link says; before any widget is drawn."""
    if "teach_begun" in st.session_state:
        return
    st.session_state["teach_begun"] = True
    title = st.query_params.get(TeachView.lesson)  # what the list shows
    lesson = next((known for known in shelf().lessons(session().project)[0].values() if known.title == title), None)
    if lesson is None:
        return
    number = st.query_params.get(TeachView.stop, "1")
    number = int(number) if number.isdecimal() and 1 <= int(number) <= len(lesson.stops) else 1
    stop = lesson.stops[number - 1]
    show(choice_of(stop), stop.step, but=st.query_params)


def lesson_bar(summary):
    """Draw what the page does and the choice of a lesson; where one is open, instead its stops and the notes of one."""
    lessons, problems = shelf().lessons(session().project)
    for problem in problems:
        st.warning(escape(f"One lesson of this project cannot be opened: {problem}"), icon=":material/error:")
    if TeachView().lesson not in (None, *lessons):
        TeachView().lesson = None  # taken back; a value that only went would go on standing in the box
    titles = (lesson.title for lesson in lessons.values())
    warn_gone(TeachView.lesson, titles, "lesson", "choose one, or import its file")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        place = st.empty()
        name = st.selectbox(
            "Lesson", list(lessons), index=None, key=TeachView.lesson, bind="query-params", placeholder="Open a lesson",
            format_func=lambda name: lessons[name].title, label_visibility="collapsed", width=280, on_change=_open,
            icon=":material/school:",
        )  # fmt: skip
        if name is None:
            with place.container(width="content"):
                introduction(summary)
        else:
            lesson = lessons[name]
            if TeachView().stop > len(lesson.stops):
                TeachView().stop = len(lesson.stops)  # stops were taken back
            number = st.pagination(
                len(lesson.stops), key=TeachView.stop, bind="query-params", max_visible_pages=7, on_change=_to_stop
            )
            minutes = f" · {lesson.minutes:g} minute{'s' * (lesson.minutes != 1)} in all" if lesson.minutes else ""
            st.caption(f"Stop {number} of {len(lesson.stops)}{minutes}", width="content")
            take_away(name, lesson)
    if name is not None:
        stop = lesson.stops[number - 1]
        with st.container(border=True):
            st.markdown(f"**{escape(stop.title)}**  \n{escape(stop.notes)}")


def _open():
    if TeachView().lesson is not None:
        TeachView().stop = 1
        _to_stop()


def _to_stop():
    lesson = shelf().lessons(session().project)[0].get(TeachView().lesson)
    if lesson is None:  # taken back meanwhile
        return
    stop = lesson.stops[min(TeachView().stop, len(lesson.stops)) - 1]
    show(choice_of(stop), stop.step)


def opened_lesson():
    """The Lesson that is open, or None."""
    return shelf().lessons(session().project)[0].get(TeachView().lesson or "")


def open_stop():
    """(the Stop of the lesson that is open, whether another one follows); (None, False) without a lesson."""
    lesson = opened_lesson()
    if lesson is None:
        return None, False
    number = min(TeachView().stop, len(lesson.stops))
    return lesson.stops[number - 1], number < len(lesson.stops)


def next_stop():
    """Go to the next stop of the lesson that is open; in a callback."""
    TeachView().stop = TeachView().stop + 1
    _to_stop()
    st.rerun("app")  # the choices above follow


def lesson_box(corpus, choice):
    """Draw what makes lessons: add this state, import or save a file, change the stops of an own lesson.

    Returns the box, for what else a class is given.
    """
    asked = bool(TeachView().asked)  # by another page
    box = st.expander("Make a lesson, or an exercise for a class", expanded=asked, key="teach_make")
    with box:
        left, right = st.columns(2, gap="large")
        with left:
            _add(corpus, choice)
        with right:
            _file()
        _own_lessons()
    return box


def _add(corpus, choice):
    st.caption("Adds the sentence, its scores and this step as the last stop of a lesson.")
    with st.form("teach_add", border=False):
        name = st.text_input("Lesson", st.session_state.get("teach_mine", "My lesson"), max_chars=100) or ""
        title = st.text_input("Title of the stop", max_chars=200)
        notes = st.text_area("Notes", max_chars=5000, height=90)
        if st.form_submit_button("Add this state", icon=":material/add:"):
            with report_errors():
                stop = room().stop(corpus, choice, TeachView().step, title, notes)
                shelf().add_stop(session().project, name.strip() or "My lesson", stop)
                st.session_state["teach_mine"] = name
                _point_at(name.strip() or "My lesson", -1)
                flash("Added to the lesson")
                st.rerun()


@report_errors()
def _file():
    upload = st.file_uploader(
        "Lesson file", type=["json"], max_upload_size=MEGABYTES, key="teach_upload",
        help=f"JSON, as saved here, at most {MEGABYTES} MB",
    )  # fmt: skip
    if upload is not None and st.button("Import", icon=":material/upload_file:", key="teach_open"):
        shelf().open_lesson(session().project, parse_lesson(upload.getvalue(), upload.name))
        flash("The lesson is in the list above")
        st.rerun()
    name = TeachView().lesson
    if name is not None and name not in shelf().own_lessons(session().project):  # which are saved below
        _save(name, shelf().lessons(session().project)[0][name], "teach_save_lesson")


def _save(name, lesson, key):
    label = f"Save “{lesson.title}”"
    download(label, format_lesson(lesson), f"{name}.json", key, mime="application/json")


def _own_lessons():
    """Draw the stops of a lesson of this project: open one, move it, remove it."""
    lessons = shelf().own_lessons(session().project)
    if not lessons:
        return
    if st.session_state.get(OWN_LESSON) not in (None, *lessons):
        del st.session_state[OWN_LESSON]
    name = st.selectbox("Stops of the lesson", list(lessons), key=OWN_LESSON, width=330)
    count = len(lessons[name].stops)
    row = st.session_state.get(ROW, 0) % count
    table = stop_table(lessons[name])
    chosen = draw_table(
        table, key=f"teach_stops_{name}_{st.session_state.get(TURN, 0)}",
        columns={column: column.capitalize() for column in table}, on_select="rerun",
        selection_mode="single-row", selection_default={"selection": {"rows": [row]}},
        alt=f"The {count} stops of the lesson {name}; select a row to open, move or remove it",
    )["selection"]["rows"]  # fmt: skip
    index = chosen[0] if chosen and chosen[0] < count else None
    with st.container(horizontal=True, gap="small"):
        for label, icon, action, possible in (
            ("Open", "open_in_full", _open_stop, True),
            ("Move up", "arrow_upward", partial(_move, -1), index != 0),
            ("Move down", "arrow_downward", partial(_move, 1), index != count - 1),
            ("Remove", "delete", _remove, True),
        ):
            st.button(
                label, icon=f":material/{icon}:", key=f"teach_kept_{label.lower().replace(' ', '_')}", type="tertiary",
                disabled=index is None or not possible, on_click=action, args=(name, index),
            )  # fmt: skip
        _save(name, lessons[name], "teach_save_own")


def _point_at(name, index):
    """Have the list show a lesson and select one of its stops; before it is drawn."""
    st.session_state[OWN_LESSON], st.session_state[ROW] = name, index
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1  # a new table: a drawn one keeps its selection


@callback_errors()
def _open_stop(name, index):
    stop = shelf().own_stops(session().project, name, index)[index]
    show(choice_of(stop), stop.step)


@callback_errors()
def _move(by, name, index):
    shelf().move_stop(session().project, name, index, index + by)
    _point_at(name, index + by)


@callback_errors()
def _remove(name, index):
    shelf().remove_stop(session().project, name, index)
    _point_at(name, max(index - 1, 0))
