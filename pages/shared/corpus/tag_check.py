"""A check of tags before one goes on: twenty words drawn at random, judged one after the other."""

import streamlit as st

from core.workspace.corpus.tag_check import check_verdict, drawn_words
from pages.shared.basics import amount, escape, session
from pages.shared.corpus.view_state import CorpusView
from pages.shared.widgets import action_button


def check_tags(corpus):
    """Draw it for the words of a text as they are tagged now."""
    key, draw, answers = _state(corpus)
    words = session().cache.get(
        "drawn words", (key, draw), lambda: drawn_words(session().shown.treebank(corpus), key, draw)
    )
    if not words:
        st.caption("No word has a tag yet; tag some, and check twenty of them here.")
        return
    if len(answers) == len(words):
        _result(key, draw, words, answers)
        return
    word = words[len(answers)]
    st.caption(f"Word {len(answers) + 1} of {amount(len(words), 'word')} drawn at random. Is its tag right here?")
    st.markdown(word.text)
    st.markdown(f"**{escape(word.form)}**: {escape(word.tag)}")
    with st.container(horizontal=True):
        action_button("Right", "tag_right", "check", _judge, key, draw, (*answers, True), type="primary", shortcut="1")
        action_button("Wrong", "tag_wrong", "close", _judge, key, draw, (*answers, False), shortcut="2")
        if answers:
            action_button("Back", "tag_back", "undo", _judge, key, draw, answers[:-1], type="tertiary")
    if answers:
        st.caption(check_verdict(answers))


def _state(corpus):
    """(what names the text and its tags, number of the draw, answers); new tags begin a new check."""
    key = session().shown.read_key(corpus)
    check = CorpusView().check
    return check if check and check[0] == key else (key, 0, ())


def _judge(*state):
    CorpusView().check = state


def _result(key, draw, words, answers):
    st.markdown(check_verdict(answers))
    wrong = [word for word, right in zip(words, answers, strict=True) if not right]
    for word in wrong:
        st.markdown(f"{escape(word.tag)}: {word.text}")
    st.caption(
        "Correct them on the left; then other words are drawn to check." if wrong else "No wrong tag among them."
    )
    with st.container(horizontal=True):
        action_button("Check others", "tag_again", "casino", _judge, key, draw + 1, ())
        action_button("Back", "tag_back", "undo", _judge, key, draw, answers[:-1], type="tertiary")
