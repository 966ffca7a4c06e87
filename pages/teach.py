"""Teach: algorithms stepped through on a sentence, with a question before every step, and lessons to take along."""

import streamlit as st

from pages.shared.basics import report_errors, session
from pages.shared.navigation import require_frame
from pages.shared.teach.choice import choose
from pages.shared.teach.exercises import exercise_box, take_sentences
from pages.shared.teach.lessons import arrive, lesson_bar, lesson_box
from pages.shared.teach.player import player
from pages.shared.teach.state import room

require_frame()
current = session().corpus
with report_errors(stop=True):
    arrive()
    take_sentences(current)
    lesson_bar("Step through an algorithm on a sentence of your choice, and predict each step.")
    choice = choose(current)
    if choice is None:
        st.stop()
    with st.spinner("Computing the steps", show_time=True):
        trace = room().trace(current, choice)
player(current, choice, trace)
with lesson_box(current, choice):
    exercise_box(current, choice)
