"""What is offered of a treebank's lemmas, features and glosses: counted by hand in a few words, and by a plain loop."""

from collections import Counter

import pytest

from core.annotation.known_labels import KnownLabels
from core.annotation.universal_features import FEATURES
from core.treebank import load_sample, read_conllu
from tests.filled import filled

WORDS = (
    ("Walks", "walk", "VERB", "Mood=Ind|Number=Sing", "Gloss=goes"),
    ("walks", "walk", "NOUN", "Number=Plur", "Gloss=ways|Translit=woks"),
    ("walks", "walk", "NOUN", "Number=Plur", "Gloss=ways"),
    ("talked", "talk", "VERB", "Mood=Ind", "_"),
    ("wanted", "want", "VERB", "Mood=Imp", "_"),
    ("went", "go", "VERB", "Mood=Ind", "_"),
    ("the", "_", "DET", "_", "_"),
)


@pytest.fixture(scope="module")
def labels():
    rows = [f"{m}\t{form}\t{lemma}\t{tag}\t_\t{feats}\t{m - 1}\tdep\t_\t{misc}\n"
            for m, (form, lemma, tag, feats, misc) in enumerate(WORDS, start=1)]  # fmt: skip
    return KnownLabels.of(read_conllu("".join([*rows, "\n"]).encode()))


def test_values_of_a_word_come_with_its_tag_first_and_then_by_frequency(labels):
    assert labels.of_word("gloss", "WALKS", "VERB") == ["goes", "ways"]
    assert labels.of_word("gloss", "walks", "ADJ") == ["ways", "goes"]
    assert labels.of_word("translit", "walks", "VERB") == ["woks"]
    assert labels.of_word("feats", "walks", "NOUN") == ["Number=Plur", "Mood=Ind|Number=Sing"]
    assert labels.of_word("lemmas", "the", "DET") == labels.of_word("lemmas", "absent", "DET") == []


def test_a_word_that_nobody_has_seen_gets_the_lemma_of_words_that_end_like_it(labels):
    assert labels.lemmas_by_ending("Parted", "VERB") == ["part"]
    assert labels.lemmas_by_ending("sent", "VERB") == []  # all of went, no ending, becomes go
    assert labels.lemmas_by_ending("parted", "NOUN") == labels.lemmas_by_ending("", "VERB") == []


def test_features_are_those_of_a_tag_names_and_values_by_frequency(labels):
    assert labels.features == {
        "VERB": ("Mood=Ind", "Mood=Imp", "Number=Sing"), "NOUN": ("Number=Plur",),
    }  # fmt: skip


def test_the_sample_has_what_a_loop_over_its_words_has():
    sample = load_sample()
    known, lemmas, pairs = KnownLabels.of(sample), {}, {}
    for sentence in sample:
        for form, tag, lemma, feats in zip(
            sentence.forms[1:], sentence.upos[1:], sentence.lemmas[1:], sentence.feats[1:], strict=True
        ):
            lemmas.setdefault((form.lower(), tag), Counter())[lemma] += bool(lemma)
            pairs.setdefault(tag, set()).update(feats.split("|") if feats else ())
    features = {tag: set(values) for tag, values in known.features.items()}
    assert features == {tag: values for tag, values in pairs.items() if values}
    for (form, tag), counts in filled(lemmas.items()):
        offered = known.of_word("lemmas", form, tag)[: len(counts)]
        assert set(offered) == set(counts) and counts[offered[0]] == max(counts.values())


def test_the_features_of_ud_are_sorted_to_tags_and_spelt_as_ud_spells_them():
    assert "Mood=Ind" in FEATURES["VERB"] and "Mood=Ind" not in FEATURES["NOUN"]
    assert "Case=Nom" in FEATURES["NOUN"] and "Foreign=Yes" in FEATURES["X"]
    assert all(len(set(pairs)) == len(pairs) for pairs in FEATURES.values())
