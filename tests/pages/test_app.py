"""The frame of all pages: menu, corpus, undo and redo, and what a rerun asks of the store."""

from sqlalchemy import Engine, event

from tests.pages.reading import pressed


def test_the_app_opens_on_the_sample_and_undo_and_redo_say_what_they_do_and_do_it(open_page, save, lines):
    app = open_page()
    assert app.header[0].value == "Corpus" and app.selectbox(key="corpus").options == ["sample"]
    assert app.button(key="shared_undo").disabled and app.button(key="shared_redo").disabled
    source = save("DET <- NOUN = 0.5\n")
    assert app.run().button(key="shared_undo").help == "Undo typing"
    assert pressed(app, "shared_undo").button(key="shared_undo").disabled and lines() is None
    pressed(app, "shared_redo")
    assert lines() == source


def test_a_rerun_asks_the_store_for_nothing_that_it_knows(open_page, home, monkeypatch):
    monkeypatch.setattr("core.jobs.LOOK_SECONDS", float("inf"))  # the look for dead processes comes by the clock
    sent = []

    def note(connection, _cursor, statement, *_rest):
        if str(home) in str(connection.engine.url):  # a job of an earlier test may still write to its own store
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        app = open_page()
        assert sent
        for page in ("corpus", "constraints", "annotate", "compare", "teach", "runs"):
            app.switch_page(f"pages/{page}.py").run().run()
            sent.clear()
            app.run()
            assert not sent, page
    finally:
        event.remove(Engine, "before_cursor_execute", note)
