"""A rerun without a change asks for what is known: it calls few functions, and asks for the store's version once."""

import pytest

from tests.pages.idle_calls import idle_calls


@pytest.mark.parametrize(("page", "most"), [("constraints", 1_500), ("markup", 3_000)])
def test_an_idle_rerun_calls_few_functions_and_asks_for_the_version_once(open_page, page, most):
    app = open_page(page)
    app.run()
    app.run()
    calls = idle_calls(app)
    named = {name: number for (_, _, name), number in calls.items()}
    assert calls.total() <= most
    assert named["QueryCache._read_version"] == 1 and "read_line" not in named and "read_brackets" not in named


def test_what_another_tab_wrote_is_seen_by_the_next_rerun(open_page, workbench, corpus, save):
    first, second = open_page("constraints"), open_page("constraints")
    save("DET <- NOUN = 0.5\n")
    for app in (first, second):
        assert "1 constraint on " in " ".join(caption.value for caption in app.run().caption)
    second.button(key="shared_undo").click().run()
    assert "1 constraint on " not in " ".join(caption.value for caption in second.caption)
    assert "1 constraint on " not in " ".join(caption.value for caption in first.run().caption)
