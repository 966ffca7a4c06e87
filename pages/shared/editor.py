"""A text area that sends what is typed after each pause, with line numbers and marks at lines with problems."""

import streamlit as st

from core.workspace.completion import line_notes
from pages.shared.basics import callback_errors, escape, flash, session
from pages.shared.component import component

_EDITOR = component("editor", ("editor-complete.js", "editor.js"), "editor.css")


def text_editor(text, key, save, problems=(), label="Constraints as text", height="", completion=None, saved=None):
    """Draw it.

    Parameters
    ----------
    text : str
        As it is stored; what is being typed goes before it.
    key : str
    save : callable
        Called with the text after each pause in typing; a WorkbenchError that it raises is said.
    problems : sequence of Problem
        Their lines are marked, and their notes stand behind them.
    label : str
        Read aloud.
    height : str
        In CSS; the usual one by default.
    completion : dict, optional
        What may be typed where: ``token`` and ``contexts``, as ``core.workspace.completion`` has them.
    saved : callable, optional
        Called in the editor's own callback, once what was typed is saved.
    """
    st.session_state[f"{key}_save"] = save

    @callback_errors()
    def typed():
        save_typed(key)
        if saved is not None:
            saved()

    @callback_errors()
    def stepped():
        save_typed(key)  # what was typed just before comes first
        direction = (st.session_state.get(key) or {}).get("step")
        if direction in ("undo", "redo"):
            step(direction)
            st.rerun("app")

    marks = {str(line): list(notes) for line, notes in line_notes(problems).items()}
    data = {"text": text, "seen": st.session_state.get(f"{key}_seen"), "marks": marks, "label": label, "height": height}
    _EDITOR(data=data | {"completion": completion}, key=key, on_edit_change=typed, on_step_change=stepped)


def save_typed(key):
    """Save what was typed into the editor of that key and is not saved yet; in a callback.

    A click soon after the last letter comes in one message with it, and its callback may run before the editor's: what
    acts on the saved text asks for this first. Raises what saving raises.
    """
    edit, seen = (st.session_state.get(key) or {}).get("edit"), f"{key}_seen"
    if isinstance(edit, dict) and isinstance(edit.get("text"), str) and edit.get("id") != st.session_state.get(seen):
        st.session_state[seen] = edit.get("id")
        st.session_state[f"{key}_save"](edit["text"])


@callback_errors()
def step(direction):
    """Undo or redo the last action in the project, and say so."""
    entry = getattr(session().store, direction)(session().project)
    if entry is not None:
        flash(f"{'Undid' if direction == 'undo' else 'Redid'} {escape(entry.label)}", f":material/{direction}:")
