"""Training: it learns, gives the same bits from the same seed, and says what it cannot learn from."""

from dataclasses import replace

import numpy as np
import optax
import pytest

from core.errors import WorkbenchError
from core.parsers.universal.examples import WIDTHS, Drawing, epoch
from core.parsers.universal.questions import QUESTIONS, SIX
from core.parsers.universal.text import ROOT, TAGS, TaggedWords
from core.parsers.universal.training import UniversalSettings, decayed, train_network
from core.treebank import load_sample
from tests.parsers.universal.conftest import SHAPE, random_words

RELATIONS = ("root", "a", "b", "c", "d")
DRAWING = Drawing(sentences=64, batch=16, turned=0)
SMALL = UniversalSettings(epochs=20, rate=0.02, dropout=0.0, shape=SHAPE, drawing=DRAWING)


def source(seed=0):
    return random_words([4] * 80, np.random.default_rng(seed))


def test_it_learns_and_repeats_itself():
    losses = []
    found = [
        train_network([source()], RELATIONS, SMALL, progress=lambda report: losses.append(report.loss))
        for _ in range(2)
    ]
    assert losses[19] < 0.6 * losses[0] and losses[:20] == losses[20:]
    for name, values in found[0].weights.items():
        np.testing.assert_array_equal(values, found[1].weights[name])
        assert np.isfinite(values).all()
    other = train_network([source()], RELATIONS, replace(SMALL, seed=1))
    assert (other.weights["tags"] != found[0].weights["tags"]).any()
    other.read(source(), np.full(len(QUESTIONS), np.nan), np.zeros(153, np.float32))


def test_it_stops_when_asked():
    asked = []
    train_network([source()], RELATIONS, SMALL, cancel=lambda: not asked.append(1))
    assert len(asked) == 1


def test_the_rate_decays_as_optax_has_it():
    schedule = optax.cosine_decay_schedule(0.02, 50)
    expected = [float(schedule(step)) for step in range(51)]
    np.testing.assert_allclose([decayed(0.02, step, 50) for step in range(51)], expected, rtol=1e-5, atol=1e-8)


def test_what_cannot_be_learnt_from_is_said():
    with pytest.raises(WorkbenchError, match="no treebank to learn from"):
        train_network([], RELATIONS)
    with pytest.raises(WorkbenchError, match="too small: 48 sentences of like length make a batch"):
        train_network([source().select(np.arange(10))], RELATIONS)
    with pytest.raises(WorkbenchError, match="at least one epoch, got 0"):
        replace(SMALL, epochs=0)


def test_an_epoch_has_real_and_turned_sentences_with_answers_left_open():
    text = load_sample().without_punctuation()
    relations = tuple(sorted({name.split(":")[0] for name in text.deprel.values}))
    words = TaggedWords.of(text, relations)
    batches = list(epoch([words], relations, Drawing(sentences=300, batch=8), np.random.default_rng(0)))
    assert {batch.shares.shape[1] for batch in batches} <= {*WIDTHS}
    sizes = [len(batch.shares) for batch in batches]
    assert 500 < sum(sizes) <= 600 and set(sizes) == {8, 16}
    answers = np.concatenate([batch.answers for batch in batches])
    known = answers[:, len(QUESTIONS) :] == 1
    assert not answers[:, : len(QUESTIONS)][~known].any()
    open_ = ~known.any(axis=1)
    assert 0.08 < open_.mean() < 0.25  # nothing is known of them
    assert (~known[:, len(SIX) :].any(axis=1) & ~open_).mean() > 0.15  # the six at most
    adposition = answers[known[:, 0], 0]
    assert (adposition < 0).any() and (adposition > 0).any()  # some were turned
    for batch in batches:
        assert (batch.shares[:, 0, ROOT] == 1).all() and (batch.heads[batch.present == 0] == 0).all()
    bare = np.concatenate([batch.statistics for batch in batches]).any(axis=1)
    assert 0.1 < 1 - bare.mean() < 0.3


def test_some_copies_are_read_with_tags_in_doubt():
    """Verbs are nouns with 75% and nouns verbs; trees, and what they answer, stay those of the words' own tags."""
    text = load_sample().without_punctuation()
    relations = tuple(sorted({name.split(":")[0] for name in text.deprel.values}))
    words = TaggedWords.of(text, relations)
    noun, verb = TAGS.index("NOUN"), TAGS.index("VERB")
    told = 0.25 * words.probable_tags()
    told[:, [noun, verb]] += 3 * told[:, [verb, noun]]
    told[words.probable_tags()[:, [noun, verb]].sum(axis=1) == 0] *= 4
    source = replace(words, shares=told)
    np.testing.assert_allclose(told.sum(axis=1), 1)
    sure, doubted = (
        list(epoch([source], relations, Drawing(300, batch=8, doubted=share), np.random.default_rng(0)))
        for share in (0.0, 1.0)
    )
    for one, other in zip(sure, doubted, strict=True):
        for name in ("heads", "relations", "present", "answers", "features"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        np.testing.assert_array_equal(one.shares.max(axis=2), one.present)
        np.testing.assert_allclose(other.shares[..., noun], one.shares[..., [noun, verb]] @ [0.25, 0.75])
        assert (other.shares[:, 0, ROOT] == 1).all()
    assert any((one.statistics != other.statistics).any() for one, other in zip(sure, doubted, strict=True))
    half = epoch([source] * 4, relations, Drawing(60, batch=8, doubted=0.5), np.random.default_rng(0))
    assert len({bool((batch.shares[..., noun] == 0.25).any()) for batch in half}) == 2
