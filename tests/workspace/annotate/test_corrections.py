"""What was annotated by hand is learned from: whole trees and parts of them, as they are when training begins."""

from dataclasses import replace

import pytest

from core.errors import WorkbenchError
from core.workspace.annotate.steps import carry_out
from core.workspace.annotations import Annotations
from core.workspace.constraints.known_trees import trees_key


@pytest.fixture
def desk(workspace, ge):
    corpus = workspace.store.corpora(workspace.store.default_project())[0]
    settings = replace(ge.plan(corpus), corrections=True)
    return workspace, corpus, ge.text(corpus, settings)


def change(layer, index, **step):
    annotation, revision = layer.get(index)
    layer.write(index, carry_out(annotation, step)[0], revision, "c", "changing")


def test_annotated_sentences_are_known_trees_and_a_change_is_noticed(desk, ge):
    workspace, corpus, text = desk
    with pytest.raises(WorkbenchError, match="annotated by hand yet"):
        ge.known_trees(text)
    layer, before = Annotations(workspace, corpus), trees_key(workspace, text)
    change(layer, 0, do="attach", word=1, head=3, relation="det")
    change(layer, 2, do="detach", word=1)
    assert trees_key(workspace, text) != before
    known = ge.known_trees(text)
    assert (known.complete, known.partial, known.problems) == (1, 1, ())
    assert known.treebank[0].heads[1] == 3
    assert known.treebank[1].heads[1] == -1
    change(layer, 2, do="attach", word=1, head=6, relation="nsubj")
    assert ge.known_trees(text).partial == 0


def test_annotators_own_versions_are_not_learned_from(desk, ge):
    workspace, corpus, text = desk
    change(Annotations(workspace, corpus, "Ann"), 0, do="detach", word=1)
    with pytest.raises(WorkbenchError, match="annotated by hand yet"):
        ge.known_trees(text)
