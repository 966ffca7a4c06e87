"""A rerun without a change asks for what is known: few functions of the library are called."""

import pytest

from tests.pages.idle_calls import idle_calls


@pytest.mark.parametrize(("page", "most"), [("constraints", 1_500), ("markup", 3_000)])
def test_an_idle_rerun_calls_few_functions(open_page, page, most):
    app = open_page(page)
    app.run()
    app.run()
    assert idle_calls(app).total() <= most
