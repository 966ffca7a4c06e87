"""A grammar learns from shards as from a file."""

import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.errors import WorkbenchError
from core.shards import Cluster
from core.treebank import Treebank
from core.treebank.punctuation import TagsInUse

LINES = """
DET <- NOUN per modifier = 0.9..1.0
ADJ <- NOUN dist 1..2 per modifier = 0.8..1.0
ROOT -> VERB per head = 0.7
"""
SETTINGS = GrammarSettings(
    tags="upos", lengths=(6, None), iterations=(2, 2), words="yes", thresholds=(3,), word_iterations=2, level="sprawl"
)


def test_the_grammar_from_shards_is_that_from_the_file(shards, whole):
    lines = parse_constraints(LINES)
    here, there = train_grammar(shards, lines, SETTINGS), train_grammar(whole, lines, SETTINGS)
    assert len(here.trace) == len(there.trace) and here.untagged == there.untagged
    np.testing.assert_allclose([each.dual for each in here.trace], [each.dual for each in there.trace], rtol=1e-9)
    np.testing.assert_allclose(here.expectations, there.expectations, atol=1e-9)
    np.testing.assert_array_equal(here.model.parse(whole).heads, there.model.parse(whole).heads)


def test_held_out_sentences_are_the_same_in_shards(shards, whole):
    lines = parse_constraints(LINES)
    settings = GrammarSettings(tags="upos", lengths=(None,), iterations=(1,), thresholds=(3,), word_iterations=1)
    here, there = train_grammar(shards, lines, settings), train_grammar(whole, lines, settings)
    assert here.held_out and here.held_out == pytest.approx(there.held_out, rel=1e-9)


def test_any_number_of_workers_gives_the_same_bits(shards):
    lines = parse_constraints(LINES)
    alone = train_grammar(shards, lines, SETTINGS)
    with Cluster(workers=2) as cluster:
        found = train_grammar(shards, lines, SETTINGS, engine=cluster)
        warm = train_grammar(shards, lines, SETTINGS, engine=cluster, start=found.model)
    assert [each.dual for each in found.trace] == [each.dual for each in alone.trace]
    np.testing.assert_array_equal(found.multipliers, alone.multipliers)
    again = train_grammar(shards, lines, SETTINGS, start=alone.model)
    np.testing.assert_array_equal(warm.multipliers, again.multipliers)


def test_what_looks_at_whole_texts_is_refused(shards):
    lines = parse_constraints(LINES)
    for settings in (GrammarSettings(second_order=True), GrammarSettings(together=True)):
        with pytest.raises(WorkbenchError, match="from shards a grammar learns alone"):
            train_grammar(shards, lines, settings)


def test_lines_that_match_nothing_in_any_shard_are_named(shards):
    lines = parse_constraints(LINES + "INTJ -> SYM = 0.5")
    assert [line.name for line in train_grammar(shards, lines, SETTINGS).skipped] == ["INTJ -> SYM"]


def test_what_is_punctuation_is_decided_for_all_shards_together():
    """Alone, the first text would take '-' for punctuation; in the second the same tag has a word with a letter."""
    first = Treebank.from_sentences([{"forms": ["a", "-"], "xpos": ["N", "Z"]}])
    second = Treebank.from_sentences([{"forms": ["b", "c"], "xpos": ["N", "Z"]}])
    assert first.punctuation().tolist() == [False, False, True]
    rule = (TagsInUse.of(first) + TagsInUse.of(second)).rule()
    assert not rule.mask(first).any() and not rule.mask(second).any()
