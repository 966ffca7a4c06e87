"""The workbench asks, one question at a time; five answers, each of which is a constraint."""

from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import ANSWERS, escape, marked_sentence, put_constraint, question, with_target
from pages.shared.state import flash, refuse, workspace

SKIPPED = "ge_skipped"  # names of the questions passed over, by text


def ask_me(text, source, outcome):
    """Draw the next question about a Text; ``outcome`` is the model in use, ``source`` the set."""
    try:
        found = workspace().questions(text, source, outcome)
    except WorkbenchError as error:
        refuse(error)
        return
    skipped = st.session_state.get(SKIPPED, {}).get(text.key, ())
    left = [ask for ask in found if ask.name not in skipped]
    if not left:
        st.info("Nothing more to ask for now: train, and the next questions follow.", icon=":material/done_all:")
        if skipped:
            st.button("Ask those skipped again", key="ge_ask_again", on_click=_skip, args=(text, ()))
        return
    ask = left[0]
    st.markdown(f"**{escape(question(ask.constraint, ask.coverage.denominator))}**")
    for sentence, head, modifier in ask.examples:
        st.markdown(marked_sentence(text.treebank[sentence], head, modifier))
    with st.container(horizontal=True, gap="small"):
        for name, target in ANSWERS.items():
            constraint = with_target(ask.constraint, target)
            answer = partial(_answer, text, source, constraint)
            st.button(name.capitalize(), key=f"ge_answer_{name}", on_click=answer, help=f"{target:.0%} of them")
        skip = (*skipped, ask.name)
        st.button("Skip", key="ge_answer_skip", type="tertiary", on_click=_skip, args=(text, skip))
    model = "The trained model" if outcome.run is not None else "The untrained model"
    st.caption(
        f"{model} says {ask.share:.2f}. The examples are those it is least sure of; the questions come in the order of "
        f"what an answer should teach it (here {ask.gain:,.0f} nats)."
    )


def _answer(text, source, constraint):
    try:
        put_constraint(workspace().store, text.corpus, source, constraint)
    except WorkbenchError as error:
        flash(escape(str(error)), ":material/error:")
    else:
        flash(f"Saved {escape(constraint.text)}")
    st.rerun("app")


def _skip(text, names):
    st.session_state[SKIPPED] = {text.key: names}
