"""Parsers that vote: their mean, their file, what is trained and what is said when training is stopped."""

from dataclasses import replace

import numpy as np
import pytest
import spacy

from core.constraints import GrammarSettings, Matcher, ParserEnsemble, train_grammar
from core.constraints.authoring.preview import GrammarArcs
from core.errors import FormatError
from core.features.packed import arc_offsets_of
from core.parsers import MSTParser, load_parser
from core.parsers.crf.tree_crf import TreeCRF, gold_arcs
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.punctuation_arcs import marks_between
from core.treebank.statistics import non_projective
from core.trees.brackets import Bracket
from core.trees.eisner import eisner
from tests.constraints.banks import tagged

SETTINGS = GrammarSettings(lengths=(15,), iterations=(3,), words="no", vote_iterations=1, together=True)


@pytest.fixture(scope="module")
def few(sample):
    return sample.limit(4)


@pytest.fixture(scope="module")
def result(sample, lines):
    return train_grammar(sample, lines, SETTINGS)


@pytest.fixture(scope="module")
def voted(sample, lines):
    return train_grammar(sample, lines, replace(SETTINGS, second_order=True))


def test_marginals_are_the_mean_of_all_that_vote_and_trees_have_the_most_right_heads(sample, result):
    model, words = result.model, sample.without_punctuation()
    shares = model.marginals(words)[1]
    each = [parser.marginals(words)[1].values for parser in (model.crf, model.plain, model.grammar)]
    np.testing.assert_allclose(shares.values, np.mean(each, axis=0), atol=1e-12)
    assert max(np.abs(one - other).max() for one in each for other in each) > 0.1
    parsed = ParserEnsemble(model.crf, model.plain, model.grammar, price=0.0).parse(sample)
    np.testing.assert_array_equal(parsed.without_punctuation().heads, eisner(shares).values)
    assert (np.delete(parsed.heads, parsed.offsets[:-1]) >= 0).all()
    assert not non_projective(parsed.offsets, parsed.heads).any()


def test_the_member_without_extended_valence_chooses_alike_next_to_the_head_and_further_off(result):
    choose = result.model.plain.parts[0].events.take
    np.testing.assert_array_equal(choose[0], choose[1])
    extended = result.model.grammar.parts[0].events.take
    assert np.abs(extended[0] - extended[1]).max() > 0.01


def test_expectations_are_those_of_the_model(sample, result):
    words = sample.without_punctuation()
    shares = result.model.marginals(words, votes=-marks_between(sample, words))[1]
    constraints = PosteriorConstraints.of(Matcher(words, "xpos").match(result.constraints), 6.0)
    expected = constraints.expectations(shares.values)
    np.testing.assert_allclose(result.expectations, expected, atol=1e-9)


def test_relations_are_saved_too_and_another_file_is_refused(tmp_path, few, sample, result):
    result.model.with_labels(MSTParser(bits=10).fit(sample, epochs=1)).save(tmp_path / "together.npz")
    parsed, before = load_parser(tmp_path / "together.npz").parse(few), result.model.parse(few)
    np.testing.assert_array_equal(parsed.heads, before.heads)
    assert len(set(parsed.deprel.values)) > 5 and set(before.deprel.values) <= {"", "root", "dep"}
    (tmp_path / "other.npz").write_bytes(b"PK")
    with pytest.raises(FormatError):
        ParserEnsemble.load(tmp_path / "other.npz")


def test_it_is_a_component_of_spacy(tmp_path, sample, voted):
    import core.parsers.spacy_component  # noqa: F401  # registers the factory

    voted.model.save(tmp_path / "together.npz")
    nlp, sentence = spacy.blank("en"), sample[0]
    pipe = nlp.add_pipe("ge_parser", config={"model": str(tmp_path / "together.npz")})
    words, tags, parts = (list(column[1:]) for column in (sentence.forms, sentence.xpos, sentence.upos))
    doc = pipe(spacy.tokens.Doc(nlp.vocab, words=words, tags=tags, pos=parts))
    heads = [0 if token.head.i == token.i else token.head.i + 1 for token in doc]
    assert heads == voted.model.parse(sample.limit(1))[0].heads[1:].tolist()


