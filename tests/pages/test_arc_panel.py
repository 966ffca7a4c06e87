"""The panel below the tree: what an arc is an instance of, put into the set or the form, and what pulled it."""

import pytest

from core.workspace.constraints.arcs import head_options, instance_table, instances, pull_table
from core.workspace.constraints.documents import line_saying, save_text
from tests.pages.reading import said

INDEX = 0  # the first sentence of the sample: The sea came over the wall ...


def choose(app, text, word):
    """As a click on a word of the first sentence would."""
    from core.draw import draw_tree

    fingerprint = draw_tree(text.treebank[INDEX]).fingerprint
    app.session_state["ge_tree"] = {"sel": {"id": fingerprint, "word": word, "arc": None}}
    return app.run()


def train(app, workbench):
    app.button(key="ge_train").click().run()
    workbench.jobs.wait(workbench.store.runs(workbench.store.default_project(), "ge")[0].id, timeout=120)
    app.run()
    assert not app.exception


def test_instances_go_from_general_to_specific_with_shares_of_the_words_concerned(workbench, ge, text):
    outcome = ge.outcome(text)
    found = instances(text, outcome, INDEX, 2, 1)
    assert [each.constraint.name for each in found[:3]] == [
        "NOUN -- DET per modifier",
        "DET <- NOUN per modifier",
        "DET <- NOUN dist 1 per modifier",
    ]
    table = instance_table(found)
    assert table["pairs"][0] >= table["pairs"][1] >= table["pairs"][2]
    assert all(pairs >= words for pairs, words in zip(table["pairs"], table["of"], strict=True))
    rows = text.matcher.match([found[1].constraint])
    assert found[1].share == pytest.approx(outcome.marginals.values[rows.of(0)].sum() / rows.denominators[0])
    assert 0.8 < found[1].gold <= 1


def test_head_options_are_all_other_words_most_probable_first(workbench, ge, text):
    options = head_options(ge.outcome(text), INDEX, 3)
    probabilities = [probability for _, probability in options]
    assert sorted(head for head, _ in options) == [0, 1, 2, *range(4, len(text.treebank[INDEX]) + 1)]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1, abs=1e-5)


def test_nothing_chosen_says_what_to_do(open_page):
    assert "Click an arc or a word" in said(open_page("constraints").caption)


def test_a_pair_becomes_a_constraint_that_can_be_undone(open_page, workbench, corpus, text):
    app = choose(open_page("constraints"), text, 2)
    heads = next(box for box in app.selectbox if box.label == "Head of 2 sea NOUN")
    heads.set_value(3).run()
    assert not app.exception
    asked = f"Of {instances(text, None, INDEX, 3, 2)[1].coverage.denominator:,} nouns followed by a verb"
    assert asked in said(app.markdown)
    app.segmented_control(key="ge_arc_answer").set_value("half").run()
    app.button(key="ge_arc_add").click().run()
    assert not app.exception
    stored = workbench.store.document(corpus.project, "constraints", str(corpus.id))
    number = line_saying(stored, instances(text, None, INDEX, 3, 2)[1].constraint)
    assert stored.splitlines()[number - 1] == "NOUN <- VERB per modifier = 0.5"
    assert app.button(key="ge_arc_add").label == f"Change line {number}"
    app.button(key="shared_undo").click().run()
    assert workbench.store.document(corpus.project, "constraints", str(corpus.id)) is None


def test_a_more_specific_row_goes_into_the_form(open_page, text):
    app = open_page("constraints", state={"ge_arc_row": ([INDEX, 0, 1], 0)})
    choose(app, text, 1)
    heads = next(box for box in app.selectbox if box.label == "Head of 1 The DET")
    heads.set_value(2).run()
    app.session_state["ge_arc_row"] = ([INDEX, 2, 1], 2)
    app.run()
    app.button(key="ge_arc_form").click().run()
    assert not app.exception
    assert app.selectbox(key="ge_form_head").value == "NOUN"
    assert app.selectbox(key="ge_form_distance").value == "1"
    assert app.slider(key="ge_form_target").value == 0.75


def test_the_untrained_model_has_no_reason(open_page, text):
    app = choose(open_page("constraints"), text, 1)
    app.segmented_control(key="ge_arc_view").set_value("why").run()
    assert "no reasons yet" in said(app.caption)


def test_reasons_add_up_to_the_score_with_what_is_left_over(open_page, workbench, ge, corpus, text):
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9\nADJ <- NOUN per modifier = 0.8\n", "typing")
    app = open_page("constraints")
    train(app, workbench)
    choose(app, text, 1)
    app.segmented_control(key="ge_arc_view").set_value("why").run()
    assert not app.exception
    assert "remainder" in said(app.caption)
    found = ge.why(ge.newest(text), INDEX, 2, 1, 3)
    table = pull_table(found)
    assert sum(table["nats"]) == pytest.approx(found.score)
    assert sum(abs(share) for share in table["share"]) == pytest.approx(1)
    sizes = [abs(nats) for nats in table["nats"][:-1]]
    assert sizes == sorted(sizes, reverse=True)
    assert table["constraint"][0] == "DET <- NOUN per modifier"
