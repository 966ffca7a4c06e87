"""What is given of a sentence stays, and the best tree around it is the answer."""

import numpy as np
import pytest

from core.constraints import parse_constraints, train_ge, train_grammar
from core.errors import WorkbenchError
from core.parsers import DMV, DMVSettings, MSTParser
from core.parsers.constrained_completion import complete, given_in_part, nearest_tree
from core.parsers.english import English
from core.treebank import Treebank, load_sample
from tests.oracles.trees import is_tree, trees

KEPT = 0.35  # share of the words that are given


@pytest.fixture(scope="module")
def sample():
    return load_sample().limit(40)


@pytest.fixture(scope="module")
def known(sample):
    """Which words of the sample are given: bool (rows,)."""
    return (np.random.default_rng(5).random(len(sample.heads)) < KEPT) & sample.is_word


@pytest.fixture(scope="module")
def partial(sample, known):
    return partly(sample, known)


def partly(treebank, known):
    relations = [value if keep else "" for value, keep in zip(texts(treebank), known, strict=True)]
    return treebank.with_heads(np.where(known, treebank.heads, -1), relations)


def texts(treebank):
    return [treebank.deprel[row] for row in range(len(treebank.heads))]


LINES = "DT <- NN dist 1 = 0.9..1.0\nIN <- NN = 0.8\nROOT -> VBD per modifier = 0.7"
PARSERS = {
    "arcs": lambda text: MSTParser(order=1).fit(text, epochs=2),
    "siblings": lambda text: MSTParser(order=2).fit(text, epochs=2),
    "grandparents": lambda text: MSTParser(order=2, grandparents=True).fit(text, epochs=1),
    "crossing arcs": lambda text: MSTParser(order=1, projective=False).fit(text, epochs=2),
    "tree CRF": lambda text: train_ge(text, parse_constraints(LINES)).model,
    "grammar": lambda text: train_grammar(text, parse_constraints(LINES)).model,
    "DMV": lambda text: DMV(DMVSettings(max_iterations=2)).fit(text),
    "English": lambda text: English.load(),
    "another": lambda text: Backwards(),
}


class Backwards:
    """Draws chains; knows of no given arcs."""

    def parse(self, treebank):
        chains = [np.arange(-1, size) for size in treebank.lengths]
        return treebank.with_heads(np.concatenate(chains).astype(np.int32), ["dep"] * len(treebank.heads))


@pytest.mark.parametrize("name", PARSERS)
def test_given_arcs_and_relations_stay(sample, partial, known, name):
    parser = PARSERS[name](sample)
    parsed, completed = complete(parser, partial)
    assert completed.tolist() == given_in_part(partial).tolist() and completed.sum() > 30
    assert (parsed.heads[known] == sample.heads[known]).all() and parsed.single_rooted().all()
    named = texts(parsed)
    assert all(named[row] == texts(sample)[row] for row in np.flatnonzero(known))
    assert all(named[row] for row in np.flatnonzero(parsed.is_word))
    alone = parser.parse(partial)
    free = np.flatnonzero(parsed.is_word & ~known & (parsed.heads == alone.heads))
    assert [named[row] for row in free] == [texts(alone)[row] for row in free]


def test_the_best_tree_with_the_given_arcs_is_found(sample):
    short = sample.max_length(6)
    parser = MSTParser(order=1).fit(sample, epochs=2)
    scores = parser.score(short).arcs
    for index in range(len(short)):
        one = short.select([index])
        n = int(one.lengths[0])
        for word in range(1, n + 1):
            known = np.arange(n + 1) == word
            if n < 2:
                continue
            found = complete(parser, partly(one, known)).treebank.heads
            fits = [tree for tree in trees(n, projective=True) if tree[word] == one.heads[word]]
            values = [sum(scores[index][tree[m], m] for m in range(1, n + 1)) for tree in fits]
            assert found.tolist() == [-1, *fits[int(np.argmax(values))][1:]]


def test_arcs_that_cross_are_kept_by_projective_parsers(sample):
    words = {"forms": list("abcde"), "upos": ["NOUN"] * 5, "xpos": ["NN"] * 5, "heads": [4, -1, 0, -1, 2]}
    text = Treebank.from_sentences([words])
    for name in ("siblings", "grammar", "DMV", "tree CRF"):
        heads = complete(PARSERS[name](sample), text).treebank.heads
        assert heads[[1, 3, 5]].tolist() == [4, 0, 2] and is_tree(heads)


def test_the_nearest_tree_keeps_other_arcs():
    given = np.array([-1, -1, 4, -1, -1])
    assert nearest_tree(np.array([-1, 2, 0, 4, 2]), given).tolist() == [-1, 2, 4, 4, 0]
    assert nearest_tree(np.array([-1, 2, 0, 4, 2]), np.full(5, -1)).tolist() == [-1, 2, 0, 4, 2]


def test_sentences_are_parsed_anew_or_left_alone(sample):
    parser, whole = Backwards(), sample.select([0, 1, 2])
    mixed = partly(whole, whole.is_word & (np.arange(len(whole.heads)) != 1))
    first, second, third = (slice(*whole.offsets[at : at + 2]) for at in range(3))
    anew, partial = complete(parser, mixed)
    assert partial.tolist() == [True, False, False]
    assert anew.heads[second].tolist() == list(range(-1, len(whole[1])))
    kept, _ = complete(parser, mixed, keep_trees=True)
    for text in (anew, kept):
        assert text.heads[first][2:].tolist() == whole.heads[first][2:].tolist() and text.heads[first][1] >= 0
    for place in (second, third):
        assert kept.heads[place].tolist() == whole.heads[place].tolist()
        assert texts(kept)[place] == texts(whole)[place]


def test_a_relation_without_a_head_stays():
    words = {"forms": list("abc"), "heads": [2, -1, -1], "deprels": ["x", "", "y"]}
    found = complete(Backwards(), Treebank.from_sentences([words])).treebank
    assert texts(found) == ["", "x", "root", "y"] and found.heads.tolist() == [-1, 2, 0, 2]


def test_two_given_roots_are_one_sentence():
    words = {"forms": list("abc"), "heads": [0, -1, 0]}
    with pytest.raises(WorkbenchError, match=r"sentence 1: words 1 \(a\) and 3 \(c\) are given as its root"):
        complete(Backwards(), Treebank.from_sentences([words]))


def test_nothing_given():
    text = Treebank.from_sentences([{"forms": ["a", "b"]}])
    parsed, partial = complete(Backwards(), text)
    assert parsed.heads.tolist() == [-1, 0, 1] and not partial.any()
    empty = Treebank.from_sentences([])
    assert given_in_part(empty).tolist() == []
