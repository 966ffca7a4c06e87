"""A universal parser that learns from finished sentences: kept where it helps on these, held back where it does not."""

from dataclasses import replace

import numpy as np
import pytest

from core.parsers.universal.corrections import Ends
from core.parsers.universal.learning import BesideParses, helped
from core.parsers.universal.other_parses import JudgedRelations, OtherParses, learn_relation_trusts, learn_trusts
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank, load_sample
from core.trees import PackedScores
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")


@pytest.fixture
def parser():
    return UniversalParser([small_network(1)], RELATIONS)


def right(parser, text):
    words = text.is_word & ~text.punctuation()
    return (parser.best_heads(text) == text.heads)[words].mean()


def test_what_is_learnt_from_trees_is_kept_where_it_helps(parser):
    bank = load_sample().limit(60).to_conllu()
    finished, later = bank.limit(20), bank.select(np.arange(20, 60))
    learning = helped(parser, finished)
    assert learning.corrections is not None and parser.corrections is None
    assert right(learning, later) > right(parser, later) + 0.1
    np.testing.assert_array_equal(learning.best_heads(later), parser.adapted(finished).best_heads(later))


def test_trees_that_teach_nothing_about_others_change_nothing(parser):
    own = parser.parse(load_sample().limit(12).to_conllu())
    assert helped(parser, own) is parser  # all its heads are right as they are
    before, numbers = own.numbers - 1, own.numbers
    last = np.repeat(own.lengths, own.lengths + 1)
    after = np.where(numbers == last, 0, numbers + 1)
    is_even = own.sentence_rows % 2 == 0
    chains = own.with_heads(np.where(is_even, before, after))  # what each half teaches is wrong in the other
    assert helped(parser, chains) is parser


def test_few_or_no_heads_teach_nothing(parser):
    marks = Treebank.from_sentences([{"forms": ["!"], "upos": ["PUNCT"], "heads": [0]}] * 5)
    bare = load_sample().limit(5).to_conllu()
    for text in (marks, bare.with_heads(np.full(len(bare.heads), -1)), load_sample().limit(1)):
        assert helped(parser, text) is parser


def beside(parser, trees, *parses):
    learnt = BesideParses(parser, parses).adapted(trees)
    assert learnt.others is not None
    return learnt, learnt.others.trusts.tolist()


def with_wrong_heads(bank, share):
    """With this probability a sentence's words each depend on the one before, which is mostly wrong."""
    drawn = (np.random.default_rng(0).random(len(bank)) < share)[bank.sentence_rows]
    return bank.with_heads(np.where(drawn & bank.is_word, bank.numbers - 1, bank.heads), bank.deprel)


def test_a_parse_is_trusted_as_far_as_checked_sentences_say(parser):
    bank = load_sample().limit(60).to_conllu()
    checked, later = bank.limit(20), bank.select(np.arange(20, 60))
    good, middling, bad = (with_wrong_heads(bank, share) for share in (0.1, 0.5, 1.0))
    alone = right(parser.adapted(checked), later)
    learnt, (trust,) = beside(parser, checked, good)
    assert right(learnt, later) > max(alone, 0.85)
    assert beside(parser, checked, middling)[1][0] < trust
    assert right(beside(parser, checked, bad)[0], later) > alone - 0.02
    both, (of_good, of_bad) = beside(parser, checked, good, bad)
    assert of_good > of_bad
    assert right(both, later) > max(alone, 0.85)


def test_trusts_are_those_of_least_loss():
    words = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["X", "X"], "heads": [2, 0]}] * 4)
    arcs = PackedScores.from_matrices([np.log(np.full((3, 3), 0.5))] * 4)
    few = OtherParses.of([words.limit(1), words.limit(1).with_heads([-1, 0, 1])])
    trusts = learn_trusts(few, [(words, arcs)]).trusts
    grid = np.linspace(0, 6, 6001)
    losses = 0.5 * grid**2 + 8 * np.log1p(np.exp(-grid))  # eight heads, each of two that are as probable
    assert trusts[0] == pytest.approx(grid[losses.argmin()], abs=2e-3)
    assert trusts[1] == 0  # it would be less


