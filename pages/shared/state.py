"""What all pages share: the workbench of this process, who is here, the project and the corpus that are open."""

import os
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from core.errors import StoreError, WorkbenchError
from core.failures import failure_sentence
from core.workspace import Warmup, Workspace, escape

TRACEBACKS = "WORKBENCH_TRACEBACKS"  # set where pages are developed and tested: what fails is shown as it is
ENVIRONMENT = ("WORKBENCH_HOME", "WORKBENCH_DATABASE")  # where the store is: one workbench for each
_OF_RUN = ContextVar("what the runs of a session in this thread have opened", default=None)


@st.cache_resource(max_entries=32, show_spinner=False)
def _open(*_places):
    return Workspace.open()


@st.cache_resource(max_entries=1, show_spinner=False)
def warm_up():
    """The Warmup of this process, which compiles or loads the kernels in the background."""
    return Warmup()


def person():
    """The address of who is signed in, None in a workbench without sign-in. Raises StoreError."""
    if "is_logged_in" not in st.user:  # nobody can sign in here
        return None
    if not st.user.is_logged_in:
        raise StoreError("You are not signed in any more; reload the page and sign in")
    address = st.user.get("email")
    if not address or st.user.get("email_verified") is False:
        raise StoreError("Your sign-in gives no verified e-mail address; ask for one where your account is kept")
    return str(address)


def _of_run(make, *key):
    """``make(*key)``, made once for the runs of one session that follow each other in a thread.

    A page asks who is here and for the workbench up to a hundred times in a run. Streamlit looks for a file of secrets
    each time it is asked who is signed in, which would be a quarter of the run; who that is does not change in a
    session.
    """
    kept = _OF_RUN.get()
    if kept is None:
        _OF_RUN.set(kept := {})
    if make not in kept or kept[make][0] != key:
        kept[make] = key, make(*key)
    return kept[make][1]


def opened_by():
    """Where the store is, and who works in it: what a room is opened for. Raises StoreError."""
    return (*(os.environ.get(name) for name in ENVIRONMENT), _of_run(person))


def workspace_of_all():
    """The Workspace of this process, for its server: nobody is signed in. Raises StoreError."""
    return _open(*(os.environ.get(name) for name in ENVIRONMENT))


def workspace():
    """The Workspace of this process for who is signed in. Raises StoreError."""
    return _of_run(_workspace, *opened_by())


def _workspace(*places_and_person):
    *places, who = places_and_person
    return _open(*places).on_behalf_of(who)


@st.cache_resource(max_entries=32, show_spinner=False)
def _systems(*places):
    from core.workspace.registry import Systems  # a quarter of a second, which the first page has no use for

    return Systems(_open(*places))


def systems():
    """The Systems of this process for who is signed in. Raises StoreError."""
    return _of_run(_own_systems, *opened_by())


def _own_systems(*places_and_person):
    *places, who = places_and_person
    return _systems(*places).on_behalf_of(who)


def project():
    """The project that is open, as chosen in the bar. Raises StoreError where it is gone."""
    store = workspace().store
    if "project_id" not in st.session_state:
        return store.recent_project()
    return store.project(st.session_state["project_id"])


def corpus():
    """The corpus that is open, as chosen in the bar. Raises StoreError where the project has none."""
    if "corpus_id" not in st.session_state:
        raise StoreError("This project has no text; add one, or take back with Undo that it was removed")
    return workspace().store.corpus(st.session_state["corpus_id"])


def follows():
    """Whether every change of what is known is to be followed by training, as chosen with the project."""
    return bool(workspace().store.document(project(), "view", "follow"))


def flash(message, icon=":material/check:"):
    """Say something once, after the rerun that comes next."""
    st.session_state["shared_flash"] = (message, icon)


def refuse(error, icon=":material/error:"):
    """Say what an expected error says, where it belongs."""
    st.error(escape(str(error)), icon=icon)


def show_flash():
    """Say what ``flash`` was given."""
    message, icon = st.session_state.pop("shared_flash", (None, None))
    if message:
        st.toast(message, icon=icon)


@contextmanager
def boundary(stop=False, mend=False, say=refuse):
    """Around what draws, or over a function: a WorkbenchError that is raised in it is said in its place.

    Of any other error a sentence is said that names its number in the log.

    Parameters
    ----------
    stop : bool
        Whether nothing of the page is drawn after it.
    mend : bool
        Whether it is mended on the Corpus page, which a link then opens.
    say : callable
        ``say(error)`` draws it.
    """
    try:
        yield
    except WorkbenchError as error:
        say(error)
        if mend:
            st.page_link("pages/corpus.py", label="Open the Corpus page", icon=":material/menu_book:")
        if stop:
            st.stop()
    except Exception as error:
        if TRACEBACKS in os.environ:
            raise
        st.error(f"Here {failure_sentence(error)}.", icon=":material/bug_report:")
        if stop:
            st.stop()


def remark(error):
    """Say what an expected error says, quietly; for ``boundary``."""
    st.caption(escape(str(error)))


@contextmanager
def attempt(problem=None):
    """Around what a callback does, or over one: what a WorkbenchError says is said once, after the rerun.

    As a toast; by ``show_problem(problem)``, where its key is given.
    """
    try:
        yield
    except WorkbenchError as error:
        if problem is None:
            flash(escape(str(error)), ":material/error:")
        else:
            st.session_state[problem] = error
    except Exception as error:
        if TRACEBACKS in os.environ:
            raise
        flash(f"Here {failure_sentence(error)}.", ":material/bug_report:")


def show_problem(key):
    """Say what went wrong in the last ``attempt`` with this key, once."""
    problem = st.session_state.pop(key, None)
    if problem:
        refuse(problem)


@attempt()
def cancel(*runs):
    """Ask runs to stop, in a callback; what this person may not stop is said."""
    for run in runs:
        workspace().jobs.cancel(run)


@attempt()
def step(direction):
    """Undo or redo the last action in the project, and say so."""
    entry = getattr(workspace().store, direction)(project())
    if entry is not None:
        flash(f"{'Undid' if direction == 'undo' else 'Redid'} {escape(entry.label)}", f":material/{direction}:")
