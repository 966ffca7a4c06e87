"""Parsing with consistency against enumeration of all trees and labels, on parsers made of random scores."""

from dataclasses import replace
from functools import partial
from itertools import chain, repeat

import numpy as np
import pytest

from core.consistency import ConsistencySettings, ContextIndex, parse_consistently
from core.consistency.first_pass import FirstPass
from core.consistency.parses import NO_CHAINS
from core.consistency.parsing import ParsingProblem
from core.consistency.surviving_parts import cube_value, surviving_grandparents, surviving_siblings, tree_value
from core.errors import Cancelled, WorkbenchError
from core.parsers.scores import ParserScores
from core.trees import PackedScores, SurvivingArcs, eisner_grandparent, eisner_sibling
from core.trees.surviving_chart import DecodedTrees, SurvivingSentences, decode_sentences
from tests.consistency.banks import bank, figure_1
from tests.consistency.problems import SETTINGS, Listed, RandomParser, best, parsed, scaled, small_texts
from tests.oracles.higher_order import tree_values


@pytest.mark.parametrize("prune", [None, 0.5, 0.9])
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("close, scale", [(True, 1.0), (False, 1.0), (True, 0.3)])
def test_what_is_certified_is_the_best_of_all_trees_and_labels(seed, order, prune, close, scale):
    settings = scaled(scale, prune=prune, release=False, presolve=close)
    result = parsed(seed, settings, order)
    value, _ = best(seed, settings, order)
    assert result.bound >= value - 1e-9 or not result.pruned_exactly
    for record in result.trace:
        assert record.primal <= value + 1e-9 and record.dual >= record.primal - 1e-9
    assert result.dual.primal <= value + 1e-8
    if result.is_certified:
        assert result.primal == pytest.approx(value, abs=1e-8)
        trees = np.split(result.heads.values, result.heads.offsets[1:-1])
        assert Listed(seed, settings, order).value(trees) == pytest.approx(value, abs=1e-8)


def test_most_small_texts_are_certified_whole():
    assert sum(parsed(seed).is_certified for seed in range(6)) >= 4


def test_pruning_that_loses_the_best_tree_is_found_out_and_undone():
    """With nearly all arcs pruned and large deltas the joint optimum needs arcs that the first pass threw away."""
    settings, opened = replace(SETTINGS, prune=0.99, delta1=3.0, delta2=1.0, delta3=0.2, iterations=400), 0
    for seed in range(8):
        result = parsed(seed, settings)
        opened += len(result.opened)
        if result.is_certified:
            assert result.primal == pytest.approx(best(seed, settings)[0], abs=1e-8)
    assert opened > 0


@pytest.mark.parametrize("seed, order", [(0, 1), (2, 2), (9, 2), (24, 2)])
def test_what_is_certified_when_cancelled_is_not_what_pruning_left(seed, order):
    """Both solvers agree on trees of these texts that are not the best."""
    settings = replace(SETTINGS, prune=0.99, delta1=1.5, delta2=0.5, delta3=0.2)
    _, heads = best(seed, settings, order)
    for asked in (3, 6, 15, 20):
        part = parsed(seed, settings, order, cancel=chain([False] * asked, repeat(True)).__next__)
        assert part.status == "cancelled"
        for sentence in np.flatnonzero(part.certified).tolist():
            assert part.heads[sentence].tolist()[1:] == list(heads[sentence])[1:]


def test_unconstrained_sentences_keep_the_parsers_trees():
    train, test = bank("a/NN/2 b/VB/0"), bank("a/NN b/VB", "c/QQ d/QQ e/QQ", "g/NN h/VB i/NN j/VB")
    parser, settings = RandomParser(2), replace(SETTINGS, width=2, threshold=1.0)
    result = parse_consistently(parser, train, test, settings)
    alone = parser.score(test).decode()
    assert result.base_heads.values.tolist() == alone.values.tolist()
    contexts = np.split(result.contexts.test_contexts, test.offsets[1:-1])
    free = [sentence for sentence in range(3) if (contexts[sentence] < 0).all()]
    assert free and all(result.heads[sentence].tolist() == alone[sentence].tolist() for sentence in free)
    result = parse_consistently(parser, train, test, replace(settings, delta1=0, delta2=0, delta3=0))
    assert result.heads.values.tolist() == alone.values.tolist() and result.is_certified


