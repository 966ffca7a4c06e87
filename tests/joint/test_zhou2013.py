"""The experiments' texts, and both tables on a few sentences of the sample."""

from dataclasses import replace

import pytest

from core.errors import WorkbenchError
from core.experiments import run_experiment
from core.experiments.at_hand import sample_at_hand
from core.experiments.experiment import Environment
from core.experiments.zhou2013 import pairs, tables
from core.joint import JointSettings

SAMPLE = sample_at_hand()


def test_every_tenth_sentence_tests_and_the_halves_are_disjoint():
    pair = pairs.pair_at_hand(SAMPLE)
    ids = [{sentence.sent_id for sentence in text} for text in (*pair.trains, *pair.tests)]
    assert len(ids[0]) + len(ids[1]) + len(ids[2]) == 332 and ids[2] == ids[3] and len(ids[2]) == 33
    assert not ids[0] & ids[1] and not (ids[0] | ids[1]) & ids[2]
    assert (pair.tests[0].heads != pair.tests[1].heads).any()


def test_pairs_of_real_treebanks(shared_data):
    pair = pairs.beginner_pair(Environment(shared_data))
    assert [len(text) for text in (*pair.trains, *pair.tests)] == [1033, 1033, 229, 229]


def test_both_tables(monkeypatch):
    whole = pairs.pair_at_hand(SAMPLE)
    trains, tests = ([text.max_length(10).limit(24) for text in texts] for texts in (whole.trains, whole.tests))
    monkeypatch.setattr(tables, "pair_at_hand", lambda text: replace(whole, trains=trains, tests=tests))
    small = JointSettings(epochs=1, candidates=3, rounds=1, folds=2, stages=1, labels=False, table_bits=12, bits=10)
    monkeypatch.setattr(tables, "joint_settings", lambda env, pair, order: small)
    monkeypatch.setattr(tables, "REWARDS", (0.0, 0.001))
    monkeypatch.setattr(tables, "LATER_REWARDS", (0.0, 0.001))
    data = run_experiment("zhou2013-table1", quick=True)
    assert len(data["rows"]) == 2 * (5 + 5 + 1 + 2) and all(0 <= row["ours"] <= 100 for row in data["rows"])
    assert "dep2 + grandparent" in str(data["rows"]) and data["rows"][-1]["certified"] > 0
    assert all(0 <= row["p_stacking"] <= 1 for row in data["rows"] if "+" in row["name"])
    table4 = run_experiment("zhou2013-table4", quick=True)
    assert [row["paper"] for row in table4["rows"]] == pytest.approx([74 / 26, 341 / 97])
    last = [row for row in data["rows"] if row["name"].endswith("+ grandparent")]
    assert sum(row["name"].endswith("learnt on held-out text") for row in data["rows"]) == 2
    assert [(row["helped"], row["hurt"]) for row in table4["rows"]] == [(row["helped"], row["hurt"]) for row in last]


def test_missing_treebanks_are_said(tmp_path):
    with pytest.raises(
        WorkbenchError,
        match=r"not in .*zh-beginner\.ud\.conllu, .*zh_gsd-v1-train.*zh-sinica-test",
    ):
        run_experiment("zhou2013-table4", tmp_path)
