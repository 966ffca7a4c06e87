"""``scl`` on the sample corpus."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.__main__ import main
from core.treebank import Treebank, load_sample, read_conllu, write_conllu


@pytest.fixture
def files(tmp_path):
    sample = load_sample()
    for name, indices in (("source", range(12)), ("new", range(12, 22)), ("test", range(22, 30))):
        write_conllu(sample.select(np.array(indices)), tmp_path / name)
    return [str(tmp_path / name) for name in ("source", "new", "test")]


QUICK = ["--epochs", "2", "--edges", "1000"]


def test_scl_compares_systems(files, tmp_path, capsys):
    out, pivots = tmp_path / "out.conllu", tmp_path / "pivots"
    pivots.write_text("article = the a an\nklingon = qapla\n", encoding="utf-8")
    more = ["--few", files[1], "--few-limit", "3", "--scale", "1", "0", "--pivots", str(pivots), "--out", str(out)]
    more += ["--save", str(tmp_path / "adapted.npz")]
    assert main(["scl", *files, *QUICK, *more, "--json"]) == 0
    printed = capsys.readouterr()
    data = json.loads(printed.out)
    assert list(data["systems"]) == ["none", "self_training", "few_target_trees", "scl"]
    for system in data["systems"].values():
        assert len(system["iterations"]) == 2 and system["iterations"][-1]["las"] == system["las"]
    assert data["uas"] == data["systems"]["scl"]["uas"] and data["few_target_sentences"] == 3
    assert data["scales"]["0"]["uas"] == data["systems"]["none"]["uas"]
    assert [pivot["name"] for pivot in data["pivots"]] == ["article"] and data["pivots"][0]["by"] == "form"
    assert any("pivot klingon is left out" in note for note in data["notes"])
    again = ["parse", files[2], "--model", str(tmp_path / "adapted.npz"), "--out", str(tmp_path / "again.conllu")]
    assert main(again) == 0 and read_conllu(out).heads.tolist() == read_conllu(again[-1]).heads.tolist()
    assert len(read_conllu(out)) == 8 and "scl: iteration 2 of 2" in printed.err


def test_scl_as_text(files, capsys):
    assert main(["scl", *files, *QUICK, "--no-baselines", "--between", "2", "--dimensions", "2"]) == 0
    text = capsys.readouterr().out
    assert "preposition" in text and "2 induced features" in text and "self_training" not in text


def test_a_language_without_a_list_has_pivots_of_tags_or_of_frequent_words(files, capsys):
    for hidden, by in (((), "upos"), ((3,), "form")):
        for file in map(Path, files):
            rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
            lines = ["\t".join("_" if at in hidden else each for at, each in enumerate(row)) for row in rows]
            file.write_text("\n".join(["# lang = ga", *lines, "", ""]), encoding="utf-8")
        assert main(["scl", *files, *QUICK, "--no-baselines", "--json"]) == 0
        pivots = json.loads(capsys.readouterr().out)["pivots"]
        assert {pivot["by"] for pivot in pivots} == {by}
        assert all(pivot["name"].startswith("between=") for pivot in pivots) == (by == "form")


def test_scl_says_what_is_wrong(files, tmp_path, capsys):
    for arguments, message in (
        (["--language", "tlh"], "there are no pivots for 'tlh'"),
        (["--pivots", str(tmp_path / "none")], "there is no file"),
    ):
        assert main(["scl", *files, *QUICK, *arguments]) == 2
        assert message in capsys.readouterr().err
    raw, bare = tmp_path / "raw", tmp_path / "bare"
    raw.write_text("What is it ? It is a test of the text without any tags .\n", encoding="utf-8")
    assert main(["scl", files[0], str(raw), files[2], *QUICK, "--unlabeled-format", "text", "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert any("self-training is left out" in note for note in notes)
    write_conllu(Treebank.from_sentences([{"forms": ["Yes", "."]}]), bare)
    assert main(["scl", *files[:2], str(bare)]) == 2
    assert "bare has no trees to score on" in capsys.readouterr().err
    assert main(["scl", files[0], files[1], str(tmp_path / "absent")]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_scl_says_what_it_left_out(files, tmp_path, capsys):
    klingon = tmp_path / "klingon"
    klingon.write_text("klingon = qapla\n", encoding="utf-8")
    assert main(["scl", *files, *QUICK, "--pivots", str(klingon)]) == 2
    assert "none of the 1 pivots can be used: pivot klingon is left out: it never holds" in capsys.readouterr().err
    few = ["--epochs", "1", "--edges", "12", "--between", "30", "--dimensions", "20", "--no-baselines", "--json"]
    assert main(["scl", *files, *few]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["dimensions"] <= 12
    assert "12 word pairs give at most 12 dimensions, not 20" in data["notes"]
    assert any(note.startswith("target: ") and "do not occur" in note for note in data["notes"])


def test_scl_takes_the_papers_settings_by_one_option(files, capsys):
    def told(*options):
        assert main(["scl", *files, *QUICK, "--no-baselines", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)

    paper, ours = told("--preset", "paper"), told()
    assert {pivot["by"] for pivot in paper["pivots"]} == {"form"} and list(paper["scales"]) == ["1"]
    assert {pivot["by"] for pivot in ours["pivots"]} == {"upos"} and list(ours["scales"]) == ["0.3"]
    assert ours["different_from_paper"][:3] == [
        "decide tags (paper: words)", "standardize on (paper: off)", "scale 0.3 (paper: 1)",
    ]  # fmt: skip
    assert paper["different_from_paper"] == ours["different_from_paper"][3:]
    by_hand = told("--decide", "words", "--raw", "--scale", "1")
    assert [each for each in by_hand.items() if each[0] not in ("systems", "seconds")] == [
        each for each in paper.items() if each[0] not in ("systems", "seconds")
    ]
    mixed = told("--preset", "paper", "--decide", "tags", "--scale", "0.5", "1")
    assert list(mixed["scales"]) == ["0.5", "1"] and mixed["pivots"][0]["by"] == "upos"
    for file in map(Path, files):
        file.write_text("# lang = ga\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["scl", *files, *QUICK, "--preset", "paper"]) == 2
    assert "has no words, so words cannot decide; add some, or let tags decide" in capsys.readouterr().err
