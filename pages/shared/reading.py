"""Large files, read in processes of their own: the page shows the progress with Stop, and stays usable."""

from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import WorkbenchError
from core.workspace.readings import Asker, Reading, Stopped
from pages.shared.admission import is_open
from pages.shared.basics import callback_errors, escape, refuse, session
from pages.shared.job_panel import POLL


def field_of_tab(field):
    """(tab, field): the name under which a field of this tab waits for a file."""
    return _tab(), field


def _tab():
    context = get_script_run_ctx()
    return None if context is None else context.session_id


def _asker(field):
    return Asker(field_of_tab(field), partial(is_open, _tab()))


def read_or_wait(field, read, ended=None):
    """The result of ``read(asker)``; None while a process reads, whose progress is drawn, and after a stop.

    Parameters
    ----------
    field : str
        Names who waits among the fields of this tab.
    read : callable
        Given an Asker, it may raise Reading and Stopped. What else it raises is raised here.
    ended : callable, optional
        Called when the reading has ended, before the page is drawn anew.
    """
    try:
        return read(_asker(field))
    except Reading:
        _watch(field, ended)
    except Stopped as stopped:
        _stopped(field, stopped)
    return None


def upload_field(label, field, take, problem=None, **how):
    """Draw a field for a file, which ``take(name, data, asker)`` is given in a callback.

    Where that raises Reading, the field says how far it is; then a button hands the file over again.

    Parameters
    ----------
    label, how
        As ``st.file_uploader`` takes them.
    field : str
        The field's key.
    take : callable
    problem : str, optional
        As in ``callback_errors``.
    """
    upload = st.file_uploader(label, key=field, on_change=_take, args=(field, take, problem), **how)
    if upload is not None:
        waiting_line(field, partial(_take, field, take, problem), f"Add {escape(upload.name)}")


def waiting_line(field, take, label):
    """Draw the progress of what a field waits for and, at its end, a button that calls ``take()``.

    Returns whether the field waits for anything.
    """
    reading = session().workspace.readings.look(field_of_tab(field))
    if reading is None:
        return False
    if not reading.ended:
        _watch(field)
    elif isinstance(reading.error, Stopped):
        _stopped(field, reading.error, take)
    elif isinstance(reading.error, WorkbenchError):
        refuse(reading.error)
    else:
        st.button(label, key=f"{field}_take", on_click=take)
    return True


def hand_over(field, take):
    """Call ``take(asker)``, in a callback; returns False while its file is still being read for ``field``."""
    try:
        take(_asker(field))
    except Reading:
        return False
    return True


def _take(field, take, problem):
    upload = st.session_state[field]
    if upload is None:
        session().workspace.readings.leave(field_of_tab(field))
        return
    with callback_errors(problem, rerun=True):
        hand_over(field, partial(take, upload.name, upload.getvalue()))


def _watch(field, ended=None):
    st.fragment(_progress, run_every=POLL)(field, ended)


def _progress(field, ended):
    readings, waiting = session().workspace.readings, field_of_tab(field)
    reading = readings.look(waiting)
    if reading is None or reading.ended:
        if ended is not None:
            ended()
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        name, seconds = escape(reading.name), f"{reading.seconds:.0f} s"
        doing = f"{name} waits until other files are read" if reading.waits else f"Reading {name}"
        st.progress(0.0, text=f"{doing} · {seconds}")
        st.button("Stop", key=f"{field}_stop", icon=":material/stop:", on_click=readings.stop, args=(waiting,))


def _stopped(field, stopped, take=None):
    refuse(stopped, ":material/pause_circle:")
    st.button("Read it", key=f"{field}_read", on_click=_read_again, args=(field, take))


def _read_again(field, take):
    session().workspace.readings.leave(field_of_tab(field))
    if take is not None:
        take()
