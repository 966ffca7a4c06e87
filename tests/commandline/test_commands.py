"""The command line from end to end on small files: results, JSON, bad input."""

import json

import pytest

from core.__main__ import main
from core.treebank import read_conllu

MRG = """( (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .)) )
( (S (NP (PRP It)) (VP (VBD slept)) (. .)) )
( (S (NP (DT A) (NN dog)) (VP (MD will) (VP (VB bark) (PP (IN at) (NP (PRP it))))) (. .)) )
"""
CONSTRAINTS = "DT <- NN = 0.9\nROOT -> VBD = 0.75\nIN -> NN = 0.75\n"


@pytest.fixture
def run(capsys):
    def call(*arguments, code=0):
        assert main([str(argument) for argument in arguments]) == code
        output = capsys.readouterr()
        if code:
            assert output.out == "" and output.err.count("\n") == 1 and "Traceback" not in output.err
            return output.err
        return json.loads(output.out) if "--json" in arguments else output.out

    return call


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text(MRG)
    return path


def test_bracketed_trees_become_dependencies_by_either_rules(run, trees, tmp_path):
    out = tmp_path / "trees.conllu"
    data = run("corpus", "convert", trees, "--out", out, "--json")
    assert (data["sentences"], data["tokens"]) == (3, 17)
    assert read_conllu(out)[2].heads.tolist() == [-1, 2, 3, 0, 3, 4, 5, 3]
    run("corpus", "convert", trees, "--heads", "yamada-matsumoto", "--no-punctuation", "--out", out)
    assert read_conllu(out)[0].heads.tolist() == [-1, 2, 3, 0, 3, 6, 4]


def test_statistics_are_counted(run, trees):
    data = run("corpus", "stats", trees, "--json", "--max-length", "5")
    assert (data["sentences"], data["tokens"], data["xpos"]["PRP"]) == (1, 3, 1)
    assert "sentences" in run("corpus", "stats", trees)


def test_an_oracle_can_be_trained_on(run, trees, tmp_path):
    text = run("ge", "oracle", trees, "--no-punctuation", "--count", "5", "--minimum-count", "1")
    path = tmp_path / "oracle.txt"
    path.write_text(text)
    assert "MD -> VB = 1.0  # 1 of 1 are arcs" in text
    assert run("ge", "oracle", trees, "--json", "--minimum-count", "1", "--count", "2")["count"] == 2
    data = run("ge", "train", trees, "--no-punctuation", "--constraints", path, "--json")
    assert data["scored_on"] == "training text"
    assert set(data["systems"]) == {"full", "restricted", "baseline", "attach_left", "attach_right"}
    assert data["uas"] == data["systems"]["full"]["uas"] > 50


def test_train_save_parse_evaluate(run, trees, tmp_path):
    constraints, model, parsed, gold = (tmp_path / name for name in ("c.txt", "m.npz", "p.conllu", "g.conllu"))
    constraints.write_text(CONSTRAINTS)
    later = tmp_path / "later.txt"
    later.write_text(CONSTRAINTS.replace("0.9", "1.0"))
    data = run(
        "ge", "train", trees, "--constraints", constraints, "--then", later, "--out", model, "--test", trees, "--json"
    )
    assert data["warm_seconds"] > 0 and data["scored_on"] == str(trees)
    assert [row["high"] for row in data["expectations"]] == [1.0, 0.75, 0.75]
    run("corpus", "convert", trees, "--out", gold)
    data = run("parse", gold, "--model", model, "--out", parsed, "--json")
    scores = run("evaluate", gold, parsed, parsed, "--json", "--no-punctuation")
    assert scores["without_punctuation"]["words"] == 14 and scores["with_punctuation"]["words"] == 17
    assert scores["uas"] == scores["without_punctuation"]["uas"]
    assert scores["with_punctuation"]["uas"] == pytest.approx(data["uas"])
    assert set(read_conllu(parsed).deprel.values) == {"", "root", "dep"}


