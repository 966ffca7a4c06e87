"""Parsing with consistency against enumeration of all trees and labels, on parsers made of random scores."""

import numpy as np
import pytest

from core.consistency import ConsistencySettings, ContextIndex, parse_consistently
from core.consistency.first_pass import FirstPass
from core.consistency.mrf import Deltas
from core.consistency.parses import NO_CHAINS
from core.consistency.parsing import ParsingProblem
from core.consistency.parts import cube_value, surviving_grandparents, surviving_siblings, tree_value
from core.decomposition import DualState
from core.errors import Cancelled, WorkbenchError
from core.parsers.mst.scores import ParserScores
from core.trees import PackedScores, PackedTriples, SurvivingArcs, eisner_grandparent, eisner_sibling
from core.trees.surviving_chart import Corpus, Trees, decode_sentences
from tests.consistency.banks import bank, figure_1
from tests.oracles.consistency import joint_value
from tests.oracles.higher_order import tree_values
from tests.oracles.trees import trees

SETTINGS = ConsistencySettings(threshold=0.5, minimum_count=1, delta1=0.9, delta2=0.4, delta3=0.3, unit="score")


class RandomParser:
    """Scores drawn at random by sentence length, number and order; ``spread`` is their deviation."""

    def __init__(self, order=1, seed=0, spread=1.0, projective=True):
        self.order, self.seed, self.spread, self.projective = order, seed, spread, projective
        self.calls = 0

    def score(self, treebank):
        self.calls += 1
        drawn = [[], [], []]
        for sentence in treebank:
            code = [self.seed, len(sentence), *(ord(form[0]) for form in sentence.forms[1:])]
            random, side = np.random.default_rng(code), len(sentence) + 1
            for power, tables in zip((2, 3, 3), drawn, strict=True):
                tables.append(self.spread * random.normal(size=(side,) * power))
        cubes = [PackedTriples.from_arrays(tables) for tables in drawn[1:]]
        cubes = [cube if power < self.order else None for power, cube in enumerate(cubes, start=1)]
        return ParserScores(PackedScores.from_matrices(drawn[0]), *cubes, projective=self.projective)


def small_texts(seed):
    """A training text and three test sentences of up to four words over three tags."""
    random = np.random.default_rng(seed)

    def sentence(n, trees_too):
        tags = random.choice(["NN", "NNS", "VB"], n)
        listed = trees(n, True, True)
        heads = listed[random.integers(len(listed))]
        forms = random.permutation(list("abcdefghij"))[:n]
        tail = [f"/{heads[k + 1]}" if trees_too else "" for k in range(n)]
        return " ".join(f"{form}/{tag}{end}" for form, tag, end in zip(forms, tags, tail, strict=True))

    train = bank(*(sentence(int(n), True) for n in random.integers(1, 5, 4)))
    test = bank("k/NN", *(sentence(int(n), False) for n in random.integers(2, 5, 3)))
    return train, test


def oracle(parser, contexts, test, settings):
    """(value, heads) of the best joint solution, by listing."""
    scored, index = parser.score(test), contexts.index
    sentences, found = [], []
    for number in range(len(test)):
        rows = slice(test.offsets[number], test.offsets[number + 1])
        cubes = [None if cube is None else cube[number] for cube in (scored.siblings, scored.grandparents)]
        sentences.append((scored.arcs[number], *cubes, index.test_labels[rows]))
        found.append(contexts.test_contexts[rows])
    observed = []
    for context in range(len(contexts)):
        observed.append(index.train_heads[contexts.train_contexts == context].tolist())
    classes, deltas = index.labels.classes, (settings.delta1, settings.delta2, settings.delta3)
    return joint_value(sentences, found, observed, len(classes), deltas, lambda a, b: classes[a] == classes[b])


