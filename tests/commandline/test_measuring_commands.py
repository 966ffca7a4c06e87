"""``curve``: a table, a CSV, a figure; ``scale``: what a corpus would take, measured, and worked out by hand."""

import csv
from contextlib import nullcontext

import pytest

from core.experiments import scale
from core.experiments.scale import CORPORA, ROUNDS, ScaledCorpus, Stage, extrapolate
from core.files.assets import ASSETS
from core.shards import Cluster
from tests.shards.crawl import folder, small_pages

SAMPLE = ASSETS / "sample" / "sample.conllu"
LINES = "DET <- NOUN = 0.95\nROOT -> VERB = 0.7\nADJ <- NOUN = 0.9\nADP <- NOUN = 0.9\n"
STAGES = [
    Stage("extract", 1, seconds=10.0, words=1000, read=8000, written=500, memory=1),
    Stage("dmv", 1, seconds=2.0, words=1000, read=500, written=0, memory=1, model=300),
    Stage("extract", 2, seconds=1.0, words=1000, read=8000, written=500, memory=1),  # is not what one worker takes
]


def test_a_curve_by_trees_is_measured_fitted_and_written(run, tmp_path):
    table, figure = tmp_path / "curve.csv", tmp_path / "curve.svg"
    asked = ("curve", SAMPLE, "--by", "trees", "--learner", "first-order", "--sizes")
    files = ("--out", table, "--figure", figure)
    found = run(*asked, "5,20,80", "--draws", "2", *files, "--accuracy", "99.9", "--json")
    assert (found["by"], found["learner"], found["scored_on"]) == ("trees", "first-order", "66 sentences held out")
    points = [(row["size"], row["extrapolated"]) for row in found["points"]]
    assert points == [(5, False), (20, False), (80, False), (160, True), (320, True)]
    means = [row["mean"] for row in found["points"][:3]]
    assert means == sorted(means) and 40 < means[0] < means[2] < 95
    assert found["gain"]["more"] == 80 and 0 < found["gain"]["low"] < found["gain"]["value"] < found["gain"]["high"]
    assert "not_known" in found["needed"]
    rows = list(csv.DictReader(table.open()))
    assert [float(row["mean"]) for row in rows[:3]] == pytest.approx(means)
    assert figure.read_text().startswith("<svg") and "extrapolated" in figure.read_text()
    said = run(*asked, "5,10,20,40", "--draws", "1")
    assert "every fifth tree of" in said and "40 trees more than the 40 would bring about" in said
    assert "extrapolated" in said.splitlines()[8]


def test_a_curve_by_lines_scores_on_another_file(run, write):
    found = run("curve", SAMPLE, "--by", "lines", "--constraints", write("lines", LINES), "--test", SAMPLE,
                "--limit", "40", "--draws", "1", "--sizes", "1,4", "--tags", "upos", "--json")  # fmt: skip
    assert found["scored_on"] == str(SAMPLE) and len(found["points"]) == 2
    assert found["fit"] is None and "needs 3 sizes" in found["gain"]["not_known"]


@pytest.mark.parametrize(("pages", "wanted"), [(None, 1), (8e9, 0.5)])
def test_words_or_pages_are_extrapolated(pages, wanted):
    """All pages are read, and those in the language learnt from."""
    words = 1e9 if pages else 3_600_000
    extraction, dmv = extrapolate(STAGES, ScaledCorpus("a", words=None if pages else words, pages=pages, wanted=wanted))
    assert extraction["core_hours"] == pytest.approx(words * 0.01 / 3600)
    assert extraction["disk"] == pytest.approx(wanted * words / 2)
    assert dmv["core_hours"] == pytest.approx(wanted * words * 0.002 / 3600 * ROUNDS["dmv"])
    assert dmv["network"] == pytest.approx(300 * 2 * 1000 * ROUNDS["dmv"])


def test_a_few_pages_are_measured(run, tmp_path, monkeypatch):
    """By one worker, which stands in for two as well: what it has loaded for the first measurement serves the next."""
    asked, pages = [], folder(tmp_path / "pages", small_pages(12))
    with Cluster(workers=1) as cluster:
        monkeypatch.setattr(scale, "Cluster", lambda workers: asked.append(workers) or nullcontext(cluster))
        found = run("scale", pages, "--measure", "--workers", "1,2", "--part-size", "500", "--json")
        empty = folder(tmp_path / "empty", {"a.html": b"<table><tr><td>1</table>"})
        said = run("scale", empty, "--measure", "--workers", "1", code=2)
    assert "these pages hold no text to measure with" in said and asked == [1, 2, 1]
    names = [(stage["name"], stage["workers"]) for stage in found["stages"]]
    assert names == [(name, count) for count in (1, 2) for name in ROUNDS]
    for stage in found["stages"]:
        assert stage["words"] == found["stages"][0]["words"] > 100
        assert stage["read"] > 0 and stage["memory"] > 50e6
        assert (stage["written"] > 0) == (stage["name"] in ("extract", "tag"))
        assert (stage["model"] > 0) == (stage["name"] in ("dmv", "lines"))
    assert set(found["corpora"]) == {corpus.name for corpus in CORPORA} and found["assumptions"]