def test_a_second_order_parser_votes_on_top(result, voted):
    assert isinstance(voted.model.crf, TreeCRF) and voted.trace[-1].stage.startswith("with the votes")
    assert (voted.model.plain.parts[0].events.take != result.model.plain.parts[0].events.take).any()
    stages = " ".join(state.stage for state in voted.trace)
    assert "tree CRF" in stages and "valence" in stages
    fractions = [state.fraction for state in voted.trace]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0


def test_the_second_order_parser_stays_in_the_model_and_votes_wherever_it_parses(few, voted):
    model, words = voted.model, few.without_punctuation()
    drawn = [parser.parse(words).heads for parser in model.second_order.parsers]
    votes = model.second_order.votes(words)
    assert len(drawn) == 2 and votes.sum() == pytest.approx(3.0 * words.token_count)
    expected = [1.5 * gold_arcs(words.with_heads(heads), arc_offsets_of(words.lengths)) for heads in drawn]
    np.testing.assert_allclose(votes, np.sum(expected, axis=0))
    silent = model.with_second_order(None)
    for parser, bare in ((model, silent), (model.grammar, silent.grammar), (model.plain, silent.plain)):
        found, without = parser.marginals(words)[1], bare.marginals(words)[1].values
        np.testing.assert_array_equal(found.values, bare.marginals(words, votes=votes)[1].values)
        assert votes @ found.values > votes @ without + 1.0  # more of the arcs that they draw
    assert model.grammar.unconstrained().second_order is None


def test_votes_are_saved_with_a_model_and_with_a_grammar_of_it(tmp_path, few, voted):
    words = few.without_punctuation()
    for model in (voted.model, voted.model.grammar):
        model.save(tmp_path / "model.npz")
        again = load_parser(tmp_path / "model.npz")
        np.testing.assert_array_equal(again.parse(few).heads, model.parse(few).heads)
        np.testing.assert_array_equal(again.marginals(words)[1].values, model.marginals(words)[1].values)
        again.with_second_order(None).save(tmp_path / "silent.npz")
        assert (tmp_path / "silent.npz").stat().st_size < (tmp_path / "model.npz").stat().st_size
        assert load_parser(tmp_path / "silent.npz").second_order is None and again.second_order.vote == 3.0


def test_a_preview_asks_the_second_order_parser_once(few, voted):
    arcs, words = GrammarArcs.of(voted.model, few), few.without_punctuation()
    votes = -marks_between(few, words)
    expected, none = voted.model.marginals(words, votes=votes)[1].values, np.zeros(len(votes))
    np.testing.assert_array_equal(arcs.marginals(none), expected)
    assert arcs.grammar.second_order is None
    np.testing.assert_array_equal(arcs.heads(none), voted.model.parse(few).without_punctuation().heads)


def test_known_heads_and_brackets_reach_every_member(lines):
    text, brackets = tagged(*[["DT", "NN", "VBD", "NN"]] * 3), [[Bracket(1, 3)]] * 3
    known = np.array([-1, 4, -1, -1, -1] + [-1] * 10)
    settings = replace(SETTINGS, level="loose", price=0.0)
    result = train_grammar(text, lines, settings, trees=known, brackets=brackets)
    plain = train_grammar(text, lines, settings, brackets=brackets)
    for name in ("crf", "plain", "grammar"):
        one, other = (getattr(each.model, name).marginals(text)[1].values for each in (result, plain))
        assert np.abs(one - other).max() > 1e-3


def test_after_an_edit_all_grammars_go_on_and_a_grammar_alone_gets_company(sample, lines, result):
    warm = train_grammar(sample, lines[:2], SETTINGS, start=result.model)
    assert isinstance(warm.model, ParserEnsemble) and len(warm.constraints) == 2
    alone = train_grammar(sample, lines, replace(SETTINGS, together=False), start=result.model)
    assert not isinstance(alone.model, ParserEnsemble)
    joined = train_grammar(sample, lines, SETTINGS, start=alone.model)
    assert isinstance(joined.model, ParserEnsemble)


def test_stopped_before_all_have_learnt_the_grammar_is_what_remains(sample, lines):
    seen = []
    stopped = train_grammar(sample, lines, SETTINGS, progress=seen.append, cancel=lambda: len(seen) >= 4)
    assert stopped.status == "cancelled" and not isinstance(stopped.model, ParserEnsemble)
    assert stopped.model.parse(sample.limit(2)).heads.max() > 0
