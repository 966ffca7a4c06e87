"""A tour of six steps on the sample: a strip below the bar, which remembers its step from day to day."""

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
    number = _current_step()
    if st.session_state.pop("tour_open", False) and title != STEPS[number].title:
        st.switch_page(f"pages/{STEPS[number].page}.py", query_params={})  # without: refused, some are bound
    is_new = number is None and title == "Corpus" and len(session().store.projects()) == 1
    if is_new and session().store.next_undo(session().project) is None:
        with _strip():
            st.markdown(INVITATION, width="content")
            st.space("stretch")
            _button("Start the tour", "next", 0)
            st.page_link("pages/teach.py", label="Step through an algorithm", icon=":material/school:")
            _button("Not now", "close", CLOSED)
    elif number is not None and number != CLOSED:
        _stop(number, title)


def _stop(number, title):
    stop = STEPS[number]
    with _strip():
        st.markdown(f"**{stop.verb}** · {number + 1} of {len(STEPS)}. {stop.text}", width=WIDTH)
        st.space("stretch")
        if title != stop.title:
            _button(f"Open {stop.title}", "open", number)
        if number:
            _button("Back", "back", number - 1)
        if number + 1 < len(STEPS):
            _button(f"Next: {STEPS[number + 1].verb.lower()}", "next", number + 1)
        _button("End the tour", "close", CLOSED)


def _strip():
    return st.container(horizontal=True, vertical_alignment="center", border=True, key="tour")


def _button(label, key, number):
    st.button(label, key=f"tour_{key}", type="tertiary", on_click=_go, args=(number,))


def _go(number):
    """Take the tour to a step, on the step's page, and remember it for another day; in a callback."""
    st.session_state["tour_place"] = number
    st.session_state["tour_open"] = number != CLOSED
    store = session().store
    try:
        if store.role(session().project) != "reader":  # who may change nothing keeps the place until the tab closes
            store.remember(session().project, VIEW, _name(), number)
    except StoreError as error:
        flash(error_text(error), ":material/error:")


def _current_step():
    """The number of the tour's step, CLOSED, or None before anybody was invited."""
    if "tour_place" not in st.session_state:
        saved = session().store.document(session().project, VIEW, _name())
        st.session_state["tour_place"] = saved if saved in range(CLOSED, len(STEPS)) else None
    return st.session_state["tour_place"]


def _name():
    return "tour" if session().person is None else f"tour {session().person}"
