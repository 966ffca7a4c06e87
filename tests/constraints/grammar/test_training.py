"""Training a grammar from lines: what it learns, what it says, what it can be given; the model as a parser."""

import sys
from dataclasses import replace

import numba
import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.trainer import EDITED_ITERATIONS, GrammarTrainer, Knowledge
from core.errors import FormatError, WorkbenchError
from core.parsers import LOADERS, load_parser
from core.treebank import Treebank
from core.treebank.statistics import non_projective
from core.trees.brackets import Bracket
from tests.constraints.banks import LINES, tagged

SMALL = GrammarSettings(lengths=(15,), iterations=(4,), words="no")


@pytest.fixture(scope="module")
def result(sample, lines):
    return train_grammar(sample, lines, SMALL)


def test_lines_are_met_or_named_and_those_that_match_nothing_are_left_out(result):
    assert [line.text for line in result.skipped] == ["XX -> YY = 0.5"]
    for line, share, multiplier in zip(result.constraints, result.expectations, result.multipliers, strict=True):
        far = max(line.low - share, share - line.high) > 0.01
        assert far == (line in result.unmet)
        assert not far or abs(multiplier) == pytest.approx(6.0) or result.gap > 1e-4
    assert result.status == "converged" and result.gap >= 0


def learnt(text, lines, settings=SMALL, **options):
    return train_grammar(text, parse_constraints(lines), settings, **options)


def test_a_head_may_be_said_to_have_more_than_one_modifier(sample):
    few, many = (learnt(sample, f"{{VBD VBZ VBP MD}} -> * per head = {target}") for target in (0.8, 2.2))
    assert many.expectations[0] > 1.8 > 1.2 > few.expectations[0]
    assert not many.unmet or abs(many.multipliers[0]) == pytest.approx(6.0) or many.gap > 1e-4


def test_either_word_of_a_pair_may_be_the_head(sample):
    apart, together = (learnt(sample, f"* <-> * dist 1 = {target}") for target in ("0.2", "0.7..1.0"))
    assert apart.expectations[0] < 0.3 < 0.65 < together.expectations[0] <= 1
    words = sample.without_punctuation()
    marginals = together.model.marginals(words)[1]
    pairs = [(marginals[0][k, k + 1], marginals[0][k + 1, k]) for k in range(1, int(words.lengths[0]))]
    assert all(sum(both) <= 1 + 1e-9 for both in pairs) and any(one != other for one, other in pairs)


def test_it_does_better_than_with_lines_that_say_the_opposite(sample, result):
    gold = sample.without_punctuation()
    wrong = learnt(sample, LINES.replace("0.9..1.0", "0.0").replace("0.8..1.0", "0.0"))

    def right(model):
        return (model.parse(sample).without_punctuation().heads == gold.heads)[gold.heads >= 0].mean()

    assert right(result.model) > right(wrong.model) + 0.15


