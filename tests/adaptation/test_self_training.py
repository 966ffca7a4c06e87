"""One round of self-training, on a parser that repeats what it learnt."""

import pytest

from core.adaptation import self_train
from core.errors import WorkbenchError
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


def test_a_teacher_need_not_be_trained_twice():
    sample = load_sample()
    teacher = Chain(sample.limit(2))
    assert self_train(Chain, sample.limit(2), sample.select([4]), teacher=teacher).teacher is teacher


def test_no_text_is_refused():
    with pytest.raises(WorkbenchError, match="at least one sentence"):
        self_train(Chain, load_sample(), Treebank.from_sentences([]))


def test_rounds_teach_each_other():
    sample, trained = load_sample(), []

    def train(treebank):
        trained.append(Chain(treebank))
        return trained[-1]

    found = self_train(train, sample.limit(2), sample.select([4]), rounds=3)
    assert len(trained) == 4 and found.teacher is trained[0] and found.parser is trained[-1]
    with pytest.raises(WorkbenchError, match="at least one round"):
        self_train(train, sample.limit(2), sample.select([4]), rounds=0)
