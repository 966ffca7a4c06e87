"""One round of self-training, on a parser that repeats what it learnt."""

import numpy as np
import pytest

from core import adaptation
from core.errors import WorkbenchError
from core.parsers.mst.parser import MSTParser
from core.parsers.self_training import cross_parse, self_train
from core.treebank import Treebank, load_sample


class Chain:
    """Attaches every word to the one before it, and remembers what it was trained on."""

    def __init__(self, treebank):
        self.seen = treebank

    def parse(self, treebank):
        heads = [[m - 1 for m in range(1, len(sentence) + 1)] for sentence in treebank]
        return treebank.with_heads([h for row in heads for h in (-1, *row)])


def test_the_second_parser_learns_from_both_texts():
    sample = load_sample()
    train, text = sample.limit(3), sample.select([5, 7])
    found = self_train(Chain, train, text)
    assert len(found.teacher.seen) == 3 and len(found.parser.seen) == 5
    for sentence, again in zip((*train, *found.teacher_treebank), found.parser.seen, strict=True):
        assert sentence.forms == again.forms and sentence.heads.tolist() == again.heads.tolist()
        assert (sentence.upos, sentence.xpos, sentence.deprels) == (again.upos, again.xpos, again.deprels)
    assert [sentence.heads[1] for sentence in found.treebank] == [0, 0]


def test_rounds_teach_each_other():
    sample, trained = load_sample(), []

    def train(treebank):
        trained.append(Chain(treebank))
        return trained[-1]

    found = self_train(train, sample.limit(2), sample.select([4]), rounds=3)
    assert len(trained) == 4 and found.teacher is trained[0] and found.parser is trained[-1]
    again = self_train(train, sample.limit(2), sample.select([4]), teacher=found.teacher)
    assert again.teacher is found.teacher and len(trained) == 5  # which need not be trained twice


def test_folds_are_parsed_by_parsers_that_did_not_learn_them():
    sample, trained = load_sample().limit(5), []

    class Knows(Chain):
        def parse(self, treebank):
            """The right trees of what it learnt, and chains of the rest."""
            heads = {sentence.forms: sentence.heads.tolist() for sentence in self.seen}
            chains = super().parse(treebank)
            return treebank.with_heads([h for each in chains for h in heads.get(each.forms, each.heads.tolist())])

    def train(treebank):
        trained.append(treebank)
        return Knows(treebank)

    parsed = cross_parse(train, sample, folds=2)
    assert sorted(len(treebank) for treebank in trained) == [2, 3]
    np.testing.assert_array_equal(parsed.heads, Chain(sample).parse(sample).heads)
    taught = self_train(train, None, sample, teacher=Chain(sample), folds=2)
    np.testing.assert_array_equal(taught.treebank.heads, Chain(sample).parse(sample).heads)
    assert len(taught.parser.seen) == 5
    assert self_train(train, sample.limit(1), sample, folds=5).teacher.seen.heads.tolist() == sample[0].heads.tolist()


def test_folds_train_parsers_for_relations_too():
    sample = load_sample().limit(30)
    parsed = cross_parse(lambda trees: MSTParser().fit(trees, epochs=1), sample, folds=3, threads=9)
    assert (np.delete(parsed.heads, parsed.offsets[:-1]) >= 0).all() and len(set(parsed.deprel.values)) > 10


def test_what_cannot_be_taught_is_refused():
    sample = load_sample().limit(2)
    for text, options, message in (
        (Treebank.from_sentences([]), {}, "at least one sentence"),
        (sample, {"rounds": 0}, "at least one round"),
        (sample, {"folds": 3}, "2 sentences cannot be parsed in 3 folds"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            self_train(Chain, sample, text, **options)
    with pytest.raises(WorkbenchError, match="needs a teacher or trees"):
        self_train(Chain, None, sample)


def test_adaptation_has_it_too():
    assert adaptation.self_train is self_train
