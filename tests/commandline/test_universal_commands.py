"""``parse`` with a universal parser, its answers, confidence and best trees; ``universal train``."""

import json

import numpy as np
import pytest

from core.parsers import MSTParser, load_parser
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.parser import UniversalParser
from core.rules.parsing import broken_sentences
from core.rules.reading import parse_rules
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
    assert "warning: no near language in the sources: expect about 65% of heads" in run(*ours)
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
    (row,) = data["expectations"]
    assert row["multiplier"] == row["largest"] == 0.2 and row["alone"] < row["model"] < 0.1
    assert data["disputed"] == data["costliest"] == data["unmet"] == ["NOUN -> DET per modifier"]
    confirmed = write("d.txt", "NOUN -> DET per modifier = 0.9..1.0 weight 1\n")
    then = run(*train, "--prior", "universal", "--constraints", lines, "--then", confirmed, "--json")
    assert then["expectations"][0]["multiplier"] == 0.5 and "warm_seconds" in then
    assert data["ignored"] == ["--preset"] and data["fights"] == []
    said = run(*train, "--prior", "universal", "--together")
    assert "warning: --together does nothing above the universal parser; leave it out" in said
    shown = run(*train, "--prior", "universal", "--constraints", lines, "--trust", "0.1")
    assert "you state 0.9..1, the parser has 0.0" in shown and "it moves arcs by 0.1 nats at most" in shown
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


def test_rules_are_targets_above_the_universal_parser(run, text, write, tmp_path):
    train = "grammar", "train", text, "--tags", "upos", "--out", tmp_path / "g.npz", "--prior", "universal"
    rules = write("r.txt", "* has at most 1 {nsubj csubj}\nNOUN has no det  # none in truth\n")
    data = run(*train, "--rules", rules, "--json")
    subjects, determiners = data["rule_targets"]
    assert determiners["rule"] == "NOUN has no det" and determiners["price"] == subjects["price"] == 6
    assert determiners["alone"] < 0.9 < determiners["kept"] and determiners["met"] and determiners["words"] == 20
    parsed = tmp_path / "o.conllu"
    assert run("parse", text, "--model", tmp_path / "g.npz", "--out", parsed, "--json")["uas"] == data["uas"]
    laws = parse_rules(rules.read_text())
    assert sum(len(found) for *_, found in broken_sentences(laws, read_conllu(parsed))) < 3
    lines = write("c.txt", "NOUN -> DET per modifier = 0.9..1.0\n")
    shown = run(*train, "--rules", rules, "--constraints", lines, "--then", lines)
    assert "% keep it: parser" in shown and "NOUN -> DET per modifier" in shown and "nats a breach" in shown
    bad = write("bad.txt", "NOUN has at most 1 nsubjj\n")
    plain = "grammar", "train", text, "--tags", "upos", "--constraints", lines, "--rules"
    shares = write("s.txt", "NOUN has no det = 0.9\n")
    (softly,) = run(*train, "--rules", shares, "--json")["rule_targets"]
    assert softly["rule"] == "NOUN has no det = 0.9" and softly["share"] == 0.9
    assert softly["alone"] < softly["kept"] < determiners["kept"] and softly["price"] < 6
    assert run("parse", text, "--model", tmp_path / "g.npz", "--out", parsed, "--json")["sentences"] == 6
    priced = write("priced.txt", "NOUN has no det price 2.0\n")
    of_heads = write("heads.txt", "if DET then its head is NOUN & under VERB\n")
    for command, message in (
        ((*train, "--rules", bad), "bad.txt: line 1: there is no relation nsubjj; did you mean nsubj?"),
        ((*train, "--rules", rules, "--labels", "rules"), "leave out --labels, or --rules"),
        (
            (*train, "--rules", priced),
            "priced.txt: NOUN has no det price 2.0 has a price, and training asks for a share",
        ),
        ((*train, "--rules", of_heads), "not of the head of its head"),
        ((*plain, rules), "--rules are targets above a parser that scores relations; add --prior universal"),
    ):
        assert message in run(*command, code=2)


