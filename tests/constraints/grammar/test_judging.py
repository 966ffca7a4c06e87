"""Constraints that known trees speak against: which are left out, what is reported of them, when all are kept."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.constraints.grammar.judging import FOLDS, TaughtParser, left_out_by, project_judged
from core.constraints.grammar.projected import ProjectedParser
from core.evaluation import attachment_scores
from core.parsers.universal.parser import UniversalParser
from core.treebank import load_sample

SETTINGS = GrammarSettings(tags="upos", lengths=(None,), iterations=(1,))
FALSE = "DET <- NOUN per modifier = 0.0..0.1 weight 20"
TRUE = "NOUN <- VERB per modifier = 0.3..0.6 weight 1"


@pytest.fixture(scope="module")
def trees():
    return load_sample().max_length(12).limit(60)


@pytest.fixture(scope="module")
def parser(trees):
    return UniversalParser.load().for_text(trees).with_cache()


@pytest.fixture(scope="module")
def taught(parser, trees):
    return TaughtParser(parser, trees.limit(25))


def test_a_false_constraint_is_left_out_and_a_true_one_stays(trees, taught):
    result = train_grammar(trees, parse_constraints(f"{FALSE}\n{TRUE}"), SETTINGS, prior=taught)
    (group,) = result.left_out
    assert [constraint.text for constraint in group.constraints] == [FALSE]
    assert group.gain > group.error >= 0 and group.gain > 5
    assert [constraint.weight for constraint in result.constraints] == [0.0, 1.0]
    assert result.multipliers[0] == 0 and len(result.expectations) == 2
    alone = train_grammar(trees, parse_constraints(TRUE), SETTINGS, prior=taught)
    assert alone.left_out == () and alone.multipliers[0] == pytest.approx(result.multipliers[1], abs=0.01)
    assert (alone.model.parse(trees).heads == result.model.parse(trees).heads).mean() > 0.99


def test_gains_are_means_over_folds_that_the_parser_has_not_learnt(trees, parser, taught):
    lines = parse_constraints(FALSE)
    settings = replace(SETTINGS, keep_all=True)
    kept = project_judged(trees, lines, settings, taught)
    assert kept.left_out == () and kept.multipliers[0] < -1
    (group,) = left_out_by(kept.model, taught)
    gains, numbers, words = [], np.arange(25) % FOLDS, 0
    for fold in range(FOLDS):
        learnt, others = (taught.trees.select(np.flatnonzero(some)) for some in (numbers != fold, numbers == fold))
        below = parser.adapted(learnt)
        model = ProjectedParser(below, kept.constraints, kept.multipliers, "upos")
        with_line, without = (
            attachment_scores(others, each.parse(others), punctuation=False) for each in (model, below)
        )
        gains.append(round((without.uas - with_line.uas) * without.words / 100))
        words += without.words
    assert group.gain == pytest.approx(100 * sum(gains) / words)
    assert group.error == pytest.approx(100 * FOLDS * np.std(gains, ddof=1) / np.sqrt(FOLDS) / words)
    assert np.mean(gains) > np.std(gains, ddof=1) / np.sqrt(FOLDS)


def test_constraints_that_harm_only_together_are_left_out_together(parser, taught):
    twice = parse_constraints(f"{FALSE}\nDET <- NOUN dist 1..9 per modifier = 0.0..0.1")
    model = ProjectedParser(parser, twice, np.array([-15.0, -15.0]), "upos")
    (group,) = left_out_by(model, taught)
    assert group.constraints == tuple(twice)
    assert left_out_by(model.unconstrained(), taught) == ()


def test_few_trees_judge_nothing(trees, parser):
    few = TaughtParser(parser, trees.limit(FOLDS - 1))
    result = train_grammar(trees, parse_constraints(FALSE), SETTINGS, prior=few)
    assert result.left_out == () and result.multipliers[0] < -1
