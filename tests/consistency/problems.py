"""Short texts and parsers of random scores, whose best joint answer is found by listing all trees and labels."""

from dataclasses import replace
from functools import cache

import numpy as np

from core.consistency import ConsistencySettings, ContextIndex, parse_consistently
from core.parsers.scores import ParserScores
from core.trees import PackedScores, PackedTriples
from tests.consistency.banks import bank
from tests.oracles.consistency import consensus_value, joint_value
from tests.oracles.higher_order import tree_value
from tests.oracles.trees import trees

SETTINGS = ConsistencySettings(threshold=0.5, minimum_count=1, delta1=0.9, delta2=0.4, delta3=0.3, unit="score")


def scaled(scale, settings=SETTINGS, **changes):
    """Settings with deltas and step times ``scale``."""
    names = ("delta1", "delta2", "delta3", "step")
    return replace(settings, **{name: scale * getattr(settings, name) for name in names} | changes)


class RandomParser:
    """Scores drawn at random by sentence length, number and order."""

    def __init__(self, order=1, seed=0, projective=True):
        self.order, self.seed, self.projective = order, seed, projective

    def score(self, treebank):
        drawn = [[], [], []]
        for sentence in treebank:
            code = [self.seed, len(sentence), *(ord(form[0]) for form in sentence.forms[1:])]
            random, side = np.random.default_rng(code), len(sentence) + 1
            for power, tables in zip((2, 3, 3), drawn, strict=True):
                tables.append(random.normal(size=(side,) * power))
        cubes = [PackedTriples.from_arrays(tables) for tables in drawn[1:]]
        cubes = [cube if power < self.order else None for power, cube in enumerate(cubes, start=1)]
        return ParserScores(PackedScores.from_matrices(drawn[0]), *cubes, projective=self.projective)


@cache
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


def parsed(seed, settings=SETTINGS, order=2, **options):
    """A small text, parsed consistently with random scores."""
    return parse_consistently(RandomParser(order, seed), *small_texts(seed), settings, **options)


class Listed:
    """The joint value of trees and labels of a small text, by listing."""

    def __init__(self, seed, settings=SETTINGS, order=2):
        self.deltas = settings.delta1, settings.delta2, settings.delta3
        train, self.test = small_texts(seed)
        self.contexts = ContextIndex(train, self.test).select(settings.contexts)
        self.classes = self.contexts.index.labels.classes.tolist()
        scored = RandomParser(order, seed).score(self.test)
        cubes = [[None] * len(self.test) if cube is None else cube for cube in (scored.siblings, scored.grandparents)]
        self.scores = [[table[number] for table in (scored.arcs, *cubes)] for number in range(len(self.test))]

    def close(self, a, b):
        return self.classes[a] == self.classes[b]

    def best(self, allowed=lambda sentence, tree: True):
        """(value, heads) of the best joint solution, of the trees that are allowed."""
        index, rows = self.contexts.index, self.test.offsets[1:-1]
        labels, found = np.split(index.test_labels, rows), np.split(self.contexts.test_contexts, rows)
        sentences = [(*tables, own) for tables, own in zip(self.scores, labels, strict=True)]
        observed = [index.train_heads[self.contexts.train_contexts == k].tolist() for k in range(len(self.contexts))]
        return joint_value(sentences, found, observed, len(self.classes), self.deltas, self.close, allowed)

    def value(self, heads):
        """Of the trees of all sentences, with their best labels."""
        total = sum(tree_value(tree, *tables) for tree, tables in zip(heads, self.scores, strict=True))
        for row in self.contexts.votes(np.concatenate(heads)):
            labels = np.repeat(np.arange(len(row)), row).tolist()
            total += consensus_value(labels, len(row), self.deltas, self.close)[0]
        return total


@cache
def best_of(seed, order, *deltas):
    return Listed(
        seed, replace(SETTINGS, **dict(zip(("delta1", "delta2", "delta3"), deltas, strict=True))), order
    ).best()


def best(seed, settings=SETTINGS, order=2):
    """(value, heads) of the best joint solution of a small text."""
    return best_of(seed, order, settings.delta1, settings.delta2, settings.delta3)
