"""Constraints and trees in one learner: its features and trees by enumeration, what is cross-fitted, what is said."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from core.constraints import GrammarSettings, Matcher, train_grammar
from core.constraints.grammar.stacking import KNOWN_SHARE, LEAST_VOTE, KnownSentences, without_trees
from core.constraints.grammar.trainer import GrammarTrainer, Knowledge
from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.parsers import MSTParser, load_parser
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.punctuation_arcs import marks_between
from core.parsers.stacked import FLOOR, Stacked, arc_features
from core.treebank import Treebank
from core.trees.packed import PackedScores
from tests.filled import filled
from tests.oracles import posterior as oracle
from tests.oracles import trees as listed_trees

SETTINGS = GrammarSettings(lengths=(15,), iterations=(3,), words="no", stacked=True, epochs=4)
KNOWN = (1, 4, 5, 9, 12, 20)


def heads_of(treebank, sentences):
    """The heads of some sentences, -1 in all others."""
    heads = np.full(len(treebank.heads), -1, np.int32)
    for index in sentences:
        rows = slice(*treebank.offsets[index : index + 2])
        heads[rows] = treebank.heads[rows]
    return heads


def learn(sample, lines, known=KNOWN, start=None, progress=None, cancel=None, **changes):
    trees = heads_of(sample, known)
    settings = replace(SETTINGS, **changes)
    return train_grammar(sample, lines, settings, trees=trees, start=start, progress=progress, cancel=cancel)


@pytest.fixture(scope="module")
def stages():
    """What was reported while the result was made."""
    return []


@pytest.fixture(scope="module")
def result(sample, lines, stages):
    return learn(sample, lines, progress=stages.append)


@pytest.fixture(scope="module")
def short(sample):
    """Sentences of at most five words, of which all trees can be listed."""
    found = sample.select(np.flatnonzero(sample.without_punctuation().lengths <= 5))
    assert len(found) > 3
    return found


def enumerated(grammar, treebank):
    """Arc posteriors of the words of a text without punctuation, over all trees that have their known heads."""
    words = treebank.without_punctuation()
    part, arcs = grammar.parts[0], arc_offsets_of(words.lengths)
    lines = PosteriorConstraints.of(Matcher(words, grammar.column).match(grammar.constraints), np.inf)
    weights = lines.log_weights(part.multipliers) - grammar.price * marks_between(treebank, words)
    tags, parameters = part.symbols.number(words), part.events.with_unknown_tag().arrays
    for i, length in enumerate(words.lengths.tolist()):
        own = weights[arcs[i] : arcs[i + 1]].reshape(length + 1, -1)
        numbers = tags[words.offsets[i] + 1 : words.offsets[i + 1]]
        trees, logs, _ = oracle.distribution(numbers, parameters, own, allowed(words[i].heads))
        shares = np.zeros((length + 1, length + 1))
        for tree, probability in zip(trees, np.exp(logs), strict=True):
            shares[tree[1:], np.arange(1, length + 1)] += probability
        yield shares


def allowed(heads):
    """The trees without crossing arcs that have the heads which are known, not -1."""
    trees = listed_trees.trees(len(heads) - 1, True, True)
    return np.array([tree for tree in trees if all(tree[m] == h for m, h in enumerate(heads) if h >= 0)])


def without_heads(treebank):
    return treebank.with_heads(np.full(len(treebank.heads), -1, np.int32))


def test_features_are_enumerated_posteriors_on_a_logarithmic_scale(result, short):
    grammar = result.model.second_order.grammars[0]
    features = arc_features(short, [grammar])
    packed = PackedScores(features.values[:, 0].astype(float), features.arc_offsets)
    for number, shares in enumerate(filled(enumerated(grammar, without_heads(short)))):
        kept = words_of(short, number)
        expected = 1 - np.log(np.maximum(shares, FLOOR)) / np.log(FLOOR)
        np.testing.assert_allclose(packed[number][np.ix_(kept, kept)], expected, atol=1e-6)
        rest = packed[number].copy()
        rest[np.ix_(kept, kept)] = 0
        assert not rest.any()


def words_of(treebank, number):
    """The root and the words of a sentence that are no punctuation."""
    marks = treebank.punctuation()[slice(*treebank.offsets[number : number + 2])]
    return np.flatnonzero(~marks | (np.arange(len(marks)) == 0))


def test_its_trees_are_its_parsers_under_these_features(result, short):
    stacked = result.model.second_order
    parsed = stacked.parser.parse(short, extra=arc_features(short, stacked.grammars))
    np.testing.assert_array_equal(stacked.parse(short).heads, parsed.heads)


def test_known_sentences_are_learnt_with_features_of_a_grammar_that_had_not_seen_them(monkeypatch, sample, lines):
    fit = Mock(side_effect=MSTParser.fit)
    monkeypatch.setattr(MSTParser, "fit", lambda *text, **given: fit(*text, **given))
    result = learn(sample, lines)
    (((_, text), given),) = fit.call_args_list
    assert [each.heads.tolist() for each in text] == [sample[index].heads.tolist() for index in KNOWN]
    np.testing.assert_array_equal(given["sentence_weights"], 1.0)
    plain = result.model.second_order.grammars[0]
    offsets = given["extra"].arc_offsets
    for own, other in ((KNOWN[::2], KNOWN[1::2]), (KNOWN[1::2], KNOWN[::2])):
        settings = replace(SETTINGS, stacked=False, known_weight=KNOWN_SHARE * len(sample) / len(other))
        grammar = GrammarTrainer(sample, lines, settings, Knowledge(trees=heads_of(sample, other))).run(plain).model
        for index in own:
            alone = arc_features(sample.select([index]), (plain, grammar)).values
            place = KNOWN.index(index)
            np.testing.assert_array_equal(given["extra"].values[offsets[place] : offsets[place + 1]], alone)


def test_trees_make_it_better_than_lines_and_than_the_trees_alone(sample, lines, result):
    unseen = sample.select(np.setdiff1d(np.arange(len(sample)), KNOWN))
    gold = unseen.without_punctuation().heads
    alone = MSTParser(order=2, labels=False, tags="xpos").fit(sample.select(np.array(KNOWN)))
    plain = train_grammar(sample, lines, replace(SETTINGS, stacked=False)).model
    right = [(model.parse(unseen).without_punctuation().heads == gold).mean() for model in (result.model, plain, alone)]
    assert right[0] > max(right[1:])


def test_the_model_is_saved_and_its_expectations_are_its_own(tmp_path, sample, lines, result):
    result.model.save(tmp_path / "stacked.npz")
    again = load_parser(tmp_path / "stacked.npz")
    np.testing.assert_array_equal(again.parse(sample).heads, result.model.parse(sample).heads)
    assert isinstance(again.second_order, Stacked) and result.learnt == len(KNOWN)
    words = sample.without_punctuation()
    votes = -result.model.price * marks_between(sample, words)
    shares = result.model.marginals(words, votes=votes, whole=sample)[1].values
    found = PosteriorConstraints.of(Matcher(words, "xpos").match(result.constraints), np.inf).expectations(shares)
    np.testing.assert_allclose(result.expectations, found)


def test_files_of_which_a_part_is_another_models_are_refused(result):
    arrays = result.model.second_order.arrays()
    other = arrays | {"stacked_parser": arrays["stacked_grammar_0"]}
    with pytest.raises(FormatError, match="is no second-order parser beside grammars"):
        Stacked.of(other)
    del arrays["stacked_grammar_1"]
    with pytest.raises(FormatError, match="reads other grammars than it has"):
        Stacked.of(arrays)


def test_a_vote_is_worth_a_nat_for_every_twenty_known_words_four_at_least_up_to_a_limit(sample, lines, result):
    assert result.model.second_order.vote == LEAST_VOTE
    many = range(len(sample) - 9)
    words = sum(len(words_of(sample, index)) - 1 for index in many)
    assert 20 * LEAST_VOTE < words < 20 * SETTINGS.stacked_vote
    for limit, vote in ((SETTINGS.stacked_vote, words / 20), (0.5, 0.5)):
        assert learn(sample, lines, many, result.model, stacked_vote=limit).model.second_order.vote == vote


def test_training_goes_on_from_the_grammar_that_had_not_seen_the_trees(sample, lines, result):
    first = result.model.second_order.grammars[0]
    assert without_trees(result.model) is first and without_trees(first) is first and without_trees(None) is None
    again, from_first = (learn(sample, lines, start=start) for start in (result.model, first))
    np.testing.assert_array_equal(again.model.parse(sample).heads, from_first.model.parse(sample).heads)
    assert again.status == "converged" and again.seconds > 0


def test_sentences_known_in_part_are_completed_with_the_best_tree_around_what_is_known(sample, lines, result):
    trees = heads_of(sample, KNOWN)
    short = [index for index in KNOWN if sample.lengths[index] <= 6]
    assert short
    for index in short:  # every other head is not known
        begin = sample.offsets[index]
        trees[begin + 1 : sample.offsets[index + 1] : 2] = -1
    known = KnownSentences.of(sample, trees)
    grammar = result.model.second_order.grammars[1]
    completed, seen = known.completed(grammar, None)
    for place, index in enumerate(KNOWN):
        given = trees[slice(*sample.offsets[index : index + 2])]
        heads = completed[place].heads
        assert (heads[1:] >= 0).all() and ((heads == given) | (given < 0))[words_of(sample, index)[1:]].all()
        words = words_of(sample, index)[1:]
        assert seen[place] == pytest.approx((given[words] >= 0).mean())
    chosen = np.array([index for index in short if words_of(sample, index)[1:].size <= 5])
    part = known.treebank.with_heads(trees).select(chosen)
    bare = part.without_punctuation()
    for number, shares in enumerate(filled(enumerated(grammar, part))):
        modifiers = np.arange(1, int(bare.lengths[number]) + 1)
        heads = completed.select([KNOWN.index(int(chosen[number]))]).without_punctuation()[0].heads
        best = max(shares[tree[1:], modifiers].sum() for tree in allowed(bare[number].heads))
        assert shares[heads[1:], modifiers].sum() == pytest.approx(best)


def test_sentences_whose_known_heads_cross_are_not_learnt(lines, sample):
    trees = heads_of(sample, KNOWN)
    index = next(index for index in KNOWN if len(words_of(sample, index)) > 5)
    begin, (first, second, third, fourth) = sample.offsets[index], words_of(sample, index)[1:5]
    trees[begin : sample.offsets[index + 1]] = -1
    trees[begin + third], trees[begin + fourth] = first, second
    result = train_grammar(sample, lines, SETTINGS, trees=trees)
    assert result.crossing == (index,) and result.learnt == len(KNOWN) - 1


def test_one_tree_cannot_be_cut_in_halves_and_is_learnt_by_the_grammar(sample, lines):
    for known in (KNOWN[:1], ()):
        result, plain = (learn(sample, lines, known, stacked=stacked) for stacked in (True, False))
        assert result.learnt == 0 and result.model.second_order is None
        np.testing.assert_array_equal(result.model.parse(sample).heads, plain.model.parse(sample).heads)


def test_training_that_is_cancelled_leaves_the_grammar_of_the_lines(sample, lines):
    seen = []
    stopped = learn(sample, lines, progress=seen.append, cancel=lambda: any("one half" in each.stage for each in seen))
    assert stopped.status == "cancelled" and stopped.model.second_order is None and seen[-1].fraction < 0.95


def test_progress_goes_through_all_parts(result, stages):
    assert stages[-1].stage == "a second-order parser learns 6 trees"
    assert [state.fraction for state in stages] == sorted(state.fraction for state in stages)


def test_marks_alone_have_trees_too(result):
    text = Treebank.from_sentences([{"forms": ["!", "?"], "xpos": [".", "."]}])
    assert (result.model.parse(text).heads[1:] >= 0).all()
