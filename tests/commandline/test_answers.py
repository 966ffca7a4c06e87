"""``corpus prompt``, ``corpus adopt`` and ``parse --beside``: trees of other tools, asked for, mended and trusted."""

import re

import numpy as np
import pytest

from core.treebank import conllu_text, load_sample, read_conllu

TREES = load_sample().limit(15).to_conllu()
WORDS = "1 It 2 SUBJ\n2 rains 0 root\n3 . 3 punct\n"


@pytest.fixture
def text(write):
    return write("text.conllu", "1\tIt\t_\tPRON\t_\t_\t_\t_\t_\t_\n2\trains\t_\tVERB\t_\t_\t_\t_\t_\t_\n"
                 "3\t.\t_\tPUNCT\t_\t_\t_\t_\t_\t_\n\n")  # fmt: skip


def test_an_answer_is_adopted_and_its_changes_are_said(run, write, text, tmp_path):
    answer, out = write("answer.txt", f"Here:\n```\n{WORDS}```\n"), tmp_path / "parse.conllu"
    report = run("corpus", "adopt", text, answer, "--out", out, "--json")
    assert (report["sentences"], report["used"], report["kinds"]) == (1, 1, {"relation": 1, "head": 1})
    assert report["changes"][1] == {
        "sentence": 1, "word": 3, "kind": "head", "before": "3 .", "after": "2 rains",
        "reason": "the word was its own head",
    }  # fmt: skip
    (sentence,) = read_conllu(out)
    assert (sentence.heads.tolist(), sentence.deprels[1:]) == ([-1, 2, 0, 2], ("nsubj", "root", "punct"))
    said = run("corpus", "adopt", text, answer, "--out", out)
    assert said.startswith("1 sentence, 1 used, 2 changes\n")
    assert "SUBJ" in said


def test_another_parse_decides_what_an_answer_leaves_open(run, write, text, tmp_path):
    answer, at_hand = write("answer.txt", "1 It _ nsubj\n2 rains 3 x\n3 . _ punct\n"), tmp_path / "at-hand.conllu"
    run("corpus", "adopt", text, write("other.txt", "1 It 3 x\n2 rains 3 x\n3 . 0 root\n"), "--out", at_hand)
    out = tmp_path / "parse.conllu"
    run("corpus", "adopt", text, answer, "--at-hand", at_hand, "--out", out)
    assert read_conllu(out).heads.tolist() == [-1, 3, 3, 0]


@pytest.mark.parametrize(
    ("answer", "message"),
    [("I cannot.", "answer.txt: the answer has no word with a head; ask for CoNLL-U"),
     ("1 Other 2 nsubj\n2 words 0 root", "the answer has no sentence of this text; its first is 'Other words'")],
)  # fmt: skip
def test_what_is_no_answer_is_refused_in_a_line(run, write, text, tmp_path, answer, message):
    line = run("corpus", "adopt", text, write("answer.txt", answer), "--out", tmp_path / "out.conllu", code=2)
    assert message in line
    assert not (tmp_path / "out.conllu").exists()


def test_a_prompt_is_written_with_the_trees_of_a_file_as_examples(run, write, text, tmp_path):
    trees = write("trees.conllu", conllu_text(TREES))
    report = run("corpus", "prompt", text, "--examples", trees, "--language", "en", "--json")
    assert (report["sentences"], report["examples"]) == ([1], 3)
    assert "in English" in report["prompt"]
    assert "\tIt\t_\tPRON\t" in report["prompt"].partition("Sentences to draw")[2]
    assert run("corpus", "prompt", trees, "--sentences", "2,4-5", "--json")["sentences"] == [2, 4, 5]
    assert len(run("corpus", "prompt", trees, "--json")["sentences"]) == 12  # without the examples
    said = run("corpus", "prompt", text, "--out", tmp_path / "prompt.txt")
    assert said.strip().endswith("nothing was sent")
    assert (tmp_path / "prompt.txt").read_text().startswith("Draw the dependency tree")
    assert "there is no sentence 9" in run("corpus", "prompt", text, "--sentences", "9", code=2)


def test_a_parse_counts_beside_the_universal_parser_by_checked_trees(run, write, tmp_path):
    text, checked = write("text.conllu", conllu_text(TREES)), write("few.conllu", conllu_text(TREES.limit(5)))
    parse = ("parse", text, "--model", "universal", "--trees", checked, "--out", tmp_path / "out.conllu", "--json")
    answer = write("answer.txt", conllu_text(TREES).replace("\t", " "))
    beside, alone = (run(*parse, *more) for more in (("--beside", answer), ()))
    assert beside["without_punctuation"]["uas"] > max(alone["without_punctuation"]["uas"], 95)
    assert "beside" not in alone
    words = TREES.limit(5).without_punctuation().token_count
    (row,) = beside["beside"]
    assert row.pop("weight") > 1 and row.pop("relation_weight") > 1
    assert row == {"parse": str(answer), "sentences": 5, "words": words, "uas": 100.0}
    assert "--beside needs --trees" in run(*parse[:4], *parse[6:], "--beside", answer, code=2)


def test_how_much_each_parse_counts_is_said_with_the_sentences_that_say_so(run, write, tmp_path):
    text, checked = write("text.conllu", conllu_text(TREES)), write("few.conllu", conllu_text(TREES.limit(3)))
    wrong = TREES.with_heads(np.where(TREES.is_word, TREES.numbers - 1, TREES.heads), TREES.deprel)
    others = {"some": TREES.limit(2), "later": TREES.select(np.arange(3, 15)), "wrong": wrong}
    files = {name: write(f"{name}.txt", conllu_text(trees)) for name, trees in others.items()}
    options = [part for file in files.values() for part in ("--beside", file)]
    said = run("parse", text, "--model", "universal", "--trees", checked, "--out", tmp_path / "out.conllu", *options)
    lines = {name: next(line for line in said.splitlines() if f"{name}.txt" in line) for name in files}
    words = TREES.limit(2).without_punctuation().token_count
    assert re.search(
        r": weight [1-9.]+ for heads, [0-9.]+ for relations; learnt from 2 sentences of --trees, where ", lines["some"]
    )
    assert f"100.0% ({words} of {words} words, without punctuation) of its heads are right" in lines["some"]
    assert lines["later"].endswith(": weight 0, since it has no tree of a sentence of --trees")
    gold = TREES.limit(3).without_punctuation()
    right = int((gold.heads == wrong.limit(3).without_punctuation().heads)[gold.is_word].sum())
    assert "3 sentences of --trees" in lines["wrong"] and f"({right} of {gold.token_count} words" in lines["wrong"]
