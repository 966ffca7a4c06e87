"""Nothing holds on to people who came and went: Streamlit no longer searches for garbage after every run."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

from streamlit.config import get_option

from pages.shared.session import once
from tests.patience import PATIENCE, wait_for


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

    def left():
        gc.collect()
        return [kept for kept in seen if kept() is not None]

    wait_for(lambda: not left())  # threads that look after all sessions have each in hand for a moment


def test_pages_are_compiled_as_they_stand():
    assert get_option("runner.magicEnabled") is False  # ast.parse in two threads: "recursion depth mismatch"


def test_no_search_for_garbage_after_every_run():
    assert get_option("runner.postScriptGC") is False  # hidden in Streamlit: gone, this raises


def test_no_session_waits_for_what_another_asks():
    class Asking:
        def __init__(self, asked, answered):
            self.asked, self.answered = asked, answered

        @once
        def project(self):
            self.asked.set()
            return self.answered.wait(PATIENCE)

    asked, answered = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(lambda: Asking(asked, answered).project)
        assert asked.wait(PATIENCE)
        assert Asking(asked, asked).project
        answered.set()
        assert slow.result()
