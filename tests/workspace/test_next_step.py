"""The next step under a result: from a sample picked at random to a score of two trees on what neither has learnt."""

from dataclasses import replace

import numpy as np
import pytest

from core.evaluation.estimates import estimate
from core.workspace.annotate import check
from core.workspace.annotations import Annotations
from core.workspace.constraints.known_trees import known_heads
from core.workspace.constraints.plan import taught_by
from core.workspace.next_step import after_run, after_training, progress_on_sample, progress_words, tags_by_hand
from core.workspace.registry import Systems


def test_from_a_result_to_a_sample_to_its_correction_to_its_scores(workspace, add):
    plain = add("plain.txt", "the cats sleep\na dog barks\nbirds sing\n")
    systems = Systems(workspace)
    assert after_run(systems, plain, True).action == "compare"
    step = after_training(systems, plain, False, "")
    assert (step.action, step.label) == ("draw", f"Pick {min(20, len(workspace.source(plain)))} sentences at random")
    check.draw(workspace.store, plain, len(workspace.source(plain)), 2)
    assert after_run(systems, plain, False).action == "correct"
    layer = Annotations(workspace, plain)
    first, *_ = sample = check.drawn(workspace.store, plain)["sentences"]
    for index in sample:
        annotation, revision = layer.get(index)
        tags = ("", "NOUN", *annotation.upos[2:]) if index == first else annotation.upos
        chain = replace(annotation, heads=(-1, *range(len(annotation))), upos=tags)
        layer.write(index, chain, revision, str(index), "drawing")
        layer.set_status(index, "done")
    assert after_run(systems, plain, False).action == "scores"
    assert tags_by_hand(workspace, plain, (0, 1, 2), "upos") == 1
    assert after_training(systems, plain, False, "45% before").action == "advice"


def test_trees_are_scored_on_the_known_sentences_of_the_sample_alone(ge, workspace, sample):
    text = ge.text(sample)
    known, bank = known_heads(workspace, text), text.treebank
    drawn = {"sentences": [int(pick) for pick in bank.picks[[3, 8, 40]]], "seed": 0}
    wrong = np.where(np.arange(len(bank.heads)) % 2, known.heads, 0).astype(np.int32)
    before, now = progress_on_sample(known, drawn, len(bank), (wrong, known.heads))
    counted = [(row, i) for i in (3, 8, 40) for row in range(*bank.offsets[i : i + 2])]
    counted = [(row, i) for row, i in counted if known.heads[row] >= 0 and not bank.punctuation()[row]]
    right = [sum(wrong[row] == known.heads[row] for row, i in counted if i == j) for j in (3, 8, 40)]
    words = [sum(i == j for _, i in counted) for j in (3, 8, 40)]
    assert before == estimate(right, words, len(bank)) and (now.share, now.words) == (100.0, len(counted))
    assert "2 tags there corrected by hand" in progress_words(before, now, False, 2)
    said = progress_words(before, now, untrained=True)
    assert said.startswith(f"{before.share:.1f}% untrained, **100.0%** now") and "3 sentences picked at random" in said
    assert progress_on_sample(known.without(bank.picks[[3, 8]]), drawn, len(bank), (wrong,)) is None


@pytest.mark.parametrize(
    ("constraints", "trees", "said"),
    [("A -> B = 1\n# no\nA <- B = 0.5\n", {"complete": 9, "partial": 1}, "2 constraints + 10 trees"), ("", None, "")],
)
def test_runs_are_named_by_what_taught_them(constraints, trees, said):
    class Run:
        constraint_text, figures, settings = constraints, {"trees": trees}, {}

    assert taught_by(Run) == said
