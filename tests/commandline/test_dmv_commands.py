"""``dmv train`` and ``parse`` with its model, from end to end on a small file."""

import pytest

from core.treebank import read_conllu

ROWS = [
    ("DT NN VBZ", [2, 3, 0], "a 1-2"),
    ("NNS VBP", [2, 0], None),
    ("DT JJ NN VBZ RB", [3, 3, 4, 0, 4], "i 1-3 | b 2-4"),
]


@pytest.fixture
def text(tmp_path):
    lines = []
    for tags, heads, marks in ROWS:
        lines += [f"# markup = {marks}"] if marks else []
        words = enumerate(zip(tags.split(), heads, strict=True), start=1)
        lines += [f"{i}\t{tag.lower()}\t_\t_\t{tag}\t_\t{head}\t_\t_\t_" for i, (tag, head) in words]
        lines.append("")
    path = tmp_path / "text.conllu"
    path.write_text("\n".join(lines * 4) + "\n")
    return path


def test_a_grammar_is_induced_saved_and_applied(run, text, tmp_path):
    model, out = tmp_path / "m.npz", tmp_path / "out.conllu"
    options = ("--init", "harmonic", "--level", "strict", "--dev", text, "--test", text, "--out", model, "--json")
    data = run("dmv", "train", text, *options)
    assert data["scored_on"] == str(text) and data["words"] == 40 and data["seeds"] == 5
    assert data["uas"] == data["uas_10"] == data["dev"]["uas"] and data["history"][-1]["uas"] >= 0
    assert data["fallbacks"] == {"strict": 4, "loose": 4, "sprawl": 0, "tear": 0, "none": 0}  # 1-3 crosses 2-4
    assert (data["column"], data["tags"], data["status"]) == ("xpos", 7, "converged")
    parsed = run("parse", text, "--model", model, "--out", out, "--json")
    assert parsed["sentences"] == 12 and read_conllu(out)[0].heads.min() == -1
    again = run("dmv", "train", text, "--init", model, "--em", "--stages", "2,3", "--json")
    assert {state["stage"] for state in again["history"]} == {"up to 2 words", "up to 3 words"}


def test_training_reports_in_words(run, text):
    shown = run("dmv", "train", text, "--max-length", "3", "--level", "loose", "--trim", "--adapt", text, "--dev", text)
    assert "12 sentences, 40 words, 7 xpos tags" in shown and "bits per token on training text" in shown
    assert "sentences with brackets: 4 at loose" in shown and "development text" in shown


def test_what_cannot_be_done_is_one_line(run, text, tmp_path):
    plain = tmp_path / "plain.conllu"
    plain.write_text("1\ta\t_\t_\tA\t_\t_\t_\t_\t_\n\n")
    assert "no sentence has a # markup comment" in run("dmv", "train", plain, "--level", "loose", code=2)
    assert "there is no file nowhere" in run("dmv", "train", plain, "--init", "nowhere", code=2)
    assert "this is not a model" in run("dmv", "train", plain, "--init", plain, code=2)
    assert "uas" not in run("dmv", "train", plain, "--json")
