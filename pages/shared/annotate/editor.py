"""The tree editor on a page: a typed wrapper around the component in assets/components/annotate-*.js."""

import secrets
from functools import partial

import streamlit as st

from core.workspace.annotate.steps import Answered, answer
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import session
from pages.shared.component import component
from pages.shared.session import forget

_SCRIPTS = (
    "tree-layout.js", "tree-save.js", "tree-frame.js", "tree-draw.js",
    "annotate-model.js", "annotate-labels.js", "annotate-graph.js", "annotate-words.js", "annotate-panel.js",
    "annotate.js", "annotate-entry.js",
)  # fmt: skip
_EDITOR = component("annotate", _SCRIPTS, "tree.css", "annotate.css")
KEY = "ann_editor"
ANSWERED, SESSION = "ann_answered", "ann_session"
BY_KEY = "ann_by_key"  # whether steps were carried out that the page has not been drawn after


def carry_out_steps(corpus, move):
    """Carry out the steps from the editor that have no answer yet; ``move(by, index)`` goes to another sentence.

    The editor's callback does, so that a step is saved even if the next click opens another page; and the page does so
    first of all, for steps that were sent on a connection that broke.
    """
    answered = st.session_state.setdefault(ANSWERED, Answered())
    with answered.lock:
        if _queue():
            forget()  # a run in whose place this one is may have carried them out since this one began to read
        st.session_state[BY_KEY] = is_by_key()
        answer(session().workspace, corpus, _queue(), answered, _session())
        if answered.go or answered.index is not None:
            move(answered.go, answered.index)  # a run that is stopped ends here: the next one moves
            AnnotateView().placed = AnnotateView().sentence
            answered.go, answered.index = 0, None


def carry_out_sent_steps(corpus, move):
    """Carry out steps in the editor's callback.

    Beside them the browser sends the sentence that its pager had when the keys were pressed. If it sent the same one
    before, it has not heard yet where steps led since, and the sentence stays.
    """
    view = AnnotateView()
    if view.sentence == view.sent:
        view.sentence = view.placed
    else:
        view.sent = view.placed = view.sentence
    carry_out_steps(corpus, move)


def is_by_key():
    """Whether keys of the editor are carried out now, or were and the page is not drawn yet.

    The browser then sends controls as they were before, which is no choice of anybody.
    """
    answered = st.session_state.setdefault(ANSWERED, Answered())
    return st.session_state.get(BY_KEY, False) or any(step["id"] not in answered.steps for step in _queue())


def tree_editor(data, corpus, move, focus=None):
    """Draw it.

    Parameters
    ----------
    data : dict
        From ``core.workspace.annotate.view.editor_data``.
    corpus, move
        As for ``carry_out_steps``.
    focus : int, optional
        Word to begin at.
    """
    answered = st.session_state.setdefault(ANSWERED, Answered())
    sent = [step.get("id") for step in _queue()]
    _EDITOR(
        data=data
        | {
            "seen": [name for name in sent if name in answered.steps],
            "refused": None if answered.refused is None else list(answered.refused),
            "said": answered.message,
            "session": _session(),
            "focus": focus,
        },
        key=KEY,
        on_steps_change=partial(carry_out_sent_steps, corpus, move),
    )
    st.session_state[BY_KEY] = False


def _session():
    """The name of this connection: keys that were pressed on an earlier one do not undo anything."""
    return st.session_state.setdefault(SESSION, secrets.token_hex(8))


def _queue():
    """The steps that the editor sent, whatever else it may have sent."""
    steps = (st.session_state.get(KEY) or {}).get("steps")
    queue = steps.get("queue") if isinstance(steps, dict) else None
    if not isinstance(queue, list):
        return []
    return [step for step in queue if isinstance(step, dict) and isinstance(step.get("id"), str)]
