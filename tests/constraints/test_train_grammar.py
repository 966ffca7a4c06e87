"""Training a grammar from lines: what it learns, what it says, what it can be given; the model as a parser."""

import sys

import numba
import numpy as np
import pytest

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.constraints.grammar_trainer import EDITED_ITERATIONS, GrammarTrainer
from core.errors import ConstraintError, FormatError, WorkbenchError
from core.parsers import LOADERS, load_parser
from core.treebank import Treebank
from core.treebank.statistics import non_projective
from core.trees.brackets import Bracket
from tests.constraints.banks import LINES

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


def test_a_head_may_be_said_to_have_more_than_one_modifier(sample):
    few, many = (
        train_grammar(sample, parse_constraints(f"{{VBD VBZ VBP MD}} -> * per head = {target}"), SMALL)
        for target in (0.8, 2.2)
    )
    assert many.expectations[0] > 1.8 > 1.2 > few.expectations[0]
    assert not many.unmet or abs(many.multipliers[0]) == pytest.approx(6.0) or many.gap > 1e-4


def test_either_word_of_a_pair_may_be_the_head(sample):
    apart, together = (
        train_grammar(sample, parse_constraints(f"* <-> * dist 1 = {target}"), SMALL) for target in ("0.2", "0.7..1.0")
    )
    assert apart.expectations[0] < 0.3 < 0.65 < together.expectations[0] <= 1
    words = sample.without_punctuation()
    marginals = together.model.marginals(words)[1]
    pairs = [(marginals[0][k, k + 1], marginals[0][k + 1, k]) for k in range(1, int(words.lengths[0]))]
    assert all(sum(both) <= 1 + 1e-9 for both in pairs) and any(one != other for one, other in pairs)


def test_it_does_better_than_with_lines_that_say_the_opposite(sample, result):
    gold = sample.without_punctuation()
    wrong = train_grammar(sample, parse_constraints(LINES.replace("0.9..1.0", "0.0").replace("0.8..1.0", "0.0")), SMALL)

    def right(model):
        return (model.parse(sample).without_punctuation().heads == gold.heads)[gold.heads >= 0].mean()

    assert right(result.model) > right(wrong.model) + 0.15


def test_every_word_and_mark_gets_a_head_and_nothing_crosses(sample, result):
    parsed = result.model.parse(sample)
    assert (np.delete(parsed.heads, parsed.offsets[:-1]) >= 0).all()
    assert not non_projective(parsed.offsets, parsed.heads).any() and parsed.single_rooted().all()


def test_a_saved_grammar_parses_alike(tmp_path, sample, result):
    result.model.save(tmp_path / "grammar.npz")
    again = load_parser(tmp_path / "grammar.npz")
    np.testing.assert_array_equal(again.parse(sample).heads, result.model.parse(sample).heads)
    assert again.constraints == result.model.constraints


def test_training_has_the_same_bits_on_any_number_of_threads(sample, lines, result):
    again = train_grammar(sample, lines, SMALL, threads=1)
    np.testing.assert_array_equal(again.multipliers, result.multipliers)
    for one, other in zip(again.model.parts[0].events.arrays, result.model.parts[0].events.arrays, strict=True):
        np.testing.assert_array_equal(one, other)


def test_known_heads_are_kept_and_those_that_cross_are_named(lines):
    text = Treebank.from_sentences([
        {"forms": list("abcd"), "xpos": ["DT", "NN", "VBD", "NN"], "heads": [3, 4, 0, 3]},  # 1 <- 3 crosses 2 <- 4
        {"forms": list("abcd"), "xpos": ["DT", "NN", "VBD", "NN"], "heads": [4, 3, 0, 3]},
    ])  # fmt: skip
    known = np.array([-1, 3, 4, -1, -1, -1, -1, 3, -1, -1])
    settings = GrammarSettings(lengths=(None,), iterations=(1,), words="no")
    trainer = GrammarTrainer(text, lines, settings, trees=known)
    assert trainer.whole.crossing == (0,)
    result = train_grammar(text, lines, settings, trees=known)
    assert result.crossing == (0,)
    assert trainer.whole.fixed.reshape(2, 5, 5)[1, :, 2].tolist() == [-np.inf] * 3 + [0.0] + [-np.inf]


