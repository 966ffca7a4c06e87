"""Drawings made from sentences and heads, and what they refuse."""

import numpy as np
import pytest

from core.draw import Arc, Drawing, Span, compare_trees, draw_tree, show_change
from core.draw.tikz import tikz_environment
from core.errors import WorkbenchError
from core.treebank import Treebank


@pytest.fixture
def sentence():
    words = {"forms": ["She", "saw", "stars"], "upos": ["PRON", "VERB", "NOUN"], "heads": [2, 0, 2]}
    return Treebank.from_sentences([words | {"deprels": ["nsubj", "root", "obj"], "sent_id": "s1"}])[0]


def test_a_predicted_tree_has_predicted_relations_or_none(sentence):
    drawing = draw_tree(sentence, [-1, 3, 0, 2], kind="predicted")
    assert [(arc.head, arc.modifier, arc.label) for arc in drawing.arcs] == [(3, 1, ""), (0, 2, ""), (2, 3, "")]
    given = draw_tree(sentence, [-1, 3, 0, 2], labels=["", "nmod", "root", "iobj"])
    assert [arc.label for arc in given.arcs] == ["nmod", "root", "iobj"]
    assert [arc.label for arc in draw_tree(sentence).arcs] == ["nsubj", "root", "obj"]
    plain = draw_tree(sentence, kind="predicted", labels=["", "dep", "root", "dep"])  # of a parser that knows none
    assert [arc.label for arc in plain.arcs] == ["", "", ""]
    alone = Treebank.from_sentences([{"forms": ["Yes"], "heads": [0], "deprels": ["root"]}])[0]
    assert [arc.label for arc in draw_tree(alone).arcs] == ["root"]  # somebody's own
    changed = show_change(sentence, sentence.heads, [-1, 3, 0, 2])
    assert {arc.label for arc in changed.arcs} == {""}
    assert {arc.kind for arc in drawing.arcs} == {"predicted"}
    assert (drawing.words[1:], drawing.tags[1:], drawing.name) == (
        ("She", "saw", "stars"),
        ("PRON", "VERB", "NOUN"),
        "s1",
    )


def test_unknown_heads_draw_nothing(sentence):
    assert [arc.modifier for arc in draw_tree(sentence, [-1, -1, 0, -1]).arcs] == [2]


def test_every_arc_has_its_posterior(sentence):
    posteriors = np.zeros((4, 4))
    posteriors[2, 1], posteriors[3, 1], posteriors[0, 2], posteriors[2, 3] = 0.6, 0.4, 1, 1
    assert [arc.posterior for arc in draw_tree(sentence, posteriors=posteriors).arcs] == [0.6, 1, 1]


@pytest.mark.parametrize("as_matrix", [False, True])
def test_arcs_a_constraint_supports_are_marked(sentence, as_matrix):
    supported = np.zeros((4, 4), dtype=bool)
    supported[2, 1] = True
    arcs = draw_tree(sentence, supported=supported if as_matrix else [(2, 1)]).arcs
    assert [arc.kind for arc in arcs] == ["supported", "gold", "gold"]


def test_two_trees_stand_on_two_sides_and_say_where_they_differ(sentence):
    arcs = compare_trees(sentence, [-1, 3, 0, 2]).arcs
    below = [arc for arc in arcs if arc.below]
    assert [arc.kind for arc in arcs if not arc.below] == ["gold"] * 3
    assert [(arc.head, arc.disagrees) for arc in below] == [(3, True), (0, False), (2, False)]


def test_two_trees_have_their_own_relations(sentence):
    arcs = compare_trees(sentence, [-1, 3, 0, 2]).arcs
    assert [(arc.label, arc.below) for arc in arcs if arc.modifier == 3] == [("obj", False), ("", True)]
    shared = compare_trees(sentence, [-1, 3, 0, 2], overlay=True).arcs
    assert [arc.label for arc in shared if arc.kind == "plain"] == ["root / –", "obj / –"]
    labels = sentence.deprels, ["", "nsubj", "root", "iobj"]
    shared = compare_trees(sentence, sentence.heads, labels=labels, overlay=True).arcs
    assert [arc.label for arc in shared] == ["nsubj", "root", "obj / iobj"]


