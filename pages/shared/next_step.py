"""Under a result: one sentence on what it is worth, and one button to the next step."""

import secrets
from functools import partial

import streamlit as st

from core.workspace.annotate import check
from core.workspace.annotations import Annotations
from core.workspace.next_step import ADVICE, COMPARE, CORRECT, DRAW, SCORES, after_run
from core.workspace.random_sample import drawn
from core.workspace.registry import parsed_corpus
from pages.shared.annotate.todo import open_place
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import callback_errors, session
from pages.shared.navigation import NEXT
from pages.shared.text_menu import open_text

ICONS = {
    DRAW: ":material/casino:", CORRECT: ":material/edit_note:", SCORES: ":material/fact_check:",
    ADVICE: ":material/explore:", COMPARE: ":material/compare:",
}  # fmt: skip


def show_next_step(step, corpus, key):
    """Draw a NextStep on a Corpus; ``key`` begins the key of its button."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_next_step"):
        if step.sentence:
            st.markdown(step.sentence, width="content")
        action = partial(_take, step.action, corpus)
        st.button(step.label, key=f"{key}_next", icon=ICONS[step.action], on_click=action, type="tertiary")


def corrected_since(inputs, run, again):
    """Say that the texts were corrected since a Run of a system read them, and what to do; nothing where they were not.

    What the run left is shown all the same, for as long as their words are the same.
    """
    if run is not None and run.data_hash != inputs.hash:
        st.caption(f":material/edit: The text has been corrected since run {run.id}. {again}")


def next_of_run(run, scored, key):
    """Draw the NextStep under what a Run left; ``scored`` says whether known trees score it already."""
    corpus = session().store.corpus(parsed_corpus(run))
    show_next_step(after_run(session().systems, corpus, scored), corpus, key)


@callback_errors(rerun=True)
def _take(action, corpus):
    if action == DRAW:
        known_sentences = check.known_sentences(session().systems, corpus)
        count = len(session().workspace.source(corpus))
        check.draw(session().store, corpus, count, min(check.SIZE, count), secrets.randbelow(2**31), known_sentences)
    open_text(corpus.id)
    if action == COMPARE:
        st.session_state[NEXT] = "compare"
        return
    st.session_state[NEXT] = "annotate"
    AnnotateView().view = {DRAW: "check", SCORES: "check", CORRECT: "tree", ADVICE: "next"}[action]
    if action == CORRECT:
        open_sample(corpus)


def open_sample(corpus):
    """Have Annotate open the first sentence of the sample that is not done, and go on with the next of them."""
    sample = drawn(session().store, corpus) or {"sentences": []}
    done = check.checked(Annotations(session().workspace, corpus), sample)
    left = [index for index in sample["sentences"] if index not in done]
    if left:
        row = sample["sentences"].index(left[0])
        open_place(corpus, "check", "Sentences drawn", check.sample_places(sample), row)
