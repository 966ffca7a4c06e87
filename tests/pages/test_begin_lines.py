"""Where a text has no constraints: universal lines, word order in a few answers, answers read off the text."""

import pytest

from core.constraints import parse_constraints
from core.workspace.constraints import conditioning
from core.workspace.constraints.conditioning import stored_plan
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.rules import save_rules
from tests.pages.reading import keys, pressed, said, waited

TAGGED = "in/ADP the/DET house/NOUN she/PRON slept/VERB well/ADV\nthe/DET dog/NOUN saw/VERB a/DET cat/NOUN ./PUNCT\n"
PENN = "the/DT dog/NN slept/VBD in/IN the/DT house/NN\n"


@pytest.fixture
def begun(workbench, open_page, add):
    """A function: a page of Constraints on a new text, and the text's set as it stands."""

    def begin(text):
        corpus = add("new.txt", text * 10)
        source = lambda: constraint_text(workbench.store, corpus, workbench.treebank(corpus))  # noqa: E731
        return open_page("constraints", corpus="new.txt"), source

    return begin


def order(app, name):
    """The question, whose key counts how often it was answered from elsewhere."""
    return next(each for each in app.get("segmented_control") if each.key.startswith(f"ge_begin_order_{name}"))


def test_lines_and_answers_that_the_text_suggests_are_added_in_one_change_that_can_be_undone(begun):
    app, source = begun(TAGGED)
    assert source() == "" and "No constraints yet" in app.info[0].value
    assert "CCONJ" in next(each.help for each in app.caption if "not apply to this text" in each.value)
    plain, names = app.button(key="ge_begin_add").label, ("adposition", "object", "genitive")
    assert {order(app, name).value for name in names} == {"don’t know"}
    pressed(app, "ge_begin_suggest")
    assert [order(app, name).value for name in names] == ["before", "after", "don’t know"]
    assert "before: of 20 sentences, 10 begin with an adposition and 0 end with one" in said(app.caption)
    assert "cannot tell: of 20 sentences, 0 begin with an auxiliary" in said(app.caption)
    order(app, "object").set_value("don’t know").run()
    assert app.button(key="ge_begin_add").label != plain
    pressed(app, "ge_begin_add")
    assert not {"ge_map", "ge_begin_add"} & set(keys(app.button))  # no foreign tags
    lines = [line.name for line in parse_constraints(source())]
    assert {"NOUN -- DET dist 1..4 per modifier", "ADP <- {NOUN PRON} per modifier"} <= set(lines)
    assert "ge_begin_add" in keys(pressed(app, "shared_undo").button) and source() == ""


def test_penn_tags_offer_lines_for_function_heads(begun):
    app, source = begun(PENN)
    app.get_by_key("ge_begin_heads").set_value("function").run()
    assert "ge_begin_suggest" not in keys(app.button)
    pressed(app, "ge_begin_add")
    assert "IN -> NN dist 1..5 per head" in source()


def test_an_answer_is_kept_and_turns_trees(begun, workbench):
    app, _ = begun("dogs/NOUN in/ADP houses/NOUN slept/VERB ./PUNCT\n")
    assert "Trees of the universal parser" in said(app.caption)
    assert "these answer what you leave open" in said(app.caption)
    order(app, "determiner").set_value("after").run()
    order(app, "adposition").set_value("after").run()
    order(app, "adposition").set_value("before").run()
    assert "the last answer turned" in said(app.caption)
    app.session_state["ge_begin_more"] = True
    app.run()
    order(app, "adverb").set_value("before").run()
    corpus = workbench.store.corpora(workbench.store.default_project())[-1]
    plan = stored_plan(workbench, corpus)
    assert plan is not None and plan.word_order == "determiner=after,adposition=before,adverb=before"
    pressed(app, "shared_undo")
    plan = stored_plan(workbench, corpus)
    assert plan is not None and plan.word_order == "determiner=after,adposition=before"
    assert order(app, "determiner").value == "after"


def test_where_no_language_is_near_it_is_said(begun, monkeypatch):
    monkeypatch.setattr(conditioning, "is_far", lambda *_: True)
    assert "expect about 65% of heads" in said(begun(TAGGED)[0].caption)


def test_a_grammar_learns_from_what_other_languages_know_alone(begun, workbench):
    app, source = begun(TAGGED)
    pressed(app, "ge_train")
    run = waited(app, workbench)
    assert source() == "" and run.settings["prior"] == "nearest"
    grammar = GrammarSystem(workbench)
    parsed = grammar.load(run).parses[""]
    assert {"det", "case", "punct"} <= {*parsed.deprel.strings()}
    assert grammar.labelled_parser(run).parse(parsed).deprel.strings().tolist() == parsed.deprel.strings().tolist()
    assert "other languages" in grammar.parts(run)[""]
    app.session_state["ge_take_away"] = True  # open
    app.run()
    assert not [each for each in app.selectbox if "relations" in each.key]  # the parser names them
    assert "Keep my rules" not in [each.label for each in app.toggle]
    save_rules(workbench.store, workbench.store.corpus(run.corpus), "NOUN has no det\n", parsed)
    app.run()
    next(each for each in app.toggle if each.label == "Keep my rules").set_value(True).run()
    kept = [each.value for each in app.toggle if each.label == "Keep my rules"]
    assert kept == [True, True, True]  # in the tabs of trees, of the parser and of spaCy
    assert "broke your rules" in said(app.caption) and not app.exception
    labels = [each.label for each in app.get("download_button")]
    assert {"The text with trees that keep them, CoNLL-U", "Rules, text", "Parser, spaCy pipeline"} <= {*labels}
    assert "1 rule as text, beside the parser" in said(app.caption)
    assert "Its trees keep 1 rule, which its folder has as text." in said(app.caption)
    assert f"--rules grammar-parser-{run.id}-rules.txt" in "".join(each.value for each in app.code)
