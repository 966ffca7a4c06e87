"""The next step under a result: from a sample picked at random to a score of two trees on what neither has learnt."""

from dataclasses import replace

import numpy as np
import pytest

from core.evaluation.estimates import estimate
from core.workspace.annotate import check
from core.workspace.annotations import Annotations
from core.workspace.applied import AvailableParse
from core.workspace.constraints.plan import taught_by
from core.workspace.constraints.results import compare
from core.workspace.next_step import after_run, after_training, progress_on_sample, progress_words
from core.workspace.random_sample import drawn
from core.workspace.registry import Systems
from core.workspace.scored_text import scored_text


def test_from_a_result_to_a_sample_to_its_correction_to_its_scores(workspace, add):
    plain = add("plain.txt", "the cats sleep\na dog barks\nbirds sing\n")
    systems = Systems(workspace)
    assert after_run(systems, plain, True).action == "compare"
    step = after_training(systems, plain, False, "")
    assert (step.action, step.label) == ("draw", f"Pick {min(20, len(workspace.source(plain)))} sentences at random")
    check.draw(workspace.store, plain, len(workspace.source(plain)), 2)
    assert after_run(systems, plain, False).action == "correct"
    layer = Annotations(workspace, plain)
    first, *_ = sample = drawn(workspace.store, plain)["sentences"]
    for index in sample:
        annotation, revision = layer.get(index)
        tags = ("", "NOUN", *annotation.upos[2:]) if index == first else annotation.upos
        chain = replace(annotation, heads=(-1, *range(len(annotation))), upos=tags)
        layer.write(index, chain, revision, str(index), "drawing")
        layer.set_status(index, "done")
    assert after_run(systems, plain, False).action == "scores"
    known = scored_text(workspace, plain)
    assert known.conditions(known.settled.treebank, "universal").tags_by_hand == 1
    parsers = [AvailableParse(key, key) for key in ("universal", "left")]
    told = [row.heads.conditions.tags_by_hand for row in check.accuracies(systems, plain, parsers)]
    assert told == [1, 0]
    assert after_training(systems, plain, False, "45% before").action == "advice"
    assert after_training(systems, plain, False, "").action == "scores"
    step = after_training(systems, plain, False, "", all_learnt=True)
    assert (step.action, step.sentence[:36]) == ("draw", "All corrected sentences were learnt ")
    check.draw(workspace.store, plain, 3, 3)  # one of them is not done
    assert after_training(systems, plain, False, "", all_learnt=True).action == "correct"


def test_trees_are_scored_on_the_known_sentences_of_the_sample_alone(ge, workspace, sample, monkeypatch):
    text = ge.text(sample)
    bank = text.treebank
    assert progress_on_sample(ge, text, ge.change(text, None)) is None
    chosen, of = [int(pick) for pick in bank.picks[[3, 8, 40]]], len(workspace.source(sample))
    monkeypatch.setattr(check, "draw_sample", lambda *_: chosen)
    check.draw(workspace.store, sample, of, 3)
    wrong = np.where(np.arange(len(bank.heads)) % 2, bank.heads, 0).astype(np.int32)
    untrained = ge.outcome(text)
    outcomes = [replace(untrained, parse=replace(untrained.parse, heads=heads)) for heads in (wrong, bank.heads)]
    change = compare(scored_text(workspace, sample), text, *outcomes)
    before, now = progress_on_sample(ge, text, change)
    counted = [(row, i) for i in (3, 8, 40) for row in range(*bank.offsets[i : i + 2])]
    counted = [(row, i) for row, i in counted if bank.heads[row] >= 0 and not bank.punctuation()[row]]
    right = [sum(wrong[row] == bank.heads[row] for row, i in counted if i == j) for j in (3, 8, 40)]
    words = [sum(i == j for _, i in counted) for j in (3, 8, 40)]
    assert before.estimate == estimate(right, words, of)
    assert (now.estimate.share, now.words) == (100.0, len(counted))
    said = progress_words(change, before, now)
    assert said.startswith(f"{before.estimate.share:.1f}% before, **100.0%** now")
    assert said.endswith(f"without punctuation, in 3 sentences of the file, drawn at random from {of}.")
    monkeypatch.setattr(ge, "learnt", lambda run: bank.picks[[3, 8]])
    learnt = [replace(outcome, run=Trained) for outcome in outcomes]
    assert progress_on_sample(ge, text, replace(change, before=learnt[0], after=learnt[1])) is None


class Trained:
    id = 7


@pytest.mark.parametrize(
    ("constraints", "trees", "said"),
    [("A -> B = 1\n# no\nA <- B = 0.5\n", {"complete": 9, "partial": 1}, "2 constraints + 10 trees"), ("", None, "")],
)
def test_runs_are_named_by_what_taught_them(constraints, trees, said):
    class Run:
        constraint_text, figures, settings = constraints, {"trees": trees}, {}

    assert taught_by(Run) == said
