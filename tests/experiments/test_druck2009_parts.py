"""The parts of the experiments on made-up text."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np

from core.constraints import parse_constraints
from core.evaluation import attachment_scores
from core.experiments.druck2009.figures import UNSUPERVISED, how_trained, long_settings
from core.experiments.druck2009.languages import LANGUAGES, matching_size, supervised_curve, touched_words
from core.experiments.druck2009.unsupervised import note, unsupervised_rows
from core.experiments.experiment import Environment
from core.parsers.dmv.contrastive import NEIGHBOURHOODS
from core.treebank import Treebank
from tests.filled import filled

NAMED = {"EM": "EM", "best schedule": "annealing", "worst schedule": "annealing"}
NAMED |= dict.fromkeys(("del1-or-trans1", "trans1"), "contrastive estimation")


def treebank_of(count):
    sentence = {"forms": list("abc"), "xpos": list("ABC"), "heads": [2, 0, 2]}
    return Treebank.from_sentences([sentence] * count)


def test_words_are_touched_by_candidates_and_named_by_edges():
    touched, named = touched_words(treebank_of(2), parse_constraints("A <- C = 0.5\nB -> C = 0.5"))
    assert touched.tolist() == [False, True, False, True] * 2
    assert named.tolist() == [False, False, False, True] * 2


def test_unsupervised_parsers_are_named_by_their_best_and_every_setting_is_listed():
    text, told = treebank_of(3), []
    env = Environment(Path("nowhere"), quick=True, say=told.append)
    chosen, each = unsupervised_rows(env, text, lambda parsed: {"ours": attachment_scores(text, parsed).uas})
    assert {which: row["method"] for which, row in chosen.items()} == NAMED
    assert {which for _, _, which, _ in UNSUPERVISED if which} == NAMED.keys()
    assert len(each) == len(told) == 5 and all(0 <= row["ours"] <= 100 for row in filled(each))
    assert chosen["best schedule"]["ours"] >= chosen["worst schedule"]["ours"]
    assert all(chosen[name]["setting"].startswith(f"{name},") for name in filled(NEIGHBOURHOODS))
    assert "variance 0.1." in note(True) and "variance 0.1, 1.0, 10.0." in note(False)


def test_the_curve_stops_where_it_reaches_the_goal():
    train, test = treebank_of(40), treebank_of(5)
    scoring = {"score": lambda parsed: attachment_scores(test, parsed).uas, "say": lambda text: None}
    column = SimpleNamespace(name="made up", train=train, test=test, tags=None, **scoring)
    assert supervised_curve(column, 99.0, quick=True) == [(10, 100.0)]
    sizes = [size for size, _ in supervised_curve(column, 101.0, quick=True)]
    assert sizes == [10, 20, 40]


def test_sizes_are_named_as_in_the_paper():
    curve = [(10, 50.0), (20, 60.0), (40, 70.0)]
    names = [matching_size(curve, goal) for goal in (40.0, 55.0, 60.0, 65.0, 80.0)]
    assert names == ["<10", "10-20", "10-20", "20-40", ">40"]


def test_thresholds_shrink_with_the_text_and_never_grow():
    dutch = LANGUAGES[0]
    assert dutch.scaled(100, dutch.paper_words // 4) == 24
    assert dutch.scaled(100, 10 * dutch.paper_words) == 100
    assert np.all([language.tags in ("xpos", "upos") for language in LANGUAGES])


def test_training_is_projective_where_crossing_arcs_are_rare():
    crossing = Treebank.from_sentences([{"forms": list("abcd"), "xpos": list("ABCD"), "heads": [3, 0, 2, 2]}])
    rare = Treebank.from_sentences(each.as_dict() for bank in (treebank_of(9), crossing) for each in bank)
    assert not long_settings(crossing)["best"].projective
    for treebank in (rare, rare.select([])):
        settings = long_settings(treebank, tags="xpos")
        assert settings["best"].projective and settings["best"].decoding == "posterior"
        assert settings["best"].tags == settings["paper"].tags == "xpos"
        assert not settings["paper"].projective and settings["paper"].decoding == "best"
    assert how_trained(long_settings(crossing)["best"]) == "all trees, posterior decoding"
