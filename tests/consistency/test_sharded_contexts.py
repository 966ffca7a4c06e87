"""Contexts counted over shards are those of the same trees in memory."""

import numpy as np
import pytest

from core.consistency import ConsistencySettings, ContextIndex, ContextSettings, parse_consistently
from core.consistency.labels import TagCounts
from core.errors import WorkbenchError
from core.parsers import TreeCRF
from core.parsers.english import NAME
from core.parsers.sharded import TAG, Annotation, annotate_shards
from core.treebank import load_sample
from tests.shards import corpora

LOOSE = ContextSettings(threshold=0.6, minimum_count=2)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Shards of four pages without tags."""
    return corpora.sample_shards(tmp_path_factory.mktemp("plain"), most=4, part_size=4000)


@pytest.fixture(scope="module")
def shards(plain, tmp_path_factory):
    """The same with trees."""
    return corpora.parsed(plain, tmp_path_factory.mktemp("parsed"))


@pytest.fixture(scope="module")
def whole(shards):
    """The same in memory."""
    assert len(shards) > 2
    return corpora.in_memory(shards)


@pytest.fixture(scope="module")
def test():
    return load_sample().limit(40)


@pytest.mark.parametrize("tested", [True, False])
def test_contexts_are_those_of_the_text(shards, whole, test, tested):
    test = test if tested else None
    index, other = ContextIndex(shards, test, tags="upos"), ContextIndex(whole, test, tags="upos")
    assert index.labels.names == other.labels.names and index.labels.close == other.labels.close
    for name in ("keys", "template", "tags", "count", "majority", "majority_count", "inside", "test_types"):
        np.testing.assert_array_equal(getattr(index, name), getattr(other, name), name)
    assert index.table(2) == other.table(2)
    for settings in (LOOSE, ContextSettings(), ContextSettings(0.5, 1, 2, prefer_inside=False)):
        found, expected = index.select(settings), other.select(settings)
        assert len(expected) > 5
        for name in ("types", "test_contexts", "train_sizes", "observed", "observed_wherever"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
        assert found.statistics() == expected.statistics() and found.rows() == expected.rows()


def test_sentences_of_some_length(shards, whole):
    found = ContextIndex(shards, tags="upos", longest=12).select(LOOSE)
    assert found.rows() == ContextIndex(whole.max_length(12), tags="upos").select(LOOSE).rows()


def test_votes_are_those_that_training_words_cast(whole, test):
    """By the paper's count: each word votes in the one context that it chooses."""
    contexts = ContextIndex(whole, test, tags="upos").select(LOOSE)
    votes, everywhere = np.zeros_like(contexts.observed), np.zeros_like(contexts.observed)
    index = contexts.index
    for row, label in enumerate(index.train_heads.tolist()):
        if (context := contexts.train_contexts[row]) >= 0:
            votes[context, label] += 1
        for kind in index.train_types[:, row]:
            if (place := np.flatnonzero(contexts.types == kind)).size:
                everywhere[place[0], label] += 1
    np.testing.assert_array_equal(contexts.observed, votes)
    np.testing.assert_array_equal(contexts.observed_wherever, everywhere)


@pytest.mark.parametrize("observed", ["chosen", "all"])
def test_a_text_is_parsed_as_consistently(shards, whole, test, observed):
    parser = TreeCRF("restricted", tags="upos").fit(test, max_evaluations=5)
    settings = ConsistencySettings(threshold=0.6, observed=observed, iterations=20)
    options = {"settings": settings, "tags": "upos"}
    expected = parse_consistently(parser, whole, test, **options)
    index = ContextIndex(shards, test, tags="upos")
    found = parse_consistently(parser, shards, test, **options, index=index)
    np.testing.assert_array_equal(found.heads.values, expected.heads.values)
    assert found.dual.dual == expected.dual.dual and len(expected.rows) > 50
    assert found.effects()[0].changes == expected.effects()[0].changes


def test_where_a_context_stands_is_known_of_the_test_text_alone(shards, whole, test):
    found = ContextIndex(shards, test, tags="upos").select(LOOSE)
    expected = ContextIndex(whole, test, tags="upos").select(LOOSE)
    context = found.rows()[0]["context"]
    places = [place for place in expected.occurrences(context) if place["text"] == "test"]
    assert found.occurrences(context) == places != []
    index = ContextIndex(shards, tags="upos")
    with pytest.raises(WorkbenchError, match="of a training text in shards no words are known"):
        index.select(LOOSE).changes(index.select())


def test_what_travels_counts_the_same(shards, test, apart):
    found = ContextIndex(shards, test, tags="upos", engine=apart).select(LOOSE)
    assert found.rows() == ContextIndex(shards, test, tags="upos").select(LOOSE).rows()


def test_counts_of_tags_add_up(whole):
    halves = whole.limit(20), whole.select(np.arange(20, len(whole)))
    assert TagCounts.of(halves[0]) + TagCounts.of(halves[1]) == TagCounts.of(whole)


def test_shards_without_trees_or_tags_are_one_sentence(plain, tmp_path):
    with pytest.raises(WorkbenchError, match="no word has a tag; tag the shards first"):
        ContextIndex(plain)
    tagged = annotate_shards(plain, tmp_path / "tagged", Annotation(TAG, NAME))
    with pytest.raises(WorkbenchError, match="has no word with a tag and a head; give trees"):
        ContextIndex(tagged)
