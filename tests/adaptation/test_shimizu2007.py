"""``reproduce shimizu2007-table3`` in small, on the real treebanks."""

import pytest

from core.errors import WorkbenchError
from core.experiments import Environment, experiment_named, run_experiment
from core.experiments.shimizu2007 import texts
from core.experiments.shimizu2007.figures import TABLE_3
from core.treebank import load_sample


def test_table_3_in_small(shared_data, monkeypatch):
    monkeypatch.setattr(texts, "QUICK", 40)
    monkeypatch.setattr(texts, "QUICK_TEST", 15)
    data = run_experiment("shimizu2007-table3", shared_data, quick=True)
    rows = {(row["name"], row["system"], row["score"]): row for row in data["rows"]}
    assert len(rows) == len(data["rows"]) == 2 * 3 * 3
    for (name, system, score), row in rows.items():
        paper = TABLE_3["source" if name == "source" else "target", system != "none"][score]
        assert (row["paper_after_2"], row["paper"]) == paper and 20 < row["ours"] < 100
    others = {row["system"]: row for row in data["tables"]["Beside other ways to adapt, after the last iteration"]}
    assert others["none"]["LAS"] == rows["reviews", "none", "LAS"]["ours"]
    assert set(others) == {"none", "self training", "few target trees", "SCL, paper", "SCL, best"}
    assert [row["pivot"] for row in data["tables"]["Pivots"]] == ["preposition", "determiner", "helping_verb"]


def test_domains_do_not_overlap(shared_data):
    env = Environment(shared_data)
    train, test = texts.read_ewt(env, "train"), texts.read_ewt(env, "test")
    source, _ = texts.source_texts(env, train, test)
    assert len(source) == 1585 + 1833
    questions = texts.question_domain(env, train, test)
    assert len(questions.test) == 164 and len(questions.few) == texts.FEW
    ids = [{sentence.sent_id for sentence in part} for part in (source, questions.unlabelled, questions.few)]
    assert not ids[0] & ids[1] and not ids[1] & ids[2]


def test_missing_data_is_said(tmp_path):
    with pytest.raises(WorkbenchError, match=r"this experiment reads en-ewt/ewt-train\.conllu"):
        experiment_named("shimizu2007-table3").load()(Environment(tmp_path))
    with pytest.raises(WorkbenchError, match="has no sentence of weblog"):
        texts.genres(load_sample(), ["weblog"])