def test_systems_are_scored_by_the_rules_of_a_shared_task(run, tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text("1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n2\thome\thome\tADV\t_\t_\t1\tadvmod:lmod\t_\t_\n"
                    "3\t!\t!\tX\t_\t_\t1\tpunct\t_\t_\n\n")  # fmt: skip
    system.write_text(gold.read_text().replace("advmod:lmod", "advmod").replace("1\tpunct", "2\tpunct"))
    data = run("evaluate", gold, system, "--rules", "conll2006", "--json")
    assert (data["words"], data["uas"], data["las"]) == (2, 100, 50)  # the mark does not count, whatever its tag
    assert data["with_punctuation"]["uas"] == pytest.approx(200 / 3)
    data = run("evaluate", gold, system, "--rules", "conll2018", "--json")
    assert data["las"]["f1"] == pytest.approx(200 / 3)  # advmod is right, the head of the mark is not
    assert data["clas"]["f1"] == 100
    assert "of gold" in run("evaluate", gold, system, "--rules", "conll2018")
    assert "has its own rule" in run("evaluate", gold, system, "--rules", "conll2018", "--no-punctuation", code=2)


def test_a_system_that_cuts_the_text_in_its_own_way_is_aligned(run, tmp_path):
    gold, system, other = tmp_path / "gold.conllu", tmp_path / "system.conllu", tmp_path / "other.conllu"
    gold.write_text("1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
                    "2\ta\ta\tADP\t_\t_\t3\tcase\t_\t_\n3\tel\tel\tPRON\t_\t_\t1\tobl\t_\t_\n\n")  # fmt: skip
    system.write_text("1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n1\tal\tal\tADV\t_\t_\t0\troot\t_\t_\n\n")
    data = run("evaluate", gold, system, "--rules", "conll2018", "--json")
    assert data["words"] == {  # go is in both; al is one word of two
        "f1": 40, "precision": 50, "recall": pytest.approx(100 / 3), "correct": 1, "gold": 3, "system": 2
    }  # fmt: skip
    assert data["uas"]["aligned_accuracy"] == 100 and data["sentences"]["f1"] == 0
    assert "of aligned %" in run("evaluate", gold, system, "--rules", "conll2018")
    assert "--rules conll2018 aligns them" in run("evaluate", gold, system, code=2)
    other.write_text(system.read_text().replace("al", "ol"))
    for rules in ((), ("--rules", "conll2006")):
        assert "gold has 1 sentences and system 2" in run("evaluate", gold, other, *rules, code=2)
    told = run("evaluate", gold, other, "--rules", "conll2018", code=2)
    assert "part at gold's sentence 1, word 2 (a) and the system's sentence 2, word 1 (ol)" in told


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("corpus", "stats", "absent.conllu"), "there is no file absent.conllu"),
        (("corpus", "stats", "TREES", "--max-length", "1"), "no sentence is left"),
        (("corpus", "stats", "TREES", "--format", "odd"), "there is no format 'odd'"),
        (("corpus", "convert", "TREES", "--heads", "nobody", "--out", "OUT"), "no head rules called 'nobody'"),
        (("corpus", "convert", "TREES", "--out", "/nowhere/x.conllu"), "/nowhere/x.conllu"),
        (("ge", "train", "TREES", "--constraints", "BAD"), "line 1"),
        (("ge", "train", "TREES", "--constraints", "OUTSIDE"), "line 2"),
        (("ge", "train", "TREES", "--constraints", "UNMATCHED"), "DTT"),
        (("parse", "TREES", "--model", "TREES", "--out", "OUT"), "not a model saved by the workbench"),
        (("evaluate", "TREES", "OTHER"), "gold has 3 sentences and system 1"),
    ],
)
def test_bad_input_is_one_clear_line(run, trees, tmp_path, arguments, message):
    files = {
        "BAD": "DT <= NN = 1\n",
        "OUTSIDE": "DT <- NN = 1\nIN -> NN = 1.5\n",
        "UNMATCHED": "DTT <- NN = 1\n",
        "OTHER": MRG.splitlines()[0],
    }
    places = {"TREES": trees, "OUT": tmp_path / "out"}
    for name, text in files.items():
        places[name] = tmp_path / f"{name.lower()}.mrg"
        places[name].write_text(text)
    assert message in run(*(places.get(argument, argument) for argument in arguments), code=2)


def test_lines_are_sentences_where_they_look_so_or_it_is_said(run, tmp_path):
    path, out = tmp_path / "field notes.txt", tmp_path / "out.conllu"
    path.write_text('the cat sleeps\n"birds" sing\nthe dog barks\n', encoding="utf-8")
    assert run("corpus", "stats", path, "--json")["sentences"] == 3
    assert run("corpus", "stats", path, "--format", "text", "--json")["sentences"] == 1
    path.write_text("One. Two.\nThree.", encoding="utf-8")
    assert run("corpus", "stats", path, "--json")["sentences"] == 3
    run("corpus", "convert", path, "--format", "lines", "--out", out)
    assert [sentence.text for sentence in read_conllu(out)] == ["One. Two.", "Three."]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04 damaged", "notes.doc: this is a zip file, and a damaged one"),
        (b"%PDF-1.7", "notes.doc: this is a PDF; copy its text into a plain text file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "this is a Word document; save it"),
        (b"id;text\n1;Hello there\n2;Bye\n", "notes.doc: this is a table, with semicolons"),
        (
            b"1 The the DET DT _ 2 det _ _\n2 cat cat NOUN NN _ 0 root _ _\n",
            "separated by spaces, and CoNLL-U needs tabs",
        ),
        (b" \n", "notes.doc: this file is empty"),
    ],
)
def test_files_that_hold_no_text_say_what_to_do_instead(run, tmp_path, data, message):
    path = tmp_path / "notes.doc"
    path.write_bytes(data)
    assert message in run("corpus", "stats", path, code=2)


def test_head_rules_that_do_not_exist_are_refused_whatever_the_format(run, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    arguments = ("corpus", "convert", path, "--heads", "nonsense", "--out", tmp_path / "b.conllu")
    assert "no head rules called 'nonsense'" in run(*arguments, code=2)
