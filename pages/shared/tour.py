"""A tour of six steps on the sample: a strip below the bar that blocks nothing, and remembers where it was left."""

from dataclasses import dataclass

import streamlit as st

from core.errors import StoreError
from pages.shared.basics import flash, session
from pages.shared.messages import error_text

VIEW = "view"  # kind of the documents that remember what was looked at
CLOSED = -1
WIDTH = 680  # pixels of the text, which leaves room for four buttons beside it at 1280
INVITATION = "**New here?** Six steps on the sample: write a constraint, train, look, correct, compare, export."


@dataclass(frozen=True)
class Step:
    """One stop: which page it is on, and what to do there."""

    page: str
    title: str
    verb: str
    text: str


STEPS = (
    Step(
        "constraints", "Constraints", "Write",
        "The form states one thing about the language, such as how many determiners attach to a noun after them. "
        "Choose tags and a share. The button adds it as a constraint, or updates the one that already says it.",
    ),
    Step(
        "constraints", "Constraints", "Train",
        "Train fits a parser to the shares in the table. No tree teaches it: trees that the text has only score it.",
    ),
    Step(
        "constraints", "Constraints", "Look",
        "The trees show what was learnt: the stronger an arc, the more probable. Click an arc to ask why it is there. "
        "Where trees are known, the text’s own or yours, Errors counts the mistakes and proposes constraints.",
    ),
    Step(
        "annotate", "Annotate", "Correct",
        "Open Options and choose the run under Proposal: its trees are drawn, and you confirm or correct them. "
        "The key ? lists all keys.",
    ),
    Step(
        "compare", "Compare", "Compare",
        "Parses stand side by side, that of the run among them. Click any score to see the words behind it.",
    ),
    Step(
        "corpus", "Corpus", "Export",
        "Export writes sentences to files, Save beside a tree exports its drawing, and Save on the Constraints "
        "page exports the trained parser.",
    ),
)  # fmt: skip


def tour_button():
    """Draw the way back to the tour, for the menu in the bar."""
    st.button("Take the tour", icon=":material/signpost:", type="tertiary", key="tour_again", on_click=_go, args=(0,))


def tour(title):
    """Draw the strip below the bar of the page of that title, where the tour is on."""
    place = _place()
    if st.session_state.pop("tour_open", False) and title != STEPS[place].title:
        st.switch_page(f"pages/{STEPS[place].page}.py", query_params={})  # without: refused, some are bound
    is_new = place is None and title == "Corpus" and len(session().store.projects()) == 1
    if is_new and session().store.next_undo(session().project) is None:
        with _strip():
            st.markdown(INVITATION, width="content")
            st.space("stretch")
            _button("Start the tour", "next", 0)
            _button("Not now", "close", CLOSED)
    elif place is not None and place != CLOSED:
        _stop(place, title)


def _stop(place, title):
    stop = STEPS[place]
    with _strip():
        st.markdown(f"**{stop.verb}** · {place + 1} of {len(STEPS)}. {stop.text}", width=WIDTH)
        st.space("stretch")
        if title != stop.title:
            _button(f"Open {stop.title}", "open", place)
        if place:
            _button("Back", "back", place - 1)
        if place + 1 < len(STEPS):
            _button(f"Next: {STEPS[place + 1].verb.lower()}", "next", place + 1)
        _button("End the tour", "close", CLOSED)


def _strip():
    return st.container(horizontal=True, vertical_alignment="center", border=True, key="tour")


def _button(label, key, place):
    st.button(label, key=f"tour_{key}", type="tertiary", on_click=_go, args=(place,))


def _go(place):
    """Take the tour to a step, on the step's page; what is remembered lets it go on another day."""
    st.session_state["tour_place"] = place
    st.session_state["tour_open"] = place != CLOSED
    store = session().store
    try:
        if store.role(session().project) != "reader":  # who may change nothing keeps the place until the tab closes
            store.remember(session().project, VIEW, _name(), place)
    except StoreError as error:
        flash(error_text(error), ":material/error:")


def _place():
    """Which step it stands at, None where nobody has been asked yet."""
    if "tour_place" not in st.session_state:
        known = session().store.document(session().project, VIEW, _name())
        st.session_state["tour_place"] = known if known in range(CLOSED, len(STEPS)) else None
    return st.session_state["tour_place"]


def _name():
    return "tour" if session().person is None else f"tour {session().person}"
