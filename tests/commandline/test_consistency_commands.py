"""``consistency parse`` above a parser that is given: its constraints, trees and brackets count, whatever turns."""

import numpy as np
import pytest

from core.consistency import ConsistencySettings
from core.consistency.tagging import TAGGING
from core.settings import of_paper
from core.treebank import load_sample, read_conllu, write_conllu
from core.trees import Bracket, satisfies


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Forty sentences of the sample with trees, and twenty more; the first long one of these has a bracket."""
    folder, sample = tmp_path_factory.mktemp("consistency"), load_sample()
    write_conllu(sample.select(np.arange(40)), folder / "train.conllu")
    write_conllu(sample.select(np.arange(40, 60)), folder / "test.conllu")
    blocks = (folder / "test.conllu").read_text().split("\n\n")
    (folder / "marked.conllu").write_text("\n\n".join(["# markup = a 5-6\n" + blocks[0], *blocks[1:]]))
    return {name: folder / f"{name}.conllu" for name in ("train", "test", "marked")}


@pytest.fixture
def lines(write):
    return write("c.txt", "DET <- NOUN per modifier = 0.9..1.0\nADP -> NOUN per modifier = 0.9..1.0 weight 4\n")


def test_the_parser_alone_is_that_of_parse_under_the_same_options(run, files, lines, tmp_path):
    model = ("--model", "universal", "--order", "adposition=after", "--constraints", lines, "--trees", files["train"])
    options = ("--minimum-count", "1", "--delta1", "2", *model)
    out = tmp_path / "out.conllu"
    data = run("consistency", "parse", files["train"], files["test"], *options, "--out", out, "--json")
    assert list(data["systems"]) == ["base", "model"] and data["changed_words"] > 0 and data["las"] > 50
    assert [row["constraint"] for row in data["expectations"]] == [
        "DET <- NOUN per modifier", "ADP -> NOUN per modifier",
    ]  # fmt: skip
    consistent = read_conllu(out)
    assert len(consistent) == 20 and "dep" not in consistent.deprel.values
    parsed = run("parse", files["test"], "--out", out, "--json", *model)
    assert data["systems"]["base"]["uas"] == pytest.approx(parsed["uas"])
    turned = (read_conllu(out).heads != consistent.heads).sum()
    assert turned == data["changed_words"]
    without = run("consistency", "parse", files["train"], files["test"], *options[:4], "--model", "universal", "--json")
    assert without["systems"]["base"]["uas"] != data["systems"]["base"]["uas"] and "expectations" not in without
    assert "with constraints" in run("consistency", "parse", files["train"], files["test"], *options)


def test_brackets_are_kept(run, files, tmp_path):
    out = tmp_path / "out.conllu"
    options = ("--model", "universal", "--minimum-count", "1", "--delta1", "9", "--out", out)
    heads = {}
    for level in ("none", "strict"):
        run("consistency", "parse", files["train"], files["marked"], *options, "--level", level)
        heads[level] = read_conllu(out)[0].heads
    assert satisfies(heads["strict"], Bracket(5, 7), "strict") and not satisfies(heads["none"], Bracket(5, 7), "strict")


@pytest.mark.parametrize(
    "options, message",
    [
        (("--order", "adposition=before"), "the order of a parser is 1 or 2, got adposition=before"),
        (("--constraints", "LINES"), "--constraints is for a parser that is given; give --model"),
        (("--trees", "train"), "--trees is for a parser that is given; give --model"),
        (("--level", "loose", "--epochs", "1", "--no-self-training"), "no sentence has a # markup comment"),
        (("--model", "universal", "--level", "loose"), "no sentence has a # markup comment"),
        (("--model", "english"), "gives no scores of arcs"),
        (("--model", "english", "--constraints", "LINES"), "does not say how probable an arc is"),
        (("--model", "universal", "--learn-deltas"), "--learn-deltas trains the parser too; leave out --model"),
        (("--learn-deltas", "--folds", "1"), "learning deltas takes at least 2 folds, got 1"),
        (("--model", "english", "--trees", "train"), "--trees is for a universal parser, and english is none"),
        (("--model", "universal", "--order", "nothing=before"), "nothing"),
    ],
)
def test_options_that_do_not_go_together_are_one_sentence(run, files, lines, options, message):
    named = {**files, "LINES": lines}
    parse = ("consistency", "parse", files["train"], files["test"])
    assert message in run(*parse, *(named.get(option, option) for option in options), code=2)


def test_only_parsers_with_arc_probabilities_keep_brackets(run, files, tmp_path):
    run("parser", "train", files["train"], "--order", "1", "--epochs", "1", "--out", tmp_path / "mst.npz")
    parse = ("consistency", "parse", files["train"], files["marked"], "--model", tmp_path / "mst.npz")
    assert "--level is for a parser that says how probable arcs are" in run(*parse, "--level", "loose", code=2)
    data = run(*parse, "--json")
    assert list(data["systems"]) == ["base", "model"] and data["las"] > 0


def test_the_papers_settings_and_what_is_asked_for_beside_them(run, files):
    texts, quick = (files["train"], files["test"]), ("--order", "1", "--epochs", "1", "--no-self-training", "--json")
    ours, paper = (run("consistency", "parse", *texts, "--preset", name, *quick) for name in ("best", "paper"))
    assert ours["settings"] == ConsistencySettings().as_dict()
    assert paper["settings"] == of_paper(ConsistencySettings()).as_dict()
    assert "start 0.3 (paper: 0)" in ours["different_from_paper"] and len(paper["different_from_paper"]) == 4
    assert run("consistency", "parse", *texts, *quick)["settings"] == ours["settings"]
    own = run("consistency", "parse", *texts, *quick, "--preset", "paper", "--start", "0.5", "--patience", "7")
    assert own["settings"] == paper["settings"] | {"start": 0.5, "patience": 7}
    assert own["different_from_paper"][:2] == ["patience 7 (paper: 0)", "start 0.5 (paper: 0)"]
    tags = run("consistency", "tag", *texts, "--preset", "paper", "--epochs", "1", "--json")
    assert tags["settings"] == of_paper(TAGGING).as_dict() and tags["settings"]["iterations"] == 200
    assert not [words for words in tags["different_from_paper"] if "(paper:" in words]
    ours = run("consistency", "tag", *texts, "--epochs", "1", "--json")["different_from_paper"]
    assert "iterations 600 (paper: 200)" in ours and not [words for words in ours if words.startswith("presolve")]
    message = run("consistency", "parse", *texts, "--preset", "printed", code=2)
    assert "invalid choice: 'printed'" in message


def test_deltas_are_learnt_with_the_parser(run, files):
    parse = ("consistency", "parse", files["train"], files["test"], "--order", "1", "--epochs", "2")
    options = (*parse, "--no-self-training", "--learn-deltas", "--folds", "2", "--delta1", "2")
    data = run(*options, "--json")
    assert [epoch["epoch"] for epoch in data["learnt_deltas"]] == [1, 2]
    learnt = [data["settings"][name] for name in ("delta1", "delta2", "delta3")]
    assert 2 > learnt[0] >= learnt[1] >= learnt[2] >= 0 and data["uas"] > 0
    assert f"learnt with the parser on 2 folds of {files['train']}: delta1 {learnt[0]:.4g}" in run(*options)
