"""``tagger train`` and ``tag`` from end to end on small files."""

import pytest

from core.treebank import read_conllu

SENTENCE = "".join(
    f"{i}\t{word}\t_\t{upos}\t{xpos}\t_\t{head}\t_\t_\t_\n"
    for i, (word, upos, xpos, head) in enumerate(
        [("the", "DET", "DT", 2), ("dog", "NOUN", "NN", 3), ("barks", "VERB", "VBZ", 0)], start=1
    )
)


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text(f"{SENTENCE}\n" * 6)
    return path


def test_a_tagger_is_trained_saved_and_applied(run, trees, tmp_path):
    model, out, plain = tmp_path / "m.npz", tmp_path / "out.conllu", tmp_path / "plain.txt"
    options = ("--tags", "upos", "--epochs", "3", "--dev", trees, "--out", model, "--half")
    data = run("tagger", "train", trees, *options, "--json")
    assert (data["pos_accuracy"], data["scored_on"], data["column"]) == (100, "training text", "upos")
    assert data["dev"]["words"] == 18 and data["tags"] == ["DET", "NOUN", "VERB"]
    data = run("tag", trees, "--model", model, "--out", out, "--json")
    assert (data["pos_accuracy"], data["tokens"], data["unknown_accuracy"]) == (100, 18, None)
    plain.write_text("the dog barks\n")
    assert "1 sentences, 3 words tagged" in run("tag", plain, "--model", model, "--out", out, "--format", "text")
    assert read_conllu(out)[0].upos == ("", "DET", "NOUN", "VERB")


def test_training_reports_in_words(run, trees):
    text = run("tagger", "train", trees, "--test", trees, "--epochs", "1")
    assert "3 xpos tags learnt" in text and "unknown %" in text and str(trees) in text


def test_what_cannot_be_done_is_one_line(run, trees, tmp_path):
    (tmp_path / "plain.txt").write_text("the dog barks\n")
    error = run("tagger", "train", tmp_path / "plain.txt", "--format", "text", code=2)
    assert "no word has a tag" in error and error.count("\n") == 1
    error = run("tag", trees, "--model", trees, "--out", tmp_path / "out", code=2)
    assert "this is not a model saved by the workbench" in error
