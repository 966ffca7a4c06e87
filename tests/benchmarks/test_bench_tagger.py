"""The tagger's speed against DESIGN's budgets, and its search against the same recursion in numpy.

Run with ``python -m pytest tests/benchmarks/test_bench_tagger.py --benchmark-enable --benchmark-only -s``.
"""

import time

import numpy as np
import pytest

from core.parsers import Tagger
from core.threads import core_count
from core.treebank import read_conllu

WORDS_A_SECOND = {("upos", 0): 100_000, ("upos", 1): 100_000, ("xpos", 0): 17_000, ("xpos", 1): 100_000}


@pytest.fixture(scope="module")
def text(shared_data, most):
    return read_conllu(shared_data / "en-ewt" / "ewt-dev.conllu").limit(most(10_000, 30))


@pytest.fixture(scope="module")
def training(shared_data, most):
    return read_conllu(shared_data / "en-ewt" / "ewt-train.conllu").limit(most(3000, 60))  # for realistic weights


@pytest.fixture(scope="module", params=["upos", "xpos"])
def tagger(request, training):
    return Tagger().fit(training, tags=request.param, epochs=3)


@pytest.mark.parametrize("limit", [0, 1])
def test_tagging(benchmark, tagger, text, limit):
    tagger.decode(text, limit=limit)
    began = time.process_time()
    tagger.decode(text, limit=limit, threads=1)
    per_core = text.token_count / (time.process_time() - began)  # steadier where the cores are shared
    benchmark.pedantic(tagger.decode, args=(text,), kwargs={"limit": limit}, rounds=7)
    speed = text.token_count / benchmark.stats.stats.min
    budget = WORDS_A_SECOND[tagger.column, limit]
    print(
        f"\n{tagger.column}, {len(tagger.tags)} tags, {'known words limited' if limit else 'every tag open'}: "
        f"{speed:,.0f} words a second on {core_count()} cores, {speed / budget:.1f} x the budget; "
        f"{per_core:,.0f} a second of processor time"
    )


def test_search_beside_numpy(benchmark, tagger, text):
    """The same scores, one thread each; numpy on the first sentences only."""
    text = text.limit(150)
    lattice = tagger.lattice(text)
    benchmark.pedantic(lattice.decode, kwargs={"threads": 1}, rounds=7, warmup_rounds=1)
    began = time.perf_counter()
    values = _numpy_values(lattice)
    seconds = time.perf_counter() - began
    np.testing.assert_allclose(values, lattice.decode()[1])
    ours = benchmark.stats.stats.min
    print(
        f"\n{tagger.column}: {1e6 * ours / text.token_count:.1f} us a word on one thread, "
        f"{seconds / ours:.1f} x faster than the recursion in numpy"
    )


def _numpy_values(lattice):
    tags, transitions, scores = len(lattice.tags), lattice.transitions, lattice.local_scores()
    values = []
    for first, last in zip(lattice.offsets[:-1] + 1, lattice.offsets[1:], strict=True):
        local, classes = scores[first:last], lattice.words.classes[first:last]
        best = np.full((tags + 1, tags), -np.inf)
        best[tags] = local[0] + transitions.bigram[tags, :tags] + transitions.trigram[tags, tags, :tags]
        for i in range(1, len(local)):
            pair = transitions.bigram[:tags, :tags] + transitions.of_word[classes[i]]
            pair = pair + transitions.of_previous[classes[i - 1]] + local[i]
            after = (best[:, :, None] + transitions.trigram[:, :tags, :tags]).max(axis=0) + pair
            best = np.vstack([after, np.full(tags, -np.inf)])
        ends = transitions.trigram[:, :tags, tags] + transitions.bigram[:tags, tags]
        values.append((best + ends).max())
    return values


def test_beside_nltk(benchmark, tagger, text, training):
    """NLTK's averaged perceptron decides word by word, from left to right, over the same tags."""
    peer = pytest.importorskip("nltk.tag.perceptron").PerceptronTagger(load=False)
    pairs = [list(zip(s.forms[1:], getattr(s, tagger.column)[1:], strict=True)) for s in training]
    peer.train(pairs, nr_iter=3)
    benchmark.pedantic(tagger.decode, args=(text,), rounds=3, warmup_rounds=1)
    forms = [sentence.forms[1:] for sentence in text]
    began = time.perf_counter()
    tagged = [peer.tag(words) for words in forms]
    seconds = time.perf_counter() - began
    gold = [tag for sentence in text for tag in getattr(sentence, tagger.column)[1:]]
    right = sum(tag == correct for (_, tag), correct in zip((p for s in tagged for p in s), gold, strict=True))
    ours, theirs = tagger.accuracy(text).pos_accuracy, 100 * right / len(gold)
    print(
        f"\n{tagger.column}: {seconds / benchmark.stats.stats.min:.0f} x faster than NLTK's perceptron tagger; "
        f"{ours:.1f}% right, NLTK's {theirs:.1f}% after the same training"
    )


def test_training_epoch(benchmark, training, tagger):
    benchmark.pedantic(Tagger().fit, args=(training,), kwargs={"tags": tagger.column, "epochs": 1}, rounds=2)
    speed = training.token_count / benchmark.stats.stats.min
    print(f"\n{tagger.column}, indexing and one epoch: {speed:,.0f} words a second")


def test_saving_and_loading(benchmark, tagger, tmp_path):
    path = tmp_path / "tagger.npz"
    tagger.save(path, half=True)
    benchmark.pedantic(Tagger.load, args=(path,), rounds=5)
    print(f"\n{tagger.column}: {path.stat().st_size / 1e6:.2f} MB, loaded in {benchmark.stats.stats.min:.3f} s")
