"""Files added as parses: no texts of the list, compared by characters where they divide the text otherwise."""

import random

import numpy as np
import pytest

from core.constraints.ge.baselines import attach_right
from core.evaluation import conll2018_scores
from core.treebank import conllu_text, read_conllu
from core.workspace.applied import AvailableParse
from core.workspace.compare import side_by_side as beside
from core.workspace.compare.scoring import score_table
from core.workspace.compare.tables import opened_rows
from core.workspace.parses import add_parse, load_parse, offered_parses
from core.workspace.projects.overview import project_table
from core.workspace.registry import Systems
from core.workspace.texts import PARSE_OF, listed_texts, remove_corpus
from tests.evaluation.recut import recut

RIGHT = AvailableParse("right", "attach right")


@pytest.fixture
def own(workspace, sample):
    return workspace.treebank(sample)


def compared(workspace, sample, *offers):
    return beside.side_by_side(Systems(workspace), sample, offers)


def test_an_added_parse_is_no_text_of_the_list_and_goes_with_undo(workspace, sample, own):
    key = add_parse(workspace, sample, "mine.conllu", conllu_text(attach_right(own)).encode())
    store = workspace.store
    assert [text.id for text in listed_texts(store, sample.project)] == [sample.id]
    assert project_table(store, store.projects())["Texts"] == [1]
    assert key in [offer.key for offer in offered_parses(Systems(workspace), sample)]
    store.undo(sample.project)
    assert key not in [offer.key for offer in offered_parses(Systems(workspace), sample)]


def test_parses_that_older_versions_added_stay_texts(workspace, sample, own):
    data = conllu_text(attach_right(own)).encode()
    older = workspace.store.add_corpus(sample.project, "old.conllu", data, "conllu", settings={PARSE_OF: sample.id})
    assert [text.id for text in listed_texts(workspace.store, sample.project)] == [sample.id, older]
    assert f"corpus-{older}" in [offer.key for offer in offered_parses(Systems(workspace), sample)]


def test_a_parse_whose_text_is_gone_can_be_reached(workspace, sample, own, add):
    key = add_parse(workspace, sample, "mine.conllu", conllu_text(attach_right(own)).encode())
    add("other.conllu", "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    remove_corpus(workspace.store, sample)
    assert [text.name for text in listed_texts(workspace.store, sample.project)] == ["mine.conllu", "other.conllu"]
    workspace.store.undo(sample.project)
    assert int(key.removeprefix("corpus-")) not in [text.id for text in listed_texts(workspace.store, sample.project)]


def test_a_parse_that_divides_the_text_otherwise_is_compared_by_characters(workspace, sample, own):
    parse = recut(conllu_text(own), random.Random(0))
    key = add_parse(workspace, sample, "mine.conllu", parse.encode())
    found = compared(workspace, sample, AvailableParse(key, "mine.conllu"), RIGHT)
    heads = load_parse(Systems(workspace), sample, key).heads
    right = int(((heads == own.heads) & own.is_word).sum())
    table = score_table(found)
    assert table["UAS"][0].endswith(f" · {right:,}") and 0 < right < own.token_count
    (note,) = found.notes
    assert "divides the text otherwise" in note and f"of {own.token_count:,} words are in both" in note
    assert (heads[found.comparison.scored] >= 0).all() and len(found.comparison.scored) < own.token_count
    pair = found.comparison.pairs[0]
    assert pair.sign.words == own.token_count  # words that are not in both are wrong in the test
    listed = opened_rows(found, ("pair", pair.one, pair.other))[0]  # and open where the number is clicked
    assert pair.differ == len(listed) == int((heads != attach_right(own).heads)[own.is_word].sum())
    expected = conll2018_scores(own, read_conllu(parse.encode()))
    scores = score_table(found, "conll2018")
    for name in ("UAS", "LAS", "CLAS"):
        assert f"{expected[name].f1:.1f}%" in scores[name][0]


def test_pairs_that_were_compared_are_not_compared_anew(workspace, sample, own, monkeypatch):
    made = []
    whole = beside.system_pair
    monkeypatch.setattr(beside, "system_pair", lambda *given: made.append(given[2]) or whole(*given))
    rows = np.repeat(np.arange(len(own)) % 3 == 0, own.lengths + 1)
    keys = []
    for name, heads in (("one", own.heads), ("two", np.where(rows, attach_right(own).heads, own.heads))):
        parse = own.with_heads(heads, own.deprel)
        keys.append(AvailableParse(add_parse(workspace, sample, name, conllu_text(parse).encode()), name))
    first = compared(workspace, sample, keys[0], RIGHT).comparison.pairs
    again = compared(workspace, sample, keys[0], RIGHT, keys[1]).comparison.pairs
    assert made == [("one", "attach right"), ("one", "two"), ("attach right", "two")] and again[0] is first[0]
    beside.side_by_side(Systems(workspace), sample, keys, punctuation=False)
    assert made[3:] == [("one", "two")]  # over other words


def test_two_parses_with_the_same_heads_gain_no_negative_zero(workspace, sample, own):
    keys = [
        AvailableParse(add_parse(workspace, sample, name, conllu_text(own).encode()), name) for name in ("one", "two")
    ]
    found = compared(workspace, sample, *keys)
    assert beside.pair_table(found, found.comparison.pairs)["gain"] == ["+0.0 (+0.0 to +0.0)"]
