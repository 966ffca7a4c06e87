"""One battery over every decoder of ``decoders.py``: all trees of short sentences, corpora, and what is refused."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from tests.trees.decoders import ARGUMENTS, DECODERS, weighed

SIDES = (2, 9, 4, 4, 12, 3, 7)  # nodes of the sentences of a corpus; no tree fits the fourth
IMPOSSIBLE = 3
OVER_SCORES = [name for name, decoder in DECODERS.items() if "scores" in decoder.takes]
CORPORA = [name for name, decoder in DECODERS.items() if decoder.packs]
BOTH = [name for name in CORPORA if "errors" in DECODERS[name].options]


def decoded(decoder, problem, single_root=True, **options):
    """The answer for a problem or a packed corpus."""
    taken = {"single_root": single_root, **options}
    return decoder.decode(
        *(problem[name] for name in decoder.takes), **{k: v for k, v in taken.items() if k in decoder.options}
    )


def random_problem(decoder, rng, side):
    """A problem of normal scores."""
    return {name: ARGUMENTS[name].random(rng, side) for name in decoder.takes}


def packed(decoder, problems):
    """The problems as one corpus."""
    corpus = {}
    for name in decoder.takes:
        pack = ARGUMENTS[name].pack
        each = [problem[name] for problem in problems]
        corpus[name] = pack(each) if pack else ARGUMENTS[name].random(np.random.default_rng(0), 2)
    return corpus


def parts(answer):
    """The arrays of a sentence's answer."""
    return [np.asarray(part) for part in answer] if isinstance(answer, tuple) else [np.asarray(answer)]


def of_sentence(answer, index):
    """A sentence's answer from a corpus's."""
    return tuple(part[index] for part in answer) if isinstance(answer, tuple) else answer[index]


def same(one, other):
    for left, right in zip(parts(one), parts(other), strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("name", DECODERS)
@settings(deadline=None, max_examples=200)
@given(data=st.data(), single_root=st.booleans())
def test_matches_enumeration(name, data, single_root):
    decoder, side = DECODERS[name], data.draw(st.integers(2, 6))
    problem = {name: data.draw(ARGUMENTS[name].draw(side), name) for name in decoder.takes}
    before = copy.deepcopy(problem)
    listed, values = weighed(problem, single_root, decoder.projective)
    if values.max(initial=-np.inf) == -np.inf and "single_root" in decoder.options:
        with pytest.raises(InfeasibleError):
            decoded(decoder, problem, single_root)
    if values.max(initial=-np.inf) > -np.inf or decoder.packs:
        decoder.check(decoded(decoder, problem, single_root, errors="mark"), listed, values, problem)
    for argument, value in before.items():
        np.testing.assert_equal(problem[argument], value)  # left as it was


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_a_corpus_is_like_its_sentences(name, threads):
    decoder, rng = DECODERS[name], np.random.default_rng(3)
    problems = [random_problem(decoder, rng, side) for side in SIDES]
    if name in BOTH:
        problems[1]["scores"][rng.random((9, 9)) < 0.3] = -np.inf
        problems[4]["scores"] *= 300.0
        problems[IMPOSSIBLE]["scores"][:, 2] = -np.inf
    corpus = packed(decoder, problems)
    found = decoded(decoder, corpus, errors="mark", threads=threads)
    for index, problem in enumerate(problems):
        same(of_sentence(found, index), decoded(decoder, problem, errors="mark"))
    nothing = decoded(decoder, packed(decoder, []), threads=threads)
    assert all(len(part) == 0 for part in (nothing if isinstance(nothing, tuple) else (nothing,)))
    if name in BOTH:
        with pytest.raises(InfeasibleError, match=rf"sentence {IMPOSSIBLE}: .*every head of word 2 is forbidden") as no:
            decoded(decoder, corpus, threads=threads)
        assert no.value.sentence == IMPOSSIBLE


@pytest.mark.parametrize("name", OVER_SCORES)
def test_ignores_the_diagonal_and_column_0(name):
    decoder = DECODERS[name]
    problem = random_problem(decoder, np.random.default_rng(5), 8)
    expected = decoded(decoder, problem)
    for array in {"scores", "direction"} & set(problem):
        problem[array][:, 0] = np.nan
        np.fill_diagonal(problem[array], np.inf)
    same(decoded(decoder, problem), expected)


@pytest.mark.parametrize("name", OVER_SCORES)
def test_refuses_what_is_no_score(name):
    decoder = DECODERS[name]
    good, bad = (random_problem(decoder, np.random.default_rng(5), 4) for _ in range(2))
    bad["scores"][2, 3] = np.nan
    with pytest.raises(ScoreShapeError, match=r"^scores\[2, 3\] is nan"):
        decoded(decoder, bad)
    if decoder.packs:
        with pytest.raises(ScoreShapeError, match=r"sentence 1: scores\[2, 3\] is nan"):
            decoded(decoder, packed(decoder, [good, bad]))
        with pytest.raises(WorkbenchError, match='errors must be "raise" or "mark"'):
            decoded(decoder, good, errors="ignore")
    with pytest.raises(ScoreShapeError, match=r"n >= 1, got \(1, 1\)"):
        decoded(decoder, good | {"scores": np.zeros((1, 1))})
