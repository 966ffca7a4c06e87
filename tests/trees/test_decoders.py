"""One battery over every decoder of ``decoders.py``: all trees of short sentences, corpora, and what is refused."""

import copy
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InfeasibleError, ScoreShapeError, WorkbenchError
from core.trees import Bracket
from core.trees.brackets import LEVELS
from tests.oracles import brackets as bracket_oracle
from tests.oracles import higher_order
from tests.oracles import trees as oracle
from tests.trees.decoders import ARGUMENTS, CUBES, DECODERS, weighed

SIDES = (2, 9, 4, 4, 12, 3, 7)  # nodes of the sentences of a corpus; no tree fits the fourth
IMPOSSIBLE = 3
OVER_PARTS = [name for name, decoder in DECODERS.items() if set(CUBES) & set(decoder.takes)]
CORPORA = [name for name, decoder in DECODERS.items() if decoder.packs]


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


def require_right(decoder, problem, single_root):
    """The answer is what all trees say, and the arguments stay as they were."""
    near = np.clip(problem["scores"], -decoder.reach, decoder.reach)
    problem["scores"] = np.where(problem["scores"] > -np.inf, near, -np.inf)
    before = copy.deepcopy(problem)
    listed, values = weighed(problem, single_root, decoder.projective)
    if values.max(initial=-np.inf) == -np.inf:
        with pytest.raises(InfeasibleError):
            decoded(decoder, problem, single_root)
    if values.max(initial=-np.inf) > -np.inf or decoder.packs:
        decoder.check(decoded(decoder, problem, single_root, errors="mark"), listed, values, problem)
    for argument, value in before.items():
        np.testing.assert_equal(problem[argument], value)


@pytest.mark.parametrize("name", DECODERS)
@given(data=st.data(), single_root=st.booleans())
def test_matches_enumeration(name, data, single_root):
    """Of sentences of up to four words, whose scores are drawn one by one; the random problems below have five."""
    decoder, side = DECODERS[name], data.draw(st.integers(2, 5))
    require_right(decoder, {name: data.draw(ARGUMENTS[name].draw(side), name) for name in decoder.takes}, single_root)


def varied(decoder, rng, side, kind):
    """A problem of random scores that are ordinary, whole numbers, few, or far apart with a root that all prefer."""
    problem = random_problem(decoder, rng, side)
    for array in (problem[name] for name in ("scores", *CUBES) if name in problem):
        array *= 300.0 if kind == "far apart" else 1.0
        if kind == "whole numbers":
            np.round(array, out=array)
        array[rng.random(array.shape) < {"few": 0.5, "far apart": 0.1}.get(kind, 0.0) / (array.ndim - 1) ** 3] = -np.inf
    problem["scores"][0] += 1e4 if kind == "far apart" else 0.0
    if "brackets" in problem:
        every = bracket_oracle.all_brackets(side - 1)
        chosen = rng.choice(len(every), min(len(every), rng.integers(1, 4)), replace=False)
        problem |= {"brackets": [Bracket(*every[i]) for i in chosen], "level": LEVELS[rng.integers(5)]}
    return problem | ({"k": int(rng.choice([1, 2, 5, 16, 1000]))} if "k" in problem else {})


@pytest.mark.parametrize("kind", ["ordinary", "whole numbers", "few", "far apart"])
@pytest.mark.parametrize("name", DECODERS)
def test_random_problems_match_enumeration(name, kind):
    rng = np.random.default_rng(len(name))
    for side, single_root, _ in product(range(2, 7), (False, True), range(8 if "level" in DECODERS[name].takes else 3)):
        require_right(DECODERS[name], varied(DECODERS[name], rng, side, kind), single_root)


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_a_corpus_is_like_its_sentences(name, threads):
    decoder, rng = DECODERS[name], np.random.default_rng(3)
    problems = [random_problem(decoder, rng, side) for side in SIDES]
    problems[1]["scores"][rng.random((9, 9)) < 0.3] = -np.inf
    if "brackets" not in decoder.takes:  # whose ties fall by chance
        problems[2]["scores"][:] = 0.0
    problems[4]["scores"] *= 300.0 if decoder.reach == np.inf else 1.0
    problems[IMPOSSIBLE]["scores"][:, 2] = -np.inf
    corpus = packed(decoder, problems)
    found = decoded(decoder, corpus, errors="mark", threads=threads)
    for index, problem in enumerate(problems):
        same(of_sentence(found, index), decoded(decoder, problem, errors="mark"))
    nothing = decoded(decoder, packed(decoder, []), threads=threads)
    assert all(len(part) == 0 for part in (nothing if isinstance(nothing, tuple) else (nothing,)))
    with pytest.raises(InfeasibleError, match=rf"sentence {IMPOSSIBLE}: .*every head of word 2 is forbidden") as no:
        decoded(decoder, corpus, threads=threads)
    assert no.value.sentence == IMPOSSIBLE


