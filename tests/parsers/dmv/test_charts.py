"""What the DMV computes about sentences, against the list of all trees: likelihoods, counts, best trees, brackets."""

import numpy as np
import pytest

from core.parsers.dmv.parameters import Events, estimate, harmonic_arcs, harmonic_counts, log_prior, uniform_parameters
from core.parsers.dmv.text import (
    TaggedText,
    arc_marginals,
    best_trees,
    count_events,
    expect,
    expected_counts,
    tree_counts,
)
from core.trees.brackets import LEVELS, Bracket, PackedBrackets, fallbacks, level_counts
from tests.oracles import brackets as bracket_oracle
from tests.oracles import dmv as oracle
from tests.oracles import trees

KINDS = ("ordinary", "tiny", "odd")  # of parameters
LENGTHS = (3, 1, 5, 2, 4, 5, 1, 4, 3, 2, 5)


def corpus(rng, tag_count=3, lengths=LENGTHS, **options):
    offsets = np.cumsum([0, *(length + 1 for length in lengths)])
    return TaggedText(rng.integers(0, tag_count, offsets[-1]).astype(np.int32), offsets, **options)


def sentences(text):
    return [text.tags[begin + 1 : end] for begin, end in zip(text.offsets[:-1], text.offsets[1:], strict=True)]


def same(counts, expected):
    for ours, theirs in zip(counts.arrays, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-9)


def random_parameters(rng, extended, kind):
    """Parameters of a grammar: ordinary, tiny, or some of them impossible, equal, or far apart."""
    parameters = oracle.random_parameters(3, rng, extended)
    if kind == "tiny":  # sums of 1e-400 are done in logarithms
        parameters[1][[oracle.DONE, oracle.EMPTY]] *= 1e-80
    elif kind == "odd":
        odd = np.array([0.0, 0.25, 1.0, 1e-80])
        parameters = [np.where(rng.random(part.shape) < 0.5, rng.choice(odd, part.shape), part) for part in parameters]
    return parameters


def require_right(level, extended, kind):
    """Counts, marginals and best trees under brackets are those of the trees that the brackets leave."""
    rng = np.random.default_rng(LEVELS.index(level))
    spans = [bracket_oracle.all_brackets(length) for length in LENGTHS]
    spans = [[all_[i] for i in rng.choice(len(all_), min(len(all_), k % 3), False)] for k, all_ in enumerate(spans)]
    packed = PackedBrackets.from_lists([[Bracket(*span) for span in some] for some in spans])
    text = corpus(rng, brackets=packed, level=LEVELS.index(level))
    parameters, bonus = random_parameters(rng, extended, kind), np.exp(2 * rng.normal(size=text.arcs[-1]))
    found = expect(text, Events(*parameters), bonus=bonus)
    np.testing.assert_allclose(arc_marginals(text, Events(*parameters), bonus=bonus)[1], found.marginals, atol=1e-12)
    values, heads = best_trees(text, Events(*parameters), bonus=bonus)
    expected, levels = [], []
    for i, (tags, some) in enumerate(zip(sentences(text), spans, strict=True)):
        number = LEVELS.index(level) if some else 0
        own = bonus[text.arcs[i] : text.arcs[i + 1]].reshape(len(tags) + 1, -1)
        tree = heads[text.offsets[i] : text.offsets[i + 1]]
        listed, logs, _ = oracle.distribution(tags, parameters)
        possible = listed[logs > -np.inf]
        while not len(listed := bracket_oracle.keep(possible, some, LEVELS[number])) and number:
            number -= 1
        levels.append(number)
        if not len(listed):
            assert found.log_likelihoods[i] == values[i] == -np.inf and (tree == -1).all()
            continue
        total, part = oracle.expected_counts(tags, parameters, listed, own)
        assert found.log_likelihoods[i] == pytest.approx(total) and (listed == tree).all(axis=1).any()
        assert values[i] == pytest.approx(total + oracle.distribution(tags, parameters, np.log(own), listed)[1].max())
        marginals = found.marginals[text.arcs[i] : text.arcs[i + 1]].reshape(own.shape)
        np.testing.assert_allclose(marginals, oracle.arc_marginals(tags, parameters, own, listed), atol=1e-9)
        expected.append(part)
    same(count_events(text, found, Events(*parameters)), [sum(parts) for parts in zip(*expected, strict=True)])
    assert text.levels.tolist() == levels
    assert level_counts(text.levels, text.brackets).sum() == sum(bool(some) for some in spans)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("level", LEVELS)
