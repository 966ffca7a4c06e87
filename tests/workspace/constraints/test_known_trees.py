"""Trees to learn from beside constraints: marked sentences, another treebank, whole or partial, and refusals."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.constraints import GETrainer, parse_constraints
from core.workspace import add_corpus
from core.workspace.constraints.documents import save_text
from core.workspace.constraints.known_trees import format_numbers, known_trees, parse_numbers, with_marked
from core.workspace.constraints.settings import TrainingSettings

TREES = """1\tthe\t_\tDET\t_\t_\t2\t_\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\t_\t_\t_
3\tsleeps\t_\tVERB\t_\t_\t0\t_\t_\t_

1\ta\t_\tDET\t_\t_\t2\t_\t_\t_
2\tdog\t_\tNOUN\t_\t_\t_\t_\t_\t_
3\tbarks\t_\tVERB\t_\t_\t_\t_\t_\t_

1\tno\t_\tINTJ\t_\t_\t_\t_\t_\t_

"""
TWO_ROOTS = """1\tthe\t_\tDET\t_\t_\t0\t_\t_\t_
2\tcat\t_\tNOUN\t_\t_\t0\t_\t_\t_

"""


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.integers(1, 60)))
def test_numbers_come_back_as_they_were_written(numbers):
    assert parse_numbers(format_numbers(sorted(numbers)), 60) == tuple(sorted(numbers))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1, x", "'x' is not a sentence number; write numbers and ranges, such as 1-20, 33"),
        ("5-2", "runs downward; write 2-5"),
        ("0", "there is no sentence 0"),
        ("1 - 61", "there is no sentence 61; this text has sentences 1 to 60"),
    ],
)
def test_what_names_no_sentence_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_numbers(text, 60)


def test_numbers_may_be_written_in_many_ways():
    assert parse_numbers("3, 1–2;9 12 - 13", 20) == (1, 2, 3, 9, 12, 13)


def test_marking_and_unmarking_a_sentence():
    seventh = with_marked(TrainingSettings("upos"), 7, True)
    assert with_marked(seventh, 2, True).marked == (2, 7)
    assert with_marked(seventh, 7, False).marked == ()


def test_sentences_without_any_head_are_passed_over(workspace, ge, add):
    corpus = add("trees.conllu", TREES)
    text = ge.text(corpus, TrainingSettings("upos", marked=(1, 2, 3)))
    found = known_trees(workspace, text)
    assert (found.complete, found.partial, found.problems) == (1, 1, ())
    assert len(found.treebank) == 2


def test_trees_of_two_places_are_learned_from_together(workspace, ge, sample, add):
    other = add("trees.conllu", TREES)
    text = ge.text(sample, TrainingSettings("upos", marked=(1,), trees=other.id))
    found = ge.known_trees(text)
    assert (found.complete, found.partial) == (2, 1)
    assert found.treebank[0].forms == text.treebank[0].forms
    assert ge.known_trees(text) is found


def test_impossible_trees_are_left_out_and_told(workspace, ge, add):
    both = add("two.conllx", TREES + TWO_ROOTS, "conllx")
    found = known_trees(workspace, ge.text(both, TrainingSettings("upos", trees=both.id)))
    assert len(found.treebank) == 2
    assert found.problems[0].startswith("Sentence 4 is left out: with its heads, it would need several words on")
    alone = add("roots.conllx", TWO_ROOTS, "conllx")
    with pytest.raises(ValueError, match=r"no sentence with known heads \(1 in all\) can be learned from: Sentence 1"):
        known_trees(workspace, ge.text(alone, TrainingSettings("upos", trees=alone.id)))


def test_trees_without_heads_or_tags_are_refused_in_a_sentence(workspace, ge, sample, add):
    untagged = add("plain.txt", "the cats sleep\n")
    tagged = add("tagged.txt", "the/DET cat/NOUN\n")
    for corpus, message in ((untagged, "has no UPOS tags to learn"), (tagged, "no word of tagged.txt has a head")):
        with pytest.raises(ValueError, match=message):
            known_trees(workspace, ge.text(sample, TrainingSettings("upos", trees=corpus.id)))
    with pytest.raises(ValueError, match="sentence 400 is to be learned from, but the text has 332"):
        known_trees(workspace, ge.text(sample, TrainingSettings("upos", marked=(400,))))


def test_a_partial_tree_with_a_cycle_is_refused(workspace, add):
    cycle = TREES.replace("2\tdog\t_\tNOUN\t_\t_\t_", "2\tdog\t_\tNOUN\t_\t_\t1")
    with pytest.raises(ValueError, match=r"cycle.conllu, line 5, sentence 2, word 1: .* break the cycle"):
        add_corpus(workspace.store, workspace.store.default_project(), "cycle.conllu", cycle.encode())
    corpus = add("trees.conllu", TREES)
    treebank = workspace.treebank(corpus)
    constraints = parse_constraints("DET <- NOUN = 0.9", treebank)
    heads = np.full(treebank.heads.shape, -1)
    heads[[5, 6]] = 2, 1
    with pytest.raises(ValueError, match="sentence 2: word 1 is part of a cycle"):
        GETrainer(treebank).train(constraints, trees=heads)


def test_a_run_learns_from_a_marked_tree_and_says_so(workspace, ge, add):
    corpus = add("trees.conllu", TREES)
    save_text(workspace.store, corpus, "DET <- NOUN = 1.0\n", "typing")
    plain = TrainingSettings("upos", marked=(1,), strength=1.0)
    heads = {}
    for chosen in (plain, replace(plain, complete_weight=0.0)):
        run = ge.train(ge.text(corpus, chosen), "DET <- NOUN = 1.0\n")
        workspace.jobs.wait(run, timeout=120)
        found = workspace.store.run(run)
        assert found.status == "done"
        assert found.figures["trees"] == {"complete": 1, "partial": 0, "left_out": 0}
        heads[chosen.complete_weight] = ge.outcome(ge.text(corpus, chosen), found).heads.tolist()
    assert heads[1.0][4:8] == [-1, 2, 3, 0]  # the second sentence, after the pattern of the first
    assert heads[0.0] != heads[1.0]
