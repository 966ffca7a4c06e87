"""Treebanks in the formats that people take away: read back, or read by the tools they are for."""

import csv
import io
import json

import pytest
from spacy import displacy

from core.errors import WorkbenchError
from core.treebank import conllu_text, load_sample, read_treebank, write_conllu, write_treebank

SAMPLE = load_sample()
ODD = b"# sent_id = =1+1\n1\t=SUM(A1)\t_\tX\t_\t_\t0\troot\t_\t_\n2\t-\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"


@pytest.mark.parametrize("suffix", [".conllu", ".spacy"])
def test_what_is_written_is_read_again(suffix, tmp_path):
    treebank = SAMPLE.limit(20)
    write_treebank(treebank, tmp_path / f"taken{suffix}")
    assert conllu_text(read_treebank(tmp_path / f"taken{suffix}")) == conllu_text(treebank)


def test_the_table_has_a_row_a_word(tmp_path):
    write_treebank(SAMPLE.limit(3), tmp_path / "words.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "words.csv").read_text(encoding="utf-8-sig"))))
    assert len(rows) == SAMPLE.limit(3).token_count
    sentence = SAMPLE[1]
    second = [row for row in rows if row["sentence"] == "2"]
    assert [row["form"] for row in second] == list(sentence.forms[1:])
    assert [int(row["head"]) for row in second] == sentence.heads[1:].tolist()


def test_a_spreadsheet_sees_no_formula(tmp_path):
    write_treebank(read_treebank(ODD), tmp_path / "words.csv")
    text = (tmp_path / "words.csv").read_text(encoding="utf-8-sig")
    assert "1,'=1+1,1,'=SUM(A1)," in text and ",2,-,," in text


def test_displacy_draws_what_is_written(tmp_path):
    write_treebank(SAMPLE.limit(2), tmp_path / "trees.json")
    trees = json.loads((tmp_path / "trees.json").read_text(encoding="utf-8"))
    drawn = displacy.render(trees, style="dep", manual=True, jupyter=False)
    sentence = SAMPLE[0]
    assert drawn.count("displacy-arrowhead") == sum(len(tree["arcs"]) for tree in trees)
    for arc in trees[0]["arcs"]:
        head, word = (arc["end"], arc["start"]) if arc["dir"] == "left" else (arc["start"], arc["end"])
        assert sentence.heads[word + 1] == head + 1 and sentence.deprels[word + 1] == arc["label"]
    assert len(trees[0]["arcs"]) == len(sentence) - 1


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(WorkbenchError, match=r"cannot be written \(.*\); name another file"):
        write_treebank(SAMPLE.limit(1), tmp_path / "nowhere" / "a.csv")
    with pytest.raises(WorkbenchError, match=r"cannot be written: .*; choose another place"):
        write_conllu(SAMPLE.limit(1), tmp_path / "nowhere" / "a.conllu")
