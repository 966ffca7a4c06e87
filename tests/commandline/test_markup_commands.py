"""``markup extract`` and ``markup agree`` from end to end."""

import json

import pytest

from core.__main__ import main
from core.treebank import read_conllu
from core.treebank.sample import FOLDER

PAGE = '<p>The <a href="x">old man</a> <b>came home</b>. He said "<i>not now</i>" to <u>us</u>.<nav>Go home. Go.</nav>'


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
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_pages_become_conllu(run, page, tmp_path):
    out = tmp_path / "out.conllu"
    data = run("markup", "extract", page, tmp_path / "absent.html", "--out", out, "--json")
    assert (data["pages"], data["sentences"], data["brackets"], data["multiword"]) == (1, 2, 4, 3)
    assert data["marks"]["a"]["kept"] == 1 and data["dropped"]["navigation"]["examples"] == ["Go home. Go."]
    assert data["skipped"] == [
        {"source": str(tmp_path / "absent.html"), "reason": "there is no such file; check the path"}
    ]
    treebank = read_conllu(out)
    assert [sentence.comment("markup") for sentence in treebank] == ["a 2-3 | b 4-5", "i 4-5 | u 8-8"]
    assert treebank[0].misc[5] == "start_char=17|end_char=21|SpaceAfter=No" or "SpaceAfter=No" in treebank[0].misc[5]


def test_options_choose_what_counts(run, page, tmp_path):
    out = tmp_path / "out.conllu"
    text = run("markup", "extract", page, "--out", out, "--tags", "a,u", "--punctuation", "quote", "--boilerplate")
    assert [sentence.comment("markup") for sentence in read_conllu(out)][:2] == ["a 2-3", "quote 4-5 | u 8-8"]
    assert "4 sentences" in text and "bracket of at least" in text


def test_brackets_of_the_sample_meet_its_trees(run, tmp_path):
    out = tmp_path / "out.conllu"
    trees = FOLDER / "sample.conllu"
    data = run("markup", "extract", FOLDER / "pages", "--out", out, "--trees", trees, "--json")
    assert data["trees"] == {"found": 332, "strange": 78, "split": 0}
    data = run("markup", "agree", out, "--json", "--tags", "upos")
    shares = [data["all"][level]["share"] for level in ("strict", "loose", "sprawl", "tear")]
    assert shares == sorted(shares) and shares[0] < 50 < 85 < shares[1]
    assert data["all"]["loose"]["low"] < shares[1] < data["all"]["loose"]["high"]
    assert {"a", "b", "i", "em", "u"} == set(data["by_tag"])
    assert data["statistics"]["phrases"] == "dependencies" and data["statistics"]["sequences"][0]["count"] > 10
    text = run("markup", "agree", out, "--tag", "em")
    assert "two words or more" in text and "head-outward spawn" in text


TREES = """( (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .)) )
( (S (NP (PRP It)) (VP (VBD slept)) (. .)) )
"""


def test_a_parser_stands_in_for_missing_trees(run, tmp_path):
    trees, model, constraints, tagged = (tmp_path / name for name in ("t.mrg", "m.npz", "c.txt", "x.conllu"))
    trees.write_text(TREES)
    constraints.write_text("DT <- NN = 0.9\n")
    run("ge", "train", trees, "--constraints", constraints, "--out", model)
    rows = [f"{number}\t{word}\t_\t_\t{tag}\t_\t_\t_\t_\t_" for number, (word, tag) in enumerate(
        (("The", "DT"), ("cat", "NN"), ("sat", "VBD"), (".", ".")), start=1)]  # fmt: skip
    tagged.write_text("\n".join(["# markup = a 1-2 | i 2-3", *rows, "\n"]))
    ours = run("markup", "agree", tagged, "--json")
    assert ours["all"]["brackets"] == 2 and ours["parsed_by"] == "english (1 of 1 marked sentences)"
    function_heads = run("markup", "agree", tagged, "--scheme", "function-heads", "--json")
    assert function_heads["all"]["brackets"] == 2
    data = run("markup", "agree", tagged, "--model", model, "--json")
    assert data["all"]["brackets"] == 2 and data["parsed_by"] == str(model)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("extract", "absent.html", "--out", "OUT"), "no sentence was found: absent.html: there is no such file"),
        (("extract", "EMPTY", "--out", "OUT"), "no sentence was found: there is no page"),
        (("extract", "PAGE", "--out", "/nowhere/x.conllu"), "/nowhere/x"),
        (("extract", "PAGE", "--out", "OUT", "--punctuation", "dash"), "there are no brackets from 'dash'"),
        (("extract", "PAGE", "--out", "OUT", "--language", "qq"), "spaCy cannot tokenise 'qq'"),
        (("extract", "http://127.0.0.1/", "--out", "OUT"), "fetched only when asked"),
        (("extract", "http://127.0.0.1/", "--out", "OUT", "--urls"), "private address 127.0.0.1"),
        (("agree", "SAMPLE"), "has no brackets"),
        (("agree", "absent.conllu"), "there is no file absent.conllu"),
    ],
)
def test_bad_input_is_one_clear_line(run, page, tmp_path, arguments, message):
    places = {"PAGE": page, "OUT": tmp_path / "out.conllu", "SAMPLE": FOLDER / "sample.conllu"}
    places["EMPTY"] = tmp_path / "empty"
    places["EMPTY"].mkdir()
    assert message in run("markup", *(places.get(argument, argument) for argument in arguments), code=2)
