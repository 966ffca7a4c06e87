"""Trees made to respect brackets against all trees: what is nearest to others, and grammars of zeros."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.training import DMVSettings
from core.treebank import Treebank
from core.trees import PackedBrackets, PackedHeads, satisfies
from core.trees.brackets import LEVELS, NONE, Bracket
from core.trees.respecting import nearest_respecting
from tests.filled import filled
from tests.oracles import brackets as oracle
from tests.oracles import trees

LENGTHS = (2, 3, 4, 5, 5)


def packed(rows):
    return PackedHeads(np.concatenate(rows).astype(np.int32), np.cumsum([0, *map(len, rows)]))


@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_nearest_trees_share_as_many_arcs_as_any_that_respect_the_brackets(level):
    random, rows, spans = np.random.default_rng(7), [], []
    for n in LENGTHS * 6:
        whole = trees.trees(n, True, True)
        rows.append(whole[random.integers(len(whole))])
        found = oracle.all_brackets(n)
        spans.append([found[k] for k in random.integers(len(found), size=2)])
    brackets = PackedBrackets.from_lists([[Bracket(*span) for span in pair] for pair in spans])
    heads = packed(rows)
    result = PackedHeads(nearest_respecting(heads, brackets, level), heads.offsets)
    for i, tree in enumerate(filled(rows)):
        number, whole = LEVELS.index(level), trees.trees(len(tree) - 1, True, True)
        while not len(listed := oracle.keep(whole, spans[i], LEVELS[number])):
            number -= 1
        shared = (listed[:, 1:] == tree[1:]).sum(axis=1)
        if number == NONE:
            assert result[i].tolist() == tree.tolist()
        assert (result[i][1:] == tree[1:]).sum() == max(shared) and any((listed == result[i]).all(axis=1))


def test_words_that_are_not_free_keep_their_heads_and_a_sentence_that_cannot_be_is_left():
    heads = packed([np.array([-1, 2, 0, 2, 2])])  # word 3 is a mark within the bracket of 3 and 4
    free = np.array([False, False, False, True, False])
    brackets = PackedBrackets.from_lists([[Bracket(3, 5)]])
    assert nearest_respecting(heads, brackets, "loose", free).tolist()[1:] == [2, 0, 4, 2]
    nothing = np.zeros(5, bool)
    assert nearest_respecting(heads, brackets, "loose", nothing).tolist()[1:] == [2, 0, 2, 2]
    with pytest.raises(WorkbenchError, match="there is no level 'tight'"):
        nearest_respecting(heads, brackets, "tight")


def test_a_grammar_for_which_each_tree_under_the_brackets_is_impossible_respects_them_all_the_same():
    text = Treebank.from_sentences([{"forms": list("abc"), "xpos": list("NNV"), "heads": [-1] * 3}] * 2)
    model = DMV(DMVSettings(smoothing=0.0, max_iterations=1)).fit(text)
    assert model.parameters is not None and model.tags == ("N", "V")
    take, valence, root = (np.full_like(array, 0.5) for array in model.parameters.arrays)
    take[..., 0, :] = 0.0  # no noun takes a modifier, so neither noun can head "a b"
    root[:] = 0.0, 1.0
    model.parameters = Events.checked(take, valence, root, 2)
    assert model.best_heads(text)[0].tolist() == [-1, 3, 3, 0]
    marks = [[Bracket(1, 3)], []]
    heads = model.best_heads(text, brackets=marks, level="loose")
    assert satisfies(heads[0], marks[0][0], "loose") and heads[1].tolist() == [-1, 3, 3, 0]
    assert heads[0].tolist() in ([-1, 2, 3, 0], [-1, 3, 1, 0])  # one arc is another
