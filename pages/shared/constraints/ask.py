"""The workbench asks, one question at a time; one move of a slider answers it, and the answer is a constraint."""

from functools import partial

import streamlit as st

from core.constraints.authoring.suggest import ANSWERS, with_target
from core.workspace.constraints.constraint_set import constraint_text, line_saying, put_constraint, remove_constraint
from core.workspace.constraints.proposals import answer_in, informative
from core.workspace.wording import marked_sentence, question
from pages.shared.basics import callback_errors, escape, report_errors, session
from pages.shared.constraints.occurrences import ask_for_places
from pages.shared.widgets import action_button

SKIPPED = "ge_skipped"  # names of the questions passed over, by text
ASKING = "ge_asking"  # (text, question): it stays until the next one is asked for, answered or not
BEFORE = "ge_asked_before"  # {text: the questions passed, the last one last}
UNSAID = "no answer"


@report_errors()
def ask_me(text, source, outcome):
    """Draw the question about a text; ``outcome`` is the model in use, ``source`` the set."""
    skipped = st.session_state.get(SKIPPED, {}).get(text.key, ())
    ask = _current(text, source, outcome, skipped)
    if ask is None:
        st.info("No more questions for now; train, and new ones will follow.", icon=":material/done_all:")
        if skipped:
            st.button("Ask skipped questions again", key="ge_ask_again", on_click=_skip, args=(text, ()))
        return
    st.markdown(f"**{escape(question(ask.constraint, ask.coverage.denominator))}**")
    for sentence, head, modifier in ask.examples:
        st.markdown(marked_sentence(text.treebank[sentence], head, modifier))
    current_answer = answer_in(source, ask.constraint) or UNSAID
    if st.session_state.get("ge_answer") != current_answer:  # writing it all the same would undo keys pressed meanwhile
        st.session_state["ge_answer"] = current_answer
    st.select_slider(
        "Answer", [UNSAID, *ANSWERS], key="ge_answer", on_change=partial(_answer, text, ask),
        format_func=lambda name: name if name == UNSAID else f"{name} {ANSWERS[name]:.0%}",
        help="The answer is saved at once; move the slider again to correct it. The five answers are the bins of Druck "
        "et al. 2009, §4.1.",
    )  # fmt: skip
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for name in ("", *ANSWERS):
            st.caption(name or "–", width="content")
    with st.container(horizontal=True, vertical_alignment="center"):
        names = (*skipped, ask.name) if current_answer == UNSAID else skipped
        label, icon = "Skip" if current_answer == UNSAID else "Next", ":material/arrow_forward:"
        before = st.session_state.get(BEFORE, {}).get(text.key, ())
        action_button("Back", "ge_ask_back", "arrow_back", _back, text, before, disabled=not before)
        st.button(label, key="ge_ask_next", icon=icon, on_click=_skip, args=(text, names, (*before, ask)))
        every = partial(ask_for_places, ask.constraint)
        st.button(f"Show all {ask.coverage.denominator:,}", key="ge_ask_all", type="tertiary", on_click=every)
        help_text = "The share in the trees of another text. It need not hold here."
        hinted = st.toggle("Hints", key="ge_hints", help=help_text)
    if hinted:
        _hint(text, ask)
    model = "The trained model" if outcome.run is not None else "The untrained model"
    st.caption(
        f"Worth answering: {informative(ask.gain)}. {model} now says {ask.share:.0%}.",
        help=f"Questions come in the order of what an answer should teach the model: here {ask.gain:,.1f} nats.",
    )


def _current(text, source, outcome, skipped):
    """The question that is being asked, else the first that is left, or None."""
    key, ask = st.session_state.get(ASKING, (None, None))
    if key == text.key:
        return ask
    questions = session().learner.questions(text, source, outcome)
    ask = next((candidate for candidate in questions if candidate.name not in skipped), None)
    if ask is not None:
        st.session_state[ASKING] = (text.key, ask)
    return ask


@report_errors()
def _hint(text, ask):
    corpora = {corpus.id: corpus for corpus in session().store.corpora(text.corpus.project)}
    source = st.selectbox(
        "Hints from the trees of", list(corpora), key="ge_hints_from", format_func=lambda key: corpora[key].name
    )
    hint = session().learner.hint(corpora[source], text, ask.constraint)
    name = escape(hint.corpus)
    if hint.share is None:
        st.markdown(f":violet-badge[Hint] {name} has no such words or no trees.")
    else:
        st.markdown(f":violet-badge[Hint] {hint.edges:,} of {hint.known:,} in the trees of {name}: {hint.share:.0%}")


def _answer(text, ask):
    store, name = session().store, st.session_state["ge_answer"]
    source = constraint_text(store, text.corpus, text.treebank)
    number = line_saying(source, ask.constraint)
    with callback_errors("ge_problem"):
        if name != UNSAID:
            put_constraint(store, text.corpus, source, with_target(ask.constraint, ANSWERS[name]))
        elif number is not None:
            remove_constraint(store, text.corpus, source, number)
    st.rerun("app")


def _skip(text, names, before=()):
    st.session_state[SKIPPED], st.session_state[BEFORE] = {text.key: names}, {text.key: before}
    st.session_state.pop(ASKING, None)


def _back(text, before):
    *others, last = before
    st.session_state[BEFORE], st.session_state[ASKING] = {text.key: tuple(others)}, (text.key, last)
