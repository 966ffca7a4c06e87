"""Counts open their places: as many as the denominator says, with the words marked and what becomes of them."""

import pytest

from core.constraints import match_counts, parse_constraints
from core.workspace.constraints.occurrences import occurrences, shown_place
from core.workspace.constraints.settings import TrainingSettings


@pytest.mark.parametrize("per", ["pair", "modifier", "head"])
@pytest.mark.parametrize("pattern", ["ADJ <- NOUN", "NOUN -- ADJ dist 1..3", "ROOT -> VERB"])
def test_there_are_as_many_places_as_the_count_says(ge, sample, pattern, per):
    text, (constraint,) = ge.text(sample), parse_constraints(f"{pattern} per {per} = 0.5")
    found, (coverage,) = occurrences(text, constraint), match_counts([constraint], text.matcher)
    assert (len(found), len(found.arcs)) == (coverage.denominator, coverage.pairs)
    assert list(found.sentences) == sorted(found.sentences)
    if per != "head":  # a word has one head, so each edge is in a place of its own
        assert len(found.of_kind("edges")) == coverage.edges
    assert len(found.of_kind("edges")) + len(found.of_kind("others")) == len(found.of_kind("all"))


def test_a_pair_connected_either_way_is_one_place(ge, sample):
    text, (constraint,) = ge.text(sample), parse_constraints("{ADJ NOUN} <-> NOUN dist 1 = 0.5")
    found, (coverage,) = occurrences(text, constraint), match_counts([constraint], ge.text(sample).matcher)
    assert len(found) == coverage.pairs == len(found.arcs) // 2 > 0
    assert len(found.of_kind("edges")) == coverage.edges
    assert (abs(found.heads - found.modifiers) == 1).all()


def test_a_place_shows_its_words_and_the_models_probability(ge, add):
    corpus = add("tagged.txt", "the/DET old/ADJ cat/NOUN saw/VERB a/DET dog/NOUN\n")
    text = ge.text(corpus, TrainingSettings("upos"))
    found = occurrences(text, parse_constraints("DET <- NOUN per modifier = 0.9")[0])
    assert not found.known
    first, share = shown_place(text, found, 0, ge.outcome(text))
    assert first == ":orange[**the**] old :blue[**cat**] saw a :blue[**dog**]"
    assert share == pytest.approx(2 / 6, abs=1e-6)  # all trees alike: every head is as probable, the root included
    assert shown_place(text, found, 1) == ("the old cat saw :orange[**a**] :blue[**dog**]", None)


def test_what_matches_nothing_has_no_place(ge, sample):
    found = occurrences(ge.text(sample), parse_constraints("NUON -> DET = 0.5")[0])
    assert len(found) == len(found.of_kind("edges")) == 0
