"""Lines proposed in the Errors view: from the text's own trees, from corrected sentences; one click adds one."""

import numpy as np
import pytest

from core.treebank import load_sample
from core.workspace.constraints.plan import choose_learner
from tests.advising import correct, finished
from tests.pages.reading import pressed, said

LINES = "PRON <- VERB per modifier = 0.0..0.1  # wrong on purpose\nNOUN <- VERB per modifier = 0.6\n"


@pytest.fixture(scope="module")
def gold():
    return load_sample().max_length(8).limit(24)


@pytest.fixture
def opened(open_page):
    return lambda name: open_page("constraints", {"ge_results": "mistakes", "ge_mistakes_by": "lines"}, corpus=name)


def test_corrected_sentences_propose_lines_and_one_click_puts_a_wrong_one_right(opened, workbench, add, ge, gold):
    corpus = add("bare.conllu", gold.with_heads(np.full(len(gold.heads), -1)), LINES)
    text = ge.text(corpus)
    run = finished(workbench, ge.train(text, LINES))
    app = opened("bare.conllu")
    assert "no trees of its own" in said(app.info) and app.button(key="ge_check")

    correct(workbench, corpus, gold, range(20))
    app.run()
    text = ge.text(corpus)
    known, outcome = ge.known(text), ge.outcome(text, run)
    assert known.by_hand and known.sentences == 20 and "in 20 sentences corrected by hand" in said(app.caption)
    assert (known.heads >= 0).sum() == (gold.heads[: gold.offsets[20]] >= 0).sum()
    found = ge.proposals(known, LINES, outcome)
    place, change = next((k, each) for k, each in enumerate(found) if each.line is not None)
    assert change.line.line == 1 and change.constraint.low > 0.3
    app.session_state["ge_proposal"] = place  # as a click on its row
    assert app.run().button(key="ge_proposal_take").label == "Change line 1"
    preview = ge.preview(text, outcome.run, change.constraint)
    assert len(preview.sentences) and f"moves **{preview.moved:,}**" in said(app.markdown)
    pressed(app, "ge_proposal_take")
    assert ge.source(corpus) == f"{change.constraint.text}  # wrong on purpose\n{LINES.splitlines()[1]}\n"
    workbench.store.undo(corpus.project)
    assert ge.source(corpus) == LINES


def test_a_text_with_trees_proposes_new_lines_to_add(opened, add, ge, gold):
    few = "ADJ <- NOUN per modifier = 0.5..1.0\n"
    corpus = add("trees.conllu", gold, few)
    text, app = ge.text(corpus), opened("trees.conllu")
    found = ge.proposals(ge.known(text), few, ge.outcome(text))
    assert found and all(each.line is None for each in found)
    assert app.button(key="ge_proposal_take").label == "Add constraint"
    pressed(app, "ge_proposal_take")
    assert ge.source(corpus) == few + found[0].constraint.text + "\n"


def test_what_was_just_learnt_shows_no_errors_and_what_is_corrected_later_does(opened, workbench, add, ge, gold):
    """A parser is not judged by the trees that it has learnt from."""
    corpus = add("learnt.conllu", gold.with_heads(np.full(len(gold.heads), -1)), LINES)
    correct(workbench, corpus, gold, range(4))
    choose_learner(workbench.store, corpus, "ge")
    finished(workbench, ge.train_on_corrections(corpus))
    app = opened("learnt.conllu")
    assert "No errors to show: all 4 sentences with known heads were learnt from" in said(app.info)
    assert app.button(key="ge_check") and "wrong head" not in said(app.caption)
    correct(workbench, corpus, gold, [4, 5])
    assert ", in 2 sentences corrected by hand, without 4 sentences learnt from." in said(app.run().caption)


def test_the_score_line_leaves_out_what_was_learnt(open_page, workbench, add, ge, gold):
    corpus = add("some.conllu", gold, LINES)
    choose_learner(workbench.store, corpus, "ge")
    for marked, line in (
        ((1, 2), ", without 2 sentences learnt from), "),
        (tuple(range(1, 25)), "no score: all 24 sentences with known heads were learnt from"),
    ):
        finished(workbench, ge.train(ge.text(corpus, ge.plan(corpus).with_values(marked=marked)), LINES))
        app = open_page("constraints", corpus="some.conllu")
        assert line in said(app.markdown)
    assert "of heads right" not in said(app.markdown)
