"""``consistency contexts``, ``parse`` and ``tag``: JSON, files, and one clear line for bad input."""

import json

import numpy as np
import pytest

from core.__main__ import main
from core.treebank import load_sample, read_conllu, write_conllu


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, sample = tmp_path_factory.mktemp("consistency"), load_sample()
    for name, picks in (("train", range(30)), ("test", range(30, 60)), ("extra", range(60, 90))):
        write_conllu(sample.select(np.array(picks)), folder / f"{name}.conllu")
    return {name: str(folder / f"{name}.conllu") for name in ("train", "test", "extra", "out")}


def run(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_contexts(files, capsys):
    data = run(capsys, "consistency", "contexts", files["train"], "--test", files["test"], "--minimum-count", "1")
    assert data["contexts"] == len(data["rows"]) > 0 and 0 < data["coverage"] <= 100
    assert set(data["table1"][0]["shares"]) == {"0.7", "0.8", "0.9", "1"}
    assert all(row["share"] == 1.0 and row["test"] > 0 for row in data["rows"])
    assert main(["consistency", "contexts", files["train"]]) == 0
    assert "contexts hold" in capsys.readouterr().out


def test_parse(files, capsys):
    arguments = ["consistency", "parse", files["train"], files["test"], "--epochs", "1", "--minimum-count", "1"]
    data = run(capsys, *arguments, "--out", files["out"], "--order", "1")
    assert list(data["systems"]) == ["base", "self_training", "model"]
    assert all(0 <= system["uas"] <= 100 for system in data["systems"].values())
    assert data["uas"] == data["systems"]["model"]["uas"] and data["systems"]["base"]["p_value"] == 1.0
    assert data["status"] in ("agreed", "certified") and data["seconds"] > 0
    written = read_conllu(files["out"])
    assert len(written) == 30
    used = {relation for sentence in written for relation in sentence.deprels}
    assert {"det", "punct"} <= used and "dep" not in used
    assert 0 < data["las"] <= data["uas"]


def test_tag(files, capsys):
    arguments = ["consistency", "tag", files["train"], files["test"], "--extra", files["extra"], "--epochs", "1"]
    data = run(capsys, *arguments, "--out", files["out"], "--tags", "upos")
    assert list(data["systems"]) == ["base", "model"] and data["column"] == "upos"
    assert data["pos_accuracy"] == data["systems"]["model"]["pos_accuracy"]
    assert data["settings"]["delta1"] >= data["settings"]["delta2"]
    assert main([*arguments]) == 0
    assert "groups of unknown words" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["contexts", "train", "--minimum-count", "999"], "no context is that frequent"),
        (["contexts", "train", "--threshold", "2"], "a share from 0 to 1"),
        (["parse", "train", "test", "--delta1", "0.1", "--delta2", "0.5"], "put them in order"),
        (["tag", "train", "test", "--step", "-1"], "the step must be a positive number"),
    ],
)
def test_bad_input_is_one_line_and_code_2(files, capsys, arguments, message):
    assert main(["consistency", *(files.get(word, word) for word in arguments)]) == 2
    error = capsys.readouterr().err.strip().splitlines()
    assert len(error) == 1 and error[0].startswith("error: ") and message in error[0]
