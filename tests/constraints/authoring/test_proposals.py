"""Lines proposed from a model's errors: what they say, what they would gain, what stands already; few trees suffice."""

from pathlib import Path

import numpy as np
import pytest

from core.constraints import GrammarSettings, compare_sets, parse_constraints, train_grammar
from core.constraints.authoring.proposals import propose
from core.errors import WorkbenchError
from core.evaluation.estimates import estimate
from core.markup import wilson
from core.treebank import Treebank, load_sample
from core.trees import PackedScores

LINES = Path(__file__).resolve().parents[3] / "assets" / "constraints"
TAGS = ("DET", "NOUN", "VERB", "NOUN")
GOLD, MODEL = (2, 3, 0, 3), (3, 3, 0, 3)  # the model hangs every determiner on the verb


@pytest.fixture(scope="module")
def bank():
    sentence = {"forms": ["the", "dog", "chases", "cats"], "upos": list(TAGS), "heads": list(GOLD)}
    return Treebank.from_sentences([sentence] * 8)


@pytest.fixture(scope="module")
def heads(bank):
    return bank.with_heads(np.tile((-1, *MODEL), len(bank))).heads


@pytest.fixture(scope="module")
def marginals(bank):
    """The model is nine tenths sure of its arcs; the rest lies on the right ones, else on the next word."""
    one = np.zeros((5, 5))
    for word, (head, gold) in enumerate(zip(MODEL, GOLD, strict=True), start=1):
        one[head, word] += 0.9
        one[gold if gold != head else word % 4 + 1, word] += 0.1
    return PackedScores.from_matrices([one] * len(bank))


def test_the_line_that_would_have_prevented_the_errors(bank, heads, marginals):
    wide = parse_constraints("* <- VERB per head = 0.0..3.0\nDET <- * dist 1 = 0.0..1.0\n")  # which would do it, too
    found = propose(bank, bank.heads, heads, marginals, wide)
    best, low = found[0], np.floor(100 * wilson(8, 8)[0]) / 100
    assert best.constraint.text in (f"DET <- NOUN per modifier = {low}..1.0", "DET <- VERB per modifier = 0.0..0.33")
    assert best.coverage.denominator == best.coverage.known_denominator == 8 and len(best.rows) == 8
    assert best.share in (0.0, 1.0) and best.expectation == pytest.approx(0.1 if best.share else 0.9)
    moved = low - 0.1 if best.share else 0.9 - 0.33  # the tilt brings every determiner to the nearer end of the range
    assert best.gained == pytest.approx(8 * moved, abs=0.01) and best.lost == 0


def test_a_line_says_as_much_as_the_known_words_allow(bank, heads, marginals):
    known = np.where(np.arange(len(bank.heads)) < bank.offsets[3], bank.heads, -1)
    few, all_known = (propose(bank, each, heads, marginals)[0] for each in (known, bank.heads))
    assert few.coverage.known_denominator == 3 and few.coverage.denominator == 8
    width = [each.constraint.high - each.constraint.low for each in (few, all_known)]
    assert width[0] > width[1] and few.net < all_known.net


def test_what_stands_is_not_proposed_and_what_the_trees_contradict_is_changed(bank, heads, marginals):
    said = parse_constraints("DET <- NOUN per modifier = 0.8..1.0\nDET <- VERB = 0.0..0.2\n* -> NOUN = 0.1..0.9\n")
    texts = {each.constraint.pattern for each in propose(bank, bank.heads, heads, marginals, said)}
    assert not texts & {line.pattern for line in said}
    (wrong,) = parse_constraints("DET <- VERB per modifier = 0.9..1.0  # as in the manual\n")
    found = propose(bank, bank.heads, heads, marginals, [wrong])
    assert [each.line for each in found if each.constraint.name == wrong.name] == [wrong]
    change = next(each for each in found if each.line)
    assert change.constraint.high < 0.5 and change.constraint.comment == wrong.comment and change.constraint.line == 1
    assert all(wrong not in each.against for each in found)


def test_tags_together_are_of_words_and_not_of_punctuation():
    one, other = (
        {"forms": list("vnarp"), "upos": ["VERB", "NOUN", tag, "ADV", "PUNCT"], "heads": [0, 1, 1, 1, 1]}
        for tag in ("ADJ", "NOUN")
    )
    bank = Treebank.from_sentences([one, other] * 6)
    heads = bank.with_heads(np.tile((-1, 0, 1, 2, 3, 4), len(bank))).heads
    certain = PackedScores.empty(bank.lengths)
    certain.values[:] = 0.01
    found = propose(bank, bank.heads, heads, certain)
    several = [each.constraint.modifier for each in found if len(each.constraint.modifier.terms) > 1]
    assert several and all("PUNCT" not in item.text for item in several)


def test_a_model_without_errors_gets_no_lines(bank, marginals):
    assert propose(bank, bank.heads, bank.heads, marginals) == []


def test_nothing_known_or_another_text_is_said(bank, heads, marginals):
    with pytest.raises(WorkbenchError, match=r"no head is known.*correct some sentences"):
        propose(bank, np.full(len(heads), -1), heads, marginals)
    with pytest.raises(WorkbenchError, match="another text"):
        propose(bank.limit(2), bank.heads, heads, marginals)


def test_the_revised_lines_of_the_manual_are_those_with_one_changed_and_twelve_more():
    blind, revised = (parse_constraints((LINES / f"penn-manual-25{end}.txt").read_text()) for end in ("", "-revised"))
    changes = compare_sets(blind, revised)
    assert (len(changes.changed), len(changes.added), changes.removed) == (1, 12, ())
    assert changes.changed[0].old.name.startswith("RB -- ")


def test_twenty_corrected_sentences_make_lines_that_raise_accuracy_on_the_rest():
    text = load_sample("function-heads").without_punctuation().max_length(12).limit(120)
    lines = parse_constraints("{DT PRP$} <- {NN NNS NNP} per modifier = 0.9..1.0\nROOT -> {VBD VBZ VBP} per head = 0.8")
    settings = GrammarSettings(lengths=(12,), iterations=(6,), words="no")
    before = train_grammar(text, lines, settings).model
    checked = np.repeat(np.arange(len(text)) % (len(text) // 20) == 0, np.diff(text.offsets))
    heads, marginals = before.parse(text).heads, before.marginals(text)[1]
    found = propose(text, np.where(checked, text.heads, -1), heads, marginals, lines, 5)
    changed = {each.line for each in found}
    extended = [line for line in lines if line not in changed] + [each.constraint for each in found]
    after = train_grammar(text, extended, settings, start=before).model
    scored, shares = (text.heads >= 0) & ~checked, []
    for given in (heads, after.parse(text).heads):
        counts = ((given == text.heads) & scored, scored)
        shares.append(estimate(*(np.add.reduceat(each, text.offsets[:-1]) for each in counts), len(text)))
    assert shares[1].low > shares[0].share and shares[1].share > shares[0].high
