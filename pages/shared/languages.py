"""For which texts counts what is said of a language: for all of them, or for the one that is open."""

import streamlit as st

from core.workspace.language_parts import join, keep_own, merged, sharing
from core.workspace.languages import SHARED, listing
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.widgets import action_button

SHOWN = 8  # conflicts


@report_errors()
def sharing_menu(corpus, key, *kinds):
    """Draw it for kinds of ``SHARED``; nothing where no other text could share any. ``key`` begins its keys."""
    found = {kind: sharing(session().workspace, corpus, kind) for kind in kinds}
    states = {kind: state for kind, state in found.items() if state is not None}
    if not states:
        return
    language = escape(next(iter(states.values())).language)
    own = [SHARED[kind] for kind, state in states.items() if state.is_own]
    apart = {text.id for state in states.values() for text in state.apart if not state.is_own}
    label = "This text only" if len(own) == len(states) else f"All texts in {language}"
    label += ", in part" if 0 < len(own) < len(states) else f" · {len(apart)} apart" if apart else ""
    with st.popover(label, icon=":material/language:", key=f"{key}_sharing"):
        counts = f"What you say here counts for each text in {language}"
        st.caption(f"This text has its own {listing(own)}." if own else f"{counts}.")
        for kind, state in states.items():
            _one(corpus, kind, state, f"{key}_{kind}")


def _one(corpus, kind, state, key):
    if state.is_own:
        _joining(corpus, kind, key, f"Share the {SHARED[kind]}", state.language)
        return
    action_button(
        f"Keep own {SHARED[kind]}", f"{key}_keep_own", "call_split", _keep_own, corpus, kind,
        help="They begin as they are now; what is said at other texts changes them no more",
    )  # fmt: skip
    for text in state.apart:
        _joining(text, kind, f"{key}_{text.id}", f"Merge the {SHARED[kind]} of {text.name}", state.language)


def _joining(corpus, kind, key, label, language):
    """Draw the button that merges a text's own into that of its language, and what is in conflict."""
    conflicts = merged(session().workspace, corpus, kind).conflicts
    if conflicts:
        more = f" · and {len(conflicts) - SHOWN:,} more" if len(conflicts) > SHOWN else ""
        listed = " · ".join(map(escape, conflicts[:SHOWN]))
        st.caption(f"{amount(len(conflicts), 'conflict')}, the newer one wins: {listed}{more}")
    action_button(escape(label), f"{key}_join", "merge", _join, corpus, kind, language)


@callback_errors(rerun=True)
def _keep_own(corpus, kind):
    keep_own(session().workspace, corpus, kind)
    flash(f"{escape(corpus.name)} has its own {SHARED[kind]} now")


@callback_errors(rerun=True)
def _join(corpus, kind, language):
    join(session().workspace, corpus, kind)
    flash(f"All texts in {escape(language)} have the same {SHARED[kind]} now; Undo takes them apart")
