"""On Consensus a run of Constraints can be the parser whose scores consistency starts from."""

import pytest

from core.workspace.consensus.system import Consensus
from core.workspace.constraints.constraint_set import save_text
from core.workspace.registry import Systems
from tests.advising import SET, finished, short_sentences, written
from tests.pages.reading import keys, pressed, said, shown, waited


@pytest.fixture
def text(add):
    return add("short.conllu", written(short_sentences()))


@pytest.fixture
def trained(workbench, text):
    """A run of constraints above the universal parser."""
    grammar = Systems(workbench)["grammar"]
    save_text(workbench.store, text, SET, "writing")
    grammar.save(text, "choosing", prior="universal")
    return finished(workbench, grammar.start(grammar.text(text), grammar.plan(text)))


def test_without_such_a_run_there_is_no_choice(open_page, text):
    app = open_page("consensus", corpus=text.name)
    assert "cs_parser" not in keys(app.selectbox) and "cs_order" in keys(app.segmented_control)


def test_the_run_is_chosen_carried_out_and_can_be_undone(open_page, workbench, text, trained):
    consensus = Consensus(workbench)
    app = open_page("consensus", corpus=text.name)
    choice = app.selectbox(key="cs_parser")
    assert choice.options == [
        "Trained on the trees",
        f"Run {trained.id} of Constraints: other languages + 2 constraints",
    ]
    choice.set_value(trained.id).run()
    assert consensus.plan(text).parser == trained.id
    assert (
        "cs_order" not in keys(app.segmented_control) and "Takes the parser of run" in app.button(key="cs_start").help
    )
    run = waited(pressed(app, "cs_start"), workbench, Consensus.kind)
    assert run.settings["parser"] == trained.id and not app.exception
    assert "with punctuation" in said(shown(app, cs_view="effects").markdown)
    app.selectbox(key="cs_parser").set_value(0).run()
    assert consensus.plan(text).parser is None and "cs_order" in keys(app.segmented_control)
    pressed(app, "shared_undo")
    assert consensus.plan(text).parser == trained.id


def test_a_run_that_was_deleted_is_said_and_another_parser_can_be_chosen(open_page, workbench, text, trained):
    consensus = Consensus(workbench)
    consensus.save(text, "choosing", parser=trained.id + 7)
    app = open_page("consensus", corpus=text.name)
    assert "The run whose parser was chosen is gone; choose another parser under Texts" in said(app.error)
    assert app.selectbox(key="cs_parser").options[-1] == "a run that is gone"
    app.selectbox(key="cs_parser").set_value(trained.id).run()
    assert not app.error and consensus.plan(text).parser == trained.id
