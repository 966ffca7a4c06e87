"""Attachment scores, counted by hand."""

import pytest

from core.errors import WorkbenchError
from core.evaluation import attachment_scores, conll2018_scores
from core.evaluation.scores import forms_differ
from core.treebank import Treebank, read_conllu


def treebank_of(heads, deprels=None, forms="abc."):
    sentence = {"forms": list(forms), "upos": ["X", "X", "X", "PUNCT"][: len(forms)], "heads": heads}
    if deprels:
        sentence["deprels"] = deprels
    return Treebank.from_sentences([sentence])


GOLD = treebank_of([2, 0, 2, 2], ["x", "root", "y", "punct"])


def test_words_heads_and_relations_are_counted():
    scores = attachment_scores(GOLD, treebank_of([2, 0, 1, 2], ["x", "root", "y", "p"]))
    assert (scores.words, scores.heads, scores.labels, scores.both) == (4, 3, 3, 2)
    assert (scores.uas, scores.las, scores.label_accuracy) == (75, 50, 75)
    assert (scores.sentences, scores.complete) == (1, 0)


def test_punctuation_selects_what_is_scored():
    wrong_dot = treebank_of([2, 0, 2, 1])
    assert attachment_scores(GOLD, wrong_dot).uas == 75
    without = attachment_scores(GOLD, wrong_dot, punctuation=False)
    assert (without.words, without.uas, without.complete_match) == (3, 100, 100)
    assert without.las is None


def test_words_without_gold_heads_are_not_scored():
    gold = treebank_of([2, 0, -1, -1])
    assert attachment_scores(gold, GOLD).words == 2
    nothing = attachment_scores(treebank_of([-1, -1, -1, -1]), GOLD)
    assert nothing.uas is None and nothing.as_dict() == {"words": 0, "heads": 0, "sentences": 0, "complete": 0}


def test_different_texts_are_refused():
    with pytest.raises(WorkbenchError, match="differ in the words of sentence 1"):
        attachment_scores(GOLD, treebank_of([2, 0, 2, 2], forms="abd."))
    with pytest.raises(WorkbenchError, match="differ in the words of sentence 1"):
        attachment_scores(GOLD, treebank_of([2, 0, 2], forms="abc"))
    with pytest.raises(WorkbenchError, match="gold has 1 sentences and system 0"):
        attachment_scores(GOLD, GOLD.select([]))


def test_words_are_the_same_in_whatever_normal_form():
    """Accents as one character with their letter (NFC), and as two (NFD)."""
    one, other = (
        Treebank.from_sentences([{"forms": [form, "fini"], "lemmas": [form, "x"], "heads": [0, 1]}])
        for form in ("\u00e9t\u00e9", "e\u0301te\u0301")
    )
    assert attachment_scores(one, other).heads == 2 and forms_differ(one, other)
    assert not forms_differ(one, one) and not forms_differ(other, other)
    for scores in (conll2018_scores(one, other), conll2018_scores(other, one)):
        assert {scores[name].f1 for name in ("Tokens", "Words", "Lemmas", "UAS")} == {100.0}


def conllu_of(*words):
    """A sentence whose first word is its root: words, or (form, words) of a multiword token."""
    lines, number = [], 0
    for word in words:
        parts = [word] if isinstance(word, str) else word[1].split()
        lines += [] if isinstance(word, str) else [f"{number + 1}-{number + len(parts)}\t{word[0]}" + "\t_" * 8]
        for part in parts:
            number += 1
            lines.append(f"{number}\t{part}\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_")
    return read_conllu("\n".join([*lines, "", ""]).encode())


@pytest.mark.parametrize("system", ["20 000", "20\u00a0000", "20\u202f000", "20_000"])
def test_blanks_within_a_word_are_alike(system):
    assert attachment_scores(conllu_of("il", "20 000"), conllu_of("il", system)).uas == 100


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (["a", "20 000"], ["a", "20-000"], "sentence 1: at word 2 gold has '20 000' and the system '20-000'; give"),
        (["a", "b"], ["a"], "sentence 1: at word 2 gold has 'b' and the system no word; give both"),
        (
            ["va", ("au", "à le")], ["va", "au"],
            r"at word 2 gold has 'à', of 'au' \(2-3: à le\) and the system 'au'; give both",
        ),
        (["a_b"], ["a b"], "at word 1 gold has 'a_b' and the system 'a b'"),
    ],
)  # fmt: skip
def test_words_that_differ_are_named(gold, system, message):
    with pytest.raises(WorkbenchError, match=message):
        attachment_scores(conllu_of(*gold), conllu_of(*system))
