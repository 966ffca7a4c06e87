"""The panel below the tree: what an arc is an instance of, put into the set or the form, and what pulled it."""

import pytest

from core.draw import draw_tree
from core.workspace.constraints.constraint_set import line_saying
from core.workspace.constraints.explanations import head_options, instance_table, instances, pull_table
from tests.pages.reading import pressed, said, shown, waited

INDEX = 0  # the first sentence of the sample: The sea came over the wall ...


def selection(text, word):
    """What the tree of the first sentence sends when that word is clicked."""
    return {"sel": {"id": draw_tree(text.treebank[INDEX]).fingerprint, "word": word, "arc": None}}


@pytest.fixture
def app(open_page):
    return open_page("constraints")


@pytest.fixture
def choose(app, text):
    """choose(word, head=None) -> the page after a click on a word of the first sentence, and the choice of a head."""

    def choose(word, head=None):
        app.session_state["ge_tree"] = selection(text, word)
        app.run()
        if head is not None:
            next(box for box in app.selectbox if box.label.startswith(f"Head of {word} ")).set_value(head).run()
        return app

    return choose


def test_instances_go_from_general_to_specific_with_shares_of_the_words_concerned(ge, text):
    outcome = ge.outcome(text)
    found = instances(text, outcome, INDEX, 2, 1)
    names = ["NOUN -- DET per modifier", "DET <- NOUN per modifier", "DET <- NOUN dist 1 per modifier"]
    assert [each.constraint.name for each in found[:3]] == names
    table = instance_table(found)
    assert table["pairs"][0] >= table["pairs"][1] >= table["pairs"][2]
    assert all(pairs >= words for pairs, words in zip(table["pairs"], table["of"], strict=True))
    rows = text.matcher.match([found[1].constraint])
    assert found[1].share == pytest.approx(outcome.marginals.values[rows.of(0)].sum() / rows.denominators[0])
    assert 0.8 < found[1].coverage.gold_share <= 1
    heads, probabilities = zip(*head_options(outcome, INDEX, 3), strict=True)
    assert sorted(heads) == [0, 1, 2, *range(4, len(text.treebank[INDEX]) + 1)]
    assert list(probabilities) == sorted(probabilities, reverse=True) and sum(probabilities) == pytest.approx(1, 1e-5)


def test_a_pair_becomes_a_constraint_that_can_be_undone(app, choose, lines, text):
    assert "Click an arc or a word" in said(app.caption)
    choose(2, 3)
    found = instances(text, None, INDEX, 3, 2)[1]
    assert f"Of {found.coverage.denominator:,} nouns followed by a verb" in said(app.markdown)
    pressed(shown(app, ge_arc_answer="less than half"), "ge_arc_add")
    number = line_saying(lines(), found.constraint)
    assert lines().splitlines()[number - 1] == "NOUN <- VERB per modifier = 0.3..0.5 weight 1"
    assert app.button(key="ge_arc_add").label == f"Change line {number}"
    pressed(app, "shared_undo")
    assert lines() is None
    assert "no reasons yet" in said(shown(app, ge_arc_view="why").caption)  # of the untrained model


def test_a_more_specific_row_goes_into_the_form(app, choose):
    app.session_state["ge_arc_row"] = ([INDEX, 0, 1], 0)
    choose(1, 2).session_state["ge_arc_row"] = ([INDEX, 2, 1], 2)
    pressed(app.run(), "ge_arc_form")
    assert [app.selectbox(key=f"ge_form_{part}").value for part in ("head", "distance")] == ["NOUN", "1"]
    assert app.selectbox(key="ge_form_target").value == "70% to 88%"


def test_reasons_add_up_to_the_score_with_what_is_left_over(open_page, workbench, ge, sixty):
    corpus = sixty("DET <- NOUN per modifier = 0.9\nADJ <- NOUN per modifier = 0.8\n")
    app = open_page("constraints", corpus="sixty.conllu")
    run = waited(pressed(app, "ge_train"), workbench, "ge")
    app.session_state["ge_tree"] = selection(ge.text(corpus), 1)
    assert "remainder" in said(shown(app.run(), ge_arc_view="why").caption)
    found = ge.why(run, INDEX, 2, 1, 3)
    table = pull_table(found)
    assert sum(table["nats"]) == pytest.approx(found.score)
    assert sum(abs(share) for share in table["share"]) == pytest.approx(1)
    sizes = [abs(nats) for nats in table["nats"][:-1]]
    assert sizes == sorted(sizes, reverse=True) and table["constraint"][0] == "DET <- NOUN per modifier"
