"""A folder of treebanks to learn from: what is taken of it, and what is left out."""

import pytest

from core.errors import WorkbenchError
from core.parsers.universal.sources import read_sources
from core.treebank import Treebank, load_sample, write_conllu


def test_a_folder_is_read_and_broken_files_are_said(tmp_path):
    sample = load_sample()
    write_conllu(sample, tmp_path / "en.conllu")
    write_conllu(sample.limit(5), tmp_path / "few.conllu")
    (tmp_path / "broken.conllu").write_text("1\ta\t_\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no treebank", encoding="utf-8")
    found = read_sources(tmp_path)
    assert [*found.texts] == ["en"] and found.relations[0] == "root" and "nsubj:pass" not in found.relations
    assert {*found.skipped} == {"broken.conllu", "few.conllu"} and "20 are needed" in found.skipped["few.conllu"]
    assert "line 1" in found.skipped["broken.conllu"]
    words = found.texts["en"]
    assert len(words) == len(sample) and words.relations.min() == 0


def test_sentences_without_whole_trees_and_long_ones_are_left_out(tmp_path):
    good = {"forms": ["a", "b"], "upos": ["NOUN", "VERB"], "heads": [2, 0], "deprels": ["nsubj", "root"]}
    headless = good | {"heads": [2, -1]}
    long = {name: values[:1] * 41 for name, values in good.items()} | {"heads": [0, *range(1, 41)]}
    write_conllu(Treebank.from_sentences([good] * 25 + [headless, long]), tmp_path / "a.conllu")
    assert len(read_sources(tmp_path).texts["a"]) == 25


def test_a_folder_with_nothing_to_learn_from(tmp_path):
    with pytest.raises(WorkbenchError, match=r"has no \.conllu files; give a folder of treebanks"):
        read_sources(tmp_path)
    (tmp_path / "broken.conllu").write_text("1\ta\n", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"no treebank to learn from: broken\.conllu: "):
        read_sources(tmp_path)
