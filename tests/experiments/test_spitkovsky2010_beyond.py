"""Mark-up for other parsers: the experiment on the sample's own pages and trees, in place of treebanks and sites."""

import shutil

from core.experiments import run_experiment
from core.experiments.spitkovsky2010 import beyond
from core.experiments.spitkovsky2010.marked_features import KINDS, with_marks
from core.treebank import Treebank, load_sample, write_conllu
from core.treebank.sample import FOLDER
from core.trees.brackets import Bracket
from tests.filled import filled

LEVELS = ("none", "loose")


def test_every_level_has_its_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(beyond, "LEVELS", LEVELS)
    monkeypatch.setattr(beyond, "WEIGHTS", (1.0,))
    (tmp_path / "en-ewt").mkdir()
    for name in ("train", "test"):
        write_conllu(load_sample("sample"), tmp_path / "en-ewt" / f"ewt-{name}.conllu")
    for name in ("scripting-news", "debian-weekly-news", "anarchist-faq"):
        shutil.copytree(FOLDER / "pages", tmp_path / "html" / name)
    found = run_experiment("spitkovsky2010-beyond", tmp_path, quick=True)
    rows = {row["name"]: row for row in found["rows"]}
    supervised = [rows[f"100 sentences, {name}"] for name in ("alone", "self-training without brackets", *LEVELS[1:])]
    assert all(40 < row["ours"] <= 100 and row["low"] == row["high"] == row["ours"] for row in supervised)
    for text in ("sample", "EWT"):
        names = [f"{level}, weight {weight}" for level in LEVELS[1:] for weight in (1,)]
        shares = [rows[f"20 constraints, {text}, {name}"]["ours"] for name in ("without brackets", *names)]
        assert len(set(shares)) > 1 and all(0 < share < 100 for share in shares)
    assert all(row["paper"] is None for row in found["rows"])
    plain, *marked = (rows[name] for name in rows if name.startswith("60 sentences, 3 folds"))
    assert len(marked) == len(KINDS)
    for row in filled(marked):  # won and lost words are what the two figures differ by
        assert 60 < row["ours"] <= 100 and 0 <= row["p_value"] <= 1
        assert (row["ours"] > plain["ours"]) == (row["won"] > row["lost"])


def test_marks_are_those_of_the_shortest_bracket_beside_the_tag():
    text = Treebank.from_sentences([{"forms": list("wxyz"), "xpos": list("ABCD"), "heads": [0, 1, 1, 1]}])
    brackets = [[Bracket(1, 4, "a"), Bracket(2, 3, "b")]]
    marked = with_marks(text, brackets)[0]
    assert list(marked.xpos[1:]) == ["A a first", "B b alone", "C a last", "D"] and list(marked.upos[1:]) == list(
        "ABCD"
    )
    assert list(with_marks(text, brackets, "marked")[0].xpos[1:]) == ["A marked", "B marked", "C marked", "D"]
