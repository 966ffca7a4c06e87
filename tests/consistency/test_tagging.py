"""Tagging with consistency against enumeration of all taggings and labels."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.consistency import ConsistencySettings, tag_consistently
from core.consistency.labels import require_same_tags
from core.consistency.tag_scores import tag_scores
from core.consistency.tagging_problem import Stops
from core.consistency.unknown import UnknownIndex, group_key, seen_forms
from core.errors import WorkbenchError
from core.parsers import Tagger
from tests.consistency.banks import bank
from tests.consistency.problems import scaled
from tests.filled import filled
from tests.oracles.consistency import consensus_value

TRAIN = bank(
    "the/DT/2 dog/NN/3 barks/VBZ/0",
    "a/DT/2 cat/NN/3 sleeps/VBZ/0 here/RB/3",
    "dogs/NNS/2 bark/VBP/0",
    "the/DT/2 cats/NNS/3 sleep/VBP/0",
    "he/PRP/2 sees/VBZ/0 a/DT/4 bird/NN/2",
)
TEST = bank("the/DT wug/NN sleeps/VBZ", "wug/NN barks/VBZ", "wugs/NNS sleep/VBP", "he/PRP wugs/VBZ a/DT bird/NN")
SETTINGS = ConsistencySettings(delta1=1.2, delta2=0.4, delta3=0.3, unit="score")


@pytest.fixture(scope="module")
def tagger():
    return Tagger(minimum_count=1).fit(TRAIN, epochs=3)


def best_joint(tagger, words, classes, settings):
    """The value of the best joint answer: all tags of the grouped words, one a sentence, the others by Viterbi."""
    lattice, size = tagger.lattice(TEST), len(tagger.tags)
    sentences = np.searchsorted(TEST.offsets, words.rows, side="right") - 1
    assert sorted(sentences) == list(range(len(TEST)))
    values = np.empty((len(words.rows), size))
    for word, tag in np.ndindex(values.shape):
        u = np.zeros(lattice.shape)
        u[words.rows[word], np.arange(size) != tag] = -np.inf
        values[word, tag] = lattice.decode(u, threads=1)[1][sentences[word]]
    deltas, best = (settings.delta1, settings.delta2, settings.delta3), -np.inf
    for tags in product(range(size), repeat=len(words.rows)):
        agreed, _ = consensus_value(tags, size, deltas, lambda a, b: classes[a + 1] == classes[b + 1])
        best = max(best, agreed + sum(values[word, tag] for word, tag in enumerate(tags)))
    return best


@pytest.mark.parametrize("strength", [1, 5, 12])
def test_what_is_certified_is_the_best_of_all_taggings_and_labels(tagger, strength):
    """By dual decomposition, and by branch and bound after a single iteration."""
    kinds = {"NN": "noun", "NNS": "noun", "VBZ": "verb", "VBP": "verb"}
    settings = scaled(strength, SETTINGS, release=False)
    result = tag_consistently(tagger, TEST, settings)
    classes = np.array([0, *(kinds.get(tag, tag) for tag in tagger.tags)], dtype=object)
    value = best_joint(tagger, result.words, classes, settings)
    assert result.bound >= value - 1e-9 and (strength == 1 or len(result.trace) > 1)
    assert result.is_certified and result.primal == pytest.approx(value, abs=1e-8)
    for record in result.trace:
        assert record.dual >= value - 1e-9 and record.primal <= value + 1e-9
    result = tag_consistently(tagger, TEST, scaled(strength, SETTINGS, iterations=1, start=0.0))
    assert result.is_certified and len(result.trace) == 1
    assert result.primal == pytest.approx(value, abs=1e-8) and result.bound == pytest.approx(value, abs=1e-8)


def test_a_word_and_its_plural_share_a_consensus(tagger):
    words = UnknownIndex.of(tagger.trained().forms, TEST).select()
    assert words.names == ("wug/wugs",) and len(words.rows) == 4
    assert [group_key(form, {"wug", "wugs", "bus"}) for form in ("wug", "wugs", "bus")] == ["wug", "wug", "bus"]


def test_words_are_tagged_alike_and_effects_say_which(tagger):
    strong = ConsistencySettings(delta1=50.0, delta2=0.0, delta3=0.0, unit="score", step=5.0)
    result = tag_consistently(tagger, TEST, strong)
    tags = {result.treebank.xpos[row] for row in result.words.rows}
    assert len(tags) == 1 and result.labels[0] >= 0
    base = tagger.tag(TEST)
    changed = sum(base.xpos[row] != result.treebank.xpos[row] for row in range(len(TEST.heads)))
    assert result.statistics()["changed_words"] == changed
    assert sum(len(effect.changes) for effect in result.effects()) <= changed
    weak = tag_consistently(tagger, TEST, ConsistencySettings(delta1=0, delta2=0, delta3=0))
    assert weak.tagging.tolist() == weak.base_tagging.tolist() and not weak.effects()


def test_effects_name_the_label_and_put_what_changed_most_first(tagger):
    text = bank("a/DT blick/NN", "blicks/NNS sleep/VBP", "a/DT wug/NN", "wugs/NNS sleep/VBP")
    result = tag_consistently(tagger, text, SETTINGS)
    assert result.words.names == ("blick/blicks", "wug/wugs")
    before = result.tagging.copy()
    before[result.words.rows[1:]] -= 1
    result = replace(result, base_tagging=before, labels=np.array([0, -1]))
    found = [(effect.name, effect.label, effect.size, len(effect.changes)) for effect in result.effects()]
    assert found == [("wug/wugs", "NULL", 2, 2), ("blick/blicks", tagger.tags[0], 2, 1)]
    assert result.statistics()["changed_words"] == 3


def test_deltas_in_margins_are_deltas_in_scores_times_the_mean_margin(tagger):
    local = np.sort(tagger.lattice(TEST).local_scores()[UnknownIndex.of(seen_forms(TRAIN), TEST).select().rows], axis=1)
    margin = (local[:, -1] - local[:, -2]).mean()
    in_margins = tag_consistently(tagger, TEST, replace(SETTINGS, unit="margin"))
    in_scores = tag_consistently(tagger, TEST, scaled(margin, SETTINGS))
    assert margin != pytest.approx(1) and in_margins.primal == in_scores.primal
    assert [record.dual for record in in_margins.trace] == [record.dual for record in in_scores.trace]


def test_further_sentences_are_imported_for_unknown_words_and_relatives(tagger):
    extra = bank("a/DT dog/NN", "two/CD wugs/NNS", "a/DT wug/NN", "my/PRP$ wug/NN", "a/DT blick/NN")
    found = extra.select(UnknownIndex.of(tagger.trained().forms, TEST, extra).imports(1))
    assert [sentence.forms[1:] for sentence in found] == [("two", "wugs"), ("a", "wug")]
    words = UnknownIndex.of(tagger.trained().forms, TEST, extra).select(imports=5)
    result = tag_consistently(tagger, TEST, SETTINGS, words=words)
    assert result.words.imported == 3 and len(result.words.rows) == 7
    assert len(result.tagging) == len(TEST.heads) and len(result.certified) == len(TEST)


def test_a_search_that_was_cancelled_goes_on_to_the_same_bits(tagger):
    strong, states = scaled(12, SETTINGS), []
    whole = tag_consistently(tagger, TEST, strong)
    assert len(whole.trace) > 2
    stops = Stops(cancel=lambda: len(states) == 2, checkpoint=states.append)
    stopped = tag_consistently(tagger, TEST, strong, stops=stops)
    assert (stopped.status, len(stopped.trace)) == ("cancelled", 2)
    found = tag_consistently(tagger, TEST, strong, stops=Stops(resume=states[-1]))
    assert [record.dual for record in found.trace] == [record.dual for record in whole.trace]
    assert found.tagging.tolist() == whole.tagging.tolist() and found.primal == whole.primal


def test_groups_with_few_occurrences_are_left_out(tagger):
    extra = bank("two/CD blicks/NNS", "a/DT wug/NN")
    text = bank("the/DT wug/NN", "a/DT blick/NN", "wugs/NNS sleep/VBP")
    index = UnknownIndex.of(seen_forms(TRAIN), text, extra)
    for imports, least, names in ((20, 2, ("blick/blicks", "wug/wugs")), (20, 3, ("wug/wugs",)), (20, 4, ()),
                                  (0, 2, ("wug/wugs",))):  # fmt: skip
        words = index.select(imports, least)
        assert words.names == names and words.sizes.tolist() == np.bincount(words.group).tolist()
    result = tag_consistently(tagger, text, SETTINGS, words=index.select(least=3))
    assert result.words.names == ("wug/wugs",) and len(result.labels) == 1


def test_scores_are_of_words_with_a_known_tag(tagger):
    result = tag_consistently(tagger, TEST, scaled(12, SETTINGS))
    scores = tag_scores(tagger, TEST, result)
    for score, tagging in ((scores.base, result.base_tagging), (scores.model, result.tagging)):
        right = sum(TEST.xpos[row] == tagger.tags[tagging[row]] for row in np.flatnonzero(TEST.is_word))
        assert score.pos_accuracy == pytest.approx(100 * right / TEST.token_count)
    gold = np.where(TEST.is_word, TEST.xpos.strings(), "")
    for effect in filled(result.effects(gold)):
        assert effect.corrected == sum(change.after == change.gold for change in effect.changes)
        assert effect.net == effect.corrected - effect.harmed
    assert tag_scores(tagger, bank("the/DT/2 dog/NN/0").select([]), result) is None


@pytest.mark.parametrize(
    "train, test, message",
    [
        (bank("a/X b/X"), TEST, "that have one have the xpos tag X; a tagger learns from two tags or more"),
        (TRAIN, bank("der/ART Hund/NOUN"), "are in different tag sets: 100% of the test words"),
    ],
)
def test_texts_that_do_not_go_together_are_one_sentence(train, test, message):
    with pytest.raises(WorkbenchError, match=message):
        require_same_tags(train, test, "xpos")


def test_bad_input(tagger):
    with pytest.raises(WorkbenchError, match="2 occurrences or more, got 1"):
        UnknownIndex.of(seen_forms(TRAIN), TEST).select(least=1)
    with pytest.raises(WorkbenchError, match="nothing to agree on"):
        tag_consistently(tagger, bank("the/DT wug/NN"), SETTINGS)
    with pytest.raises(WorkbenchError, match="0 or more, got -1"):
        UnknownIndex.of(seen_forms(TRAIN), TEST).select(imports=-1)
    with pytest.raises(WorkbenchError, match="not been trained"):
        tag_consistently(Tagger(), TEST, SETTINGS)
