"""Nothing holds on to people who came and went: Streamlit no longer searches for garbage after every run."""

import gc
import weakref

from streamlit.config import get_option


class Kept:
    """Something of a session's own."""


def test_a_session_that_ended_leaves_nothing_behind(open_page, monkeypatch):
    monkeypatch.setattr(gc, "freeze", lambda: None)  # the warm-up freezes once whatever is there when it ends
    open_page("constraints")  # a library may keep the thread that loaded it
    seen = []
    for page in ("constraints", "annotate", "teach"):
        kept = Kept()
        seen.append(weakref.ref(kept))
        open_page(page, state={"kept": kept}).run()
        del kept
    gc.collect()
    assert [kept() for kept in seen] == [None] * 3


def test_no_search_for_garbage_after_every_run():
    assert get_option("runner.postScriptGC") is False  # hidden in Streamlit: gone, this raises