@pytest.mark.parametrize("prune", [None, 0.5, 0.9])
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("close, scale", [(True, 1.0), (False, 1.0), (True, 0.3)])
def test_what_is_certified_is_the_best_of_all_trees_and_labels(seed, order, prune, close, scale):
    train, test = small_texts(seed)
    parser = RandomParser(order, seed)
    changed = {name: scale * getattr(SETTINGS, name) for name in ("delta1", "delta2", "delta3", "step")}
    changed |= {"prune": prune, "release": False, "close": close}
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), **changed})
    result = parse_consistently(parser, train, test, settings)
    value, heads = oracle(parser, result.contexts, test, settings)
    assert result.bound >= value - 1e-9 or not result.pruned_exactly
    for record in result.trace:
        assert record.primal <= value + 1e-9 and record.dual >= record.primal - 1e-9
    if result.is_certified:
        assert result.primal == pytest.approx(value, abs=1e-8)
        joined = np.concatenate(heads)
        assert result.primal == pytest.approx(_joint(parser, result, settings, test), abs=1e-8)
        assert (result.heads.values == joined).all() or _joint(parser, result, settings, test) >= value - 1e-8
    assert result.dual.primal <= value + 1e-8


def _joint(parser, result, settings, test):
    """The joint value of the result's own trees."""
    scored, index, total = parser.score(test), result.contexts.index, 0.0
    for number in range(len(test)):
        cubes = [None if cube is None else cube[number] for cube in (scored.siblings, scored.grandparents)]
        total += cube_value(result.heads[number], scored.arcs[number], *cubes)
    votes = result.contexts.votes(result.heads)
    classes = index.labels.classes
    for row in votes:
        same, close = (
            row * settings.delta1,
            [(row * (classes == kind)).sum() - n for kind, n in zip(classes, row, strict=True)],
        )
        total += max(settings.delta3 * row.sum(), (same + settings.delta2 * np.array(close)).max())
    return total


def test_most_small_texts_are_certified_whole():
    outcomes = [parse_consistently(RandomParser(2, s), *small_texts(s), SETTINGS).is_certified for s in range(6)]
    assert sum(outcomes) >= 4


def test_pruning_that_loses_the_best_tree_is_found_out_and_undone():
    """With nearly all arcs pruned and large deltas the joint optimum needs arcs that the first pass threw away."""
    opened = 0
    for seed in range(8):
        train, test = small_texts(seed)
        parser = RandomParser(2, seed)
        changed = {"prune": 0.99, "delta1": 3.0, "delta2": 1.0, "delta3": 0.2, "iterations": 400}
        settings = ConsistencySettings(**{**SETTINGS.as_dict(), **changed})
        result = parse_consistently(parser, train, test, settings)
        opened += len(result.opened)
        if result.is_certified:
            assert result.primal == pytest.approx(oracle(parser, result.contexts, test, settings)[0], abs=1e-8)
    assert opened > 0


def test_unconstrained_sentences_keep_the_parsers_trees():
    train = bank("a/NN/2 b/VB/0")
    test = bank("a/NN b/VB", "c/QQ d/QQ e/QQ", "g/NN h/VB i/NN j/VB")
    parser = RandomParser(2)
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), "width": 2, "threshold": 1.0})
    result = parse_consistently(parser, train, test, settings)
    alone = parser.score(test).decode()
    assert result.base_heads.values.tolist() == alone.values.tolist()
    free = [
        s for s in range(3) if not (result.contexts.test_contexts[test.offsets[s] : test.offsets[s + 1]] >= 0).any()
    ]
    for sentence in free:
        assert result.heads[sentence].tolist() == alone[sentence].tolist()
    nothing = ConsistencySettings(**{**SETTINGS.as_dict(), "delta1": 0, "delta2": 0, "delta3": 0})
    result = parse_consistently(parser, train, test, nothing)
    assert result.heads.values.tolist() == alone.values.tolist() and result.is_certified


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
    assert (effect.label, effect.size, [(c.sentence, c.word, c.before, c.after) for c in effect.changes]) == (
        "NN",
        2,
        [(0, 2, 4, 3)],
    )
    weak = ConsistencySettings(**{**settings.as_dict(), "delta1": 0.1, "delta2": 0.05, "delta3": 0.01})
    result = parse_consistently(FigureParser(), train, test, weak, index=index)
    assert result.heads[0][2] == 4  # two bonuses for a close tag come to 0.1, less than 0.3


def test_gold_trees_rank_effects():
    train, test = figure_1()
    gold = test.with_heads(test.heads)
    settings = ConsistencySettings(
        minimum_count=1, width=2, prefer_inside=False, delta1=1.0, delta2=0.5, delta3=0.1, unit="score"
    )
    result = parse_consistently(FigureParser(), train, test, settings)
    effect = next(effect for effect in result.effects(gold) if effect.name == "DT *JJ*")
    assert (effect.corrected, effect.harmed, effect.net, effect.changes[0].gold) == (1, 0, 1, 3)


