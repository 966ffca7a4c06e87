"""``parse`` with a universal parser, its answers, confidence and best trees; ``universal train``."""

import json

import numpy as np
import pytest

from core.parsers import MSTParser, load_parser
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank, load_sample, read_conllu, write_conllu
from tests.parsers.dictionary.conftest import random_network
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")


@pytest.fixture
def model(tmp_path):
    """The file of a small universal parser."""
    UniversalParser([small_network()], RELATIONS).save(tmp_path / "m.npz")
    return tmp_path / "m.npz"


@pytest.fixture
def text(tmp_path):
    write_conllu(load_sample().limit(6), tmp_path / "text.conllu")
    return tmp_path / "text.conllu"


def test_answers_change_the_trees(run, model, text, tmp_path):
    found = []
    for order in ("adposition=before,object=after", "adposition=after,object=0.9,genitive=both"):
        data = run("parse", text, "--model", model, "--order", order, "--out", tmp_path / "out.conllu", "--json")
        assert {"uas", "las"} <= {*data} and data["sentences"] == 6
        found.append(read_conllu(tmp_path / "out.conllu").heads.tolist())
        assert data["doubts"] == []  # six sentences do not tell
    assert found[0] != found[1]


def test_a_few_trees_correct_it(run, model, text, tmp_path):
    few, out = tmp_path / "few.conllu", tmp_path / "out.conllu"
    write_conllu(load_sample().limit(2), few)
    parse = "parse", text, "--model", model, "--out", out, "--json"
    alone, taught = run(*parse), run(*parse, "--trees", few)
    assert taught["learnt_sentences"] == 2 and taught["words"] < alone["words"]
    assert taught["las"] > alone["las"]
    assert "not scored: 2 sentences" in run(*parse[:-1], "--trees", few)
    bare = load_sample().limit(2)
    write_conllu(bare.with_heads(np.full(len(bare.heads), -1)), few)
    assert "no tree to learn from has a head" in run(*parse[:-1], "--trees", few, code=2)


def test_ours_is_found_by_its_name(run, text, tmp_path, monkeypatch):
    ours = "parse", text, "--model", "universal", "--out", tmp_path / "o"
    data = run(*ours, "--kin", "English, German", "--json")
    assert data["uas"] > 60 and [each["name"] for each in data["nearest"]] == ["English", "German"]
    monkeypatch.setattr("core.commandline.parse.is_far", lambda *_: True)
    assert "warning: no near language in the sources: expect about 65 % of heads" in run(*ours)
    irish = run(*ours, "--language", "Irish")
    assert "Irish is among the sources: its own word order answers what --order leaves open" in irish
    assert "warning: no near" not in irish and "own" not in run(*ours, "--language", "Irish", "--kin", "none", "--json")
    assert "no source 'Klingon'" in run(*ours, "--kin", "Klingon", code=2)


def test_sentences_given_in_part_are_read_with_the_whole_text(run, model, text, tmp_path):
    sample = load_sample().limit(6)
    given = np.where(np.arange(len(sample.heads)) == 1, sample.heads, -1)
    write_conllu(sample.with_heads(given, sample.deprel), tmp_path / "part.conllu")
    run("parse", tmp_path / "part.conllu", "--model", model, "--out", tmp_path / "o.conllu")
    part = sample.select([0]).with_heads(given[: sample.offsets[1]])
    expected = load_parser(model).for_text(sample).completed_heads(part)
    assert read_conllu(tmp_path / "o.conllu")[0].heads.tolist() == expected.tolist()


def test_confidence_and_best_trees(run, model, text, tmp_path):
    out = tmp_path / "out.conllu"
    assert "3 best trees" in run("parse", text, "--model", model, "--out", out, "--confidence", "--kbest", 3)
    written = read_conllu(out)
    assert "ArcConf=" in written[0].misc[1] and "LabelConf=" in written[0].misc[1]
    listed = json.loads((tmp_path / "out.conllu.json").read_text(encoding="utf-8"))
    assert [each["sentence"] for each in listed] == [sentence.sent_id for sentence in written]
    for each, sentence in zip(listed, written, strict=True):
        scores = [tree["score"] for tree in each["trees"]]
        assert scores == sorted(scores, reverse=True) and 1 <= len(scores) <= 3
        assert {len(tree["heads"]) for tree in each["trees"]} == {len(sentence)}
        assert all(tree["relations"][tree["heads"].index(0)] == "root" for tree in each["trees"])
    data = run("parse", text, "--model", model, "--out", out, "--kbest", 2, "--json")
    assert [each["trees"][0] for each in data["kbest"]] == [each["trees"][0] for each in listed]


