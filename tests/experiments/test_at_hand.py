"""Experiments without their corpora: on the sample or an open text; what is missing is named, all of it."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.__main__ import main
from core.errors import WorkbenchError
from core.experiments import EXPERIMENTS, Environment, run_experiment
from core.experiments.at_hand import LEAST, sample_at_hand, text_at_hand
from core.experiments.corpora import CORPORA, WSJ
from core.experiments.rush2012.texts import language_texts, languages, sizes
from core.treebank import Treebank, load_sample
from core.treebank.schemes import to_function_heads
from tests.experiments.texts import UNIVERSAL, treebank
from tests.filled import filled

PAPERS = [each for each in EXPERIMENTS if each.at_hand]
FAST = (  # one of each module that reads texts
    "druck2009-figure2", "druck2009-table2", "druck2009-table3", "spitkovsky2010-table4", "spitkovsky2010-figure1",
    "spitkovsky2010-grids", "rush2012-table1", "rush2012-table3", "rush2012-table4", "rush2012-figure4",
    "shimizu2007-table3",
)  # fmt: skip


@pytest.fixture(autouse=True)
def results_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))


def test_every_corpus_is_declared_once_and_read():
    used = [use for each in EXPERIMENTS for use in each.materials]
    assert {use.corpus.name for use in used} == {corpus.name for corpus in CORPORA}
    assert all(set(use.files) <= set(use.corpus.files) and use.role for use in used)
    files = [file for corpus in CORPORA for file in corpus.files]
    assert len(set(files)) == len(files)
    assert all(each.materials for each in EXPERIMENTS)


def test_the_folder_of_the_data_has_what_is_declared(shared_data):
    assert [each.name for each in EXPERIMENTS if each.missing(shared_data)] == []


def test_files_are_named_in_one_place():
    """No module has the path of a corpus but that which declares them."""
    folder = Path(__file__).parents[2] / "core" / "experiments"
    starts = {file.partition("/")[0] + "/" for corpus in CORPORA for file in corpus.files}
    modules = [path for path in folder.rglob("*.py") if path.name != "corpora.py"]
    named = [(path.name, start) for path in modules for start in starts if f'"{start}' in path.read_text("utf-8")]
    assert modules and named == []


@pytest.mark.parametrize("name", FAST)
def test_it_runs_on_the_sample_and_says_whose_figures_these_are(name):
    found = run_experiment(name, quick=True)
    rows = found["rows"]
    assert any(row["ours"] is not None for row in rows)
    assert all(row["why"] for row in rows if row["ours"] is None)
    assert found["data"] == "the sample"
    assert found["notes"][0].startswith("Ours are figures of the sample, 332 sentences and 78 questions")
    assert not any("WSJ sample is" in note or "English is the" in note for note in found["notes"])


def test_each_paper_has_a_name_that_is_tried():
    assert len(PAPERS) == 31
    papers = {each.name.partition("-")[0] for each in PAPERS}
    assert papers - {name.partition("-")[0] for name in FAST} == {"zhou2013"}  # tests/joint/test_zhou2013.py


def test_the_command_says_what_cannot_be_answered(capsys):
    assert main(["reproduce", "rush2012-table3", "--quick", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["English 50"]["ours"] > 0 and rows["English 50"]["paper"] == 71.62
    for language in filled(("Japanese", "Spanish", "Bulgarian", "German")):
        assert rows[f"{language} 100"]["why"] == f"the sample is English, not {language}"
    assert main(["reproduce", "rush2012-table1", "--quick"]) == 0
    assert "\nData: the sample\n" in capsys.readouterr().out


def test_what_goes_beyond_names_all_that_is_missing(capsys, tmp_path):
    for name in filled(each.name for each in EXPERIMENTS if not each.at_hand):
        assert main(["reproduce", name, "--quick"]) == 2
        said = capsys.readouterr().err
        wanted = next(each for each in EXPERIMENTS if each.name == name).missing(None, quick=True)
        assert "do not come along" in said and all(file in said for _, files in wanted for file in files)
    assert main(["reproduce", "zhou2013-table1", "--data", str(tmp_path), "--quick"]) == 2
    said = capsys.readouterr().err
    assert "zh-beginner.sud.conllu" in said and "zh-sinica-test.conllu" in said


def test_a_file_in_another_format_is_one_sentence(capsys, tmp_path):
    for name in WSJ.files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1\tthe\tDT\n", encoding="utf-8")
    for name in ("rush2012-table1", "druck2009-table1"):
        assert main(["reproduce", name, "--data", str(tmp_path), "--quick"]) == 2
        assert "line 1" in capsys.readouterr().err


def test_data_are_used_in_a_quick_run(monkeypatch, tmp_path):
    from core.experiments.zhou2013 import tables

    def found(env):
        raise WorkbenchError(f"read from {env.data.name}")

    monkeypatch.setattr(tables, "beginner_pair", found)
    with pytest.raises(WorkbenchError, match=f"read from {tmp_path.name}"):
        tables.table1(Environment(tmp_path, quick=True))


def test_the_sample_is_cut_and_its_trees_are_turned():
    text = sample_at_hand()
    assert np.bincount(text.parts).tolist() == [159, 40, 133]
    assert (text.function_heads.heads == load_sample("function-heads").heads).all()
    assert list(text.kinds()) == ["news", "essay", "blog", "questions"]
    assert {name: len(pages) for name, pages in text.pages.items()} == {"blog": 5, "news": 5, "web": 5}


def test_an_open_text_stands_for_its_language():
    german = text_at_hand("mein Text", treebank(*UNIVERSAL * 100), "de")
    env = Environment(None, quick=True, text=german)
    (language,), why = languages(env)
    assert language.name == "German" and why["English"] == "mein Text is German, not English"
    train = language_texts(env, language).train
    assert sizes(env, train) == ([50], {100: "mein Text has 96 sentences to train on"})
    assert german.treebank.xpos.strings().tolist() == german.treebank.upos.strings().tolist()
    with pytest.raises(WorkbenchError, match="mein Text has 0 questions, and 10 are needed"):
        german.asked()
    with pytest.raises(WorkbenchError, match="mein Text is of one kind; this needs two"):
        german.kinds()
    assert german.function_heads is german.treebank  # it has no relations
    with pytest.raises(WorkbenchError, match="has no relations"):
        run_experiment("zhou2013-table4", quick=True, text=german)
    with pytest.raises(WorkbenchError, match="no stretch of several words is a link"):
        run_experiment("spitkovsky2010-table2", quick=True, text=german)


def test_a_marked_text_is_its_own_set_of_pages():
    from core.markup import sample_markup

    text = text_at_hand("marked", sample_markup("sample").treebank, "en")
    rows = run_experiment("spitkovsky2010-table7", quick=True, text=text)["rows"]
    assert [row["name"] for row in rows[:2]] == ["pages45", "pages45, trimmed"] and rows[0]["ours"] > 20
    rows = run_experiment("spitkovsky2010-agreement", quick=True, text=text)["rows"]
    assert any(row["name"] == "pages, UD heads, all: loose" for row in rows)


def test_texts_without_trees_or_tags_are_refused():
    bare = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["X", "X"]}] * LEAST)
    with pytest.raises(WorkbenchError, match="bare has 0 sentences with a whole tree, and 20 are needed"):
        text_at_hand("bare", bare, "en")
    untagged = Treebank.from_sentences([{"forms": ["a", "b"], "heads": [2, 0]}] * LEAST)
    with pytest.raises(WorkbenchError, match="words of it have no tags"):
        text_at_hand("it", untagged, "en")


def test_trees_in_another_scheme_stay():
    turned = to_function_heads(load_sample())
    assert len(text_at_hand("turned", turned, "en").treebank) == 332