def head_margin(word, trees, values):
    """By how much the best tree of a sentence beats the best of those in which the word has another head."""
    best = sorted(values[trees[:, word] == head].max() for head in np.unique(trees[:, word]))
    return best[-1] - best[-2]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_deltas_in_margins_are_deltas_in_scores_times_the_mean_margin(order):
    seed, margins = 5, []
    for tables in Listed(seed, SETTINGS, order).scores:
        words = range(1, len(tables[0]))
        if len(words) > 1:  # a word alone has one head
            margins += [head_margin(word, *tree_values(*tables)) for word in words]
    assert 2 in small_texts(seed)[1].lengths
    in_margins = parsed(seed, replace(SETTINGS, unit="margin"), order)
    in_scores = parsed(seed, scaled(np.mean(margins)), order)
    assert in_margins.primal == pytest.approx(in_scores.primal, abs=1e-9)
    assert [record.dual for record in in_margins.trace] == pytest.approx([record.dual for record in in_scores.trace])


class FigureParser:
    """A parser that is right about the second sentence of Figure 1 and torn about the first."""

    def score(self, treebank):
        tables = []
        for sentence in treebank:
            table = np.zeros((len(sentence) + 1,) * 2)
            heads = [-1, 4, 4, 4, 0] if len(sentence) == 4 else [-1, 2, 0, 5, 5, 2]
            table[heads[1:], np.arange(1, len(heads))] = 2.0
            if len(sentence) == 4:
                table[3, 1:3] = 1.9, 1.8  # "the shy" on "girls": nearly as good as on "laughed"
            tables.append(table)
        return ParserScores(PackedScores.from_matrices(tables))


def test_figure_1_of_rush2012():
    """JJ after DT modifies a noun in training and in one test sentence; the other test sentence falls in line."""
    train, test = figure_1()
    settings = ConsistencySettings(
        minimum_count=1, width=2, prefer_inside=False, delta1=1.0, delta2=0.5, delta3=0.1, unit="score"
    )
    index = ContextIndex(train, test)
    result = parse_consistently(FigureParser(), train, test, settings, index=index)
    assert result.base_heads[0][2] == 4 and result.heads[0][2] == 3
    assert result.heads[1].tolist() == result.base_heads[1].tolist() == [-1, 2, 0, 5, 5, 2]
    assert result.is_certified and result.status == "agreed"
    effect = next(effect for effect in result.effects() if effect.name == "DT *JJ*")
    (change,) = effect.changes
    assert (effect.label, effect.size) == ("NN", 2)
    assert (change.sentence, change.word, change.before, change.after) == (0, 2, 4, 3)
    effect = next(effect for effect in result.effects(test) if effect.name == "DT *JJ*")
    assert (effect.corrected, effect.harmed, effect.net, effect.changes[0].gold) == (1, 0, 1, 3)
    weak = replace(settings, delta1=0.1, delta2=0.05, delta3=0.01)
    result = parse_consistently(FigureParser(), train, test, weak, index=index)
    assert result.heads[0][2] == 4  # two bonuses for a close tag come to 0.1, less than 0.3


LONG = replace(SETTINGS, delta1=2.0, iterations=20, release_iterations=5)


def same_end(result, whole):
    assert result.heads.values.tolist() == whole.heads.values.tolist()
    assert (result.primal, result.bound, result.status) == (whole.primal, whole.bound, whole.status)
    assert [record.dual for record in result.trace] == [record.dual for record in whole.trace]