def test_what_was_measured_is_printed(run, monkeypatch):
    monkeypatch.setattr(scale, "measure", lambda *_, **__: STAGES)
    lines = run("scale", "pages", "--measure").splitlines()
    assert lines[2].startswith("stage") and "words/s" in lines[2]
    assert lines[3].split() == ["extract", "1", "10.00", "1.00", "100", "0.0", "0.0", "0"]
    assert lines[5].split()[:5] == ["extract", "2", "1.00", "10.00", "1,000"]
    assert {corpus.name for corpus in CORPORA} <= {*lines} and any("core-hours = words" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("curve", "SAMPLE", "--by", "lines"), "give a file of them as --constraints"),
        (("curve", "SAMPLE", "--by", "trees", "--sizes", "10,1000"), "1,000 trees are asked for and there are 266"),
        (("curve", "SAMPLE", "--by", "trees", "--learner", "oracle"), "no learner by trees is called 'oracle'"),
        (("curve", "SAMPLE", "--by", "trees", "--sizes", "20,10"), "sizes that rise, such as 10,25,50"),
        (("curve", "SAMPLE", "--by", "trees", "--accuracy", "120"), "invalid percentage value"),
        (("curve", "PLAIN", "--by", "words"), "has 0 sentences with complete trees"),
        (("scale", "PLAIN"), "scale needs --measure"),
        (("scale", "PLAIN", "--measure", "--workers", "1,1"), "numbers of processes, such as 1,2,4"),
        (("scale", "PLAIN", "--measure", "--workers", "none"), "numbers of processes, such as 1,2,4"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(run, write, conllu, arguments, said):
    places = {"SAMPLE": SAMPLE, "PLAIN": write("plain.conllu", conllu(*["word/NOUN"] * 30))}
    assert said in run(*(places.get(each, each) for each in arguments), code=2)


def test_several_systems_are_tested_pair_by_pair_and_by_kinds_of_words(run, write, conllu):
    gold = write("gold.conllu", conllu(*["go/VERB//0/root home/ADV//1/advmod now/ADV//1/advmod"] * 4))
    one = write("one.conllu", conllu(*["go/VERB//0/root home/ADV//1/advmod now/ADV//2/obj"] * 4))
    two = write("two.conllu", conllu(*["go/VERB//2/dep home/ADV//0/root now/ADV//2/obj"] * 4))
    bare = write("bare.conllu", conllu(*["go/VERB//0/root home/ADV//1/dep now/ADV//1/dep"] * 4))
    data = run("evaluate", gold, one, two, bare, "--json")
    rows = {(row["measure"], *(path.rsplit("/")[-1][:-7] for path in row["systems"])): row for row in data["pairs"]}
    assert set(rows) == {("UAS", "one", "two"), ("UAS", "one", "bare"), ("UAS", "two", "bare"), ("LAS", "one", "two")}
    row = rows["UAS", "one", "two"]
    assert (row["only_one"], row["only_other"], row["words"]) == (8, 0, 12)
    assert row["difference"] == row["low"] == row["high"] == pytest.approx(200 / 3)
    assert row["p_value"] == 2 / 2**8 and row["p_adjusted"] == pytest.approx(2 * 2 / 2**8)  # p = 2/4096 comes first
    assert rows["LAS", "one", "two"]["p_adjusted"] == 2 / 2**8  # the only test of LAS
    text = run("evaluate", gold, one, two, bare)
    assert "3 tests a measure" in text and "Holm 1979" in text and "0.00781" in text
    data = run("evaluate", gold, one, two, "--by", "relation", "--json")
    shares = {(row["measure"], row["group"]): list(row["percent"].values()) for row in data["groups"]}
    assert shares["UAS", "advmod"] == [50, 0] and shares["LAS", "root"] == [100, 0]
    assert {(test["measure"], test["group"]) for test in data["tests"]} == set(shares)
    found = {(row["system"][-10:-7], row["relation"]): row for row in data["relations"]}
    assert found["one", "advmod"]["precision"] == 100 and found["one", "advmod"]["recall"] == 50
    assert found["one", "obj"]["precision"] == 0 and found["one", "obj"]["recall"] is None
    assert "head and relation right, by relation" in run("evaluate", gold, one, two, "--by", "relation")
    for rules in ("conll2006", "conll2018"):
        by_rules = run("evaluate", gold, one, two, "--rules", rules, "--by", "sentence-length", "--json")
        assert [row["only_one"] for row in by_rules["pairs"]] == [8, 8]
        assert [test["group"] for test in by_rules["tests"]] == ["1-5 words"] * 2
    assert "pairs" not in run("evaluate", gold, one, "--json")
    assert "invalid choice" in run("evaluate", gold, one, "--by", "colour", code=2)


def test_trees_without_relations_have_no_las_anywhere(run, write, conllu):
    gold = write("gold.conllu", conllu("go/VERB//0/root home/ADV//1/advmod now/ADV//1/advmod"))
    bare = write("bare.conllu", conllu("go/VERB//0/root home/ADV//1/dep now/ADV//1/dep"))
    data = run("evaluate", gold, bare, "--json")
    parts = data, data["with_punctuation"], data["without_punctuation"], data["systems"][str(bare)]
    assert all(part["uas"] == 100 and "las" not in part and "label_accuracy" not in part for part in parts)
    text = run("evaluate", gold, bare)
    assert "33.3" not in text and f"no LAS: {bare} names no relations" in text
    assert "no LAS" not in run("evaluate", gold, gold) and "notes" not in run("evaluate", gold, gold, "--json")
