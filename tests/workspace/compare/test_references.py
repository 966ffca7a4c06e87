"""What parses are scored against: trees corrected by hand that are done; a majority of three parses, or none."""

import numpy as np
import pytest

from core.annotation import SentenceAnnotation
from core.constraints.ge.baselines import attach_left, attach_right
from core.errors import WorkbenchError
from core.treebank import conllu_text, load_sample
from core.workspace.annotations import Annotations
from core.workspace.applied import AvailableParse
from core.workspace.compare.accuracy import accuracy_chart
from core.workspace.compare.scoring import conditions_said
from core.workspace.compare.side_by_side import EACH_OTHER, references, side_by_side, verdict
from core.workspace.compare.tables import disputed, opened_rows
from core.workspace.parses import add_parse
from core.workspace.registry import Systems

LEFT, RIGHT = AvailableParse("left", "attach left"), AvailableParse("right", "attach right")


@pytest.fixture
def bare(add):
    """Six sentences of the sample without trees."""
    bank = load_sample().limit(6)
    return add("bare.conllu", conllu_text(bank.with_heads(np.full(len(bank.heads), -1)).to_conllu()))


def corrected(workspace, corpus, indices, layer="", taken=""):
    """Give these sentences the sample's own trees by hand, and mark all but the last done."""
    annotations = Annotations(workspace, corpus, layer)
    for index in indices:
        tree = SentenceAnnotation.of(load_sample()[index])
        annotations.write(index, tree, annotations.get(index)[1], f"c{index}", "drawing", taken)
    for index in indices[:-1]:
        annotations.set_status(index, "done")


def test_trees_corrected_by_hand_are_a_reference(workspace, bare):
    systems = Systems(workspace)
    assert references(workspace, bare) == {}
    corrected(workspace, bare, [0, 3, 4])
    corrected(workspace, bare, [1, 2], "Ann", "right")
    assert references(workspace, bare) == {"own": "own trees", "layer-Ann": "trees corrected by Ann"}
    found = side_by_side(systems, bare, [LEFT, RIGHT], "layer-")
    gold, text = load_sample().select(np.array([0, 3])), found.comparison.text
    assert (found.sentences, found.of, found.reference) == (2, 6, "own trees")
    assert text.picks.tolist() == [0, 3] and found.is_gold and found.gold is not None
    right = int(((attach_right(gold).heads == gold.heads) & gold.is_word).sum())
    assert found.comparison.scores["attach right"].heads == right
    assert conditions_said(side_by_side(systems, bare, [LEFT, RIGHT], "layer-Ann")) == [
        "1 sentence, against trees corrected by Ann",
        "attach right: 1 sentence began from its own trees, so its score is too high",
    ]
    ann = side_by_side(systems, bare, [LEFT, RIGHT], "layer-Ann")
    favoured = "But 1 sentence began from its own trees, which favours it."
    assert favoured in verdict(ann.comparison.pairs[0], ann) and favoured not in verdict(
        found.comparison.pairs[0], found
    )
    with pytest.raises(WorkbenchError, match="no sentence of these annotations is marked done"):
        side_by_side(systems, bare, [LEFT, RIGHT], "layer-Bob")


def test_one_parse_and_two_baselines_are_no_majority(workspace, bare):
    systems = Systems(workspace)
    bank = workspace.treebank(bare)
    offers = []
    for number, parse in enumerate((attach_left, attach_right, attach_right)):
        data = conllu_text(parse(bank).to_conllu()).encode()
        offers.append(AvailableParse(add_parse(workspace, bare, f"{number}.conllu", data), f"parse {number}"))
    found = side_by_side(systems, bare, [offers[0], LEFT, RIGHT], EACH_OTHER)
    assert not found.is_judged
    assert opened_rows(found, ("kind", "tag", "NOUN", "parse 0"))[0].tolist() == disputed(found).tolist()
    found = side_by_side(systems, bare, [*offers, LEFT], EACH_OTHER)
    assert found.is_judged and found.comparison.right["parse 1"].all()  # two of three; the baseline has no vote
    assert accuracy_chart(found, "tag").picture.title == "Heads as in most parses, by tag, with punctuation"


def test_where_parses_agree_on_all_words_those_are_listed_that_they_have_wrong(workspace, sample):
    data = conllu_text(attach_right(load_sample()).to_conllu()).encode()
    same = AvailableParse(add_parse(workspace, sample, "same.conllu", data), "same")
    found = side_by_side(Systems(workspace), sample, [same, RIGHT])
    rows, title = opened_rows(found, None)
    assert title == "Words that same gets wrong" and not len(disputed(found))
    assert len(rows) == int((attach_right(load_sample()).heads != load_sample().heads).sum())