def test_lazy_equals_eager_and_resumed_equals_whole(tmp_path):
    whole, eager = parsed(3, LONG), parsed(3, ConsistencySettings(**LONG.as_dict() | {"lazy": False}))
    assert eager.heads.values.tolist() == whole.heads.values.tolist()
    assert [record.dual for record in eager.trace] == [record.dual for record in whole.trace]
    for stop in range(1, len(whole.trace)):
        answers = iter([False] * (stop + 1))
        part = parsed(3, LONG, cancel=lambda answers=answers: next(answers, True))
        assert part.status == "cancelled"
        part.save(tmp_path / "run.npz")
        same_end(parsed(3, LONG, resume=tmp_path / "run.npz"), whole)


def test_what_a_checkpoint_was_given_leads_to_the_same_end(tmp_path):
    def keep(state, opened):
        state.save(tmp_path / f"{state.iteration}.npz", opened=opened)

    whole = parsed(3, LONG, checkpoint=keep)
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == len(whole.trace) > 3
    for path in kept:
        same_end(parsed(3, LONG, resume=path), whole)


def test_cancelling():
    def cancelled(*answers):
        return parse_consistently(RandomParser(), *small_texts(1), SETTINGS, cancel=partial(next, iter(answers)))

    with pytest.raises(Cancelled, match="first pass"):
        cancelled(True)
    with pytest.raises(Cancelled, match="while settling what is sure before the search; there is no answer yet"):
        cancelled(False, True)
    result = cancelled(False, False, True, True)
    assert result.status == "cancelled" and not result.pruned_exactly and len(result.trace) == 0
    assert result.heads.values.tolist() == result.base_heads.values.tolist()
    assert not result.certified[1:].all()


def test_closed_sentences_are_parsed_as_the_search_would_parse_them():
    """With small bonuses most sentences are closed beforehand; the answer is that of the whole search."""
    settings, closed = replace(SETTINGS, delta1=0.3, delta2=0.15, delta3=0.1, step=0.1), 0
    for seed in range(12):
        short, long = parsed(seed, settings), parsed(seed, replace(settings, presolve=False))
        assert set(short.rows) <= set(long.rows)
        closed += len(long.rows) - len(short.rows)
        if short.is_certified and long.is_certified:
            assert short.primal == pytest.approx(long.primal)
            assert short.labels.tolist() == long.labels.tolist()
    assert closed > 0


def test_crossing_trees_are_parsed_without_pruning():
    result = parse_consistently(RandomParser(projective=False), *small_texts(2), SETTINGS)
    assert result.pruned_exactly and result.status in ("agreed", "certified")


def test_a_single_sentence_is_enough():
    result = parse_consistently(RandomParser(), small_texts(0)[0], bank("a/NN b/VB c/NN"), SETTINGS)
    assert len(result.heads) == 1 and result.statistics()["sentences"] == 1


def test_parts_between_living_arcs_score_trees_as_arrays_do():
    random = np.random.default_rng(5)
    for n in range(1, 6):
        scores, siblings, grandparents = (random.normal(size=(n + 1,) * power) for power in (2, 3, 3))
        everything = np.ones((n + 1, n + 1), dtype=bool)
        listed, values = tree_values(scores, siblings, grandparents)
        for heads, value in zip(listed, values, strict=True):
            active = np.zeros((n + 1, n + 1), dtype=bool)
            active[heads[1:], np.arange(1, n + 1)] = True
            for living in (active, everything):
                parts = (*surviving_siblings(living, siblings), *surviving_grandparents(living, grandparents))
                assert tree_value(np.array(heads, np.int32), scores, *parts) == pytest.approx(value)
            assert cube_value(heads, scores, siblings, grandparents) == pytest.approx(value)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("seed", range(30))
