"""``parser train`` and ``parse`` with what it trained, from end to end on small files."""

import pytest

from core.treebank import read_conllu

TREE = [("the", "DET", "DT", 2, "det"), ("dog", "NOUN", "NN", 3, "nsubj"), ("barks", "VERB", "VBZ", 0, "root")]
SENTENCE = "".join(
    f"{i}\t{word}\t_\t{upos}\t{xpos}\t_\t{head}\t{deprel}\t_\t_\n"
    for i, (word, upos, xpos, head, deprel) in enumerate(TREE, start=1)
)


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text(f"{SENTENCE}\n" * 4)
    return path


@pytest.mark.parametrize(
    "options", [("--order", "2"), ("--non-projective", "--labels", "joint"), ("--learner", "perceptron")]
)
def test_a_parser_is_trained_saved_and_applied(run, trees, tmp_path, options):
    model, out = tmp_path / "m.npz", tmp_path / "out.conllu"
    fixed = ("--epochs", "3", "--bits", "12", "--half", "--dev", trees, "--out", model, "--json")
    data = run("parser", "train", trees, *options, *fixed)
    assert (data["uas"], data["las"], data["scored_on"], data["tags"]) == (100, 100, "training text", ["xpos", "upos"])
    assert 0 < data["table_used"] < 100
    assert data["dev"]["without_punctuation"]["uas"] == 100 and data["skipped"] == {}
    data = run("parse", trees, "--model", model, "--out", out, "--json")
    assert (data["uas"], data["las"], data["tokens"]) == (100, 100, 12)
    assert read_conllu(out)[0].deprels == ("", "det", "nsubj", "root")
    assert "labeled attachment: 100.0 %" in run("parse", trees, "--model", model, "--out", out)


def test_training_reports_in_words(run, trees):
    text = run("parser", "train", trees, "--labels", "none", "--epochs", "2", "--bits", "12", "--test", trees)
    assert "without punctuation" in text and "order 1, mira" in text and str(trees) in text


def test_what_cannot_be_done_is_one_line(run, trees, tmp_path):
    error = run("parser", "train", trees, "--order", "2", "--non-projective", code=2)
    assert "siblings need projective trees" in error and error.count("\n") == 1
    (tmp_path / "plain.txt").write_text("the dog barks\n")
    error = run("parser", "train", tmp_path / "plain.txt", "--format", "text", code=2)
    assert "without a complete tree" in error
