"""The scores of shared tasks, each counted by hand on small sentences of our own."""

import pytest

from core.errors import WorkbenchError
from core.evaluation import attachment_scores, conll2006_scores, conll2018_scores
from core.evaluation.shared_tasks import unicode_punctuation
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
    return {name: (each.correct, each.gold, each.system) for name, each in found.items()}


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


def test_head_and_label_are_counted_apart_and_together_in_2006():
    # heads: has hangs on She, wrong; relations: obj is called obl, wrong; of 6 words (the stop is left out)
    # 5 heads, 5 relations, 4 both: UAS 83.33, label accuracy 83.33, LAS 66.67
    system = bank(heads=[3, 1, 0, 6, 6, 3, 1], deprels=["nsubj", "aux:perf", "root", "det", "amod", "obl", "dep"])
    scores = conll2006_scores(bank(), system)
    assert (scores.words, scores.heads, scores.labels, scores.both) == (6, 5, 5, 4)
    assert scores.las == pytest.approx(400 / 6)
    whole = conll2006_scores(bank(), system, punctuation=True)
    assert (whole.words, whole.heads, whole.labels, whole.both) == (7, 5, 5, 4)


@pytest.mark.parametrize("score", [conll2006_scores, conll2018_scores])
def test_a_word_without_gold_head_and_other_words_are_refused(score):
    with pytest.raises(WorkbenchError, match="sentence 1, word 2 has no gold head"):
        score(bank(heads=[3, -1, 0, 6, 6, 3, 3]), bank())
    with pytest.raises(WorkbenchError, match="differ in the words of sentence 1"):
        score(bank(), bank(forms=["He", *GOLD["forms"][1:]]))
