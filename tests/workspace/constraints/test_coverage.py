"""A set while it is written: completion offers what fits, and as many places as a count says."""

import re

import pytest

from core.constraints import ConstraintDocument, match_counts, parse_constraints
from core.workspace.constraints.coverage import TOKEN, contexts, occurrences, shown_place
from core.workspace.constraints.plan import TrainingSettings

TAGGED = "the/DET old/ADJ cat/NOUN sleeps/VERB ./PUNCT\nthe/DET dog/NOUN saw/VERB the/DET cat/NOUN\n"


def complete(found, line):
    """The words to offer at the end of ``line``, as the editor does."""

    def plain(word):
        return word.replace('"', "").lower()

    typed = re.search(TOKEN, line)
    token = re.split("<->|->|<-|--|→|←|↔", typed[0] if typed else "")[-1]
    before = line[: len(line) - len(token)]
    context = next((each for each in found if re.search(each.after, before)), None)
    return [] if context is None else [text for text, _ in context.words if plain(text).startswith(plain(token))]


@pytest.fixture
def found(ge, add):
    return contexts(ge.text(add("t.txt", TAGGED)))


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("D", ["DET"]),
        ("form:c", ["form:cat"]),
        ("DET <- no", ["NOUN"]),
        ("DET<-NO", ["NOUN"]),
        ("DET <- {NOUN V", ["VERB"]),
        ("DET ", ["->", "<-", "--", "<->"]),
        ("DET <", ["<-", "<->"]),
        ("DET <->", ["DET"]),
        ("DET <- NOUN di", ["dist"]),
        ("DET <- NOUN dist ", ["1", "2", "1..2"]),
        ("DET <- NOUN between o", ["only"]),
        ("DET <- NOUN between only A", ["ADJ"]),
        ("DET <- NOUN before h", ["head"]),
        ("DET <- NOUN per m", ["modifier"]),
        ("DET <- NOUN = 0.9 p", ["per pair", "per modifier", "per head"]),
        ("DET <- NOUN = 0.9 w", ["weight"]),
        ("DET <- NOUN = ", []),
        ("# D", []),
        ("DET <- NOUN = 0.9  # D", []),
        ("", ["DET", "NOUN"]),  # by frequency
    ],
)
def test_each_place_offers_what_fits(found, line, first):
    assert complete(found, line)[: max(len(first), 1)] == first


def test_whatever_is_offered_for_a_word_can_be_read(found):
    items = next(context.words for context in found if ("NOUN", "3 words") in context.words)
    words = [word for word, _ in items if word not in ("ROOT", "only", "none") and not word.endswith(":")]
    assert "NOUN" in words
    for word in words:
        assert not ConstraintDocument.from_text(f"{word} <- NOUN = 0.5").problems, word


def test_features_are_offered_one_by_one(ge, add):
    line = "1\tcats\tcat\tNOUN\t_\tCase=Nom|Number=Plur\t0\troot\t_\t_\n\n"
    found = contexts(ge.text(add("f.conllu", line)))
    assert complete(found, "feats:Number=P") == ["feats:Number=Plur"]
    assert complete(found, "feats:C") == ["feats:Case=Nom"]


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
    assert not found.known.any()
    first, share = shown_place(text, found, 0, ge.outcome(text))
    assert first == ":orange[**the**] old :blue[**cat**] saw a :blue[**dog**]"
    assert share == pytest.approx(2 / 6, abs=1e-6)  # all trees alike: every head is as probable, the root included
    assert shown_place(text, found, 1) == ("the old cat saw :orange[**a**] :blue[**dog**]", None)


def test_what_matches_nothing_has_no_place(ge, sample):
    found = occurrences(ge.text(sample), parse_constraints("NUON -> DET = 0.5")[0])
    assert len(found) == len(found.of_kind("edges")) == 0