def test_lazy_equals_eager_and_resumed_equals_whole(tmp_path):
    train, test = small_texts(3)
    parser = RandomParser(2, 3)
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), "delta1": 2.0, "iterations": 20, "release_iterations": 5})
    whole = parse_consistently(parser, train, test, settings)
    eager = parse_consistently(parser, train, test, ConsistencySettings(**{**settings.as_dict(), "lazy": False}))
    assert eager.heads.values.tolist() == whole.heads.values.tolist()
    assert [record.dual for record in eager.trace] == [record.dual for record in whole.trace]
    for stop in range(1, len(whole.trace)):
        asked = iter(range(1000))
        part = parse_consistently(
            parser, train, test, settings, cancel=lambda asked=asked, stop=stop: next(asked) > stop
        )
        assert part.status == "cancelled"
        part.save(tmp_path / "run.npz")
        rest = parse_consistently(parser, train, test, settings, resume=tmp_path / "run.npz")
        assert rest.heads.values.tolist() == whole.heads.values.tolist()
        assert (rest.primal, rest.bound, rest.status) == (whole.primal, whole.bound, whole.status)
        assert [record.dual for record in rest.trace] == [record.dual for record in whole.trace]


def test_what_a_checkpoint_was_given_leads_to_the_same_end(tmp_path):
    train, test = small_texts(3)
    parser = RandomParser(2, 3)
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), "delta1": 2.0, "iterations": 20, "release_iterations": 5})

    def keep(state, opened):
        state.save(tmp_path / f"{state.iteration}.npz", opened=opened)

    whole = parse_consistently(parser, train, test, settings, checkpoint=keep)
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == len(whole.trace) > 3
    for path in kept:
        rest = parse_consistently(parser, train, test, settings, resume=path)
        assert rest.heads.values.tolist() == whole.heads.values.tolist()
        assert (rest.primal, rest.bound, rest.status) == (whole.primal, whole.bound, whole.status)
        assert [record.dual for record in rest.trace] == [record.dual for record in whole.trace]


def test_cancelling():
    train, test = small_texts(1)
    with pytest.raises(Cancelled, match="first pass"):
        parse_consistently(RandomParser(), train, test, SETTINGS, cancel=lambda: True)
    answers = iter([False, True])
    with pytest.raises(Cancelled, match="while settling what is sure before the search; there is no answer yet"):
        parse_consistently(RandomParser(), train, test, SETTINGS, cancel=lambda: next(answers))
    answers = iter([False, False, True, True])
    result = parse_consistently(RandomParser(), train, test, SETTINGS, cancel=lambda: next(answers))
    assert result.status == "cancelled" and not result.pruned_exactly and len(result.trace) == 0
    assert result.heads.values.tolist() == result.base_heads.values.tolist()
    assert not result.certified[1:].all()


def test_running_out_of_iterations_releases_sentences_or_stops_uncertified():
    for seed in range(40):
        train, test = small_texts(seed)
        changed = {**SETTINGS.as_dict(), "delta1": 3.0, "delta2": 0.0, "delta3": 0.0, "step": 3.0, "iterations": 1}
        changed["branches"] = 0
        parser = RandomParser(2, seed)
        stopped = parse_consistently(parser, train, test, ConsistencySettings(**{**changed, "release": False}))
        if stopped.status == "stopped":
            assert not stopped.is_certified and stopped.bound > stopped.primal
            settings = ConsistencySettings(**{**changed, "release_iterations": 1})
            result = parse_consistently(parser, train, test, settings)
            assert len(result.released) and not result.certified[result.released].any()
            assert result.statistics()["released_share"] > 0
            return
    raise AssertionError("every search ended at once")


def test_closed_sentences_are_parsed_as_the_search_would_parse_them():
    """With small bonuses most sentences are closed beforehand; the answer is that of the whole search."""
    closed = 0
    for seed in range(12):
        train, test = small_texts(seed)
        changed = {"delta1": 0.3, "delta2": 0.15, "delta3": 0.1, "step": 0.1}
        settings = ConsistencySettings(**{**SETTINGS.as_dict(), **changed})
        short = parse_consistently(RandomParser(2, seed), train, test, settings)
        whole = ConsistencySettings(**{**settings.as_dict(), "close": False})
        long = parse_consistently(RandomParser(2, seed), train, test, whole)
        assert set(short.rows) <= set(long.rows)
        closed += len(long.rows) - len(short.rows)
        if short.is_certified and long.is_certified:
            assert short.primal == pytest.approx(long.primal)
            assert short.labels.tolist() == long.labels.tolist()
    assert closed > 0


