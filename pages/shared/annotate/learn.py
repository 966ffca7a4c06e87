"""From trees by hand to a parser: one button that trains on them beside what is known of the text."""

import streamlit as st

from pages.shared.messages import callback_errors, show_problem
from pages.shared.session import session

BEGUN, PROBLEM = "ann_learn_begun", "ann_learn_problem"


def learn_from_trees(corpus):
    """Draw it."""
    if st.session_state.pop(BEGUN, False):
        st.switch_page("pages/constraints.py", query_params={})
    st.button(
        "Train on these trees", icon=":material/model_training:", key="ann_learn", on_click=_train, args=(corpus,),
        help="A parser learns from the trees on this page, whole or in part, and from the constraints of this text; "
        "the Constraints page shows it",
    )  # fmt: skip
    show_problem(PROBLEM)


@callback_errors(PROBLEM)
def _train(corpus):
    session().systems.learner(corpus).train_on_corrections(corpus)
    st.session_state[BEGUN] = True