@pytest.mark.parametrize("name", OVER_PARTS)
def test_a_sentence_whose_parts_are_all_forbidden_is_named_or_marked(name):
    decoder, rng = DECODERS[name], np.random.default_rng(4)
    problems = [random_problem(decoder, rng, 3) for _ in range(3)]
    for cube in set(CUBES) & set(problems[1]):
        problems[1][cube][:] = -np.inf
    corpus = packed(decoder, problems)
    kind = "sibling or grandparent" if "grandparents" in decoder.takes else "sibling"
    reason = (
        "forbidden or pruned arc, or a forbidden part; prune less" if "surv" in name else f"arc or {kind} part; allow"
    )
    with pytest.raises(InfeasibleError, match=f"^sentence 1: no tree is possible: every projective .*{reason}") as no:
        decoded(decoder, corpus)
    assert no.value.sentence == 1
    same(of_sentence(decoded(decoder, corpus, errors="mark"), 2), decoded(decoder, problems[2]))


def parts_of_trees(side):
    """{name of cubes: which entries are parts of a projective tree}."""
    found = {name: np.zeros((side,) * 3, dtype=bool) for name in CUBES}
    for heads in oracle.trees(side - 1, False, True):
        for head, sibling, modifier in higher_order.parts(heads):
            found["siblings"][head, sibling, modifier] = True
            found["grandparents"][heads[head], head, modifier] |= head > 0
    return found


@pytest.mark.parametrize("name", DECODERS)
def test_ignores_the_diagonal_and_column_0(name):
    decoder = DECODERS[name]
    problem = random_problem(decoder, np.random.default_rng(5), 6)
    expected = decoded(decoder, problem)
    for array in {"scores", "direction"} & set(problem):
        problem[array][:, 0] = np.nan
        np.fill_diagonal(problem[array], np.inf)
    for cube, own in parts_of_trees(6).items():
        for junk in (np.nan, np.inf, -np.inf, 1e9):
            changed = problem | ({cube: np.where(own, problem[cube], junk)} if cube in problem else {})
            same(decoded(decoder, changed), expected)
            if decoder.packs:
                same(of_sentence(decoded(decoder, packed(decoder, [changed])), 0), expected)


@pytest.mark.parametrize("name", DECODERS)
def test_refuses_what_is_no_score(name):
    decoder = DECODERS[name]
    good, bad = (random_problem(decoder, np.random.default_rng(5), 4) for _ in range(2))
    bad["scores"][2, 3] = np.nan
    with pytest.raises(ScoreShapeError, match=r"^scores\[2, 3\] is nan"):
        decoded(decoder, bad)
    if decoder.packs:
        with pytest.raises(ScoreShapeError, match=r"sentence 1: scores\[2, 3\] is nan"):
            decoded(decoder, packed(decoder, [good, bad]))
        with pytest.raises(WorkbenchError, match='errors must be "raise" or "mark", got \'ignore\''):
            decoded(decoder, good, errors="ignore")
    with pytest.raises(ScoreShapeError, match=r"n >= 1, got \(1, 1\)"):
        decoded(decoder, good | {"scores": np.zeros((1, 1))})
    if "direction" in decoder.takes:
        with pytest.raises(
            ScoreShapeError, match=r"direction must have the shape of the scores, \(4, 4\), got \(3, 3\)"
        ):
            decoded(decoder, good | {"direction": np.zeros((3, 3))})
        good["direction"][2, 3] = np.inf
        with pytest.raises(ScoreShapeError, match=r"direction(\[2, 3\] is| holds) inf.* must be finite"):
            decoded(decoder, good)
        good["scores"][2, 3] = -np.inf
        assert np.isfinite(decoded(decoder, good)).all()


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("name", OVER_PARTS)
def test_names_a_part_that_is_no_score(name, value):
    decoder = DECODERS[name]
    for cube, own in parts_of_trees(4).items():
        for part in np.argwhere(own) if cube in decoder.takes else ():
            good, bad = (random_problem(decoder, np.random.default_rng(5), 4) for _ in range(2))
            bad[cube][tuple(part)] = value
            message = rf"{cube[:-1]}_scores\[{', '.join(map(str, part))}\] is {value}; parts need finite scores"
            with pytest.raises(ScoreShapeError, match=message):
                decoded(decoder, bad, single_root=False)
            with pytest.raises(ScoreShapeError, match=rf"sentence 1: {message}"):
                decoded(decoder, packed(decoder, [good, bad]), single_root=False, errors="mark")
