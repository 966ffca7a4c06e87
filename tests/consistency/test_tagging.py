"""Tagging with consistency against enumeration of all taggings and labels."""

from itertools import product

import numpy as np
import pytest

from core.consistency import ConsistencySettings, tag_consistently
from core.consistency.unknown import UnknownWords, group_key, import_sentences
from core.errors import WorkbenchError
from core.parsers import Tagger
from tests.consistency.banks import bank
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


def best_joint(tagger, texts, words, labels, settings):
    """(value, taggings) of the best joint answer: all tags of the grouped words, the others by Viterbi."""
    size, best = len(tagger.tags), -np.inf
    lattices, ends = [tagger.lattice(text) for text in texts], np.cumsum([0, *(len(text.heads) for text in texts)])
    deltas = settings.delta1, settings.delta2, settings.delta3
    for tags in product(range(size), repeat=len(words.rows)):
        value = 0.0
        for lattice, begin, end in zip(lattices, ends[:-1], ends[1:], strict=True):
            u = np.zeros(lattice.shape)
            for row, tag in zip(words.rows, tags, strict=True):
                if begin <= row < end:
                    u[row - begin] = -np.inf
                    u[row - begin, tag] = 0.0
            value += lattice.decode(u, threads=1)[1].sum()
        for group in range(len(words.names)):
            chosen = [tag for tag, own in zip(tags, words.group, strict=True) if own == group]
            value += consensus_value(chosen, size, deltas, lambda a, b: labels[a + 1] == labels[b + 1])[0]
        best = max(best, value)
    return best


@pytest.mark.parametrize("strength", [1, 5, 12])
def test_what_is_certified_is_the_best_of_all_taggings_and_labels(tagger, strength):
    kinds = {"NN": "noun", "NNS": "noun", "VBZ": "verb", "VBP": "verb"}
    names = ("delta1", "delta2", "delta3", "step")
    stronger = {name: strength * getattr(SETTINGS, name) for name in names}
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), **stronger, "release": False})
    result = tag_consistently(tagger, TEST, settings, close=kinds)
    classes = np.array([0, *(kinds.get(tag, tag) for tag in tagger.tags)], dtype=object)
    value = best_joint(tagger, [TEST], result.words, classes, settings)
    assert result.bound >= value - 1e-9 and (strength == 1 or len(result.trace) > 1)
    assert result.is_certified and result.primal == pytest.approx(value, abs=1e-8)
    for record in result.trace:
        assert record.dual >= value - 1e-9 and record.primal <= value + 1e-9


def test_a_word_and_its_plural_share_a_consensus(tagger):
    words = UnknownWords.of(tagger, [TEST])
    assert words.names == ("wug/wugs",) and len(words.rows) == 4
    assert [group_key(form, {"wug", "wugs", "bus"}) for form in ("wug", "wugs", "bus")] == ["wug", "wug", "bus"]


def test_words_are_tagged_alike_and_effects_say_which(tagger):
    strong = ConsistencySettings(delta1=50.0, delta2=0.0, delta3=0.0, unit="score", step=5.0)
    result = tag_consistently(tagger, TEST, strong, close={})
    tags = {result.treebank.xpos[row] for row in result.words.rows}
    assert len(tags) == 1 and result.labels[0] >= 0
    base = tagger.tag(TEST)
    changed = sum(base.xpos[row] != result.treebank.xpos[row] for row in range(len(TEST.heads)))
    assert result.statistics()["changed_words"] == changed
    assert sum(len(effect.changes) for effect in result.effects()) <= changed
    weak = tag_consistently(tagger, TEST, ConsistencySettings(delta1=0, delta2=0, delta3=0), close={})
    assert weak.tagging.tolist() == weak.base_tagging.tolist() and not weak.effects()


def test_further_sentences_are_imported_for_unknown_words_and_relatives(tagger):
    extra = bank("a/DT dog/NN", "two/CD wugs/NNS", "a/DT wug/NN", "my/PRP$ wug/NN", "a/DT blick/NN")
    found = import_sentences(tagger, TEST, extra, 1)
    assert [sentence.forms[1:] for sentence in found] == [("two", "wugs"), ("a", "wug")]
    result = tag_consistently(tagger, TEST, SETTINGS, extra=extra, imports=5)
    assert result.imported == 3 and len(result.words.rows) == 7
    assert len(result.tagging) == len(TEST.heads) and len(result.certified) == len(TEST)
    value = best_joint(tagger, [TEST], UnknownWords.of(tagger, [TEST]), np.arange(9), SETTINGS)
    assert np.isfinite(value)


def test_resuming_equals_never_having_stopped(tagger, tmp_path):
    settings = ConsistencySettings(delta1=9.0, delta2=3.0, delta3=2.0, unit="score", step=0.4, start=0)
    whole = tag_consistently(tagger, TEST, settings)
    assert len(whole.trace) > 2
    asked = iter(range(100))
    part = tag_consistently(tagger, TEST, settings, cancel=lambda: next(asked) > 1)
    assert part.status == "cancelled" and not part.is_certified
    part.save(tmp_path / "run.npz")
    rest = tag_consistently(tagger, TEST, settings, resume=tmp_path / "run.npz")
    assert rest.tagging.tolist() == whole.tagging.tolist() and rest.primal == whole.primal
    assert [r.dual for r in rest.trace] == [r.dual for r in whole.trace]


def test_bad_input(tagger):
    with pytest.raises(WorkbenchError, match="nothing to agree on"):
        tag_consistently(tagger, bank("the/DT wug/NN"), SETTINGS)
    with pytest.raises(WorkbenchError, match="0 or more, got -1"):
        tag_consistently(tagger, TEST, SETTINGS, imports=-1)
    with pytest.raises(WorkbenchError, match="not been trained"):
        tag_consistently(Tagger(), TEST, SETTINGS)


@pytest.mark.parametrize("strength", [1, 5, 12])
def test_branch_and_bound_finds_the_best_taggings_after_a_single_iteration(tagger, strength):
    kinds = {"NN": "noun", "NNS": "noun", "VBZ": "verb", "VBP": "verb"}
    stronger = {name: strength * getattr(SETTINGS, name) for name in ("delta1", "delta2", "delta3", "step")}
    stronger |= {"iterations": 1, "start": 0.0}
    settings = ConsistencySettings(**{**SETTINGS.as_dict(), **stronger})
    result = tag_consistently(tagger, TEST, settings, close=kinds)
    classes = np.array([0, *(kinds.get(tag, tag) for tag in tagger.tags)], dtype=object)
    value = best_joint(tagger, [TEST], result.words, classes, settings)
    assert result.is_certified and len(result.trace) == 1
    assert result.primal == pytest.approx(value, abs=1e-8) and result.bound == pytest.approx(value, abs=1e-8)
