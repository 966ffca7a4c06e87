"""Outliers against probabilities worked out word by word, and errors that were planted."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from core.consistency.outliers import CLOSE, END, START, WIDENING, Attachment, outliers
from core.errors import WorkbenchError
from core.treebank import Treebank, load_sample, read_conllu
from tests.consistency.banks import bank


def naive_outliers(treebank, agreement):
    """{(sentence, word): (has, others, odds)} by the formula, from dictionaries of counts."""
    words = {}
    for number, sentence in enumerate(treebank):
        for m in range(1, len(sentence) + 1):
            h, padded = int(sentence.heads[m]), [START, *sentence.upos[1:], END, END]
            low, high = min(h, m), max(h, m)
            gap = h > 0 and any(not low <= sentence.heads[k] <= high for k in range(low + 1, high))
            side = "" if h == 0 else "right" if h > m else "left"
            steps = [sentence.upos[m], sentence.deprels[m], *(padded[m + offset] for offset in WIDENING)]
            contexts = [tuple(steps[:size]) for size in range(1, len(steps) + 1)]
            words[number, m] = contexts, Attachment(CLOSE.get(tag := sentence.upos[h], tag) if h else "ROOT", side, gap)
    kinds, counts = {has for _, has in words.values()}, defaultdict(Counter)
    for contexts, has in words.values():
        for context in contexts:
            counts[context][has] += 1
    found = {}
    for place, (contexts, has) in words.items():
        shares = {}
        for kind in kinds:
            share = 1 / len(kinds)
            for context in contexts:
                others = counts[context]
                count = others[kind] - (kind == has)
                share = (count + len(others) * share) / (others.total() - 1 + len(others))
            shares[kind] = share
        best = max(shares, key=lambda kind: shares[kind])
        if best != has and shares[best] >= agreement:
            found[place] = has, best, min(shares[best] / shares[has], len(words))
    return found


@pytest.mark.parametrize("agreement", [0.6, 0.9])
def test_odds_are_those_of_the_formula(agreement):
    sample = load_sample()
    found = outliers(sample, agreement)
    expected = naive_outliers(sample, agreement)
    assert {(each.sentence, each.word): (each.has, each.others) for each in found} == {
        place: values[:2] for place, values in expected.items()
    }
    assert [each.odds for each in found] == pytest.approx(
        [expected[each.sentence, each.word][2] for each in found]
    ) and [each.odds for each in found] == sorted((each.odds for each in found), reverse=True)
    assert len(found) > 5


def test_what_others_have_is_counted_in_a_context():
    rows = ["the/DT/2 dog/NN/3 ran/VBD/0"] * 30 + ["the/DT/3 dog/NN/3 ran/VBD/0"]
    (first,) = outliers(bank(*rows))
    assert (first.sentence, first.word, first.of, first.agreeing) == (30, 1, 30, 30)
    assert (first.has, first.others) == (Attachment("VB", "right", False), Attachment("NN", "right", False))
    assert first.context == "START *DT* NN VBD" and str(first.others) == "NN to the right"
    assert outliers(bank(*rows[:30])) == []


def planted(treebank, share, seed=0):
    """(the treebank with a share of its words, but roots, under another head; {(sentence, word)} that were moved)."""
    random, heads, moved = np.random.default_rng(seed), treebank.heads.copy(), set()
    for row in random.permutation(np.flatnonzero(heads > 0)):
        sentence = int(treebank.sentence_rows[row])
        here = heads[slice(*treebank.offsets[sentence : sentence + 2])]
        word = int(row - treebank.offsets[sentence])
        below = descendants(here, word)
        free = [head for head in range(1, len(here)) if head != here[word] and head not in below]
        if free:
            heads[row] = random.choice(free)
            moved.add((sentence, word))
        if len(moved) >= share * treebank.token_count:
            break
    return treebank.with_heads(heads, treebank.deprel), moved


def descendants(heads, word):
    """The word and all that are below it."""
    found = {word}
    while more := {m for m in range(1, len(heads)) if heads[m] in found} - found:
        found |= more
    return found


def found_of(text, moved, first):
    """How many of the first Outliers are words that were moved."""
    return len({(each.sentence, each.word) for each in outliers(text)[:first]} & moved)


def test_planted_errors_come_first():
    assert found_of(*planted(load_sample(), 0.01), 20) >= 10


def test_most_of_the_first_hundred_are_planted_in_a_real_treebank(shared_data):
    """Three draws find 77, 86 and 90; variation nuclei of word forms find 26."""
    text = read_conllu(shared_data / "en-ewt" / "ewt-dev.conllu")
    assert found_of(*planted(text, 0.01), 100) >= 70


@pytest.mark.parametrize("make, message", [
    (lambda: bank("the/DT/2 dog/NN/0"), "made up has one sentence"),
    (lambda: bank("the/DT dog/NN", "a/DT cat/NN"), "made up has no trees; annotate or parse it first"),
    (lambda: Treebank.from_sentences([{"forms": ["a"], "heads": [0]}] * 2), "no word has a tag; tag the text first"),
])  # fmt: skip
def test_what_cannot_be_compared_is_one_sentence(make, message):
    with pytest.raises(WorkbenchError, match=message):
        outliers(make())


def test_an_agreement_is_a_share_above_a_half():
    with pytest.raises(WorkbenchError, match=r"a share above 0.5 and up to 1, got 0.5"):
        outliers(load_sample(), 0.5)
