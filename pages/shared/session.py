"""What one run of the script, or of a fragment, has opened: each thing once, for all pages and panels that it draws.

A session is gone when a command was executed, and with its run; what lasts longer is kept by the ``Workspace`` of the
process, by content.
"""

import os
import weakref
from contextvars import ContextVar
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import StoreError
from core.workspace import Warmup, Workspace
from pages.shared import signing
from pages.shared.view_state import ViewState

ENVIRONMENT = ("WORKBENCH_HOME", "WORKBENCH_DATABASE")  # where the store is: one workbench for each
_SESSION: "ContextVar[Session | None]" = ContextVar("the session of the run in this thread", default=None)


class once:
    """A property that is worked out at its first use.

    The lock of ``functools.cached_property`` is one for all sessions in Python 3.11: all would wait for what one of
    them asks the store.
    """

    def __init__(self, make):
        self._make = make

    def __get__(self, session, _):
        value = session.__dict__[self._make.__name__] = self._make(session)
        return value


class Session:
    """Opens what is asked of it, once. Everything raises StoreError where it is gone or not allowed.

    Parameters
    ----------
    run : object, optional
        Names the run of the script or fragment. Without one the store is asked each time.
    """

    def __init__(self, run=None):
        self.run = run
        self.person = person()
        self.workspace = open_workspace().on_behalf_of(self.person)
        self.store = self.workspace.store
        self.jobs, self.cache = self.workspace.jobs, self.workspace.cache
        self.running = self.jobs.running()  # before the store is asked, which knows the results of all that ended
        self.moment = None if run is None else self.store.database.answers.begin_moment()

    @once
    def version(self):
        """Whose version of the trees is shown and corrected: a person's name, ``""`` for the project's."""
        version = ViewState().version
        return version if isinstance(version, str) else ""

    @once
    def shown(self):
        """The workspace under the corrections of that version."""
        return self.workspace.of_version(self.version)

    @once
    def systems(self):
        """The Systems of this process for who is signed in."""
        from core.workspace.registry import Systems  # a quarter of a second, which the first page has no use for

        systems = self.cache.get("rooms", (Systems, None), lambda: Systems(open_workspace()))
        return systems.on_behalf_of(self.person)

    def system(self, kind) -> Any:
        """The System of a kind, of a class that who asks for it knows."""
        return self.systems[kind]

    def room(self, make):
        """``make(workspace)``, the room of a page, kept for who is signed in."""
        return self.cache.get("rooms", (make, self.person), lambda: make(self.workspace))

    @once
    def project(self):
        """The project that is open, as chosen in the bar."""
        if "project_id" not in st.session_state:
            return self.store.recent_project()
        return self.store.project(st.session_state["project_id"])

    @once
    def corpus(self):
        """The corpus that is open, as chosen in the bar."""
        if "corpus_id" not in st.session_state:
            raise StoreError("This project has no text; add one, or take back with Undo that it was removed")
        return self.store.corpus(st.session_state["corpus_id"])

    def under_way(self, kind=None):
        """Snapshots of the open project's jobs that run or wait, of a kind if one is given; oldest first."""
        return [
            snapshot
            for snapshot in self.running
            if snapshot.project == self.project.id and kind in (None, snapshot.kind)
        ]

    @once
    def follows(self):
        """Whether every change of the constraints starts a training, as chosen for the project."""
        return bool(self.store.document(self.project, "view", "follow"))

    @once
    def learner(self):
        """What the open corpus is trained with from constraints."""
        return self.systems.learner(self.corpus)

    @once
    def text(self):
        """The open corpus as its learner reads it under its plan, with its constraint set. Raises WorkbenchError."""
        return self.learner.text(self.corpus)

    @once
    def source(self):
        """The constraint set of the open corpus as it is written."""
        return self.learner.source(self.corpus)

    @once
    def document(self):
        """The constraint set of the open corpus, read line by line. Raises WorkbenchError as ``text``."""
        return self.text.constraint_set.document

    @once
    def newest_run(self):
        """The newest Run on ``text`` that left trees, or None. Raises WorkbenchError as ``text``."""
        return self.learner.newest(self.text)


def session():
    """The Session of this run. Raises StoreError."""
    context = get_script_run_ctx()
    if context is None:
        return Session()
    now = _SESSION.get()
    # each run of the script or of a fragment has a dict of cursors of its own
    if now is None or now.run is not context.cursors or now.moment is None or now.moment.is_over:
        _SESSION.set(now := Session(context.cursors))
    return now


def forget():
    """Open everything anew: another project or corpus was chosen, or a job was asked to stop."""
    _SESSION.set(None)


def open_workspace():
    """The Workspace of this process, for its server: nobody is signed in. Raises StoreError."""
    return cached_workspace(*(os.environ.get(name) for name in ENVIRONMENT))


@st.cache_resource(max_entries=32, show_spinner=False)
def cached_workspace(*_places):
    workspace = Workspace.open(kinds=_kinds)
    _opened_stores().add(workspace.store)
    return workspace


def _kinds():
    from core.workspace.stored import stored_kinds  # loads every system, which the first page has no use for

    return stored_kinds()


@st.cache_resource(max_entries=1, show_spinner=False)
def _opened_stores():
    return weakref.WeakSet()  # those that nobody has any more are closed already


def end_stores():
    """Close the stores of this process for good, after what is being written."""
    for store in list(_opened_stores()):
        store.end()


@st.cache_resource(max_entries=1, show_spinner=False)
def warm_up():
    """The Warmup of this process, which compiles or loads the kernels in the background."""
    return Warmup()


def person():
    """The address of who is signed in, None in a workbench without sign-in. Raises WorkbenchError."""
    provider = signing.provider()
    if provider is None:
        return None
    if (address := signed_in(provider)) is None:
        raise StoreError("You are not signed in any more; reload the page and sign in")
    return address


def signed_in(provider):
    """The address of who is signed in with a Provider, None where nobody is. Raises StoreError.

    Streamlit knows what a tab's browser was when the tab was opened; the store, whether that still holds.
    """
    key = signing.browser_key(st.context.cookies) if st.user.get("is_logged_in") else None
    return None if key is None else open_workspace().store.signed_in(key, provider.days)
