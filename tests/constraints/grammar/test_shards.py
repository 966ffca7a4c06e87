"""A grammar learns from shards as from a file."""

import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.errors import WorkbenchError
from core.treebank import Treebank
from core.treebank.punctuation import TagsInUse
from tests.constraints.banks import SHARDED_LINES as LINES

SETTINGS = GrammarSettings(
    tags="upos", lengths=(6, None), iterations=(2, 2), words="yes", thresholds=(3,), word_iterations=2, level="sprawl"
)


@pytest.fixture(scope="module")
def alone(shards):
    return train_grammar(shards, parse_constraints(LINES + "INTJ -> SYM = 0.5"), SETTINGS)


def test_the_grammar_from_shards_is_that_from_the_file_and_lines_that_match_nothing_are_named(alone, whole):
    there = train_grammar(whole, parse_constraints(LINES), SETTINGS)
    assert alone.untagged == there.untagged and [line.name for line in alone.skipped] == ["INTJ -> SYM"]
    np.testing.assert_allclose([each.dual for each in alone.trace], [each.dual for each in there.trace], rtol=1e-9)
    np.testing.assert_allclose(alone.expectations, there.expectations, atol=1e-9)
    np.testing.assert_array_equal(alone.model.parse(whole).heads, there.model.parse(whole).heads)


def test_held_out_sentences_are_the_same_in_shards(shards, whole):
    lines = parse_constraints(LINES)
    settings = GrammarSettings(tags="upos", lengths=(None,), iterations=(1,), thresholds=(3,), word_iterations=1)
    here, there = train_grammar(shards, lines, settings), train_grammar(whole, lines, settings)
    assert here.held_out and here.held_out == pytest.approx(there.held_out, rel=1e-9)


def test_what_travels_gives_the_same_bits(alone, shards, apart):
    found = train_grammar(shards, alone.constraints, SETTINGS, engine=apart)
    assert [each.dual for each in found.trace] == [each.dual for each in alone.trace]
    np.testing.assert_array_equal(found.multipliers, alone.multipliers)
    warm, again = (
        train_grammar(shards, alone.constraints, SETTINGS, engine=engine, start=alone.model) for engine in (apart, None)
    )
    np.testing.assert_array_equal(warm.multipliers, again.multipliers)


def test_what_looks_at_whole_texts_is_refused(shards):
    lines = parse_constraints(LINES)
    for settings in (GrammarSettings(second_order=True), GrammarSettings(together=True)):
        with pytest.raises(WorkbenchError, match="from shards a grammar learns alone"):
            train_grammar(shards, lines, settings)


def test_what_is_punctuation_is_decided_for_all_shards_together():
    """Alone, the first text would take '-' for punctuation; in the second the same tag has a word with a letter."""
    first = Treebank.from_sentences([{"forms": ["a", "-"], "xpos": ["N", "Z"]}])
    second = Treebank.from_sentences([{"forms": ["b", "c"], "xpos": ["N", "Z"]}])
    assert first.punctuation().tolist() == [False, False, True]
    rule = (TagsInUse.of(first) + TagsInUse.of(second)).rule()
    assert not rule.mask(first).any() and not rule.mask(second).any()