def test_questions_about_a_text_leave_out_what_is_said_and_begin_with_what_checked_trees_contradict(
    run, write, tmp_path
):
    text, other = tmp_path / "forty.conllu", tmp_path / "six.conllu"
    write_conllu(load_sample().limit(40), text)
    write_conllu(load_sample().limit(6), other)
    ask = "grammar", "ask", text, "--model", "universal", "--count", 7, "--json"
    asked, names = run(*ask)["questions"], {sentence.sent_id for sentence in load_sample().limit(40)}
    assert len(asked) == 7 == len({question["constraint"] for question in asked})
    assert set(asked[0]) == {"constraint", "of", "share", "examples"} and asked[0]["of"] >= 10
    example = asked[0]["examples"][0]
    assert f"⟦{example['modifier']}⟧" in example["text"] and example["sentence"] in names
    lines = write("c.txt", f"{asked[0]['constraint']} = 0.5..0.7 weight 1\n")
    then = run(*ask, "--constraints", lines, "--order", "object=after")["questions"]
    assert asked[0]["constraint"] not in {question["constraint"] for question in then}
    assert run(*ask, "--trees", text)["questions"] != asked
    assert "how many" in run(*ask[:-1])
    MSTParser().fit(load_sample().limit(20), epochs=1).save(tmp_path / "mst.npz")
    bare = write("bare.conllu", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    for options, message in (
        ((text, "--model", "universal", "--trees", other), "has other sentences than"),
        ((text, "--model", tmp_path / "mst.npz"), "does not say how probable an arc is; give universal"),
        ((text, "--model", "english", "--order", "object=after"), "--order is for a universal parser"),
        ((bare, "--model", "universal"), "tag"),
    ):
        assert message in run("grammar", "ask", *options, code=2)


def test_a_text_is_parsed_under_constraints(run, text, write, tmp_path):
    lines = write("c.txt", "NOUN -> DET per modifier = 0.9..1.0 weight 20\n")
    parse = "parse", text, "--model", "universal", "--out", tmp_path / "o.conllu", "--json"
    alone, under = run(*parse), run(*parse, "--constraints", lines, "--kbest", 2, "--confidence")
    assert under["uas"] < alone["uas"] and under["nearest"]
    assert under["expectations"][0]["model"] > 0.3 > under["expectations"][0]["alone"]
    assert len(under["kbest"][0]["trees"]) == 2 and "ArcConf=" in read_conllu(tmp_path / "o.conllu")[0].misc[1]
    trees = tmp_path / "trees.conllu"
    write_conllu(load_sample().select(np.arange(6, 16)), trees)
    taught = run(*parse, "--constraints", lines, "--trees", trees)
    (group,) = taught["left_out"]  # for trees speak against the constraint
    assert group["constraints"] == ["NOUN -> DET per modifier"] and group["gain"] > group["error"]
    assert taught["expectations"][0]["largest"] == 0 and under["left_out"] == []
    said = run(*parse[:-1], "--constraints", lines, "--trees", trees)
    assert "NOUN -> DET per modifier is left out: in folds of the known trees" in said
    kept = run(*parse, "--constraints", lines, "--trees", trees, "--keep-all")
    assert kept["left_out"] == [] and kept["expectations"][0]["multiplier"] == 10
    MSTParser().fit(load_sample().limit(20), epochs=1).save(tmp_path / "mst.npz")
    parse = "parse", text, "--model", tmp_path / "mst.npz", "--out", tmp_path / "o.conllu"
    assert "does not say how probable an arc is; leave out --cons" in run(*parse, "--constraints", lines, code=2)
    wrong = write("w.txt", "NOUN -> DET per modifier = 90\n")
    assert "w.txt: line 1" in run(*parse[:2], "--model", "universal", *parse[4:], "--constraints", wrong, code=2)


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