def test_every_word_and_mark_gets_a_head_nothing_crosses_and_a_saved_grammar_parses_alike(tmp_path, sample, result):
    parsed = result.model.parse(sample)
    assert (np.delete(parsed.heads, parsed.offsets[:-1]) >= 0).all()
    assert not non_projective(parsed.offsets, parsed.heads).any() and parsed.single_rooted().all()
    result.model.save(tmp_path / "grammar.npz")
    again = load_parser(tmp_path / "grammar.npz")
    np.testing.assert_array_equal(again.parse(sample).heads, parsed.heads)
    assert again.constraints == result.model.constraints
    for one, other in zip(again.parts[0].events.arrays, result.model.parts[0].events.arrays, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == np.float64
    with np.load(tmp_path / "grammar.npz") as file:
        assert file["take_0"].dtype == np.float32  # which loses nothing


def test_a_grammar_whose_numbers_need_all_digits_keeps_them(tmp_path, result):
    (part, *_), model = result.model.parts, result.model
    exact = replace(part, events=replace(part.events, take=np.full_like(part.events.take, 0.1)))
    Grammar([exact], model.constraints, model.price).save(tmp_path / "exact.npz")
    assert (load_parser(tmp_path / "exact.npz").parts[0].events.take == 0.1).all()


def test_training_has_the_same_bits_on_any_number_of_threads(sample, lines, result):
    again = train_grammar(sample, lines, SMALL, threads=1)
    np.testing.assert_array_equal(again.multipliers, result.multipliers)
    for one, other in zip(again.model.parts[0].events.arrays, result.model.parts[0].events.arrays, strict=True):
        np.testing.assert_array_equal(one, other)


def test_known_heads_are_kept_and_those_that_cross_are_named(lines):
    text = tagged(["DT", "NN", "VBD", "NN"], ["DT", "NN", "VBD", "NN"])
    known = np.array([-1, 3, 4, -1, -1, -1, -1, 3, -1, -1])  # in the first 1 <- 3 crosses 2 <- 4
    trainer = GrammarTrainer(text, lines, replace(SMALL, lengths=(None,)), Knowledge(trees=known))
    assert trainer.text.fixed.reshape(2, 5, 5)[1, :, 2].tolist() == [-np.inf] * 3 + [0.0] + [-np.inf]
    assert trainer.text.crossing == trainer.run().crossing == (0,)


def test_training_trees_respect_brackets(sample, lines):
    words = sample.limit(30)
    brackets = [[Bracket(1, 3)] if len(sentence) > 3 else [] for sentence in words]
    strict = replace(SMALL, lengths=(None,), level="strict", price=0.0)
    assert train_grammar(words, lines, strict, brackets=brackets).status == "converged"
    with pytest.raises(WorkbenchError, match="30 sentences need as many lists of brackets"):
        train_grammar(words, lines, strict, brackets=brackets[:3])


def test_words_become_symbols_if_held_out_sentences_are_more_probable_so(sample, lines):
    settings = GrammarSettings(lengths=(15,), iterations=(2,), thresholds=(8, 4), word_iterations=1)
    result = train_grammar(sample, lines, settings)
    helps = result.held_out["words"] > result.held_out["tags"]
    assert len(result.model.parts) == (2 if helps else 1)
    always = train_grammar(sample, lines, GrammarSettings(None, (15,), (2,), "yes", (8, 4), 1))
    assert len(always.model.parts) == 2 and always.model.parts[1].symbols.words


def test_in_a_long_text_a_word_must_be_seen_in_proportion_more_often_to_be_a_symbol(sample, lines, monkeypatch):
    settings = GrammarSettings(thresholds=(8, 4))
    assert GrammarTrainer(sample, lines, settings).thresholds == (8, 4)
    words = sample.without_punctuation().token_count
    monkeypatch.setattr(sys.modules[GrammarTrainer.__module__], "THRESHOLD_WORDS", words / 2.6)
    assert GrammarTrainer(sample, lines, settings).thresholds == (21, 11)


def test_votes_of_a_second_order_parser_change_the_result(sample, lines, result):
    voted = train_grammar(sample, lines, replace(SMALL, second_order=True))
    assert voted.trace[-1].stage == "with the votes of a second-order parser"
    assert (voted.multipliers != result.multipliers).any()


def test_after_an_edit_training_goes_on_from_the_grammar_before(sample, lines, result):
    warm = train_grammar(sample, lines[:3], SMALL, start=result.model)
    assert len(warm.trace) == EDITED_ITERATIONS and len(warm.constraints) == 3
    assert warm.model.parts[0].backoff == result.model.parts[0].backoff
    with pytest.raises(WorkbenchError, match="does not know the tag QQ"):
        train_grammar(tagged(["DT", "NN", "QQ"]), lines[:3], SMALL, start=result.model)


def test_cancelling_keeps_what_has_been_learnt(sample, lines):
    seen = []
    stopped = train_grammar(sample, lines, SMALL, progress=seen.append, cancel=lambda: len(seen) >= 2)
    assert stopped.status == "cancelled" and len(stopped.trace) == 2
    assert stopped.model.parse(sample.limit(2)).heads.max() > 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lengths": (1, 2), "iterations": (1,)}, "each stage needs a length"),
        (
            {"lengths": (None, 3), "iterations": (1, 1)},
            r"takes longer sentences than the one before, got .*\(None, 3\)",
        ),
        ({"vote_iterations": 0}, "each stage needs at least one iteration"),
        ({"words": "maybe"}, "words must be one of auto, yes, no"),
        ({"bound": 0}, "bound of multipliers must be positive"),
        ({"known_weight": 0.0}, "weight of known trees must be a positive number, got 0"),
        ({"epochs": 0}, "needs at least one epoch, got 0"),
    ],
)
def test_settings_that_mean_nothing_are_refused(changes, message):
    with pytest.raises(WorkbenchError, match=message):
        GrammarSettings(**changes)