def test_what_does_not_fit_is_said(run, model, text, tmp_path):
    MSTParser().fit(load_sample().limit(20), epochs=1).save(tmp_path / "mst.npz")
    out = ("--out", tmp_path / "out.conllu")
    for options, message in (
        (("--model", tmp_path / "mst.npz", "--order", "object=after"), "--order is for a universal parser"),
        (("--model", tmp_path / "mst.npz", "--confidence"), "does not say how probable an arc is"),
        (("--model", model, "--order", "verb=last"), "no question of word order 'verb'"),
        (("--model", model, "--order", "object=first"), "the answer to object is before, after, both"),
        (("--model", "english", "--trees", text), "--trees is for a universal parser"),
        (("--model", "english", "--kin", "none"), "--kin is for a universal parser"),
        (("--model", "english", "--kbest", "2"), "draws one tree of each sentence"),
    ):
        assert message in run("parse", text, *options, *out, code=2)
    assert run("parse", text, "--model", tmp_path / "mst.npz", "--kbest", 2, *out)


def test_a_grammar_learns_from_what_other_languages_know(run, text, write, tmp_path):
    train = "grammar", "train", text, "--tags", "upos", "--preset", "plain", "--out", tmp_path / "g.npz"
    data = run(*train, "--prior", "nearest", "--order", "adposition=before", "--json")
    assert data["uas"] > 60 and data["las"] > 45 and data["expectations"] == []
    parsed = run("parse", text, "--model", tmp_path / "g.npz", "--out", tmp_path / "o", "--confidence", "--json")
    assert parsed["uas"] == data["uas"]
    lines = write("c.txt", "NOUN -> DET per modifier = 0.9..1.0\n")
    data = run(*train, "--prior", "universal", "--constraints", lines, "--json")
    assert data["expectations"][0]["model"] > 0.2 and len(data["expectations"]) == 1
    more = tmp_path / "more.conllu"
    write_conllu(load_sample().select(np.arange(6, 16)), more)
    taught = run(*train, "--prior", "nearest", "--trees", more, "--json")
    assert taught["las"] > data["las"]
    for options, message in (
        (("--order", "object=after"), "--order is for a prior"),
        ((), "give --constraints, --prior, or both"),
        (("--prior", "nearest", "--order", "object=first"), "the answer to object is before, after, both"),
    ):
        assert message in run(*train, *options, code=2)


def test_a_folder_of_treebanks_teaches_one(run, tmp_path):
    clause = {
        "forms": ["a", "b", "c"], "upos": ["DET", "NOUN", "VERB"], "heads": [2, 3, 0],
        "deprels": ["det", "nsubj:pass", "root"],
    }  # fmt: skip
    (tmp_path / "treebanks").mkdir()
    write_conllu(Treebank.from_sentences([clause] * 100), tmp_path / "treebanks" / "one.conllu")
    (tmp_path / "treebanks" / "broken.conllu").write_text("1\ta\n", encoding="utf-8")
    out = tmp_path / "m.npz"
    options = "--epochs", 12, "--sentences", 100, "--out", out, "--json"
    data = run("universal", "train", tmp_path / "treebanks", *options)
    assert data["sources"] == ["one"] and [*data["skipped"]] == ["broken.conllu"]
    assert data["relations"] == ["root", "det", "nsubj"]
    parser = load_parser(out)
    assert isinstance(parser, UniversalParser)
    parsed = parser.parse(Treebank.from_sentences([{"forms": ["x", "y", "z"], "upos": ["DET", "NOUN", "VERB"]}]))
    assert [each.name for each in parser.nearest(parsed)] == ["one"]
    assert parsed[0].heads.tolist()[1:] == [2, 3, 0] and parsed[0].deprels[1:] == ("det", "nsubj", "root")
    assert "no .conllu files" in run("universal", "train", tmp_path / "none", "--out", out, code=2)


def test_tags_in_doubt_are_learnt_from_where_a_tagger_is_given(run, tmp_path, monkeypatch):
    learnt = []
    monkeypatch.setattr(
        "core.parsers.universal.training.train_network",
        lambda sources, *_, **__: learnt.append(sources) or small_network(),
    )
    (tmp_path / "treebanks").mkdir()
    write_conllu(load_sample().to_conllu().limit(30), tmp_path / "treebanks" / "one.conllu")
    DictionaryTagger([[random_network()]]).save(tmp_path / "t.npz")
    train = "universal", "train", tmp_path / "treebanks", "--out", tmp_path / "m.npz"
    run(*train)
    run(*train, "--tagger", tmp_path / "t.npz")
    (sure,), (doubted,) = learnt
    assert sure.shares is None and (doubted.shares.max(axis=1) < 1).any()
    assert "one.conllu: this is not a model" in run(*train, "--tagger", tmp_path / "treebanks" / "one.conllu", code=2)
