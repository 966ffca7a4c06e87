"""What is taken for what: the ranked list against a count word by word, and its words."""

from collections import Counter

from hypothesis import given, settings

from core.evaluation import compare
from core.evaluation.confusions import HEAD, RELATION, confusion_name
from tests.evaluation.test_comparison import texts


def naive(gold, system):
    """Counter of (kind, parts) over all words."""
    counts = Counter()
    for one, other in zip(gold, system, strict=True):
        tags = ["ROOT", *one.upos[1:]]
        for word in range(1, len(one) + 1):
            if one.heads[word] != other.heads[word]:
                counts[HEAD, (tags[word], tags[one.heads[word]], tags[other.heads[word]])] += 1
            if one.deprels[word] != other.deprels[word]:
                counts[RELATION, (one.deprels[word], other.deprels[word])] += 1
    return counts


@settings(max_examples=40, deadline=None)
@given(texts())
def test_the_ranked_list_equals_a_count_word_by_word(banks):
    gold, one, _ = banks
    found = compare(gold, {"one": one}).ranked("one", labelled=True)
    assert {(each.kind, each.parts): len(each.rows) for each in found} == naive(gold, one)
    assert [len(each.rows) for each in found] == sorted((len(each.rows) for each in found), reverse=True)
    for each in found:
        wrong = [(gold.heads[row] != one.heads[row], gold.deprel[row] != one.deprel[row])[each.kind == RELATION]
                 for row in each.rows.tolist()]  # fmt: skip
        assert all(wrong)
    assert {each.kind for each in compare(gold, {"one": one}).ranked("one")} <= {HEAD}


@settings(max_examples=25, deadline=None)
@given(texts())
def test_words_that_are_left_out_are_not_counted(banks):
    gold, one, _ = banks
    nouns = gold.upos.mask(lambda tag: tag == "NOUN")
    whole, part = (compare(gold, {"one": one}), compare(gold, {"one": one}).within(nouns))
    kept = {each.parts: len(each.rows) for each in whole.ranked("one") if each.parts[0] == "NOUN"}
    assert {each.parts: len(each.rows) for each in part.ranked("one")} == kept
    assert part.scores == whole.scores


def test_an_error_is_said_in_words():
    assert confusion_name(RELATION, ("nsubj", "obj")) == "nsubj taken for obj"
    assert confusion_name(HEAD, ("ADP", "VERB", "NOUN")) == "ADP attached to NOUN instead of VERB"
    assert confusion_name(HEAD, ("ADP", "NOUN", "NOUN")) == "ADP attached to another NOUN"
    assert confusion_name(HEAD, ("VERB", "ROOT", "NOUN")) == "VERB attached to NOUN instead of being the root"
    assert confusion_name(HEAD, ("VERB", "NOUN", "ROOT")) == "VERB made the root instead of attached to NOUN"