@pytest.mark.parametrize(
    ("columns", "line", "longest", "message"),
    [
        ({"xpos": ["DT", "NN"]}, "", 9, "there is no constraint to train on"),
        ({"xpos": ["DT", "NN"]}, "X -> Y = 0.5", 9, "no line matches two words of this text"),
        ({"xpos": ["DT", "NN"]}, "DT <- NN = 0.5", 1, "none of the 1 sentences is within the maximum length of 1;"),
        ({"upos": ["PUNCT"] * 2, "xpos": [".", ","]}, "DT <- NN = 0.5", 9, "the text is all punctuation"),
        ({"xpos": ["DT", ""]}, "DT <- NN = 0.5", 9, "no sentence has a tag on each of its words"),
        ({}, "DT <- NN = 0.5", 9, "no word has a tag"),
    ],
)
def test_texts_that_teach_nothing_are_refused(columns, line, longest, message):
    text = Treebank.from_sentences([{"forms": [".", ","] if "upos" in columns else ["a", "b"], **columns}])
    with pytest.raises(WorkbenchError, match=message):
        learnt(text, line, replace(SMALL, lengths=(longest,)))


EVERYTHING = GrammarSettings(
    lengths=(20, None), iterations=(2, 2), words="yes", word_iterations=1, vote_iterations=1,
    together=True, second_order=True,
)  # fmt: skip


@pytest.mark.parametrize("sentences", [["DNV"], ["N"], ["N", "DN"], ["DNV" * 67]], ids=lambda found: found[-1][:9])
def test_texts_that_are_odd_in_size_are_trained_on_by_all_that_votes(sentences):
    if len(sentences[0]) > 200 and numba.config.DISABLE_JIT:  # so long that not all siblings are scored
        pytest.skip("201 words take many minutes without the compiler")
    text = tagged(*sentences)
    result = learnt(text, "* <- N = 0.9\nROOT -> N = 0.5", EVERYTHING)
    parsed = result.model.parse(text)
    assert result.status == "converged" and parsed.single_rooted().all()
    assert (np.delete(parsed.heads, parsed.offsets[:-1]) >= 0).all()


def test_sentences_with_a_word_without_a_tag_are_left_out_and_counted():
    text, line = tagged("DNV", ["D", "", "V"], "DN"), "D <- N = 0.9"
    result, alone = learnt(text, line), learnt(text.select([0, 2]), line)
    assert result.untagged == 1
    np.testing.assert_array_equal(result.multipliers, alone.multipliers)
    assert result.model.parse(text)[1].heads[1:].max() > 0  # in a parse an unknown tag is an average one


@pytest.mark.parametrize(
    ("lines", "unmet"),
    [
        ("D <- N = 0.9\nD <- N = 0.1", True),  # contradict each other
        ("D <- N = 1.0\nD -> N = 1.0\nROOT -> V = 1.0", True),  # no tree has both
        ("D <- N = 1.0\nN <- V = 1.0\nROOT -> V = 1.0", False),  # fix every arc
    ],
)
def test_lines_that_cannot_be_met_are_named_and_the_others_are(lines, unmet):
    result = learnt(tagged(*["DNV"] * 8), lines)
    shares = zip(result.constraints, result.expectations, strict=True)
    far = [line for line, share in shares if max(line.low - share, share - line.high) > 0.01]
    assert tuple(far) == result.unmet and bool(far) == unmet
    assert np.isfinite(result.expectations).all() and (np.abs(result.multipliers) <= 6.0).all()


def test_a_multiplier_at_its_bound_stays_there_and_its_line_is_unmet():
    result = learnt(tagged(*["DNV"] * 8), "D -> N = 1.0", replace(SMALL, bound=0.05))
    assert result.multipliers[0] == 0.05 and len(result.unmet) == 1


def test_a_grammar_of_other_symbols_says_what_it_knows(tmp_path, sample, result):
    with pytest.raises(WorkbenchError, match="knows none of the tags of this text; it was learnt from xpos tags"):
        result.model.parse(tagged(["QQ", "RR"]))
    result.model.save(tmp_path / "grammar.npz")
    with np.load(tmp_path / "grammar.npz") as arrays:
        np.savez(tmp_path / "cut.npz", **{**arrays, "take_0": arrays["take_0"][..., 1:]})
    with pytest.raises(FormatError, match="of other symbols than it names"):
        load_parser(tmp_path / "cut.npz")


def test_every_kind_of_model_file_names_a_class_that_writes_it():
    from importlib import import_module

    for kind, place in LOADERS.items():
        module, name = place.split(":")
        assert hasattr(getattr(import_module(module), name), "load") and kind == import_module(module).KIND