def test_training_trees_respect_brackets(sample, lines):
    words = sample.limit(30)
    brackets = [[Bracket(1, 3)] if len(sentence) > 3 else [] for sentence in words]
    strict = GrammarSettings(lengths=(None,), iterations=(2,), words="no", level="strict", price=0.0)
    result = train_grammar(words, lines, strict, brackets=brackets)
    assert result.status == "converged"
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
    voted = train_grammar(sample, lines, GrammarSettings(lengths=(15,), iterations=(4,), words="no", second_order=True))
    assert voted.trace[-1].stage == "with the votes of a second-order parser"
    assert (voted.multipliers != result.multipliers).any()


def test_after_an_edit_training_goes_on_from_the_grammar_before(sample, lines, result):
    warm = train_grammar(sample, lines[:3], SMALL, start=result.model)
    assert len(warm.trace) == EDITED_ITERATIONS and len(warm.constraints) == 3
    assert warm.model.parts[0].backoff == result.model.parts[0].backoff
    other = Treebank.from_sentences([{"forms": ["a", "b", "c"], "xpos": ["DT", "NN", "QQ"]}])
    with pytest.raises(WorkbenchError, match="does not know the tag QQ"):
        train_grammar(other, lines[:3], SMALL, start=result.model)


def test_cancelling_keeps_what_has_been_learnt(sample, lines):
    seen = []
    stopped = train_grammar(sample, lines, SMALL, progress=seen.append, cancel=lambda: len(seen) >= 2)
    assert stopped.status == "cancelled" and len(stopped.trace) == 2
    assert stopped.model.parse(sample.limit(2)).heads.max() > 0


def test_bad_input_is_refused_in_one_sentence(sample, lines):
    with pytest.raises(ConstraintError, match="there is no constraint to train on"):
        train_grammar(sample, [])
    with pytest.raises(ConstraintError, match="no line matches two words of this text"):
        train_grammar(sample, lines[-1:])
    with pytest.raises(WorkbenchError, match="none of the 40 sentences is within the maximum length of 1;"):
        train_grammar(sample, lines, GrammarSettings(lengths=(1,), iterations=(1,)))
    with pytest.raises(WorkbenchError, match="each stage needs a length"):
        GrammarSettings(lengths=(1, 2), iterations=(1,))
    with pytest.raises(WorkbenchError, match="words must be one of auto, yes, no"):
        GrammarSettings(words="maybe")
    with pytest.raises(WorkbenchError, match="bound of multipliers must be positive"):
        GrammarSettings(bound=0)
    marks = Treebank.from_sentences([{"forms": [".", ","], "upos": ["PUNCT"] * 2, "xpos": [".", ","]}])
    with pytest.raises(WorkbenchError, match="the text is all punctuation"):
        train_grammar(marks, lines)
    partly = Treebank.from_sentences([{"forms": ["a", "b"], "xpos": ["DT", ""]}])
    with pytest.raises(WorkbenchError, match="no sentence has a tag on each of its words"):
        train_grammar(partly, lines)
    with pytest.raises(WorkbenchError, match=r"takes longer sentences than the one before, got lengths \(None, 3\)"):
        GrammarSettings(lengths=(None, 3), iterations=(1, 1))
    with pytest.raises(WorkbenchError, match="each stage needs at least one iteration"):
        GrammarSettings(vote_iterations=0)
    untagged = Treebank.from_sentences([{"forms": ["a", "b"]}])
    with pytest.raises(WorkbenchError, match="no word has a tag"):
        train_grammar(untagged, lines)


def tagged(*sentences):
    """A text of sentences of tags, such as "DT NN VBD"."""
    rows = [tags.split(" ") for tags in sentences]
    return Treebank.from_sentences([{"forms": [f"w{i}" for i in range(len(row))], "xpos": row} for row in rows])


