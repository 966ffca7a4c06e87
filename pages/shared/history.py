"""Undo and redo, as the bar and the editors call them."""

from core.workspace import escape
from pages.shared.messages import callback_errors, flash
from pages.shared.session import session


@callback_errors()
def step(direction):
    """Undo or redo the last action in the project, and say so."""
    entry = getattr(session().store, direction)(session().project)
    if entry is not None:
        flash(f"{'Undid' if direction == 'undo' else 'Redid'} {escape(entry.label)}", f":material/{direction}:")
