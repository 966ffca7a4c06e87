"""The scores of shared tasks, each counted by hand on small sentences of our own."""

import pytest

from core.errors import WorkbenchError
from core.evaluation import attachment_scores, conll2006_scores, conll2018_scores
from core.evaluation.shared_tasks import TREE_SCORES, unicode_punctuation
from core.treebank import Treebank

# She(1) has(2) seen(3) the(4) red(5) house(6) .(7); seen is the root
GOLD = {
    "forms": ["She", "has", "seen", "the", "red", "house", "."],
    "lemmas": ["she", "have", "see", "the", "red", None, "."],
    "upos": ["PRON", "AUX", "VERB", "DET", "ADJ", "NOUN", "PUNCT"],
    "feats": ["Case=Nom|Style=Coll", None, "VerbForm=Part", "Definite=Def", None, "Number=Sing", None],
    "heads": [3, 3, 0, 6, 6, 3, 3],
    "deprels": ["nsubj", "aux:perf", "root", "det", "amod", "obj", "punct"],
}


def bank(**changes):
    return Treebank.from_sentences([GOLD | changes])


def counts(**changes):
    found = conll2018_scores(bank(), bank(**changes))
    return {name: (found[name].correct, found[name].gold, found[name].system) for name in TREE_SCORES}


def test_the_gold_trees_have_every_point():
    # content words by relation: nsubj, root, amod, obj; aux and det are function words, punct is neither
    assert counts() == {"UAS": (7,) * 3, "LAS": (7,) * 3, "CLAS": (4,) * 3, "MLAS": (4,) * 3, "BLEX": (4,) * 3}


def test_subtypes_of_relations_do_not_count_in_2018_and_do_in_2006():
    changes = {"deprels": ["nsubj:pass", "aux", "root", "det", "amod", "obj", "punct"]}
    assert counts(**changes)["LAS"] == counts(**changes)["UAS"] == (7, 7, 7)
    scores = conll2006_scores(bank(), bank(**changes))
    assert (scores.words, scores.heads, scores.labels, scores.both) == (6, 6, 4, 4)  # the stop is left out


def test_a_content_word_called_a_function_word_changes_what_the_system_is_asked_for():
    # red is det instead of amod: LAS loses red; of content words gold has 4, the system 3, and 3 are right:
    # F1 = 2 * 3 / (4 + 3). MLAS loses house too, which has a function word more: 2 * 2 / 7
    changes = {"deprels": ["nsubj", "aux:perf", "root", "det", "det", "obj", "punct"]}
    found = conll2018_scores(bank(), bank(**changes))
    assert counts(**changes)["LAS"] == (6, 7, 7)
    assert counts(**changes)["CLAS"] == (3, 4, 3) and counts(**changes)["MLAS"] == (2, 4, 3)
    assert found["CLAS"].f1 == pytest.approx(600 / 7)
    assert (found["CLAS"].precision, found["CLAS"].recall) == (100, 75)


def test_a_wrong_function_word_costs_its_content_word_in_mlas_only():
    # the hangs on red: UAS and LAS lose one word; CLAS has all four content words; in MLAS house has lost its article
    # and red has won one, so She and seen are left
    changes = {"heads": [3, 3, 0, 5, 6, 3, 3]}
    assert counts(**changes) == {
        "UAS": (6, 7, 7), "LAS": (6, 7, 7), "CLAS": (4, 4, 4), "MLAS": (2, 4, 4), "BLEX": (4, 4, 4)
    }  # fmt: skip


def test_tags_and_universal_features_count_in_mlas():
    # a tag of its own: red; a universal feature of another: She; Style is no universal feature
    assert counts(upos=["PRON", "AUX", "VERB", "DET", "NOUN", "NOUN", "PUNCT"])["MLAS"] == (3, 4, 4)
    feats = list(GOLD["feats"])
    assert counts(feats=["Case=Nom|Style=Arch", *feats[1:]])["MLAS"] == (4, 4, 4)
    assert counts(feats=["Case=Acc", *feats[1:]])["MLAS"] == (3, 4, 4)
    # the article's feature costs the house its point, not itself: it is no content word
    assert counts(feats=[*feats[:3], "Definite=Ind", *feats[4:]])["MLAS"] == (3, 4, 4)


def test_lemmas_count_in_blex_where_gold_has_them():
    # house has no gold lemma, so any will do; saw for see costs a point
    assert counts(lemmas=["she", "have", "see", "the", "red", "hovel", "."])["BLEX"] == (4, 4, 4)
    assert counts(lemmas=["she", "have", "saw", "the", "red", None, "."])["BLEX"] == (3, 4, 4)


