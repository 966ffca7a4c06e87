"""What a run leaves: a record that repeats it, the parser as weights and as a spaCy pipeline."""

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from core.__main__ import main
from core.parsers import load_parser
from core.workspace.constraints.record import read_record, record_text, repeat_record
from core.workspace.constraints.settings import TrainingSettings
from core.workspace.constraints.takeaway import npz_recipe, spacy_recipe

TEXT = """1\tthe\t_\tDET\t_\t_\t2\t_\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\t_\t_\t_
3\tsleeps\t_\tVERB\t_\t_\t0\t_\t_\t_

1\ta\t_\tDET\t_\t_\t2\t_\t_\t_
2\tdog\t_\tNOUN\t_\t_\t3\t_\t_\t_
3\tsees\t_\tVERB\t_\t_\t0\t_\t_\t_
4\tthe\t_\tDET\t_\t_\t5\t_\t_\t_
5\tcat\t_\tNOUN\t_\t_\t3\t_\t_\t_

"""
SET = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.7\n"


@pytest.fixture
def corpus(add):
    return add("cats.conllu", TEXT)


def train(workspace, ge, corpus, source, settings):
    run = ge.train(ge.text(corpus, settings), source)
    workspace.jobs.wait(run, timeout=120)
    found = workspace.store.run(run)
    assert found.status == "done"
    return found


def test_a_record_repeats_a_warm_run_with_trees(workspace, ge, corpus):
    settings = TrainingSettings("upos", score="kl", marked=(1,), minimum_count=1)
    train(workspace, ge, corpus, SET, settings)
    run = train(workspace, ge, corpus, SET.replace("0.7", "0.6"), settings)
    assert run.settings["start"] is not None
    record = read_record(record_text(ge, run))
    assert len(record["before"]) == 1
    assert record["trees"] == [{"forms": ["the", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"],
                                "xpos": ["", "", ""], "heads": [2, 3, 0]}]  # fmt: skip
    assert record["settings"]["score"] == "kl"
    assert {"numpy", "numba", "scipy", "python"} == set(record["versions"])
    result, treebank = repeat_record(record, workspace.source(corpus))
    assert result.optimum.value == pytest.approx(run.figures["objective"], rel=1e-9)
    np.testing.assert_allclose(result.expectations, run.figures["expectations"], atol=1e-9)
    assert len(treebank) == record["text"]["sentences"] == 2


def test_another_text_or_no_record_is_refused(workspace, ge, corpus, add):
    run = train(workspace, ge, corpus, SET, TrainingSettings("upos"))
    record = json.loads(record_text(ge, run))
    with pytest.raises(ValueError, match=r"this record was made on cats.conllu; give that file"):
        repeat_record(record)
    with pytest.raises(ValueError, match=r"not the text of the record, cats.conllu with 2 sentences and 8 words"):
        repeat_record(record, workspace.source(add("other.txt", "the/DET cat/NOUN sleeps/VERB\n")))
    with pytest.raises(ValueError, match=r"r\.json is not JSON"):
        read_record("{", "r.json")
    with pytest.raises(ValueError, match="it lacks record, settings"):
        read_record("{}")
    with pytest.raises(ValueError, match="newer version"):
        read_record(json.dumps(record | {"record": 99}))


def test_the_command_line_repeats_a_record(workspace, ge, corpus, tmp_path, capsys):
    run = train(workspace, ge, corpus, SET, TrainingSettings("upos", decoding="posterior"))
    (tmp_path / "run.json").write_text(record_text(ge, run), encoding="utf-8")
    (tmp_path / "cats.conllu").write_text(TEXT, encoding="utf-8")
    arguments = ["ge", "train", str(tmp_path / "cats.conllu"), "--record", str(tmp_path / "run.json"), "--json"]
    assert main([*arguments, "--out", str(tmp_path / "m.npz")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["objective"] == pytest.approx(found["recorded"]["objective"], rel=1e-9)
    assert found["largest_difference"] < 1e-9
    assert (found["right_heads"], found["scored_words"]) == (
        found["recorded"]["right_heads"], found["recorded"]["scored_words"],
    )  # fmt: skip
    assert load_parser(tmp_path / "m.npz").distribution.decoding == "posterior"
    assert main([*arguments, "--constraints", "c.txt"]) == 2
    assert "a record has its own constraints" in capsys.readouterr().err
    assert main(["ge", "train"]) == 2
    assert "give FILE and --constraints, or the record" in capsys.readouterr().err


def test_a_cancelled_run_is_repeated_up_to_where_it_was_cancelled(workspace, ge, corpus):
    run = train(workspace, ge, corpus, SET, TrainingSettings("upos"))
    most = run.figures["evaluations"] - 2
    record = json.loads(record_text(ge, run))
    assert record["evaluations"] is None
    result, _ = repeat_record(record | {"evaluations": most}, workspace.source(corpus))
    assert result.optimum.evaluations == most
    assert result.status == "stopped"


def test_the_parser_opens_as_weights_and_in_spacy(workspace, ge, corpus, tmp_path):
    run = train(workspace, ge, corpus, SET, replace(TrainingSettings("upos"), minimum_count=1))
    text = ge.text(corpus, TrainingSettings.from_dict(run.settings))
    wanted = ge.outcome(text, run).heads[:4].tolist()
    parser = load_parser(io.BytesIO(ge.load(run).files[0].data()))
    assert parser.parse(text.treebank)[0].heads.tolist() == wanted
    with zipfile.ZipFile(io.BytesIO(ge.load(run).files[1].data())) as archive:
        archive.extractall(tmp_path)
    nlp = spacy.load(tmp_path / f"ge-parser-{run.id}")
    doc = nlp(Doc(nlp.vocab, words=["the", "cat", "sleeps"], pos=["DET", "NOUN", "VERB"]))
    assert [0 if token.head.i == token.i else token.head.i + 1 for token in doc] == wanted[1:]
    assert "Unlabelled" in nlp.meta["description"]
    for recipe in (spacy_recipe(run), npz_recipe(run)):
        compile(recipe, "recipe", "exec")
        assert f"ge-parser-{run.id}" in recipe
        assert len(recipe.splitlines()) == 3