def test_crossing_trees_are_parsed_without_pruning():
    train, test = small_texts(2)
    result = parse_consistently(RandomParser(projective=False), train, test, SETTINGS)
    assert result.pruned_exactly and result.status in ("agreed", "certified")


def test_a_single_sentence_is_enough():
    train, _ = small_texts(0)
    result = parse_consistently(RandomParser(), train, bank("a/NN b/VB c/NN"), SETTINGS)
    assert len(result.heads) == 1 and result.statistics()["sentences"] == 1


def test_parts_between_living_arcs_score_trees_as_arrays_do():
    random = np.random.default_rng(5)
    for n in range(1, 6):
        scores, siblings, grandparents = (random.normal(size=(n + 1,) * power) for power in (2, 3, 3))
        everything = np.ones((n + 1, n + 1), dtype=bool)
        listed, values = tree_values(scores, siblings, grandparents)
        for heads, value in zip(listed, values, strict=True):
            alive = np.zeros((n + 1, n + 1), dtype=bool)
            alive[heads[1:], np.arange(1, n + 1)] = True
            for living in (alive, everything):
                parts = (*surviving_siblings(living, siblings), *surviving_grandparents(living, grandparents))
                assert tree_value(heads, scores, *parts) == pytest.approx(value)
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
    trees = Trees(np.array([0, n + 1]), np.full(n + 1, -7, dtype=np.int32), np.empty(1))
    graph = arcs.heads, arcs.modifiers, arcs.offsets
    corpus = Corpus(
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
    train, test = small_texts(4)
    whole = parse_consistently(RandomParser(2, 4), train, test, SETTINGS)
    monkeypatch.setattr("core.consistency.first_pass.CUBE_NUMBERS", 100)
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), "prune": 0.9})
    again = parse_consistently(RandomParser(2, 4), train, test, settings)
    assert again.primal == pytest.approx(whole.primal) or not again.is_certified


def test_bad_input():
    train, test = small_texts(0)
    with pytest.raises(WorkbenchError, match="gives no scores of arcs"):
        parse_consistently(object(), train, test, SETTINGS)
    with pytest.raises(WorkbenchError, match='must be "margin" or "score"'):
        ConsistencySettings(unit="nats")
    with pytest.raises(WorkbenchError, match='observed must be "chosen" or "all"'):
        ConsistencySettings(observed="none")
    with pytest.raises(WorkbenchError, match="prune must be from 0 to below 1"):
        ConsistencySettings(prune=1.0)
    with pytest.raises(WorkbenchError, match="branches must be 0 or more, got -1"):
        ConsistencySettings(branches=-1)
    with pytest.raises(WorkbenchError, match="delta1 >= delta2 >= delta3"):
        ConsistencySettings(delta1=0.01)
    with pytest.raises(WorkbenchError, match="shared decisions"):
        other = parse_consistently(RandomParser(), *small_texts(1), SETTINGS).dual.state
        parse_consistently(RandomParser(), train, test, SETTINGS, resume=(other, ()))


def test_all_training_words_may_vote():
    train, test = small_texts(2)
    chosen = parse_consistently(RandomParser(), train, test, SETTINGS)
    everything = ConsistencySettings(**{**SETTINGS.as_dict(), "observed": "all", "close": False})
    words, labels = chosen.contexts.test_contexts >= 0, chosen.contexts.index.test_labels
    first_pass = FirstPass(
        RandomParser(),
        test,
        labels,
        chosen.contexts.index.labels.classes,
        words,
        lambda margin: Deltas(1.0, 0.0, 0.0),
        close=False,
    )
    problem = ParsingProblem(first_pass, chosen.contexts, everything)
    votes = np.zeros(len(chosen.contexts))
    np.add.at(
        votes,
        np.repeat(np.arange(len(votes)), np.diff(problem.first.nodes.observed_offsets)),
        problem.first.nodes.observed_counts,
    )
    assert votes.tolist() == chosen.contexts.index.count[chosen.contexts.types].tolist()
    assert isinstance(chosen.dual.state, DualState)
