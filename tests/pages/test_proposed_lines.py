"""Lines proposed in the Errors view: from the text's own trees, from corrected sentences; one click adds one."""

import numpy as np
import pytest

from core.annotation import Annotation
from core.treebank import conllu_text, load_sample
from core.workspace import add_corpus
from core.workspace.annotations import Annotations
from core.workspace.constraints.documents import save_text
from tests.pages.reading import said

LINES = "PRON <- VERB per modifier = 0.0..0.1  # wrong on purpose\nNOUN <- VERB per modifier = 0.6\n"
VIEW = {"ge_results": "mistakes", "ge_mistakes_by": "lines"}


@pytest.fixture(scope="module")
def gold():
    return load_sample().max_length(8).limit(24)


def add(workbench, name, treebank, source):
    """Add a text under a set; returns its Corpus."""
    project = workbench.store.default_project()
    corpus = workbench.store.corpus(
        add_corpus(workbench.store, project, name, conllu_text(treebank.to_conllu()).encode())[0]
    )
    save_text(workbench.store, corpus, source, "typing")
    return corpus


def correct(workbench, corpus, gold, count):
    annotations = Annotations(workbench, corpus)
    for index in range(count):
        annotations.write(index, Annotation.of(gold[index]), annotations.get(index)[1], f"step-{index}", "correcting")
        annotations.set_status(index, "done")


def test_corrected_sentences_propose_lines_and_one_click_puts_a_wrong_one_right(open_page, workbench, ge, gold):
    corpus = add(workbench, "bare.conllu", gold.with_heads(np.full(len(gold.heads), -1)), LINES)
    text = ge.text(corpus)
    workbench.jobs.wait(ge.train(text, LINES), timeout=120)
    app = open_page(state=VIEW, corpus="bare.conllu")
    app.switch_page("pages/constraints.py").run()
    assert "no trees of its own" in said(app.info) and app.button(key="ge_check")

    correct(workbench, corpus, gold, 20)
    app.run()
    known, outcome = ge.known(text), ge.outcome(text, ge.newest(text))
    assert known.by_hand and known.sentences == 20
    assert (known.heads >= 0).sum() == (gold.heads[: gold.offsets[20]] >= 0).sum()
    assert "in 20 corrected sentences" in said(app.caption)
    found = ge.proposals(known, LINES, outcome)
    place, change = next((k, each) for k, each in enumerate(found) if each.line is not None)
    assert change.line.line == 1 and change.constraint.low > 0.3
    app.session_state["ge_proposal"] = place  # as a click on its row
    app.run()
    assert app.button(key="ge_proposal_take").label == "Change line 1"
    preview = ge.preview(text, outcome.run, change.constraint)
    assert len(preview.sentences) and f"moves **{preview.moved:,}**" in said(app.markdown)
    app.button(key="ge_proposal_take").click().run()
    assert not app.exception, app.exception
    changed = ge.source(corpus)
    assert changed.splitlines()[0] == f"{change.constraint.text}  # wrong on purpose"
    assert changed.splitlines()[1:] == LINES.splitlines()[1:]
    workbench.store.undo(corpus.project)
    assert ge.source(corpus) == LINES


def test_a_text_with_trees_proposes_new_lines_to_add(open_page, workbench, ge, gold):
    few = "ADJ <- NOUN per modifier = 0.5..1.0\n"
    corpus = add(workbench, "trees.conllu", gold, few)
    text = ge.text(corpus)
    app = open_page(state=VIEW, corpus="trees.conllu")
    app.switch_page("pages/constraints.py").run()
    found = ge.proposals(ge.known(text), few, ge.outcome(text))
    assert found and all(each.line is None for each in found)
    assert app.button(key="ge_proposal_take").label == "Add line"
    app.button(key="ge_proposal_take").click().run()
    assert not app.exception, app.exception
    assert ge.source(corpus) == few + found[0].constraint.text + "\n"
