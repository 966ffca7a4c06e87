"""Where a text has no constraints: universal lines, word order in a few answers, answers read off the text."""

import pytest

from core.constraints import parse_constraints
from core.workspace import add_corpus
from core.workspace.constraints.documents import constraint_text

TAGGED = "in/ADP the/DET house/NOUN she/PRON slept/VERB well/ADV\nthe/DET dog/NOUN saw/VERB a/DET cat/NOUN\n"
PENN = "the/DT dog/NN slept/VBD in/IN the/DT house/NN\n"


@pytest.fixture
def begun(workbench, open_page):
    """A function: a page of Constraints on a new text, and the text's set as it stands."""

    def begin(name, text):
        project = workbench.store.default_project()
        add_corpus(workbench.store, project, name, text.encode())
        corpus = next(each for each in workbench.store.corpora(project) if each.name == name)
        app = open_page("constraints", corpus=name)
        return app, lambda: constraint_text(workbench.store, corpus, workbench.treebank(corpus))

    return begin


def control(app, name):
    return app.get_by_key(f"ge_begin_order_{name}")


def test_lines_and_answers_are_added_in_one_change_that_can_be_undone(begun):
    app, source = begun("t.txt", TAGGED * 10)
    assert source() == "" and "No constraints yet" in app.info[0].value
    left_out = next(each.value for each in app.caption if "of the set left out" in each.value)
    assert "CCONJ" in left_out
    plain = app.button(key="ge_begin_add").label
    control(app, "adposition").set_value("before").run()
    assert app.button(key="ge_begin_add").label != plain
    app.button(key="ge_begin_add").click().run()
    assert not app.exception and not [each for each in app.button if each.key == "ge_map"]  # no foreign tags
    names = [line.name for line in parse_constraints(source())]
    assert "NOUN -- DET dist 1..4 per modifier" in names
    assert "ADP <- {NOUN PRON} per modifier" in names
    assert not [each for each in app.button if each.key == "ge_begin_add"]
    app.button(key="shared_undo").click().run()
    assert source() == ""
    assert app.button(key="ge_begin_add")


def test_the_text_suggests_answers_and_shows_its_counts(begun):
    app, _ = begun("t.txt", TAGGED * 10)
    assert {control(app, name).value for name in ("adposition", "object", "genitive")} == {"don’t know"}
    app.button(key="ge_begin_suggest").click().run()
    assert (control(app, "adposition").value, control(app, "object").value) == ("before", "after")
    assert control(app, "genitive").value == "don’t know"
    said = [each.value for each in app.caption]
    assert "before: of 20 sentences, 10 begin with an adposition and 0 end with one" in said
    assert any(each.startswith("cannot tell: of 20 sentences, 0 begin with an auxiliary") for each in said)
    assert not app.exception


def test_penn_tags_offer_lines_for_function_heads(begun):
    app, source = begun("p.txt", PENN * 10)
    app.get_by_key("ge_begin_heads").set_value("function").run()
    assert not [each for each in app.button if each.key == "ge_begin_suggest"]
    app.button(key="ge_begin_add").click().run()
    assert "IN -> NN dist 1..5 per head" in source()
    assert not app.exception