def test_punctuation_of_2006_is_by_the_characters_alone():
    # the em dash and "..." are punctuation, "+" and "$" symbols, "a." has a letter; tags say otherwise throughout
    forms = ["\u2014", "...", "+", "$", "a.", "\u00bf"]
    tree = Treebank.from_sentences([{"forms": forms, "upos": ["X"] * 6, "heads": [0, 1, 1, 1, 1, 1]}])
    assert unicode_punctuation(tree)[1:].tolist() == [True, True, False, False, False, True]
    assert conll2006_scores(tree, tree).words == 3
    assert conll2006_scores(tree, tree, punctuation=True).words == 6
    assert attachment_scores(tree, tree, punctuation=False).words != 3  # which goes by tags where there are any


def test_a_mark_beside_a_letter_or_digit_makes_a_word_in_2006():
    # a word is left out only where each of its characters is punctuation: a combining mark, a digit or a space is none
    forms = ["'s", "1.", "U.S.A.", "--", "»", "…", "°", "™", "_", "،", "。", "‘’", "!\u0301"]
    tree = Treebank.from_sentences([{"forms": forms, "heads": [0, *[1] * (len(forms) - 1)]}])
    assert [form for form, out in zip(forms, unicode_punctuation(tree)[1:], strict=True) if out] == [
        "--", "»", "…", "_", "،", "。", "‘’"
    ]  # fmt: skip


def test_head_and_label_are_counted_apart_and_together_in_2006():
    # heads: has hangs on She, wrong; relations: obj is called obl, wrong; of 6 words (the stop is left out)
    # 5 heads, 5 relations, 4 both: UAS 83.33, label accuracy 83.33, LAS 66.67
    system = bank(heads=[3, 1, 0, 6, 6, 3, 1], deprels=["nsubj", "aux:perf", "root", "det", "amod", "obl", "dep"])
    scores = conll2006_scores(bank(), system)
    assert (scores.words, scores.heads, scores.labels, scores.both) == (6, 5, 5, 4)
    assert scores.las == pytest.approx(400 / 6)
    whole = conll2006_scores(bank(), system, punctuation=True)
    assert (whole.words, whole.heads, whole.labels, whole.both) == (7, 5, 5, 4)


# Examples that others have published: (gold heads and relations, a system's, which words are punctuation, counts)
PUBLISHED = {
    # Jurafsky & Martin, Speech and Language Processing (3rd edition draft), dependency parsing, the reference and the
    # system parse in the section on evaluation: LAS 2/3, UAS 5/6
    "textbook": (
        ([0, 1, 4, 1, 6, 4], "root iobj det obj case nmod"),
        ([0, 4, 4, 1, 6, 4], "root nsubj det xcomp case nmod"),
        (),
        (6, 5, 4),
    ),
    # NLTK, nltk.parse.evaluate.DependencyEvaluator, which leaves out punctuation by its Unicode category as the task
    # does: LAS 0.6, UAS 0.8 (the system's head of word 3, punctuation, is itself there, which is no tree)
    "NLTK": (
        (
            [2, 8, 2, 5, 6, 2, 2, 0, 8, 11, 9, 9, 15, 15, 12, 9, 16, 9],
            "NMOD SUB P NMOD AMOD NMOD P ROOT VC NMOD OBJ VMOD NMOD NMOD PMOD VMOD NMOD VMOD",
        ),
        (
            [8, 1, 2, 6, 6, 2, 3, 0, 8, 11, 9, 9, 15, 15, 12, 9, 16, 9],
            "NMOD SUB P NMOD AMOD NMOD AMOD ROOT VC AMOD OBJECT NMOD NMOD NMOD PMOD VMOD NMOD VMOD",
        ),
        (3, 7, 18),
        (15, 12, 9),
    ),
}


@pytest.mark.parametrize("gold, system, marks, counts", PUBLISHED.values(), ids=PUBLISHED)
def test_published_examples_have_their_published_scores(gold, system, marks, counts):
    forms = ["," if number in marks else f"w{number}" for number in range(1, len(gold[0]) + 1)]
    gold, system = (
        Treebank.from_sentences([{"forms": forms, "heads": heads, "deprels": relations.split()}])
        for heads, relations in (gold, system)
    )
    scores = conll2006_scores(gold, system)
    assert (scores.words, scores.heads, scores.both) == counts


def test_a_word_without_gold_head_and_other_words_are_refused():
    for score in (conll2006_scores, conll2018_scores):
        with pytest.raises(WorkbenchError, match="sentence 1, word 2 has no gold head"):
            score(bank(heads=[3, -1, 0, 6, 6, 3, 3]), bank())
    other = bank(forms=["He", *GOLD["forms"][1:]])
    with pytest.raises(WorkbenchError, match="differ in the words of sentence 1"):
        conll2006_scores(bank(), other)
    with pytest.raises(WorkbenchError, match=r"part at gold's sentence 1, word 1 \(She\) and the system's .* \(He\)"):
        conll2018_scores(bank(), other)