def test_counts_marginals_and_best_trees_under_brackets_match_enumeration(level, extended, kind):
    require_right(level, extended, kind)


def test_expectations_have_the_same_bits_on_any_number_of_threads():
    rng = np.random.default_rng(3)
    text = corpus(rng, lengths=rng.integers(1, 15, 300).tolist())
    parameters, bonus = Events(*oracle.random_parameters(3, rng, True)), np.exp(rng.normal(size=text.arcs[-1]))
    first, other = (expect(text, parameters, bonus=bonus, threads=count) for count in (1, 3))
    np.testing.assert_array_equal(first.marginals, other.marginals)
    np.testing.assert_array_equal(first.log_likelihoods, other.log_likelihoods)
    counts = (count_events(text, found, parameters, threads) for threads, found in ((1, first), (3, other)))
    for one, two in zip(*(each.arrays for each in counts), strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_sentence_that_counts_thrice_counts_as_three():
    rng = np.random.default_rng(5)
    once, weights = corpus(rng, lengths=(1, 3, 5)), np.array([1.0, 3.0, 1.0])
    events, rows = Events(*oracle.random_parameters(3, rng, True)), np.split(once.tags, once.offsets[1:-1])
    thrice = TaggedText(np.concatenate([*rows, rows[1], rows[1]]), np.append(once.offsets, once.offsets[-1] + [4, 8]))
    weighed = count_events(once, expect(once, events), events, weights=weights)
    same(count_events(thrice, expect(thrice, events), events), weighed.arrays)


@pytest.mark.parametrize("tiny", [1.0, 1e-80])  # some totals leave float64's range, then others do not
@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("level", LEVELS)
def test_counts_by_way_of_arcs_are_those_added_up_sentence_by_sentence(level, extended, tiny):
    rng = np.random.default_rng(5)
    lengths = [1, 2, 14, *rng.integers(1, 12, 24).tolist()]
    starts = [rng.integers(1, length + 1, rng.integers(0, 4)) for length in lengths]
    packed = PackedBrackets.from_lists(
        [
            [Bracket(int(start), int(rng.integers(start + 1, length + 2))) for start in some]
            for some, length in zip(starts, lengths, strict=True)
        ]
    )
    text = corpus(rng, lengths=lengths, brackets=packed, level=LEVELS.index(level))
    parameters = oracle.random_parameters(3, rng, extended)
    parameters[1][oracle.DONE] *= tiny
    events = Events(*parameters)
    totals, counts = expected_counts(text, events)
    again = TaggedText(text.tags, text.offsets, packed, LEVELS.index(level))
    found = expect(again, events)
    np.testing.assert_allclose(found.log_likelihoods, totals)
    np.testing.assert_array_equal(text.levels, again.levels)
    same(count_events(again, found, events), counts.arrays)


def test_brackets_that_cross_fall_back_together_and_are_counted():
    crossing = [Bracket(1, 4), Bracket(2, 6)]  # overlap 2-3, and no word can head both at strict or loose
    packed = PackedBrackets.from_lists([crossing, [Bracket(2, 4)], []])
    text = corpus(np.random.default_rng(0), lengths=(6, 5, 5), brackets=packed, level=4)
    best_trees(text, uniform_parameters(3))
    assert fallbacks(level_counts(text.levels, packed), 4) == {
        "strict": 1,
        "loose": 1,
        "sprawl": 0,
        "tear": 0,
        "none": 0,
    }
    assert text.levels.tolist() == [3, 4, 0]


def test_too_many_brackets_over_one_word_are_not_tried_at_tear():
    deep = PackedBrackets.from_lists([[Bracket(1, end) for end in range(3, 17)]])
    text = corpus(np.random.default_rng(0), lengths=(17,), brackets=deep, level=1)
    assert fallbacks(level_counts(text.levels, deep), 1) == {"tear": 0, "none": 1}
    text = corpus(np.random.default_rng(0), lengths=(17,), brackets=deep, level=2)
    text.relax_level([0])
    assert text.levels.tolist() == [0]


@pytest.mark.parametrize("extended", [False, True])
def test_events_of_trees_are_counted(extended):
    listed = trees.trees(5, True, True)
    offsets = np.arange(len(listed) + 2) * 6
    tags = np.random.default_rng(0).integers(0, 3, offsets[-1]).astype(np.int32)
    heads = np.append(listed.astype(np.int32).ravel(), np.full(6, -1, np.int32))  # the last has no tree
    shape = Events(*oracle.random_parameters(3, np.random.default_rng(0), extended))
    counts = tree_counts(TaggedText(tags, offsets), heads, shape)
    expected = [np.zeros_like(part) for part in counts.arrays]
    for i, tree in enumerate(listed):
        took, decided, top = oracle.events(tags[6 * i + 1 : 6 * i + 6], tree, extended)
        for part, events in zip(expected, (took, decided, {top: 1}), strict=True):
            for key, count in events.items():
                part[key] += count
    same(counts, expected)


def test_chance_breaks_ties_the_same_way_on_any_number_of_threads():
    text = corpus(np.random.default_rng(0), lengths=(5,) * 400)
    uniform = uniform_parameters(3)
    values, heads = best_trees(text, uniform, seed=1, threads=1)
    np.testing.assert_array_equal(heads, best_trees(text, uniform, seed=1, threads=3)[1])
    assert (heads != best_trees(text, uniform, seed=2)[1]).any()
    np.testing.assert_allclose(values, values[0])
    seen = {tuple(tree) for tree in heads.reshape(-1, 6)}
    assert len(seen) > 90 and seen <= {tuple(tree) for tree in trees.trees(5, True, True)}  # of 143


def test_harmonic_start_gives_every_word_one_head():
    arcs = harmonic_arcs(4)
    np.testing.assert_allclose(arcs.sum(axis=0), 0.75)
    assert arcs[0, 1] == pytest.approx(2 * arcs[3, 1]) and harmonic_arcs(1).tolist() == [[0.0]]
    rng = np.random.default_rng(0)
    text = corpus(rng)
    counts = harmonic_counts(text.tags, text.offsets, 3)
    assert counts.take.sum() + counts.root.sum() == pytest.approx(sum(LENGTHS))
    assert counts.root.sum() == pytest.approx(len(LENGTHS))
    first, further = counts.valence[2].sum(), counts.valence[3].sum()
    assert first + further == pytest.approx(counts.take.sum()) and further > 0
    np.testing.assert_allclose(counts.valence[:, :, 0][0] + counts.valence[:, :, 0][2], (text_words(text) == 0).sum())


def text_words(text):
    return np.concatenate(sentences(text))


def test_estimates_are_shares_with_smoothing():
    counts = Events(np.array([[[3.0]], [[0.0]]]), np.array([[[3.0]], [[0.0]], [[1.0]], [[0.0]]]), np.array([2.0]))
    counts = Events(counts.take, np.repeat(counts.valence, 2, axis=1), counts.root)
    plain, smoothed = estimate(counts, 0), estimate(counts, 1)
    assert plain.take.ravel().tolist() == [1, 1] and plain.valence[:, 0, 0].tolist() == [0.75, 0.5, 0.25, 0.5]
    assert smoothed.valence[:, 0, 0] == pytest.approx([4 / 6, 0.5, 2 / 6, 0.5])
    assert log_prior(plain, 0) == 0 and log_prior(uniform_parameters(1), 1) == pytest.approx(8 * np.log(0.5))
    wide = uniform_parameters(2).over(("A", "B"), ("A", "B", "C"))
    np.testing.assert_allclose(wide.take.sum(axis=2), 1)
    assert wide.take.shape == (2, 3, 3) and wide.root.sum() == pytest.approx(1)
