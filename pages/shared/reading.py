"""Large files, read in processes of their own: the page says how far, offers to stop, and works on meanwhile."""

from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.workspace.readings import Asker, Reading, Stopped
from pages.shared.admission import is_open
from pages.shared.basics import escape, refuse, session
from pages.shared.job_panel import POLL


def place_of(field):
    """What names a field of this tab, which waits for one file."""
    return _tab(), field


def _tab():
    context = get_script_run_ctx()
    return None if context is None else context.session_id


def read_or_wait(field, read, ended=None):
    """What ``read(asker)`` gives; None while a process reads, which is drawn, and where that was stopped.

    Parameters
    ----------
    field : str
        Names who waits among the fields of this tab.
    read : callable
        Given an Asker, it may raise Reading and Stopped. What else it raises is raised here.
    ended : callable, optional
        Called when the reading has ended, before the page is drawn anew.
    """
    tab, place = _tab(), place_of(field)
    try:
        return read(Asker(place, partial(is_open, tab)))
    except Reading:
        st.fragment(_watch, run_every=POLL)(place, ended)
    except Stopped as stopped:
        refuse(stopped, ":material/pause_circle:")
        st.button("Read it", key=f"{field}_read", on_click=session().workspace.readings.leave, args=(place,))
    return None


def _watch(place, ended):
    readings = session().workspace.readings
    reading = readings.look(place)
    if reading is None:
        if ended is not None:
            ended()
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        name, seconds = escape(reading.name), f"{reading.seconds:.0f} s"
        said = f"{name} waits until other files are read" if reading.waits else f"Reading {name}"
        st.progress(0.0, text=f"{said} · {seconds}")
        st.button("Stop", key=f"{place[1]}_stop", icon=":material/stop:", on_click=readings.stop, args=(place,))