def test_listed_parts_decode_as_cubes_do(seed, order):
    """The best living tree, its value and how ties go, from lists of parts in the order of ``SurvivingArcs``."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 6))
    scores, cube, chains = (random.normal(size=(n + 1,) * power) for power in (2, 3, 3))
    if seed % 3 == 0:
        scores, cube, chains = np.round(scores), np.round(cube), np.round(chains)
    scores[random.random(scores.shape) < 0.4] = -np.inf
    arcs = SurvivingArcs.of(scores)
    places, siblings = surviving_siblings(scores > -np.inf, cube)
    h, s, m = arcs.sibling_parts().T.astype(np.int64)
    assert places.tolist() == ((h * (n + 1) + m) * (n + 1) + s).tolist()
    places, grandparents = surviving_grandparents(scores > -np.inf, chains)
    g, h, m = arcs.grandparent_parts().T.astype(np.int64)
    assert places.tolist() == ((h * (n + 1) + m) * (n + 1) + g).tolist()
    upper = (grandparents, arcs.grandparent_offsets) if order == 3 else NO_CHAINS
    cubes = (cube, chains)[: order - 1]
    trees = DecodedTrees(np.array([0, n + 1]), np.full(n + 1, -7, dtype=np.int32), np.empty(1))
    graph = arcs.heads, arcs.modifiers, arcs.offsets
    corpus = SurvivingSentences(
        scores.reshape(-1), np.array([0, scores.size]), *graph, siblings, arcs.sibling_offsets, *upper
    )  # fmt: skip
    unfit = decode_sentences(np.array([0]), corpus, True, trees)
    listed, totals = tree_values(scores, *cubes)
    assert trees.values[0] == pytest.approx(totals.max())
    assert (unfit == 0) == (totals.max() == -np.inf)
    if unfit < 0:
        assert cube_value(trees.heads, scores, *cubes) == pytest.approx(totals.max())
        assert trees.heads.tolist() in listed.tolist()
        decode = {2: eisner_sibling, 3: eisner_grandparent}[order]
        assert trees.heads.tolist() == decode(scores, *cubes).tolist()
    else:
        assert trees.heads.tolist() == [-1] * (n + 1)


def test_few_sentences_are_scored_at_once(monkeypatch):
    whole = parsed(4)
    monkeypatch.setattr("core.consistency.first_pass.CUBE_NUMBERS", 100)
    again = parsed(4, replace(SETTINGS, prune=0.9))
    assert again.primal == pytest.approx(whole.primal) or not again.is_certified


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"threshold": 1.5}, "a share from 0 to 1, got 1.5"),
        ({"minimum_count": 0}, "1 or more, got 0"),
        ({"width": 5}, "1 to 4 words wide, got 5"),
        ({"unit": "nats"}, 'must be "margin" or "score"'),
        ({"observed": "none"}, 'observed must be "chosen" or "all"'),
        ({"prune": 1.0}, "prune must be from 0 to below 1"),
        ({"start": 1.5}, "start must be a share from 0 to 1, got 1.5"),
        ({"branches": -1}, "branches must be 0 or more, got -1"),
        ({"delta1": 0.01}, "delta1 >= delta2 >= delta3"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    with pytest.raises(WorkbenchError, match=message):
        ConsistencySettings(**changes)


def test_a_parser_without_scores_and_a_state_of_another_text_are_refused():
    with pytest.raises(WorkbenchError, match="gives no scores of arcs"):
        parse_consistently(object(), *small_texts(0), SETTINGS)
    with pytest.raises(WorkbenchError, match="shared decisions"):
        parsed(0, order=1, resume=(parsed(1, order=1).dual.state, ()))


def test_all_training_words_may_vote():
    train, test = small_texts(2)
    contexts = ContextIndex(train, test).select(SETTINGS.contexts)
    index, settings = contexts.index, replace(SETTINGS, observed="all", presolve=False)
    first_pass = FirstPass(RandomParser(), contexts, settings)
    nodes = ParsingProblem(first_pass, contexts, settings).first.nodes
    votes = np.add.reduceat(nodes.observed_counts, nodes.observed_offsets[:-1])
    assert votes.tolist() == index.count[contexts.types].tolist()
