"""The papers' figures as pictures: on the sample, with the points that the papers' texts state."""

import pytest

from core.__main__ import main
from core.experiments import EXPERIMENTS
from core.experiments.pictures import changed_trees, plotted
from tests.experiments.texts import UNIVERSAL, treebank

STATED = {
    "druck2009-figure1": ("10: 43.5", "20: 61.3", "30: 67", "14: 53.8", "20: 57.7", "supervised, full"),
    "druck2009-figure2": (
        "EM, the paper 43.2",
        "DEL1ORTRANS1, the paper 57.6",
        "DEL1ORTRANS2, the paper 51.2",
        "annealing, best, the paper 66.7",
        "annealing, worst, the paper 32.5",
        "; EM ",
    ),
    "druck2009-figure3": ("GE 20: ", "constraint baseline 20: "),
    "spitkovsky2010-figure1": ("at WSJ8 8: 4.32",),
    "rush2012-figure3": ("English 1: ", "an early iteration 1"),
    "rush2012-figure4": ("changes: dashed after, dotted before",),
}


def test_the_papers_figures_have_pictures():
    assert {each.name for each in EXPERIMENTS if each.has_picture and each.at_hand} == STATED.keys()


@pytest.mark.parametrize("name", STATED)
def test_each_is_drawn_with_what_the_paper_states(name, tmp_path, capsys):
    file = tmp_path / "figure.svg"
    assert main(["reproduce", name, "--quick", "--figure", str(file)]) == 0
    svg = file.read_text(encoding="utf-8")
    assert svg.startswith("<svg") and [words for words in STATED[name] if words not in svg] == []


def test_a_place_that_cannot_be_written_is_said_before_the_work(tmp_path, capsys):
    for place in (tmp_path / "nowhere" / "x.svg", tmp_path):
        assert main(["reproduce", "zhou2013-table1", "--quick", "--figure", str(place)]) == 2
        assert "zhou2013-table1 has no picture" in capsys.readouterr().err
        assert main(["reproduce", "rush2012-figure3", "--quick", "--figure", str(place)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and f"cannot write {place}: " in said and "choose another place" in said


def test_nothing_is_drawn_where_nothing_was_measured():
    assert plotted("a", "b", "c", [None]) is None
    assert changed_trees("a", []) is None


def test_trees_show_what_changed():
    sentence = treebank(UNIVERSAL[0])[0]
    after = sentence.heads.copy()
    after[1] = 3
    draw = changed_trees("Figure 4", [(sentence, sentence.heads, after)])
    assert draw is not None and "the dog saw a cat ." in draw("dark") and draw("light") != draw("dark")
