"""The universal parser before anything is trained: its parse is the model in use, and its arcs have reasons."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints import parse_constraints
from core.errors import Cancelled
from core.workspace.constraints.ablation import Ablation, moved_shares
from core.workspace.constraints.coverage import model_shares, survey
from core.workspace.constraints.effects import effect_table, effect_words
from core.workspace.constraints.explanations import Why
from core.workspace.constraints.first_parse import first_outcome, first_parser
from core.workspace.constraints.first_why import UNMOVED, YOU, first_why, next_words
from core.workspace.constraints.interview import next_questions
from tests.advising import finished, short_sentences, written, written_bare

MARKED = "the/DET cat/NOUN (/PUNCT the/DET dog/NOUN )/PUNCT sees/VERB the/DET old/ADJ house/NOUN ./PUNCT\n"


@pytest.fixture
def grammar(systems):
    return systems["grammar"]


@pytest.fixture
def text(add, grammar):
    """Sentences without trees, as the grammar is trained on them."""
    return grammar.text(add("bare.conllu", written_bare(short_sentences())))


def answering(text, order):
    return replace(text, settings=replace(text.settings, word_order=order))


def test_the_model_before_training_is_the_universal_parser_that_is_drawn(workspace, grammar, text):
    outcome = grammar.outcome(text)
    parser = first_parser(workspace, text)
    assert outcome.run is None and outcome.parser == "the universal parser"
    parsed = parser.parse(text.sentences)
    np.testing.assert_array_equal(outcome.parses[""].heads, parsed.heads)
    assert outcome.parses[""].deprel.strings().tolist() == parsed.deprel.strings().tolist()
    (line,) = parse_constraints("DET <- NOUN per modifier = 0.9\n")
    ((share,),) = model_shares(text, [line], outcome)
    matches = text.matcher.match([line])
    _, marginals = parser.parse_with_marginals(text.sentences)
    assert share == pytest.approx(marginals.values[matches.of(0)].sum() / matches.denominators[0], abs=1e-5)
    turned = grammar.outcome(answering(text, "determiner=after"))
    assert turned.key != outcome.key and (turned.heads != outcome.heads).any()


def test_its_parse_is_that_of_other_pages_with_marks_and_in_parts(workspace, grammar, add, monkeypatch):
    text = grammar.text(add("marked.txt", MARKED * 5))
    assert text.has_no_punctuation
    whole = first_outcome(workspace, text)
    np.testing.assert_array_equal(whole.parses[""].heads, first_parser(workspace, text).parse(text.sentences).heads)
    monkeypatch.setattr("core.workspace.constraints.first_parse.AT_ONCE", 2)
    parts = first_outcome(workspace, text)
    np.testing.assert_array_equal(parts.heads, whole.heads)
    np.testing.assert_allclose(parts.marginals.values, whole.marginals.values, atol=1e-6)
    with pytest.raises(Cancelled):
        first_outcome(workspace, text, lambda: True)


def test_a_first_training_is_compared_with_the_universal_parser(workspace, grammar, text):
    source = "DET <- NOUN per modifier = 0.9..1\n"
    run = finished(workspace, grammar.train(text, source))
    change = grammar.change(text, run)
    assert not change.is_first and change.before.key == grammar.outcome(text).key
    np.testing.assert_array_equal(change.before.heads, grammar.outcome(text).heads)
    shares = -change.moved / text.treebank.lengths
    assert shares[change.order].tolist() == sorted(shares)


def test_without_a_prior_and_on_gold_trees_all_trees_are_equally_probable(grammar, systems, text, add):
    bare = replace(text, settings=replace(text.settings, prior="none"))
    assert grammar.outcome(bare).parser == "the untrained model" and grammar.outcome(bare).is_uniform
    gold = add("gold.conllu", written(short_sentences()))
    for learner in (grammar, systems["ge"]):
        assert learner.outcome(learner.text(gold)).is_uniform
        assert learner.has_first(learner.text(gold), None)


def test_the_survey_has_the_share_of_the_parse_that_is_drawn(workspace, grammar, text):
    source = "DET <- NOUN per modifier = 0.9\n"
    outcome = grammar.outcome(text)
    (row,) = survey(text.with_set(workspace, source), outcome, outcome).rows
    assert row.before == row.after and row.after > 0.8  # equally probable trees: 0.3


def test_a_preview_and_questions_are_of_the_universal_parser(grammar, text):
    (line,) = parse_constraints("DET <- NOUN per modifier = 0.1\n")
    preview = grammar.preview(text, None, line)
    drawn = grammar.outcome(text).heads
    changed = np.repeat(np.isin(np.arange(len(text.treebank)), preview.sentences), text.treebank.lengths + 1)
    np.testing.assert_array_equal(preview.before[changed], drawn[changed])
    assert preview.moved > 0
    question = next_questions(grammar, text, grammar.outcome(text), ())[0]
    ((share,),) = model_shares(text, [question.constraint], grammar.outcome(text))
    assert question.share == pytest.approx(share, abs=1e-4)


def test_the_answer_that_turned_an_arc_is_named_first(workspace, grammar, add):
    text = grammar.text(add("plain.txt", "dogs/NOUN the/DET cats/NOUN saw/VERB\n" * 10))
    text = answering(text, "determiner=after")
    drawn = grammar.outcome(text).heads[:5]
    assert drawn[2] == 1  # the noun before it
    found, sentence = first_why(workspace, text, 0, 1, 2), text.treebank[0]
    first = found.effects[0]
    assert (first.source, first.head) == (YOU, 3) and first.what == "A determiner stands … its noun: after"
    assert first.without < found.probability
    assert found.probability == pytest.approx(grammar.outcome(text).marginals[0][1, 2], abs=1e-5)
    assert effect_words(found, sentence, UNMOVED) == (
        "Without “A determiner stands … its noun: after” (you) the head would be 3 cats NOUN."
    )
    table = effect_table(found, sentence)
    assert table["head"][0] == "3 cats NOUN" and len(table["what"]) == len(found.effects)
    sources = first_parser(workspace, text).sources
    assert sources is not None and any(what in sources.names for what in table["what"])  # near languages, each left out
    parser = first_parser(workspace, text).leaving_open("determiner")
    assert parser.parse(text.sentences).heads[2] == 3


def test_the_next_best_tree_differs_and_is_less_probable(workspace, grammar, text):
    found, heads = first_why(workspace, text, 0, 0, 1), grammar.outcome(text).heads[: len(text.treebank[0]) + 1]
    np.testing.assert_array_equal(found.heads, heads)
    assert found.next_odds >= 1 and (found.next_heads != heads).any()
    assert "times as probable" in next_words(found, text.treebank[0])


def test_no_source_no_language_to_leave_out(workspace, grammar, text):
    alone = replace(text, settings=replace(text.settings, prior="universal"))
    assert first_why(workspace, alone, 0, 0, 1).effects == ()
    assert "No answer about word order moves this arc" in effect_words(
        first_why(workspace, alone, 0, 0, 1), text.treebank[0], UNMOVED
    )


def test_a_score_in_nats_is_a_factor_in_words():
    def words(measure, score):
        return Why(measure, score, 0.5, (), "").factor

    assert words("Score", 2.0) == "" and words("Lead over", np.log(14)) == "14 times as probable"
    assert words("Lead over", -np.log(3)) == "3 times less probable"


def test_no_share_is_said_to_move_where_two_digits_show_none():
    constraints = tuple(parse_constraints("DET <- NOUN = 0.9\nADJ <- NOUN = 0.8\n"))

    def moved(after):
        flat = np.array([0.0, 0.001])
        ablation = Ablation(
            constraints, np.zeros(2), np.array([[0.2, after], flat]), np.full(2, -1), np.zeros(2), (), np.zeros(2), (),
            (), (), 9,
        )  # fmt: skip
        return [moved_shares(ablation, c) for c in range(2)]

    assert moved(0.004) == [
        "without it, its share goes from 0.00 to 0.20; no other share moves",
        "without it, its share stays at 0.00; no other share moves",
    ]
    assert moved(0.3)[0].endswith("ADJ <- NOUN would change most, from 0.00 to 0.30")