def test_overlaid_trees_share_the_arcs_they_agree_on(sentence):
    drawing = compare_trees(sentence, [-1, 3, 0, 2], overlay=True)
    assert [(arc.head, arc.modifier, arc.kind) for arc in drawing.arcs] == [
        (2, 1, "gold"),
        (3, 1, "predicted"),
        (0, 2, "plain"),
        (2, 3, "plain"),
    ]
    assert [entry[2] for entry in drawing.legend] == ["gold", "predicted", "both", "heads differ"]


def test_a_change_says_where_an_arc_came_from(sentence):
    drawing = show_change(sentence, sentence.heads, [-1, 3, 0, 2], show_former=True)
    changed = [arc for arc in drawing.arcs if arc.kind == "changed"]
    assert [(arc.head, arc.modifier, arc.note) for arc in changed] == [(3, 1, "before: 2 saw")]
    assert [(arc.head, arc.modifier) for arc in drawing.arcs if arc.kind == "former"] == [(2, 1)]


def test_what_two_analyses_share_is_thick_and_what_they_do_not_dashed_in_both(sentence):
    heads = sentence.heads.copy()
    moved = int(np.flatnonzero(heads == 0)[-1])
    heads[moved] = 1 if moved != 1 else 2
    drawing = compare_trees(sentence, heads, thick=True, names=("one", "other"))
    for arc in drawing.arcs:
        assert (arc.agrees, arc.disagrees) == (arc.modifier != moved, arc.modifier == moved)
    assert "thick: same head" in [entry[2] for entry in drawing.legend]
    assert "line width=1.2pt" in tikz_environment(drawing)
    assert not any(arc.agrees for arc in compare_trees(sentence, heads).arcs)


def test_one_kind_of_arc_needs_no_legend(sentence):
    assert draw_tree(sentence).legend == ()


def test_fingerprints_tell_sentences_apart_not_trees(sentence):
    assert draw_tree(sentence).fingerprint == draw_tree(sentence, [-1, 3, 0, 2]).fingerprint
    assert draw_tree(sentence).fingerprint != Drawing(("", "She", "saw", "star")).fingerprint


def test_scripts_written_from_right_to_left_are_known():
    assert Drawing(("", "كتب", "الولد")).right_to_left
    assert not Drawing(("", "the", "1984")).right_to_left


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Drawing(("",)), "at least one word"),
        (lambda: Drawing(("", "a"), tags=("",)), "2 words but 1 tags"),
        (lambda: Drawing(("", "a"), arcs=(Arc(2, 1),)), "arc 2 -> 1 does not fit a sentence of 1 words"),
        (lambda: Drawing(("", "a"), arcs=(Arc(1, 1),)), "no word heads itself"),
        (lambda: Drawing(("", "a"), arcs=(Arc(0, 1, kind="silver"),)), "unknown kind of arc 'silver'; use one of gold"),
        (
            lambda: Drawing(("", "a"), arcs=(Arc(0, 1, posterior=1.5),)),
            r"posterior 1.5 of arc 0 -> 1 is outside \[0, 1\]",
        ),
        (lambda: Drawing(("", "a"), arcs=(Arc(0, 1, posterior=float("nan")),)), "posterior nan"),
        (lambda: Drawing(("", "a"), spans=(Span(1, 3),)), r"span 1..3 is not inside the sentence"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(WorkbenchError, match=message):
        make()


def test_arrays_of_the_wrong_shape_are_refused(sentence):
    with pytest.raises(WorkbenchError, match=r"heads must have shape \(4,\).*got \(3,\)"):
        draw_tree(sentence, [2, 0, 2])
    with pytest.raises(WorkbenchError, match=r"posteriors must have shape \(4, 4\).*got \(3, 3\)"):
        draw_tree(sentence, posteriors=np.ones((3, 3)))
