"""The bar while kernels are compiled: how far that is, beside what was saved; every page begins it."""

import pytest

from tests.pages.reading import said


class Warming:
    """A Warmup at some point of its work."""

    def __init__(self, compiling=None, error=""):
        self.compiling, self.error, self.starts, self.started = compiling, error, 0, False

    def start(self, *_then):
        self.starts += 1


@pytest.fixture
def warming(monkeypatch):
    """warming(...) -> the Warming that pages meet from now on."""

    def warming(**at):
        made = Warming(**at)
        for user in ("session", "bar", "examples"):
            monkeypatch.setattr(f"pages.shared.{user}.warm_up", lambda: made)
        return made

    return warming


def test_how_far_the_compiler_is(open_page, warming):
    now = warming(compiling=(31, 109))
    app = open_page()
    assert "Compiling, once: 28%" in said(app.caption)
    (help,) = [caption.help for caption in app.caption if caption.value.startswith("Compiling")]
    assert "31 of at most 109 functions" in help and "Saved" in help
    now.compiling = None
    app.run()
    assert "Compiling" not in said(app.caption)
    assert "One user · Saved" in said(app.caption)


def test_what_could_not_be_compiled_is_said(open_page, warming):
    warming(error="Training may not work here: ImportError while its kernels were made ready")
    assert "ImportError" in open_page().warning[0].value


def test_every_page_begins_to_compile(open_page, warming):
    now, app = warming(), open_page()
    for page in ("corpus", "decomposition", "projects"):
        before = now.starts
        app.switch_page(f"pages/{page}.py").run()
        assert now.starts > before
