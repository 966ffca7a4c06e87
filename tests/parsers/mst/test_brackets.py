"""Parsing under brackets against all trees: each order, level, one and two brackets; weights of sentences."""

from itertools import combinations

import numpy as np
import pytest

from core.errors import InfeasibleError, WorkbenchError
from core.parsers import MSTParser
from core.treebank import Treebank
from core.trees import eisner, satisfies
from core.trees.bracket_search import best_bracketed
from core.trees.brackets import LEVELS, Bracket
from tests.filled import filled
from tests.oracles import brackets as oracle
from tests.oracles import trees
from tests.oracles.higher_order import tree_value

TAGS = ["DNVDN", "NVN", "DNV", "VDN", "NVDNN"]
HEADS = [[2, 3, 0, 5, 3], [2, 0, 2], [2, 3, 0], [0, 3, 1], [2, 0, 5, 5, 2]]
MODELS = {
    "arcs": {"order": 1},
    "crossing arcs": {"order": 1, "projective": False},
    "siblings": {"order": 2},
    "grandparents": {"order": 2, "grandparents": True},
}


def text(rows=TAGS, heads=HEADS):
    return Treebank.from_sentences(
        {"forms": list(tags.lower()), "xpos": list(tags), "heads": tree} for tags, tree in zip(rows, heads, strict=True)
    )


@pytest.fixture(scope="module", params=MODELS)
def parser(request):
    return MSTParser(**MODELS[request.param], bits=10, labels=False).fit(text(), epochs=1)


def best(parser, scores, i, spans, level):
    """(values of all trees at the hardest level with one, that level's number, trees) by looking at every tree."""
    whole = trees.trees(len(scores.arcs[i]) - 1, True, parser.projective)
    number = LEVELS.index(level)
    while not len(listed := oracle.keep(whole, spans, LEVELS[number])):
        number -= 1
    cubes = [None if packed is None else packed[i] for packed in (scores.siblings, scores.grandparents)]
    return [tree_value(heads, scores.arcs[i], *cubes) for heads in listed], number, listed


@pytest.mark.parametrize("level", LEVELS)
def test_trees_under_brackets_are_the_best_of_all(parser, level):
    random = np.random.default_rng(5)
    rows = ["".join(random.choice(list("DNV"), n)) for n in (2, 3, 4, 5, 5) for _ in range(8)]
    brackets = []
    for tags in rows:
        found = oracle.all_brackets(len(tags))
        pairs = [*((span,) for span in found), *combinations(found, 2)]
        brackets.append([Bracket(*span) for span in pairs[random.integers(len(pairs))]])
    treebank = text(rows, [[-1] * len(tags) for tags in rows])
    parsed, scores = parser.parse_bracketed(treebank, brackets, level), parser.score(treebank)
    plain = parser.parse(treebank)
    for i, found in enumerate(filled(brackets)):
        heads = parsed.treebank[i].heads
        spans = [(one.start, one.end) for one in found]
        values, number, listed = best(parser, scores, i, spans, level)
        assert parsed.levels[i] == number
        assert np.array(values)[(listed == heads).all(axis=1)] == pytest.approx(max(values))
    broken = [not all(satisfies(plain[i].heads, one, level) for one in found) for i, found in enumerate(brackets)]
    assert parsed.changed == sum(broken)
    assert sum(parsed.fallbacks.values()) == len(rows) and next(iter(parsed.fallbacks)) == level


def test_a_search_that_takes_too_long_or_has_no_tree_says_so():
    def decode(scores):
        heads = eisner(scores, errors="mark")
        return (scores[heads[1:], np.arange(1, 5)].sum() if heads[1] >= 0 else -np.inf), heads

    scores = np.random.default_rng(0).normal(size=(5, 5))
    with pytest.raises(InfeasibleError, match="no tree satisfies the sentence's brackets at level strict"):
        best_bracketed(decode, scores, [Bracket(1, 3), Bracket(2, 4)], "strict")
    scores[:, 1:] = 0.0
    scores[0, 1:] = [9, 0, 0, 0]
    scores[1, 4], scores[1, 3], scores[4, 3] = 9, 9, 8
    with pytest.raises(WorkbenchError, match="the brackets take more than 1 decodings at level loose"):
        best_bracketed(decode, scores, [Bracket(3, 5)], "loose", most=1)


def test_sentences_of_no_weight_are_not_learnt_from():
    one, both = text(TAGS[1:2], HEADS[1:2]), text(["NVN", "NVN"], [[2, 0, 2], [2, 3, 0]])
    options = {"order": 1, "bits": 8, "labels": False}
    alone = MSTParser(**options, minimum_count=1).fit(one, epochs=2)
    weighed = MSTParser(**options, minimum_count=1).fit(both, epochs=2, sentence_weights=[1, 0])
    assert weighed.parse(one)[0].heads.tolist() == alone.parse(one)[0].heads.tolist() == [-1, 2, 0, 2]
    for weights in ([1], [1, -1], [1, np.nan]):
        with pytest.raises(WorkbenchError, match="sentence weights must be 2 numbers of at least 0"):
            MSTParser(**options).fit(both, sentence_weights=weights)