def with_wrong_relations(bank, share):
    """With this probability a word is said to be the object."""
    drawn = (np.random.default_rng(1).random(len(bank.heads)) < share) & (bank.heads > 0)
    return bank.with_heads(bank.heads, np.where(drawn, "obj", bank.deprel.strings()).tolist())


def relations_right(parser, text):
    known = (text.heads > 0) & np.isin(text.deprel.strings(), RELATIONS)
    return (parser.parse(text).deprel.strings() == text.deprel.strings())[known].mean()


def test_the_relations_of_a_parse_are_trusted_as_far_as_checked_sentences_say(parser):
    bank = load_sample().limit(60).to_conllu()
    checked, later = bank.limit(20), bank.select(np.arange(20, 60))
    good, bad = (with_wrong_relations(bank, share) for share in (0.1, 1.0))
    learnt = beside(parser, checked, good, bad)[0]
    of_good, of_bad = learnt.others.relation_trusts
    assert of_good > 1 > of_bad >= 0
    without = learnt.beside(replace(learnt.others, relation_trusts=np.zeros(2)))
    assert relations_right(learnt, later) > max(relations_right(without, later), 0.85)
    unlabelled = bank.with_heads(bank.heads, [""] * len(bank.heads))
    assert beside(parser, checked, unlabelled)[0].others.relation_trusts.tolist() == [0.0]


def test_trusts_in_relations_are_those_of_least_loss():
    words = Treebank.from_sentences(
        [{"forms": ["a", "b"], "upos": ["X", "X"], "heads": [2, 0], "deprels": ["obj", "root"]}] * 4
    )
    rows = np.flatnonzero(words.heads > 0)
    ends = Ends(rows + 1, rows, np.zeros((4, 0)))
    judged = JudgedRelations(np.zeros((4, 3)), ends, np.full(4, 2))
    names = ("root", "nsubj", "obj")
    others = OtherParses.of([words, words.with_heads(words.heads, ["", "nsubj", "root"] * 4)])
    assert others.relations(words, ends, names).tolist() == [[2] * 4, [1] * 4]
    trusts = learn_relation_trusts(others, [(words, judged)], names).relation_trusts
    grid = np.linspace(0, 6, 6001)
    losses = 0.5 * grid**2 + 4 * np.log1p(2 * np.exp(-grid))  # four relations, each of three that are as probable
    assert trusts[0] == pytest.approx(grid[losses.argmin()], abs=2e-3)
    assert trusts[1] == 0


def test_a_relation_counts_at_its_own_arc_alone():
    words = Treebank.from_sentences([{"forms": ["a", "b", "c"], "upos": ["X"] * 3, "heads": [2, 0, 2],
                                      "deprels": ["nsubj:pass", "root", "strange"]}])  # fmt: skip
    others = replace(OtherParses.of([words]), relation_trusts=np.array([2.0]))
    above, below = (places.ravel() for places in np.mgrid[:4, 1:4])
    ends = Ends(above, below, np.zeros((12, 0)))
    scores = others.added_to_relations(words, ends, ("root", "nsubj"), np.ones((12, 2)))
    changed = [(int(above[k]), int(below[k]), int(r)) for k, r in np.argwhere(scores != 1)]
    assert changed == [(2, 1, 1)] and scores.max() == 3


def test_sentences_that_a_parse_does_not_have_are_parsed_as_without_it(parser):
    bank = load_sample().limit(30).to_conllu()
    heads = np.where(bank.sentence_rows < 25, bank.heads, -1)
    learnt, (trust,) = beside(parser, bank.limit(10), bank.with_heads(heads, bank.deprel))
    rest = bank.select(np.arange(25, 30))
    assert trust > 0
    np.testing.assert_array_equal(learnt.best_heads(rest), parser.adapted(bank.limit(10)).best_heads(rest))
    assert (learnt.best_heads(bank) != parser.adapted(bank.limit(10)).best_heads(bank)).any()


def test_a_parse_that_has_no_checked_sentence_is_not_trusted(parser):
    bank = load_sample().limit(12).to_conllu()
    heads = np.where(bank.sentence_rows < 6, -1, bank.heads)
    assert beside(parser, bank.limit(6), bank.with_heads(heads, bank.deprel))[1] == [0.0]


def test_one_checked_sentence_is_enough(parser):
    bank = load_sample().limit(5).to_conllu()
    assert beside(parser, bank.limit(1), bank)[1][0] > 0
