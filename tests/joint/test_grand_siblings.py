"""Lists in a new order by chains of four words, against a naive sum over their parts."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.joint.baselines import in_scheme, one_representation
from core.joint.candidates import Candidates
from core.joint.grand_siblings import BITS, GrandSiblings, part_keys, wrong_heads
from core.joint.settings import JointSettings
from core.treebank import Treebank, load_sample
from core.trees import PackedScores, eisner_kbest
from tests.filled import filled
from tests.oracles import joint as oracle

TAGS = "ABC"


def lists_of(seed, lengths=(1, 2, 3, 4, 5), k=6):
    """(lists of the best trees of random scores, a text of random tags whose trees are not the first ones)."""
    draws = np.random.default_rng(seed)
    scores = PackedScores.from_matrices([draws.normal(size=(n + 1, n + 1)) for n in lengths])
    lists = Candidates(np.array(lengths), eisner_kbest(scores, k, errors="mark"), 0.7)
    texts = []
    for at, n in enumerate(lengths):
        trees = lists.trees[at][0]
        tags = draws.choice(list(TAGS), n).tolist()
        texts.append(
            {"forms": ["w"] * n, "xpos": tags, "upos": tags, "heads": trees[min(3, len(trees) - 1)][1:].tolist()}
        )
    return lists, Treebank.from_sentences(texts)


def named(text, sentence, heads):
    """The features of a tree as tuples of tags and sides."""
    tags, found = ["root", *text[sentence].xpos[1:]], []
    for grandparent, head, sibling, word in oracle.grand_siblings(heads):
        beside = None if sibling is None else tags[sibling]
        found.append((tags[grandparent], tags[head], beside, tags[word], word > head, head > grandparent))
    return found


def test_two_words_have_one_feature_where_their_four_tags_and_sides_are_the_same():
    features = {}
    for seed in filled(range(5)):
        lists, text = lists_of(seed)
        keys = part_keys(lists, text, ("xpos",))[:, 0]
        for sentence, n in enumerate(lists.lengths.tolist()):
            for rank, heads in enumerate(lists.trees[sentence][0]):
                begin = lists.trees.offsets[sentence] + rank * (n + 1)
                got = [key for key in keys[begin : begin + n + 1].tolist() if key >= 0]
                for name, key in zip(named(text, sentence, heads), got, strict=True):
                    assert features.setdefault(name, key) == key
    assert len(set(features.values())) > 0.99 * len(features) > 50 and max(features.values()) < 2**BITS


def test_scores_are_log_posteriors_and_the_weights_of_all_parts():
    lists, text = lists_of(9)
    ranker = GrandSiblings(("xpos", "upos"), np.random.default_rng(1).normal(size=2**BITS))
    keys, found = part_keys(lists, text, ranker.columns), ranker.rescored(lists, text)
    for sentence, n in filled(list(enumerate(lists.lengths.tolist()))):
        values = []
        for rank in range(lists.trees.counts[sentence]):
            begin = lists.trees.offsets[sentence] + rank * (n + 1)
            own = keys[begin : begin + n + 1]
            values.append(np.log(lists.posteriors[sentence, rank]) + ranker.weights[own[own >= 0]].sum())
        order = np.argsort(values)[::-1]
        assert found.trees.values[sentence, : len(values)] == pytest.approx(np.array(values)[order])
        assert (found.trees[sentence][0] == lists.trees[sentence][0][order]).all()


def test_what_is_learnt_brings_the_right_trees_to_the_front():
    parts = [lists_of(seed, (4, 5, 6)) for seed in range(30)]
    lists, text = parts[0]
    assert wrong_heads(lists, text)[:, 3].tolist() == [0, 0, 0]
    ranker = GrandSiblings.fit(lists, text, ("xpos",), epochs=40, aggressiveness=1.0)
    found = ranker.rescored(lists, text)
    assert wrong_heads(found, text)[:, 0].sum() < wrong_heads(lists, text)[:, 0].sum()
    again = GrandSiblings.fit(lists, text, ("xpos",), epochs=40, aggressiveness=1.0)
    np.testing.assert_array_equal(ranker.weights, again.weights)
    with pytest.raises(WorkbenchError, match="there is nothing to learn from"):
        GrandSiblings.fit(lists, text.with_heads(np.full(len(text.heads), -1)), ("xpos",))


def test_one_parser_of_both_schemes_draws_the_trees_of_each():
    banks = [load_sample(part).max_length(12).limit(60) for part in ("sample", "function-heads")]
    parser = one_representation(banks, ("UD", "function heads"), JointSettings(epochs=3, table_bits=16))
    trees = [parser.heads(in_scheme(banks[0], name, "xpos")) for name in ("UD", "function heads")]
    right = np.array([[(heads == bank.heads)[bank.is_word].mean() for bank in banks] for heads in trees])
    assert right[0, 0] > right[0, 1] and right[1, 1] > right[1, 0]
    marked = in_scheme(banks[0], "UD", "xpos")
    assert marked[0].xpos[1] == f"{banks[0][0].xpos[1]} UD" and marked[0].upos[1:] == banks[0][0].xpos[1:]
