"""The typed wrapper of the tree component, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from core.draw import Arc, Drawing
from pages.shared.tree import Selection, selection_from

DRAWING = Drawing(("", "She", "saw"), arcs=(Arc(2, 1, "nsubj"), Arc(0, 2, "root")))


def sel(**parts):
    return {"id": DRAWING.fingerprint, "word": 1, "arc": None} | parts


def test_a_word_and_an_arc_are_read():
    assert selection_from(sel(), DRAWING) == Selection(1)
    arc = {"head": 2, "modifier": 1, "below": False}
    assert selection_from(sel(arc=arc), DRAWING) == Selection(1, (2, 1))


@pytest.mark.parametrize(
    "sent",
    [None, "word", sel(id="another sentence"), sel(word=3), sel(word=0), sel(word="1"), sel(word=True), sel(arc={}),
     sel(arc={"head": 1, "modifier": 2, "below": False}), sel(arc={"head": [], "modifier": 2, "below": False})],
)  # fmt: skip
def test_what_the_browser_should_not_have_sent_is_no_choice(sent):
    assert selection_from(sent, DRAWING) is None


def app():
    import streamlit as st

    from core.draw import draw_tree
    from core.treebank import Treebank
    from pages.shared.tree import dependency_tree

    sentence = Treebank.from_sentences([{"forms": ["She", "saw"], "heads": [2, 0]}])[0]
    drawing = draw_tree(sentence)
    choice = dependency_tree(drawing, key="tree", on_select=lambda: st.session_state.update(called=True))
    st.text(f"{choice}")


def test_it_mounts_without_a_choice_and_a_choice_comes_back():
    at = AppTest.from_function(app, default_timeout=20).run()
    assert at.get("bidi_component") and at.text[0].value == "None"
    at.session_state["tree"] = {"sel": sel(id=Drawing(("", "She", "saw")).fingerprint, word=2)}
    assert at.run().text[0].value == f"{Selection(2)}"
