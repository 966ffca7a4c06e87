"""Random sentences, scores and rules, all of whose labelled trees can be listed."""

from types import SimpleNamespace

import numpy as np

from core.errors import WorkbenchError
from core.parsers.scores import LabelledScores
from core.rules.checking import RuleWords
from core.trees import eisner, maximum_spanning_tree
from tests.oracles import rules as oracle
from tests.oracles.trees import trees

TAGS, RELATIONS = ("N", "V", "D"), ("a", "b", "b:x")
SIZES = [(2, 3), (3, 3), (4, 3), (5, 2)]  # words, relations


def random_test(draws, relations, chance):
    def some(values):
        return sorted(draws.sample(values, draws.randint(1, 2)))

    names = [name for name in relations if ":" not in name]
    test = {"relations": sorted(draws.sample(names, draws.randint(1, len(names))))} if draws.random() < chance else {}
    test |= {"tags": some(TAGS)} if draws.random() < 0.5 else {}
    test |= {"not": some(TAGS)} if draws.random() < 0.1 else {}
    return test | ({"under": some(TAGS)} if draws.random() < 0.2 else {})


def random_rule(draws, relations):
    if draws.random() < 0.3:
        word, head = random_test(draws, relations, 0.4), random_test(draws, relations, 0)
        rule = {"word": word, "head": head, "side": draws.choice(["", "", "after", "before"])}
        return rule | ({"within": draws.randint(1, 3)} if draws.random() < 0.4 else {})
    low, high = draws.choice([(0, 0), (0, 1), (0, 1), (1, 1), (1, None), (2, None)])
    rule = {"word": "ROOT" if draws.random() < 0.1 else random_test(draws, relations, 0.3), "low": low, "high": high}
    rule |= {"dependent": random_test(draws, relations, 0.7)}
    rule |= {"except": [random_test(draws, relations, 0.7)]} if draws.random() < 0.3 else {}
    return rule | ({"given": random_test(draws, relations, 0.8)} if draws.random() < 0.3 else {})


def random_problem(draws, words, count, projective):
    """(tags, rules as plain data, RuleWords, LabelledScores) of a random sentence."""
    relations, tags = RELATIONS[:count], ["ROOT", *draws.choices(TAGS, k=words)]
    numbers = np.random.default_rng(draws.randrange(1 << 30))
    arcs = numbers.normal(size=(words + 1, words + 1))
    labels = numbers.normal(size=(words + 1, words + 1, count))
    labels[0, :, 1:] = -np.inf
    rules = [random_rule(draws, relations) for _ in range(draws.randint(1, 3))]
    columns = {name: ["", *tags[1:]] for name in ("forms", "lemmas", "upos", "xpos", "feats")}
    decoder = eisner if projective else maximum_spanning_tree

    def decode(matrix):
        usable = matrix[:, 1:].max(axis=0)
        if not np.isfinite(usable).all():
            return -np.inf, np.zeros(words + 1, np.int32)
        try:
            heads = decoder(matrix)
        except WorkbenchError:
            return -np.inf, np.zeros(words + 1, np.int32)
        return matrix[heads[1:], np.arange(1, words + 1)].sum(), heads

    return tags, rules, RuleWords(SimpleNamespace(**columns)), LabelledScores(arcs, labels, relations, decode)


def every_tree(scores, words, projective):
    def allowed(head, word):
        return [name for k, name in enumerate(scores.names) if scores.labels[head, word, k] > -np.inf]

    return list(oracle.labelled_trees(trees(words, projective=projective), allowed))


def value_of(scores, heads, relations):
    best = scores.labels.max(axis=2)
    return sum(
        scores.arcs[head, word] + scores.labels[head, word, scores.names.index(name)] - best[head, word]
        for word, (head, name) in enumerate(zip(heads, relations, strict=True))
        if word
    )


def less_prices(scores, tags, rules, prices):
    """worth(heads, relations) -> the value of a tree less the prices of its breaches; ``rules`` are (rule, as data)."""
    pairs = list(rules)

    def worth(heads, relations):
        broken = sum(prices[rule] * len(oracle.breaches(plain, tags, heads, relations)) for rule, plain in pairs)
        return value_of(scores, heads, relations) - broken

    return worth
