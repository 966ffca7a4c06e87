"""The sample corpus: its size, its variety, and that its trees keep to the guidelines."""

import numpy as np
import pytest

from core.annotation.label_inventories import RELATIONS, UPOS
from core.treebank import load_sample
from core.treebank.statistics import non_projective
from tests.filled import filled

FORWARD = {"conj", "fixed", "flat", "appos"}  # relations whose modifier follows its head


@pytest.mark.parametrize("part", ["sample", "questions", "function-heads"])
def test_every_tree_is_complete_and_single_rooted(part):
    treebank = load_sample(part)
    assert treebank.single_rooted().all()
    assert (np.delete(treebank.heads, treebank.offsets[:-1]) >= 0).all()
    assert treebank.warnings == ()


def test_it_is_large_and_varied():
    sample, questions = load_sample(), load_sample("questions")
    assert len(sample) >= 300 and len(questions) >= 60
    assert sample.lengths.min() <= 6 and 35 <= sample.lengths.max() <= 45
    assert non_projective(sample.offsets, sample.heads).sum() >= 8
    genres = {sentence.sent_id.split("-")[0] for sentence in sample}
    assert genres == {"news", "essay", "blog"}
    texts = [sentence.text for sentence in sample]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("part", ["sample", "questions"])
def test_it_keeps_to_the_universal_guidelines(part):
    for sentence in filled(load_sample(part)):
        for m in range(1, len(sentence) + 1):
            relation, head = sentence.deprels[m].split(":")[0], sentence.heads[m]
            place = f"{sentence.sent_id}, word {m} {sentence.forms[m]}"
            assert relation in RELATIONS and sentence.upos[m] in UPOS, place
            assert sentence.xpos[m] and sentence.lemmas[m], place
            assert (relation == "root") == (head == 0), place
            assert (relation == "punct") == (sentence.upos[m] == "PUNCT"), place
            assert not (relation in FORWARD and head > m), place
            assert not (head and sentence.upos[head] == "PUNCT"), place


def test_the_second_scheme_has_the_same_words_and_other_heads():
    sample, other = load_sample(), load_sample("function-heads")
    assert [s.forms for s in sample] == [s.forms for s in other]
    assert 0.4 < (sample.heads == other.heads).mean() < 0.9
