"""Consistency of contexts where the parser is one that reads words alone, constraints above it and brackets kept."""

from dataclasses import replace

import numpy as np
import pytest

from core.consistency import ConsistencySettings, parse_consistently
from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.parsers.scores import Held
from core.parsers.universal.parser import UniversalParser
from core.parsers.word_scorer import WordScorer
from core.treebank import load_sample
from core.trees import Bracket, satisfies
from tests.consistency.problems import SETTINGS, Listed, RandomParser, small_texts
from tests.parsers.universal.conftest import small_network

SOFT = ConsistencySettings(threshold=0.7, minimum_count=3, delta1=2.0, delta2=0.5, delta3=0.2)
LINES = parse_constraints("DET <- NOUN per modifier = 0.9..1.0 weight 2\nADP -> NOUN per modifier = 0.75")


class Bracketed(RandomParser):
    """A parser of random scores whose sentences of more than two words keep a bracket."""

    def score(self, treebank):
        found = [k for k in range(len(treebank)) if treebank.lengths[k] > 2]
        return replace(super().score(treebank), held={k: Held((Bracket(2, 4),), "strict") for k in found})


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("prune", [None, 0.9])
def test_what_is_certified_is_the_best_of_all_trees_that_keep_brackets(seed, prune):
    settings = replace(SETTINGS, prune=prune, release=False)
    train, test = small_texts(seed)
    result = parse_consistently(Bracketed(seed=seed), train, test, settings)

    def allowed(sentence, tree):
        return test.lengths[sentence] < 3 or satisfies(tree, Bracket(2, 4), "strict")

    value, _ = Listed(seed, settings, 1).best(allowed)
    assert all(allowed(k, result.heads[k]) and allowed(k, result.base_heads[k]) for k in range(len(test)))
    assert result.primal <= value + 1e-8
    if result.pruned_exactly:
        assert result.bound >= value - 1e-9
    if result.is_certified:
        assert result.primal == pytest.approx(value, abs=1e-8)


def test_brackets_matter_to_these_texts_and_most_are_certified():
    certified, turned = 0, 0
    for seed in range(12):
        result = parse_consistently(Bracketed(seed=seed), *small_texts(seed), SETTINGS)
        free = parse_consistently(RandomParser(seed=seed), *small_texts(seed), SETTINGS)
        certified += result.is_certified
        turned += result.base_heads.values.tolist() != free.base_heads.values.tolist()
    assert certified >= 8 and turned >= 4


@pytest.fixture(scope="module")
def texts():
    sample = load_sample().max_length(12)
    return sample.limit(40), sample.select(np.arange(40, 60))


@pytest.fixture(scope="module")
def model(texts):
    below = UniversalParser([small_network()], ("root", "nsubj", "obj", "case", "det")).for_text(texts[1])
    settings = GrammarSettings(tags="upos", lengths=(None,), iterations=(1,))
    return train_grammar(texts[1], LINES, settings, prior=below).model


def test_the_parser_alone_is_that_of_the_constraints_and_its_words_turn(texts, model):
    result = parse_consistently(WordScorer(model), *texts, SOFT)
    assert result.base_heads.values.tolist() == model.parse(texts[1]).heads.tolist()
    assert result.base_heads.values.tolist() != model.parser.parse(texts[1]).heads.tolist()
    turned = result.heads.values != result.base_heads.values
    assert turned.any() and result.statistics()["changed_words"] == int(turned.sum())
    nothing = replace(SOFT, delta1=0, delta2=0, delta3=0)
    kept = parse_consistently(WordScorer(model), *texts, nothing)
    assert kept.heads.values.tolist() == result.base_heads.values.tolist() and kept.is_certified


def test_brackets_are_kept_where_consistency_turns_words(texts, model):
    def brackets_of(part):
        return [[Bracket(2, int(length))] if length > 4 else [] for length in part.lengths]

    plain = parse_consistently(WordScorer(model), *texts, SOFT)
    result = parse_consistently(WordScorer(model, brackets_of, "loose"), *texts, SOFT)
    scorer = WordScorer(model, brackets_of, "loose").score(texts[1])
    assert len(scorer.held) > 5
    raw = result.dual.solution
    for number, held in scorer.held.items():
        rows = slice(*texts[1].offsets[number : number + 2])
        assert all(satisfies(raw[rows], bracket, held.level) for bracket in held.brackets)
    assert result.heads.values.tolist() != plain.heads.values.tolist()
    assert (result.heads.values != result.base_heads.values).any()
