"""What ``joint`` says of texts that do not fit together: one sentence each, and the rest goes on."""

import json

import numpy as np
import pytest

from core.__main__ import main
from core.parsers import MSTParser
from core.treebank import Treebank, load_sample, read_conllu, write_conllu

QUICK = ["--epochs", "1", "--rounds", "1", "--stages", "1", "--no-baselines"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Paths of two training texts in two schemes, a test of sentences of few words, and the first cut otherwise."""
    folder = tmp_path_factory.mktemp("joint-command")
    one, other = (load_sample(part) for part in ("sample", "function-heads"))
    short = np.flatnonzero(one.lengths <= 9)
    test = Treebank.from_sentences(
        [
            {"forms": ["Go", "!"], "upos": ["VERB", "PUNCT"], "heads": [0, 1]},
            {"forms": ["She", "left"], "upos": ["PRON", "VERB"], "heads": [2, 0]},
        ]
    )
    cut = Treebank.from_sentences(
        [
            {"forms": ["".join(s.forms[1:3]), *s.forms[3:]], "upos": s.upos[2:], "heads": [0, *[1] * (len(s) - 2)]}
            for s in one.select(short[:12])
        ]
    )
    texts = {"a": one.select(short[:12]), "b": other.select(short[12:24]), "test": test, "cut": cut}
    for name, text in texts.items():
        write_conllu(text, folder / name)
    return {name: str(folder / name) for name in texts}


def run(files, capsys, *names, more=()):
    """(report as text, report as data) of ``joint`` on some of the files."""
    paths = [files[name] for name in names]
    assert main(["joint", *paths, *QUICK, *more]) == 0
    text = capsys.readouterr().out
    assert main(["joint", *paths, *QUICK, *more, "--json"]) == 0
    return text, json.loads(capsys.readouterr().out)


def test_more_candidates_than_trees(files, capsys):
    text, data = run(files, capsys, "a", "b", "test", "test", more=["--order", "1"])
    assert "2 sentences with fewer trees than 16: all are used" in text
    assert [scheme["short"] for scheme in data["schemes"]] == [2, 2]


def test_a_parser_that_fails_on_a_sentence(files, capsys, monkeypatch):
    kbest = MSTParser.kbest

    def failing(self, treebank, *arguments, **options):
        trees = kbest(self, treebank, *arguments, **options)
        if len(treebank) == 2:
            trees.counts[1], trees.values[1] = 0, -np.inf
        return trees

    monkeypatch.setattr(MSTParser, "kbest", failing)
    text, data = run(files, capsys, "a", "b", "test", "test", more=["--order", "1"])
    assert "1 sentence without a tree in this scheme: [2]" in text
    assert data["schemes"][0]["failed"] == [2] and data["schemes"][0]["systems"]["joint"]["words"] == 3


def test_texts_that_are_cut_otherwise(files, capsys):
    text, data = run(files, capsys, "a", "cut", "test", "test", more=["--order", "1"])
    assert "12 sentences cut differently" in text and data["segmentation"]["recut"] == 12


def test_scores_come_with_their_counts(files, capsys):
    _, data = run(files, capsys, "a", "b", "a", "b", more=["--order", "1"])
    joint = data["systems"]["joint"]
    assert joint["uas"] == pytest.approx(100 * joint["right"] / joint["words"])
    assert joint["ra"] == pytest.approx(100 * joint["roots_right"] / joint["roots"])
    assert joint["inner"] + joint["roots"] == joint["words"] and joint["sentences"] == 12


def test_the_papers_settings_are_one_option(files, capsys):
    short = ["--epochs", "1", "--rounds", "1", "--order", "1", "--no-baselines"]
    paths = [files[name] for name in ("a", "b", "test", "test")]
    said = {}
    for name in ("paper", "best"):
        assert main(["joint", *paths, *short, "--preset", name, "--json"]) == 0
        said[name] = json.loads(capsys.readouterr().out)
    settings = said["paper"]["settings"]
    assert (settings["stages"], settings["conjoined"], settings["rounds"], settings["epochs"]) == (1, "baseline", 1, 1)
    assert settings["learnt_on"] == "development"
    assert said["best"]["settings"] == settings | {"stages": 2, "conjoined": "ours", "learnt_on": "training"}
    differences = said["best"]["different_from_paper"]
    assert differences[:3] == ["rounds 1 (paper: 4)", "stages 2 (paper: 1)", "conjoined ours (paper: baseline)"]
    assert differences[3] == "learnt on training (paper: development)"
    assert said["paper"]["different_from_paper"] == [differences[0], *differences[4:]]
    assert len(said["paper"]["temperatures"][0]) == 2 and len(said["best"]["temperatures"][0]) == 3
    assert main(["joint", *paths, *short, "--preset", "paper", "--consensus", "edge,reverse", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["different_from_paper"]
    assert said[:2] == ["rounds 1 (paper: 4)", "consensus of edge, reverse (paper: edge, root)"]


def test_a_third_scheme_is_read_scored_and_written_like_the_others(files, capsys, tmp_path):
    trees = [str(tmp_path / name) for name in "abc"]
    more = ["--order", "1", "--also", files["a"], files["test"]]
    text, data = run(files, capsys, "b", "a", "test", "test", more=[*more, "--out", *trees])
    assert [scheme["name"] for scheme in data["schemes"]] == [files["b"], files["a"], files["a"]]
    assert "of words have one head in all schemes" in text and len(data["scored_on"]) == 3
    assert [len(read_conllu(path)) for path in trees] == [2, 2, 2] and data["out"] == trees
    paths = [files[name] for name in ("b", "a", "test", "test")]
    for wrong, message in (
        (["--out", *trees[:2]], "--out takes one path for the parsers or 3 for the trees, got 2"),
        (["--certified"], "dual decomposition joins the parsers of two schemes, got 3"),
        (["--dev", files["a"], files["a"]], "3 treebanks need as many development texts, got 2"),
    ):
        assert main(["joint", *paths, *QUICK, *more, *wrong]) == 2
        assert message in capsys.readouterr().err
