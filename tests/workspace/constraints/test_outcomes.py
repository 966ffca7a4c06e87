"""What runs left is read again; another text's, and what was kept before 0.1, is refused."""

import io

import numpy as np
import pytest

from core.constraints.authoring.attribution import HeadChanges
from core.constraints.language import reading
from core.errors import FormatError
from core.parsers.optimize import minimize
from core.workspace.constraints import inputs as kept_text
from core.workspace.constraints.ablation import PARTS, Ablation, read_ablation
from core.workspace.constraints.coverage import survey
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.system import packed
from tests.advising import finished

SET = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.5\n"
WEIGHTS = np.array([0.5, -1.25, 3.0])


def bare(**arrays):
    """Arrays as they were kept before 0.1."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


@pytest.fixture
def text(ge, cats):
    return ge.text(cats, TrainingSettings("upos"))


def test_an_outcome_is_read_and_one_of_before_is_refused(text):
    made = kept_text.untrained(text)
    made = type(made)(**vars(made) | {"weights": WEIGHTS})
    found = kept_text.read_outcome(made.to_bytes(), None, text)
    assert found.heads.tolist() == found.parses[""].heads.tolist() == made.heads.tolist()
    assert found.weights.tolist() == WEIGHTS.tolist() and found.marginals.values.dtype == np.float32
    np.testing.assert_allclose(found.marginals.values, made.marginals.values, rtol=0, atol=1.6e-5)
    arrays = {"heads": made.heads, "weights": WEIGHTS}
    marginals = made.marginals.values
    for data, message in (
        (packed("ge", {}, marginals=marginals[1:], **arrays), "made on other sentences"),
        (packed("ge", {}, **arrays), "lacks marginals"),
        (bare(marginals=marginals, **arrays), "not a model saved by the workbench"),
    ):
        with pytest.raises(FormatError, match=message):
            kept_text.read_outcome(data, None, text)


def test_a_checkpoint_is_read_and_one_of_before_is_refused():
    kept = []
    minimize(lambda weights: (float(weights @ weights), 2 * weights, {}), WEIGHTS, progress=kept.append)
    data = kept_text.checkpoint_bytes(kept[0].checkpoint)
    found = kept_text.read_checkpoint(data)
    assert found.packed()[0] == kept[0].checkpoint.packed()[0]
    for mine, theirs in zip(found.packed()[1].values(), kept[0].checkpoint.packed()[1].values(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert kept_text.read_weights(data).tolist() == kept[0].weights.tolist()
    for older in (bare(weights=WEIGHTS), packed(kept_text.KIND, {}, weights=WEIGHTS)):
        with pytest.raises(FormatError):
            kept_text.read_checkpoint(older)


def test_what_lines_are_worth_is_read():
    flips = (HeadChanges(*np.arange(10).reshape(5, 2)), HeadChanges(*np.zeros((5, 0), np.int64)))
    made = Ablation(
        (), np.array([0.5, 0.25]), np.array([[0.5, 0.25], [0.75, 0.0]]), np.array([1, -1]), np.array([0.5, 0.0]), (1,),
        np.array([0.5, 0.5]), (0,), ("Line 1: too much",), flips, 7,
    )  # fmt: skip
    found = read_ablation(made.to_bytes(), SET)
    assert [each.name for each in found.constraints] == ["DET <- NOUN", "NOUN <- VERB"]
    assert (found.removable, found.conflicting, found.problems, found.words) == ((1,), (0,), made.problems, 7)
    assert found.own.tolist() == made.own.tolist() and found.most_similar.tolist() == [1, -1]
    assert [len(each) for each in found.flips] == [2, 0]
    assert [getattr(found.flips[0], name).tolist() for name in PARTS] == np.arange(10).reshape(5, 2).tolist()


def test_people_who_are_signed_in_share_what_was_computed_each_over_a_store_of_their_own(systems, text):
    assert systems.on_behalf_of(None) is systems
    ann, ben = (systems.on_behalf_of(f"{name}@example.org") for name in ("ann", "ben"))
    assert ann["ge"].store is ann.workspace.store and ann["ge"].store is not ben["ge"].store
    assert ann["ge-worth"] is ann["ge"]
    assert ann["ge"].matches(text, SET) is ben["ge"].matches(text, SET) is systems["ge"].matches(text, SET)


@pytest.mark.parametrize("kind", ["ge", "grammar"])
def test_a_set_is_read_once_from_the_page_to_the_trainer(systems, cats, monkeypatch, kind):
    learner, lines, read = systems[kind], SET + "VERB -> VERB = 0.5\n", []

    def read_line(text, number, original=reading.read_line):
        read.append(text)
        return original(text, number)

    monkeypatch.setattr(reading, "read_line", read_line)
    text = learner.text(cats).with_set(learner.workspace, lines)
    shown = survey(text)
    run = finished(learner.workspace, learner.train(text, lines))
    assert run.status == "done" and len(run.figures["expectations"]) == len(shown.rows) == 3
    assert learner.matches(text, lines).pairs.tolist() == [row.coverage.pairs for row in shown.rows]
    assert read.count("VERB -> VERB = 0.5") == 1 and len(text.constraint_set.usable) == 2
