"""Ten examples of a constraint that the parser contradicts, judged one after the other; the set changes as they say."""

import streamlit as st

from core.constraints.authoring.examples import DROP, KEEP, LIFT, REPLACE
from core.workspace.constraints.constraint_set import constraint_text, share_text
from core.workspace.constraints.interview import disputes, examples, settle
from core.workspace.wording import amount, marked_sentence, question
from pages.shared.basics import callback_errors, escape, flash, session
from pages.shared.widgets import action_button

LOOK = "ge_examples"  # (text, name of a constraint, the answers so far)
DRAWS = "ge_examples_drawn"  # (text, {name of a constraint: how often ten of its words were judged})
ENDS = {
    LIFT: "the constraint is right, and may pull harder",
    REPLACE: "your range is not, and this one takes its place",
    DROP: "the parser is right, and the constraint is removed",
    KEEP: "both can be right, and nothing is changed; look at ten more to decide",
}


def examples_panel(text, source, outcome):
    """Draw the examples, or offer them where there is something to judge; whether they take the place of questions."""
    run = session().newest_run
    disputed = [] if run is None else disputes(run, source)
    key, name, answers = st.session_state.get(LOOK, (None, None, ()))
    looked = next((dispute for dispute in disputed if (key, name) == (text.key, dispute.constraint.name)), None)
    if looked is not None:
        words = examples(text, outcome, looked, _draws(text).get(name, 0))
        if len(answers) < len(words):
            _judge_one(text, looked, words, answers)
            return True
    if disputed:
        dispute = min(disputed, key=lambda each: _draws(text).get(each.constraint.name, 0))
        with st.container(horizontal=True, vertical_alignment="center", key="ge_dispute"):
            st.markdown(f"`{dispute.constraint.name}`: {dispute.words}.", width="content")
            action_button("Judge ten words", "ge_look", "rule", _look, text, dispute.constraint.name, ())
    return False


def _judge_one(text, dispute, words, answers):
    sentence, head, modifier = words[len(answers)]
    st.markdown(f"**{escape(question(dispute.constraint, text.matcher.counts([dispute.constraint])[0].denominator))}**")
    st.caption(
        f"{dispute.words}. Word {len(answers) + 1} of {len(words)}, drawn at random: does the orange one attach to "
        "such a word? The blue one is the likeliest."
    )
    st.markdown(marked_sentence(text.treebank[sentence], head, modifier))
    name = dispute.constraint.name
    with st.container(horizontal=True):
        action_button("It does", "ge_right", "check", _judge, text, dispute, len(words), (*answers, True),
                      type="primary", shortcut="1")  # fmt: skip
        action_button("No", "ge_wrong", "close", _judge, text, dispute, len(words), (*answers, False), shortcut="2")
        action_button("Back", "ge_look_back", "undo", _look, text, name, answers[:-1], disabled=not answers)
        action_button("Stop", "ge_look_end", None, _look, text, None, (), type="tertiary")


def _draws(text):
    key, draws = st.session_state.get(DRAWS, (None, {}))
    return draws if key == text.key else {}


def _look(text, name, answers):
    st.session_state[LOOK] = text.key, name, answers


def _judge(text, dispute, count, answers):
    """Keep an answer; after the last one change the set."""
    name = dispute.constraint.name
    if len(answers) < count:
        _look(text, name, answers)
        return
    draws = _draws(text)
    st.session_state[DRAWS] = text.key, draws | {name: draws.get(name, 0) + 1}
    _look(text, None, ())
    store = session().store
    with callback_errors("ge_problem"):
        source = constraint_text(store, text.corpus, text.treebank)
        verdict = settle(store, text.corpus, source, dispute, answers)
        share = share_text(round(verdict.low, 2), round(verdict.high, 2))
        flash(f"{verdict.right} of {amount(verdict.of, 'word')}, so {share} of all: {ENDS[verdict.kind]}")
    st.rerun("app")
