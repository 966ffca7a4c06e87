"""Morphological features as a network reads them."""

from core.parsers.universal.morphology import FEATURES, feature_rows
from core.treebank import Treebank


def test_features_are_read_and_others_are_passed_over():
    feats = ["Case=Acc,Nom|Number=Sing", "Case=Ine|Style=Rare", "_", "nonsense|Mood=Jus|Number=Coll"]
    text = Treebank.from_sentences([{"forms": list("abcd"), "upos": ["NOUN"] * 4, "feats": feats}])
    found = [{FEATURES[place] for place in row.nonzero()[0]} for row in feature_rows(text)]
    assert found == [set(), {"Case=Nom", "Case=Acc", "Number=Sing"}, {"Case=other"}, set(), {"Mood=other"}]


def test_a_text_without_any_has_none():
    text = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["NOUN", "VERB"]}])
    assert feature_rows(text).shape == (3, len(FEATURES)) and not feature_rows(text).any()
