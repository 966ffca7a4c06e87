"""Errors and toasts: an error while a page is drawn, or in a callback, is shown as a sentence in its place."""

import os
from contextlib import contextmanager

import streamlit as st

from core.errors import WorkbenchError
from core.serving.failures import failure_sentence
from core.workspace import escape

TRACEBACKS = "WORKBENCH_TRACEBACKS"  # set where pages are developed and tested: what fails is shown as it is


def flash(message, icon=":material/check:"):
    """Show a toast once, after the next rerun."""
    st.session_state["shared_flash"] = (message, icon)


def error_text(error):
    """An expected error as a sentence: it begins with a capital letter, unless with a name such as a file's."""
    sentence = str(error)
    first = sentence.split(" ", 1)[0]
    return escape(sentence[:1].upper() + sentence[1:] if first.isalpha() and first.islower() else sentence)


def refuse(error, icon=":material/error:"):
    """Show an expected error where it belongs."""
    st.error(error_text(error), icon=icon)


def show_flash():
    """Show the toast that ``flash`` was given."""
    message, icon = st.session_state.pop("shared_flash", (None, None))
    if message:
        st.toast(message, icon=icon)


@contextmanager
def report_errors(stop=False, link_to_fix=False, show=refuse):
    """Context manager or decorator of what draws: a WorkbenchError raised in it is shown in its place.

    Any other error is shown as a sentence with its number in the log.

    Parameters
    ----------
    stop : bool
        Whether nothing of the page is drawn after it.
    link_to_fix : bool
        Whether a link to the Corpus page, where it can be fixed, is shown with it.
    show : callable
        ``show(error)`` draws it.
    """
    try:
        yield
    except WorkbenchError as error:
        show(error)
        if link_to_fix:
            st.page_link("pages/corpus.py", label="Open the Corpus page", icon=":material/menu_book:")
        if stop:
            st.stop()
    except Exception as error:
        if TRACEBACKS in os.environ:
            raise
        st.error(f"Here {failure_sentence(error)}.", icon=":material/bug_report:")
        if stop:
            st.stop()


def show_quietly(error):
    """Show an expected error as a caption; for ``report_errors``."""
    st.caption(error_text(error))


@contextmanager
def callback_errors(problem=None, rerun=False):
    """Context manager or decorator of a callback: a WorkbenchError raised in it is shown once, after the rerun.

    It is a toast; where the key ``problem`` is given, ``show_problem(problem)`` shows it. With ``rerun`` the whole page
    is drawn anew, also where the callback is a fragment's.
    """
    try:
        yield
    except WorkbenchError as error:
        if problem is None:
            flash(error_text(error), ":material/error:")
        else:
            st.session_state[problem] = error
    except Exception as error:
        if TRACEBACKS in os.environ:
            raise
        flash(f"Here {failure_sentence(error)}.", ":material/bug_report:")
    if rerun:
        st.rerun("app")


def show_problem(key):
    """Show once what went wrong in the last ``callback_errors`` with this key."""
    problem = st.session_state.pop(key, None)
    if problem:
        refuse(problem)
