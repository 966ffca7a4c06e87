"""``ge``: trees beside constraints, scores, decodings, possible-parent and sequence constraints."""

import json

import pytest

from core.__main__ import main
from core.parsers import load_parser

ROWS = {
    "A": "1\ta\t_\t_\tA\t_\t{}\t_\t_\t_",
    "B": "2\tb\t_\t_\tB\t_\t{}\t_\t_\t_",
    "C": "3\tc\t_\t_\tC\t_\t{}\t_\t_\t_",
}


def sentences(*heads):
    """CoNLL-U of ``a b c`` once for each triple of heads."""
    return "".join(
        "\n".join(ROWS[tag].format(head) for tag, head in zip("ABC", each, strict=True)) + "\n\n" for each in heads
    )


@pytest.fixture
def run(capsys, tmp_path):
    files = {
        "TEXT": sentences(*["202"] * 4),
        "PARTIAL": sentences("3__", "3__"),
        "COMPLETE": sentences("012"),
        "CYCLE": sentences("21_"),
        "SET": "B -> C = 0.5\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    def call(*arguments, code=0):
        assert main([str(tmp_path / each) if each in files else each for each in arguments]) == code
        output = capsys.readouterr()
        return output.err if code else json.loads(output.out) if "--json" in arguments else output.out

    return call


def test_known_heads_are_learned_beside_constraints(run):
    train = ("ge", "train", "TEXT", "--constraints", "SET", "--json")
    assert run(*train)["uas"] == pytest.approx(100)
    partial = run(*train, "--trees", "PARTIAL", "--partial-weight", "50")
    assert partial["uas"] < 70  # a hangs on c, which the text does not say
    assert partial["trees"] == {"sentences": 2, "known_heads": 2}
    assert run(*train, "--trees", "PARTIAL", "--partial-weight", "0")["uas"] == pytest.approx(100)
    complete = run(*train, "--trees", "COMPLETE", "--complete-weight", "50", "--partial-weight", "0")
    assert complete["uas"] < 40


def test_the_preset_for_text_learns_projective_trees_of_short_sentences(run, tmp_path):
    """The longest sentence of 21 words is scored, and not learnt from."""
    long = "".join(f"{m}\ta\t_\t_\tA\t_\t{m - 1}\t_\t_\t_\n" for m in range(1, 22)) + "\n"
    text, model = tmp_path / "text.conllu", tmp_path / "model.npz"
    text.write_text(sentences(*["202"] * 4) + long)
    train = ("ge", "train", str(text), "--constraints", "SET", "--preset", "text")
    found = run(*train, "--out", str(model), "--json")
    assert found["sentences"] == 5 and found["words"] == 33
    distribution = load_parser(model).distribution
    assert distribution.projective and distribution.decoding == "posterior"
    text.write_text(long.replace("A", "B", 3).replace("A", "C", 3))
    assert "no sentence has at most 20 words" in run(*train, code=2)


def test_brackets_are_respected_beside_constraints(run, tmp_path):
    marked = tmp_path / "marked.conllu"
    marked.write_text(sentences(*["202"] * 4).replace("1\ta", "# markup = b 2-3\n1\ta"))
    train = ("ge", "train", str(marked), "--constraints", "SET", "--json")
    found = run(*train, "--brackets", "strict", "--brackets-weight", "5")
    assert found["bracket_levels"] == {"strict": 4, "loose": 0, "sprawl": 0, "tear": 0, "none": 0}
    assert found["objective"] > run(*train)["objective"]
    assert "4 at strict" in run(*train[:-1], "--brackets", "strict")
    assert "no mark-up to respect" in run("ge", "train", "TEXT", "--constraints", "SET", "--brackets", "loose", code=2)


def test_scores_and_decodings(run):
    train = ("ge", "train", "TEXT", "--constraints", "SET", "--json")
    values = {score: run(*train, "--score", score)["objective"] for score in ("squared", "kl", "kl-one-sided")}
    assert len(set(values.values())) == 3
    for decoding in ("best", "projective", "posterior"):
        assert 0 <= run(*train, "--decoding", decoding, "--projective")["uas"] <= 100


def test_trees_that_are_none_are_refused(run):
    assert "cycle" in run("ge", "train", "TEXT", "--constraints", "SET", "--trees", "CYCLE", code=2)
    with pytest.raises(SystemExit):
        run("ge", "train", "TEXT", "--constraints", "SET", "--trees", "PARTIAL", "--partial-weight", "-1")


def test_the_sets_of_long_sentences(run, tmp_path):
    template = ("--template", "head,modifier,direction,distance", "--minimum-count", "1")
    text = run("ge", "oracle", "TEXT", *template, "--all", "--minimum-edge-count", "4")
    assert [line.split("  #")[0] for line in text.splitlines()] == [
        "A <- B dist 1 = 1.0",
        "B -> C dist 1 = 1.0",
        "ROOT -> B = 1.0",
    ]
    mixed = tmp_path / "mixed"
    rows = ["V", "N", "A", "P"], ["V", "N", "B", "P"]
    trees = [(rows[0], "0122")] * 3 + [(rows[1], "0121")] * 9
    lines = [
        [f"{i}\tx\t_\t_\t{tag}\t_\t{head}\t_\t_\t_" for i, (tag, head) in enumerate(zip(*each, strict=True), 1)]
        for each in trees
    ]
    mixed.write_text("".join("\n".join(each) + "\n\n" for each in lines))
    data = run("ge", "oracle", str(mixed), *template, "--count", "1", "--sequences", "2", "--json")
    assert data["count"] == 2
    assert "N -> P dist 2 after head A before modifier A = 1.0" in data["constraints"]
