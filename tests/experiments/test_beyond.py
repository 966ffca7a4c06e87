"""Lines on a grammar, for whole sentences: the shape of the tables on a few made-up trees."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints
from core.constraints.authoring.word_order import order_constraints
from core.errors import WorkbenchError
from core.experiments import run_experiment
from core.experiments.beyond import languages, lines
from core.experiments.beyond.learners import ConstraintTraining, accuracy, development_part
from core.experiments.beyond.tags import by_hand, cross_tagged, with_tags
from core.treebank import write_conllu
from tests.experiments.texts import PHRASES, UNIVERSAL, treebank

SHORT = GrammarSettings(words="no", lengths=(20,), iterations=(1,), price=0.0)
FAST = ConstraintTraining("one iteration", SHORT)


@pytest.fixture
def journal(tmp_path, monkeypatch):
    """A folder with eight times the same three sentences for the WSJ sample, and learners that take a moment."""
    path = tmp_path / lines.PHRASES
    path.parent.mkdir(parents=True)
    path.write_text(PHRASES * 8, encoding="utf-8")
    for name in ("FAST", "WITH_WORDS"):
        monkeypatch.setattr(lines, name, FAST)
    monkeypatch.setattr(lines, "LEARNERS", (ConstraintTraining("crf", lines.LEARNERS[0].settings, 10), *[FAST] * 4))
    for name in ("WORDS", "SECOND_ORDER"):
        monkeypatch.setattr(lines, name, SHORT)
    return tmp_path


def test_each_learner_has_both_sets_of_lines_and_published_figures_stand_beside(journal):
    rows = run_experiment("beyond-lines-learners", journal, quick=True)["rows"]
    ours, published = [row for row in rows if row["ours"] is not None], [row for row in rows if row["ours"] is None]
    assert [row["name"].split(":")[0] for row in ours] == [name for name in lines.FILES for _ in range(6)]
    assert all(0 <= row[key] <= 100 for row in ours for key in ("ours", "test_10", "test_20", "dev", "dev_10"))
    assert {row["paper"] for row in published} >= {64.4, 65.8, 67.5, 68.8}
    assert all(row["data"] and row["heads"] for row in published)


def test_further_tables_of_lines(journal):
    supervised = run_experiment("beyond-lines-supervised", journal, quick=True)["rows"]
    assert supervised[0]["name"] == "25 trees" and supervised[0]["ours"] > 50
    subsets = run_experiment("beyond-lines-subsets", journal, quick=True)
    names = ["all lines", *(f"subset {number}, 20 lines" for number in (1, 2, 3)), "mean of the subsets"]
    assert [row["name"] for row in subsets["rows"]] == names
    assert len(subsets["tables"]["What single lines are worth, in points"]) == 25
    moved = run_experiment("beyond-lines-targets", journal, quick=True)["rows"]
    names = [row["name"] for row in moved]
    assert names[:3] == ["as written", "all lines, draw 1", "all lines, mean"] and len(names) == 5
    assert moved[-1]["low"] == moved[-1]["high"] == moved[-2]["ours"]
    tagged = run_experiment("beyond-lines-tags", journal, quick=True)["rows"]
    assert len(tagged) == 4 and all(0 < row["right_tags"] <= 100 for row in tagged)


def test_each_line_is_left_out_equally_often():
    kept = np.array(lines.left_out(25, 20))
    assert kept.shape == (20, 25) and set(kept.sum(axis=1)) == {20} and set((~kept).sum(axis=0)) == {4}
    assert len({tuple(row) for row in kept.tolist()}) == 20


def test_one_line_is_turned_round():
    pairs = zip(lines.lines_of(lines.BLIND), lines.lines_of(lines.TURNED), strict=True)
    ((written, turned),) = [(written.text, turned.text) for written, turned in pairs if written != turned]
    verbs, tail = "{JJ MD RB VB VBD VBG VBN VBP VBZ}", "dist 1 per modifier = 0.8..1.0"
    assert (written, turned) == (f"RB -- {verbs} {tail}", f"{verbs} -- RB {tail}")


def test_targets_move_within_what_is_possible():
    share, many = parse_constraints("A -> B = 0.9..1.0\nA -> C per head = 1.1")
    assert (lines.perturbed(share, 0.15).low, lines.perturbed(share, 0.15).high) == (1.0, 1.0)
    assert lines.perturbed(share, -0.15).low == pytest.approx(0.75)
    assert lines.perturbed(many, 0.15).low == pytest.approx(1.25)


def test_a_text_without_the_sample_is_refused(tmp_path):
    for name in ("beyond-lines", "beyond-lines-markup", "beyond-languages"):
        with pytest.raises(WorkbenchError, match=r"reads files that are not in .*; give their folder as --data DIR"):
            run_experiment(name, tmp_path)


def test_each_language_has_its_rows_and_their_means(tmp_path, monkeypatch):
    (tmp_path / "ud").mkdir()
    for file in [file for language in languages.LANGUAGES[:2] for file in language.files]:
        write_conllu(treebank(*UNIVERSAL * 5), tmp_path / file)
    for name in ("TOGETHER", "SECOND_ORDER"):
        monkeypatch.setattr(languages, name, replace(SHORT, tags="upos", together=True))
    found = run_experiment("beyond-languages-learners", tmp_path, quick=True)["rows"]
    texts = ("Bulgarian", "German", "mean")
    assert [row["name"] for row in found[:6]] == [f"{text}, {kind}" for text in texts for kind in ("blind", "+ order")]
    left, right = found[0]["attach_left"], found[0]["attach_right"]
    assert (left, right) == (pytest.approx(100 * 1 / 10), pytest.approx(100 * 5 / 10))
    worse = {"attach_left": left, "attach_right": right, "crf": found[0]["crf"]}
    above = [name for name, value in worse.items() if value > found[0]["ours"]]
    assert found[0]["below"] == (", ".join(above) or "none")
    assert found[4]["ours"] == pytest.approx((found[0]["ours"] + found[2]["ours"]) / 2)


def test_every_language_answers_questions_that_there_are():
    names = ["Bulgarian", "German", "Spanish", "Japanese", "Dutch", "Turkish", "Chinese", "English"]
    assert [language.name for language in languages.LANGUAGES] == names
    assert all(order_constraints(language.order) for language in languages.LANGUAGES)


def test_parts_are_by_place():
    text = treebank(*UNIVERSAL * 5).without_punctuation()
    development = development_part(text)
    assert np.flatnonzero(development).tolist() == [4, 9]
    wrong = text.with_heads(np.where(np.repeat(development, text.lengths + 1), text.heads, 0))
    assert accuracy(text, wrong, development) == 100 and accuracy(text, wrong, ~development) == pytest.approx(20)


def test_words_stay_words_whatever_a_tagger_makes_of_them():
    text = treebank(*UNIVERSAL * 5)
    same, share = with_tags(text, cross_tagged(text, "upos"), "upos")
    assert share == 100 and same[0].upos[1:] == text[0].upos[1:]
    short = treebank("the/DET/2 cat/NOUN/0 ./PUNCT/2"), treebank("the/DET/2 cat/PUNCT/0 ./DET/2")
    kept, share = with_tags(*short, "upos")
    assert kept[0].upos[1:] == ("DET", "DET", "PUNCT") and share == 50  # of two words; the commonest tag


def test_word_lists_tag_closed_classes_and_frequent_words():
    tagged = by_hand(treebank(*UNIVERSAL), "english")
    assert tagged[0].upos[1:] == ("DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT")
