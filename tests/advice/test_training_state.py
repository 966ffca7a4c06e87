"""What there is to learn from: which parser comes of it, lines and sentences that come next, other texts behind it."""

from dataclasses import replace

import numpy as np
import pytest

from core.advice import OtherText, TrainingState, next_line, sentences_to_correct, trained
from core.advice.training_state import Untrained
from core.constraints import GrammarSettings
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.projected import ProjectedParser
from core.errors import Cancelled, WorkbenchError
from core.parsers.arc_factored import ArcFactoredParser
from core.parsers.mst.parser import MSTParser
from core.parsers.stacked import Stacked
from core.trees import Bracket, PackedScores


def test_a_parser_is_trained_from_what_there_is(state):
    both, lines = trained(state(6)), trained(state(0))
    assert isinstance(both, Grammar) and isinstance(both.second_order, Stacked)
    assert isinstance(lines, Grammar) and lines.second_order is None
    assert trained(state(1)).second_order is None  # too few for halves
    assert isinstance(trained(state(6, "")), MSTParser)
    assert isinstance(trained(state(1, "")), Untrained)


def test_only_trees_that_are_learnt_from_count(state):
    learnt = np.arange(40) < 1
    assert trained(state(6, learnt=learnt)).second_order is None
    assert state(6, learnt=np.ones(40, bool)).learnt.sum() == 6  # none is learnt from without a known head


class Teacher(ArcFactoredParser):
    """A prior that is sure of every right head; trees have nothing to correct of it."""

    def __init__(self, gold):
        self.heads = {sentence.text: sentence.heads for sentence in gold.without_punctuation()}

    def arc_weights(self, treebank, threads=None):
        matrices = []
        for sentence in treebank:
            scores = np.full((len(sentence) + 1, len(sentence) + 1), np.log(1e-4))
            scores[self.heads[sentence.text][1:], np.arange(1, len(sentence) + 1)] = 0.0
            matrices.append(scores)
        return PackedScores.from_matrices(matrices)

    def label(self, treebank, heads):
        return ["dep"] * len(heads)

    def save(self, path):
        raise NotImplementedError

    def adapted(self, trees):
        self.trees = trees
        return self


def test_training_begins_with_a_prior_and_constraints_are_for_what_it_gets_wrong(state, gold):
    teacher = Teacher(gold)
    now = replace(state(20, ""), prior=teacher)
    plain = trained(now.learning(np.zeros(40, bool)))
    assert isinstance(plain, ProjectedParser) and plain.parser is teacher
    assert next_line(now, plain) is None  # nothing is wrong
    assert next_line(state(20, ""), trained(state(0, ""))) is not None  # from nothing much is
    both = trained(now, plain)
    assert isinstance(both, ProjectedParser) and both.parser is teacher
    assert len(teacher.trees) == 20 and not teacher.trees.deprel.filled
    np.testing.assert_array_equal(teacher.trees.heads, gold.limit(20).heads)


def test_training_stops(state):
    with pytest.raises(Cancelled):
        trained(state(6), cancel=lambda: True)


def test_learnt_of_another_text_is_refused(gold):
    with pytest.raises(WorkbenchError, match="40 sentences, but 3 are said"):
        TrainingState.of(gold, [], gold.heads, learnt=np.ones(3, bool))


def test_a_line_comes_from_the_errors_that_may_be_looked_at(state):
    now = state(20)
    plain = trained(state(0))
    found = next_line(now, plain)
    assert found is not None and found.net > 0
    after = now.with_line(found)
    assert found.constraint in after.lines and len(after.lines) == len(now.lines) + (found.line is None)
    assert next_line(now, plain, np.zeros(40, bool)) is None
    assert next_line(state(20, ""), Untrained()) is not None


def test_sentences_to_correct_are_those_left_of_which_the_model_is_least_sure(state):
    now = state(5)
    found = sentences_to_correct(now, trained(state(0)), 10)
    assert len(set(found.tolist())) == 10 and found.min() >= 5
    everything = sentences_to_correct(now, trained(state(0)), 100)
    assert sorted(everything) == list(range(5, 40)) and everything[:10].tolist() == found.tolist()
    assert set(sentences_to_correct(now, trained(state(0)), 100, among=8)) == {5, 6, 7}
    assert len(sentences_to_correct(now, trained(state(5, "")), 4)) == 4
    assert sentences_to_correct(now, Untrained(), 2).tolist() == [5, 39]


def test_another_text_stands_behind_and_its_trees_are_learnt_from(state, gold):
    now = state(5)
    more = now.with_source(OtherText("more", gold.limit(3)))
    assert len(more.text) == 43 and more.learnt.sum() == 8
    assert np.array_equal(more.heads[gold.offsets[-1] :], gold.heads[: gold.offsets[3]])
    bare = now.with_source(OtherText("more", gold.limit(3).with_heads(np.full(gold.offsets[3], -1))))
    assert bare.learnt.sum() == 5 and not (bare.heads[gold.offsets[-1] :] >= 0).any()


def test_pages_come_with_their_brackets(state, gold):
    brackets = [[Bracket(1, 3)], [], []]
    more = state(5).with_source(OtherText("pages", gold.limit(3), brackets=brackets))
    assert more.settings.level == "sprawl" and [len(each) for each in more.brackets] == [0] * 40 + [1, 0, 0]
    again = more.with_source(OtherText("more", gold.limit(2)))
    assert len(again.brackets) == 45


def test_a_text_with_other_tags_is_refused(state, gold):
    words = [("a", "X1"), ("b", "X2")]
    rows = [{"forms": [form for form, _ in words], "upos": [tag for _, tag in words]}]
    other = type(gold).from_sentences(rows)
    with pytest.raises(WorkbenchError, match="strange has another tag set: 100% of its words"):
        state(5).with_source(OtherText("strange", other))
    untagged = type(gold).from_sentences([{"forms": ["a", "b"]}])
    with pytest.raises(WorkbenchError, match="bare has no UPOS tags"):
        state(5).with_source(OtherText("bare", untagged))


def test_settings_always_stack(gold):
    found = TrainingState.of(gold, [], gold.heads, replace(GrammarSettings(), stacked=False))
    assert found.settings.stacked and found.learnt.all()
