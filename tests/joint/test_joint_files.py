"""Joint parsers saved, loaded, and used by ``parse``: the same trees, no pickle, clear refusals."""

import json

import numpy as np
import pytest

from core.__main__ import main
from core.errors import FormatError, WorkbenchError
from core.joint import JointParser, JointSettings, OneScheme
from core.parsers import MSTParser, Tagger
from core.treebank import Treebank, load_sample, read_conllu, write_conllu

SMALL = {"epochs": 1, "candidates": 3, "rounds": 2, "folds": 2, "table_bits": 12, "bits": 10}


@pytest.fixture(scope="module")
def banks():
    one, other = (load_sample(part) for part in ("sample", "function-heads"))
    short = np.flatnonzero(one.lengths <= 10)
    return one.select(short[:12]), other.select(short[12:24]), one.select(short[24:30])


@pytest.fixture(scope="module")
def parser(banks):
    return JointParser(JointSettings(**SMALL)).fit(banks[:2], names=("ud", "heads"))


@pytest.fixture(scope="module")
def saved(parser, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "joint.npz"
    parser.save(path)
    return path


def test_a_saved_joint_parser_parses_as_before(banks, parser, saved):
    loaded = JointParser.load(saved)
    assert loaded.settings == parser.settings and loaded.skipped == parser.skipped and loaded.tagger is None
    before, after = parser.parse(banks[2]), loaded.parse(banks[2])
    for number in (0, 1):
        for round_ in range(3):
            np.testing.assert_array_equal(before.heads(number, round_), after.heads(number, round_))
            np.testing.assert_allclose(
                before.candidates(number, round_).posteriors, after.candidates(number, round_).posteriors
            )
        assert before.treebank(number)[0].deprels == after.treebank(number)[0].deprels
    with np.load(saved, allow_pickle=False) as file:  # nothing in it can run
        assert all(file[name].dtype == np.uint8 for name in file.files)


def test_what_folds_are_needed_for_is_refused_once_they_are_gone(banks, saved):
    loaded = JointParser.load(saved)
    with pytest.raises(WorkbenchError, match="keeps no folds of its training text; give development texts"):
        loaded.best_reward(None, (0.0, 1.0))
    assert loaded.best_reward(banks[:2], (0.0,)) == 0.0
    with pytest.raises(WorkbenchError, match="keeps no folds of its training text; train it anew"):
        JointParser(JointSettings(**SMALL)).fit(banks[:2], like=loaded)


def test_files_that_are_no_joint_model(banks, tmp_path, saved):
    one = tmp_path / "one.npz"
    MSTParser(1, labels=False, bits=8).fit(banks[0], epochs=1).save(one)
    with pytest.raises(FormatError, match="model of kind 'mst', not 'joint'"):
        JointParser.load(one)
    with np.load(saved) as file:
        arrays = {name: file[name] for name in file.files if name != "parser_1_0"}
    np.savez(tmp_path / "part.npz", **arrays)
    with pytest.raises(FormatError, match="the joint model lacks parser_1_0; save it again"):
        JointParser.load(tmp_path / "part.npz")
    with pytest.raises(WorkbenchError, match="not been trained yet"):
        JointParser().save(tmp_path / "none.npz")


def test_a_text_is_tagged_as_the_parsers_need_it(banks, parser, tmp_path):
    parser.tagger = Tagger().fit(banks[0], tags="upos", epochs=1)
    try:
        parser.save(tmp_path / "tagging.npz")
    finally:
        parser.tagger = None
    loaded = JointParser.load(tmp_path / "tagging.npz")
    bare = Treebank.from_sentences([{"forms": s.forms[1:]} for s in banks[2]])
    assert all(loaded.tagged(bare)[0].upos[1:])
    assert loaded.tagger.tags == Tagger().fit(banks[0], tags="upos", epochs=1).tags


def test_parse_writes_the_trees_of_one_scheme(banks, parser, saved, tmp_path, capsys):
    text, out = tmp_path / "text.conllu", tmp_path / "out.conllu"
    write_conllu(banks[2], text)
    whole = parser.parse(banks[2])
    for scheme, number in ((None, 0), ("2", 1), ("heads", 1)):
        options = [] if scheme is None else ["--scheme", scheme]
        assert main(["parse", str(text), "--model", str(saved), "--out", str(out), *options, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["scheme"] == ("ud", "heads")[number] and data["schemes"] == ["ud", "heads"]
        np.testing.assert_array_equal(read_conllu(out).heads, whole.heads(number))
    assert main(["parse", str(text), "--model", str(saved), "--out", str(out), "--scheme", "sud"]) == 2
    assert "no scheme 'sud'; choose of 1 ud, 2 heads" in capsys.readouterr().err
    one = tmp_path / "one.npz"
    MSTParser(1, labels=False, bits=8).fit(banks[0], epochs=1).save(one)
    assert main(["parse", str(text), "--model", str(one), "--out", str(out), "--scheme", "1"]) == 2
    assert "holds one parser, not a joint model; leave out --scheme" in capsys.readouterr().err
    assert OneScheme(parser).labelled


def test_joint_saves_its_parsers(banks, tmp_path, capsys):
    names = [str(tmp_path / f"{name}.conllu") for name in ("a", "b", "t")]
    for name, bank in zip(names, banks, strict=True):
        write_conllu(bank, name)
    model = str(tmp_path / "m.npz")
    command = ["joint", *names, names[2], "--epochs", "1", "--rounds", "1", "--stages", "1", "--candidates", "2"]
    assert main([*command, "--no-baselines", "--json", "--out", model]) == 0
    assert json.loads(capsys.readouterr().out)["out"] == model
    assert [each.name for each in JointParser.load(model).schemes] == names[:2]
    assert main([*command, "--no-baselines", "--out", "x", "y", "z"]) == 2
    assert "one path for the parsers or two for the trees, got 3" in capsys.readouterr().err
