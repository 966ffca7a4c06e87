"""What a run leaves: a record that repeats it, the parser as weights and as a spaCy pipeline."""

import io
import json
import zipfile

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from core.__main__ import main
from core.parsers import load_parser
from core.workspace.constraints.files import npz_recipe, parser_name
from core.workspace.constraints.pipeline import spacy_recipe
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.constraints.record import read_record, record_text, repeat_record
from tests.advising import written
from tests.workspace.constraints.conftest import CATS

SET = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.7\n"
PLAIN = TrainingSettings("upos")


def test_a_record_repeats_a_warm_run_with_trees(workspace, ge, cats, train):
    settings = PLAIN.with_values(score="kl", marked=(1,), minimum_count=1)
    train(cats, SET, settings)
    run = train(cats, SET.replace("0.7", "0.6"), settings)
    assert run.settings["start"] is not None
    record = read_record(record_text(ge, run))
    assert len(record["before"]) == 1
    assert record["trees"] == [{"forms": ["the", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"],
                                "xpos": ["", "", ""], "heads": [2, 3, 0]}]  # fmt: skip
    assert record["settings"]["score"] == "kl"
    assert {"numpy", "numba", "scipy", "python"} == set(record["versions"])
    result, treebank = repeat_record(record, workspace.source(cats))
    assert result.optimum.value == pytest.approx(run.figures["objective"], rel=1e-9)
    np.testing.assert_allclose(result.expectations, run.figures["expectations"], atol=1e-9)
    assert len(treebank) == record["text"]["sentences"] == 2


@pytest.mark.parametrize(
    ("text", "message"), [("{", r"r\.json is not JSON"), ("{}", "it lacks record, settings"), (None, "newer version")]
)
def test_what_is_no_record_is_refused(ge, cats, train, text, message):
    text = text or json.dumps(json.loads(record_text(ge, train(cats, SET, PLAIN))) | {"record": 99})
    with pytest.raises(ValueError, match=message):
        read_record(text, "r.json")


def test_another_text_is_refused_and_a_cancelled_run_is_repeated_up_to_where_it_was_cancelled(
    workspace, ge, cats, add, train
):
    run = train(cats, SET, PLAIN)
    record, most = json.loads(record_text(ge, run)), run.figures["evaluations"] - 2
    with pytest.raises(ValueError, match=r"this record was made on cats.conllu; give that file"):
        repeat_record(record)
    with pytest.raises(ValueError, match=r"not the text of the record, cats.conllu with 2 sentences and 8 words"):
        repeat_record(record, workspace.source(add("other.txt", "the/DET cat/NOUN sleeps/VERB\n")))
    assert record["evaluations"] is None
    result, _ = repeat_record(record | {"evaluations": most}, workspace.source(cats))
    assert (result.optimum.evaluations, result.status) == (most, "stopped")


def test_the_command_line_repeats_a_record(ge, cats, train, tmp_path, capsys):
    run = train(cats, SET, PLAIN.with_values(decoding="posterior"))
    (tmp_path / "run.json").write_text(record_text(ge, run), encoding="utf-8")
    (tmp_path / "cats.conllu").write_text(written(CATS), encoding="utf-8")
    arguments = ["ge", "train", str(tmp_path / "cats.conllu"), "--record", str(tmp_path / "run.json"), "--json"]
    assert main([*arguments, "--out", str(tmp_path / "m.npz")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["objective"] == pytest.approx(found["recorded"]["objective"], rel=1e-9)
    assert found["largest_difference"] < 1e-9
    assert all(found[name] == found["recorded"][name] for name in ("right_heads", "scored_words"))
    assert load_parser(tmp_path / "m.npz").distribution.decoding == "posterior"
    assert "warning" not in found
    edited = json.loads((tmp_path / "run.json").read_text()) | {"constraints": SET.replace("0.7", "0.6")}
    (tmp_path / "run.json").write_text(json.dumps(edited), encoding="utf-8")
    assert main(arguments) == 0
    assert "run.json was edited since it was saved" in json.loads(capsys.readouterr().out)["warning"]
    assert main([*arguments, "--constraints", "c.txt"]) == 2
    assert "a record has its own constraints" in capsys.readouterr().err
    assert main(["ge", "train"]) == 2
    assert "give FILE and --constraints, or the record" in capsys.readouterr().err


def test_the_parser_opens_as_weights_and_in_spacy(ge, cats, train, tmp_path):
    run = train(cats, SET, PLAIN.with_values(minimum_count=1))
    text = ge.text(cats, TrainingSettings.from_dict(run.settings))
    wanted = ge.outcome(text, run).heads[:4].tolist()
    parser = load_parser(io.BytesIO(ge.load(run).files[0].data()))
    assert parser.parse(text.treebank)[0].heads.tolist() == wanted
    with zipfile.ZipFile(io.BytesIO(ge.load(run).files[1].data())) as archive:
        archive.extractall(tmp_path)
    nlp = spacy.load(tmp_path / f"ge-parser-{run.id}")
    doc = nlp(Doc(nlp.vocab, words=["the", "cat", "sleeps"], pos=["DET", "NOUN", "VERB"]))
    assert [0 if token.head.i == token.i else token.head.i + 1 for token in doc] == wanted[1:]
    assert "Unlabelled" in nlp.meta["description"]
    for recipe in (spacy_recipe(text.treebank, parser_name(run)), npz_recipe(run)):
        compile(recipe, "recipe", "exec")
        assert f"ge-parser-{run.id}" in recipe and len(recipe.splitlines()) == 3
