"""The workbench asks, one question at a time; a key answers it, the answer is a constraint, and the trees follow."""

from functools import partial

import streamlit as st

from core.constraints.authoring.questions import ANSWERS, ArcQuestion
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.interview import answer, answer_in, leave_open, next_questions
from core.workspace.texts import listed_texts
from core.workspace.wording import amount, marked_sentence, question
from pages.shared.basics import callback_errors, escape, report_errors, session
from pages.shared.constraints.answers import RANGES
from pages.shared.constraints.examples import examples_panel
from pages.shared.constraints.occurrences import ask_for_places
from pages.shared.widgets import action_button

INTERVIEW = "ge_interview"  # (text, its questions so far, which of them is asked)


@report_errors()
def ask_me(text, source, outcome):
    """Draw the question about a text; ``outcome`` is the model in use or None, ``source`` the set."""
    if outcome is None:
        st.caption("The universal parser reads the text; the first question follows.")
        return
    if examples_panel(text, source, outcome):
        return
    asked, place = _interview(text)
    if place == len(asked):
        asked += tuple(next_questions(session().learner, text, outcome, [passed.name for passed in asked]))
        _go(text, asked, place)
    if place == len(asked):
        st.info("No more questions for now.", icon=":material/done_all:")
        if asked:
            action_button("Ask skipped questions again", "ge_ask_again", None, _go, text, (), 0)
        return
    ask = asked[place]
    st.markdown(f"**{escape(question(ask.constraint, ask.of))}**")
    for sentence, head, modifier in ask.examples:
        st.markdown(marked_sentence(text.treebank[sentence], head, modifier))
    current = answer_in(source, ask.constraint)
    with st.container(horizontal=True, gap="small", key="ge_answers"):
        for number, word in enumerate(ANSWERS, 1):
            action_button(
                # a button of its own for each question: a click that comes twice is no answer to the next one
                word, f"ge_answer_{place}_{number}", None, _answer, text, place, word, shortcut=str(number),
                help=RANGES[word], type="primary" if word == current else "secondary",
            )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        action_button("Back", "ge_ask_back", "arrow_back", _go, text, asked, place - 1, disabled=not place)
        label = "Skip" if current is None else "Next"
        action_button(label, "ge_ask_next", "arrow_forward", _go, text, asked, place + 1, shortcut="9")
        action_button("Don’t know", "ge_ask_unknown", "help", _leave_open, text, shortcut="0",
                      help="Saved: this text is not asked it again")  # fmt: skip
        every = partial(ask_for_places, ask.constraint)
        st.button(f"Show all {ask.of:,}", key="ge_ask_all", type="tertiary", on_click=every)
        help_text = "The share in the trees of another text. It need not hold here."
        hinted = st.toggle("Hints", key="ge_hints", help=help_text)
    if hinted:
        _hint(text, ask)
    model = f"{outcome.parser[:1].upper()}{outcome.parser[1:]}"
    why = f"your checked trees differ from the parser in {amount(round(ask.gap), 'arc')}" if ask.gap else (
        "the trees are least sure here"
    )  # fmt: skip
    st.caption(
        f"Asked because {why}. The trees had {ask.share:.0%} when it was chosen.",
        help=f"{model} gives every arc a probability m. Questions come in the order of the sum of m (1 − m) over the "
        f"arcs they speak of, here {ask.variance:,.1f}, recounted after five. The same answer again takes it back.",
    )


def _interview(text) -> tuple[tuple[ArcQuestion, ...], int]:
    """(the questions so far, the place of the one that is asked); of another text, none."""
    key, asked, place = st.session_state.get(INTERVIEW, (None, (), 0))
    return (asked, place) if key == text.key else ((), 0)


def _go(text, asked, place):
    st.session_state[INTERVIEW] = text.key, asked, place


@report_errors()
def _hint(text, ask):
    corpora = {corpus.id: corpus for corpus in listed_texts(session().store, text.corpus.project)}
    source = st.selectbox(
        "Hints from the trees of", list(corpora), key="ge_hints_from", format_func=lambda key: corpora[key].name
    )
    hint = session().learner.hint(corpora[source], text, ask.constraint)
    name = escape(hint.corpus)
    if hint.share is None:
        st.markdown(f":violet-badge[Hint] {name} has no such words or no trees.")
    else:
        st.markdown(f":violet-badge[Hint] {hint.edges:,} of {hint.known:,} in the trees of {name}: {hint.share:.0%}")


def _answer(text, place, word):
    """Save an answer to the question at a place and go on; or take it back and stay."""
    store, (asked, current) = session().store, _interview(text)
    if place != current:
        return
    source = constraint_text(store, text.corpus, text.treebank)
    with callback_errors("ge_problem"):
        is_new = answer_in(source, asked[place].constraint) != word
        answer(store, text.corpus, source, asked[place], word)
        _go(text, asked, place + is_new)
    st.rerun("app")


def _leave_open(text):
    asked, place = _interview(text)
    with callback_errors("ge_problem"):
        leave_open(session().store, text.corpus, asked[place].name)
        _go(text, asked, place + 1)
    st.rerun("app")
