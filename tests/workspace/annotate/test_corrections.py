"""What was annotated by hand is learned from: whole trees and parts of them, as they are when training begins."""

import pytest

from core.errors import WorkbenchError
from core.workspace.annotations import Annotations
from core.workspace.constraints.known_trees import trees_key
from tests.workspace.annotate.conftest import changed


@pytest.fixture
def desk(workspace, ge, sample):
    return workspace, sample, ge.text(sample, ge.plan(sample).with_values(corrections=True))


def test_annotated_sentences_are_known_trees_and_a_change_is_noticed(desk, ge):
    workspace, corpus, text = desk
    with pytest.raises(WorkbenchError, match="corrected and marked done yet"):
        ge.known_trees(text)
    layer, before = Annotations(workspace, corpus), trees_key(workspace, text)
    changed(layer, 0, do="attach", word=1, head=3, relation="det")
    changed(layer, 2, do="detach", word=1)
    with pytest.raises(WorkbenchError, match="corrected and marked done yet"):  # begun
        ge.known_trees(text)
    for index in (0, 2):
        layer.set_status(index, "done")
    assert trees_key(workspace, text) != before
    known = ge.known_trees(text)
    assert (known.complete, known.partial, known.problems) == (1, 1, ())
    assert known.treebank[0].heads[1] == 3
    assert known.treebank[1].heads[1] == -1
    changed(layer, 2, do="attach", word=1, head=6, relation="nsubj")
    assert ge.known_trees(text).partial == 0


def test_annotators_own_versions_are_not_learned_from(desk, ge):
    workspace, corpus, text = desk
    changed(Annotations(workspace, corpus, "Ann"), 0, do="detach", word=1)
    Annotations(workspace, corpus, "Ann").set_status(0, "done")
    with pytest.raises(WorkbenchError, match="corrected and marked done yet"):
        ge.known_trees(text)