EVERYTHING = GrammarSettings(
    lengths=(20, None), iterations=(2, 2), words="yes", word_iterations=1, vote_iterations=1,
    together=True, second_order=True,
)  # fmt: skip


@pytest.mark.parametrize("text", [
    tagged("DT NN VBD"), tagged("NN"), tagged("NN", "DT NN"), tagged(" ".join(["DT NN VBD"] * 100)),
], ids=["one sentence", "one word", "a word and two", "300 words"])  # fmt: skip
def test_texts_that_are_odd_in_size_are_trained_on_by_all_that_votes(text):
    if text.token_count > 100 and numba.config.DISABLE_JIT:
        pytest.skip("300 words take many minutes without the compiler")
    result = train_grammar(text, parse_constraints("* <- NN = 0.9\nROOT -> NN = 0.5"), EVERYTHING)
    parsed = result.model.parse(text)
    assert result.status == "converged" and parsed.single_rooted().all()
    assert (np.delete(parsed.heads, parsed.offsets[:-1]) >= 0).all()


def test_sentences_with_a_word_without_a_tag_are_left_out_and_counted():
    text, line = tagged("DT NN VBD", "DT  VBD", "DT NN"), parse_constraints("DT <- NN = 0.9")
    result = train_grammar(text, line, SMALL)
    assert result.untagged == 1
    alone = train_grammar(text.select([0, 2]), line, SMALL)
    np.testing.assert_array_equal(result.multipliers, alone.multipliers)
    assert result.model.parse(text)[1].heads[1:].max() > 0  # in a parse an unknown tag is an average one


@pytest.mark.parametrize("lines, unmet", [
    ("DT <- NN = 0.9\nDT <- NN = 0.1", 1),  # contradict each other
    ("DT <- NN = 1.0\nDT -> NN = 1.0\nROOT -> VBD = 1.0", 1),  # no tree has both
    ("DT <- NN = 1.0\nNN <- VBD = 1.0\nROOT -> VBD = 1.0", 0),  # fix every arc
])  # fmt: skip
def test_lines_that_cannot_be_met_are_named_and_the_others_are(lines, unmet):
    result = train_grammar(tagged(*["DT NN VBD"] * 8), parse_constraints(lines), SMALL)
    assert len(result.unmet) >= unmet and (unmet or not result.unmet)
    far = [line for line, share in zip(result.constraints, result.expectations, strict=True)
           if max(line.low - share, share - line.high) > 0.01]  # fmt: skip
    assert tuple(far) == result.unmet and np.isfinite(result.expectations).all()
    assert (np.abs(result.multipliers) <= 6.0).all()


def test_a_multiplier_at_its_bound_stays_there_and_its_line_is_unmet():
    text, line = tagged(*["DT NN VBD"] * 8), parse_constraints("DT -> NN = 1.0")
    result = train_grammar(text, line, GrammarSettings(lengths=(15,), iterations=(1,), words="no", bound=0.05))
    assert result.multipliers[0] == 0.05 and result.unmet == tuple(line)


def test_a_grammar_of_other_symbols_says_what_it_knows(tmp_path, sample, result):
    with pytest.raises(WorkbenchError, match="knows none of the tags of this text; it was learnt from xpos tags"):
        result.model.parse(tagged("QQ RR"))
    result.model.save(tmp_path / "grammar.npz")
    with np.load(tmp_path / "grammar.npz") as file:
        arrays = dict(file)
    arrays["take_0"] = arrays["take_0"][..., 1:]
    np.savez(tmp_path / "cut.npz", **arrays)
    with pytest.raises(FormatError, match="of other symbols than it names"):
        load_parser(tmp_path / "cut.npz")


def test_every_kind_of_model_file_names_a_class_that_writes_it():
    from importlib import import_module

    for kind, place in LOADERS.items():
        module, name = place.split(":")
        assert hasattr(getattr(import_module(module), name), "load") and kind == import_module(module).KIND
